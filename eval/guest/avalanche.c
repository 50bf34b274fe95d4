// SPDX-License-Identifier: GPL-2.0-or-later
/* An exit avalanche: several processes hold memory, and then exit together. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"

/* A few pages more or less a process shift the moments at which the lists run over. */
static long pages_of(const struct avalanche *av, unsigned int nr)
{
	return av->pages_each + job_random(av->job, 1 + av->round * MAX_WORKERS + nr) % 16;
}

static void hold(unsigned int nr, void *arg)
{
	struct avalanche *av = arg;

	if (!touch_pages(pages_of(av, nr)))
		_exit(1);
	gate_pass(&av->gate);
}

/**
 * avalanche_start() - start the processes, and wait until they hold their memory
 * @av: job, procs, pages_each and round are set by the caller, the rest is filled in
 * @res: receives the reason of a failure
 *
 * The processes inherit the caller's CPU affinity and scheduling policy.
 *
 * Return: 0, or -1 with nothing left behind.
 */
int avalanche_start(struct avalanche *av, struct result *res)
{
	memset(av->pids, 0, sizeof(av->pids));
	if (gate_init(&av->gate) || workers_start(av->pids, av->procs, hold, av)) {
		result_fail(res, "cannot start %u processes: %s", av->procs, strerror(errno));
		goto undo;
	}
	gate_parent(&av->gate);
	if (!gate_wait(av->gate.ready[0], av->procs))
		return 0;
	result_fail(res, "a process died before it held its memory: has the guest %u times %ld MB?",
		    av->procs, av->pages_each / MB_PAGES(1));
	gate_close(&av->gate);
undo:
	workers_reap(av->pids, av->procs, SIGKILL);
	return -1;
}

/**
 * avalanche_end() - let all processes exit, and wait for their ends
 * @av: from avalanche_start()
 *
 * Return: how many ended in another way than told.
 */
unsigned int avalanche_end(struct avalanche *av)
{
	unsigned int bad;

	gate_open(&av->gate);
	bad = workers_reap(av->pids, av->procs, 0);
	gate_close(&av->gate);
	return bad;
}

/**
 * avalanche_pages() - how many pages the processes hold together
 * @av: job, procs, pages_each and round are set
 *
 * Return: pages of 4 KiB, not counting page tables, stacks and the like.
 */
long avalanche_pages(const struct avalanche *av)
{
	long pages = 0;

	for (unsigned int i = 0; i < av->procs; i++)
		pages += pages_of(av, i);
	return pages;
}
