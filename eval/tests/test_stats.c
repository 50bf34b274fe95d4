// SPDX-License-Identifier: GPL-2.0-or-later
/* Statistics against values worked out by hand, and what becomes of broken records. */
#include <math.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include "records.h"

#define INFO "{\"run\":\"t\",\"variants\":[\"stock\",\"other\"]}"

static void near(double a, double b)
{
	if (!(fabs(a - b) <= 1e-9 * MAX(1, fabs(b))))
		fail_msg("%.12g is not %.12g", a, b);
}

static struct hist *parse(const char *text, const char **why)
{
	json_t *o = json_loads(text, 0, NULL);
	struct hist *h;

	assert_non_null(o);
	h = hist_parse(o, why);
	json_decref(o);
	return h;
}

static void test_hist_percentiles(void **state)
{
	const char *why;
	/* 1 1 1 1 1 1 1 1 1 (9 times), then one in 16..17 that is 16. */
	struct hist *h = parse("{\"n\":10,\"sum\":25,\"max\":16,\"hist\":[[1,1,9],[16,17,1]]}", &why);

	(void)state;
	assert_non_null(h);
	near(hist_percentile(h, 0.5), 1);
	near(hist_percentile(h, 0.9), 1);
	/* The bucket's bound is 17, the maximum is exact. */
	near(hist_percentile(h, 0.91), 16);
	near(hist_percentile(h, 1), 16);
	assert_int_equal(h->min, 1);
	hist_free(h);
}

static void test_hist_merge(void **state)
{
	const char *why;
	struct hist *a = parse("{\"n\":3,\"sum\":12,\"max\":6,\"hist\":[[2,3,2],[6,7,1]]}", &why);
	struct hist *b = parse("{\"n\":4,\"sum\":46,\"max\":31,\"hist\":[[1,1,1],[6,7,2],[30,31,1]]}", &why);
	struct hist *c = hist_new();

	(void)state;
	hist_merge(c, a);
	hist_merge(c, b);
	assert_int_equal(c->n, 7);
	near(c->sum, 58);
	assert_int_equal(c->max, 31);
	assert_int_equal(c->min, 1);
	assert_int_equal(c->buckets->len, 4);
	assert_int_equal(g_array_index(c->buckets, struct bucket, 2).count, 3);
	near(hist_percentile(c, 0.5), 7);
	/* Merging in the other order changes nothing. */
	hist_merge(b, a);
	assert_int_equal(b->buckets->len, 4);
	assert_memory_equal(b->buckets->data, c->buckets->data, 4 * sizeof(struct bucket));
	hist_free(a);
	hist_free(b);
	hist_free(c);
}

static void test_hist_overflow(void **state)
{
	const char *why;
	struct hist *h = parse("{\"n\":5,\"sum\":900,\"max\":800,\"hist\":[[10,10,3]]}", &why);

	(void)state;
	assert_non_null(h);
	near(hist_percentile(h, 0.6), 10);
	near(hist_percentile(h, 0.61), 800);
	hist_free(h);
}

static void test_hist_broken(void **state)
{
	static const char *const broken[] = {
		"{\"sum\":1,\"max\":1,\"hist\":[]}", "{\"n\":1,\"sum\":1,\"max\":1}", "{\"n\":-1,\"sum\":1,\"max\":1,\"hist\":[]}",
		"{\"n\":1,\"sum\":1,\"max\":1,\"hist\":[[1,1]]}", "{\"n\":1,\"sum\":1,\"max\":1,\"hist\":[[1,1,\"1\"]]}",
		"{\"n\":1,\"sum\":1,\"max\":1,\"hist\":[[2,1,1]]}", "{\"n\":1,\"sum\":1,\"max\":1,\"hist\":[[1,1,2]]}",
		"{\"n\":2,\"sum\":1,\"max\":5,\"hist\":[[3,5,1],[1,4,1]]}", "{\"n\":2,\"sum\":1,\"max\":5,\"hist\":[[1,1,-1]]}",
	};
	const char *why;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(broken); i++) {
		assert_null(parse(broken[i], &why));
		assert_non_null(why);
	}
}

