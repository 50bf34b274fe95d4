// SPDX-License-Identifier: GPL-2.0-or-later
/* Compares each variant with the first one, and says which way a difference goes. */
#include <math.h>
#include <string.h>
#include <gsl/gsl_statistics_double.h>
#include "stats.h"
#include "util.h"

/* A worst case is what interrupts-off sections and wake-ups are judged by, a mean all else. */
static double judged(const struct cell *c)
{
	return c->dist ? c->max : c->mean;
}

/* Percent, positive is better whichever way the metric points; NAN where no percentage exists. */
static double change(double base, double now, bool higher)
{
	if (base == now)
		return 0;
	if (base == 0)
		return NAN;
	return (higher ? now - base : base - now) / fabs(base) * 100;
}

static enum test_kind choose_test(struct cell *c, const struct cell *base)
{
	const double *a = (const double *)base->values->data, *b = (const double *)c->values->data;
	size_t na = base->values->len, nb = c->values->len;

	if (!na || !nb)
		return TEST_NONE;
	if (na < TEST_MIN_RUNS || nb < TEST_MIN_RUNS)
		return TEST_FEW;
	c->p = welch_p(a, na, b, nb);
	c->reach = 100 * welch_reach(a, na, b, nb) / fabs(gsl_stats_mean(a, 1, na));
	return isnan(c->p) ? TEST_EXACT : TEST_WELCH;
}

void cell_compare(struct cell *c, const struct cell *base)
{
	c->star = false;
	c->change = c->ratio = c->p = c->p_holm = NAN;
	c->reach = 0;
	c->test = choose_test(c, base);
	if (c->test == TEST_NONE)
		return;
	c->change = change(judged(base), judged(c), metric_higher_is_better(c->metric));
	c->ratio = judged(c) ? judged(base) / judged(c) : NAN;
}

const char *cell_verdict(const struct cell *c, const struct cell *base)
{
	bool higher = judged(c) > judged(base);

	if (c->test == TEST_NONE)
		return c->n ? "appears" : base->n ? "vanishes" : "same";
	/* A small difference between noisy figures says nothing: they may differ by far more. */
	if (fabs(c->change) < SAME_PERCENT)
		return c->test != TEST_WELCH || c->star || c->reach < SAME_PERCENT ? "same" : "unclear";
	if (c->test == TEST_WELCH && !c->star)
		return "unclear";
	return higher == metric_higher_is_better(c->metric) ? "better" : "worse";
}

void cells_correct(GPtrArray *cells)
{
	g_autofree double *p = g_new(double, cells->len + 1);

	for (guint i = 0; i < cells->len; i++)
		p[i] = ((struct cell *)cells->pdata[i])->p;
	holm(p, cells->len);
	for (guint i = 0; i < cells->len; i++) {
		struct cell *c = cells->pdata[i];

		c->p_holm = p[i];
		c->star = p[i] < ALPHA;
	}
}

static void compare_row(gpointer p, gpointer tested)
{
	struct metric_row *row = p;
	struct cell *base = row->cells[0];

	for (size_t v = 0; base && v < row->n; v++) {
		struct cell *c = row->cells[v];

		if (c && v)
			cell_compare(c, base);
		if (c && v && c->test == TEST_WELCH)
			g_ptr_array_add(tested, c);
	}
}

static void judge_row(gpointer p, gpointer unused)
{
	struct metric_row *row = p;

	(void)unused;
	if (!row->cells[0])
		return;
	row->cells[0]->test = TEST_BASE;
	row->cells[0]->verdict = "baseline";
	row->cells[0]->change = 0;
	for (size_t v = 1; v < row->n; v++)
		if (row->cells[v])
			row->cells[v]->verdict = cell_verdict(row->cells[v], row->cells[0]);
}

static void each_row(GPtrArray *all, GFunc call, gpointer data)
{
	for (guint i = 0; i < all->len; i++)
		g_ptr_array_foreach(((struct experiment *)all->pdata[i])->metrics, call, data);
}

size_t experiments_compare(GPtrArray *all)
{
	g_autoptr(GPtrArray) tested = g_ptr_array_new();

	each_row(all, compare_row, tested);
	cells_correct(tested);
	each_row(all, judge_row, NULL);
	return tested->len;
}

