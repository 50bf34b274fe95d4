// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/pcplab: allocation workloads that run in the kernel, and region markers for user space.
 *
 * A write is one command, words separated by blanks, the first one its name; a read returns the
 * result of the last command written through the same open file, one line with a JSON object:
 *
 *	{"ops":20000,"ns":13942000,"region":0,"error":null}
 *
 * A command that cannot be carried out makes write() fail, and the object says why in "error".
 *
 *	begin				arm the instruments and start a region
 *	end				end it; "ns" is its length
 *	pairs order= n= seed=		allocate a block, free it, N times
 *	burst order= size= n= seed=	allocate SIZE blocks, then free them, N times
 *	bulk size= n= seed=		one bulk allocation of SIZE pages, then free them, N times
 *	prodcons order= size= n= seed=	allocate SIZE blocks on CPU 0, free them on CPU 1, N times
 *	drain				empty the lists of every CPU
 *	zones				sizes of CPU 0's lists, an array of objects, one a zone
 *	lru				empty the per-CPU batches of the LRU lists
 *	balance, holds, pauses		counts for tests, see counts.h
 *	reset				holds and pauses count from zero
 *	design				which design this is, and what its drains do to other CPUs
 *	calibrate NAME			make interrupts-off sections of known length
 *	trouble KIND			go wrong: warn, oops, interrupt, panic, stall, hang
 *
 * All but prodcons run in the writing task, which pins itself. A workload brings the lists into a
 * state that depends on the seed, arms the instruments, warms up with a tenth of the work (one turn
 * at least), and does the work in a region of its own. Inside the region there is nothing of ours
 * but the loop, so that instructions per operation are those of the allocator.
 *
 * One mutex serializes all commands of all users. It also guards the region's state.
 */
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/gfp.h>
#include <linux/hash.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/swap.h>
#include <linux/string_choices.h>
#include <linux/uaccess.h>

#include "../none/floor.h"
#include "counts.h"
#include "mark.h"

/* The floor holds interrupts off, where nothing can be reclaimed. */
#define BENCH_GFP_OFF		(IS_ENABLED(CONFIG_PCP_NONE) ? __GFP_DIRECT_RECLAIM : 0)
#define BENCH_GFP		((GFP_KERNEL | __GFP_NOWARN) & ~BENCH_GFP_OFF)
#define BENCH_COMMAND_MAX	256
#define BENCH_RESULT_MAX	2048
#define BENCH_FILL_MAX		64	/* blocks; about one batch */
#define BENCH_PHASE_MAX_US	4000	/* one tick at HZ=250 */
/* How many turns the loops make between two looks at pending signals. */
#define BENCH_CHUNK		4096UL

enum bench_key { KEY_ORDER, KEY_SIZE, KEY_N, KEY_SEED, NR_KEYS };

static const struct {
	const char *name;
	unsigned long min, max, def;
} bench_keys[NR_KEYS] = {
	[KEY_ORDER]	= { "order", 0, MAX_PAGE_ORDER, 0 },
	[KEY_SIZE]	= { "size", 1, 4096, 32 },
	[KEY_N]		= { "n", 1, 100000000, 1000 },
	[KEY_SEED]	= { "seed", 0, ULONG_MAX, 0 },
};

/*
 * The read position is ours: a write has to rewind it also when it fails, and then the file's own
 * position stays what it was.
 */
struct bench_file {
	loff_t pos;
	char result[BENCH_RESULT_MAX];
};

struct bench_job {
	const struct bench_kind *kind;
	unsigned long arg[NR_KEYS];
	struct page **pages;
	struct handover *handover;
	u64 ops;			/* counted by the loops, in operations of the workload */
};

struct bench_kind {
	const char *name;
	unsigned int keys;		/* bit mask of enum bench_key */
	int (*setup)(struct bench_job *job);
	int (*run)(struct bench_job *job, unsigned long turns);
	void (*teardown)(struct bench_job *job);
};

static DEFINE_MUTEX(bench_mutex);
/* The file whose `begin` has not seen its `end` yet, and when that was. Guarded by bench_mutex. */
static struct bench_file *bench_region_owner;
static u64 bench_region_ns;

static void bench_report(struct bench_file *file, u64 ops, u64 ns, int region)
{
	scnprintf(file->result, sizeof(file->result),
		  "{\"ops\":%llu,\"ns\":%llu,\"region\":%d,\"error\":null}\n", ops, ns, region);
}

