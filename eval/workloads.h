/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one table of workloads: names, parameters, and what a figure of each may mean. */
#ifndef PCPLAB_WORKLOADS_H
#define PCPLAB_WORKLOADS_H

#include <stddef.h>

#define WORKLOAD_MAX_PARAMS 6

/* An integer parameter; a value outside [min, max] is refused before anything is built. */
struct workload_param {
	const char *name;
	long min, max, def;
	const char *help;
};

enum workload_flags {
	/* Disturbs what follows (fills memory, leaves fragmentation): last in its boot, one such per boot. */
	WORKLOAD_SOLO = 1 << 0,
	/* Its durations are true only with one virtual CPU under icount (design rules of measurement). */
	WORKLOAD_LATENCY = 1 << 1,
	/* Judges a design: a row or column of `pcplab show --matrix`, and no figure. */
	WORKLOAD_SUITE = 1 << 2,
	/* Runs in the kernel from one command, on one CPU: what the floor may be measured with. */
	WORKLOAD_KERNEL = 1 << 3,
	/* Tests the harness or its instruments: says nothing of a design. */
	WORKLOAD_AID = 1 << 4,
};

struct workload {
	const char *name;
	const char *help;
	const char *op;		/* what one operation is, singular: "pair", "page" */
	unsigned int min_cpus;
	unsigned int flags;
	struct workload_param params[WORKLOAD_MAX_PARAMS];	/* ends at the first without a name */
};

extern const struct workload workloads[];
extern const size_t nr_workloads;

/**
 * workload_find() - look a workload up by name
 * @name: NUL-terminated name, as in specs and on the guest's command line
 *
 * Return: the table entry, or NULL when there is none.
 */
const struct workload *workload_find(const char *name);

/**
 * workload_param_find() - look up one parameter of a workload
 * @w: table entry
 * @name: parameter's name
 *
 * Return: its index in @w->params, or -1 when there is none.
 */
int workload_param_find(const struct workload *w, const char *name);

/**
 * workload_value_word() - the word that stands for a parameter's value, as in kunit:nested
 * @param: entry of a workload's parameters
 * @value: value within its bounds
 *
 * Return: a static string, or NULL when the parameter is a plain number.
 */
const char *workload_value_word(const struct workload_param *param, long value);

#endif
