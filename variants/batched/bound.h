/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Batched holds: proposed by J. Hahn on linux-mm, September-October 2025, for
 * spills, decay and drains; the three answers to a migration come from that
 * thread's review. Bounding the refill is ours.
 *
 * After each hold both zone->lock and the section are let go of. That lets
 * interrupts, preemption and drains in, and it lets the task migrate. So after
 * each boundary everything is derived anew from what pcp_let_go() returned:
 * which list it is, and how much there is to do on it.
 *
 *   what may happen at a boundary       why it is harmless
 *   an interrupt frees or allocates     counts are read again
 *   a drain empties the list            nothing is left to free; a refill sees
 *                                       the limits that the disabler wrote
 *                                       before it drained
 *   the task moves to another CPU       see the Kconfig choice
 *   the old CPU goes offline            its list is drained as any other
 */
#ifndef _MM_PCP_BATCHED_BOUND_H
#define _MM_PCP_BATCHED_BOUND_H

#include <linux/preempt.h>

#include "relock.h"

static inline void pcp_relock_count(enum pcp_relock_event event)
{
	this_cpu_inc(pcp_relock_counts.event[event]);
}

/*
 * Leave the section with the task pinned to this CPU, once. Whether the caller
 * can be preempted at all shows only after leaving, and by then it may have
 * moved: our own count of preemption bridges the gap. Whoever cannot be
 * preempted needs no pin, and in an interrupt it would be another task's.
 */
static inline void pcp_leave_pinned(struct per_cpu_pages *pcp,
				    unsigned long *flags, bool *pinned)
{
	preempt_disable();
	pcp_leave(pcp, flags);
	if (!*pinned && preempt_count() == PREEMPT_DISABLE_OFFSET &&
	    !irqs_disabled()) {
		migrate_disable();
		*pinned = true;
	}
	preempt_enable();
}

/*
 * Let go of a section at a batch boundary and come back. Takes the flags of the
 * caller's pcp_enter() and leaves them valid for the section it returns.
 * Returns the list to go on with, or NULL when the caller is in no section and
 * should stop.
 */
static struct per_cpu_pages *pcp_let_go(struct zone *zone,
					struct per_cpu_pages *pcp,
					unsigned long *flags, bool *pinned)
{
	struct per_cpu_pages *next;

	if (IS_ENABLED(CONFIG_PCP_RELOCK_PIN))
		pcp_leave_pinned(pcp, flags, pinned);
	else
		pcp_leave(pcp, flags);

	if (!preemptible())
		pcp_relock_count(PCP_RELOCK_ATOMIC);
	next = pcp_enter(zone, flags);
	if (!next) {
		pcp_relock_count(PCP_RELOCK_BUSY);
		return NULL;
	}
	if (next == pcp) {
		pcp_relock_count(PCP_RELOCK_SAME);
		return next;
	}

	pcp_relock_count(PCP_RELOCK_MOVED);
	if (IS_ENABLED(CONFIG_PCP_RELOCK_FOLLOW))
		return next;
	pcp_leave(next, flags);
	return NULL;
}

static inline void pcp_unpin(bool pinned)
{
	if (pinned)
		migrate_enable();
}

/*
 * Pages in one hold. The zone's own batch, not the list's: zone_pcp_disable()
 * sets the latter to 1 before it drains.
 */
static inline int pcp_bound(struct zone *zone)
{
	return max(READ_ONCE(zone->pageset_batch), 1);
}

/*
 * How far a spill may empty a list: its own list down to what it meant to
 * leave there, somebody else's only while that is at or above its high mark.
 */
static inline int pcp_spillable(struct per_cpu_pages *pcp, bool own, int floor)
{
	if (own)
		return pcp->count - floor;
	return pcp->count >= READ_ONCE(pcp->high) ? pcp->count : 0;
}

