// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cyclictest: wake-up latency of a SCHED_FIFO thread on CPU 0. Beside it, when asked for, exit
 * avalanches on the same CPU, one after the other for as long as it runs.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

#define OUTPUT "/tmp/cyclictest.json"

/* What the avalanches' process tells us, in shared memory. */
struct beside {
	struct job *job;
	volatile unsigned int rounds;
	volatile sig_atomic_t stop;
	struct result res;
};

static void avalanches(struct beside *b)
{
	struct avalanche av = { .job = b->job, .procs = job_param(b->job, "procs"),
				.pages_each = MB_PAGES(job_param(b->job, "mb")) };

	for (; !b->stop; av.round++) {
		if (avalanche_start(&av, &b->res))
			_exit(1);
		if (avalanche_end(&av)) {
			result_fail(&b->res, "a process beside cyclictest did not exit by itself");
			_exit(1);
		}
		b->rounds++;
	}
	_exit(0);
}

static pid_t start_beside(struct beside *b)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	/* Nothing may outlive the workload, whatever happens to it. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	avalanches(b);
	_exit(1);
}

static int start_cyclictest(const struct job *job, pid_t *pid, int *out)
{
	char loops[24], interval[24];
	char *argv[] = { "/usr/bin/cyclictest", "-q", "-m", "-p", "95", "-t1", "-a0",
			 "-i", interval, "-l", loops, "-h", "1000", "--json=" OUTPUT, NULL };

	snprintf(loops, sizeof(loops), "%ld", job_param(job, "loops"));
	snprintf(interval, sizeof(interval), "%ld", job_param(job, "interval"));
	unlink(OUTPUT);
	*pid = spawn(argv, out);
	return *pid < 0 ? -1 : 0;
}

/* Runs cyclictest to its end, and emits what it said. */
static int cyclictest(struct job *job, struct result *res)
{
	char *text, *json;
	size_t len, json_len;
	pid_t pid;
	int out, ret;

	if (start_cyclictest(job, &pid, &out))
		return result_fail(res, "cannot start cyclictest: %s", strerror(errno));
	text = read_all(out, &len);
	ret = reap(pid, "cyclictest", res);
	json = read_file(OUTPUT, &json_len);
	if (ret && text)
		emit_text(job, "stdout", text, len);
	else if (!json)
		ret = result_fail(res, "cyclictest wrote no " OUTPUT ": %s", strerror(errno));
	else
		emit_text(job, "json", json, json_len);
	res->ops = ret ? 0 : job_param(job, "loops");
	free(json);
	free(text);
	return ret;
}

static int run(struct job *job, struct result *res)
{
	struct beside *b = mmap(NULL, sizeof(*b), PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	unsigned int rounds;
	pid_t pid = 0;
	int ret;

	if (b == MAP_FAILED || pin_to_cpu(0))
		return result_fail(res, "cannot share memory or pin to CPU 0: %s", strerror(errno));
	b->job = job;
	seed_phase(job);
	if (job_param(job, "procs"))
		pid = start_beside(b);
	if (pid < 0)
		return result_fail(res, "cannot start processes: %s", strerror(errno));
	ret = cyclictest(job, res);
	rounds = b->rounds;	/* what ends from here on was not beside it */
	b->stop = 1;
	if (!pid)
		return ret;
	if (workers_reap(&pid, 1, 0))
		ret = result_fail(res, "beside cyclictest: %.200s",
				  b->res.reason[0] ? b->res.reason : "the process that makes avalanches died");
	/* A run during which no avalanche ended did not measure what its name says. */
	else if (!ret && !rounds)
		ret = result_fail(res, "no avalanche ended while cyclictest ran: give it more loops");
	result_metric(res, "avalanches", rounds);
	return ret;
}

GUEST_WORKLOAD(cyclictest, run);
