// SPDX-License-Identifier: GPL-2.0-or-later
/* Chooses, by rules and for any variants, the figures that answer a run's question. */
#include <math.h>
#include <string.h>
#include "stats.h"
#include "util.h"
#include "workloads.h"

/* More than these nobody reads first; what is left out stands among the wins and losses, and in the tables. */
#define MAX_ANSWERS	6

/* What a first page tells about worst cases, in this order. */
static const struct {
	const char *metric, *title;
} worst_cases[] = {
	{ "irqoff_insn.spill", "Longest interrupts-off spill" },
	{ "irqoff_insn", "Longest interrupts-off section of any kind" },
	{ "irqoff_insn.refill", "Longest interrupts-off refill" },
	{ "irqoff_insn.decay", "Longest interrupts-off decay" },
	{ "irqoff_insn.drain", "Longest interrupts-off drain" },
};

/* The first of them come before the costs, the rest behind. */
#define HEADLINES	2

const struct metric_row *row_find(const struct experiment *e, const char *metric)
{
	for (guint i = 0; i < e->metrics->len; i++) {
		const struct metric_row *row = e->metrics->pdata[i];

		if (!strcmp(row->metric, metric))
			return row;
	}
	return NULL;
}

static bool row_complete(const struct metric_row *row)
{
	for (size_t v = 0; v < row->n; v++)
		if (!row->cells[v])
			return false;
	return true;
}

json_t *figure_json(const struct experiment *e, const struct cell *c, const struct cell *base)
{
	json_t *o = cell_json(e, c, base);

	json_object_del(o, "hist");
	json_object_del(o, "tail");
	json_object_set_new(o, "value", number_or_null(c->dist ? c->max : c->mean));
	return o;
}

/* Where a variant was at its worst, among experiments that every variant was measured in. */
static const struct experiment *worst_of(GPtrArray *all, const char *badge, const char *metric, size_t v)
{
	const struct experiment *found = NULL;
	double worst = -1;

	for (guint i = 0; i < all->len; i++) {
		const struct experiment *e = all->pdata[i];
		const struct metric_row *row = strcmp(e->badge, badge) ? NULL : row_find(e, metric);

		if (!row || !row_complete(row) || !row->cells[v]->n || row->cells[v]->max <= worst)
			continue;
		worst = row->cells[v]->max;
		found = e;
	}
	return found;
}

/* The worst cases of two workloads have no common test; the figures themselves are compared. */
static json_t *across_json(const struct experiment *e, const struct cell *c, const struct cell *base, bool same_place)
{
	json_t *o = figure_json(e, c, base);
	double percent = (base->max - c->max) / base->max * 100;

	if (same_place)
		return o;
	json_object_set_new(o, "change", number_or_null(percent));
	json_object_set_new(o, "ratio", number_or_null(base->max / c->max));
	json_object_set_new(o, "test", json_string("none"));
	json_object_set_new(o, "star", json_false());
	json_object_set_new(o, "verdict", json_string(fabs(percent) < SAME_PERCENT ? "same" :
						      percent > 0 ? "better" : "worse"));
	return o;
}

static json_t *worst_values(GPtrArray *all, const char *badge, const char *metric, size_t variants)
{
	const struct experiment *at = worst_of(all, badge, metric, 0);
	const struct cell *base = at ? row_find(at, metric)->cells[0] : NULL;
	json_t *values = json_array();

	for (size_t v = 0; v < variants; v++) {
		const struct experiment *e = worst_of(all, badge, metric, v);
		json_t *o = json_null();

		if (!e && at)	/* complete, hence measured: it never occurs there */
			o = figure_json(at, row_find(at, metric)->cells[v], base);
		else if (e && base)
			o = across_json(e, row_find(e, metric)->cells[v], base, e == at);
		else if (e)
			o = figure_json(e, row_find(e, metric)->cells[v], NULL);
		json_array_append_new(values, o);
	}
	return values;
}

static bool any_value(const json_t *values)
{
	const json_t *v;
	size_t i;

	json_array_foreach(values, i, v)
		if (json_is_object(v))
			return true;
	return false;
}

/* A figure that a variant's is told beside, unless all of them are equal and @always is not set. */
static void add_figure(json_t *found, const char *title, const char *metric, const struct experiment *e, bool always,
		       json_t *values)
{
	if (any_value(values))
		json_array_append_new(found, json_pack("{s:s,s:s,s:s,s:s,s:s,s:b,s:O,s:[]}", "kind", "figure", "title", title,
						       "metric", metric, "where", e->label, "badge", e->badge, "always",
						       always, "values", values, "also"));
	json_decref(values);
}

