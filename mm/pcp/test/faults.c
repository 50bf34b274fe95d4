// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite pcp_faults: things that went wrong in the kernel once, by their numbers
 * in the project's list of faults. What can only be provoked from user space is
 * tested there.
 */
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/page-isolation.h>
#include <linux/sched/mm.h>
#include <linux/vmstat.h>

#include "../../internal.h"
#include "test.h"

/* Mostly short lists: the interrupt is to meet the drain outside its bulk. */
static void pcp_turn_fill_and_drain(struct pcp_member *m)
{
	struct pcp_trial *t = m->crew->t;
	unsigned int n = pcp_below(&m->rnd, pcp_below(&m->rnd, 8) ? 8 : 500);

	while (n-- && pcp_take(t, &m->bag, PCP_TASK_GFP, 0))
		;
	pcp_put_all(t, &m->bag);
	drain_all_pages(NULL);
}

/* A drain, interrupted by a softirq that frees to the list being drained. */
static void pcp_f1_softirq_in_drain(struct kunit *test)
{
	pcp_interrupted(test->priv, HRTIMER_MODE_REL_PINNED_SOFT,
			pcp_turn_fill_and_drain, pcp_timer_churn);
}

/* ---- F3 ---- */

struct pcp_decay_look {
	int count, high, high_min;
};

static struct pcp_decay_look pcp_decay_look(struct per_cpu_pages *pcp)
{
	return (struct pcp_decay_look){ READ_ONCE(pcp->count),
					READ_ONCE(pcp->high),
					READ_ONCE(pcp->high_min) };
}

static bool pcp_decay_needed(struct pcp_decay_look *look)
{
	return look->high > look->high_min || look->count > look->high;
}

/*
 * One decay, as the vmstat worker of this CPU does it. Counts those whose
 * outcome is certain, as nothing changed meanwhile but what it changed.
 */
static void pcp_decay_once(struct pcp_trial *t, struct zone *zone,
			   unsigned int *idle, unsigned int *busy)
{
	struct per_cpu_pages *pcp = per_cpu_ptr(zone->per_cpu_pageset,
						raw_smp_processor_id());
	struct pcp_decay_look before = pcp_decay_look(pcp), after;
	bool todo = decay_pcp_high(zone, pcp);

	after = pcp_decay_look(pcp);
	if (!pcp_decay_needed(&before) && !pcp_decay_needed(&after)) {
		if (todo)
			pcp_blame(t, "decay reports work where there is none");
		++*idle;
	} else if (after.high > after.high_min && after.high < before.high) {
		if (!todo)
			pcp_blame(t, "decay does not report work left to do");
		++*busy;
	}
}

static void pcp_f3_decay_reports_work(struct kunit *test)
{
	struct pcp_trial *t = test->priv;
	unsigned int idle = 0, busy = 0, i, k;
	struct pcp_bag bag;
	struct zone *zone;

	/* Lists of fixed size have nothing to decay. */
	pcp_need_fraction(t, 0);
	KUNIT_ASSERT_EQ(test, 0, pcp_bag_init(&bag, 3000, 3000));
	pcp_balance_start(t);
	pcp_go_to(raw_smp_processor_id());
	for (i = 0; i < 20 && !pcp_blamed(t); i++) {
		while (pcp_take(t, &bag, PCP_TASK_GFP, 0))
			;
		zone = page_zone(bag.block[0].page);
		pcp_put_all(t, &bag);
		for (k = 0; k < 60; k++)
			pcp_decay_once(t, zone, &idle, &busy);
	}
	pcp_go_anywhere();
	kunit_info(test, "%u decays with work, %u without", busy, idle);
	pcp_bag_free(t, &bag);
	pcp_balance(t, "after decays");
	pcp_verdict(t);
	KUNIT_EXPECT_GT(test, busy, 0);
	KUNIT_EXPECT_GT(test, idle, 0);
}

/* Folios freed in one batch from a hard interrupt, as at the end of swap I/O. */
static void pcp_f4_batch_from_hardirq(struct kunit *test)
{
	pcp_need_hardirq(test);
	pcp_interrupted(test->priv, HRTIMER_MODE_REL_PINNED, pcp_turn_churn,
			pcp_timer_put_batch);
}

