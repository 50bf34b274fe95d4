// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pages that a test holds and watches, and the balance of all memory.
 *
 * A page that is handed out twice is seen when the second one takes it: a bit
 * for each page frame says who is held. A page that somebody else writes to is
 * seen when it is freed: each page held carries a number of its own. A page
 * that is lost is seen in the balance: what the buddy allocator has, what the
 * lists say they have, what the test holds, and what the kernel counts as its
 * own use must stay the same sum. The last part makes it exact: with the
 * kernel's own use left out, every slab that comes or goes would be noise.
 */
#include <linux/bitmap.h>
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/memblock.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/pagevec.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <linux/vmstat.h>

#include "../../internal.h"
#include "test.h"

#undef MODULE_PARAM_PREFIX
#define MODULE_PARAM_PREFIX "pcp_kunit."

#define PCP_FRACTION_FILE "/proc/sys/vm/percpu_pagelist_high_fraction"

static unsigned long pcp_seed = 1;
module_param_named(seed, pcp_seed, ulong, 0644);
MODULE_PARM_DESC(seed, "what the random choices of the tests derive from");

static unsigned int pcp_msecs = 400;
module_param_named(msecs, pcp_msecs, uint, 0644);
MODULE_PARM_DESC(msecs, "how long each crowded test goes on at least");

/**
 * pcp_test_msecs() - how long a crowded test goes on at least
 *
 * Return: Milliseconds.
 */
unsigned int pcp_test_msecs(void)
{
	return READ_ONCE(pcp_msecs);
}

/* ---- The trial ---- */

/**
 * pcp_trial_init() - prepare one test case; the suites' init
 * @test: its private data becomes the trial
 *
 * Return: 0 or -ENOMEM.
 */
int pcp_trial_init(struct kunit *test)
{
	struct pcp_trial *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);

	if (!t)
		return -ENOMEM;
	t->held = vzalloc(BITS_TO_LONGS(max_pfn) * sizeof(long));
	if (!t->held)
		return -ENOMEM;
	t->test = test;
	t->seed = READ_ONCE(pcp_seed);
	t->fraction = -1;
	test->priv = t;
	return 0;
}

/**
 * pcp_trial_exit() - the suites' exit
 * @test: test case, also one that was skipped in its init
 */
void pcp_trial_exit(struct kunit *test)
{
	struct pcp_trial *t = test->priv;

	if (!t)
		return;
	if (t->fraction >= 0)
		pcp_set_fraction(t, t->fraction);
	vfree(t->held);
}

/**
 * pcp_blame() - say that something is wrong; the first one is kept
 * @t: trial
 * @fmt: printf format of one line
 *
 * Context: Any but NMI: assertions of KUnit work in the test's own thread only.
 */
void pcp_blame(struct pcp_trial *t, const char *fmt, ...)
{
	va_list args;

	if (atomic_xchg(&t->blamed, 1))
		return;
	va_start(args, fmt);
	vscnprintf(t->blame, sizeof(t->blame), fmt, args);
	va_end(args);
	/* Pairs with pcp_verdict(): whoever sees the flag sees the text. */
	smp_store_release(&t->blame_ready, true);
}

/**
 * pcp_blamed() - has anything gone wrong?
 * @t: trial
 *
 * Return: True since the first pcp_blame().
 */
bool pcp_blamed(struct pcp_trial *t)
{
	return atomic_read(&t->blamed);
}

/**
 * pcp_verdict() - fail the test when something went wrong
 * @t: trial, when nobody works for it any more
 */
void pcp_verdict(struct pcp_trial *t)
{
	/* Pairs with pcp_blame(). */
	if (smp_load_acquire(&t->blame_ready))
		KUNIT_FAIL(t->test, "%s", t->blame);
}

/* ---- The balance ---- */

static long pcp_node_sum(pg_data_t *pgdat, enum node_stat_item item)
{
	long sum = atomic_long_read(&pgdat->vm_stat[item]);
#ifdef CONFIG_SMP
	int cpu;

	for_each_possible_cpu(cpu)
		sum += per_cpu_ptr(pgdat->per_cpu_nodestats,
				   cpu)->vm_node_stat_diff[item];
#endif
	return sum;
}

