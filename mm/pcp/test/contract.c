// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite pcp_contract: no page is lost or handed out twice, whatever is asked
 * for, and whatever is done to the size of the lists meanwhile.
 */
#include <linux/delay.h>
#include <linux/list.h>
#include <linux/pagevec.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "../../internal.h"
#include "test.h"

struct pcp_kind {
	unsigned int order, type;
};

/* Every order with lists of its own, in every migrate type that has some. */
static const void *pcp_kinds(const void *prev, char *desc)
{
	static const char * const types[] = { "unmovable", "movable",
					      "reclaimable" };
	static struct pcp_kind kind[(PAGE_ALLOC_COSTLY_ORDER + 2) *
				    MIGRATE_PCPTYPES];
	const struct pcp_kind *last = prev;
	unsigned int i = last ? last - kind + 1 : 0;
	unsigned int order = i / MIGRATE_PCPTYPES;

	if (order > PAGE_ALLOC_COSTLY_ORDER) {
		if (order > PAGE_ALLOC_COSTLY_ORDER + 1 || !PCP_THP_ORDER)
			return NULL;
		order = PCP_THP_ORDER;
	}
	kind[i].order = order;
	kind[i].type = i % MIGRATE_PCPTYPES;
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "order %u %s", order,
		 types[kind[i].type]);
	return &kind[i];
}

static void pcp_put_in_order(struct pcp_trial *t, struct pcp_bag *bag,
			     struct rnd_state *rnd, int round)
{
	while (bag->nr) {
		unsigned int i = round == 0 ? bag->nr - 1 :
				 round == 1 ? 0 : pcp_below(rnd, bag->nr);

		pcp_put(t, bag, i);
	}
}

/* Blocks of one kind, freed from the newest, from the oldest, and at random. */
static void pcp_kind_conserved(struct kunit *test)
{
	struct pcp_trial *t = test->priv;
	const struct pcp_kind *kind = test->param_value;
	gfp_t gfp = PCP_TASK_GFP | pcp_gfp_type(kind->type);
	struct rnd_state rnd;
	struct pcp_bag bag;
	int round;

	prandom_seed_state(&rnd, t->seed);
	KUNIT_ASSERT_EQ(test, 0, pcp_bag_init(&bag, 600, 8 * 512));
	pcp_balance_start(t);
	for (round = 0; round < 4; round++) {
		while (pcp_take(t, &bag, gfp, kind->order))
			;
		KUNIT_EXPECT_GT(test, bag.nr, 0);
		pcp_balance(t, "with blocks held");
		pcp_put_in_order(t, &bag, &rnd, round);
		pcp_balance(t, "with blocks freed");
	}
	drain_all_pages(NULL);
	pcp_balance(t, "after a drain");
	pcp_bag_free(t, &bag);
	pcp_verdict(t);
}

/* Interrupts may use the list in between, so one of several tries must do. */
static bool pcp_free_adds(struct pcp_trial *t, struct pcp_bag *bag,
			  unsigned int order)
{
	struct per_cpu_pages *pcp;
	struct zone *zone;
	int before, after;

	if (!pcp_take(t, bag, PCP_TASK_GFP, order))
		return false;
	zone = page_zone(bag->block[0].page);
	drain_all_pages(zone);
	migrate_disable();
	pcp = this_cpu_ptr(zone->per_cpu_pageset);
	before = READ_ONCE(pcp->count);
	pcp_put_all(t, bag);
	after = READ_ONCE(pcp->count);
	migrate_enable();
	return after - before == 1 << order;
}

/* A freed block stays on the list, and counts as the pages that it has. */
static void pcp_count_is_pages(struct kunit *test)
{
	struct pcp_trial *t = test->priv;
	unsigned int order;
	struct pcp_bag bag;

	pcp_need_fraction(t, 8);
	KUNIT_ASSERT_EQ(test, 0, pcp_bag_init(&bag, 1, 512));
	for (order = 0; order <= PAGE_ALLOC_COSTLY_ORDER; order++) {
		int tries = 20;

		while (!pcp_free_adds(t, &bag, order) && --tries)
			;
		KUNIT_EXPECT_GT_MSG(test, tries, 0,
				    "a free of order %u does not raise count by %d",
				    order, 1 << order);
	}
	pcp_bag_free(t, &bag);
	pcp_verdict(t);
}

#define PCP_BULK	200

