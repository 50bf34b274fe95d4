// SPDX-License-Identifier: GPL-2.0-or-later
/* pairs, burst, bulk, prodcons: the kernel does the work (mm/pcp/bench), we pass the parameters. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "guest.h"

static int run(struct job *job, struct result *res)
{
	char command[256];
	int len = snprintf(command, sizeof(command), "%s seed=%llu", job->name,
			   (unsigned long long)job->seed);

	/* The kernel's parameters have the names of ours. */
	for (int i = 0; i < WORKLOAD_MAX_PARAMS && job->w->params[i].name; i++)
		len += snprintf(command + len, sizeof(command) - len, " %s=%ld",
				job->w->params[i].name, job->param[i]);
	if (pin_to_cpu(0))
		return result_fail(res, "cannot pin to CPU 0: %s", strerror(errno));
	return device_run(res, command);
}

GUEST_WORKLOAD(pairs, run);
GUEST_WORKLOAD(burst, run);
GUEST_WORKLOAD(bulk, run);
GUEST_WORKLOAD(prodcons, run);