/* The floor of a figure, and which share of the way to it each variant has left. */
static json_t *answer_floor(const struct experiment *e, const struct metric_row *row)
{
	json_t *floor = figure_json(e, row->floor, NULL), *shares = json_array();

	for (size_t v = 0; v < row->n; v++)
		json_array_append_new(shares, number_or_null(floor_share(row->cells[v], row->cells[0], row->floor)));
	json_object_set_new(floor, "shares", shares);
	return floor;
}

/* One experiment's metric as an answer. */
static void add_single(json_t *found, const char *title, const struct experiment *e, const char *metric, bool always)
{
	const struct metric_row *row = row_find(e, metric);
	json_t *values = json_array();
	size_t before = json_array_size(found);

	for (size_t v = 0; row && v < row->n; v++)
		json_array_append_new(values, row->cells[v] ? figure_json(e, row->cells[v], row->cells[0]) : json_null());
	add_figure(found, title, metric, e, always, values);
	if (row && row->floor && json_array_size(found) > before)
		json_object_set_new(json_array_get(found, before), "floor", answer_floor(e, row));
}

/* Does any variant's worst section of any kind tell of the lists at all? */
static bool worst_counts(GPtrArray *all, const char *badge, const char *metric, size_t variants)
{
	for (size_t v = 0; v < variants; v++) {
		const struct experiment *e = worst_of(all, badge, metric, v);

		if (e && section_of_lists(e, row_find(e, metric), v))
			return true;
	}
	return false;
}

/* Sorted by badge: the first experiment of each badge stands for it. */
static bool first_of_badge(GPtrArray *all, guint i)
{
	const struct experiment *e = all->pdata[i], *before = i ? all->pdata[i - 1] : NULL;

	return !before || strcmp(before->badge, e->badge);
}

static void add_worst(json_t *found, GPtrArray *all, size_t variants, const char *metric, const char *title)
{
	for (guint i = 0; i < all->len; i++) {
		const char *badge = ((struct experiment *)all->pdata[i])->badge;
		const struct experiment *at = NULL;

		for (size_t v = 0; v < variants && first_of_badge(all, i) && !at; v++)
			at = worst_of(all, badge, metric, v);
		if (at && (strcmp(metric, "irqoff_insn") || worst_counts(all, badge, metric, variants)))
			add_figure(found, title, metric, at, !strcmp(metric, "irqoff_insn.spill"),
				   worst_values(all, badge, metric, variants));
	}
}

static const char *wakeup_title(const struct experiment *e)
{
	return json_integer_value(json_object_get(e->params, "procs")) ? "Longest wake-up latency beside load" :
									 "Longest wake-up latency, idle";
}

/* The workload that stock, or whatever the baseline is, wakes up latest in; the others only where they differ. */
static void add_wakeups(json_t *found, GPtrArray *all, size_t variants)
{
	for (guint i = 0; i < all->len; i++) {
		const struct experiment *e = all->pdata[i], *at = worst_of(all, e->badge, "cyclictest_us", 0);

		if (first_of_badge(all, i) && at)
			add_figure(found, wakeup_title(at), "cyclictest_us", at, true,
				   worst_values(all, e->badge, "cyclictest_us", variants));
	}
	for (guint i = 0; i < all->len; i++) {
		const struct experiment *e = all->pdata[i];

		if (e != worst_of(all, e->badge, "cyclictest_us", 0))
			add_single(found, wakeup_title(e), e, "cyclictest_us", false);
	}
}

/* Path lengths and rates: those of the plainest allocation. */
static void add_costs(json_t *found, GPtrArray *all, const char *metric, const char *format, bool always)
{
	for (guint i = 0; i < all->len; i++) {
		const struct experiment *e = all->pdata[i];
		const struct workload *w = workload_find(e->workload);
		g_autofree char *title = g_strdup_printf("%s per %s", format, w ? w->op : "operation");

		if (!strcmp(e->workload, "pairs") && !json_integer_value(json_object_get(e->params, "order")))
			add_single(found, title, e, metric, always);
	}
}

static json_t *hold_json(const struct cell *c, const struct cell *base, bool per_run)
{
	double runs = (double)json_array_size(c->ids), now = (double)c->n / runs;
	double then = base ? (double)base->n / (double)json_array_size(base->ids) : 0;
	json_t *o = json_pack("{s:I,s:I,s:O}", "n", (json_int_t)c->n, "runs", (json_int_t)runs, "ids", c->ids);

	json_object_set_new(o, "value", json_real(per_run ? now : (double)c->n));
	json_object_set_new(o, "times", number_or_null(then > 0 ? now / then : NAN));
	return o;
}

static bool runs_differ(const struct metric_row *row)
{
	for (size_t v = 1; v < row->n; v++)
		if (json_array_size(row->cells[v]->ids) != json_array_size(row->cells[0]->ids))
			return true;
	return false;
}