static void test_moments(void **state)
{
	const double v[] = { 4, 1, 2 }, same[] = { 0.1, 0.1, 0.1 }, even[] = { 4, 3, 2, 1 }, zero[] = { 0, 1 };

	(void)state;
	near(stat_hmean(v, 3), 12.0 / 7);
	assert_true(isnan(stat_hmean(zero, 2)));
	near(stat_quantile(even, 4, 0.5), 2.5);
	near(stat_quantile(v, 3, 1), 4);
	/* Exactly: the mean of three times 0.1 is not 0.1 in binary. */
	assert_true(stat_sd(same, 3) == 0);
	assert_true(isnan(stat_sd(v, 1)));
	near(stat_sd(even, 4), sqrt(5.0 / 3));
}

static void test_welch_and_holm(void **state)
{
	const double a[] = { 1, 2, 3, 4, 5 }, b[] = { 3, 4, 5, 6, 7 }, c[] = { 2, 2 };
	double p[] = { 0.01, 0.04, 0.03, 0.9 };

	(void)state;
	/* t = -2 with 8 degrees of freedom. */
	assert_true(fabs(welch_p(a, 5, b, 5) - 0.0805) < 0.0001);
	near(welch_p(a, 5, b, 5), welch_p(b, 5, a, 5));
	assert_true(isnan(welch_p(c, 2, c, 2)));
	/* The interval is 2 +- 2.306. */
	assert_true(fabs(welch_reach(a, 5, b, 5) - 4.306) < 0.001);
	near(welch_reach(c, 2, c, 2), 0);
	holm(p, 4);
	near(p[0], 0.04);
	near(p[2], 0.09);
	near(p[1], 0.09);
	near(p[3], 0.9);
}

static void test_bootstrap(void **state)
{
	const double v[] = { 10, 12, 11, 13, 9 }, same[] = { 7, 7, 7 };
	struct interval ci = boot_ratio(v, NULL, 5), again = boot_ratio(v, NULL, 5);

	(void)state;
	assert_true(ci.low < 11 && ci.high > 11 && ci.low >= 9 && ci.high <= 13);
	assert_true(ci.low == again.low && ci.high == again.high);
	ci = boot_ratio(same, NULL, 3);
	near(ci.low, 7);
	near(ci.high, 7);
	assert_true(isnan(boot_ratio(v, NULL, 1).low));
	/* Sums over numbers: a mean over all samples. */
	ci = boot_ratio((double[]){ 10, 20 }, (double[]){ 1, 2 }, 2);
	near(ci.low, 10);
	near(ci.high, 10);
}

/* @runs runs of two variants; the other's mean is @shift times the first's, noise in shares of the mean. */
static json_t *simulate(unsigned long seed, int runs, double shift, double noise, int metrics)
{
	static const char *const names[] = { "insn_per_op", "locked_per_op", "cli_per_op", "sti_per_op", "stores_per_op",
					     "xchg128_per_op", "rep_iters_per_op" };
	g_autoptr(GString) s = g_string_new(NULL);
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	json_t *stats;

	gsl_rng_set(rng, seed);
	for (int run = 1; run <= runs; run++) {
		for (int v = 0; v < 2; v++) {
			g_autoptr(GString) list = g_string_new(NULL);
			g_autofree char *r = NULL;

			for (int m = 0; m < metrics; m++) {
				double x = 700 * (v ? shift : 1) * (1 + gsl_ran_gaussian(rng, noise));
				g_autofree char *one = scalar_text(names[m], x);

				g_string_append_printf(list, "%s%s", m ? "," : "", one);
			}
			r = record_text(v ? "other" : "stock", run, "icount", "pairs", list->str);
			g_string_append(s, r);
		}
	}
	gsl_rng_free(rng);
	stats = stats_of(s->str, INFO);
	return stats;
}

