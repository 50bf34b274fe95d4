// SPDX-License-Identifier: GPL-2.0-or-later
/* Calls scripts/kernel.sh for each kernel that a run needs. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "host.h"
#include "pcplab.h"
#include "stages.h"

#define LOG_LINES 15	/* shown of a failed build's log */

static void show_log_end(const char *path)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	guint n, first;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return;
	lines = g_strsplit(g_strchomp(text), "\n", -1);
	n = g_strv_length(lines);
	first = n > LOG_LINES ? n - LOG_LINES : 0;
	for (guint i = first; i < n; i++)
		fprintf(stderr, "  %s\n", lines[i]);
}

static bool call_script(const char *flavor, const char *variant, const char *log)
{
	g_autofree char *script = root_path("scripts/kernel.sh");
	const char *const argv[] = {
		"sh", "-c", "exec \"$0\" \"$1\" \"$2\" >\"$3\" 2>&1 </dev/null",
		script, variant, flavor, log, NULL
	};
	int status;

	return g_spawn_sync(opts.root, (char **)argv, NULL,
			    G_SPAWN_SEARCH_PATH | G_SPAWN_CHILD_INHERITS_STDIN, NULL, NULL, NULL,
			    NULL, &status, NULL) &&
	       g_spawn_check_wait_status(status, NULL);
}

static int build_one(const char *flavor, const char *variant, size_t nr, size_t total)
{
	g_autofree char *log = build_path("log/kernel-%s-%s.log", flavor, variant);
	g_autofree char *logs = build_path("log");
	g_autofree char *meta = kernel_path(flavor, variant, "meta.json");
	gint64 before = g_get_monotonic_time();
	double seconds;

	if (!dir_make(logs))
		return RC_FAILED;
	pl_note("kernel %zu/%zu  %s/%s: log in %s", nr, total, flavor, variant, log);
	if (!call_script(flavor, variant, log)) {
		pl_error("the kernel %s/%s could not be built; the end of %s:", flavor, variant,
			 log);
		show_log_end(log);
		return RC_FAILED;
	}
	seconds = (g_get_monotonic_time() - before) / 1e6;
	if (!g_file_test(meta, G_FILE_TEST_EXISTS)) {
		pl_error("scripts/kernel.sh %s %s ended well but left no %s", variant, flavor,
			 meta);
		return RC_FAILED;
	}
	if (seconds >= 1)
		pl_note("kernel %zu/%zu  %s/%s: built in %.0f s", nr, total, flavor, variant,
			seconds);
	return RC_OK;
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

struct build_args {
	const char *run;
	bool dry;
};

static error_t parse_build(int key, char *arg, struct argp_state *state)
{
	struct build_args *a = state->input;

	switch (key) {
	case 'n':
		a->dry = true;
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num)
			argp_error(state, "one run at a time");
		a->run = arg;
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

int cmd_build(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{ "dry-run", 'n', NULL, 0, "Print what would be called, build nothing", 0 },
		{ 0 }
	};
	static const struct argp argp = {
		.options = options,
		.parser = parse_build,
		.args_doc = "[RUN]",
		.children = common_children,
		.doc = "Build the kernels that a run needs; those that are up to date are left alone.\v"
		       "RUN is a run's id or folder (default: the newest).",
	};
	struct build_args a = { 0 };
	g_autofree char *dir = NULL;
	json_t *run;
	int rc;

	parse_args(&argp, argc, argv, &a);
	dir = run_dir_find(a.run);
	run = dir ? run_json(dir) : NULL;
	if (!run)
		return RC_USAGE;
	rc = build_kernels(j_str(run, "flavor"), json_object_get(run, "variants"), a.dry);
	json_decref(run);
	return rc;
}