/* Texts given here hold no quotes, backslashes or input of the user's: they go into JSON as is. */
static __printf(3, 4) int bench_refuse(struct bench_file *file, int err, const char *fmt, ...)
{
	struct va_format vaf;
	va_list args;

	va_start(args, fmt);
	vaf.fmt = fmt;
	vaf.va = &args;
	scnprintf(file->result, sizeof(file->result),
		  "{\"ops\":0,\"ns\":0,\"region\":null,\"error\":\"%pV\"}\n", &vaf);
	va_end(args);
	return err;
}

static int bench_pairs_chunk(unsigned int order, unsigned long turns)
{
	while (turns--) {
		struct page *page = alloc_pages(BENCH_GFP, order);

		if (unlikely(!page))
			return -ENOMEM;
		__free_pages(page, order);
	}
	return 0;
}

static int bench_pairs(struct bench_job *job, unsigned long turns)
{
	while (turns) {
		unsigned long chunk = min(turns, BENCH_CHUNK);
		unsigned long flags;
		int err;

		pcp_floor_begin(&flags);
		err = bench_pairs_chunk(job->arg[KEY_ORDER], chunk);
		pcp_floor_end(&flags);
		if (unlikely(err))
			return err;
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
		job->ops += chunk;
		turns -= chunk;
	}
	return 0;
}

/* Returns how many blocks are in @pages now: fewer than @size when memory ran out. */
static unsigned int bench_fill(struct page **pages, unsigned int size, unsigned int order)
{
	unsigned int i;

	for (i = 0; i < size; i++) {
		pages[i] = alloc_pages(BENCH_GFP, order);
		if (unlikely(!pages[i]))
			break;
	}
	return i;
}

static void bench_empty(struct page **pages, unsigned int size, unsigned int order)
{
	unsigned int i;

	for (i = 0; i < size; i++)
		__free_pages(pages[i], order);
}

static int bench_burst(struct bench_job *job, unsigned long turns)
{
	unsigned int order = job->arg[KEY_ORDER], size = job->arg[KEY_SIZE];

	while (turns--) {
		unsigned long flags;
		unsigned int got;

		pcp_floor_begin(&flags);
		got = bench_fill(job->pages, size, order);
		bench_empty(job->pages, got, order);
		pcp_floor_end(&flags);
		if (unlikely(got < size))
			return -ENOMEM;
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
		job->ops += size;
	}
	return 0;
}

/* The bulk allocator skips slots of the array that are not NULL, so each is cleared again. */
static int bench_bulk(struct bench_job *job, unsigned long turns)
{
	unsigned int size = job->arg[KEY_SIZE];

	while (turns--) {
		unsigned long i, got, flags;

		pcp_floor_begin(&flags);
		got = alloc_pages_bulk_array(BENCH_GFP, size, job->pages);
		for (i = 0; i < got; i++) {
			__free_page(job->pages[i]);
			job->pages[i] = NULL;
		}
		pcp_floor_end(&flags);
		if (unlikely(!got))
			return -ENOMEM;
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
		/* It may return fewer pages than asked for: what counts is what was done. */
		job->ops += got;
	}
	return 0;
}

/*
 * Producer and consumer. The array has one owner at a time, and passes from one to the other by
 * `full` and `empty`; `have` and `ops` pass with it. `have` == 0 tells the consumer that nothing
 * more comes in this round. A round is the warm-up or the measured work.
 */
struct handover {
	struct bench_job *job;
	struct task_struct *producer, *consumer;
	struct completion go_producer, go_consumer, done, full, empty;
	unsigned long turns;
	unsigned int have;
	bool stop;			/* written by the caller when a signal kills it */
	bool quit;			/* written by the caller before the last go_* */
	int err;			/* written by the producer, read after `done` */
};

/* A partial filling after running out of memory is handed over as well: the consumer frees it. */
static void bench_produce(struct handover *ho)
{
	struct bench_job *job = ho->job;
	unsigned int size = job->arg[KEY_SIZE];

	for (unsigned long left = ho->turns; left && !ho->err; left--) {
		ho->have = bench_fill(job->pages, size, job->arg[KEY_ORDER]);
		if (unlikely(ho->have < size))
			ho->err = -ENOMEM;
		else if (READ_ONCE(ho->stop))
			ho->err = -EINTR;
		if (unlikely(!ho->have))
			break;
		complete(&ho->full);
		wait_for_completion(&ho->empty);
	}
	ho->have = 0;
	complete(&ho->full);
}

