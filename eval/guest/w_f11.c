// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * f11: drains by a task and by reclaim while memory is short and the machine swaps (2017: work on a
 * queue without a rescuer never ran, as no worker could be created).
 */
#include <errno.h>
#include <string.h>

#include "stress.h"

#define SWAP_MB 1024

static int f11(struct job *job, struct result *res)
{
	struct stress *s = stress_new(job);
	long swapped, reclaimed;

	if (!s)
		return result_fail(res, "no memory to share with the activities");
	/* See w_stress.c. */
	sys_write_long("/proc/sys/vm/min_free_kbytes", 16384);
	if (zram_swap_on(SWAP_MB, res))
		return -1;
	swapped = sys_read_field("/proc/vmstat", "pswpout");
	reclaimed = sys_read_field("/proc/vmstat", "pgscan_direct");
	if (stress_run(s, ACT(PRESS) | ACT(TOUCH) | ACT(EXIT) | ACT(DRAIN), job_param(job, "secs"), res))
		return -1;
	swapped = sys_read_field("/proc/vmstat", "pswpout") - swapped;
	reclaimed = sys_read_field("/proc/vmstat", "pgscan_direct") - reclaimed;
	result_metric(res, "swapped_pages", swapped);
	result_metric(res, "direct_reclaim_scanned", reclaimed);
	result_metric(res, "drains_first_half", s->halves[0]);
	result_metric(res, "drains_second_half", s->halves[1]);
	res->ops = s->done[ACT_DRAIN];
	if (swapped <= 0 || reclaimed <= 0)
		return result_fail(res, "%ld pages were swapped out and %ld scanned by direct reclaim: memory was not short",
				   swapped, reclaimed);
	if (!s->halves[1])
		return result_fail(res, "no drain came back in the second half, after %lu in the first", s->halves[0]);
	return zram_swap_off(res);
}

GUEST_WORKLOAD(f11, f11);
