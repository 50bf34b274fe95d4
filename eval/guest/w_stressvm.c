// SPDX-License-Identifier: GPL-2.0-or-later
/* stressvm: stress-ng's vm stressor. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guest.h"

static int run(struct job *job, struct result *res)
{
	char procs[24], bytes[24], ops[24], seed[24], *text;
	char *argv[] = { "/usr/bin/stress-ng", "--vm", procs, "--vm-bytes", bytes, "--vm-ops", ops,
			 /* One method, and a cheap one: what is of interest is mapping, not patterns. */
			 "--vm-method", "write64", "--seed", seed, "--temp-path", "/tmp",
			 "--metrics-brief", NULL };
	size_t len;
	pid_t pid;
	int out, ret;

	snprintf(procs, sizeof(procs), "%ld", job_param(job, "procs"));
	/* stress-ng divides the amount by the number of workers. */
	snprintf(bytes, sizeof(bytes), "%ldM", job_param(job, "mb") * job_param(job, "procs"));
	snprintf(ops, sizeof(ops), "%ld", job_param(job, "ops"));
	snprintf(seed, sizeof(seed), "%llu", (unsigned long long)job->seed);
	seed_phase(job);
	if (region_begin(res))
		return -1;
	pid = spawn(argv, &out);
	if (pid < 0)
		return result_fail(res, "cannot start stress-ng: %s", strerror(errno));
	text = read_all(out, &len);
	ret = reap(pid, "stress-ng", res);
	if (region_end(res))
		ret = -1;
	if (text)
		emit_text(job, "stdout", text, len);
	free(text);
	return ret;
}

GUEST_WORKLOAD(stressvm, run);
