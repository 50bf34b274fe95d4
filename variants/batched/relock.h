/* SPDX-License-Identifier: GPL-2.0-only */
/* How often letting go ended in which way, for /sys/kernel/debug/pcp_relock. */
#ifndef _MM_PCP_BATCHED_RELOCK_H
#define _MM_PCP_BATCHED_RELOCK_H

#include <linux/percpu.h>

/*
 * Each letting go is one of the first three. ATOMIC counts, besides, those whose
 * caller could not be preempted; without PREEMPT_COUNT that cannot be told and
 * is all of them.
 */
enum pcp_relock_event {
	PCP_RELOCK_SAME,	/* back in the same list's section */
	PCP_RELOCK_MOVED,	/* the task had migrated */
	PCP_RELOCK_BUSY,	/* somebody else was inside */
	PCP_RELOCK_ATOMIC,
	NR_PCP_RELOCK_EVENTS
};

struct pcp_relock_counts {
	unsigned long event[NR_PCP_RELOCK_EVENTS];
};

DECLARE_PER_CPU(struct pcp_relock_counts, pcp_relock_counts);

#endif /* _MM_PCP_BATCHED_RELOCK_H */
