// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads that allocate and free in turns, and timers that interrupt them.
 *
 * A turn is short, and leaves nothing under way: while the gate is closed no
 * thread is inside the allocator, so that lists and balance can be looked at
 * exactly. Timers are told to keep still, and a grace period ends those under
 * way.
 */
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/pagevec.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "test.h"

#define PCP_BAG_BLOCKS		1024
#define PCP_BAG_PAGES		2048
#define PCP_TIMER_BLOCKS	64
#define PCP_TIMER_PAGES		256
#define PCP_MIN_TURNS		10

static void pcp_crew_end_action(void *crew)
{
	pcp_crew_end(crew);
}

/**
 * pcp_crew_new() - a crew without members
 * @t: trial; the crew ends with it at the latest
 *
 * Context: The test's own thread.
 * Return: The crew; without memory the case ends here.
 */
struct pcp_crew *pcp_crew_new(struct pcp_trial *t)
{
	struct pcp_crew *crew = kunit_kzalloc(t->test, sizeof(*crew),
					      GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(t->test, crew);
	crew->t = t;
	init_rwsem(&crew->gate);
	KUNIT_ASSERT_EQ(t->test, 0,
			kunit_add_action_or_reset(t->test, pcp_crew_end_action,
						  crew));
	return crew;
}

static ktime_t pcp_timer_delay(struct pcp_member *m)
{
	return ns_to_ktime((50 + pcp_below(&m->timer_rnd, 400)) * NSEC_PER_USEC);
}

static enum hrtimer_restart pcp_timer_fires(struct hrtimer *timer)
{
	struct pcp_member *m = container_of(timer, struct pcp_member, timer);

