// SPDX-License-Identifier: GPL-2.0-or-later
/* In place of eval/workloads.c for the test of the matrix: a table of one workload of each kind. */
#define workloads	shipped_workloads
#define nr_workloads	nr_shipped_workloads
#define workload_find	shipped_workload_find
#include "../workloads.c"
#undef workloads
#undef nr_workloads
#undef workload_find

extern const struct workload workloads[];
extern const size_t nr_workloads;
const struct workload *workload_find(const char *name);

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
