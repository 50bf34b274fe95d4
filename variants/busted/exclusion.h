/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Broken on purpose, to test the tests; ours, after the example of rcutorture.
 *
 * The sections are stock's. Once in a while, as often as the command line says,
 * one of them ends wrongly: a page of the list is forgotten, or one that was
 * just handed out is put back and will be handed out again.
 */
#ifndef _MM_PCP_BUSTED_EXCLUSION_H
#define _MM_PCP_BUSTED_EXCLUSION_H

#include "../stock/spin.h"
#include "busted.h"

static inline void pcp_section_init(struct per_cpu_pages *pcp)
{
	pcp_spin_section_init(pcp);
}

static inline struct per_cpu_pages *pcp_enter(struct zone *zone,
					      unsigned long *flags)
{
	struct per_cpu_pages *pcp = pcp_spin_enter(zone, flags);

	if (pcp)
		pcp_busted_look(pcp);
	return pcp;
}

static inline void pcp_leave(struct per_cpu_pages *pcp, unsigned long *flags)
{
	pcp_busted_lose(pcp);
	pcp_busted_double(pcp);
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

#endif /* _MM_PCP_BUSTED_EXCLUSION_H */
