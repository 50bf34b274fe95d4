// SPDX-License-Identifier: GPL-2.0-or-later
/* faults: each process maps memory, touches every page, and unmaps it, some times over. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "guest.h"

struct faults {
	struct gate gate;
	const struct job *job;
	long turns, cpus;
};

/* A few pages more or less a process shift the moments at which the lists run over. */
static long pages_of(const struct job *job, unsigned int nr)
{
	return MB_PAGES(job_param(job, "mb")) + job_random(job, 1 + nr) % 16;
}

static void turn(long pages)
{
	char *mem = touch_pages(pages);

	if (!mem)
		_exit(1);
	munmap(mem, pages * GUEST_PAGE);
}

static void worker(unsigned int nr, void *arg)
{
	struct faults *f = arg;
	long pages = pages_of(f->job, nr);

	if (pin_to_cpu(nr % f->cpus))
		_exit(1);
	/* Warm-up: code and page tables; a tenth of a turn. */
	turn(pages / 10 + 1);
	gate_pass(&f->gate);
	for (long i = 0; i < f->turns; i++)
		turn(pages);
	gate_finish(&f->gate);
	/* Our own end is not what is measured: wait to be killed. */
	for (;;)
		pause();
}

static int measure(struct faults *f, struct result *res, unsigned int procs)
{
	if (gate_wait(f->gate.ready[0], procs))
		return result_fail(res, "a worker died before the start: is the guest too small?");
	seed_phase(f->job);
	if (region_begin(res))
		return -1;
	gate_open(&f->gate);
	if (gate_wait(f->gate.done[0], procs))
		return result_fail(res, "a worker died at work: is the guest too small?");
	if (region_end(res))
		return -1;
	for (unsigned int i = 0; i < procs; i++)
		res->ops += pages_of(f->job, i) * f->turns;
	return 0;
}

static int run(struct job *job, struct result *res)
{
	struct faults f = { .job = job, .turns = job_param(job, "n"),
			    .cpus = sysconf(_SC_NPROCESSORS_ONLN) };
	unsigned int procs = job_param(job, "procs");
	pid_t pids[MAX_WORKERS] = { 0 };
	int ret;

	if (gate_init(&f.gate) || workers_start(pids, procs, worker, &f)) {
		ret = result_fail(res, "cannot start workers: %s", strerror(errno));
		workers_reap(pids, procs, SIGKILL);
		return ret;
	}
	gate_parent(&f.gate);
	ret = measure(&f, res, procs);
	workers_reap(pids, procs, SIGKILL);
	gate_close(&f.gate);
	return ret;
}

GUEST_WORKLOAD(faults, run);
