// SPDX-License-Identifier: GPL-2.0-or-later
/* Collects the newest result of each design, flavour and suite from all runs. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include "host.h"
#include "matrix.h"
#include "variant.h"

/* From best to worst. What is none of these is a failure, of whatever kind. */
static const char *const results[][2] = {
	{ "ok", "pass" }, { "known", "known" }, { "skip", "skip" }, { "refused", "n/a" },
};

static size_t result_rank(const char *status)
{
	size_t i = 0;

	while (i < G_N_ELEMENTS(results) && strcmp(results[i][0], status))
		i++;
	return i;
}

static const char *result_name(const char *status)
{
	size_t i = result_rank(status);

	return i < G_N_ELEMENTS(results) ? results[i][1] : "fail";
}

/* Faults are many workloads or many parameters of one: they share a column. */
static const char *suite_of(const json_t *r)
{
	const char *name = j_str(r, "workload");
	const struct workload *w = workload_find(name);

	if (!w || !(w->flags & WORKLOAD_SUITE))
		return "smoke";
	return !strcmp(name, "fault") || g_regex_match_simple("^f[0-9]+$", name, 0, 0) ? "faults" : w->name;
}

static json_t *cell_new(const char *variant, const char *flavor, const char *suite, const char *label)
{
	return json_pack("{s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:[],s:s,s:n}", "variant", variant, "kind", variant_kind_name(variant),
			 "flavor", flavor, "suite", suite, "label", label, "status", "ok", "date", "", "ids", "run", "",
			 "reason");
}

/* Takes over a status that is worse than what the cell has, with its reason. */
static void worsen(json_t *cell, const char *status, const char *reason)
{
	if (result_rank(status) <= result_rank(j_str(cell, "status")))
		return;
	json_object_set_new(cell, "status", json_string(status));
	json_object_set_new(cell, "reason", *reason ? json_string(reason) : json_null());
}

static void later(json_t *cell, const char *date)
{
	if (strcmp(date, j_str(cell, "date")) > 0)
		json_object_set_new(cell, "date", json_string(date));
}

/* Levels, taken before and after, are no counts: a sum of them means nothing. */
static bool is_count(const char *fact)
{
	return strcmp(fact, "seconds") && !g_str_has_suffix(fact, "_before") && !g_str_has_suffix(fact, "_after");
}

/* What a stress counted, and how long it lasted; a record without its seconds tells by what it was asked for. */
static void add_facts(json_t *cell, const json_t *r)
{
	json_t *counts = json_object_get(cell, "counts"), *facts = json_object_get(r, "facts"), *v;
	double seconds = j_num(facts, "seconds");
	const char *key;

	if (!counts)
		json_object_set_new(cell, "counts", counts = json_object());
	if (!json_object_get(facts, "seconds") && result_rank(j_str(r, "status")) < 2)
		seconds = j_num(json_object_get(r, "params"), "secs");
	json_object_foreach(facts, key, v)
		if (is_count(key))
			json_object_set_new(counts, key, json_real(j_num(counts, key) + json_number_value(v)));
	json_object_set_new(cell, "seconds", json_real(j_num(cell, "seconds") + seconds));
}

static bool kernel_complained(const json_t *r)
{
	static const char *const names[] = { "warn", "stall", "oops", "panic", NULL };

	return g_strv_contains(names, j_str(r, "status"));
}

static void take_record(json_t *cells, const json_t *r, const char *run)
{
	const char *suite = suite_of(r);
	g_autofree char *key = g_strdup_printf("%s %s %s", boot_kernel(r), j_str(r, "flavor"), j_str(r, "label"));
	json_t *cell = json_object_get(cells, key);

	if (!cell) {
		cell = cell_new(boot_kernel(r), j_str(r, "flavor"), suite, j_str(r, "label"));
		json_object_set_new(cell, "run", json_string(run));
		json_object_set_new(cells, key, cell);
	}
	worsen(cell, j_str(r, "status"), j_str(r, "reason"));
	later(cell, j_str(json_object_get(r, "env"), "started"));
	json_object_set(cell, "commit", json_object_get(json_object_get(r, "env"), "commit"));
	json_array_append(json_object_get(cell, "ids"), json_object_get(r, "id"));
	json_object_set_new(cell, "warnings", json_integer(j_int(cell, "warnings") + kernel_complained(r)));
	if (!strcmp(j_str(r, "workload"), "stress"))
		add_facts(cell, r);
}

