// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite pcp_drain: what a drain promises, and what a disabled list promises.
 *
 * A drain promises that each list was empty at some moment. Counts cannot show
 * that while others free; pages of an isolated block do, see block.c.
 */
#include <linux/delay.h>

#include "../../internal.h"
#include "test.h"

/* ---- Drains ---- */

/* Free on each CPU, drain from each, everybody else at rest. */
static void pcp_drain_empties(struct kunit *test)
{
	struct pcp_trial *t = test->priv;
	unsigned long listed = 0;
	struct page *block;
	int from, to;

	pcp_need_isolation(test);
	pcp_need_fraction(t, 8);
	pcp_balance_start(t);
	for_each_online_cpu(from) {
		for_each_online_cpu(to) {
			pcp_go_to(from);
			block = pcp_block_free();
			if (!block || pcp_block_isolate(block, MIGRATE_MOVABLE))
				continue;
			listed += pcp_block_listed(block);
			pcp_go_to(to);
			drain_all_pages(page_zone(block));
			KUNIT_EXPECT_EQ_MSG(test, 0, pcp_block_stays(block),
					    "CPU %d did not empty CPU %d", to,
					    from);
			pcp_block_unisolate(block, MIGRATE_MOVABLE);
		}
	}
	KUNIT_EXPECT_GT(test, listed, 0);
	pcp_go_anywhere();
	pcp_balance(t, "after drains");
	pcp_verdict(t);
}

/* The kernel itself may free a page just then, so one of several must do. */
static void pcp_drain_zeroes_counts(struct kunit *test)
{
	struct pcp_trial *t = test->priv;
	struct pcp_bag bag;
	struct zone *zone;
	long left = 1;
	int cpu, tries;

	KUNIT_ASSERT_EQ(test, 0, pcp_bag_init(&bag, 300, 300));
	for (tries = 0; tries < 20 && left; tries++) {
		for_each_online_cpu(cpu) {
			pcp_go_to(cpu);
			while (pcp_take(t, &bag, PCP_TASK_GFP, 0))
				;
			pcp_put_all(t, &bag);
		}
		drain_all_pages(NULL);
		left = 0;
		for_each_populated_zone(zone)
			left += pcp_listed(zone);
	}
	pcp_go_anywhere();
	KUNIT_EXPECT_EQ_MSG(test, left, 0,
			    "%ld pages counted on lists after each of %d drains",
			    left, tries);
	pcp_bag_free(t, &bag);
	pcp_verdict(t);
}

/*
 * Free a block's pages on some CPU and isolate it, go to another CPU, drain, and
 * look. It closes the gate itself, for all but the drain: that is to happen
 * beside the others' work.
 */
static void pcp_turn_free_and_drain(struct pcp_member *m)
{
	struct rw_semaphore *gate = &m->crew->gate;
	unsigned long stay;
	struct page *block;

	pcp_go_to(pcp_some_cpu(&m->rnd));
	down_write(gate);
	block = pcp_block_free();
	if (block && pcp_block_isolate(block, MIGRATE_MOVABLE))
		block = NULL;
	if (block)
		m->seen += pcp_block_listed(block);
	up_write(gate);
	if (!block)
		return;

	pcp_go_to(pcp_some_cpu(&m->rnd));
	drain_all_pages(page_zone(block));
	down_write(gate);
	stay = pcp_block_stays(block);
	if (stay)
		pcp_blame(m->crew->t, "%lu pages stayed on lists during a drain",
			  stay);
	pcp_block_unisolate(block, MIGRATE_MOVABLE);
	up_write(gate);
}

/* Few pages at a time: who takes more would take the block's as well. */
static void pcp_turn_sip(struct pcp_member *m)
{
	struct pcp_trial *t = m->crew->t;
	unsigned int n = pcp_below(&m->rnd, 8);

	while (m->bag.nr < n &&
	       pcp_take(t, &m->bag, PCP_TASK_GFP | pcp_gfp_type(n), 0))
		;
	pcp_put_batch(t, &m->bag, 2);
	pcp_put_all(t, &m->bag);
}

