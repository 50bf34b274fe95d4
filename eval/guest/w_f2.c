// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * f2: processes exit, and are moved to other CPUs while a design has let go in the middle of freeing
 * their memory (2025). A design that then leaves a section that it is not in is found by lockdep,
 * whose complaint the host sees on the console.
 */
#include <stdio.h>
#include <string.h>

#include "stress.h"

#define LEAST_PAUSES	100

static int probe(const char *name, long value)
{
	char path[96];

	snprintf(path, sizeof(path), "/sys/module/pcp_probe/parameters/%s", name);
	return sys_write_long(path, value);
}

static int f2(struct job *job, struct result *res)
{
	struct stress *s = stress_new(job);
	long pauses, moved;

	if (!s)
		return result_fail(res, "no memory to share with the activities");
	if (probe("pause_us", 500) || probe("pause_every", 1))
		return result_skip(res, "this kernel cannot pause at batch boundaries: it needs CONFIG_PCP_PROBE=y");
	if (stress_run(s, ACT(TOUCH) | ACT(EXIT) | ACT(DRAIN) | ACT(SYSCTL), job_param(job, "secs"), res))
		return -1;
	pauses = device_count("pauses", "pauses");
	moved = device_count("pauses", "moved");
	result_metric(res, "pauses", pauses);
	result_metric(res, "moved", moved);
	res->ops = s->done[ACT_EXIT];
	/* A design that never lets go, or keeps the task on its CPU, has nothing to show here. */
	if (pauses >= LEAST_PAUSES && !moved)
		return result_fail(res, "no task moved in %ld pauses at batch boundaries: the fault was not provoked",
				   pauses);
	return 0;
}

GUEST_WORKLOAD(f2, f2);
