/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Exclusion by interrupts off: proposed by C. Lameter on linux-mm, 26 September
 * 2025, and the kernel's own way until 2017.
 *
 * Nobody but the owner ever touches the lists, so there is no lock word: a
 * section has interrupts off, and nothing can arrive inside it. All that runs
 * inside is interrupts-off time, so the buddy allocator is visited outside
 * (outside.h). A drain is an inter-processor interrupt, which by its nature
 * finds no section open.
 *
 *   handover     the handler moves the lists to a chain, in constant time, and
 *                the requester frees the pages
 *   in-handler   the handler frees them, the classic way; it takes zone->lock in
 *                hard interrupt context, which PROVE_RAW_LOCK_NESTING reports
 */
#ifndef _MM_PCP_IPI_EXCLUSION_H
#define _MM_PCP_IPI_EXCLUSION_H

#include <linux/irqflags.h>
#include <linux/smp.h>

static inline void pcp_section_init(struct per_cpu_pages *pcp)
{
}

static inline struct per_cpu_pages *pcp_enter(struct zone *zone,
					      unsigned long *flags)
{
	local_irq_save(*flags);
	return this_cpu_ptr(zone->per_cpu_pageset);
}

static inline void pcp_leave(struct per_cpu_pages *pcp, unsigned long *flags)
{
	local_irq_restore(*flags);
}

static inline void pcp_enter_of(struct per_cpu_pages *pcp,
				unsigned long *flags)
{
	local_irq_save(*flags);
}

static inline void pcp_leave_of(struct per_cpu_pages *pcp,
				unsigned long *flags)
{
	local_irq_restore(*flags);
}

#include "../outside.h"

/* The lists that a CPU gave up. The handler's, then the requester's that waits. */
static DEFINE_PER_CPU(struct per_cpu_pages, pcp_handed);

struct pcp_ipi {
	struct zone *zone;
	bool all;		/* not only those whose count says so */
};

static bool pcp_ipi_wanted(int cpu, void *info)
{
	struct pcp_ipi *ipi = info;

	return ipi->all ||
	       READ_ONCE(per_cpu_ptr(ipi->zone->per_cpu_pageset, cpu)->count);
}

static void pcp_ipi_handler(void *info)
{
	struct zone *zone = ((struct pcp_ipi *)info)->zone;
	struct per_cpu_pages *pcp = this_cpu_ptr(zone->per_cpu_pageset);
	struct per_cpu_pages *handed = this_cpu_ptr(&pcp_handed);

	pcp_chain_init(handed);
	pcp_detach_all(pcp, handed);
	if (IS_ENABLED(CONFIG_PCP_IPI_INHANDLER))
		pcp_drain_chain(zone, pcp, handed);
}

/*
 * An offline CPU gets no interrupt, and its chain is still empty. One that goes
 * offline either answers first or leaves its lists to page_alloc_cpu_dead().
 */
static void pcp_ipi_drain(const struct cpumask *cpus, struct zone *zone,
			  bool all)
{
	struct pcp_ipi ipi = { .zone = zone, .all = all };
	int cpu;

	on_each_cpu_cond_mask(pcp_ipi_wanted, pcp_ipi_handler, &ipi, true,
			      cpus);
	for_each_cpu(cpu, cpus)
		pcp_drain_chain(zone,
				per_cpu_ptr(zone->per_cpu_pageset, cpu),
				per_cpu_ptr(&pcp_handed, cpu));
}

/* A caller that needs the guarantee names its zone. */
static inline void pcp_drain_cpus(const struct cpumask *cpus,
				  struct zone *zone)
{
	if (zone) {
		pcp_ipi_drain(cpus, zone, true);
		return;
	}
	for_each_populated_zone(zone)
		pcp_ipi_drain(cpus, zone, false);
}

#endif /* _MM_PCP_IPI_EXCLUSION_H */
