/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the host offers: QEMU, KVM, and the files a boot needs. */
#ifndef PCPLAB_HOST_H
#define PCPLAB_HOST_H

#include "spec.h"

/**
 * kernel_path() - a file of a built kernel
 * @flavor: flavour
 * @variant: variant
 * @file: "vmlinux", "config" or "meta.json"
 *
 * Return: a new string with the path, which need not exist.
 */
char *kernel_path(const char *flavor, const char *variant, const char *file);

/**
 * boot_kernel() - which kernel a boot is of
 * @boot: its line in plan.jsonl
 *
 * Return: the variant whose kernel it is; its column may have another name.
 */
const char *boot_kernel(const json_t *boot);

/**
 * inputs_now() - the identity of all that boots are made of
 * @flavor: the kernels' flavour
 * @variants: array of strings: the kernels' variants
 *
 * Two runs of one spec with equal inputs may share their boots.
 *
 * Return: a new object with the checksums of kernels, initramfs and plugin, or NULL (error printed,
 * says what to run) when one of them is missing.
 */
json_t *inputs_now(const char *flavor, const json_t *variants);

/**
 * qemu_binary() - the QEMU to use
 *
 * Return: its name or path: PCPLAB_QEMU in the environment, or qemu-system-x86_64.
 */
const char *qemu_binary(void);

/**
 * qemu_version() - check that QEMU is there and new enough
 *
 * Return: a new string with its version, or NULL (error printed).
 */
char *qemu_version(void);

/**
 * host_cpu() - the host's processor
 *
 * Return: a new string with its model name, "unknown" when the host does not tell.
 */
char *host_cpu(void);

/**
 * source_commit() - the commit of the source tree, with "-dirty" when files differ from it
 *
 * Return: a new string, "unknown" outside of git.
 */
char *source_commit(void);

/**
 * mode_resolve() - turn mode "auto" into one that works here, and say which in one line
 * @mode: the mode that the spec asks for; others than auto are returned as they are
 * @flavor: flavour of a built kernel for the trial boot
 * @variant: its variant
 *
 * KVM counts as working only when a guest came up under it within a deadline. The answer is kept in
 * build/accel.json until the host is booted again.
 *
 * Return: the mode to run in; MODE_AUTO (error printed) when the trial could not be made.
 */
enum run_mode mode_resolve(enum run_mode mode, const char *flavor, const char *variant);

#endif
