// SPDX-License-Identifier: GPL-2.0-or-later
/* Calls scripts/kernel.sh for each kernel that a run needs. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "host.h"
#include "pcplab.h"
#include "stages.h"

/* The script tells what it does, how far it is and what went wrong; its output is ours. */
static bool call_script(const char *flavor, const char *variant)
{
	g_autofree char *script = root_path("scripts/kernel.sh");
	const char *const argv[] = { script, variant, flavor, NULL };
	GSpawnFlags quiet = opts.quiet ? G_SPAWN_STDOUT_TO_DEV_NULL : G_SPAWN_DEFAULT;
	int status;

	fflush(stdout);
	return g_spawn_sync(opts.root, (char **)argv, NULL, G_SPAWN_CHILD_INHERITS_STDIN | quiet, NULL, NULL,
			    NULL, NULL, &status, NULL) &&
	       g_spawn_check_wait_status(status, NULL);
}

static int build_one(const char *flavor, const char *variant, size_t nr, size_t total)
{
	g_autofree char *meta = kernel_path(flavor, variant, "meta.json");

	pl_note("kernel %zu/%zu  %s/%s", nr, total, flavor, variant);
	if (!call_script(flavor, variant)) {
		pl_error("the kernel %s/%s could not be built: see above", flavor, variant);
		return RC_FAILED;
	}
	if (!g_file_test(meta, G_FILE_TEST_EXISTS)) {
		pl_error("scripts/kernel.sh %s %s ended well but left no %s", variant, flavor,
			 meta);
		return RC_FAILED;
	}
	return RC_OK;
}

json_t *run_kernels(const json_t *run)
{
	json_t *kernels = json_object_get(run, "kernels");

	return kernels ? kernels : json_object_get(run, "variants");
}

int build_kernels(const char *flavor, const json_t *variants, bool dry)
{
	const json_t *v;
	size_t i;

	json_array_foreach(variants, i, v) {
		if (dry)
			printf("scripts/kernel.sh %s %s\n", json_string_value(v), flavor);
		else if (build_one(flavor, json_string_value(v), i + 1, json_array_size(variants)))
			return RC_FAILED;
	}
	return RC_OK;
}

int cmd_build(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{ "dry-run", 'n', NULL, 0, "Print what would be called, build nothing", 0 },
		{ 0 }
	};
	static const struct argp argp = {
		.options = options,
		.parser = parse_stage,
		.args_doc = "[RUN]",
		.children = common_children,
		.doc = "Build the kernels that a run needs; those that are up to date are left alone.\v"
		       "RUN is a run's id or folder (default: the newest).",
	};
	struct stage_args a = { .what = "run" };
	g_autofree char *dir = NULL;
	json_t *run;
	int rc;

	parse_args(&argp, argc, argv, &a);
	dir = run_dir_find(a.name);
	run = dir ? run_json(dir) : NULL;
	if (!run)
		return RC_USAGE;
	rc = build_kernels(j_str(run, "flavor"), run_kernels(run), a.dry);
	json_decref(run);
	return rc;
}
