/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One boot of one guest. */
#ifndef PCPLAB_BOOT_H
#define PCPLAB_BOOT_H

#include "util.h"

struct boot_end {
	const char *status;	/* static: a record's status in FORMATS.md, or "ok" */
	char *reason;		/* NULL when ok */
	double seconds;		/* host time */
	bool interrupted;	/* by the user: there is no status */
	bool no_guest;		/* QEMU failed before the guest said a word; @reason has its own */
};

/* Who wants to hear what the guest tells of its progress. */
struct boot_listener {
	void (*told)(void *arg, const char *text);
	void *arg;
};

/**
 * boot_command() - QEMU's command line for a boot
 * @plan: the boot's line in plan.jsonl
 * @dir: the boot's folder
 *
 * Return: a new NULL-terminated vector.
 */
char **boot_command(const json_t *plan, const char *dir);

/**
 * boot_run() - boot a guest and wait for its end
 * @plan: the boot's line in plan.jsonl
 * @argv: from boot_command()
 * @dir: the boot's folder; emptied of an earlier attempt's files, or made
 * @listener: hears of the guest's progress; NULL: nobody
 * @end: how it ended
 *
 * QEMU dies with this process, however that ends. Signals that ask this process to end are obeyed:
 * see boot_catch_signals().
 *
 * Return: true, or false (error printed) when QEMU could not be started at all.
 */
bool boot_run(const json_t *plan, char **argv, const char *dir, const struct boot_listener *listener,
	      struct boot_end *end);

/**
 * boot_catch_signals() - let SIGINT, SIGTERM and SIGHUP end the current boot in good order
 */
void boot_catch_signals(void);

/**
 * boot_stopped() - has such a signal come?
 *
 * Return: true when no further boot is to be started.
 */
bool boot_stopped(void);

#endif