/* Slots that hold a page already are left alone, and counted. */
static void pcp_bulk_array(struct kunit *test)
{
	struct pcp_trial *t = test->priv;
	struct page **slot;
	struct pcp_bag bag;
	int round, i, n;

	slot = kunit_kcalloc(test, PCP_BULK, sizeof(*slot), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, slot);
	KUNIT_ASSERT_EQ(test, 0, pcp_bag_init(&bag, PCP_BULK, PCP_BULK));
	pcp_balance_start(t);
	for (round = 1; round < 8; round++) {
		memset(slot, 0, PCP_BULK * sizeof(*slot));
		for (i = 0; i < PCP_BULK; i += round)
			if (pcp_take(t, &bag, PCP_TASK_GFP, 0))
				slot[i] = bag.block[bag.nr - 1].page;
		for (n = 0, i = 0; n < PCP_BULK && i < 100; i++)
			n = alloc_pages_bulk_array(PCP_TASK_GFP, PCP_BULK,
						   slot);
		KUNIT_EXPECT_EQ(test, n, PCP_BULK);
		for (i = 0; i < PCP_BULK; i++)
			if (i % round && slot[i])
				pcp_keep(t, &bag, slot[i], 0, false);
		KUNIT_EXPECT_EQ(test, bag.nr, PCP_BULK);
		pcp_balance(t, "with an array filled in bulk");
		pcp_put_all(t, &bag);
	}
	pcp_balance(t, "after arrays filled in bulk");
	pcp_bag_free(t, &bag);
	pcp_verdict(t);
}

static void pcp_bulk_list(struct kunit *test)
{
	struct pcp_trial *t = test->priv;
	struct page *page, *next;
	struct pcp_bag bag;
	int round;

	KUNIT_ASSERT_EQ(test, 0, pcp_bag_init(&bag, PCP_BULK, PCP_BULK));
	pcp_balance_start(t);
	for (round = 0; round < 8; round++) {
		unsigned int want = 1 + round * (PCP_BULK - 1) / 7, got, n = 0;
		LIST_HEAD(list);

		got = alloc_pages_bulk_list(PCP_TASK_GFP, want, &list);
		list_for_each_entry_safe(page, next, &list, lru) {
			list_del(&page->lru);
			pcp_keep(t, &bag, page, 0, false);
			n++;
		}
		KUNIT_EXPECT_GT(test, got, 0);
		KUNIT_EXPECT_EQ(test, got, n);
		pcp_balance(t, "with a list filled in bulk");
		pcp_put_all(t, &bag);
	}
	pcp_balance(t, "after lists filled in bulk");
	pcp_bag_free(t, &bag);
	pcp_verdict(t);
}

/* Folios of all orders in one batch; in an array, those of one page. */
static void pcp_folio_batches(struct kunit *test)
{
	struct pcp_trial *t = test->priv;
	struct page *pages[PAGEVEC_SIZE];
	struct rnd_state rnd;
	struct pcp_bag bag;
	int round, i;

	prandom_seed_state(&rnd, t->seed);
	KUNIT_ASSERT_EQ(test, 0, pcp_bag_init(&bag, 512, 4096));
	pcp_balance_start(t);
	for (round = 0; round < 64; round++) {
		for (i = 0; i < 200; i++) {
			gfp_t type = pcp_gfp_type(pcp_below(&rnd, 3));
			unsigned int order = pcp_below(&rnd, 5);

			if (order > PAGE_ALLOC_COSTLY_ORDER)
				order = i ? 0 : PCP_THP_ORDER;
			pcp_take(t, &bag, PCP_TASK_GFP | type | __GFP_COMP,
				 order);
		}
		pcp_put_batch(t, &bag, pcp_below(&rnd, 200));
		if (round % 8)
			continue;
		pcp_put_all(t, &bag);
		for (i = 0; i < PAGEVEC_SIZE; i++)
			pcp_take(t, &bag, PCP_TASK_GFP, 0);
		for (i = 0; bag.nr; i++)
			pages[i] = pcp_let(t, &bag, bag.nr - 1);
		release_pages(pages, i);
		pcp_balance(t, "after batches of folios");
	}
	pcp_bag_free(t, &bag);
	pcp_balance(t, "after batches of folios");
	pcp_verdict(t);
}

/* All CPUs at once, two threads each, of which one may be moved. */
static struct pcp_crew *pcp_crowd(struct pcp_trial *t)
{
	struct pcp_crew *crew = pcp_crew_new(t);
	unsigned int i, n;

	pcp_crew_add_each_cpu(crew, pcp_turn_churn);
	n = crew->nr;
	for (i = 0; i < n; i++)
		pcp_crew_add(crew, i % 2 ? pcp_turn_churn : pcp_turn_surge,
			     PCP_ANY_CPU);
	return crew;
}