/* Pages that the kernel knows it uses; those that go up and down beside us. */
static long pcp_node_used(pg_data_t *pgdat)
{
	long used = pcp_node_sum(pgdat, NR_SLAB_RECLAIMABLE_B) +
		    pcp_node_sum(pgdat, NR_SLAB_UNRECLAIMABLE_B) +
		    pcp_node_sum(pgdat, NR_PAGETABLE) +
		    pcp_node_sum(pgdat, NR_FILE_PAGES) +
		    pcp_node_sum(pgdat, NR_ANON_MAPPED);

	/* Else they are in vmalloc's count. */
	if (!IS_ENABLED(CONFIG_VMAP_STACK))
		used += pcp_node_sum(pgdat, NR_KERNEL_STACK_KB) /
			(PAGE_SIZE / SZ_1K);
	return used;
}

/**
 * pcp_listed() - pages on the lists of a zone, by their own count
 * @zone: zone
 *
 * Context: Any; exact only while nobody allocates or frees.
 * Return: Number of pages on all CPUs' lists.
 */
long pcp_listed(struct zone *zone)
{
	long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu_ptr(zone->per_cpu_pageset, cpu)->count);
	return sum;
}

static long pcp_sum(struct pcp_trial *t)
{
	long sum = atomic_long_read(&t->held_pages) + vmalloc_nr_pages() +
		   pcpu_nr_pages();
	pg_data_t *pgdat;
	struct zone *zone;

	for_each_online_pgdat(pgdat)
		sum += pcp_node_used(pgdat);
	for_each_populated_zone(zone)
		sum += zone_page_state_snapshot(zone, NR_FREE_PAGES) +
		       pcp_listed(zone);
	return sum;
}

/**
 * pcp_balance_start() - remember the sum of all pages
 * @t: trial; waits until the sum stays the same for a while
 */
void pcp_balance_start(struct pcp_trial *t)
{
	int same = 0, tries;

	/* Threads that ended leave their stack one grace period, and a second. */
	rcu_barrier();
	rcu_barrier();
	t->balance = pcp_sum(t);
	for (tries = 0; tries < 400 && same < 5; tries++) {
		long sum;

		usleep_range(2000, 4000);
		sum = pcp_sum(t);
		same = sum == t->balance ? same + 1 : 0;
		t->balance = sum;
	}
	if (same < 5)
		pcp_blame(t, "memory is not at rest before the test");
}

/**
 * pcp_balance_shift() - the test made pages vanish from the sum, or come back
 * @t: trial
 * @pages: how many more there should be
 */
void pcp_balance_shift(struct pcp_trial *t, long pages)
{
	t->balance += pages;
}

/**
 * pcp_balance() - the sum of all pages must be what it was
 * @t: trial; its threads rest or have ended
 * @when: completes the sentence of the complaint, e.g. "after a drain"
 *
 * Somebody else may be half way between taking a page and counting it, so it
 * looks again for a while. A lost page does not come back.
 */
void pcp_balance(struct pcp_trial *t, const char *when)
{
	long off = 0;
	int tries;

	for (tries = 0; tries < 500 && !pcp_blamed(t); tries++) {
		off = pcp_sum(t) - t->balance;
		if (!off)
			return;
		usleep_range(1000, 10000);
	}
	pcp_blame(t, "%ld pages %s %s", abs(off),
		  off < 0 ? "are lost" : "are too many", when);
}

/**
 * pcp_watch_counters() - no counter of any list may be negative
 * @t: trial
 *
 * Context: Any; the lists may be in use.
 */
