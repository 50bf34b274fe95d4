// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shows how often letting go of a per-CPU list ended in which way. One line
 * each, name and count over all CPUs since boot; reading does not stop the
 * counting, so the figures may be a few events apart.
 */
#include <linux/debugfs.h>
#include <linux/init.h>
#include <linux/seq_file.h>

#include "relock.h"

DEFINE_PER_CPU(struct pcp_relock_counts, pcp_relock_counts);

static const char * const pcp_relock_names[NR_PCP_RELOCK_EVENTS] = {
	[PCP_RELOCK_SAME]	= "same",
	[PCP_RELOCK_MOVED]	= "moved",
	[PCP_RELOCK_BUSY]	= "busy",
	[PCP_RELOCK_ATOMIC]	= "atomic",
};

static int pcp_relock_show(struct seq_file *m, void *v)
{
	int cpu, i;

	for (i = 0; i < NR_PCP_RELOCK_EVENTS; i++) {
		unsigned long sum = 0;

		for_each_possible_cpu(cpu)
			sum += READ_ONCE(per_cpu(pcp_relock_counts, cpu).event[i]);
		seq_printf(m, "%s %lu\n", pcp_relock_names[i], sum);
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(pcp_relock);

static int __init pcp_relock_init(void)
{
	debugfs_create_file("pcp_relock", 0444, NULL, NULL, &pcp_relock_fops);
	return 0;
}
late_initcall(pcp_relock_init);