/* How often a kind of section occurred, where the baseline's worst of them did. */
static void add_part(json_t *parts, GPtrArray *all, const char *metric)
{
	const struct experiment *e = NULL;
	const struct metric_row *row;
	json_t *values = json_array();
	bool per_run;

	for (guint i = 0; i < all->len && !e; i++)
		e = worst_of(all, ((struct experiment *)all->pdata[i])->badge, metric, 0);
	row = e ? row_find(e, metric) : NULL;
	per_run = row && runs_differ(row);
	for (size_t v = 0; row && v < row->n; v++)
		json_array_append_new(values, hold_json(row->cells[v], row->cells[0], per_run));
	if (row)
		json_array_append_new(parts, json_pack("{s:s,s:s,s:s,s:b,s:O}", "metric", metric, "where",
						       e->label, "badge", e->badge, "per_run", per_run, "values", values));
	json_decref(values);
}

/* Shorter holds of the lock for the same work mean more of them. */
static void add_holds(json_t *found, GPtrArray *all)
{
	json_t *parts = json_array();

	add_part(parts, all, "irqoff_insn.spill");
	add_part(parts, all, "irqoff_insn.refill");
	if (json_array_size(parts))
		json_array_append_new(found, json_pack("{s:s,s:s,s:O}", "kind", "holds", "title",
						       "Price in holds of zone->lock for the same work", "parts", parts));
	json_decref(parts);
}

/* Everything that may be told, the most important first. */
static json_t *candidates(GPtrArray *all, size_t variants)
{
	json_t *found = json_array();

	for (size_t k = 0; k < HEADLINES; k++)
		add_worst(found, all, variants, worst_cases[k].metric, worst_cases[k].title);
	add_wakeups(found, all, variants);
	add_costs(found, all, "ops_per_s", "Operations per second, one a", true);
	add_costs(found, all, "insn_per_op", "Instructions", true);
	add_holds(found, all);
	for (size_t k = HEADLINES; k < G_N_ELEMENTS(worst_cases); k++)
		add_worst(found, all, variants, worst_cases[k].metric, worst_cases[k].title);
	add_costs(found, all, "locked_per_op", "Locked operations", false);
	return found;
}

/* Which way a figure went: 0 is nowhere worth a word, 2 that there is none. */
static int direction(const json_t *v)
{
	const char *verdict = j_str(v, "verdict");

	if (!json_is_object(v))
		return 2;
	if (!strcmp(verdict, "better") || !strcmp(verdict, "vanishes"))
		return 1;
	if (!strcmp(verdict, "worse") || !strcmp(verdict, "appears"))
		return -1;
	if (strcmp(verdict, "unclear") || fabs(j_num(v, "change")) < SAME_PERCENT)
		return 0;
	return j_num(v, "change") > 0 ? 1 : -1;
}

static bool all_equal(const json_t *answer)
{
	const json_t *v;
	size_t i;

	json_array_foreach(json_object_get(answer, "values"), i, v)
		if (i ? direction(v) : !json_is_object(v))
			return false;
	return true;
}

static bool agrees(const json_t *a, const json_t *b)
{
	const json_t *x = json_object_get(a, "values"), *y = json_object_get(b, "values");

	for (size_t i = 0; i < json_array_size(x); i++)
		if (direction(json_array_get(x, i)) != direction(json_array_get(y, i)))
			return false;
	return true;
}

static size_t doubts(const json_t *answer)
{
	const json_t *v;
	size_t i, n = 0;

	json_array_foreach(json_object_get(answer, "values"), i, v)
		n += !strcmp(j_str(v, "verdict"), "unclear");
	return n;
}

/* The same claim under other conditions becomes a clause of the surest of them. */
static void merge(json_t *told, json_t *answer)
{
	json_t *had;
	size_t i;

	json_array_foreach(told, i, had) {
		if (strcmp(j_str(had, "title"), j_str(answer, "title")) || !agrees(had, answer))
			continue;
		if (doubts(had) <= doubts(answer)) {
			json_array_append(json_object_get(had, "also"), answer);
			return;
		}
		json_array_extend(json_object_get(answer, "also"), json_object_get(had, "also"));
		json_array_clear(json_object_get(had, "also"));
		json_array_append(json_object_get(answer, "also"), had);
		json_array_set(told, i, answer);
		return;
	}
	json_array_append(told, answer);
}

json_t *answers_json(GPtrArray *all, const json_t *variants, json_t *equal)
{
	json_t *found = candidates(all, json_array_size(variants)), *told = json_array(), *a;
	size_t i;

	json_array_foreach(found, i, a) {
		bool figure = !strcmp(j_str(a, "kind"), "figure");

		if (figure && !json_is_true(json_object_get(a, "always")) && all_equal(a))
			json_array_append(equal, a);
		else if (figure)
			merge(told, a);
		else
			json_array_append(told, a);
	}
	while (json_array_size(told) > MAX_ANSWERS)
		json_array_remove(told, MAX_ANSWERS);
	json_decref(found);
	return told;
}
