/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the suites share: pages that are held and watched, a balance of all
 * memory, and a crew of threads and timers that allocate and free.
 *
 * The suites know the contract, and of struct per_cpu_pages the fields count,
 * free_count, high, high_min and batch: nothing of the selected design.
 *
 *   trial    one test case: which pages it holds, and the first thing that
 *            went wrong, told from whatever context saw it
 *   bag      blocks held by one thread or timer; only its owner touches it
 *   crew     threads that take turns, and timers that interrupt them
 */
#ifndef _MM_PCP_TEST_H
#define _MM_PCP_TEST_H

#include <kunit/test.h>
#include <linux/cpumask.h>
#include <linux/gfp.h>
#include <linux/hrtimer.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/prandom.h>
#include <linux/rwsem.h>

/* The largest order that has lists beside 0..PAGE_ALLOC_COSTLY_ORDER, or 0. */
#ifdef CONFIG_TRANSPARENT_HUGEPAGE
#define PCP_THP_ORDER	HPAGE_PMD_ORDER
#else
#define PCP_THP_ORDER	0
#endif

#define PCP_TASK_GFP	(GFP_KERNEL | __GFP_NOWARN | __GFP_NORETRY)
#define PCP_NESTED_GFP	(GFP_NOWAIT | __GFP_NOWARN)

/* A list size that makes spills and refills frequent: 4 batches. */
#define PCP_SMALL_LISTS	1000000

struct pcp_trial {
	struct kunit *test;
	unsigned long *held;		/* a bit for each page frame */
	atomic_long_t held_pages;
	atomic64_t stamps;		/* the last one given out */
	u64 seed;
	long balance;			/* what pcp_balance() compares with */
	int fraction;			/* sysctl to restore, or -1 */
	atomic_t blamed;		/* somebody is writing blame[] */
	bool blame_ready;
	char blame[200];
};

struct pcp_block {
	struct page *page;
	unsigned int order;
	bool folio;			/* compound: may be freed in a batch */
	u64 stamp;			/* of its first page, the next has +1 */
};

struct pcp_bag {
	struct pcp_block *block;
	unsigned int nr, max;
	unsigned long pages, max_pages;
};

/* ---- pages.c ---- */

int pcp_trial_init(struct kunit *test);
void pcp_trial_exit(struct kunit *test);
unsigned int pcp_test_msecs(void);

__printf(2, 3) void pcp_blame(struct pcp_trial *t, const char *fmt, ...);
bool pcp_blamed(struct pcp_trial *t);
void pcp_verdict(struct pcp_trial *t);

void pcp_balance_start(struct pcp_trial *t);
void pcp_balance_shift(struct pcp_trial *t, long pages);
void pcp_balance(struct pcp_trial *t, const char *when);
void pcp_watch_counters(struct pcp_trial *t);
long pcp_listed(struct zone *zone);

int pcp_bag_init(struct pcp_bag *bag, unsigned int max, unsigned long pages);
void pcp_bag_free(struct pcp_trial *t, struct pcp_bag *bag);
gfp_t pcp_gfp_type(unsigned int i);
bool pcp_take(struct pcp_trial *t, struct pcp_bag *bag, gfp_t gfp,
	      unsigned int order);
bool pcp_keep(struct pcp_trial *t, struct pcp_bag *bag, struct page *page,
	      unsigned int order, bool folio);
void pcp_put(struct pcp_trial *t, struct pcp_bag *bag, unsigned int i);
void pcp_put_all(struct pcp_trial *t, struct pcp_bag *bag);
struct page *pcp_let(struct pcp_trial *t, struct pcp_bag *bag, unsigned int i);
void pcp_put_batch(struct pcp_trial *t, struct pcp_bag *bag, unsigned int n);

int pcp_set_fraction(struct pcp_trial *t, int fraction);
void pcp_need_fraction(struct pcp_trial *t, int fraction);

/* ---- block.c ---- */

bool pcp_page_listed(struct page *page);
unsigned long pcp_block_listed(struct page *block);
unsigned long pcp_block_stays(struct page *block);
struct page *pcp_block_free(void);
int pcp_block_isolate(struct page *block, int type);
void pcp_block_unisolate(struct page *block, int type);
void pcp_need_isolation(struct kunit *test);
void pcp_go_to(int cpu);
void pcp_go_anywhere(void);
int pcp_some_cpu(struct rnd_state *rnd);

/* ---- crew.c ---- */

#define PCP_CREW_MAX	16
#define PCP_ANY_CPU	(-1)

struct pcp_crew;
struct pcp_member;

typedef void (*pcp_turn_fn)(struct pcp_member *m);

struct pcp_member {
	struct pcp_crew *crew;
	struct task_struct *task;
	int cpu;			/* that it stays on, or PCP_ANY_CPU */
	pcp_turn_fn turn;
	bool ungated;			/* it takes the gate itself */
	struct pcp_bag bag;
	struct rnd_state rnd;
	unsigned long turns;
	unsigned long seen;		/* for the turn to count things in */

	bool timed;			/* a timer interrupts it */
	enum hrtimer_mode timer_mode;
	void (*on_timer)(struct pcp_member *m);
	struct hrtimer timer;
	struct pcp_bag timer_bag;
	struct rnd_state timer_rnd;
	unsigned long fired, nested;	/* nested: it interrupted its member */
};

struct pcp_crew {
	struct pcp_trial *t;
	/* Read: a turn is under way. Write: nobody allocates or frees. */
	struct rw_semaphore gate;
	bool stop, still, timed;
	unsigned int nr;
	struct pcp_member member[PCP_CREW_MAX];
};

struct pcp_crew *pcp_crew_new(struct pcp_trial *t);
struct pcp_member *pcp_crew_add(struct pcp_crew *crew, pcp_turn_fn turn,
				int cpu);
void pcp_crew_add_each_cpu(struct pcp_crew *crew, pcp_turn_fn turn);
void pcp_member_timer(struct pcp_member *m, enum hrtimer_mode mode,
		      void (*on_timer)(struct pcp_member *m));
void pcp_crew_start(struct pcp_crew *crew);
bool pcp_crew_busy(struct pcp_crew *crew, unsigned long since,
		   unsigned long turns);
unsigned long pcp_crew_turns(struct pcp_crew *crew);
void pcp_crew_watch(struct pcp_crew *crew);
void pcp_crew_pause(struct pcp_crew *crew);
void pcp_crew_resume(struct pcp_crew *crew);
void pcp_crew_end(struct pcp_crew *crew);
unsigned long pcp_crew_nested(struct pcp_crew *crew, unsigned long *fired);

void pcp_turn_churn(struct pcp_member *m);
void pcp_turn_surge(struct pcp_member *m);
void pcp_turn_wander(struct pcp_member *m);
void pcp_timer_churn(struct pcp_member *m);
void pcp_timer_put_batch(struct pcp_member *m);

/* ---- nested.c ---- */

void pcp_interrupted(struct pcp_trial *t, enum hrtimer_mode mode,
		     pcp_turn_fn turn, void (*on_timer)(struct pcp_member *m));
void pcp_need_hardirq(struct kunit *test);

/* ---- The suites, for suites.c ---- */

extern struct kunit_suite pcp_contract_suite, pcp_nested_suite;
extern struct kunit_suite pcp_drain_suite, pcp_faults_suite;

static inline unsigned int pcp_below(struct rnd_state *rnd, unsigned int n)
{
	return prandom_u32_state(rnd) % n;
}

#endif /* _MM_PCP_TEST_H */