static void bench_consume(struct handover *ho)
{
	struct bench_job *job = ho->job;

	for (;;) {
		wait_for_completion(&ho->full);
		if (!ho->have)
			return;
		bench_empty(job->pages, ho->have, job->arg[KEY_ORDER]);
		job->ops += ho->have;
		complete(&ho->empty);
	}
}

static int bench_producer(void *data)
{
	struct handover *ho = data;

	for (;;) {
		wait_for_completion(&ho->go_producer);
		if (ho->quit)
			return 0;
		bench_produce(ho);
		complete(&ho->done);
	}
}

static int bench_consumer(void *data)
{
	struct handover *ho = data;

	for (;;) {
		wait_for_completion(&ho->go_consumer);
		if (ho->quit)
			return 0;
		bench_consume(ho);
		complete(&ho->done);
	}
}

static int bench_prodcons(struct bench_job *job, unsigned long turns)
{
	struct handover *ho = job->handover;

	ho->turns = turns;
	complete(&ho->go_consumer);
	complete(&ho->go_producer);
	for (int i = 0; i < 2; i++) {
		if (!wait_for_completion_killable(&ho->done))
			continue;
		WRITE_ONCE(ho->stop, true);
		wait_for_completion(&ho->done);
	}
	return ho->err;
}

static struct task_struct *bench_thread(struct handover *ho, int (*fn)(void *), unsigned int cpu)
{
	struct task_struct *task = kthread_create_on_cpu(fn, ho, cpu, "pcplab/%u");

	if (IS_ERR(task))
		return NULL;
	/* It returns by itself when told to quit; with the reference, kthread_stop() waits. */
	get_task_struct(task);
	wake_up_process(task);
	return task;
}

static void bench_prodcons_teardown(struct bench_job *job)
{
	struct handover *ho = job->handover;

	ho->quit = true;
	complete(&ho->go_producer);
	complete(&ho->go_consumer);
	if (ho->producer)
		kthread_stop_put(ho->producer);
	if (ho->consumer)
		kthread_stop_put(ho->consumer);
	kfree(ho);
}

static int bench_prodcons_setup(struct bench_job *job)
{
	struct handover *ho;

	if (!cpu_online(0) || nr_cpu_ids < 2 || !cpu_online(1))
		return -ENODEV;
	ho = kzalloc(sizeof(*ho), GFP_KERNEL);
	if (!ho)
		return -ENOMEM;
	job->handover = ho;
	ho->job = job;
	init_completion(&ho->go_producer);
	init_completion(&ho->go_consumer);
	init_completion(&ho->done);
	init_completion(&ho->full);
	init_completion(&ho->empty);
	ho->producer = bench_thread(ho, bench_producer, 0);
	ho->consumer = bench_thread(ho, bench_consumer, 1);
	if (ho->producer && ho->consumer)
		return 0;
	bench_prodcons_teardown(job);
	return -ENOMEM;
}

static const struct bench_kind bench_kinds[] = {
	{ "pairs", BIT(KEY_ORDER) | BIT(KEY_N) | BIT(KEY_SEED), NULL, bench_pairs, NULL },
	{ "burst", BIT(KEY_ORDER) | BIT(KEY_SIZE) | BIT(KEY_N) | BIT(KEY_SEED),
	  NULL, bench_burst, NULL },
	{ "bulk", BIT(KEY_SIZE) | BIT(KEY_N) | BIT(KEY_SEED), NULL, bench_bulk, NULL },
	{ "prodcons", BIT(KEY_ORDER) | BIT(KEY_SIZE) | BIT(KEY_N) | BIT(KEY_SEED),
	  bench_prodcons_setup, bench_prodcons, bench_prodcons_teardown },
};

/*
 * What may legitimately differ from run to run: how many blocks the lists hold at the start, and
 * the position of the work relative to the tick. The lists start from empty, so that what an
 * earlier workload left does not matter.
 */
