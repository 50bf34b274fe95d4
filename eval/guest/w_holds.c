// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * f5, f8 and f13: how long holds of zone->lock get, counted in pages.
 *
 *   f5	 big processes exit together (2024)
 *   f8	 a drain frees whole lists (2024)
 *   f13 one drain frees the lists of all CPUs
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sys.h"

/* The last block of a hold may be larger than what was left to move. */
#define OVERSHOOT	((1 << 3) - 1)
#define LIST_MB		40

/* Blocks of THP size would be a hold of their own, in every design. */
static void only_small_blocks(void)
{
	sys_write("/sys/kernel/mm/transparent_hugepage/enabled", "never");
}

/* What the design promises, in pages; the kernel says which bound it was built with. */
static long promised(const struct design *d, long batch)
{
	return d->batched ? batch : batch << device_count("holds", "scale");
}

static int prepare(struct design *d, long *batch, struct result *res)
{
	*batch = sys_batch();
	if (*batch <= 0)
		return result_fail(res, "/proc/zoneinfo tells of no batch");
	if (device_count("holds", "scale") < 0)
		return result_skip(res, "this kernel does not count holds: it needs CONFIG_PCP_PROBE=y");
	device_design(d);
	only_small_blocks();
	result_metric(res, "batch", *batch);
	return 0;
}

static int reset(struct result *res)
{
	char answer[DEVICE_ANSWER_MAX];

	return device_command(answer, sizeof(answer), "reset") ? result_fail(res, "cannot reset the counts") : 0;
}

static int f5(struct job *job, struct result *res)
{
	struct avalanche av = { .job = job, .procs = job_param(job, "procs"),
				.pages_each = MB_PAGES(job_param(job, "mb")) };
	struct design d;
	long batch, longest;

	if (prepare(&d, &batch, res) || reset(res) || avalanche_start(&av, res))
		return -1;
	if (avalanche_end(&av))
		return result_fail(res, "a process did not exit by itself");
	longest = device_count("holds", "spill.longest");
	result_metric(res, "spills", device_count("holds", "spill.holds"));
	result_metric(res, "longest_spill_pages", longest);
	result_metric(res, "longest_refill_pages", device_count("holds", "refill.longest"));
	res->ops = avalanche_pages(&av);
	if (device_count("holds", "spill.pages") < (long)res->ops / 2)
		return result_fail(res, "only %ld of %llu freed pages were spilled: the lists kept the rest",
				   device_count("holds", "spill.pages"), (unsigned long long)res->ops);
	if (longest > promised(&d, batch) + OVERSHOOT)
		return result_fail(res, "a spill moved %ld pages in one hold; the design promises %ld", longest,
				   promised(&d, batch));
	if (longest > batch + OVERSHOOT)
		return result_known(res, "a spill moved %ld pages in one hold, %ld batches: the design moves all at once",
				    longest, longest / batch);
	if (promised(&d, batch) > batch)
		return result_fail(res, "no hold was longer than a batch, and the design bounds none: the avalanche provoked nothing");
	return 0;
}

/* Frees much at once on one CPU; its list keeps as much as it may. */
static void fill(unsigned int cpu, void *arg)
{
	long pages = MB_PAGES(LIST_MB);
	char *mem;

	(void)arg;
	if (pin_to_cpu(cpu))
		_exit(1);
	mem = touch_pages(pages);
	if (!mem)
		_exit(1);
	munmap(mem, pages * GUEST_PAGE);
}

/* One after the other: an emptied list is not filled by somebody else's drain. */
static int fill_lists(unsigned int cpus, long least, struct result *res)
{
	for (unsigned int cpu = 0; cpu < cpus; cpu++) {
		pid_t pid = fork();

		if (!pid) {
			fill(cpu, NULL);
			_exit(0);
		}
		if (pid < 0 || reap(pid, "the filler of lists", res))
			return -1;
	}
	for (unsigned int cpu = 0; cpu < cpus; cpu++)
		if (sys_listed(cpu) < least)
			return result_fail(res, "the lists of CPU %u hold %ld pages; the test needs %ld", cpu,
					   sys_listed(cpu), least);
	return 0;
}

/* Fills the lists of the first @cpus CPUs, and drains all. */
static int drain_full(unsigned int cpus, long bound, struct result *res)
{
	char answer[DEVICE_ANSWER_MAX];
	int err;

	/* As long as lists can get. */
	if (sys_write("/proc/sys/vm/percpu_pagelist_high_fraction", "8"))
		return result_fail(res, "cannot lengthen the lists");
	if (fill_lists(cpus, bound + bound / 2, res) || reset(res))
		return -1;
	err = device_command(answer, sizeof(answer), "drain");
	sys_write("/proc/sys/vm/percpu_pagelist_high_fraction", "0");
	if (err)
		return result_fail(res, "cannot drain: %s", strerror(-err));
	result_metric(res, "drain_holds", device_count("holds", "drain.holds"));
	result_metric(res, "drained_pages", device_count("holds", "drain.pages"));
	result_metric(res, "longest_drain_pages", device_count("holds", "drain.longest"));
	result_metric(res, "longest_drain_run_pages", device_count("holds", "drain.run"));
	res->ops = device_count("holds", "drain.pages");
	if (device_count("holds", "drain.pages") < (long)cpus * bound)
		return result_fail(res, "the drain freed only %ld pages", device_count("holds", "drain.pages"));
	return 0;
}

static int f8(struct job *job, struct result *res)
{
	struct design d;
	long batch;

	(void)job;
	if (prepare(&d, &batch, res) || drain_full(1, promised(&d, batch), res))
		return -1;
	if (device_count("holds", "drain.longest") > promised(&d, batch) + OVERSHOOT)
		return result_fail(res, "a drain freed %ld pages in one hold; the design promises %ld",
				   device_count("holds", "drain.longest"), promised(&d, batch));
	return 0;
}

static int f13(struct job *job, struct result *res)
{
	struct design d;
	long batch, run;

	(void)job;
	if (prepare(&d, &batch, res) ||
	    drain_full(sysconf(_SC_NPROCESSORS_ONLN), promised(&d, batch), res))
		return -1;
	run = device_count("holds", "drain.run");
	if (run <= promised(&d, batch) + OVERSHOOT)
		return 0;
	if (d.interrupts)
		return result_known(res, "a drain freed %ld pages while interrupts stayed off: the design frees whole lists in an interrupt handler",
				    run);
	return result_fail(res, "a drain freed %ld pages while interrupts stayed off; the design promises %ld", run,
			   promised(&d, batch));
}

GUEST_WORKLOAD(f5, f5);
GUEST_WORKLOAD(f8, f8);
GUEST_WORKLOAD(f13, f13);
