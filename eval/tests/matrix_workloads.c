// SPDX-License-Identifier: GPL-2.0-or-later
/* A table of workloads for the test of the matrix: one of each kind. */
#include <string.h>
#include "workloads.h"

const struct workload workloads[] = {
	{ "pairs", "a workload", "pair", 1, WORKLOAD_KERNEL, { { NULL, 0, 0, 0, NULL } } },
	{ "faults", "a workload", "page", 1, 0, { { NULL, 0, 0, 0, NULL } } },
	{ "trouble", "an aid", "attempt", 1, WORKLOAD_AID, { { NULL, 0, 0, 0, NULL } } },
	{ "kunit", "a suite", "case", 1, WORKLOAD_SUITE, { { NULL, 0, 0, 0, NULL } } },
	{ "stress", "a suite", "round", 1, WORKLOAD_SUITE, { { NULL, 0, 0, 0, NULL } } },
	{ "fault", "a suite", "try", 1, WORKLOAD_SUITE, { { NULL, 0, 0, 0, NULL } } },
};

const size_t nr_workloads = sizeof(workloads) / sizeof(workloads[0]);

const struct workload *workload_find(const char *name)
{
	for (size_t i = 0; i < nr_workloads; i++)
		if (!strcmp(workloads[i].name, name))
			return &workloads[i];
	return NULL;
}

int workload_param_find(const struct workload *w, const char *name)
{
	(void)w;
	(void)name;
	return -1;
}