static void test_shift_found(void **state)
{
	(void)state;
	for (unsigned long seed = 1; seed <= 20; seed++) {
		json_t *stats = simulate(seed, 10, 1.02, 0.005, 1);
		const json_t *c = find_cell(stats, "insn_per_op", 1);

		assert_true(json_is_true(json_object_get(c, "star")));
		assert_string_equal(j_str(c, "verdict"), "worse");
		assert_true(j_num(c, "change") < -1 && j_num(c, "change") > -3);
		json_decref(stats);
	}
}

static bool any_star(const json_t *stats)
{
	const json_t *m;
	size_t i;

	json_array_foreach(json_object_get(json_array_get(json_object_get(stats, "comparisons"), 0), "metrics"), i, m)
		if (json_is_true(json_object_get(json_array_get(json_object_get(m, "cells"), 1), "star")))
			return true;
	return false;
}

/* Seven comparisons each: uncorrected, about six of twenty would have a star. */
static void test_null_not_starred(void **state)
{
	int starred = 0;

	(void)state;
	for (unsigned long seed = 1; seed <= 20; seed++) {
		json_t *stats = simulate(seed, 10, 1.0, 0.005, 7);

		assert_int_equal(j_int(json_object_get(stats, "rules"), "tests"), 7);
		starred += any_star(stats);
		json_decref(stats);
	}
	assert_in_range(starred, 0, 2);
}

/* Equal means of noisy runs do not show that two designs are the same; those of quiet runs do. */
static void test_same_needs_quiet(void **state)
{
	g_autoptr(GString) quiet = g_string_new(NULL), noisy = g_string_new(NULL);
	json_t *stats;

	(void)state;
	for (int run = 1; run <= 5; run++) {
		for (int v = 0; v < 2; v++) {
			add_scalar_record(quiet, v ? "other" : "stock", run, "insn_per_op", 700 + 0.5 * run + v);
			add_scalar_record(noisy, v ? "other" : "stock", run, "insn_per_op", 700 + 100 * run + v);
		}
	}
	stats = stats_of(quiet->str, INFO);
	assert_string_equal(j_str(find_cell(stats, "insn_per_op", 1), "verdict"), "same");
	json_decref(stats);
	stats = stats_of(noisy->str, INFO);
	assert_string_equal(j_str(find_cell(stats, "insn_per_op", 1), "verdict"), "unclear");
	json_decref(stats);
}

static void test_few_runs(void **state)
{
	json_t *stats = simulate(1, 4, 2.0, 0.001, 1);
	const json_t *c = find_cell(stats, "insn_per_op", 1);

	(void)state;
	assert_string_equal(j_str(c, "test"), "too few runs");
	assert_false(json_is_true(json_object_get(c, "star")));
	assert_int_equal(j_int(json_object_get(stats, "rules"), "tests"), 0);
	json_decref(stats);
}

static void test_repeats_exactly(void **state)
{
	json_t *stats = simulate(1, 5, 1.1, 0, 1);
	const json_t *c = find_cell(stats, "insn_per_op", 1);

	(void)state;
	assert_string_equal(j_str(c, "test"), "repeats exactly");
	assert_string_equal(j_str(c, "verdict"), "worse");
	assert_false(json_is_true(json_object_get(c, "star")));
	near(j_num(c, "spread"), 0);
	near(j_num(c, "change"), -10);
	near(j_num(c, "ci_low"), 770);
	json_decref(stats);
}

static void test_distribution(void **state)
{
	static const char *const metrics[] = {
		"{\"metric\":\"irqoff_insn\",\"unit\":\"insn\",\"n\":3,\"sum\":60,\"max\":30,\"hist\":[[10,10,1],[20,20,1],[30,30,1]]}",
		"{\"metric\":\"irqoff_insn\",\"unit\":\"insn\",\"n\":1,\"sum\":40,\"max\":40,\"hist\":[[40,41,1]]}",
	};
	g_autofree char *a = record_text("stock", 1, "icount", "pairs", metrics[0]);
	g_autofree char *b = record_text("stock", 2, "icount", "pairs", metrics[1]);
	g_autofree char *text = g_strconcat(a, b, NULL);
	json_t *stats = stats_of(text, INFO);
	const json_t *c = find_cell(stats, "irqoff_insn", 0);

	(void)state;
	assert_int_equal(j_int(c, "n"), 4);
	near(j_num(c, "mean"), 25);
	near(j_num(c, "median"), 20);
	near(j_num(c, "p99"), 40);
	near(j_num(c, "max"), 40);
	/* Of the runs' maxima 30 and 40. */
	near(j_num(c, "spread"), 100 * sqrt(50.0) / 35);
	assert_int_equal(json_array_size(json_object_get(c, "ids")), 2);
	json_decref(stats);
}

