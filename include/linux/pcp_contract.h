/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The contract between the page allocator and the designs of its per-CPU page
 * lists ("pcp"). mm/page_alloc.c includes this header once; Kconfig decides
 * which bodies it brings along:
 *
 *   PCP_EXCLUSION_H  how the owner CPU and a drain exclude each other
 *   PCP_BOUND_H      how many pages one hold of zone->lock may move
 *
 * Who owns a page:
 *
 *   on a list of zone->free_area   zone->lock
 *   on a list of a pcp             the section of that pcp (pcp_enter() up to
 *                                  the matching leave)
 *   on a chain                     whoever holds the chain: it is on its way
 *                                  between the two above, in a design that
 *                                  visits the buddy allocator outside sections
 *   on none of them                whoever allocated it, or is about to
 *                                  link it
 *
 * Inside a section lists[], count, free_count, alloc_factor, refill_rest and
 * flags of that pcp belong to the caller. Outside it nobody may write them. At
 * any time high may be written by the vmstat worker of the CPU, batch, high_min
 * and high_max by pageset_update(), and free_high_batch by whichever CPU learns
 * about caches.
 *
 * Lock order: section, then zone->lock. A section may be entered from any
 * context but NMI; on PREEMPT_RT only from preemptible task context, as
 * zone->lock sleeps there. An interrupt that arrives inside a section and frees
 * or allocates must find out that it cannot enter, and then uses the buddy
 * allocator; or the section keeps interrupts out.
 *
 * After zone_pcp_disable() no section may publish a page that it does not take
 * back before it ends. It writes the limits first, then drains; so whoever
 * published before is drained, and whoever comes after sees the limits.
 */
#ifndef _LINUX_PCP_CONTRACT_H
#define _LINUX_PCP_CONTRACT_H

#include <linux/cpumask.h>
#include <linux/mmzone.h>

/* ---- What a design's exclusion provides ---- */

/*
 * Besides these functions it defines two constants, or includes inside.h or
 * outside.h of mm/pcp, which do:
 *
 *   PCP_LEAVES_FOR_HOLD   moving pages to the buddy allocator ends the section
 *   PCP_PREPARES_OUTSIDE  new pages are prepared after the section, not in it
 */

/**
 * pcp_section_init() - prepare a list for its first section
 * @pcp: list that nobody else can see yet
 *
 * Context: Any; also early in boot, before per-CPU areas are set up.
 */
static inline void pcp_section_init(struct per_cpu_pages *pcp);

/**
 * pcp_enter() - enter the section of this CPU's list in a zone
 * @zone: zone whose list is wanted
 * @flags: state of the caller, to be handed to pcp_leave()
 *
 * Context: See above. On success the task cannot migrate until pcp_leave().
 * Return: The list, or NULL when somebody else is inside (an interrupted
 *         section of this CPU, or a drain); @flags is void then.
 */
static inline struct per_cpu_pages *pcp_enter(struct zone *zone,
					      unsigned long *flags);

/**
 * pcp_leave() - leave a section that pcp_enter() opened
 * @pcp: what pcp_enter() returned
 * @flags: what pcp_enter() filled in
 */
static inline void pcp_leave(struct per_cpu_pages *pcp, unsigned long *flags);

/**
 * pcp_unload() - move pages from a list to the buddy allocator in one hold
 * @zone: zone of the list
 * @pcp: list, in the caller's section
 * @n: pages to move, at least one
 * @left: lowered by the number of pages moved, which a large block may raise
 *        beyond @n
 * @pindex: index of the list to take from first
 * @flags: the caller's flags of pcp_enter()
 *
 * Return: @pcp, the section still open; NULL where PCP_LEAVES_FOR_HOLD.
 */
static inline struct per_cpu_pages *pcp_unload(struct zone *zone,
					       struct per_cpu_pages *pcp,
					       int n, int *left, int pindex,
					       unsigned long *flags);

/**
 * pcp_load() - move blocks from the buddy allocator to a list in one hold
 * @zone: zone of the list
 * @pcp: list, in the caller's section
 * @order: order of the blocks
 * @n: blocks wanted, at least one
 * @got: how many of them the caller takes before it leaves the section, 0 or
 *       1; set to the number of blocks put on the list
 * @migratetype: type of the blocks
 * @alloc_flags: as for __rmqueue()
 * @flags: the caller's flags of pcp_enter()
 *
 * May leave the section for the hold, and then come back in another list's. If
 * that must not get more pages it gets only what the caller takes at once.
 *
 * Return: The list whose section the caller is in now, with the blocks on its
 *         list of that order and type; none when @got is 0.
 */
static inline struct per_cpu_pages *
pcp_load(struct zone *zone, struct per_cpu_pages *pcp, unsigned int order,
	 int n, int *got, int migratetype, unsigned int alloc_flags,
	 unsigned long *flags);

/**
 * pcp_decay() - move pages of this CPU's list to the buddy allocator in one hold
 * @zone: zone of the list
 * @pcp: this CPU's list
 * @n: pages to move at most
 *
 * Context: Task context that cannot leave the CPU, in no section.
 */
static inline void pcp_decay(struct zone *zone, struct per_cpu_pages *pcp,
			     int n);

/**
 * pcp_expire() - like pcp_decay(), of a list that has been idle for long
 * @zone: zone of the list
 * @pcp: this CPU's list
 * @n: pages to move at most
 */
static inline void pcp_expire(struct zone *zone, struct per_cpu_pages *pcp,
			      int n);

/**
 * pcp_drain_list() - empty a list from the calling CPU
 * @zone: zone of the list
 * @pcp: this CPU's list, or that of a CPU that is offline
 *
 * Context: Task context, also with preemption off (a drain under a local
 *          lock) or interrupts off (hibernation, one CPU). Waits for the
 *          section, sleeping only on PREEMPT_RT.
 */