/* Runs that test the harness go wrong on purpose. */
static bool is_aid(const json_t *r)
{
	const struct workload *w = workload_find(j_str(r, "workload"));

	return w && (w->flags & WORKLOAD_AID);
}

/* The boots that were finished, or NULL when the run tells nothing of designs. */
static GHashTable *finished(const json_t *records)
{
	GHashTable *done = g_hash_table_new(g_str_hash, g_str_equal);
	const json_t *r;
	size_t i;

	json_array_foreach(records, i, r) {
		if (is_aid(r)) {
			g_hash_table_unref(done);
			return NULL;
		}
		if (!strcmp(j_str(r, "type"), "done"))
			g_hash_table_add(done, (gpointer)j_str(r, "boot"));
	}
	return done;
}

/* All cells of one run, each with the worst of its records. */
static json_t *run_cells(const json_t *records, const char *run)
{
	GHashTable *done = finished(records);
	json_t *cells = json_object();
	const json_t *r;
	size_t i;

	if (!done)
		return cells;
	json_array_foreach(records, i, r)
		if (*j_str(r, "id") && g_hash_table_contains(done, j_str(r, "boot")))
			take_record(cells, r, run);
	g_hash_table_unref(done);
	return cells;
}

/* Keeps of each key the newer cell. */
static void merge_newer(json_t *all, json_t *cells)
{
	const char *key;
	json_t *cell;

	json_object_foreach(cells, key, cell)
		if (strcmp(j_str(cell, "date"), j_str(json_object_get(all, key), "date")) >= 0)
			json_object_set(all, key, cell);
}

static void read_run(json_t *all, const char *dir, const char *name, json_t *unread)
{
	g_autofree char *path = g_build_filename(dir, name, "records.jsonl", NULL);
	json_t *records, *cells;
	bool torn;

	if (!g_file_test(path, G_FILE_TEST_EXISTS))
		return;
	records = jsonl_read(path, &torn);
	if (!records) {
		json_array_append_new(unread, json_string(path));
		return;
	}
	cells = run_cells(records, name);
	merge_newer(all, cells);
	json_decref(cells);
	json_decref(records);
}

/* Links in a folder of runs are further names of runs that are there. */
static void read_folder(json_t *all, const char *dir, json_t *unread)
{
	g_auto(GStrv) names = names_in(dir, NULL);

	for (char **n = names; *n; n++) {
		g_autofree char *path = g_build_filename(dir, *n, NULL);

		if (!g_file_test(path, G_FILE_TEST_IS_SYMLINK))
			read_run(all, dir, *n, unread);
	}
}

static const char *build_fault(const json_t *b)
{
	static const char *const strings[] = { "variant", "flavor", "suite", "status", "date" };

	for (size_t i = 0; i < G_N_ELEMENTS(strings); i++)
		if (!*j_str(b, strings[i]))
			return strings[i];
	return NULL;
}

/* Builds that boot nothing: the script that makes them tells how they went. */
static void read_builds(json_t *all, json_t *unread)
{
	g_autofree char *path = build_path("builds.jsonl");
	json_t *list = g_file_test(path, G_FILE_TEST_EXISTS) ? jsonl_read(path, NULL) : json_array(), *b;
	size_t i;

	if (!list)
		json_array_append_new(unread, json_string(path));
	json_array_foreach(list, i, b) {
		g_autofree char *key = g_strdup_printf("%s %s %s", j_str(b, "variant"), j_str(b, "flavor"), j_str(b, "suite"));
		json_t *cell = cell_new(j_str(b, "variant"), j_str(b, "flavor"), j_str(b, "suite"), j_str(b, "suite")), *one;

		if (build_fault(b)) {
			pl_error("%s:%zu: a build without '%s'; this line is left out", path, i + 1, build_fault(b));
			json_decref(cell);
			continue;
		}
		worsen(cell, j_str(b, "status"), j_str(b, "reason"));
		later(cell, j_str(b, "date"));
		json_object_set_new(cell, "build", json_true());
		one = json_pack("{s:o}", key, cell);
		merge_newer(all, one);
		json_decref(one);
	}
	json_decref(list);
}

