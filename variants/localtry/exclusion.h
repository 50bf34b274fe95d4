/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Exclusion by a flag of the owner CPU: proposed by V. Babka on linux-mm,
 * 1 October 2025.
 *
 * Only the CPU itself touches its lists, so the owner's lock need be neither
 * atomic nor out of line. A nested interrupt finds it taken and goes to the
 * buddy allocator. A drain has to run where the lists are: it is work queued on
 * that CPU, and flushed by the requester (work.c). Without PREEMPT_RT a work
 * item cannot run while a section is open there, so it always gets the lock;
 * with it, it waits for the preempted owner.
 */
#ifndef _MM_PCP_LOCALTRY_EXCLUSION_H
#define _MM_PCP_LOCALTRY_EXCLUSION_H

#include <linux/local_trylock.h>

#include "work.h"

static inline void pcp_section_init(struct per_cpu_pages *pcp)
{
	local_trylock_init(&pcp->trylock);
}

static inline struct per_cpu_pages *pcp_enter(struct zone *zone,
					      unsigned long *flags)
{
	struct per_cpu_pages *pcp;

	local_trylock_pin();
	pcp = this_cpu_ptr(zone->per_cpu_pageset);
	if (likely(local_trylock_try(&pcp->trylock)))
		return pcp;
	local_trylock_unpin();
	return NULL;
}

static inline void pcp_leave(struct per_cpu_pages *pcp, unsigned long *flags)
{
	local_trylock_unlock(&pcp->trylock);
	local_trylock_unpin();
}

static inline void pcp_enter_of(struct per_cpu_pages *pcp,
				unsigned long *flags)
{
	local_trylock_pin();
	local_trylock_wait(&pcp->trylock);
}

static inline void pcp_leave_of(struct per_cpu_pages *pcp,
				unsigned long *flags)
{
	local_trylock_unlock(&pcp->trylock);
	local_trylock_unpin();
}

/* Runs on @cpu, in a work item or on behalf of its own task. */
static inline void pcp_drain_here(unsigned int cpu, struct zone *zone)
{
	if (zone)
		drain_pages_zone(cpu, zone);
	else
		drain_pages(cpu);
}

static void pcp_drain_work(struct work_struct *work)
{
	struct pcp_drain *drain = container_of(work, struct pcp_drain, work);

	/*
	 * After its CPU went offline a work item runs anywhere. Those lists are
	 * page_alloc_cpu_dead()'s then, and this CPU's are nobody's business.
	 */
	migrate_disable();
	drain->arrived = smp_processor_id() == drain->cpu;
	if (drain->arrived)
		pcp_drain_here(drain->cpu, drain->zone);
	migrate_enable();
}

/*
 * On its way up or down a CPU is online without workers of its own. Who needs
 * the guarantee names a zone, and waits until it has some or is offline. Others
 * must not: they may be what brings it up.
 */
static inline void pcp_finish_drain(unsigned int cpu, struct zone *zone)
{
	while (!pcp_flush_drain(cpu) && zone && cpu_online(cpu)) {
		schedule_timeout_uninterruptible(1);
		pcp_queue_drain(cpu, zone, pcp_drain_work);
	}
}

/*
 * The requester's own lists need no work, and early in boot there is no queue
 * and no other CPU. Whoever flushes may sit in reclaim: the queue has a rescuer.
 * A CPU that goes offline here needs no hotplug lock to be held off: see above.
 */
static inline void pcp_drain_cpus(const struct cpumask *cpus,
				  struct zone *zone)
{
	static struct cpumask queued;	/* pcpu_drain_mutex */
	unsigned int here, cpu;

	migrate_disable();
	here = smp_processor_id();
	if (cpumask_test_cpu(here, cpus))
		pcp_drain_here(here, zone);
	migrate_enable();

	cpumask_and(&queued, cpus, cpu_online_mask);
	cpumask_clear_cpu(here, &queued);
	for_each_cpu(cpu, &queued)
		pcp_queue_drain(cpu, zone, pcp_drain_work);
	for_each_cpu(cpu, &queued)
		pcp_finish_drain(cpu, zone);
}

#include "../inside.h"

#endif /* _MM_PCP_LOCALTRY_EXCLUSION_H */
