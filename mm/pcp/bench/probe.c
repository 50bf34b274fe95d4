// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts of holds and pauses, for tests. Each CPU writes its own; a reader adds
 * them up, and may be a few events late.
 */
#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/mmzone.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "counts.h"
#include "probe.h"

#undef MODULE_PARAM_PREFIX
#define MODULE_PARAM_PREFIX "pcp_probe."

static unsigned int pause_every;
module_param(pause_every, uint, 0644);
MODULE_PARM_DESC(pause_every, "Pause once in so many calls; 0: never");

static unsigned int pause_us = 100;
module_param(pause_us, uint, 0644);
MODULE_PARM_DESC(pause_us, "Microseconds of a pause");

/*
 * A run is what holds moved one after the other while interrupts stayed off. Two
 * interrupts that follow each other look like one, so it may be too long: for
 * one event after a reset it is exact.
 */
struct pcp_probe_count {
	unsigned long holds, pages, longest, run, longest_run;
};

static DEFINE_PER_CPU(struct pcp_probe_count [NR_PCP_PROBE_KINDS], pcp_probe_counts);
static DEFINE_PER_CPU(unsigned int, pcp_probe_calls);
static atomic_long_t pcp_probe_pauses, pcp_probe_moves;

static const char * const pcp_probe_names[NR_PCP_PROBE_KINDS] = {
	[PCP_PROBE_SPILL]	= "spill",
	[PCP_PROBE_REFILL]	= "refill",
	[PCP_PROBE_DECAY]	= "decay",
	[PCP_PROBE_DRAIN]	= "drain",
};

void pcp_probe_hold(enum pcp_probe_kind kind, int pages, bool off)
{
	struct pcp_probe_count *c = &(*this_cpu_ptr(&pcp_probe_counts))[kind];

	c->holds++;
	c->pages += pages;
	c->longest = max_t(unsigned long, c->longest, pages);
	c->run = off ? c->run + pages : pages;
	c->longest_run = max(c->longest_run, c->run);
	if (!off)
		c->run = 0;
}

static bool pcp_probe_can_move(void)
{
#ifdef CONFIG_SMP
	return !current->migration_disabled && current->nr_cpus_allowed > 1;
#else
	return false;
#endif
}

void pcp_probe_pause(void)
{
	unsigned int every = READ_ONCE(pause_every);
	bool can_move;
	int cpu;

	if (!every || !preemptible() || this_cpu_inc_return(pcp_probe_calls) % every)
		return;
	can_move = pcp_probe_can_move();
	cpu = raw_smp_processor_id();
	udelay(min(READ_ONCE(pause_us), 1000U));
	if (can_move)
		atomic_long_inc(&pcp_probe_pauses);
	if (cpu != raw_smp_processor_id())
		atomic_long_inc(&pcp_probe_moves);
}

static void pcp_probe_add(struct pcp_probe_count *sum, const struct pcp_probe_count *c)
{
	sum->holds += READ_ONCE(c->holds);
	sum->pages += READ_ONCE(c->pages);
	sum->longest = max(sum->longest, READ_ONCE(c->longest));
	sum->longest_run = max(sum->longest_run, READ_ONCE(c->longest_run));
}

int pcp_counts_holds(char *result, size_t size)
{
	int len = scnprintf(result, size, "{\"scale\":%d", CONFIG_PCP_BATCH_SCALE_MAX);

	for (int kind = 0; kind < NR_PCP_PROBE_KINDS; kind++) {
		struct pcp_probe_count sum = { 0 };
		int cpu;

		for_each_possible_cpu(cpu)
			pcp_probe_add(&sum, &per_cpu(pcp_probe_counts, cpu)[kind]);
		len += scnprintf(result + len, size - len,
				 ",\"%s\":{\"holds\":%lu,\"pages\":%lu,\"longest\":%lu,\"run\":%lu}",
				 pcp_probe_names[kind], sum.holds, sum.pages, sum.longest,
				 sum.longest_run);
	}
	scnprintf(result + len, size - len, "}");
	return 0;
}

void pcp_counts_reset(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		memset(&per_cpu(pcp_probe_counts, cpu), 0, sizeof(pcp_probe_counts));
	atomic_long_set(&pcp_probe_pauses, 0);
	atomic_long_set(&pcp_probe_moves, 0);
}

int pcp_counts_pauses(char *result, size_t size)
{
	scnprintf(result, size, "{\"pauses\":%ld,\"moved\":%ld}",
		  atomic_long_read(&pcp_probe_pauses), atomic_long_read(&pcp_probe_moves));
	return 0;
}