/* A class that a record does not list did not occur; a variant without a record is missing. */
static void test_none_is_not_missing(void **state)
{
	static const char *const spill = "{\"metric\":\"irqoff_insn\",\"unit\":\"insn\",\"n\":1,\"sum\":9,\"max\":9,\"hist\":[[9,9,1]]},"
		"{\"metric\":\"irqoff_insn.spill\",\"unit\":\"insn\",\"n\":1,\"sum\":9,\"max\":9,\"hist\":[[9,9,1]]}";
	static const char *const all = "{\"metric\":\"irqoff_insn\",\"unit\":\"insn\",\"n\":1,\"sum\":5,\"max\":5,\"hist\":[[5,5,1]]}";
	g_autofree char *a = record_text("stock", 1, "icount", "pairs", spill);
	g_autofree char *b = record_text("other", 1, "icount", "pairs", all);
	g_autofree char *text = g_strconcat(a, b, NULL);
	json_t *stats = stats_of(text, "{\"variants\":[\"stock\",\"other\",\"third\"]}");
	const json_t *c = find_cell(stats, "irqoff_insn.spill", 1);

	(void)state;
	assert_true(json_is_object(c));
	assert_int_equal(j_int(c, "n"), 0);
	assert_true(json_is_null(json_object_get(c, "max")));
	assert_string_equal(j_str(c, "verdict"), "vanishes");
	assert_true(json_is_null(find_cell(stats, "irqoff_insn.spill", 2)));
	/* Three distributions have samples. */
	assert_int_equal(json_array_size(json_object_get(stats, "statistics")), 3);
	json_decref(stats);
}

static void test_keys(void **state)
{
	static const char *const keys[] = { "variant", "workload", "metric", "unit", "clock", "accel", "n", "mean", "median",
					    "p99", "max", "spread", "ci_low", "ci_high", "ids" };
	json_t *stats = simulate(1, 1, 1, 0, 1);
	const json_t *row = json_array_get(json_object_get(stats, "statistics"), 0);

	(void)state;
	assert_int_equal(json_object_size(row), G_N_ELEMENTS(keys));
	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
		assert_non_null(json_object_get(row, keys[i]));
	assert_true(json_is_null(json_object_get(row, "ci_low")));
	json_decref(stats);
}

/* The spec's first variant is the baseline, wherever its records stand. */
static void test_baseline(void **state)
{
	g_autoptr(GString) s = g_string_new(NULL);
	json_t *stats;

	(void)state;
	add_scalar_record(s, "other", 1, "insn_per_op", 50);
	add_scalar_record(s, "stock", 1, "insn_per_op", 100);
	stats = stats_of(s->str, INFO);
	assert_string_equal(j_str(find_cell(stats, "insn_per_op", 0), "variant"), "stock");
	near(j_num(find_cell(stats, "insn_per_op", 1), "change"), 50);
	near(j_num(find_cell(stats, "insn_per_op", 1), "ratio"), 2);
	json_decref(stats);
	stats = stats_of(s->str, NULL);
	assert_string_equal(j_str(find_cell(stats, "insn_per_op", 0), "variant"), "other");
	json_decref(stats);
}