static int bench_perturb(struct bench_job *job)
{
	u64 hash = hash_64(job->arg[KEY_SEED] + 1, 64);
	unsigned int fill = hash % BENCH_FILL_MAX;
	unsigned int phase_us = (hash >> 32) % BENCH_PHASE_MAX_US;
	struct page **held;
	unsigned int got;

	held = kmalloc_array(BENCH_FILL_MAX, sizeof(*held), GFP_KERNEL);
	if (!held)
		return -ENOMEM;
	drain_all_pages(NULL);
	got = bench_fill(held, fill, job->arg[KEY_ORDER]);
	bench_empty(held, got, job->arg[KEY_ORDER]);
	kfree(held);
	/* Sleeping is free under emulation that skips idle time; a busy wait is dear. */
	usleep_range(phase_us + 1, phase_us + 1);
	return got < fill ? -ENOMEM : 0;
}

static int bench_measure(struct bench_file *file, struct bench_job *job)
{
	unsigned long turns = job->arg[KEY_N];
	u64 start, ns;
	int err;

	pcp_mark_arm();
	err = job->kind->run(job, max(turns / 10, 1UL));
	if (err)
		return err;
	job->ops = 0;
	start = ktime_get_ns();
	pcp_mark_begin();
	err = job->kind->run(job, turns);
	pcp_mark_end();
	ns = ktime_get_ns() - start;
	if (!err)
		bench_report(file, job->ops, ns, pcp_mark_region());
	return err;
}

static int bench_explain(struct bench_file *file, const struct bench_job *job, int err)
{
	const char *name = job->kind->name;

	switch (err) {
	case 0:
		return 0;
	case -ENODEV:
		return bench_refuse(file, err, "%s needs CPUs 0 and 1 online", name);
	case -ENOMEM:
		return bench_refuse(file, err,
				    "%s ran out of memory: use a smaller order or size", name);
	default:
		return bench_refuse(file, err, "%s was interrupted by a signal", name);
	}
}

static int bench_run(struct bench_file *file, struct bench_job *job)
{
	int err = -ENOMEM;

	job->pages = kvcalloc(job->arg[KEY_SIZE], sizeof(*job->pages), GFP_KERNEL);
	if (!job->pages)
		goto out;
	err = job->kind->setup ? job->kind->setup(job) : 0;
	if (err)
		goto out;
	err = bench_perturb(job);
	if (!err)
		err = bench_measure(file, job);
	if (job->kind->teardown)
		job->kind->teardown(job);
out:
	kvfree(job->pages);
	return bench_explain(file, job, err);
}

/* Reads "key=value" into @job, or explains what is wrong with it. */
static int bench_parse_arg(struct bench_file *file, struct bench_job *job, char *word,
			   unsigned long *seen)
{
	char *value = strchr(word, '=');
	unsigned long number;

	if (!value)
		return bench_refuse(file, -EINVAL, "an argument has no =: write key=value");
	*value++ = '\0';
	for (int key = 0; key < NR_KEYS; key++) {
		if (!(job->kind->keys & BIT(key)) || strcmp(word, bench_keys[key].name))
			continue;
		if (__test_and_set_bit(key, seen))
			return bench_refuse(file, -EINVAL, "%s is given twice", word);
		if (kstrtoul(value, 10, &number) || number < bench_keys[key].min ||
		    number > bench_keys[key].max)
			return bench_refuse(file, -EINVAL, "%s must be a number from %lu to %lu",
					    word, bench_keys[key].min, bench_keys[key].max);
		job->arg[key] = number;
		return 0;
	}
	return bench_refuse(file, -EINVAL,
			    "%s has no such argument: known are order, size (not pairs), n and seed; bulk has no order",
			    job->kind->name);
}

static int bench_workload(struct bench_file *file, const struct bench_kind *kind, char *args)
{
	struct bench_job job = { .kind = kind };
	unsigned long seen = 0;
	char *word;
	int err;

	for (int key = 0; key < NR_KEYS; key++)
		job.arg[key] = bench_keys[key].def;
	while ((word = strsep(&args, " ")) != NULL) {
		err = *word ? bench_parse_arg(file, &job, word, &seen) : 0;
		if (err)
			return err;
	}
	if (bench_region_owner)
		return bench_refuse(file, -EBUSY, "a region is open: write end first");
	return bench_run(file, &job);
}

static int bench_begin(struct bench_file *file)
{
	if (bench_region_owner)
		return bench_refuse(file, -EBUSY, "a region is open already: write end first");
	bench_region_owner = file;
	/* Said beforehand: a read right after begin would be part of the region. */
	bench_report(file, 0, 0, pcp_mark_region() + 1);
	pcp_mark_arm();
	bench_region_ns = ktime_get_ns();
	pcp_mark_begin();
	return 0;
}

