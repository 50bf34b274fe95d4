/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Every hold of zone->lock on behalf of a per-CPU list, one function for each
 * reason. They are never inlined, and interrupts go off and on in their own
 * bodies: an instrument outside the machine tells from the addresses executed
 * in an interrupts-off section what the section was for.
 *
 * Each must be called inside the section of @pcp, or, for the refill, with
 * @list private to the caller or inside its section. None may sleep except on
 * PREEMPT_RT, where zone->lock does.
 */
#ifndef _MM_PCP_HOLD_H
#define _MM_PCP_HOLD_H

static noinline void pcp_hold_spill(struct zone *zone, int count,
				    struct per_cpu_pages *pcp, int pindex)
{
	unsigned long flags;

	spin_lock_irqsave(&zone->lock, flags);
	free_pcppages_bulk(zone, count, pcp, pindex);
	spin_unlock_irqrestore(&zone->lock, flags);
}

static noinline void pcp_hold_decay(struct zone *zone, int count,
				    struct per_cpu_pages *pcp)
{
	unsigned long flags;

	spin_lock_irqsave(&zone->lock, flags);
	free_pcppages_bulk(zone, count, pcp, 0);
	spin_unlock_irqrestore(&zone->lock, flags);
}

static noinline void pcp_hold_drain(struct zone *zone, int count,
				    struct per_cpu_pages *pcp)
{
	unsigned long flags;

	spin_lock_irqsave(&zone->lock, flags);
	free_pcppages_bulk(zone, count, pcp, 0);
	spin_unlock_irqrestore(&zone->lock, flags);
}

static noinline int pcp_hold_refill(struct zone *zone, unsigned int order,
				    int count, struct list_head *list,
				    int migratetype, unsigned int alloc_flags)
{
	unsigned long flags;
	int n;

	spin_lock_irqsave(&zone->lock, flags);
	n = rmqueue_bulk(zone, order, count, list, migratetype, alloc_flags);
	spin_unlock_irqrestore(&zone->lock, flags);

	return n;
}

#endif /* _MM_PCP_HOLD_H */
