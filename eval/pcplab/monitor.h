/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a guest asks of its machine, and tells of its progress, while it runs. */
#ifndef PCPLAB_MONITOR_H
#define PCPLAB_MONITOR_H

#include "util.h"

/* QEMU's control port, on its standard input: memory modules are all that it is used for. */
struct monitor {
	int fd;			/* ours; -1: this machine has none */
	int qemu;		/* QEMU's end, until it is started; -1: none */
	GString *line;		/* of the record port, not complete yet */
	char *progress;		/* what the guest told last, NULL: nothing */
};

/**
 * monitor_open() - prepare for a boot
 * @m: filled in
 * @plan: the boot's line in plan.jsonl; without "dimm_mb" there is no control port
 *
 * Return: true, or false (error printed).
 */
bool monitor_open(struct monitor *m, const json_t *plan);

/**
 * monitor_started() - QEMU has its end now: close ours of it
 * @m: from monitor_open()
 */
void monitor_started(struct monitor *m);

/**
 * monitor_feed() - look at more of the record port, and do what the guest asks
 * @m: from monitor_open()
 * @text: the next bytes, cut anywhere
 * @len: their number
 *
 * Does nothing about what it does not understand: that is the record stage's business.
 *
 * Return: true when @m->progress is new.
 */
bool monitor_feed(struct monitor *m, const char *text, size_t len);

/**
 * monitor_close() - give back what monitor_open() made
 * @m: from monitor_open()
 */
void monitor_close(struct monitor *m);

#endif