/* Every workload that is no suite, together: clean or not. */
static void fold_smoke(json_t *smoke, const json_t *cell)
{
	g_autofree char *key = g_strdup_printf("%s %s", j_str(cell, "variant"), j_str(cell, "flavor"));
	g_autofree char *why = g_strdup_printf("%s: %s", j_str(cell, "label"), j_str(cell, "reason"));
	json_t *to = json_object_get(smoke, key);

	if (!to) {
		to = cell_new(j_str(cell, "variant"), j_str(cell, "flavor"), "smoke", "smoke");
		json_object_set_new(to, "workloads", json_array());
		json_object_set_new(smoke, key, to);
	}
	if (result_rank(j_str(cell, "status")) > result_rank(j_str(to, "status")) || !*j_str(to, "run"))
		json_object_set(to, "run", json_object_get(cell, "run"));
	worsen(to, j_str(cell, "status"), why);
	later(to, j_str(cell, "date"));
	json_array_extend(json_object_get(to, "ids"), json_object_get(cell, "ids"));
	json_array_append(json_object_get(to, "workloads"), json_object_get(cell, "label"));
}

static void add_cell(json_t *list, json_t *cell)
{
	json_object_set_new(cell, "result", json_string(result_name(j_str(cell, "status"))));
	json_array_append(list, cell);
}

static int by_key(const void *a, const void *b)
{
	return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

/* In one order whatever the order of the runs. */
static void add_sorted(json_t *list, json_t *cells)
{
	size_t n = 0, size = json_object_size(cells);
	g_autofree const char **keys = g_new(const char *, size + 1);
	const char *key;
	json_t *cell;

	json_object_foreach(cells, key, cell)
		keys[n++] = key;
	qsort(keys, n, sizeof(*keys), by_key);
	for (size_t i = 0; i < n; i++)
		add_cell(list, json_object_get(cells, keys[i]));
}

static json_t *cells_list(json_t *all)
{
	json_t *list = json_array(), *smoke = json_object(), *rest = json_object(), *cell;
	const char *key;

	json_object_foreach(all, key, cell) {
		if (strcmp(j_str(cell, "suite"), "smoke"))
			json_object_set(rest, key, cell);
		else
			fold_smoke(smoke, cell);
	}
	add_sorted(list, smoke);
	add_sorted(list, rest);
	json_decref(smoke);
	json_decref(rest);
	return list;
}

static json_t *folders_of_runs(void)
{
	json_t *folders = json_array();

	for (guint i = 0; opts.folders && i < opts.folders->len; i++)
		json_array_append_new(folders, json_string(opts.folders->pdata[i]));
	if (!opts.folders && opts.results)
		json_array_append_new(folders, json_string(opts.results));
	/* Where scripts/test.sh puts its runs. */
	if (!opts.folders && opts.build)
		json_array_append_new(folders, json_sprintf("%s/test", opts.build));
	return folders;
}

static bool older(const char *path, const char *source)
{
	return !g_file_test(source, G_FILE_TEST_EXISTS) || file_newer(path, source);
}

bool matrix_older(const char *path)
{
	g_autofree char *builds = opts.build ? build_path("builds.jsonl") : NULL;
	json_t *folders = folders_of_runs();
	bool all = !builds || older(path, builds);
	const json_t *f;
	size_t i;

	json_array_foreach(folders, i, f) {
		g_auto(GStrv) names = names_in(json_string_value(f), NULL);

		for (char **n = names; *n && all; n++) {
			g_autofree char *records = g_build_filename(json_string_value(f), *n, "records.jsonl", NULL);

			all = older(path, records);
		}
	}
	json_decref(folders);
	return all;
}

json_t *matrix_json(void)
{
	json_t *all = json_object(), *unread = json_array(), *folders = folders_of_runs();
	json_t *cells, *m;
	const json_t *f;
	size_t i;

	json_array_foreach(folders, i, f)
		read_folder(all, json_string_value(f), unread);
	if (opts.build)
		read_builds(all, unread);
	cells = cells_list(all);
	m = json_pack("{s:o,s:o,s:o,s:o}", "cells", cells, "soak", soak_json(cells), "folders", folders, "unread", unread);
	matrix_fold(m);
	json_decref(all);
	return m;
}