void pcp_watch_counters(struct pcp_trial *t)
{
	struct zone *zone;
	int cpu;

	for_each_populated_zone(zone) {
		for_each_possible_cpu(cpu) {
			struct per_cpu_pages *pcp =
				per_cpu_ptr(zone->per_cpu_pageset, cpu);
			int count = READ_ONCE(pcp->count);
			int free_count = READ_ONCE(pcp->free_count);

			if (count < 0)
				pcp_blame(t, "count of CPU %d is %d", cpu,
					  count);
			if (free_count < 0)
				pcp_blame(t, "free_count of CPU %d is %d", cpu,
					  free_count);
		}
	}
}

/* ---- Bags ---- */

/**
 * pcp_bag_init() - make an empty bag
 * @bag: bag
 * @max: blocks that fit
 * @pages: pages that fit
 *
 * Return: 0 or -ENOMEM.
 */
int pcp_bag_init(struct pcp_bag *bag, unsigned int max, unsigned long pages)
{
	bag->block = kvcalloc(max, sizeof(*bag->block), GFP_KERNEL);
	bag->nr = 0;
	bag->pages = 0;
	bag->max = max;
	bag->max_pages = pages;
	return bag->block ? 0 : -ENOMEM;
}

/**
 * pcp_bag_free() - free what is in a bag, and the bag
 * @t: trial
 * @bag: bag; one that was never made will do
 */
void pcp_bag_free(struct pcp_trial *t, struct pcp_bag *bag)
{
	pcp_put_all(t, bag);
	kvfree(bag->block);
	bag->block = NULL;
}

/**
 * pcp_gfp_type() - the flags that ask for each migrate type with lists
 * @i: any number
 *
 * Return: Flags to be added to others.
 */
gfp_t pcp_gfp_type(unsigned int i)
{
	static const gfp_t types[] = { 0, __GFP_MOVABLE, __GFP_RECLAIMABLE };

	BUILD_BUG_ON(ARRAY_SIZE(types) != MIGRATE_PCPTYPES);
	return types[i % ARRAY_SIZE(types)];
}

static u64 *pcp_stamp_of(struct page *page)
{
	return page_address(page);
}

/**
 * pcp_keep() - take over a block that was just allocated
 * @t: trial
 * @bag: bag with room for it
 * @page: its first page
 * @order: its order
 * @folio: is it compound?
 *
 * A page that is held already stays with its first holder.
 *
 * Context: Any; the caller owns @bag.
 * Return: False when something is wrong with it, which is blamed.
 */
bool pcp_keep(struct pcp_trial *t, struct pcp_bag *bag, struct page *page,
	      unsigned int order, bool folio)
{
	unsigned long pfn = page_to_pfn(page), i;
	u64 stamp = atomic64_add_return(1UL << order, &t->stamps);

	if (!IS_ALIGNED(pfn, 1UL << order)) {
		pcp_blame(t, "page %#lx is no block of order %u", pfn, order);
		return false;
	}
	for (i = 0; i < 1UL << order; i++) {
		if (test_and_set_bit(pfn + i, t->held)) {
			pcp_blame(t, "page %#lx was handed out twice", pfn + i);
			return false;
		}
		WRITE_ONCE(*pcp_stamp_of(page + i), stamp + i);
	}
	atomic_long_add(1L << order, &t->held_pages);
	bag->block[bag->nr++] = (struct pcp_block){ page, order, folio, stamp };
	bag->pages += 1UL << order;
	return true;
}

/**
 * pcp_take() - allocate a block and hold it
 * @t: trial
 * @bag: bag
 * @gfp: flags; __GFP_COMP makes a folio
 * @order: order
 *
 * Context: As the allocation's.
 * Return: False when the bag is full, there is no memory, or it is blamed.
 */
bool pcp_take(struct pcp_trial *t, struct pcp_bag *bag, gfp_t gfp,
	      unsigned int order)
{
	struct page *page;

	if (bag->nr == bag->max || bag->pages + (1UL << order) > bag->max_pages)
		return false;
	page = alloc_pages(gfp, order);
	return page && pcp_keep(t, bag, page, order, gfp & __GFP_COMP);
}

/**
 * pcp_let() - take a block out of a bag, for the caller to free
 * @t: trial
 * @bag: bag
 * @i: index of the block; the last one takes its place
 *
 * Return: The block's first page.
 */