static int bench_end(struct bench_file *file)
{
	u64 ns;

	if (bench_region_owner != file)
		return bench_refuse(file, -EINVAL, "no region is open here: write begin first");
	pcp_mark_end();
	ns = ktime_get_ns() - bench_region_ns;
	bench_region_owner = NULL;
	bench_report(file, 0, ns, pcp_mark_region());
	return 0;
}

static int bench_drain(struct bench_file *file)
{
	u64 start = ktime_get_ns();

	drain_all_pages(NULL);
	bench_report(file, 1, ktime_get_ns() - start, pcp_mark_region());
	return 0;
}

/* What a drain for CMA or memory offline waits for besides ours. */
static int bench_lru(struct bench_file *file)
{
	u64 start = ktime_get_ns();

	lru_add_drain_all();
	bench_report(file, 1, ktime_get_ns() - start, pcp_mark_region());
	return 0;
}

static int bench_reset(struct bench_file *file)
{
	pcp_counts_reset();
	bench_report(file, 1, 0, pcp_mark_region());
	return 0;
}

static const struct {
	const char *name;
	int (*answer)(char *result, size_t size);
} bench_counts[] = {
	{ "balance", pcp_counts_balance },
	{ "holds", pcp_counts_holds },
	{ "pauses", pcp_counts_pauses },
};

static int bench_count(struct bench_file *file, int i)
{
	int err = bench_counts[i].answer(file->result, sizeof(file->result) - 1);

	if (err)
		return bench_refuse(file, err, "%s needs a kernel with CONFIG_PCP_PROBE=y",
				    bench_counts[i].name);
	strlcat(file->result, "\n", sizeof(file->result));
	return 0;
}

/* What a test may expect of the design, so that it need not know designs by name. */
static int bench_design(struct bench_file *file)
{
	const char *exclusion = IS_ENABLED(CONFIG_PCP_LOCALTRY) ? "localtry" :
				IS_ENABLED(CONFIG_PCP_IPI_INHANDLER) ? "ipi-inhandler" :
				IS_ENABLED(CONFIG_PCP_IPI) ? "ipi" :
				IS_ENABLED(CONFIG_PCP_NONE) ? "none" :
				IS_ENABLED(CONFIG_PCP_BUSTED) ? "busted" : "spin";

	scnprintf(file->result, sizeof(file->result),
		  "{\"exclusion\":\"%s\",\"batched\":%s,\"bounded_refill\":%s,\"drain_waits\":%s,\"drain_interrupts\":%s,\"zones\":%d}\n",
		  exclusion, str_true_false(IS_ENABLED(CONFIG_PCP_BATCHED)),
		  str_true_false(IS_ENABLED(CONFIG_PCP_BOUNDED_REFILL)),
		  str_true_false(IS_ENABLED(CONFIG_PCP_DRAIN_WAITS)),
		  str_true_false(IS_ENABLED(CONFIG_PCP_DRAIN_INTERRUPTS)),
		  CONFIG_PCP_NORMAL_ZONES);
	return 0;
}

/* /proc/zoneinfo does not show high_min and high_max in 6.12. */
static int bench_zones(struct bench_file *file)
{
	size_t size = sizeof(file->result);
	struct zone *zone;
	int len = 0;

	for_each_populated_zone(zone) {
		struct per_cpu_pages *pcp = per_cpu_ptr(zone->per_cpu_pageset, 0);

		len += scnprintf(file->result + len, size - len,
				 "%c{\"node\":%d,\"zone\":\"%s\",\"batch\":%d,\"high\":%d,\"high_min\":%d,\"high_max\":%d}",
				 len ? ',' : '[', zone_to_nid(zone), zone->name,
				 READ_ONCE(pcp->batch), READ_ONCE(pcp->high),
				 READ_ONCE(pcp->high_min), READ_ONCE(pcp->high_max));
	}
	len += scnprintf(file->result + len, size - len, "]\n");
	if (len < size - 1)
		return 0;
	return bench_refuse(file, -E2BIG, "too many zones for one answer");
}

