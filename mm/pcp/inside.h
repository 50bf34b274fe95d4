/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The middle of the contract for designs that visit the buddy allocator inside
 * their section: zone->lock nests in it. A drain thus waits for a spill or
 * refill under way, and no page is ever on its way between the two.
 *
 * Included by the design's exclusion.h after it defined, besides the sections of
 * the contract, those of a list that the caller must not merely try:
 *
 *   pcp_enter_of(pcp, flags)   wait for the section; context as pcp_drain_list()
 *   pcp_leave_of(pcp, flags)   leave it
 */
#ifndef _MM_PCP_INSIDE_H
#define _MM_PCP_INSIDE_H

#define PCP_LEAVES_FOR_HOLD	0
#define PCP_PREPARES_OUTSIDE	0

static inline struct per_cpu_pages *pcp_unload(struct zone *zone,
					       struct per_cpu_pages *pcp,
					       int n, int *left, int pindex,
					       unsigned long *flags)
{
	int before = pcp->count;

	pcp_hold_spill(zone, n, pcp, pindex);
	*left -= before - pcp->count;
	return pcp;
}

static __always_inline struct per_cpu_pages *
pcp_load(struct zone *zone, struct per_cpu_pages *pcp, unsigned int order,
	 int n, int *got, int migratetype, unsigned int alloc_flags,
	 unsigned long *flags)
{
	unsigned int pindex = order_to_pindex(migratetype, order);

	*got = pcp_hold_refill(zone, order, n, &pcp->lists[pindex], migratetype,
			       alloc_flags);
	pcp->count += *got << order;
	return pcp;
}

static inline void pcp_decay(struct zone *zone, struct per_cpu_pages *pcp,
			     int n)
{
	unsigned long flags;

	pcp_enter_of(pcp, &flags);
	pcp_hold_decay(zone, n, pcp);
	pcp_leave_of(pcp, &flags);
}

static inline void pcp_expire(struct zone *zone, struct per_cpu_pages *pcp,
			      int n)
{
	unsigned long flags;

	pcp_enter_of(pcp, &flags);
	pcp_hold_drain(zone, n, pcp);
	pcp_leave_of(pcp, &flags);
}

static inline void pcp_drain_list(struct zone *zone, struct per_cpu_pages *pcp)
{
	unsigned long flags;
	int count;

	do {
		pcp_enter_of(pcp, &flags);
		count = pcp->count;
		if (count) {
			int to_drain = min(count, pcp_drain_max(zone, pcp));

			pcp_hold_drain(zone, to_drain, pcp);
			count -= to_drain;
		}
		pcp_leave_of(pcp, &flags);
	} while (count);
}

#endif /* _MM_PCP_INSIDE_H */
