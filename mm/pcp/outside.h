/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The middle of the contract for designs whose sections must be short: they
 * leave the section, exchange pages with the buddy allocator, and enter again.
 * In between the pages are on a chain: a set of lists like a CPU's, on the
 * stack of whoever holds it, or handed over by a drained CPU. It has an owner
 * and no lock, and zone->lock never nests in a section, so this works on
 * PREEMPT_RT too, where it sleeps.
 *
 * Included by the design's exclusion.h after it defined, besides the sections of
 * the contract, which never fail to be entered here:
 *
 *   pcp_enter_of(pcp, flags)   the section of this CPU's list, or an offline one's
 *   pcp_leave_of(pcp, flags)   leave it
 *
 * A chain may be in the hands of a task that is preempted, and a drain does not
 * wait for it. Each caller can bear that, as it has to bear a page in the hands
 * of a task preempted in free_unref_page() before it entered any section:
 *
 *   memory offline       repeats its scan until all pages are free, and takes a
 *                        signal; it waits as long as the holder is preempted
 *   CMA, hardware poison find the page not free, and fail or retry
 *   reclaim, compaction  want more free pages, not all
 *   hibernation          saves such a page as one in use
 *
 * A chain on its way to a list is checked again on arrival: see pcp_load().
 */
#ifndef _MM_PCP_OUTSIDE_H
#define _MM_PCP_OUTSIDE_H

#include <linux/list.h>

#define PCP_LEAVES_FOR_HOLD	1
#define PCP_PREPARES_OUTSIDE	1

/* Only lists and count of a chain are ever used. */
static inline void pcp_chain_init(struct per_cpu_pages *chain)
{
	int pindex;

	chain->count = 0;
	for (pindex = 0; pindex < NR_PCP_LISTS; pindex++)
		INIT_LIST_HEAD(&chain->lists[pindex]);
}

/*
 * Take about @n pages off a list, inside its section, from the cold end, the
 * list @pindex first: the ones and the order that free_pcppages_bulk() would take.
 */
static inline void pcp_detach(struct per_cpu_pages *pcp, int n, int pindex,
			      struct per_cpu_pages *chain)
{
	n = min(n, pcp->count);
	for (; n > 0; pindex = (pindex + 1) % NR_PCP_LISTS) {
		struct list_head *list = &pcp->lists[pindex];
		int nr_pages = 1 << pindex_to_order(pindex);

		for (; n > 0 && !list_empty(list); n -= nr_pages) {
			list_move(list->prev, &chain->lists[pindex]);
			pcp->count -= nr_pages;
			chain->count += nr_pages;
		}
	}
}

/* Take everything, inside the section. As long as there are lists, not pages. */
static inline void pcp_detach_all(struct per_cpu_pages *pcp,
				  struct per_cpu_pages *chain)
{
	int pindex;

	for (pindex = 0; pindex < NR_PCP_LISTS; pindex++)
		list_splice_init(&pcp->lists[pindex], &chain->lists[pindex]);
	chain->count += pcp->count;
	pcp->count = 0;
}

/* Free a chain that came off @pcp in holds that are as long as a drain's. */
static inline void pcp_drain_chain(struct zone *zone, struct per_cpu_pages *pcp,
				   struct per_cpu_pages *chain)
{
	while (chain->count)
		pcp_hold_drain(zone, pcp_drain_max(zone, pcp), chain);
}

/*
 * A long spill detaches a batch in one section, lets interrupts in, and goes on
 * as long as it is on the same list.
 */
static noinline struct per_cpu_pages *
pcp_unload_chain(struct zone *zone, struct per_cpu_pages *pcp, int n, int *left,
		 int pindex, unsigned long *flags)
{
	int batch = max(READ_ONCE(zone->pageset_batch), 1);
	struct per_cpu_pages *next = pcp;
	struct per_cpu_pages chain;
	int before;

	pcp_chain_init(&chain);
	while (next == pcp) {
		before = chain.count;
		pcp_detach(pcp, min(n - chain.count, batch), pindex, &chain);
		pcp_leave(next, flags);
		next = NULL;
		if (chain.count < n && chain.count > before)
			next = pcp_enter(zone, flags);
	}
	if (next)
		pcp_leave(next, flags);

	pcp_probe_pause();
	*left -= chain.count;
	pcp_hold_spill(zone, chain.count, &chain, pindex);
	return NULL;
}

