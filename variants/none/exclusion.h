/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * No exclusion at all, as the floor for every design's path length; ours.
 *
 * It is left out only while the benchmark holds interrupts off on the one CPU
 * that there is: then nothing else can run, and nothing needs to be kept out.
 * At all other times this is stock, since softirqs and preemption nest on one
 * CPU just as well. What asking costs, two instructions to enter and two to
 * leave, is in the floor.
 */
#ifndef _MM_PCP_NONE_EXCLUSION_H
#define _MM_PCP_NONE_EXCLUSION_H

#include "../stock/spin.h"
#include "floor.h"

static inline void pcp_section_init(struct per_cpu_pages *pcp)
{
	pcp_spin_section_init(pcp);
}

static inline struct per_cpu_pages *pcp_enter(struct zone *zone,
					      unsigned long *flags)
{
	if (likely(pcp_unguarded))
		return this_cpu_ptr(zone->per_cpu_pageset);
	return pcp_spin_enter(zone, flags);
}

static inline void pcp_leave(struct per_cpu_pages *pcp, unsigned long *flags)
{
	if (unlikely(!pcp_unguarded))
		pcp_spin_leave(pcp, flags);
}

static inline void pcp_enter_of(struct per_cpu_pages *pcp,
				unsigned long *flags)
{
	pcp_spin_enter_of(pcp, flags);
}

static inline void pcp_leave_of(struct per_cpu_pages *pcp,
				unsigned long *flags)
{
	pcp_spin_leave_of(pcp, flags);
}

static inline void pcp_drain_cpus(const struct cpumask *cpus,
				  struct zone *zone)
{
	pcp_spin_drain_cpus(cpus, zone);
}

#include "../inside.h"

#endif /* _MM_PCP_NONE_EXCLUSION_H */