/* ---- F9 and F10: the type of a block changes under pages on lists ---- */

/*
 * Frees a block's pages to this CPU's lists, which were emptied, and are long
 * enough. Somebody may drain them just then: then there are fewer.
 */
static struct page *pcp_block_on_list(struct kunit *test, unsigned long want)
{
	struct page *block;
	int tries;

	pcp_need_isolation(test);
	pcp_need_fraction(test->priv, 8);
	pcp_go_to(raw_smp_processor_id());
	for (tries = 0; tries < 10; tries++) {
		drain_all_pages(NULL);
		block = pcp_block_free();
		KUNIT_ASSERT_NOT_NULL(test, block);
		if (pcp_block_listed(block) >= want)
			return block;
	}
	kunit_skip(test, "the lists do not take a whole block");
	return NULL;
}

static bool pcp_isolate(struct kunit *test, struct page *block, int type)
{
	int err = pcp_block_isolate(block, type);

	KUNIT_EXPECT_EQ_MSG(test, err, 0, "cannot isolate a free block");
	return !err;
}

static bool pcp_in_block(struct page *page, struct page *block)
{
	return page_to_pfn(page) - page_to_pfn(block) < pageblock_nr_pages;
}

static void pcp_not_handed_out(struct kunit *test, struct page *block)
{
	struct pcp_trial *t = test->priv;
	struct pcp_bag bag;
	unsigned int i;

	KUNIT_ASSERT_EQ(test, 0, pcp_bag_init(&bag, 3000, 3000));
	while (pcp_take(t, &bag, PCP_TASK_GFP | __GFP_MOVABLE, 0))
		;
	for (i = 0; i < bag.nr; i++)
		if (pcp_in_block(bag.block[i].page, block))
			pcp_blame(t, "an isolated page was handed out");
	pcp_bag_free(t, &bag);
}

/* Free pages of an isolated block do not count as free: that makes it exact. */
static void pcp_f9_isolated_on_list(struct kunit *test)
{
	struct pcp_trial *t = test->priv;
	struct page *block;
	unsigned long pfn;

	pcp_balance_start(t);
	block = pcp_block_on_list(test, pageblock_nr_pages / 2);
	pfn = page_to_pfn(block);
	if (pcp_isolate(test, block, MIGRATE_MOVABLE)) {
		drain_all_pages(page_zone(block));
		KUNIT_EXPECT_EQ(test, 0,
				test_pages_isolated(pfn, pfn + pageblock_nr_pages, 0));
		pcp_balance_shift(t, -pageblock_nr_pages);
		pcp_balance(t, "with a block isolated while on a list");
		pcp_not_handed_out(test, block);
		pcp_balance_shift(t, pageblock_nr_pages);
		pcp_block_unisolate(block, MIGRATE_MOVABLE);
	}
	pcp_go_anywhere();
	pcp_balance(t, "after the isolation");
	pcp_verdict(t);
}

#ifdef CONFIG_CMA
static long pcp_free_cma(void)
{
	struct zone *zone;
	long sum = 0;

	for_each_populated_zone(zone)
		sum += zone_page_state_snapshot(zone, NR_FREE_CMA_PAGES);
	return sum;
}

/* Of a block of CMA that lies in the buddy allocator, an ordinary one. */
static void pcp_block_from_cma(struct kunit *test, struct page *block)
{
	drain_all_pages(NULL);
	if (pcp_isolate(test, block, MIGRATE_CMA))
		pcp_block_unisolate(block, MIGRATE_MOVABLE);
}

/* Became CMA while on a list: must be free CMA when it comes back. */
static void pcp_f9_cma_on_list(struct kunit *test)
{
	struct pcp_trial *t = test->priv;
	struct page *block;
	long before;

	pcp_balance_start(t);
	before = pcp_free_cma();
	block = pcp_block_on_list(test, pageblock_nr_pages);
	set_pageblock_migratetype(block, MIGRATE_CMA);
	drain_all_pages(page_zone(block));
	KUNIT_EXPECT_EQ(test, pcp_free_cma() - before, pageblock_nr_pages);
	pcp_block_from_cma(test, block);
	KUNIT_EXPECT_EQ(test, pcp_free_cma(), before);
	pcp_go_anywhere();
	pcp_balance(t, "after a block was CMA for a while");
	pcp_verdict(t);
}

