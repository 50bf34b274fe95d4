// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite pcp_nested: interrupts allocate and free at any time, also inside the
 * owner's section.
 *
 * Whether one hit a section cannot be told without knowing the design. That it
 * interrupted the thread whose every instruction is an allocation or a free can,
 * and each case insists on it. On PREEMPT_RT soft timers run in a thread, and a
 * hard interrupt may not allocate.
 */
#include "test.h"

#define PCP_NESTED_WANTED	50

/**
 * pcp_interrupted() - a whole test: a thread on each CPU, interrupted at random
 * @t: trial
 * @mode: see pcp_member_timer()
 * @turn: what the threads do; they should do little else
 * @on_timer: what the interrupts do
 *
 * Context: The test's own thread. Fails when too few interrupts came.
 */
void pcp_interrupted(struct pcp_trial *t, enum hrtimer_mode mode,
		     pcp_turn_fn turn, void (*on_timer)(struct pcp_member *m))
{
	struct pcp_crew *crew = pcp_crew_new(t);
	unsigned long fired, nested;
	unsigned int i, tries;

	pcp_crew_add_each_cpu(crew, turn);
	for (i = 0; i < crew->nr; i++)
		pcp_member_timer(&crew->member[i], mode, on_timer);
	pcp_balance_start(t);
	pcp_crew_start(crew);
	for (tries = 0; tries < 10; tries++) {
		pcp_crew_watch(crew);
		nested = pcp_crew_nested(crew, &fired);
		if (nested >= PCP_NESTED_WANTED || pcp_blamed(t))
			break;
	}
	pcp_crew_pause(crew);
	pcp_balance(t, "while threads and timers rest");
	pcp_crew_resume(crew);
	pcp_crew_end(crew);
	pcp_balance(t, "after the timers' end");
	drain_all_pages(NULL);
	pcp_balance(t, "after a drain");
	kunit_info(t->test, "%lu interrupts, %lu of them of the thread at work",
		   fired, nested);
	pcp_verdict(t);
	KUNIT_EXPECT_LT_MSG(t->test, tries, 10,
			    "too few interrupts to tell anything");
}

/**
 * pcp_need_hardirq() - skip the case where a hard interrupt may not allocate
 * @test: test case
 */
void pcp_need_hardirq(struct kunit *test)
{
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		kunit_skip(test, "a hard interrupt may not allocate on PREEMPT_RT");
}

static void pcp_hardirq_churn(struct kunit *test)
{
	pcp_need_hardirq(test);
	pcp_interrupted(test->priv, HRTIMER_MODE_REL_PINNED, pcp_turn_churn,
			pcp_timer_churn);
}

/* Small lists: nearly every interrupt meets a spill or a refill. */
static void pcp_hardirq_small_lists(struct kunit *test)
{
	pcp_need_hardirq(test);
	pcp_need_fraction(test->priv, PCP_SMALL_LISTS);
	pcp_interrupted(test->priv, HRTIMER_MODE_REL_PINNED, pcp_turn_surge,
			pcp_timer_churn);
}

static void pcp_softirq_churn(struct kunit *test)
{
	pcp_interrupted(test->priv, HRTIMER_MODE_REL_PINNED_SOFT,
			pcp_turn_churn, pcp_timer_churn);
}

static void pcp_softirq_small_lists(struct kunit *test)
{
	pcp_need_fraction(test->priv, PCP_SMALL_LISTS);
	pcp_interrupted(test->priv, HRTIMER_MODE_REL_PINNED_SOFT,
			pcp_turn_surge, pcp_timer_churn);
}

/*
 * Single pages, one at a time: the list's head changes all the time, by the
 * thread and by the interrupt.
 */
static void pcp_turn_single(struct pcp_member *m)
{
	struct pcp_trial *t = m->crew->t;
	int i;

	for (i = 0; i < 64; i++) {
		pcp_take(t, &m->bag, PCP_TASK_GFP, 0);
		pcp_put_all(t, &m->bag);
	}
}

static void pcp_timer_single(struct pcp_member *m)
{
	struct pcp_trial *t = m->crew->t;

	if (m->timer_bag.nr && pcp_below(&m->timer_rnd, 2))
		pcp_put(t, &m->timer_bag, 0);
	else
		pcp_take(t, &m->timer_bag, PCP_NESTED_GFP, 0);
}

static void pcp_hardirq_single(struct kunit *test)
{
	pcp_need_hardirq(test);
	pcp_interrupted(test->priv, HRTIMER_MODE_REL_PINNED, pcp_turn_single,
			pcp_timer_single);
}

static void pcp_softirq_single(struct kunit *test)
{
	pcp_interrupted(test->priv, HRTIMER_MODE_REL_PINNED_SOFT,
			pcp_turn_single, pcp_timer_single);
}

static struct kunit_case pcp_nested_cases[] = {
	KUNIT_CASE_SLOW(pcp_hardirq_churn),
	KUNIT_CASE_SLOW(pcp_hardirq_small_lists),
	KUNIT_CASE_SLOW(pcp_hardirq_single),
	KUNIT_CASE_SLOW(pcp_softirq_churn),
	KUNIT_CASE_SLOW(pcp_softirq_small_lists),
	KUNIT_CASE_SLOW(pcp_softirq_single),
	{}
};

struct kunit_suite pcp_nested_suite = {
	.name = "pcp_nested",
	.init = pcp_trial_init,
	.exit = pcp_trial_exit,
	.test_cases = pcp_nested_cases,
};
