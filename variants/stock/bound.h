/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whole holds, as in the kernel since 2023 (Huang Ying's auto-tuning): one
 * hold of zone->lock moves all that a spill or refill wants. Nothing ever lets
 * go, so every question about it is a constant.
 */
#ifndef _MM_PCP_STOCK_BOUND_H
#define _MM_PCP_STOCK_BOUND_H

static inline struct per_cpu_pages *pcp_spill(struct zone *zone,
					      struct per_cpu_pages *pcp,
					      int count, int pindex,
					      unsigned long *flags)
{
	pcp_hold_spill(zone, count, pcp, pindex);
	return pcp;
}

static inline bool pcp_goes_on(struct per_cpu_pages **pcp,
			       struct per_cpu_pages *next)
{
	return true;
}

static __always_inline int pcp_refill(struct zone *zone,
				      struct per_cpu_pages *pcp,
				      unsigned int order, int want,
				      struct list_head *list, int migratetype,
				      unsigned int alloc_flags)
{
	return pcp_hold_refill(zone, order, want, list, migratetype,
			       alloc_flags);
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
