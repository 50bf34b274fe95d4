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

#define PCP_LETS_GO	1

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
 * A design that leaves the section for a hold is still inside when it decides
 * to, and the caller's state is known: nothing needs bridging.
 */
static inline void pcp_pin(unsigned long *flags, bool *pinned)
{
	if (!IS_ENABLED(CONFIG_PCP_RELOCK_PIN) || !PCP_LEAVES_FOR_HOLD ||
	    *pinned || preempt_count() || irqs_disabled_flags(*flags))
		return;
	migrate_disable();
	*pinned = true;
}

/*
 * Record how coming back from @pcp ended. May the caller go on in the section
 * of @next?
 */
static inline bool pcp_came_back(struct per_cpu_pages *pcp,
				 struct per_cpu_pages *next)
{
	if (!next) {
		pcp_relock_count(PCP_RELOCK_BUSY);
		return false;
	}
	if (next == pcp) {
		pcp_relock_count(PCP_RELOCK_SAME);
		return true;
	}
	pcp_relock_count(PCP_RELOCK_MOVED);
	return IS_ENABLED(CONFIG_PCP_RELOCK_FOLLOW);
}

/*
 * Let go of a section at a batch boundary, unless the hold has done so already
 * (@inside is what pcp_unload() returned), and come back. Takes the flags of the
 * caller's pcp_enter() and leaves them valid for the section it returns.
 * Returns the list to go on with, or NULL when the caller is in no section and
 * should stop.
 */
static struct per_cpu_pages *pcp_let_go(struct zone *zone,
					struct per_cpu_pages *pcp,
					struct per_cpu_pages *inside,
					unsigned long *flags, bool *pinned)
{
	struct per_cpu_pages *next;

	if (inside && IS_ENABLED(CONFIG_PCP_RELOCK_PIN))
		pcp_leave_pinned(inside, flags, pinned);
	else if (inside)
		pcp_leave(inside, flags);

	if (!preemptible())
		pcp_relock_count(PCP_RELOCK_ATOMIC);
	pcp_probe_pause();
	next = pcp_enter(zone, flags);
	if (IS_ENABLED(CONFIG_PCP_RELOCK_BLIND) && next)
		return pcp;
	if (pcp_came_back(pcp, next))
		return next;
	if (next)
		pcp_leave(next, flags);
	return NULL;
}

/*
 * May be called inside a section: if the task has to move now it does so when
 * preemption or interrupts are on again, with the next interrupt at the latest.
 */
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
 * leave there, somebody else's only while that is at or above its high mark,
 * which whoever wrote it last may have left beyond the limits.
 */
static inline int pcp_spillable(struct per_cpu_pages *pcp, bool own, int floor)
{
	int high;

	if (own)
		return pcp->count - floor;
	high = clamp(READ_ONCE(pcp->high), READ_ONCE(pcp->high_min),
		     READ_ONCE(pcp->high_max));
	return pcp->count >= high ? pcp->count : 0;
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
		struct per_cpu_pages *inside;
		int n = min3(count, pcp_bound(zone),
			     pcp_spillable(pcp, pcp == own, floor));

		if (n <= 0)
			break;
		pcp_pin(flags, &pinned);
		inside = pcp_unload(zone, pcp, n, &count, pindex, flags);
		if (count <= 0) {
			pcp = inside;
			break;
		}
		pcp = pcp_let_go(zone, pcp, inside, flags, &pinned);
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

static inline int pcp_refill_bound(struct zone *zone, unsigned int order)
{
	return max(pcp_bound(zone) >> order, 1);
}

static __always_inline struct per_cpu_pages *
pcp_refill(struct zone *zone, struct per_cpu_pages *pcp, unsigned int order,
	   int want, int migratetype, unsigned int alloc_flags,
	   unsigned long *flags)
{
	bool pinned = false;
	int n = want;
	int got = 1;

	if (IS_ENABLED(CONFIG_PCP_BOUNDED_REFILL))
		n = min(want, pcp_refill_bound(zone, order));
	/* The rest of an earlier refill is void, and must not be left behind. */
	if (IS_ENABLED(CONFIG_PCP_BOUNDED_REFILL) && PCP_LEAVES_FOR_HOLD)
		pcp->refill_rest = 0;
	pcp_pin(flags, &pinned);
	pcp = pcp_load(zone, pcp, order, n, &got, migratetype, alloc_flags,
		       flags);
	/* Where there was not even that much there is no rest to be had. */
	if (IS_ENABLED(CONFIG_PCP_BOUNDED_REFILL))
		pcp->refill_rest = got < n ? 0 : want - n;
	pcp_unpin(pinned);
	return pcp;
}

/*
 * Take one more batch, letting go first or on the way. Sets @got to the blocks
 * taken, 0 when there should be no more.
 */
static struct per_cpu_pages *
pcp_refill_more(struct zone *zone, struct per_cpu_pages *pcp,
		unsigned int order, int n, int *got, int migratetype,
		unsigned int alloc_flags, unsigned long *flags, bool *pinned)
{
	struct per_cpu_pages *next = pcp;

	*got = 0;
	if (!PCP_LEAVES_FOR_HOLD)
		next = pcp_let_go(zone, pcp, pcp, flags, pinned);
	if (!next || !pcp_refillable(next))
		return next;

	pcp_pin(flags, pinned);
	next = pcp_load(zone, next, order, n, got, migratetype, alloc_flags,
			flags);
	if (PCP_LEAVES_FOR_HOLD && !pcp_came_back(pcp, next))
		*got = 0;
	return next;
}

static noinline struct per_cpu_pages *
pcp_refill_bounded(struct zone *zone, struct per_cpu_pages *pcp,
		   unsigned int order, int migratetype,
		   unsigned int alloc_flags, unsigned long *flags)
{
	int want = pcp->refill_rest;
	bool pinned = false;
	int n, got;

	pcp->refill_rest = 0;
	while (pcp && want > 0) {
		n = min(want, pcp_refill_bound(zone, order));
		pcp = pcp_refill_more(zone, pcp, order, n, &got, migratetype,
				      alloc_flags, flags, &pinned);
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
