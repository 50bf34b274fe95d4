// SPDX-License-Identifier: GPL-2.0-or-later
/* exits: several processes that hold memory exit together; once. */
#include "guest.h"

static int run(struct job *job, struct result *res)
{
	struct avalanche av = { .job = job, .procs = job_param(job, "procs"),
				.pages_each = MB_PAGES(job_param(job, "mb")) };
	unsigned int bad;
	int err;

	if (avalanche_start(&av, res))
		return -1;
	seed_phase(job);
	err = region_begin(res);
	bad = avalanche_end(&av);
	if (err || region_end(res))
		return -1;
	if (bad)
		return result_fail(res, "%u of %u processes did not exit by themselves", bad,
				   av.procs);
	res->ops = avalanche_pages(&av);
	return 0;
}

GUEST_WORKLOAD(exits, run);