struct page *pcp_let(struct pcp_trial *t, struct pcp_bag *bag, unsigned int i)
{
	struct pcp_block b = bag->block[i];
	unsigned long pfn = page_to_pfn(b.page), k;

	for (k = 0; k < 1UL << b.order; k++) {
		if (READ_ONCE(*pcp_stamp_of(b.page + k)) != b.stamp + k)
			pcp_blame(t, "page %#lx was written to by another",
				  pfn + k);
		if (!test_and_clear_bit(pfn + k, t->held))
			pcp_blame(t, "page %#lx was freed twice", pfn + k);
	}
	atomic_long_sub(1L << b.order, &t->held_pages);
	bag->block[i] = bag->block[--bag->nr];
	bag->pages -= 1UL << b.order;
	return b.page;
}

/**
 * pcp_put() - check and free one block of a bag
 * @t: trial
 * @bag: bag
 * @i: index of the block
 */
void pcp_put(struct pcp_trial *t, struct pcp_bag *bag, unsigned int i)
{
	unsigned int order = bag->block[i].order;

	__free_pages(pcp_let(t, bag, i), order);
}

/**
 * pcp_put_all() - check and free what is in a bag
 * @t: trial
 * @bag: bag
 */
void pcp_put_all(struct pcp_trial *t, struct pcp_bag *bag)
{
	while (bag->nr)
		pcp_put(t, bag, bag->nr - 1);
}

/**
 * pcp_put_batch() - free folios of a bag in one batch
 * @t: trial
 * @bag: bag
 * @n: how many at most; others than folios stay
 */
void pcp_put_batch(struct pcp_trial *t, struct pcp_bag *bag, unsigned int n)
{
	struct folio_batch folios;
	unsigned int i = bag->nr;

	folio_batch_init(&folios);
	while (i-- && n) {
		if (!bag->block[i].folio)
			continue;
		n--;
		if (!folio_batch_add(&folios, page_folio(pcp_let(t, bag, i))))
			folios_put(&folios);
	}
	if (folio_batch_count(&folios))
		folios_put(&folios);
}

/* ---- The size of the lists ---- */

static int pcp_get_fraction(void)
{
	struct file *file = filp_open(PCP_FRACTION_FILE, O_RDONLY, 0);
	char text[16] = "";
	loff_t pos = 0;
	int value, err;

	if (IS_ERR(file))
		return PTR_ERR(file);
	kernel_read(file, text, sizeof(text) - 1, &pos);
	filp_close(file, NULL);
	err = kstrtoint(strim(text), 10, &value);
	return err ?: value;
}

/**
 * pcp_set_fraction() - write vm.percpu_pagelist_high_fraction
 * @t: trial; what was there before is restored after it
 * @fraction: 0 for lists that adjust themselves, 8 or more for fixed ones of
 *            that part of the zone
 *
 * Context: Task; waits for zone_pcp_enable().
 * Return: 0 or a negative errno.
 */
int pcp_set_fraction(struct pcp_trial *t, int fraction)
{
	struct file *file;
	char text[16];
	loff_t pos = 0;
	ssize_t n;

	if (t->fraction < 0)
		t->fraction = pcp_get_fraction();
	if (t->fraction < 0)
		return t->fraction;
	file = filp_open(PCP_FRACTION_FILE, O_WRONLY, 0);
	if (IS_ERR(file))
		return PTR_ERR(file);
	n = kernel_write(file, text, scnprintf(text, sizeof(text), "%d\n",
					       fraction), &pos);
	filp_close(file, NULL);
	return n < 0 ? n : 0;
}

/**
 * pcp_need_fraction() - as pcp_set_fraction(), and skip the case if it fails
 * @t: trial
 * @fraction: as above
 *
 * Context: The test's own thread, while no crew works.
 */
void pcp_need_fraction(struct pcp_trial *t, int fraction)
{
	int err = pcp_set_fraction(t, fraction);

	if (err)
		kunit_skip(t->test, "cannot write " PCP_FRACTION_FILE ": %d",
			   err);
}