	if (READ_ONCE(m->crew->stop) || pcp_blamed(m->crew->t))
		return HRTIMER_NORESTART;
	if (!READ_ONCE(m->crew->still)) {
		m->fired++;
		/* On PREEMPT_RT we are a thread, which preempted it. */
		if (current == m->task || (IS_ENABLED(CONFIG_PREEMPT_RT) &&
					   task_is_running(m->task)))
			m->nested++;
		m->on_timer(m);
	}
	hrtimer_forward_now(timer, pcp_timer_delay(m));
	return HRTIMER_RESTART;
}

static int pcp_member_main(void *data)
{
	struct pcp_member *m = data;
	struct pcp_crew *crew = m->crew;

	if (m->timed)
		hrtimer_start(&m->timer, pcp_timer_delay(m), m->timer_mode);
	while (!kthread_should_stop()) {
		if (READ_ONCE(crew->stop) || pcp_blamed(crew->t)) {
			usleep_range(500, 1000);
			continue;
		}
		if (!m->ungated)
			down_read(&crew->gate);
		m->turn(m);
		if (!m->ungated)
			up_read(&crew->gate);
		WRITE_ONCE(m->turns, m->turns + 1);
		cond_resched();
	}
	return 0;
}

/**
 * pcp_crew_add() - add a thread
 * @crew: crew that has not started
 * @turn: what it does, over and over
 * @cpu: where, or PCP_ANY_CPU
 *
 * Context: The test's own thread.
 * Return: The member.
 */
struct pcp_member *pcp_crew_add(struct pcp_crew *crew, pcp_turn_fn turn,
				int cpu)
{
	struct kunit *test = crew->t->test;
	struct pcp_member *m = &crew->member[crew->nr];
	u64 seed = crew->t->seed * 64 + crew->nr * 2;

	KUNIT_ASSERT_LT(test, crew->nr, PCP_CREW_MAX);
	m->crew = crew;
	m->turn = turn;
	m->cpu = cpu;
	prandom_seed_state(&m->rnd, seed);
	prandom_seed_state(&m->timer_rnd, seed + 1);
	crew->nr++;
	KUNIT_ASSERT_EQ(test, 0, pcp_bag_init(&m->bag, PCP_BAG_BLOCKS,
					      PCP_BAG_PAGES));
	return m;
}

/**
 * pcp_crew_add_each_cpu() - add a thread that stays, on each of some CPUs
 * @crew: crew that has not started
 * @turn: what they do
 */
void pcp_crew_add_each_cpu(struct pcp_crew *crew, pcp_turn_fn turn)
{
	int cpu, n = 0;

	for_each_online_cpu(cpu)
		if (n++ < PCP_CREW_MAX / 2)
			pcp_crew_add(crew, turn, cpu);
}

/**
 * pcp_member_timer() - have a member interrupted at random
 * @m: member that stays on its CPU
 * @mode: HRTIMER_MODE_REL_PINNED for a hard interrupt (a softirq on
 *        PREEMPT_RT), HRTIMER_MODE_REL_PINNED_SOFT for a softirq
 * @on_timer: called then; it owns the member's timer_bag
 */
void pcp_member_timer(struct pcp_member *m, enum hrtimer_mode mode,
		      void (*on_timer)(struct pcp_member *m))
{
	struct kunit *test = m->crew->t->test;

	KUNIT_ASSERT_EQ(test, 0, pcp_bag_init(&m->timer_bag, PCP_TIMER_BLOCKS,
					      PCP_TIMER_PAGES));
	hrtimer_init(&m->timer, CLOCK_MONOTONIC, mode);
	m->timer.function = pcp_timer_fires;
	m->timer_mode = mode;
	m->on_timer = on_timer;
	m->timed = true;
	m->crew->timed = true;
}

/**
 * pcp_crew_start() - let a crew work
 * @crew: crew with its members
 *
 * Context: The test's own thread.
 */
void pcp_crew_start(struct pcp_crew *crew)
{
	unsigned int i;

	for (i = 0; i < crew->nr; i++) {
		struct pcp_member *m = &crew->member[i];

		m->task = kthread_create(pcp_member_main, m, "pcp_test/%u", i);
		if (IS_ERR(m->task)) {
			m->task = NULL;
			KUNIT_FAIL(crew->t->test, "cannot start a thread");
			return;
		}
		/* Not kthread_bind(): a test may want to move it. */
		if (m->cpu != PCP_ANY_CPU)
			set_cpus_allowed_ptr(m->task, cpumask_of(m->cpu));
		wake_up_process(m->task);
	}
}

/**
 * pcp_crew_turns() - how many turns has each member had at least?
 * @crew: crew
 *
 * Return: The turns of the slowest one.
 */
unsigned long pcp_crew_turns(struct pcp_crew *crew)
{
	unsigned long turns = ULONG_MAX;
	unsigned int i;

	for (i = 0; i < crew->nr; i++)
		turns = min(turns, READ_ONCE(crew->member[i].turns));
	return turns;
}

/**
 * pcp_crew_busy() - should the test go on?
 * @crew: working crew
 * @since: jiffies when it began
 * @turns: turns each member must have had by its end
 *
 * Return: True until the crew had both its time and its turns, or something is
 *         wrong.
 */
bool pcp_crew_busy(struct pcp_crew *crew, unsigned long since,
		   unsigned long turns)
{
	if (pcp_blamed(crew->t))
		return false;
	return time_before(jiffies,
			   since + msecs_to_jiffies(pcp_test_msecs())) ||
	       pcp_crew_turns(crew) < turns;
}

/**
 * pcp_crew_watch() - let the crew work, and watch all counters meanwhile
 * @crew: working crew
 */
void pcp_crew_watch(struct pcp_crew *crew)
{
	unsigned long turns = pcp_crew_turns(crew) + PCP_MIN_TURNS;
	unsigned long since = jiffies;

	while (pcp_crew_busy(crew, since, turns)) {
		pcp_watch_counters(crew->t);
		usleep_range(100, 300);
	}
}

/**
 * pcp_crew_pause() - wait until no member is inside the allocator
 * @crew: working crew
 */
void pcp_crew_pause(struct pcp_crew *crew)
{
	down_write(&crew->gate);
	if (!crew->timed)
		return;
	WRITE_ONCE(crew->still, true);
	synchronize_rcu_expedited();
}

/**
 * pcp_crew_resume() - let a paused crew work again
 * @crew: paused crew
 */
void pcp_crew_resume(struct pcp_crew *crew)
{
	WRITE_ONCE(crew->still, false);
	up_write(&crew->gate);
}

/**
 * pcp_crew_end() - end all members, and free what they hold
 * @crew: crew, not paused; one that has ended will do
 */
void pcp_crew_end(struct pcp_crew *crew)
{
	unsigned int i;

	WRITE_ONCE(crew->stop, true);
	/* The last first: it may look at the tasks of those before. */
	for (i = crew->nr; i-- > 0; ) {
		struct pcp_member *m = &crew->member[i];

		if (m->task)
			kthread_stop(m->task);
		m->task = NULL;
		if (m->timed)
			hrtimer_cancel(&m->timer);
		m->timed = false;
	}
	for (i = 0; i < crew->nr; i++) {
		pcp_bag_free(crew->t, &crew->member[i].bag);
		pcp_bag_free(crew->t, &crew->member[i].timer_bag);
	}
}

/**
 * pcp_crew_nested() - how often did a timer interrupt its member at work?
 * @crew: crew, also after its end
 * @fired: receives how often a timer fired at all
 *
 * Return: Number of times.
 */
unsigned long pcp_crew_nested(struct pcp_crew *crew, unsigned long *fired)
{
	unsigned long nested = 0;
	unsigned int i;

	*fired = 0;
	for (i = 0; i < crew->nr; i++) {
		*fired += crew->member[i].fired;
		nested += crew->member[i].nested;
	}
	return nested;
}

/* ---- Turns ---- */

/* Mostly single pages, some of each order that has lists, few huge ones. */
static unsigned int pcp_some_order(struct rnd_state *rnd)
{
	unsigned int dice = pcp_below(rnd, 64);

	if (PCP_THP_ORDER && !dice)
		return PCP_THP_ORDER;
	return dice < 40 ? 0 : dice % (PAGE_ALLOC_COSTLY_ORDER + 1);
}

static void pcp_take_some(struct pcp_trial *t, struct pcp_bag *bag,
			  struct rnd_state *rnd, gfp_t gfp, unsigned int n)
{
	unsigned int order = pcp_some_order(rnd);

