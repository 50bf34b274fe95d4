/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a guest's console says about its kernel's health. */
#ifndef PCPLAB_KLOG_H
#define PCPLAB_KLOG_H

#include <stddef.h>

/* From best to worst: the worst seen counts. Known: only a report that the design is expected to cause. */
enum klog_status { KLOG_OK, KLOG_KNOWN, KLOG_WARN, KLOG_STALL, KLOG_OOPS, KLOG_PANIC };

struct klog {
	enum klog_status status;
	char reason[320];	/* the first line that told of @status, and what led to it */
	char line[1024];	/* a line that is not complete yet */
	size_t len;
	/* A report with this headline is expected if it names this function further down; or NULL. */
	const char *expected_headline, *expected_function;
	char pending[320];	/* such a headline, whose function is still looked for */
	unsigned int look;	/* in so many lines more */
};

/**
 * klog_feed() - look at more of the console
 * @k: what was seen so far; all zero at first, but for what is expected
 * @text: the next bytes, cut anywhere
 * @len: their number
 *
 * Context: pure; depends on nothing but its arguments.
 */
void klog_feed(struct klog *k, const char *text, size_t len);

/**
 * klog_end() - no more will come
 * @k: what was seen
 */
void klog_end(struct klog *k);

/**
 * klog_status_name() - a status as records write it
 * @status: the status
 *
 * Return: static string: "ok", "known", "warn", "stall", "oops" or "panic".
 */
const char *klog_status_name(enum klog_status status);

#endif
