/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which figures may be believed under which clock. */
#ifndef PCPLAB_CLOCK_H
#define PCPLAB_CLOCK_H

#include <stdbool.h>

/**
 * clock_name() - the kind of clock a mode gives the guest
 * @mode: "icount", "tcg" or "kvm"
 *
 * Return: "icount" or "host".
 */
const char *clock_name(const char *mode);

/**
 * clock_accel() - QEMU's accelerator in a mode
 * @mode: "icount", "tcg" or "kvm"
 *
 * Return: "tcg" or "kvm".
 */
const char *clock_accel(const char *mode);

/**
 * clock_counts() - is the counting plugin loaded in a mode?
 * @mode: "icount", "tcg" or "kvm"
 *
 * Return: true under icount only: KVM has no plugins, and under plain TCG the plugin would slow the
 * very rates that are the only thing to be had there.
 */
bool clock_counts(const char *mode);

/**
 * clock_allows() - may a metric be reported?
 * @metric: its name as in records
 * @mode: "icount", "tcg" or "kvm"
 * @cpus: number of virtual CPUs
 *
 * Return: true when the figure means what its name says; false also for metrics that are not known.
 */
bool clock_allows(const char *metric, const char *mode, long cpus);

#endif
