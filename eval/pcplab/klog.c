// SPDX-License-Identifier: GPL-2.0-or-later
/* Tells panics, oopses, stalls and warnings from a kernel's other messages. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "klog.h"

/* Lockdep's are the longest: about 60 lines, with two stacks. */
#define REPORT_LINES 100

/*
 * @start: the message begins so; otherwise the text may be anywhere in it (behind "watchdog:",
 * "rcu:" and the like).
 */
static const struct {
	enum klog_status status;
	bool start;
	const char *text;
} signs[] = {
	{ KLOG_PANIC, true, "Kernel panic - not syncing" },
	{ KLOG_OOPS, false, "BUG: unable to handle" },
	{ KLOG_OOPS, false, "BUG: kernel NULL pointer dereference" },
	{ KLOG_OOPS, true, "Oops: " },
	{ KLOG_OOPS, true, "kernel BUG at " },
	{ KLOG_OOPS, true, "general protection fault" },
	{ KLOG_OOPS, true, "invalid opcode: " },
	{ KLOG_OOPS, true, "divide error: " },
	{ KLOG_OOPS, false, "double fault: " },
	{ KLOG_STALL, false, "soft lockup" },
	{ KLOG_STALL, false, "hard LOCKUP" },
	{ KLOG_STALL, false, "BUG: workqueue lockup" },
	{ KLOG_STALL, false, "detected stalls on CPUs/tasks" },
	{ KLOG_STALL, false, "self-detected stall on CPU" },
	{ KLOG_STALL, false, "detected expedited stalls" },
	{ KLOG_STALL, false, "kthread starved for" },
	{ KLOG_STALL, true, "INFO: task " }, /* … blocked for more than … */
	{ KLOG_WARN, true, "BUG: " }, /* Bad page state, sleeping function called, … */
	{ KLOG_WARN, true, "[ BUG: " }, /* lockdep's frames */
	{ KLOG_WARN, true, "WARNING: " }, /* not "RETBleed: WARNING: …", which is advice */
	{ KLOG_WARN, true, "INFO: trying to register non-static key" },
	{ KLOG_WARN, true, "DEBUG_LOCKS_WARN_ON" },
	{ KLOG_WARN, false, "list_add corruption" },
	{ KLOG_WARN, false, "list_del corruption" },
	{ KLOG_WARN, false, "page allocation failure: order:" },
	{ KLOG_WARN, true, "Out of memory: Killed process" },
	{ KLOG_WARN, true, "UBSAN: " },
	{ KLOG_WARN, true, "refcount_t: " },
	{ KLOG_WARN, true, "pagealloc: memory corruption" },
	{ KLOG_WARN, false, ": segfault at " },
	{ KLOG_WARN, true, "traps: " },
};

/*
 * Past "[    1.234567]" and "[  T123]" or "[    C0]", which the configuration may have on or off.
 */
static const char *message(const char *line)
{
	while (*line == '[') {
		const char *p = line + 1, *end = strchr(line, ']');

		while (*p == ' ')
			p++;
		if (!end || (end[1] != ' ' && end[1] != '['))
			break;
		if ((*p == 'T' || *p == 'C') && isdigit((unsigned char)p[1]))
			p++;
		if (p + strspn(p, "0123456789.") != end)
			break;
		line = end[1] == ' ' ? end + 2 : end + 1;
	}
	return line;
}

/* What a panic was about is said before it: by the oops, or by the watchdog that barked. */
static void worsen(struct klog *k, enum klog_status status, const char *msg)
{
	char reason[sizeof(k->reason)];

	if (k->status >= KLOG_STALL)
		snprintf(reason, sizeof(reason), "%.150s; then: %.150s", k->reason, msg);
	else
		snprintf(reason, sizeof(reason), "%.300s", msg);
	memcpy(k->reason, reason, sizeof(reason));
	k->status = status;
}

/* A report that is expected nowhere else in the kernel ends as a warning like any other. */
static void give_up_looking(struct klog *k)
{
	if (k->look && k->status < KLOG_WARN)
		worsen(k, KLOG_WARN, k->pending);
	k->look = 0;
}

/* Is the line part of a report that is, or may turn out to be, an expected one? */
static bool expected(struct klog *k, const char *msg)
{
	if (!k->expected_headline)
		return false;
	if (!strncmp(msg, k->expected_headline, strlen(k->expected_headline))) {
		give_up_looking(k);
		snprintf(k->pending, sizeof(k->pending), "%.300s", msg);
		k->look = REPORT_LINES;
		return true;
	}
	if (!k->look)
		return false;
	if (strstr(msg, k->expected_function)) {
		k->look = 0;
		if (k->status < KLOG_KNOWN) {
			snprintf(k->reason, sizeof(k->reason), "expected of this design: %.200s in %.80s",
				 k->pending, k->expected_function);
			k->status = KLOG_KNOWN;
		}
	} else if (!--k->look) {
		k->look = 1;
		give_up_looking(k);
	}
	return false;
}

static void judge_line(struct klog *k, const char *line)
{
	const char *msg = message(line);

	if (expected(k, msg))
		return;

	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		const char *at = signs[i].start ? msg : strstr(msg, signs[i].text);

		if (!at || strncmp(at, signs[i].text, strlen(signs[i].text)))
			continue;
		if (signs[i].status > k->status)
			worsen(k, signs[i].status, msg);
		return;
	}
}

void klog_feed(struct klog *k, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\n') {
			k->line[k->len] = '\0';
			judge_line(k, k->line);
			k->len = 0;
		} else if (text[i] != '\r' && text[i] && k->len < sizeof(k->line) - 1) {
			k->line[k->len++] = text[i];
		}
	}
}

void klog_end(struct klog *k)
{
	klog_feed(k, "\n", 1);
	give_up_looking(k);
}

const char *klog_status_name(enum klog_status status)
{
	static const char *const names[] = { "ok", "known", "warn", "stall", "oops", "panic" };

	return names[status];
}