	if (pcp_below(rnd, 2))
		gfp |= __GFP_COMP;
	gfp |= pcp_gfp_type(pcp_below(rnd, MIGRATE_PCPTYPES));
	while (n-- && pcp_take(t, bag, gfp, order))
		;
}

static void pcp_put_some(struct pcp_trial *t, struct pcp_bag *bag,
			 struct rnd_state *rnd, unsigned int n)
{
	if (!pcp_below(rnd, 4)) {
		pcp_put_batch(t, bag, n);
		return;
	}
	while (n-- && bag->nr)
		pcp_put(t, bag, pcp_below(rnd, bag->nr));
}

static void pcp_take_bulk(struct pcp_member *m)
{
	struct pcp_trial *t = m->crew->t;
	struct page *pages[32] = {};
	unsigned int i, n;

	if (m->bag.nr + ARRAY_SIZE(pages) > m->bag.max ||
	    m->bag.pages + ARRAY_SIZE(pages) > m->bag.max_pages)
		return;
	n = alloc_pages_bulk_array(PCP_TASK_GFP, ARRAY_SIZE(pages), pages);
	for (i = 0; i < n; i++)
		pcp_keep(t, &m->bag, pages[i], 0, false);
}

/**
 * pcp_turn_churn() - a turn: allocate or free a few blocks of any kind
 * @m: member
 */
void pcp_turn_churn(struct pcp_member *m)
{
	struct pcp_trial *t = m->crew->t;
	unsigned int n = 1 + pcp_below(&m->rnd, 32);

	switch (pcp_below(&m->rnd, 8)) {
	case 0:
		pcp_take_bulk(m);
		break;
	case 1 ... 3:
		pcp_take_some(t, &m->bag, &m->rnd, PCP_TASK_GFP, n);
		break;
	case 4:
		pcp_take_some(t, &m->bag, &m->rnd, PCP_NESTED_GFP, n);
		break;
	default:
		pcp_put_some(t, &m->bag, &m->rnd, n);
	}
}

/**
 * pcp_turn_surge() - a turn: fill the bag with pages, or empty it
 * @m: member
 *
 * Enough of them to spill lists of any size but the largest, and refill them.
 */
void pcp_turn_surge(struct pcp_member *m)
{
	struct pcp_trial *t = m->crew->t;
	gfp_t gfp = PCP_TASK_GFP |
		    pcp_gfp_type(pcp_below(&m->rnd, MIGRATE_PCPTYPES));

	if (m->bag.nr)
		pcp_put_all(t, &m->bag);
	else
		while (pcp_take(t, &m->bag, gfp, 0))
			;
}

/**
 * pcp_turn_wander() - a turn: surge, and ask to be moved in the middle of it
 * @m: member of any CPU
 */
void pcp_turn_wander(struct pcp_member *m)
{
	pcp_turn_surge(m);
	if (!pcp_below(&m->rnd, 4))
		pcp_turn_churn(m);
}

/**
 * pcp_timer_churn() - for pcp_member_timer(): allocate or free a few blocks
 * @m: member that may have been interrupted
 */
void pcp_timer_churn(struct pcp_member *m)
{
	struct pcp_trial *t = m->crew->t;
	unsigned int n = 1 + pcp_below(&m->timer_rnd, 8);

	if (pcp_below(&m->timer_rnd, 2))
		pcp_take_some(t, &m->timer_bag, &m->timer_rnd, PCP_NESTED_GFP,
			      n);
	else
		pcp_put_some(t, &m->timer_bag, &m->timer_rnd, n);
}

/**
 * pcp_timer_put_batch() - for pcp_member_timer(): folios freed in one batch
 * @m: member that may have been interrupted
 */
void pcp_timer_put_batch(struct pcp_member *m)
{
	struct pcp_trial *t = m->crew->t;
	unsigned int order = pcp_below(&m->timer_rnd, 3) ? 0 :
			     pcp_below(&m->timer_rnd,
				       PAGE_ALLOC_COSTLY_ORDER + 1);

	while (m->timer_bag.nr < PCP_TIMER_BLOCKS / 2 &&
	       pcp_take(t, &m->timer_bag, PCP_NESTED_GFP | __GFP_COMP, order))
		;
	pcp_put_batch(t, &m->timer_bag, PAGEVEC_SIZE);
}
