// SPDX-License-Identifier: GPL-2.0-or-later
/* pcplab stats: computes stats.json from a run's records. */
#include <stdio.h>
#include <string.h>
#include "matrix.h"
#include "pcplab.h"
#include "stats.h"

static json_t *row_json(const struct experiment *e, const struct metric_row *row)
{
	json_t *cells = json_array(), *o;

	for (size_t v = 0; v < row->n; v++)
		json_array_append_new(cells, row->cells[v] ? cell_json(e, row->cells[v], row->cells[0]) : json_null());
	o = json_pack("{s:s,s:s,s:b,s:b,s:o}", "metric", row->metric, "unit", row->unit, "dist", row->dist,
		      "higher_is_better", metric_higher_is_better(row->metric), "cells", cells);
	if (row->floor)
		json_object_set_new(o, "floor", cell_json(e, row->floor, NULL));
	return o;
}

static json_t *experiment_json(const struct experiment *e)
{
	json_t *rows = json_array();
	json_t *o;

	for (guint i = 0; i < e->metrics->len; i++)
		json_array_append_new(rows, row_json(e, e->metrics->pdata[i]));
	o = json_pack("{s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:I,s:I,s:I,s:o}", "label", e->label, "workload", e->workload,
		      "cell", e->cell, "flavor", e->flavor, "mode", e->mode, "accel", e->accel, "clock", e->clock, "badge", e->badge,
		      "cpus", (json_int_t)e->cpus, "mem_mb", (json_int_t)e->mem_mb, "nodes", (json_int_t)e->nodes,
		      "metrics", rows);
	json_object_set_new(o, "most_nodes", json_integer(e->most_nodes));
	if (e->params)
		json_object_set(o, "params", (json_t *)e->params);
	return o;
}

static void add_plain(json_t *plain, const struct experiment *e)
{
	for (guint i = 0; i < e->metrics->len; i++) {
		const struct metric_row *row = e->metrics->pdata[i];

		/* A class of sections that did not occur has no figures. */
		for (size_t v = 0; v < row->n; v++)
			if (row->cells[v] && row->cells[v]->n)
				json_array_append_new(plain, cell_plain(e, row->cells[v]));
		if (row->floor && row->floor->n)
			json_array_append_new(plain, cell_plain(e, row->floor));
	}
}

static json_t *rules_json(size_t tests)
{
	return json_pack("{s:I,s:f,s:f,s:i,s:I,s:I}", "tests", (json_int_t)tests, "alpha", ALPHA, "same_percent",
			 SAME_PERCENT, "test_min_runs", TEST_MIN_RUNS, "bootstrap_seed", (json_int_t)BOOTSTRAP_SEED,
			 "bootstrap_resamples", (json_int_t)BOOTSTRAP_RESAMPLES);
}

json_t *stats_compute(const struct run_data *d)
{
	json_t *withheld = json_array(), *plain = json_array(), *experiments = json_array();
	json_t *equal = json_array();
	GPtrArray *all = experiments_build(d, withheld);
	size_t tests = experiments_compare(all);
	json_t *o;

	for (guint i = 0; i < all->len; i++) {
		json_array_append_new(experiments, experiment_json(all->pdata[i]));
		add_plain(plain, all->pdata[i]);
	}
	o = json_pack("{s:i,s:O,s:O,s:s,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:O,s:O,s:O,s:O}", "format", STATS_FORMAT, "run", d->info,
		      "variants", d->variants, "records_sha256", d->sha256, "rules", rules_json(tests),
		      "answers", answers_json(all, d->variants, equal), "equal", equal,
		      "tallies", tallies_json(all, d->variants), "beside", beside_json(all, d->variants),
		      "conditions", conditions_json(d), "comparisons", experiments, "statistics", plain,
		      "withheld", withheld, "left_out", d->left_out, "known", d->known, "problems", d->problems, "missing", d->missing);
	json_object_set_new(o, "floor", floor_json(all, d->floor));
	json_object_set_new(o, "matrix", matrix_json());
	json_object_set_new(o, "records_used", json_integer((json_int_t)json_array_size(d->records)));
	g_ptr_array_unref(all);
	return o;
}

static const struct argp_option stats_options[] = {
	{ "json", 'j', NULL, 0, "Print the statistics as one JSON array, after writing stats.json", 0 },
	{ 0 }
};

static const struct argp stats_argp = {
	.options = stats_options,
	.parser = parse_stage,
	.args_doc = "[RUN]",
	.doc = "Compute statistics from the records of RUN (an id or a folder; default: the newest) into its stats.json."
	       "\vOnly records with status ok enter; the others are counted and listed. n is the number of runs, or, for "
	       "distributions (irqoff_insn*, cyclictest_us), of samples in all runs. A percentile of a distribution is its "
	       "bucket's upper bound; a maximum is exact. spread is the coefficient of variation between runs in percent, "
	       "for distributions that of the runs' maxima. ci_low and ci_high bound the mean: a 95 % bootstrap over runs "
	       "with a fixed seed. Comparisons with the first variant use Welch's test on the runs' values (for "
	       "distributions: the runs' maxima), with Holm's correction for all comparisons of the run; there is no test "
	       "below 5 runs, and none where both sides repeat exactly.",
	.children = common_children,
};

static void print_notes(const json_t *stats, const char *path)
{
	size_t left = json_array_size(json_object_get(stats, "left_out"));
	size_t missing = json_array_size(json_object_get(stats, "missing"));

	pl_note("%s: %lld records used, %zu left out, %zu lines unreadable, %zu planned without a record", path,
		j_int(stats, "records_used"), left, json_array_size(json_object_get(stats, "problems")), missing);
}

int cmd_stats(int argc, char **argv)
{
	struct stage_args a = { .what = "run" };
	g_autofree char *dir = NULL, *path = NULL;
	struct run_data d;
	json_t *stats;
	int rc;

	parse_args(&stats_argp, argc, argv, &a);
	dir = run_dir_find(a.name);
	if (!dir)
		return RC_USAGE;
	rc = run_data_load(dir, &d);
	if (rc == RC_OK) {
		stats = stats_compute(&d);
		path = g_build_filename(dir, "stats.json", NULL);
		rc = json_write(path, stats) ? RC_OK : RC_FAILED;
		if (a.json && rc == RC_OK) {
			json_dumpf(json_object_get(stats, "statistics"), stdout,
				   JSON_INDENT(1) | JSON_SORT_KEYS | JSON_REAL_PRECISION(12));
			putchar('\n');
		} else if (rc == RC_OK) {
			print_notes(stats, path);
		}
		json_decref(stats);
	}
	run_data_clear(&d);
	return rc;
}
