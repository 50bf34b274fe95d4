/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whole holds, as in the kernel since 2023 (Huang Ying's auto-tuning): one
 * hold of zone->lock moves all that a spill or refill wants.
 */
#ifndef _MM_PCP_STOCK_BOUND_H
#define _MM_PCP_STOCK_BOUND_H

#define PCP_LETS_GO	0

static inline struct per_cpu_pages *pcp_spill(struct zone *zone,
					      struct per_cpu_pages *pcp,
					      int count, int pindex,
					      unsigned long *flags)
{
	return pcp_unload(zone, pcp, count, &count, pindex, flags);
}

static __always_inline struct per_cpu_pages *
pcp_refill(struct zone *zone, struct per_cpu_pages *pcp, unsigned int order,
	   int want, int migratetype, unsigned int alloc_flags,
	   unsigned long *flags)
{
	int got = 1;

	return pcp_load(zone, pcp, order, want, &got, migratetype, alloc_flags,
			flags);
}

static inline struct per_cpu_pages *
pcp_refill_rest(struct zone *zone, struct per_cpu_pages *pcp,
		unsigned int order, int migratetype,
		unsigned int alloc_flags, unsigned long *flags)
{
	return pcp;
}

static inline int pcp_drain_max(struct zone *zone, struct per_cpu_pages *pcp)
{
	return pcp->batch << CONFIG_PCP_BATCH_SCALE_MAX;
}

#endif /* _MM_PCP_STOCK_BOUND_H */