static void pcp_work_a_while(struct pcp_trial *t, struct pcp_crew *crew)
{
	pcp_balance_start(t);
	pcp_crew_start(crew);
	pcp_crew_watch(crew);
	pcp_crew_pause(crew);
	pcp_balance(t, "while the threads rest");
	pcp_crew_resume(crew);
	pcp_crew_watch(crew);
	pcp_crew_end(crew);
	pcp_balance(t, "after the threads' end");
	drain_all_pages(NULL);
	pcp_balance(t, "after a drain");
	pcp_verdict(t);
}

static void pcp_crowd_conserved(struct kunit *test)
{
	pcp_work_a_while(test->priv, pcp_crowd(test->priv));
}

static void pcp_crowd_small_lists(struct kunit *test)
{
	pcp_need_fraction(test->priv, PCP_SMALL_LISTS);
	pcp_work_a_while(test->priv, pcp_crowd(test->priv));
}

static void pcp_crowd_large_lists(struct kunit *test)
{
	pcp_need_fraction(test->priv, 8);
	pcp_work_a_while(test->priv, pcp_crowd(test->priv));
}

/* Sizes change under the feet of everybody who spills or refills. */
static void pcp_sysctl_in_use(struct kunit *test)
{
	static const int fractions[] = { 0, PCP_SMALL_LISTS, 8, 100 };
	struct pcp_trial *t = test->priv;
	struct pcp_crew *crew = pcp_crowd(t);
	unsigned long since;
	unsigned int i = 0;

	pcp_need_fraction(t, PCP_SMALL_LISTS);
	pcp_balance_start(t);
	pcp_crew_start(crew);
	for (since = jiffies; pcp_crew_busy(crew, since, 20) || i < 20; i++) {
		if (pcp_set_fraction(t, fractions[i % ARRAY_SIZE(fractions)]))
			pcp_blame(t, "the sysctl refuses a value");
		pcp_watch_counters(t);
		usleep_range(500, 3000);
	}
	pcp_crew_end(crew);
	pcp_balance(t, "after the lists' size changed often");
	drain_all_pages(NULL);
	pcp_balance(t, "after a drain");
	pcp_verdict(t);
}

/* Moves the wanderers from CPU to CPU, as fast as it can. */
static void pcp_turn_move(struct pcp_member *m)
{
	struct pcp_crew *crew = m->crew;
	unsigned int i;

	for (i = 0; i < crew->nr; i++) {
		int cpu = pcp_some_cpu(&m->rnd);

		if (crew->member[i].turn == pcp_turn_wander)
			set_cpus_allowed_ptr(crew->member[i].task,
					     cpumask_of(cpu));
	}
	usleep_range(50, 100);
}

/*
 * Spills and refills that let go in between come back on another CPU. Small
 * lists make many of them, large ones long ones.
 */
static void pcp_moved_in_use(struct kunit *test, int fraction)
{
	struct pcp_trial *t = test->priv;
	struct pcp_crew *crew = pcp_crew_new(t);
	unsigned int i, n = min(num_online_cpus() * 2, PCP_CREW_MAX - 1U);

	if (num_online_cpus() == 1)
		kunit_skip(test, "nowhere to move to on one CPU");
	pcp_need_fraction(t, fraction);
	for (i = 0; i < n; i++)
		pcp_crew_add(crew, pcp_turn_wander, PCP_ANY_CPU);
	/* Last, as it looks at the tasks of those before. */
	pcp_crew_add(crew, pcp_turn_move, PCP_ANY_CPU)->ungated = true;
	pcp_work_a_while(t, crew);
}

static void pcp_moved_small_lists(struct kunit *test)
{
	pcp_moved_in_use(test, PCP_SMALL_LISTS);
}

static void pcp_moved_own_lists(struct kunit *test)
{
	pcp_moved_in_use(test, 0);
}

static struct kunit_case pcp_contract_cases[] = {
	KUNIT_CASE_PARAM(pcp_kind_conserved, pcp_kinds),
	KUNIT_CASE(pcp_count_is_pages),
	KUNIT_CASE(pcp_bulk_array),
	KUNIT_CASE(pcp_bulk_list),
	KUNIT_CASE(pcp_folio_batches),
	KUNIT_CASE_SLOW(pcp_crowd_conserved),
	KUNIT_CASE_SLOW(pcp_crowd_small_lists),
	KUNIT_CASE_SLOW(pcp_crowd_large_lists),
	KUNIT_CASE_SLOW(pcp_sysctl_in_use),
	KUNIT_CASE_SLOW(pcp_moved_small_lists),
	KUNIT_CASE_SLOW(pcp_moved_own_lists),
	{}
};

struct kunit_suite pcp_contract_suite = {
	.name = "pcp_contract",
	.init = pcp_trial_init,
	.exit = pcp_trial_exit,
	.test_cases = pcp_contract_cases,
};
