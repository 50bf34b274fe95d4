// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The whole pipeline. Kernels come first here, since whether an earlier run can be gone on with
 * depends on them.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "host.h"
#include "matrix.h"
#include "pcplab.h"
#include "plan.h"
#include "stages.h"
#include "store.h"

/* The newest run of this spec, or a new one. NULL: error printed. */
static char *find_or_plan(const struct spec *spec, const struct stage_args *a, const json_t *inputs)
{
	char *dir = a->fresh ? NULL : plan_resumable(spec, inputs, a->seed);
	enum run_mode mode;
	uint64_t seed;
	json_t *boots;

	if (dir) {
		pl_note("run: %s", dir);
		return dir;
	}
	mode = mode_resolve(spec->mode, spec->flavor, spec->variants[0]);
	if (mode == MODE_AUTO)
		return NULL;
	seed = plan_seed(spec, a->seed);
	boots = plan_boots(spec, mode, seed);
	dir = plan_save(spec, boots, mode, seed, inputs);
	if (dir)
		pl_note("run: %s, new: %zu boots, seed %llu", dir, json_array_size(boots),
			(unsigned long long)seed);
	json_decref(boots);
	return dir;
}

static int call(int (*stage)(int argc, char **argv), const char *name, const char *dir)
{
	char *argv[] = { (char *)name, (char *)dir, NULL };

	return stage(2, argv);
}

/* Is the report there, and younger than the records, this program, and all that its matrix tells of? */
static bool described(const char *dir)
{
	static const char *const made[] = { "stats.json", "report.txt", "report.html" };
	g_autofree char *records = g_build_filename(dir, "records.jsonl", NULL);
	g_autofree char *exe = g_file_read_link("/proc/self/exe", NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(made); i++) {
		g_autofree char *path = g_build_filename(dir, made[i], NULL);

		if (!file_newer(path, records) || !exe || !file_newer(path, exe) || !matrix_older(path))
			return false;
	}
	return true;
}

static int describe(const char *dir)
{
	int rc = RC_OK;

	if (!described(dir)) {
		rc = call(cmd_stats, "stats", dir);
		if (!rc)
			rc = call(cmd_report, "report", dir);
	}
	if (!rc)
		pl_note("report: %s/report.html\n        %s/report.txt", dir, dir);
	return rc;
}

static int eval_locked(const struct spec *spec, const struct stage_args *a, const json_t *kernels)
{
	g_autofree char *dir = NULL;
	json_t *inputs;
	int rc = build_kernels(spec->flavor, kernels, false);

	if (rc)
		return rc;
	inputs = inputs_now(spec->flavor, kernels);
	if (!inputs)
		return RC_FAILED;
	dir = find_or_plan(spec, a, inputs);
	json_decref(inputs);
	if (!dir)
		return RC_FAILED;
	rc = run_boots(dir, false);
	return rc ? rc : describe(dir);
}

static int eval_dry(const struct spec *spec, const struct stage_args *a, const json_t *kernels)
{
	json_t *boots = plan_boots(spec, spec->mode, 0);

	build_kernels(spec->flavor, kernels, true);
	printf("then %zu boots (%u columns, %u boots of the spec, %ld runs), %s; stats and report in a folder under %s\n",
	       json_array_size(boots), spec_columns(spec), spec->boots_count, spec->runs,
	       a->fresh ? "in a new run" : "or what is left of the newest run of this spec",
	       opts.results);
	json_decref(boots);
	return RC_OK;
}

static int eval_spec(const struct spec *spec, const struct stage_args *a)
{
	json_t *kernels = spec_kernels(spec);
	int lock, rc = RC_FAILED;

	pl_note("spec: %s: %s", spec->name, spec->question);
	if (a->dry) {
		rc = eval_dry(spec, a, kernels);
	} else {
		lock = results_lock(opts.results);
		if (lock >= 0) {
			rc = eval_locked(spec, a, kernels);
			close(lock);
		}
	}
	json_decref(kernels);
	return rc;
}

int cmd_eval(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{ "seed", 's', "N", 0,
		  "Plan with this seed: the same spec and seed give the same boots", 0 },
		{ "new", 'N', NULL, 0, "Start a new run even if there is one to go on with", 0 },
		{ "dry-run", 'n', NULL, 0, "Say what would be done, do nothing", 0 },
		{ 0 }
	};
	static const struct argp argp = {
		.options = options,
		.parser = parse_stage,
		.args_doc = "[SPEC]",
		.children = common_children,
		.doc = "Do it all: build, plan, run, stats, report.\vSPEC is a file, or the name of one in eval/specs "
		       "(default: quick). The newest run of the same spec with the same kernels, guest and plugin is gone "
		       "on with; when it is finished, nothing is left to do.",
	};
	struct stage_args a = { .what = "spec", .name = "quick", .seed = -1 };
	g_autofree char *path = NULL;
	struct spec *spec;
	int rc;

	parse_args(&argp, argc, argv, &a);
	path = spec_find(a.name);
	spec = spec_load(path);
	if (!spec)
		return RC_USAGE;
	rc = eval_spec(spec, &a);
	spec_free(spec);
	return rc;
}