static void pcp_take_no_cma(struct kunit *test, struct pcp_bag *bag, gfp_t gfp)
{
	struct pcp_trial *t = test->priv;
	unsigned int i;

	for (i = 0; i < 4; i++)
		pcp_take(t, bag, PCP_TASK_GFP | __GFP_COMP | gfp,
			 PCP_THP_ORDER);
	for (i = 0; i < bag->nr; i++)
		if (is_migrate_cma_page(bag->block[i].page))
			pcp_blame(t, "a request of flags %#x got a page of CMA",
				  (__force unsigned int)gfp);
	pcp_put_all(t, bag);
}

/*
 * A huge page of CMA lies on the list of movable ones. A request for one that
 * will stay where it is must not get it.
 */
static void pcp_f10_huge_cma(struct kunit *test)
{
	struct pcp_trial *t = test->priv;
	struct pcp_bag bag;
	unsigned int flags;
	struct page *page;

	if (!PCP_THP_ORDER || PCP_THP_ORDER != pageblock_order)
		kunit_skip(test, "needs lists of huge pages");
	pcp_need_fraction(t, 8);
	KUNIT_ASSERT_EQ(test, 0, pcp_bag_init(&bag, 4, 4 * 512));
	pcp_balance_start(t);
	pcp_go_to(raw_smp_processor_id());
	drain_all_pages(NULL);
	page = alloc_pages(PCP_TASK_GFP | __GFP_MOVABLE | __GFP_COMP,
			   PCP_THP_ORDER);
	KUNIT_ASSERT_NOT_NULL(test, page);
	set_pageblock_migratetype(page, MIGRATE_CMA);
	__free_pages(page, PCP_THP_ORDER);
	KUNIT_EXPECT_TRUE_MSG(test, pcp_page_listed(page),
			      "the huge page did not stay on a list");

	flags = memalloc_pin_save();
	pcp_take_no_cma(test, &bag, __GFP_MOVABLE);
	memalloc_pin_restore(flags);
	pcp_take_no_cma(test, &bag, 0);
	pcp_take_no_cma(test, &bag, __GFP_RECLAIMABLE);
	pcp_bag_free(t, &bag);
	pcp_block_from_cma(test, page);
	pcp_go_anywhere();
	pcp_balance(t, "after a huge page was CMA for a while");
	pcp_verdict(t);
}
#endif

/* ---- F14 ---- */

static void pcp_turn_everything(struct pcp_member *m)
{
	switch (pcp_below(&m->rnd, 4)) {
	case 0:
		pcp_turn_surge(m);
		break;
	case 1:
		drain_all_pages(NULL);
		break;
	default:
		pcp_turn_churn(m);
	}
}

/* As the completion of I/O does: softirqs free in batches, beside everything. */
static void pcp_f14_softirq_frees(struct kunit *test)
{
	pcp_interrupted(test->priv, HRTIMER_MODE_REL_PINNED_SOFT,
			pcp_turn_everything, pcp_timer_put_batch);
}

static struct kunit_case pcp_faults_cases[] = {
	KUNIT_CASE_SLOW(pcp_f1_softirq_in_drain),
	KUNIT_CASE(pcp_f3_decay_reports_work),
	KUNIT_CASE_SLOW(pcp_f4_batch_from_hardirq),
	KUNIT_CASE_SLOW(pcp_f9_isolated_on_list),
#ifdef CONFIG_CMA
	KUNIT_CASE(pcp_f9_cma_on_list),
	KUNIT_CASE(pcp_f10_huge_cma),
#endif
	KUNIT_CASE_SLOW(pcp_f14_softirq_frees),
	{}
};

struct kunit_suite pcp_faults_suite = {
	.name = "pcp_faults",
	.init = pcp_trial_init,
	.exit = pcp_trial_exit,
	.test_cases = pcp_faults_cases,
};
