/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sections under a spinlock: merged in 2022 (M. Gorman, N. Saenz Julienne).
 *
 * The owner tries the lock, a drain waits for it. A nested interrupt fails to
 * take it and goes to the buddy allocator. Where a trylock cannot fail, with
 * one CPU and no PREEMPT_RT, the section has interrupts off instead, and so
 * has whoever waits for it.
 */
#ifndef _MM_PCP_STOCK_SPIN_H
#define _MM_PCP_STOCK_SPIN_H

#include <linux/preempt.h>
#include <linux/spinlock.h>

/* Does spin_trylock() fail when an interrupted holder has the lock? */
#define PCP_TRYLOCK_EXCLUDES \
	(IS_ENABLED(CONFIG_SMP) || IS_ENABLED(CONFIG_PREEMPT_RT))

/*
 * Finding this CPU's list and locking it must happen on one CPU. On PREEMPT_RT
 * zone->lock sleeps inside the section, and a more urgent task must be able to
 * preempt it, so only migration is off.
 */
static inline void pcp_stay(void)
{
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		migrate_disable();
	else
		preempt_disable();
}

static inline void pcp_roam(void)
{
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		migrate_enable();
	else
		preempt_enable();
}

static inline void pcp_spin_section_init(struct per_cpu_pages *pcp)
{
	spin_lock_init(&pcp->lock);
}

static inline struct per_cpu_pages *pcp_spin_enter(struct zone *zone,
						   unsigned long *flags)
{
	struct per_cpu_pages *pcp;

	if (!PCP_TRYLOCK_EXCLUDES)
		local_irq_save(*flags);

	pcp_stay();
	pcp = this_cpu_ptr(zone->per_cpu_pageset);
	if (likely(spin_trylock(&pcp->lock)))
		return pcp;
	pcp_roam();

	if (!PCP_TRYLOCK_EXCLUDES)
		local_irq_restore(*flags);
	return NULL;
}

static inline void pcp_spin_leave(struct per_cpu_pages *pcp,
				  unsigned long *flags)
{
	spin_unlock(&pcp->lock);
	pcp_roam();

	if (!PCP_TRYLOCK_EXCLUDES)
		local_irq_restore(*flags);
}

static inline void pcp_spin_enter_of(struct per_cpu_pages *pcp,
				     unsigned long *flags)
{
	if (PCP_TRYLOCK_EXCLUDES)
		spin_lock(&pcp->lock);
	else
		spin_lock_irqsave(&pcp->lock, *flags);
}

static inline void pcp_spin_leave_of(struct per_cpu_pages *pcp,
				     unsigned long *flags)
{
	if (PCP_TRYLOCK_EXCLUDES)
		spin_unlock(&pcp->lock);
	else
		spin_unlock_irqrestore(&pcp->lock, *flags);
}

/* A drain works on other CPUs' lists from where it is. */
static inline void pcp_spin_drain_cpus(const struct cpumask *cpus,
				       struct zone *zone)
{
	int cpu;

	for_each_cpu(cpu, cpus) {
		if (zone)
			drain_pages_zone(cpu, zone);
		else
			drain_pages(cpu);
	}
}

#endif /* _MM_PCP_STOCK_SPIN_H */