static void test_clocks_kept_apart(void **state)
{
	g_autofree char *m = scalar_text("insn_per_op", 700), *rate = scalar_text("ops_per_s", 1e6);
	g_autofree char *a = record_text("stock", 1, "icount", "pairs", m);
	g_autofree char *b = record_text("stock", 1, "tcg", "pairs", rate);
	g_autofree char *c = record_text("stock", 2, "icount", "pairs", rate);
	g_autofree char *text = g_strconcat(a, b, c, NULL);
	json_t *stats = stats_of(text, INFO);
	const json_t *withheld = json_object_get(stats, "withheld");

	(void)state;
	assert_int_equal(json_array_size(json_object_get(stats, "comparisons")), 2);
	assert_int_equal(j_int(find_cell(stats, "ops_per_s", 0), "n"), 1);
	/* A rate under icount would only restate the path length. */
	assert_int_equal(json_array_size(withheld), 1);
	assert_string_equal(j_str(json_array_get(withheld, 0), "id"), "stock-2-icount.0");
	json_decref(stats);
}

/* Two boots with one label would give two statistics of one name. */
static void test_one_place_a_label(void **state)
{
	g_autoptr(GString) s = g_string_new(NULL);
	json_t *stats = NULL;
	char *said;

	(void)state;
	add_scalar_record(s, "stock", 1, "insn_per_op", 100);
	add_scalar_record(s, "stock", 2, "insn_per_op", 100);
	g_string_replace(s, "\"run\":2,\"seed\":2,", "\"run\":2,\"seed\":2,\"cell\":\"smp\",", 1);
	said = CAUGHT(stats = stats_of(s->str, INFO));
	assert_says(said, "records.jsonl:3: its workload was recorded in another boot");
	assert_int_equal(json_array_size(json_object_get(stats, "statistics")), 1);
	json_decref(stats);
	free(said);
}

static void test_higher_is_better(void **state)
{
	g_autofree char *slow = scalar_text("ops_per_s", 100), *fast = scalar_text("ops_per_s", 150);
	g_autofree char *a = record_text("stock", 1, "tcg", "pairs", slow);
	g_autofree char *b = record_text("other", 1, "tcg", "pairs", fast);
	g_autofree char *text = g_strconcat(a, b, NULL);
	json_t *stats = stats_of(text, INFO);

	(void)state;
	near(j_num(find_cell(stats, "ops_per_s", 1), "change"), 50);
	assert_string_equal(j_str(find_cell(stats, "ops_per_s", 1), "verdict"), "better");
	json_decref(stats);
}

/* Two designs above a floor; stock is 60 above it, the other 15 in odd runs and 45 in even ones. */
static char *floor_records(double stock)
{
	g_autoptr(GString) s = g_string_new(NULL);

	for (int run = 1; run <= 6; run++) {
		add_scalar_record(s, "none", run, "insn_per_op", 640 + run);
		add_scalar_record(s, "stock", run, "insn_per_op", 640 + stock + run);
		add_scalar_record(s, "other", run, "insn_per_op", 640 + (run % 2 ? 15 : 45) + run);
	}
	return g_strdup(s->str);
}

static const json_t *floor_value(const json_t *stats, size_t v)
{
	const json_t *row = json_array_get(json_object_get(json_object_get(stats, "floor"), "rows"), 0);

	return json_array_get(json_object_get(row, "values"), v);
}

static void test_floor(void **state)
{
	g_autofree char *text = floor_records(60);
	json_t *stats = stats_of(text, "{\"variants\":[\"stock\",\"other\"],\"floor\":\"none\"}");
	const json_t *answer = json_array_get(json_object_get(stats, "answers"), 0);

	(void)state;
	/* It is no variant: no column, no win or loss, no comparison. */
	assert_int_equal(json_array_size(json_object_get(stats, "variants")), 2);
	assert_int_equal(json_array_size(json_object_get(stats, "tallies")), 1);
	assert_int_equal(json_array_size(json_object_get(json_object_get(stats, "beside"), "pairs")), 0);
	assert_int_equal(j_int(json_object_get(stats, "rules"), "tests"), 1);
	near(j_num(floor_value(stats, 0), "above"), 60);
	near(j_num(floor_value(stats, 0), "share"), 1);
	near(j_num(floor_value(stats, 0), "share_low"), 1);
	near(j_num(floor_value(stats, 1), "above"), 30);
	near(j_num(floor_value(stats, 1), "share"), 0.5);
	/* Between the shares of single runs, a quarter and three quarters. */
	assert_true(j_num(floor_value(stats, 1), "share_low") >= 0.25 && j_num(floor_value(stats, 1), "share_low") < 0.5);
	assert_true(j_num(floor_value(stats, 1), "share_high") <= 0.75 && j_num(floor_value(stats, 1), "share_high") > 0.5);
	assert_int_equal(json_array_size(json_object_get(floor_value(stats, 1), "ids")), 6);
	near(j_num(json_object_get(answer, "floor"), "value"), 643.5);
	assert_true(json_is_null(json_object_get(json_object_get(answer, "floor"), "verdict")));
	json_decref(stats);
	/* Without the run's word for it, it is a variant like any other. */
	stats = stats_of(text, "{\"variants\":[\"stock\",\"other\"]}");
	assert_int_equal(json_array_size(json_object_get(stats, "variants")), 3);
	assert_int_equal(json_array_size(json_object_get(json_object_get(stats, "floor"), "rows")), 0);
	json_decref(stats);
}