static inline void pcp_drain_list(struct zone *zone, struct per_cpu_pages *pcp);

/**
 * pcp_drain_cpus() - empty the lists of several CPUs
 * @cpus: CPUs whose lists held pages, or all when the caller needs the
 *        guarantee; may name some that are offline, whose lists then are empty
 *        or about to be emptied by page_alloc_cpu_dead()
 * @zone: only this zone's lists, or NULL for every populated zone's
 *
 * The list of each CPU that stays online was empty at some moment between call
 * and return, and whoever was inside its section when the call began has left
 * it. Must neither allocate nor take the CPU hotplug lock: reclaim and hotplug
 * callbacks call it.
 *
 * Context: Task context under pcpu_drain_mutex; may sleep.
 */
static inline void pcp_drain_cpus(const struct cpumask *cpus,
				  struct zone *zone);

/* ---- What a design's bound provides ---- */

/* And one constant, PCP_LETS_GO: a spill or refill may leave the section. */

/**
 * pcp_spill() - move pages from a list to the buddy allocator
 * @zone: zone of the list
 * @pcp: list, in the caller's section
 * @count: pages to move
 * @pindex: index of the list to take from first
 * @flags: the caller's flags of pcp_enter()
 *
 * May let go of the section and enter another one in between; what the caller
 * derived from @pcp is void then. The section that it returns is one that the
 * caller has to leave, with @flags.
 *
 * Return: The list whose section the caller is in now, not necessarily
 *         @pcp; NULL when it is in none. For pcp_goes_on() only.
 */
static inline struct per_cpu_pages *pcp_spill(struct zone *zone,
					      struct per_cpu_pages *pcp,
					      int count, int pindex,
					      unsigned long *flags);

/**
 * pcp_refill() - fill a list from the buddy allocator
 * @zone: zone of the list
 * @pcp: list, in the caller's section
 * @order: order of the blocks
 * @want: blocks wanted
 * @migratetype: type of the blocks
 * @alloc_flags: as for __rmqueue()
 * @flags: the caller's flags of pcp_enter()
 *
 * May take fewer than there are, at least one; the caller takes a block at
 * once, and calls pcp_refill_rest() before it leaves the section.
 *
 * Return: As pcp_load().
 */
static inline struct per_cpu_pages *
pcp_refill(struct zone *zone, struct per_cpu_pages *pcp, unsigned int order,
	   int want, int migratetype, unsigned int alloc_flags,
	   unsigned long *flags);

/**
 * pcp_refill_rest() - take the rest of a refill, after the caller got its page
 * @zone: zone of the list
 * @pcp: list, in the caller's section
 * @order: order of the blocks
 * @migratetype: type of the blocks
 * @alloc_flags: as for __rmqueue()
 * @flags: the caller's flags of pcp_enter()
 *
 * Return: As pcp_spill().
 */
static inline struct per_cpu_pages *
pcp_refill_rest(struct zone *zone, struct per_cpu_pages *pcp,
		unsigned int order, int migratetype,
		unsigned int alloc_flags, unsigned long *flags);

/**
 * pcp_drain_max() - how many pages a drain may free in one hold
 * @zone: zone of the list
 * @pcp: list
 *
 * Return: Number of pages, at least one.
 */
static inline int pcp_drain_max(struct zone *zone, struct per_cpu_pages *pcp);

/* ---- What mm/page_alloc.c provides to the designs ---- */

/* Index in lists[] of a migrate type and order, and back; need nothing. */
static inline unsigned int order_to_pindex(int migratetype, int order);
static inline int pindex_to_order(unsigned int pindex);

/* Caller is in the section of @pcp, or it is a chain, and holds zone->lock. */
static void free_pcppages_bulk(struct zone *zone, int count,
			       struct per_cpu_pages *pcp, int pindex);

/* Caller holds zone->lock and owns @list; returns the number of blocks. */
static int rmqueue_bulk(struct zone *zone, unsigned int order,
			unsigned long count, struct list_head *list,
			int migratetype, unsigned int alloc_flags);

/* Empties one list, or one CPU's, as pcp_drain_list() does. */
static void drain_pages_zone(unsigned int cpu, struct zone *zone);
static void drain_pages(unsigned int cpu);

/* ---- The holds of zone->lock, and the chosen bodies ---- */

#include "hold.h"
#include PCP_EXCLUSION_H
#include PCP_BOUND_H

/**
 * pcp_goes_on() - take over what a spill or refill returned
 * @pcp: list whose section the caller was in; set to the one it is in now, or
 *       NULL
 * @next: what pcp_spill() or pcp_refill_rest() returned
 *
 * Where nothing ever leaves the section this is a constant and @next is not
 * looked at, so that neither the value nor the test costs an instruction.
 *
 * Return: Is the caller still in a section?
 */
static inline bool pcp_goes_on(struct per_cpu_pages **pcp,
			       struct per_cpu_pages *next)
{
	if (!PCP_LETS_GO && !PCP_LEAVES_FOR_HOLD)
		return true;
	*pcp = next;
	return next;
}

/**
 * pcp_here() - which list's section is the caller in, after a pcp_refill()?
 * @zone: zone of the list
 * @pcp: list whose section it was in before
 *
 * Only known where it can have changed at all; a constant elsewhere.
 */
static inline struct per_cpu_pages *pcp_here(struct zone *zone,
					     struct per_cpu_pages *pcp)
{
	if (!PCP_LEAVES_FOR_HOLD)
		return pcp;
	return this_cpu_ptr(zone->per_cpu_pageset);
}

#endif /* _LINUX_PCP_CONTRACT_H */