static void pcp_drain_beside(struct pcp_trial *t, pcp_turn_fn turn,
			     unsigned int drainers)
{
	struct pcp_crew *crew = pcp_crew_new(t);
	unsigned long seen = 0;
	unsigned int i;

	pcp_crew_add_each_cpu(crew, turn);
	while (drainers--)
		pcp_crew_add(crew, pcp_turn_free_and_drain,
			     PCP_ANY_CPU)->ungated = true;
	pcp_balance_start(t);
	pcp_crew_start(crew);
	pcp_crew_watch(crew);
	pcp_crew_end(crew);
	pcp_balance(t, "after drains beside allocations");
	for (i = 0; i < crew->nr; i++)
		seen += crew->member[i].seen;
	pcp_verdict(t);
	KUNIT_EXPECT_GT_MSG(t->test, seen, 0,
			    "no page was on a list before a drain");
}

static void pcp_drain_beside_use(struct kunit *test)
{
	pcp_need_isolation(test);
	pcp_need_fraction(test->priv, 8);
	pcp_drain_beside(test->priv, pcp_turn_sip, 1);
}

static void pcp_drain_beside_spills(struct kunit *test)
{
	pcp_need_isolation(test);
	pcp_need_fraction(test->priv, PCP_SMALL_LISTS);
	pcp_drain_beside(test->priv, pcp_turn_surge, 1);
}

static void pcp_several_drainers(struct kunit *test)
{
	pcp_need_isolation(test);
	pcp_need_fraction(test->priv, 8);
	pcp_drain_beside(test->priv, pcp_turn_sip, 4);
}

/* ---- Disabled lists ---- */

/* Single pages of one type, so that lists often are empty and refilled. */
static void pcp_turn_refill(struct pcp_member *m)
{
	struct pcp_trial *t = m->crew->t;
	unsigned int n = 1 + pcp_below(&m->rnd, 4);

	while (n-- && pcp_take(t, &m->bag, PCP_TASK_GFP, 0))
		;
	if (pcp_below(&m->rnd, 8) == 0)
		pcp_put_all(t, &m->bag);
}

/*
 * While the lists are in use a page may pass through one within a section, and
 * its CPU may be stopped there. A page that stays is there at every look, for
 * as many turns as everybody takes.
 */
static void pcp_disabled_in_use(struct pcp_crew *crew, struct zone *zone)
{
	int cpu, looks;

	for_each_possible_cpu(cpu) {
		int *count = &per_cpu_ptr(zone->per_cpu_pageset, cpu)->count;
		unsigned long turns = pcp_crew_turns(crew) + 20;

		for (looks = 0; READ_ONCE(*count); looks++) {
			cpu_relax();
			if (looks % 64 != 63)
				continue;
			if (pcp_blamed(crew->t))
				return;
			if (looks > 3000 && pcp_crew_turns(crew) > turns)
				pcp_blame(crew->t,
					  "CPU %d always has pages on a disabled list",
					  cpu);
			usleep_range(10, 50);
		}
	}
}

/*
 * With everybody at rest nothing may be left. The kernel itself may be freeing
 * a page just now, hence several looks; nobody would take what is left.
 */
static void pcp_disabled_at_rest(struct pcp_trial *t, struct zone *zone)
{
	int cpu, tries;

	for_each_possible_cpu(cpu) {
		int *count = &per_cpu_ptr(zone->per_cpu_pageset, cpu)->count;

		for (tries = 0; tries < 50 && READ_ONCE(*count); tries++)
			usleep_range(20, 50);
		if (tries == 50)
			pcp_blame(t, "%d pages stay on the disabled list of CPU %d",
				  READ_ONCE(*count), cpu);
	}
}

static struct zone *pcp_zone_in_use(struct kunit *test)
{
	struct page *page = alloc_page(PCP_TASK_GFP);
	struct zone *zone;

	KUNIT_ASSERT_NOT_NULL(test, page);
	zone = page_zone(page);
	__free_page(page);
	return zone;
}

/*
 * Enable, let the first refills begin, disable: their lists still count 0, and
 * a disabler that goes by the count misses them.
 */
static void pcp_disable_round(struct pcp_crew *crew, struct zone *zone,
			      unsigned int us)
{
	zone_pcp_disable(zone);
	pcp_crew_pause(crew);
	pcp_disabled_at_rest(crew->t, zone);
	pcp_crew_resume(crew);
	pcp_disabled_in_use(crew, zone);
	pcp_crew_pause(crew);
	pcp_disabled_at_rest(crew->t, zone);
	pcp_crew_resume(crew);
	zone_pcp_enable(zone);
	pcp_watch_counters(crew->t);
	udelay(us);
}

