/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes folders of runs for the tests of statistics and reports. */
#ifndef TESTS_RECORDS_H
#define TESTS_RECORDS_H

#include "harness.h"
#include "stats.h"

/* One record as text; @metrics is the inside of the array. Boots are named by variant and run. */
static inline char *record_text(const char *variant, int run, const char *mode, const char *label, const char *metrics)
{
	const char *clock = strcmp(mode, "icount") ? "host" : "icount", *accel = strcmp(mode, "kvm") ? "tcg" : "kvm";

	return g_strdup_printf("{\"id\":\"%s-%d-%s.0\",\"boot\":\"%s-%d-%s\",\"run\":%d,\"seed\":%d,\"variant\":\"%s\","
			       "\"flavor\":\"perf\",\"label\":\"%s\",\"workload\":\"pairs\",\"params\":{\"order\":0},"
			       "\"status\":\"ok\",\"reason\":null,\"mode\":\"%s\",\"accel\":\"%s\",\"clock\":\"%s\",\"cpus\":1,"
			       "\"mem_mb\":1024,\"nodes\":1,\"metrics\":[%s],\"zones\":[],\"vm\":{},\"env\":{}}\n"
			       "{\"boot\":\"%s-%d-%s\",\"type\":\"done\"}\n",
			       variant, run, mode, variant, run, mode, run, run, variant, label, mode, accel, clock, metrics,
			       variant, run, mode);
}

static inline char *scalar_text(const char *metric, double value)
{
	return g_strdup_printf("{\"metric\":\"%s\",\"unit\":\"insn\",\"value\":%.9f}", metric, value);
}

/* Appends a record with one scalar metric. */
static inline void add_scalar_record(GString *s, const char *variant, int run, const char *metric, double value)
{
	g_autofree char *m = scalar_text(metric, value);
	g_autofree char *r = record_text(variant, run, "icount", "pairs", m);

	g_string_append(s, r);
}

/* A folder with records and, unless NULL, run.json. Removed by remove_run(). */
static inline char *make_run(const char *records, const char *info)
{
	char *dir = g_dir_make_tmp("pcplab-run-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "records.jsonl", NULL);
	g_autofree char *info_path = g_build_filename(dir, "run.json", NULL);

	assert_true(g_file_set_contents(path, records, -1, NULL));
	if (info)
		assert_true(g_file_set_contents(info_path, info, -1, NULL));
	return dir;
}

static inline void remove_run(char *dir)
{
	const char *const argv[] = { "rm", "-rf", dir, NULL };

	g_free(command_output(argv));
	g_free(dir);
}

/* Statistics of a run made of @records; what is printed goes to stderr. */
static inline json_t *stats_of(const char *records, const char *info)
{
	char *dir = make_run(records, info);
	struct run_data d;
	json_t *stats;

	assert_int_equal(run_data_load(dir, &d), RC_OK);
	stats = stats_compute(&d);
	assert_non_null(stats);
	run_data_clear(&d);
	remove_run(dir);
	return stats;
}

/* The cell of a metric under a variant in the first experiment that has the metric; NULL when it is missing. */
static inline const json_t *find_cell(const json_t *stats, const char *metric, size_t variant)
{
	const json_t *e, *m;
	size_t i, k;

	json_array_foreach(json_object_get(stats, "comparisons"), i, e)
		json_array_foreach(json_object_get(e, "metrics"), k, m)
			if (!strcmp(j_str(m, "metric"), metric))
				return json_array_get(json_object_get(m, "cells"), variant);
	return NULL;
}

#endif
