// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whole page blocks whose pages lie on lists while the block's type changes.
 *
 * An isolated block also is what makes a drain's effect visible while others
 * allocate: its pages go where nobody takes them from, and freed ones do not
 * come back to a list. So those on a list after a drain were there all the time.
 */
#include <linux/delay.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/page-isolation.h>
#include <linux/sched.h>

#include "../../internal.h"
#include "test.h"

static bool pcp_page_in_buddy(struct page *page)
{
	unsigned long pfn = page_to_pfn(page);
	unsigned int order;

	for (order = 0; order <= MAX_PAGE_ORDER; order++) {
		struct page *head = pfn_to_page(round_down(pfn, 1UL << order));

		if (PageBuddy(head) && buddy_order_unsafe(head) >= order)
			return true;
	}
	return false;
}

/**
 * pcp_page_listed() - is a page free, but not in the buddy allocator?
 * @page: page
 *
 * Context: Exact while nobody else is inside the allocator.
 * Return: True when a list must have it.
 */
bool pcp_page_listed(struct page *page)
{
	return !page_count(compound_head(page)) && !pcp_page_in_buddy(page);
}

/**
 * pcp_block_listed() - how many pages of a block lie on lists?
 * @block: its first page
 *
 * Context: As pcp_page_listed().
 * Return: Number of pages.
 */
unsigned long pcp_block_listed(struct page *block)
{
	unsigned long i, n = 0;

	for (i = 0; i < pageblock_nr_pages; i++)
		n += pcp_page_listed(block + i);
	return n;
}

/**
 * pcp_block_stays() - do pages of a block stay on lists?
 * @block: its first page, of an isolated block
 *
 * Somebody may be moving one just now, hence several looks.
 *
 * Context: The crew rests.
 * Return: Number of pages that do.
 */
unsigned long pcp_block_stays(struct page *block)
{
	unsigned long n = pcp_block_listed(block);
	int looks;

	for (looks = 0; looks < 20 && n; looks++) {
		usleep_range(50, 100);
		n = pcp_block_listed(block);
	}
	return n;
}

/**
 * pcp_block_free() - free all pages of a new block, one by one, on this CPU
 *
 * And of the block behind it before, so that nobody else isolates that one: two
 * isolated blocks side by side may merge, and whoever is just isolating one of
 * them warns of a free block that goes beyond it.
 *
 * Context: Task that stays on its CPU.
 * Return: The block's first page, or NULL when there is no whole block.
 */
struct page *pcp_block_free(void)
{
	struct page *block = alloc_pages(PCP_TASK_GFP | __GFP_MOVABLE,
					 MAX_PAGE_ORDER);
	unsigned long i;

	if (!block)
		return NULL;
	split_page(block, MAX_PAGE_ORDER);
	for (i = MAX_ORDER_NR_PAGES; i-- > 0;)
		__free_page(block + i);
	return block;
}

/**
 * pcp_block_isolate() - isolate a block
 * @block: its first page
 * @type: its migrate type
 *
 * Return: 0, or -EBUSY when somebody has a page of it.
 */
int pcp_block_isolate(struct page *block, int type)
{
	unsigned long pfn = page_to_pfn(block);

	return start_isolate_page_range(pfn, pfn + pageblock_nr_pages, type, 0,
					PCP_TASK_GFP);
}

/**
 * pcp_block_unisolate() - the reverse, perhaps with another type
 * @block: its first page
 * @type: migrate type that it is to have
 */
void pcp_block_unisolate(struct page *block, int type)
{
	unsigned long pfn = page_to_pfn(block);

	undo_isolate_page_range(pfn, pfn + pageblock_nr_pages, type);
}

/**
 * pcp_need_isolation() - skip the case where blocks cannot be isolated
 * @test: test case
 */
void pcp_need_isolation(struct kunit *test)
{
	if (!IS_ENABLED(CONFIG_MEMORY_ISOLATION))
		kunit_skip(test, "needs CONFIG_MEMORY_ISOLATION");
}

/**
 * pcp_go_to() - have the calling thread stay on one CPU
 * @cpu: its number
 */
void pcp_go_to(int cpu)
{
	set_cpus_allowed_ptr(current, cpumask_of(cpu));
}

/**
 * pcp_go_anywhere() - the reverse
 */
void pcp_go_anywhere(void)
{
	set_cpus_allowed_ptr(current, cpu_possible_mask);
}

/**
 * pcp_some_cpu() - choose a CPU at random
 * @rnd: state
 *
 * Return: Number of an online CPU.
 */
int pcp_some_cpu(struct rnd_state *rnd)
{
	unsigned int cpu = cpumask_nth(pcp_below(rnd, num_online_cpus()),
				       cpu_online_mask);

	/* One may have gone offline in between. */
	return cpu < nr_cpu_ids ? cpu : raw_smp_processor_id();
}
