/* SPDX-License-Identifier: GPL-2.0-only */
/* The spinlock and nothing else. Measuring aids wrap the same sections. */
#ifndef _MM_PCP_STOCK_EXCLUSION_H
#define _MM_PCP_STOCK_EXCLUSION_H

#include "spin.h"

static inline void pcp_section_init(struct per_cpu_pages *pcp)
{
	pcp_spin_section_init(pcp);
}

static inline struct per_cpu_pages *pcp_enter(struct zone *zone,
					      unsigned long *flags)
{
	return pcp_spin_enter(zone, flags);
}

static inline void pcp_leave(struct per_cpu_pages *pcp, unsigned long *flags)
{
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

#endif /* _MM_PCP_STOCK_EXCLUSION_H */