static void pcp_disable_beside(struct pcp_trial *t, pcp_turn_fn turn,
			       bool timed)
{
	struct zone *zone = pcp_zone_in_use(t->test);
	struct pcp_crew *crew = pcp_crew_new(t);
	unsigned int i, rounds;
	struct rnd_state rnd;
	unsigned long since;

	prandom_seed_state(&rnd, t->seed);
	pcp_crew_add_each_cpu(crew, turn);
	for (i = 0; timed && i < crew->nr; i++)
		pcp_member_timer(&crew->member[i], HRTIMER_MODE_REL_PINNED_SOFT,
				 pcp_timer_churn);
	pcp_balance_start(t);
	pcp_crew_start(crew);
	since = jiffies;
	for (rounds = 0; pcp_crew_busy(crew, since, 20) || rounds < 40;
	     rounds++) {
		if (pcp_blamed(t))
			break;
		pcp_disable_round(crew, zone, pcp_below(&rnd, 100));
	}
	pcp_crew_end(crew);
	pcp_balance(t, "after lists were disabled and enabled");
	kunit_info(t->test, "disabled %u times", rounds);
	pcp_verdict(t);
}

static void pcp_disable_beside_refills(struct kunit *test)
{
	pcp_disable_beside(test->priv, pcp_turn_refill, false);
}

static void pcp_disable_beside_spills(struct kunit *test)
{
	pcp_need_fraction(test->priv, PCP_SMALL_LISTS);
	pcp_disable_beside(test->priv, pcp_turn_surge, false);
}

static void pcp_disable_beside_softirqs(struct kunit *test)
{
	pcp_disable_beside(test->priv, pcp_turn_churn, true);
}

/* Disabled, at rest: free and held pages alone must be all there are. */
static void pcp_disabled_balance(struct kunit *test)
{
	struct pcp_trial *t = test->priv;
	struct zone *zone = pcp_zone_in_use(test);
	struct per_cpu_pages *pcp;
	struct pcp_bag bag;
	int i;

	KUNIT_ASSERT_EQ(test, 0, pcp_bag_init(&bag, 400, 400));
	pcp_balance_start(t);
	while (pcp_take(t, &bag, PCP_TASK_GFP, 0))
		;
	zone_pcp_disable(zone);
	for (i = 0; i < 100; i++) {
		pcp_put(t, &bag, 0);
		pcp_disabled_at_rest(t, zone);
		pcp_take(t, &bag, PCP_TASK_GFP, 0);
		pcp_disabled_at_rest(t, zone);
	}
	pcp_put_all(t, &bag);
	pcp_disabled_at_rest(t, zone);
	pcp_balance(t, "with disabled lists");
	zone_pcp_enable(zone);

	pcp = per_cpu_ptr(zone->per_cpu_pageset, 0);
	KUNIT_EXPECT_GT(test, pcp->batch, 1);
	KUNIT_EXPECT_GT(test, pcp->high_min, 0);
	pcp_bag_free(t, &bag);
	pcp_balance(t, "with enabled lists");
	pcp_verdict(t);
}

static struct kunit_case pcp_drain_cases[] = {
	KUNIT_CASE(pcp_drain_empties),
	KUNIT_CASE(pcp_drain_zeroes_counts),
	KUNIT_CASE_SLOW(pcp_drain_beside_use),
	KUNIT_CASE_SLOW(pcp_drain_beside_spills),
	KUNIT_CASE_SLOW(pcp_several_drainers),
	KUNIT_CASE(pcp_disabled_balance),
	KUNIT_CASE_SLOW(pcp_disable_beside_refills),
	KUNIT_CASE_SLOW(pcp_disable_beside_spills),
	KUNIT_CASE_SLOW(pcp_disable_beside_softirqs),
	{}
};

struct kunit_suite pcp_drain_suite = {
	.name = "pcp_drain",
	.init = pcp_trial_init,
	.exit = pcp_trial_exit,
	.test_cases = pcp_drain_cases,
};
