// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints records for people. */
#include <stdio.h>
#include <string.h>
#include "matrix.h"
#include "pcplab.h"
#include "report.h"

static void print_metric(const json_t *m)
{
	if (json_object_get(m, "value")) {
		printf("  %-20s %14.6g %s\n", j_str(m, "metric"), j_num(m, "value"),
		       j_str(m, "unit"));
		return;
	}
	printf("  %-20s n %lld, mean %.6g, max %lld %s\n", j_str(m, "metric"), j_int(m, "n"),
	       j_num(m, "n") > 0 ? j_num(m, "sum") / j_num(m, "n") : 0, j_int(m, "max"),
	       j_str(m, "unit"));
}

static void print_zones(const json_t *r)
{
	json_t *z, *value;
	const char *key;
	size_t i;

	json_array_foreach(json_object_get(r, "zones"), i, z) {
		printf("zone:       node %lld %s", j_int(z, "node"), j_str(z, "zone"));
		json_object_foreach(z, key, value)
			if (json_is_integer(value) && strcmp(key, "node"))
				printf(", %s %lld", key, (long long)json_integer_value(value));
		printf("\n");
	}
}

static void print_vm(const json_t *r)
{
	json_t *value;
	const char *key;

	json_object_foreach(json_object_get(r, "vm"), key, value) {
		char *text = json_dumps(value, JSON_ENCODE_ANY);

		printf("vm.%s: %s\n", key, text);
		free(text);
	}
}

static char *command_line(const json_t *command)
{
	GString *s = g_string_new(NULL);
	const json_t *arg;
	size_t i;

	json_array_foreach(command, i, arg) {
		const char *a = json_string_value(arg);
		g_autofree char *q = g_regex_match_simple("^[A-Za-z0-9_@%+=:,./-]+$", a, 0, 0) ?
					     g_strdup(a) :
					     g_shell_quote(a);

		g_string_append_printf(s, "%s%s", i ? " " : "", q);
	}
	return g_string_free(s, FALSE);
}

static void print_record(const json_t *r, const char *dir)
{
	const json_t *env = json_object_get(r, "env"), *m;
	g_autofree char *command = command_line(json_object_get(env, "command"));
	size_t i;

	printf("record:     %s of %s\n", j_str(r, "id"), dir);
	printf("experiment: %s on %s/%s, run %lld\n", j_str(r, "label"), j_str(r, "flavor"),
	       j_str(r, "variant"), j_int(r, "run"));
	if (*j_str(r, "kernel"))
		printf("boots:      the kernel of %s\n", j_str(r, "kernel"));
	if (*j_str(r, "cmdline"))
		printf("arguments:  %s\n", j_str(r, "cmdline"));
	printf("status:     %s%s%s\n", j_str(r, "status"), *j_str(r, "reason") ? ": " : "",
	       j_str(r, "reason"));
	printf("guest:      %lld cpus, %lld MB, %lld nodes, seed %lld\n", j_int(r, "cpus"),
	       j_int(r, "mem_mb"), j_int(r, "nodes"), j_int(r, "seed"));
	printf("clock:      %s (mode %s, accelerator %s)\n", j_str(r, "clock"), j_str(r, "mode"),
	       j_str(r, "accel"));
	printf("kernel:     %s, release %s, config sha256 %.16s\n", j_str(env, "base"),
	       j_str(env, "release"), j_str(env, "config_sha256"));
	printf("compiler:   %s\nqemu:       %s\nhost cpu:   %s\ncommit:     %s\n",
	       j_str(env, "compiler"), j_str(env, "qemu"), j_str(env, "host_cpu"),
	       j_str(env, "commit"));
	printf("started:    %s, took %.1f s\n", j_str(env, "started"), j_num(env, "host_seconds"));
	print_zones(r);
	print_vm(r);
	printf("metrics:%s\n", json_array_size(json_object_get(r, "metrics")) ? "" : " none");
	json_array_foreach(json_object_get(r, "metrics"), i, m)
		print_metric(m);
	printf("files:      %s/boots/%s\nrepeat with (it overwrites those files):\n%s\n", dir,
	       j_str(r, "boot"), command);
}