/* A share of next to nothing would be any number. */
static void test_no_share(void **state)
{
	g_autofree char *text = floor_records(0.5), *below = floor_records(-20);
	json_t *stats = stats_of(text, "{\"variants\":[\"stock\",\"other\"],\"floor\":\"none\"}");

	(void)state;
	near(j_num(floor_value(stats, 1), "above"), 30);
	assert_true(json_is_null(json_object_get(floor_value(stats, 1), "share")));
	json_decref(stats);
	stats = stats_of(below, "{\"variants\":[\"stock\",\"other\",\"third\"],\"floor\":\"none\"}");
	near(j_num(floor_value(stats, 0), "above"), -20);
	assert_true(json_is_null(json_object_get(floor_value(stats, 0), "share")));
	assert_true(json_is_null(floor_value(stats, 2)));
	json_decref(stats);
}

/* More nodes make a column of its own, not another experiment. */
static void test_columns_of_nodes(void **state)
{
	g_autoptr(GString) s = g_string_new(NULL);
	json_t *stats;
	char *said;

	(void)state;
	add_scalar_record(s, "stock", 1, "insn_per_op", 100);
	add_scalar_record(s, "stock-2nodes", 1, "insn_per_op", 90);
	g_string_replace(s, "\"variant\":\"stock-2nodes\",\"flavor\":\"perf\",\"label\":\"pairs\",\"workload\":\"pairs\","
			 "\"params\":{\"order\":0},\"status\":\"ok\",\"reason\":null,\"mode\":\"icount\",\"accel\":\"tcg\","
			 "\"clock\":\"icount\",\"cpus\":1,\"mem_mb\":1024,\"nodes\":1",
			 "\"variant\":\"stock-2nodes\",\"flavor\":\"perf\",\"label\":\"pairs\",\"workload\":\"pairs\","
			 "\"params\":{\"order\":0},\"status\":\"ok\",\"reason\":null,\"mode\":\"icount\",\"accel\":\"tcg\","
			 "\"clock\":\"icount\",\"cpus\":1,\"mem_mb\":1024,\"nodes\":2", 0);
	said = CAUGHT(stats = stats_of(s->str, "{\"variants\":[\"stock\",\"stock-2nodes\"]}"));
	assert_string_equal(said, "");
	assert_int_equal(json_array_size(json_object_get(stats, "comparisons")), 1);
	assert_int_equal(j_int(json_array_get(json_object_get(stats, "comparisons"), 0), "most_nodes"), 2);
	near(j_num(find_cell(stats, "insn_per_op", 1), "change"), 10);
	json_decref(stats);
	free(said);
}

static void test_known_is_apart(void **state)
{
	g_autoptr(GString) s = g_string_new(NULL);
	json_t *stats;

	(void)state;
	add_scalar_record(s, "stock", 1, "insn_per_op", 100);
	add_scalar_record(s, "other", 1, "insn_per_op", 900);
	g_string_replace(s, "\"variant\":\"other\",\"flavor\":\"perf\",\"label\":\"pairs\",\"workload\":\"pairs\","
			 "\"params\":{\"order\":0},\"status\":\"ok\",\"reason\":null",
			 "\"variant\":\"other\",\"flavor\":\"perf\",\"label\":\"pairs\",\"workload\":\"pairs\","
			 "\"params\":{\"order\":0},\"status\":\"known\",\"reason\":\"it waits\"", 0);
	stats = stats_of(s->str, INFO);
	assert_int_equal(json_array_size(json_object_get(stats, "left_out")), 0);
	assert_string_equal(j_str(json_array_get(json_object_get(stats, "known"), 0), "reason"), "it waits");
	assert_true(json_is_null(find_cell(stats, "insn_per_op", 1)));
	json_decref(stats);
}

