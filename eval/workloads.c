// SPDX-License-Identifier: GPL-2.0-or-later
/* The table itself. A new workload is one entry here and one file eval/guest/w_<name>.c. */
#include <string.h>
#include "workloads.h"

#define COUNT(def, what)	{ "n", 1, 100000000, def, "number of " what }

const struct workload workloads[] = {
	{ "pairs", "allocate one block, free it, in the kernel on one CPU", "pair", 1, WORKLOAD_KERNEL, {
		{ "order", 0, 9, 0, "block order" }, COUNT(20000, "pairs") } },
	{ "burst", "allocate SIZE blocks, then free them, in the kernel on one CPU", "pair", 1, WORKLOAD_KERNEL, {
		{ "order", 0, 9, 0, "block order" }, { "size", 1, 4096, 32, "blocks a burst" },
		COUNT(640, "bursts") } },
	{ "bulk", "alloc_pages_bulk of SIZE pages, then free them one by one", "page", 1, WORKLOAD_KERNEL, {
		{ "size", 2, 512, 32, "pages a call" }, COUNT(640, "calls") } },
	{ "prodcons", "allocate on one CPU, free on another", "page", 2, 0, {
		{ "order", 0, 9, 0, "block order" }, { "size", 1, 4096, 600, "blocks handed over at a time" },
		COUNT(40, "hand-overs") } },
	{ "faults", "map, touch and unmap anonymous memory, one process a CPU", "page", 1, 0, {
		{ "procs", 1, 64, 1, "processes, spread over the CPUs" }, { "mb", 1, 4096, 16, "megabytes a turn and process" },
		COUNT(2, "turns a process") } },
	{ "exits", "several processes that hold memory exit together", "page", 1, WORKLOAD_SOLO, {
		{ "procs", 1, 64, 4, "processes" }, { "mb", 1, 4096, 64, "megabytes a process" } } },
	{ "stressvm", "stress-ng --vm, ops counted by stress-ng", "bogo op", 1, WORKLOAD_SOLO, {
		{ "procs", 1, 64, 1, "workers" }, { "mb", 1, 4096, 32, "megabytes a worker" },
		{ "ops", 1, 1000000, 64, "bogo ops in all" } } },
	{ "cyclictest", "wake-up latency of a SCHED_FIFO thread on CPU 0, idle or beside an exit avalanche", "wake-up", 1,
	  WORKLOAD_LATENCY, {
		{ "loops", 10, 10000000, 1000, "wake-ups" }, { "interval", 50, 1000000, 1000, "microseconds between them" },
		{ "procs", 0, 64, 0, "processes that exit beside it, 0: idle" }, { "mb", 1, 4096, 64, "megabytes a process" } } },
	/* Suites: they judge a design, and measure nothing. The names of faults are those of the design file. */
	{ "stress", "everything that uses or drains the lists, at once, then the balance of pages", "page", 2,
	  WORKLOAD_SOLO | WORKLOAD_SUITE, {
		{ "secs", 1, 86400, 60, "seconds" }, { "hotplug", 0, 1, 1, "0: CPUs and memory stay as they are" } } },
	{ "f2", "fault: migration while let go in the middle of a batch, process exiting", "process", 2,
	  WORKLOAD_SOLO | WORKLOAD_SUITE, { { "secs", 1, 86400, 20, "seconds" } } },
	{ "f5", "fault: many big processes exit together; how many pages one hold moves", "page", 1,
	  WORKLOAD_SUITE, {
		{ "procs", 1, 64, 8, "processes" }, { "mb", 1, 4096, 64, "megabytes a process" } } },
	{ "f6", "fault: a real-time task books a CPU that another one drains", "drain", 2, WORKLOAD_SOLO | WORKLOAD_SUITE, {
		{ "server", 0, 1, 0, "1: leave the fair server on" } } },
	{ "f7", "fault: contiguous allocation with all CPUs booked; the lists' share, and that of the LRU", "action", 2,
	  WORKLOAD_SOLO | WORKLOAD_SUITE, { { NULL, 0, 0, 0, NULL } } },
	{ "f8", "fault: a drain frees a whole list at once", "page", 1, WORKLOAD_SUITE, { { NULL, 0, 0, 0, NULL } } },
	{ "f11", "fault: drains while memory is short and the machine swaps", "drain", 1,
	  WORKLOAD_SOLO | WORKLOAD_SUITE, { { "secs", 1, 86400, 30, "seconds" } } },
	{ "f12", "fault: drains disturb an isolated CPU", "drain", 2, WORKLOAD_SOLO | WORKLOAD_SUITE, {
		{ "n", 10, 100000, 40, "drains, and as many rounds without" } } },
	{ "f13", "fault: one drain frees the lists of all CPUs", "page", 1, WORKLOAD_SUITE, { { NULL, 0, 0, 0, NULL } } },
	{ "zones", "is each node's normal memory shared out among its zones, and does what knows zones agree?", "check", 1,
	  WORKLOAD_SUITE, {
		{ "part", 1, 5, 1, "1 layout, 2 spread over the CPUs, 3 names and counters, "
		  "4 memory blocks going offline and back, 5 areas of CMA" },
		{ "nodes", 0, 8, 0, "nodes with normal memory that there have to be, 0: any number" } } },
	{ "trouble", "goes wrong on purpose, to test the harness; measures nothing", "attempt", 1,
	  WORKLOAD_SOLO | WORKLOAD_AID, {
		{ "kind", 0, 9, 0, "0 nothing, 1 warning, 2 oops, 3 panic, 4 RCU stall, 5 silence for ever, "
		  "6 garbage for records, 7 power off without end, 8 hang with interrupts off, 9 oops in an interrupt" } } },
	{ "kunit", "hold the lists to their contract: the kernel's own suites of tests", "test case", 1, WORKLOAD_SUITE, {
		{ "suite", 0, 4, 0, "0 all, 1 contract, 2 nested, 3 drain, 4 faults" },
		{ "msecs", 0, 600000, 400, "how long each crowded test goes on at least" } } },
	{ "calibrate", "things of known size, to check the instrument (test_calibration)", "calibration", 1, WORKLOAD_AID,
	  { { NULL, 0, 0, 0, NULL } } },
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
	for (int i = 0; i < WORKLOAD_MAX_PARAMS && w->params[i].name; i++)
		if (!strcmp(w->params[i].name, name))
			return i;
	return -1;
}

/* The kernel's names of the suites are these, after pcp_. */
static const char *const suite_words[] = { "all", "contract", "nested", "drain", "faults" };

const char *workload_value_word(const struct workload_param *param, long value)
{
	return strcmp(param->name, "suite") ? NULL : suite_words[value];
}