json_t *number_or_null(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

json_t *cell_plain(const struct experiment *e, const struct cell *c)
{
	json_t *o = json_pack("{s:s,s:s,s:s,s:s,s:s,s:s,s:I,s:O}", "variant", c->variant, "workload", e->label, "metric",
			      c->metric, "unit", c->unit, "clock", e->clock, "accel", e->accel, "n", (json_int_t)c->n,
			      "ids", c->ids);

	json_object_set_new(o, "mean", number_or_null(c->mean));
	json_object_set_new(o, "median", number_or_null(c->median));
	json_object_set_new(o, "p99", number_or_null(c->p99));
	json_object_set_new(o, "max", number_or_null(c->max));
	json_object_set_new(o, "spread", number_or_null(c->spread));
	json_object_set_new(o, "ci_low", number_or_null(c->ci.low));
	json_object_set_new(o, "ci_high", number_or_null(c->ci.high));
	return o;
}

static json_t *changes_json(const struct cell *c, const struct cell *base)
{
	bool up = metric_higher_is_better(c->metric);
	json_t *o = json_object();

	if (!base)
		return o;
	json_object_set_new(o, "mean", number_or_null(change(base->mean, c->mean, up)));
	json_object_set_new(o, "hmean", number_or_null(change(base->hmean, c->hmean, up)));
	json_object_set_new(o, "median", number_or_null(change(base->median, c->median, up)));
	json_object_set_new(o, "p99", number_or_null(change(base->p99, c->p99, up)));
	json_object_set_new(o, "min", number_or_null(change(base->min, c->min, up)));
	json_object_set_new(o, "max", number_or_null(change(base->max, c->max, up)));
	/* Less spread is better for every metric. */
	json_object_set_new(o, "stddev", number_or_null(change(base->sd, c->sd, false)));
	json_object_set_new(o, "spread", number_or_null(change(base->spread, c->spread, false)));
	return o;
}

static json_t *hist_json(const struct hist *h)
{
	json_t *rows = json_array();

	for (guint i = 0; i < h->buckets->len; i++) {
		const struct bucket *b = &g_array_index(h->buckets, struct bucket, i);

		json_array_append_new(rows, json_pack("[I,I,I]", (json_int_t)b->low, (json_int_t)b->high,
						      (json_int_t)b->count));
	}
	return rows;
}

/* [x, number of samples of at least x], by rising x: what a distribution's tail is drawn from. */
static json_t *tail_json(const struct hist *h)
{
	unsigned long long left = h->n;
	json_t *rows = json_array();

	for (guint i = 0; i < h->buckets->len; i++) {
		const struct bucket *b = &g_array_index(h->buckets, struct bucket, i);

		json_array_append_new(rows, json_pack("[I,I]", (json_int_t)b->low, (json_int_t)left));
		left -= b->count;
	}
	if (h->n)
		json_array_append_new(rows, json_pack("[I,I]", (json_int_t)h->max, (json_int_t)1));
	return rows;
}

static const char *test_name(enum test_kind t)
{
	static const char *const names[] = { "none", "baseline", "too few runs", "repeats exactly", "welch" };

	return names[t];
}

json_t *cell_json(const struct experiment *e, const struct cell *c, const struct cell *base)
{
	json_t *o = cell_plain(e, c);

	json_object_set_new(o, "runs", json_integer(c->dist ? (json_int_t)json_array_size(c->ids) : (json_int_t)c->n));
	json_object_set_new(o, "min", number_or_null(c->min));
	json_object_set_new(o, "hmean", number_or_null(c->hmean));
	json_object_set_new(o, "stddev", number_or_null(c->sd));
	json_object_set_new(o, "max_ci_low", number_or_null(c->max_ci.low));
	json_object_set_new(o, "max_ci_high", number_or_null(c->max_ci.high));
	json_object_set_new(o, "changes", changes_json(c, base));
	json_object_set_new(o, "change", number_or_null(c->change));
	json_object_set_new(o, "ratio", number_or_null(c->ratio));
	json_object_set_new(o, "test", json_string(test_name(base ? c->test : TEST_NONE)));
	json_object_set_new(o, "p", number_or_null(c->p));
	json_object_set_new(o, "p_holm", number_or_null(c->p_holm));
	json_object_set_new(o, "star", json_boolean(c->star));
	json_object_set_new(o, "verdict", base ? json_string(c->verdict) : json_null());
	if (c->dist) {
		json_object_set_new(o, "hist", hist_json(c->hist));
		json_object_set_new(o, "tail", tail_json(c->hist));
	}
	return o;
}