static int bench_calibrate(struct bench_file *file, const char *name)
{
	int err;

	if (!name)
		return bench_refuse(file, -EINVAL, "calibrate needs a name");
	if (bench_region_owner)
		return bench_refuse(file, -EBUSY, "a region is open: write end first");
	err = pcp_calibrate(name, file->result, sizeof(file->result));
	if (err)
		return bench_refuse(file, err,
				    "no such calibration, or it cannot run here (error %d)", -err);
	strlcat(file->result, "\n", sizeof(file->result));
	return 0;
}

/* An oops takes the mutex with it: what goes wrong here is not meant to be gone on with. */
static int bench_trouble(struct bench_file *file, const char *kind)
{
	if (!kind || pcp_trouble(kind))
		return bench_refuse(file, -EINVAL,
				    "no such trouble: known are warn, oops, interrupt, panic, stall, hang");
	bench_report(file, 1, 0, pcp_mark_region());
	return 0;
}

static int bench_command(struct bench_file *file, char *line)
{
	char *args = line, *name;

	name = strsep(&args, " ");
	for (int i = 0; i < ARRAY_SIZE(bench_kinds); i++)
		if (!strcmp(name, bench_kinds[i].name))
			return bench_workload(file, &bench_kinds[i], args);
	if (!strcmp(name, "calibrate"))
		return bench_calibrate(file, args);
	if (!strcmp(name, "trouble"))
		return bench_trouble(file, args);
	if (args)
		goto unknown;
	if (!strcmp(name, "begin"))
		return bench_begin(file);
	if (!strcmp(name, "end"))
		return bench_end(file);
	if (!strcmp(name, "drain"))
		return bench_drain(file);
	if (!strcmp(name, "zones"))
		return bench_zones(file);
	if (!strcmp(name, "lru"))
		return bench_lru(file);
	if (!strcmp(name, "reset"))
		return bench_reset(file);
	for (int i = 0; i < ARRAY_SIZE(bench_counts); i++)
		if (!strcmp(name, bench_counts[i].name))
			return bench_count(file, i);
	if (!strcmp(name, "design"))
		return bench_design(file);
unknown:
	return bench_refuse(file, -EINVAL,
			    "unknown command: known are begin, end, drain, zones, design, lru, balance, holds, pauses, reset (all without arguments), calibrate NAME, trouble KIND, pairs, burst, bulk, prodcons");
}

static ssize_t bench_write(struct file *filp, const char __user *buf, size_t len, loff_t *ppos)
{
	struct bench_file *file = filp->private_data;
	char line[BENCH_COMMAND_MAX];
	int err;

	if (mutex_lock_killable(&bench_mutex))
		return -EINTR;
	if (len >= sizeof(line)) {
		err = bench_refuse(file, -EINVAL, "a command has at most %zu characters",
				   sizeof(line) - 1);
	} else if (copy_from_user(line, buf, len)) {
		err = -EFAULT;
	} else {
		line[len] = '\0';
		err = bench_command(file, strim(line));
	}
	file->pos = 0;
	mutex_unlock(&bench_mutex);
	return err ? err : len;
}

static ssize_t bench_read(struct file *filp, char __user *buf, size_t len, loff_t *ppos)
{
	struct bench_file *file = filp->private_data;
	ssize_t ret;

	if (mutex_lock_killable(&bench_mutex))
		return -EINTR;
	ret = simple_read_from_buffer(buf, len, &file->pos, file->result,
				      strlen(file->result));
	mutex_unlock(&bench_mutex);
	return ret;
}

static int bench_open(struct inode *inode, struct file *filp)
{
	struct bench_file *file = kzalloc(sizeof(*file), GFP_KERNEL);

	if (!file)
		return -ENOMEM;
	filp->private_data = file;
	return 0;
}

/* A user that died inside its region must not keep the next one from measuring. */
static int bench_release(struct inode *inode, struct file *filp)
{
	struct bench_file *file = filp->private_data;

	mutex_lock(&bench_mutex);
	if (bench_region_owner == file)
		bench_end(file);
	mutex_unlock(&bench_mutex);
	kfree(file);
	return 0;
}

static const struct file_operations bench_fops = {
	.owner		= THIS_MODULE,
	.open		= bench_open,
	.release	= bench_release,
	.read		= bench_read,
	.write		= bench_write,
	.llseek		= noop_llseek,
};

static struct miscdevice bench_device = {
	.minor	= MISC_DYNAMIC_MINOR,
	.name	= "pcplab",
	.fops	= &bench_fops,
	.mode	= 0600,
};

builtin_misc_device(bench_device);