static char *broken_records(void)
{
	g_autoptr(GString) s = g_string_new(NULL);

	add_scalar_record(s, "stock", 1, "insn_per_op", 100);					/* lines 1 and 2 */
	g_string_append(s, "{\"id\":\"x\",\"boot\n");						/* 3: torn in the middle */
	g_string_append(s, "{\"id\":\"old.0\",\"boot\":\"stock-1-icount\",\"variant\":\"stock\"}\n");	/* 4: another format */
	add_scalar_record(s, "stock", 1, "insn_per_op", 900);					/* 5 and 6: the same id again */
	add_scalar_record(s, "stock", 2, "insn_per_op", 200);					/* 7 and 8 */
	add_scalar_record(s, "stock", 3, "unheard_of", 1);					/* 9 and 10: an unknown metric */
	add_scalar_record(s, "stock", 4, "insn_per_op", 5000);					/* 11 and 12 */
	/* Cut off within the last boot's done line: its record does not count. */
	g_string_truncate(s, s->len - 5);
	return g_strdup(s->str);
}

static void test_broken_lines(void **state)
{
	g_autofree char *text = broken_records();
	json_t *stats = NULL;
	char *said = CAUGHT(stats = stats_of(text, INFO));

	(void)state;
	assert_says(said, "records.jsonl:3: not JSON");
	assert_says(said, "records.jsonl:4: not a record of this version");
	assert_says(said, "records.jsonl:5: a second record with the same id");
	assert_says(said, "records.jsonl:11: its boot was not finished");
	assert_says(said, "records.jsonl:12: the last line is cut off");
	assert_int_equal(json_array_size(json_object_get(stats, "problems")), 5);
	assert_int_equal(j_int(find_cell(stats, "insn_per_op", 0), "n"), 2);
	near(j_num(find_cell(stats, "insn_per_op", 0), "mean"), 150);
	json_decref(stats);
	free(said);
}

static void test_not_ok_is_left_out(void **state)
{
	g_autoptr(GString) s = g_string_new(NULL);
	const json_t *left;
	json_t *stats;

	(void)state;
	add_scalar_record(s, "stock", 1, "insn_per_op", 100);
	add_scalar_record(s, "other", 1, "insn_per_op", 100);
	g_string_replace(s, "\"variant\":\"other\",\"flavor\":\"perf\",\"label\":\"pairs\",\"workload\":\"pairs\","
			 "\"params\":{\"order\":0},\"status\":\"ok\",\"reason\":null",
			 "\"variant\":\"other\",\"flavor\":\"perf\",\"label\":\"pairs\",\"workload\":\"pairs\","
			 "\"params\":{\"order\":0},\"status\":\"panic\",\"reason\":\"Oops <1>\"", 0);
	stats = stats_of(s->str, INFO);
	left = json_array_get(json_object_get(stats, "left_out"), 0);
	assert_string_equal(j_str(left, "status"), "panic");
	assert_string_equal(j_str(left, "reason"), "Oops <1>");
	assert_string_equal(j_str(left, "console"), "boots/other-1-icount/console");
	assert_true(json_is_null(find_cell(stats, "insn_per_op", 1)));
	json_decref(stats);
}