static void print_line(const json_t *r)
{
	printf("%-9s %-18s %-26s run %-3lld %s%s%s\n", j_str(r, "id"), j_str(r, "variant"),
	       j_str(r, "label"), j_int(r, "run"), j_str(r, "status"),
	       *j_str(r, "reason") ? ": " : "", j_str(r, "reason"));
}

/* A folder that was asked for must be there: without it the matrix would have gaps that look like results. */
static bool folders_exist(void)
{
	for (guint i = 0; opts.folders && i < opts.folders->len; i++) {
		const char *dir = opts.folders->pdata[i];

		if (!g_file_test(dir, G_FILE_TEST_IS_DIR)) {
			pl_error("there is no folder %s; give a folder of runs with -R", dir);
			return false;
		}
	}
	return true;
}

static int show_matrix(bool json)
{
	g_autoptr(GString) text = g_string_new(NULL);
	bool whole;
	json_t *m;

	if (!folders_exist())
		return RC_USAGE;
	m = matrix_json();
	whole = !json_array_size(json_object_get(m, "unread"));
	if (json) {
		json_dumpf(m, stdout, JSON_INDENT(1) | JSON_SORT_KEYS | JSON_REAL_PRECISION(12));
		putchar('\n');
	} else {
		matrix_txt(text, m);
		fputs(text->str, stdout);
	}
	json_decref(m);
	return whole ? RC_OK : RC_FAILED;
}

struct show_args {
	const char *id, *run;
	bool matrix, json;
};

static error_t parse_show(int key, char *arg, struct argp_state *state)
{
	struct show_args *a = state->input;

	switch (key) {
	case 'r':
		a->run = arg;
		return 0;
	case 'm':
		a->matrix = true;
		return 0;
	case 'j':
		a->json = true;
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num)
			argp_error(state, "one record at a time");
		a->id = arg;
		return 0;
	case ARGP_KEY_END:
		if (a->matrix && (a->id || a->run))
			argp_error(state, "--matrix is of all runs: it goes with neither ID nor --run");
		if (a->json && !a->matrix)
			argp_error(state, "--json goes with --matrix only");
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static int show(const json_t *records, const struct show_args *a, const char *dir)
{
	const json_t *r;
	size_t i;

	json_array_foreach(records, i, r) {
		if (!*j_str(r, "id"))
			continue;
		if (!a->id) {
			print_line(r);
		} else if (!strcmp(a->id, j_str(r, "id"))) {
			print_record(r, dir);
			return RC_OK;
		}
	}
	if (!a->id)
		return RC_OK;
	pl_error("no record '%s' in %s; `pcplab show` lists them", a->id, dir);
	return RC_USAGE;
}

int cmd_show(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{ "run", 'r', "RUN", 0, "The run's id or folder (default: the newest)", 0 },
		{ "matrix", 'm', NULL, 0, "Print which design passed which suite in which flavour, from all runs", 0 },
		{ "json", 'j', NULL, 0, "With --matrix: as JSON, with runs, records and dates", 0 },
		{ 0 }
	};
	static const struct argp argp = {
		.options = options,
		.parser = parse_show,
		.args_doc = "[ID]",
		.children = common_children,
		.doc = "Print one record with its conditions and the exact command to repeat it; without ID, list the "
		       "records of the run. With --matrix, print the newest results of all suites: of the runs in every "
		       "folder given with -R, or by default in results/ and build/test/.",
	};
	g_autofree char *path = NULL, *dir = NULL;
	struct show_args a = { 0 };
	json_t *records;
	bool torn;
	int rc;

	parse_args(&argp, argc, argv, &a);
	if (a.matrix)
		return show_matrix(a.json);
	dir = run_dir_find(a.run);
	if (!dir)
		return RC_USAGE;
	path = g_build_filename(dir, "records.jsonl", NULL);
	records = jsonl_read(path, &torn);
	if (!records)
		return RC_FAILED;
	rc = show(records, &a, dir);
	json_decref(records);
	return rc;
}
