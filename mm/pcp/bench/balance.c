// SPDX-License-Identifier: GPL-2.0-only
/*
 * Looks for pages that nobody has. A page on a per-CPU list has no reference and
 * is not in the buddy allocator; once the lists are empty, neither is any page
 * that should be there.
 */
#include <linux/gfp.h>
#include <linux/memory_hotplug.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/sched.h>
#include <linux/swap.h>
#include <linux/vmstat.h>

#include "../../internal.h"
#include "counts.h"

struct pcp_balance {
	unsigned long managed, free, buddy, lists, idle;
};

/* How many pages from @page on are of one kind, and counted by this. */
static unsigned long pcp_balance_page(struct pcp_balance *b, struct page *page)
{
	if (PageBuddy(page)) {
		unsigned int order = buddy_order_unsafe(page);

		/* It may have changed hands while we looked. */
		if (order > MAX_PAGE_ORDER)
			return 1;
		b->buddy += 1UL << order;
		return 1UL << order;
	}
	if (!PageReserved(page) && !PageTail(page) && !PageOffline(page) &&
	    !page_ref_count(page))
		b->idle++;
	return 1;
}

static void pcp_balance_zone(struct pcp_balance *b, struct zone *zone)
{
	unsigned long pfn = zone->zone_start_pfn, n;
	int cpu;

	for (; pfn < zone_end_pfn(zone); pfn += n) {
		struct page *page = pfn_to_online_page(pfn);

		n = 1;
		if (page && page_zone(page) == zone)
			n = pcp_balance_page(b, page);
		if (!(pfn % 1024))
			cond_resched();
	}
	for_each_possible_cpu(cpu)
		b->lists += READ_ONCE(per_cpu_ptr(zone->per_cpu_pageset, cpu)->count);
	b->managed += zone_managed_pages(zone);
	b->free += zone_page_state_snapshot(zone, NR_FREE_PAGES);
}

/* A stack is one block that is not compound: all of it but the first page looks idle. */
static unsigned long pcp_balance_stacks(void)
{
	unsigned long kb = global_node_page_state(NR_KERNEL_STACK_KB);
	unsigned int pages = THREAD_SIZE / PAGE_SIZE;

	if (IS_ENABLED(CONFIG_VMAP_STACK))
		return 0;
	return kb / (THREAD_SIZE / 1024) * (pages - 1);
}

int pcp_counts_balance(char *result, size_t size)
{
	struct pcp_balance b = { 0 };
	struct zone *zone;

	lru_add_drain_all();
	drain_all_pages(NULL);
	get_online_mems();
	for_each_populated_zone(zone)
		pcp_balance_zone(&b, zone);
	put_online_mems();

	scnprintf(result, size,
		  "{\"managed\":%lu,\"free\":%lu,\"buddy\":%lu,\"lists\":%ld,\"lost\":%ld}",
		  b.managed, b.free, b.buddy, (long)b.lists,
		  (long)(b.idle - b.lists - pcp_balance_stacks()));
	return 0;
}