static void test_nothing_to_read(void **state)
{
	char *dir = make_run("{\"some\":\"thing\"}\n", NULL);
	struct run_data d;
	int rc = 0;
	char *said = CAUGHT(rc = run_data_load(dir, &d));

	(void)state;
	assert_int_equal(rc, RC_USAGE);
	assert_says(said, "holds no record that this version can read");
	run_data_clear(&d);
	free(said);
	g_autofree char *path = g_build_filename(dir, "records.jsonl", NULL);
	unlink(path);
	said = CAUGHT(rc = run_data_load(dir, &d));
	assert_int_equal(rc, RC_USAGE);
	assert_says(said, "pcplab run");
	run_data_clear(&d);
	free(said);
	remove_run(dir);
}

/* "high" moves with time and must not make a line for every boot; what is not printed is not 0. */
static void test_zones_condense(void **state)
{
	g_autofree char *m = scalar_text("insn_per_op", 1);
	g_autofree char *a = record_text("stock", 1, "icount", "pairs", m), *b = record_text("stock", 2, "icount", "pairs", m);
	g_autoptr(GString) s = g_string_new(NULL);
	const json_t *zones;
	json_t *stats;

	(void)state;
	g_string_append_printf(s, "%s%s", a, b);
	g_string_replace(s, "\"zones\":[]", "\"zones\":[{\"node\":0,\"zone\":\"Normal\",\"batch\":63,\"high\":700}]", 1);
	g_string_replace(s, "\"zones\":[]", "\"zones\":[{\"node\":0,\"zone\":\"Normal\",\"batch\":63,\"high\":650}]", 1);
	stats = stats_of(s->str, INFO);
	zones = json_object_get(json_object_get(stats, "conditions"), "zones");
	assert_int_equal(json_array_size(zones), 1);
	assert_int_equal(j_int(json_array_get(zones, 0), "least"), 650);
	assert_int_equal(j_int(json_array_get(zones, 0), "most"), 700);
	assert_null(json_object_get(json_object_get(json_array_get(zones, 0), "value"), "high_max"));
	json_decref(stats);
}

static void test_missing_from_plan(void **state)
{
	g_autoptr(GString) s = g_string_new(NULL);
	char *dir;
	struct run_data d;

	(void)state;
	add_scalar_record(s, "stock", 1, "insn_per_op", 100);
	dir = make_run(s->str, INFO);
	g_autofree char *path = g_build_filename(dir, "plan.jsonl", NULL);
	assert_true(g_file_set_contents(path, "{\"boot\":\"stock-1-icount\",\"variant\":\"stock\",\"workloads\":[{\"label\":\"pairs\"}]}\n"
					"{\"boot\":\"b9\",\"variant\":\"other\",\"workloads\":[{\"label\":\"pairs\"},{\"label\":\"bulk\"}]}\n",
					-1, NULL));
	assert_int_equal(run_data_load(dir, &d), RC_OK);
	assert_int_equal(json_array_size(d.missing), 2);
	assert_string_equal(j_str(json_array_get(d.missing, 1), "id"), "b9.1");
	run_data_clear(&d);
	remove_run(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hist_percentiles), cmocka_unit_test(test_hist_merge),
		cmocka_unit_test(test_hist_overflow), cmocka_unit_test(test_hist_broken),
		cmocka_unit_test(test_moments), cmocka_unit_test(test_welch_and_holm),
		cmocka_unit_test(test_bootstrap), cmocka_unit_test(test_shift_found),
		cmocka_unit_test(test_null_not_starred), cmocka_unit_test(test_same_needs_quiet), cmocka_unit_test(test_few_runs),
		cmocka_unit_test(test_repeats_exactly), cmocka_unit_test(test_distribution),
		cmocka_unit_test(test_none_is_not_missing), cmocka_unit_test(test_keys),
		cmocka_unit_test(test_baseline), cmocka_unit_test(test_one_place_a_label), cmocka_unit_test(test_clocks_kept_apart),
		cmocka_unit_test(test_higher_is_better), cmocka_unit_test(test_broken_lines),
		cmocka_unit_test(test_not_ok_is_left_out), cmocka_unit_test(test_nothing_to_read),
		cmocka_unit_test(test_floor), cmocka_unit_test(test_no_share),
		cmocka_unit_test(test_columns_of_nodes), cmocka_unit_test(test_known_is_apart),
		cmocka_unit_test(test_missing_from_plan), cmocka_unit_test(test_zones_condense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