static inline struct per_cpu_pages *pcp_unload(struct zone *zone,
					       struct per_cpu_pages *pcp,
					       int n, int *left, int pindex,
					       unsigned long *flags)
{
	return pcp_unload_chain(zone, pcp, n, left, pindex, flags);
}

/* Give blocks back that turn out not to be wanted by @pcp; in no section. */
static inline void pcp_unwanted(struct zone *zone, struct per_cpu_pages *pcp,
				struct list_head *blocks, int nr_pages,
				int pindex)
{
	struct per_cpu_pages chain;

	pcp_chain_init(&chain);
	list_splice(blocks, &chain.lists[pindex]);
	chain.count = nr_pages;
	while (chain.count)
		pcp_hold_spill(zone, pcp_drain_max(zone, pcp), &chain, pindex);
}

static inline void pcp_publish(struct per_cpu_pages *pcp, int pindex,
			       struct list_head *blocks, int nr_pages)
{
	list_splice_tail(blocks, &pcp->lists[pindex]);
	pcp->count += nr_pages;
}

/*
 * Whether the list we come back to may get the blocks is decided inside its
 * section: if zone_pcp_disable() wrote the limits before, we see them, and if it
 * did so since, its drain comes after this section. What the caller takes at
 * once is never left there, and may be published in any case.
 */
static noinline struct per_cpu_pages *
pcp_load_chain(struct zone *zone, struct per_cpu_pages *pcp, unsigned int order,
	       int n, int *got, int migratetype, unsigned int alloc_flags,
	       unsigned long *flags)
{
	unsigned int pindex = order_to_pindex(migratetype, order);
	int taken = *got;
	LIST_HEAD(blocks);
	LIST_HEAD(one);

	pcp_leave(pcp, flags);
	*got = pcp_hold_refill(zone, order, n, &blocks, migratetype,
			       alloc_flags);
	pcp_probe_pause();
	pcp = pcp_enter(zone, flags);
	if (*got <= taken || pcp_refillable(pcp)) {
		pcp_publish(pcp, pindex, &blocks, *got << order);
		return pcp;
	}

	pcp_leave(pcp, flags);
	if (taken)
		list_move(blocks.next, &one);
	pcp_unwanted(zone, pcp, &blocks, (*got - taken) << order, pindex);
	*got = taken;
	pcp = pcp_enter(zone, flags);
	pcp_publish(pcp, pindex, &one, taken << order);
	return pcp;
}

static inline struct per_cpu_pages *
pcp_load(struct zone *zone, struct per_cpu_pages *pcp, unsigned int order,
	 int n, int *got, int migratetype, unsigned int alloc_flags,
	 unsigned long *flags)
{
	return pcp_load_chain(zone, pcp, order, n, got, migratetype,
			      alloc_flags, flags);
}

static inline void pcp_decay(struct zone *zone, struct per_cpu_pages *pcp,
			     int n)
{
	struct per_cpu_pages chain;
	unsigned long flags;

	pcp_chain_init(&chain);
	pcp_enter_of(pcp, &flags);
	pcp_detach(pcp, n, 0, &chain);
	pcp_leave_of(pcp, &flags);
	if (chain.count)
		pcp_hold_decay(zone, chain.count, &chain);
}

static inline void pcp_expire(struct zone *zone, struct per_cpu_pages *pcp,
			      int n)
{
	struct per_cpu_pages chain;
	unsigned long flags;

	pcp_chain_init(&chain);
	pcp_enter_of(pcp, &flags);
	pcp_detach(pcp, n, 0, &chain);
	pcp_leave_of(pcp, &flags);
	if (chain.count)
		pcp_hold_drain(zone, chain.count, &chain);
}

static inline void pcp_drain_list(struct zone *zone, struct per_cpu_pages *pcp)
{
	struct per_cpu_pages chain;
	unsigned long flags;

	pcp_chain_init(&chain);
	pcp_enter_of(pcp, &flags);
	pcp_detach_all(pcp, &chain);
	pcp_leave_of(pcp, &flags);
	pcp_drain_chain(zone, pcp, &chain);
}

#endif /* _MM_PCP_OUTSIDE_H */