/* Never inlined: what a rare spill needs must not burden every free. */
static noinline struct per_cpu_pages *
pcp_spill_batches(struct zone *zone, struct per_cpu_pages *pcp, int count,
		  int pindex, unsigned long *flags)
{
	struct per_cpu_pages *own = pcp;
	int floor = pcp->count - min(count, pcp->count);
	bool pinned = false;

	while (pcp) {
		int before = pcp->count;
		int n = min3(count, pcp_bound(zone),
			     pcp_spillable(pcp, pcp == own, floor));

		if (n <= 0)
			break;
		pcp_hold_spill(zone, n, pcp, pindex);
		/* A large block may have gone beyond n. */
		count -= before - pcp->count;
		if (count <= 0)
			break;
		pcp = pcp_let_go(zone, pcp, flags, &pinned);
	}

	pcp_unpin(pinned);
	return pcp;
}

static inline struct per_cpu_pages *pcp_spill(struct zone *zone,
					      struct per_cpu_pages *pcp,
					      int count, int pindex,
					      unsigned long *flags)
{
	return pcp_spill_batches(zone, pcp, count, pindex, flags);
}

static inline bool pcp_goes_on(struct per_cpu_pages **pcp,
			       struct per_cpu_pages *next)
{
	*pcp = next;
	return next;
}

static inline int pcp_refill_bound(struct zone *zone, unsigned int order)
{
	return max(pcp_bound(zone) >> order, 1);
}

static __always_inline int pcp_refill(struct zone *zone,
				      struct per_cpu_pages *pcp,
				      unsigned int order, int want,
				      struct list_head *list, int migratetype,
				      unsigned int alloc_flags)
{
	int n = want;
	int got;

	if (IS_ENABLED(CONFIG_PCP_BOUNDED_REFILL))
		n = min(want, pcp_refill_bound(zone, order));
	got = pcp_hold_refill(zone, order, n, list, migratetype, alloc_flags);
	/* Where there was not even that much there is no rest to be had. */
	if (IS_ENABLED(CONFIG_PCP_BOUNDED_REFILL))
		pcp->refill_rest = got < n ? 0 : want - n;
	return got;
}

/*
 * The limits are looked at again after every boundary: zone_pcp_disable()
 * writes them, then drains, and a page published after its drain would stay.
 * Its drain enters the section, so whoever enters later sees the new limits.
 */
static inline bool pcp_refillable(struct per_cpu_pages *pcp)
{
	int high = clamp(pcp->high, READ_ONCE(pcp->high_min),
			 READ_ONCE(pcp->high_max));

	return high >= READ_ONCE(pcp->batch) && pcp->count < high;
}

static noinline struct per_cpu_pages *
pcp_refill_bounded(struct zone *zone, struct per_cpu_pages *pcp,
		   unsigned int order, int migratetype,
		   unsigned int alloc_flags, unsigned long *flags)
{
	int want = pcp->refill_rest;
	bool pinned = false;

	pcp->refill_rest = 0;
	while (want > 0) {
		LIST_HEAD(blocks);
		int n, got;

		pcp = pcp_let_go(zone, pcp, flags, &pinned);
		if (!pcp || !pcp_refillable(pcp))
			break;

		n = min(want, pcp_refill_bound(zone, order));
		got = pcp_hold_refill(zone, order, n, &blocks, migratetype,
				      alloc_flags);
		list_splice_tail(&blocks,
				 &pcp->lists[order_to_pindex(migratetype, order)]);
		pcp->count += got << order;
		want = got < n ? 0 : want - got;
	}

	pcp_unpin(pinned);
	return pcp;
}

static inline struct per_cpu_pages *
pcp_refill_rest(struct zone *zone, struct per_cpu_pages *pcp,
		unsigned int order, int migratetype,
		unsigned int alloc_flags, unsigned long *flags)
{
	if (!IS_ENABLED(CONFIG_PCP_BOUNDED_REFILL) || likely(!pcp->refill_rest))
		return pcp;
	return pcp_refill_bounded(zone, pcp, order, migratetype, alloc_flags,
				  flags);
}

static inline int pcp_drain_max(struct zone *zone, struct per_cpu_pages *pcp)
{
	return pcp_bound(zone);
}

#endif /* _MM_PCP_BATCHED_BOUND_H */
