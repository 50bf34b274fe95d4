/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Every hold of zone->lock on behalf of a per-CPU list, one function for each
 * reason. Each leaves a symbol inside its hold, so that an instrument outside
 * the machine can tell from the addresses executed in an interrupts-off section
 * what the section was for (not on PREEMPT_RT, where these holds leave
 * interrupts on). A function's own name would not do: the compiler merges equal
 * ones, and inlines them.
 *
 * The symbol gets a number of its own in each copy and costs no instruction. Its
 * dollar keeps it out of kallsyms, where it would split the function in two.
 *
 * Each must be called inside the section of @pcp, or with a chain of the
 * caller's, and likewise the refill with a @list. None may sleep except on
 * PREEMPT_RT, where zone->lock does.
 */
#ifndef _MM_PCP_HOLD_H
#define _MM_PCP_HOLD_H

/* What a test sees of a hold; nothing, and no instruction, by default. */
#ifdef PCP_PROBE_H
#include PCP_PROBE_H
#else
enum { PCP_PROBE_SPILL, PCP_PROBE_REFILL, PCP_PROBE_DECAY, PCP_PROBE_DRAIN };

static inline bool pcp_probe_off(void)
{
	return false;
}

static inline void pcp_probe_hold(int kind, int pages, bool off)
{
}

static inline void pcp_probe_pause(void)
{
}
#endif

static noinline void pcp_hold_spill(struct zone *zone, int count,
				    struct per_cpu_pages *pcp, int pindex)
{
	bool off = pcp_probe_off();
	int before = pcp->count;
	unsigned long flags;

	spin_lock_irqsave(&zone->lock, flags);
	asm volatile("\"$pcp_at_spill_%=\":" : : );
	free_pcppages_bulk(zone, count, pcp, pindex);
	pcp_probe_hold(PCP_PROBE_SPILL, before - pcp->count, off);
	spin_unlock_irqrestore(&zone->lock, flags);
}

static noinline void pcp_hold_decay(struct zone *zone, int count,
				    struct per_cpu_pages *pcp)
{
	bool off = pcp_probe_off();
	int before = pcp->count;
	unsigned long flags;

	spin_lock_irqsave(&zone->lock, flags);
	asm volatile("\"$pcp_at_decay_%=\":" : : );
	free_pcppages_bulk(zone, count, pcp, 0);
	pcp_probe_hold(PCP_PROBE_DECAY, before - pcp->count, off);
	spin_unlock_irqrestore(&zone->lock, flags);
}

static noinline void pcp_hold_drain(struct zone *zone, int count,
				    struct per_cpu_pages *pcp)
{
	bool off = pcp_probe_off();
	int before = pcp->count;
	unsigned long flags;

	spin_lock_irqsave(&zone->lock, flags);
	asm volatile("\"$pcp_at_drain_%=\":" : : );
	free_pcppages_bulk(zone, count, pcp, 0);
	pcp_probe_hold(PCP_PROBE_DRAIN, before - pcp->count, off);
	spin_unlock_irqrestore(&zone->lock, flags);
}

/* Inlined as it was before it had a name, or the allocation path gets shorter. */
static __always_inline int pcp_hold_refill(struct zone *zone,
					   unsigned int order, int count,
					   struct list_head *list,
					   int migratetype,
					   unsigned int alloc_flags)
{
	bool off = pcp_probe_off();
	unsigned long flags;
	int n;

	spin_lock_irqsave(&zone->lock, flags);
	asm volatile("\"$pcp_at_refill_%=\":" : : );
	n = rmqueue_bulk(zone, order, count, list, migratetype, alloc_flags);
	pcp_probe_hold(PCP_PROBE_REFILL, n << order, off);
	spin_unlock_irqrestore(&zone->lock, flags);

	return n;
}

/*
 * May a list get more pages from the buddy allocator? Asked again, inside a
 * section, by whoever decided to refill before it entered: zone_pcp_disable()
 * writes the limits, then drains, and a page published after that would stay.
 * Its drain enters the section, so whoever enters later sees the new limits.
 */
static inline bool pcp_refillable(struct per_cpu_pages *pcp)
{
	int high = clamp(pcp->high, READ_ONCE(pcp->high_min),
			 READ_ONCE(pcp->high_max));

	return high >= READ_ONCE(pcp->batch) && pcp->count < high;
}

#endif /* _MM_PCP_HOLD_H */
