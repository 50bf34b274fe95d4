/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a checked spec to the list of boots of a run. */
#ifndef PCPLAB_PLAN_H
#define PCPLAB_PLAN_H

#include "spec.h"

/**
 * plan_boots() - the boots of a spec, in the order they will be made
 * @spec: a checked spec
 * @mode: the resolved mode
 * @seed: decides the order, and each boot's own seed
 *
 * Each round makes every boot of the spec once with every column, in shuffled order. All columns
 * of a round get the same seed for the same boot, so that they can be compared pair by pair.
 *
 * Context: pure: equal arguments give equal plans.
 * Return: a new array of objects as in plan.jsonl.
 */
json_t *plan_boots(const struct spec *spec, enum run_mode mode, uint64_t seed);

/**
 * plan_seed() - the seed to plan with
 * @spec: a checked spec
 * @given: from the command line, or -1
 *
 * Return: @given, else the spec's, else one by chance.
 */
uint64_t plan_seed(const struct spec *spec, long given);

/**
 * plan_save() - make a new run's folder with its spec.yaml, plan.jsonl and run.json, and point
 * "latest" to it
 * @spec: a checked spec
 * @boots: from plan_boots()
 * @mode: the mode they were planned with
 * @seed: the seed they were planned with
 * @inputs: from inputs_now(), or NULL when not known yet
 *
 * Return: a new string with the run's folder, or NULL (error printed).
 */
char *plan_save(const struct spec *spec, const json_t *boots, enum run_mode mode, uint64_t seed,
		const json_t *inputs);

/**
 * plan_resumable() - the newest run of a spec, if its boots are still worth having
 * @spec: a checked spec
 * @inputs: from inputs_now()
 * @seed: from the command line, or -1 for any
 *
 * Return: a new string with the run's folder, or NULL when there is no run of the same spec text,
 * or the newest was made with other kernels, guest or plugin, in another mode than the spec asks
 * for, or with another seed.
 */
char *plan_resumable(const struct spec *spec, const json_t *inputs, long seed);

#endif
