// SPDX-License-Identifier: GPL-2.0-or-later
/* Chooses, by rules and for any variants, the figures that answer a run's question. */
#include <math.h>
#include <string.h>
#include "stats.h"
#include "util.h"
#include "workloads.h"

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

/* What wins and losses are counted in; the costs beside instructions follow them in the tables. */
static const char *const key_metrics[] = {
	"ops_per_s", "insn_per_op", "irqoff_insn", "irqoff_insn.spill", "irqoff_insn.refill", "irqoff_insn.decay",
	"irqoff_insn.drain", "cyclictest_us", NULL,
};

static const struct metric_row *find_row(const struct experiment *e, const char *metric)
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

static json_t *real_or_null(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

static json_t *value_json(const struct experiment *e, const struct cell *c, const struct cell *base)
{
	json_t *o = cell_json(e, c, base);

	json_object_del(o, "hist");
	json_object_del(o, "tail");
	json_object_set_new(o, "value", real_or_null(c->dist ? c->max : c->mean));
	return o;
}

/* Where a variant was at its worst, among experiments that every variant was measured in. */
static const struct experiment *worst_of(GPtrArray *all, const char *badge, const char *metric, size_t v)
{
	const struct experiment *found = NULL;
	double worst = -1;

	for (guint i = 0; i < all->len; i++) {
		const struct experiment *e = all->pdata[i];
		const struct metric_row *row = strcmp(e->badge, badge) ? NULL : find_row(e, metric);

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
	json_t *o = value_json(e, c, base);
	double percent = (base->max - c->max) / base->max * 100;

	if (same_place)
		return o;
	json_object_set_new(o, "change", real_or_null(percent));
	json_object_set_new(o, "ratio", real_or_null(base->max / c->max));
	json_object_set_new(o, "test", json_string("none"));
	json_object_set_new(o, "star", json_false());
	json_object_set_new(o, "verdict", json_string(fabs(percent) < SAME_PERCENT ? "same" :
						      percent > 0 ? "better" : "worse"));
	return o;
}

static json_t *worst_values(GPtrArray *all, const char *badge, const char *metric, size_t variants)
{
	const struct experiment *at = worst_of(all, badge, metric, 0);
	const struct cell *base = at ? find_row(at, metric)->cells[0] : NULL;
	json_t *values = json_array();

	for (size_t v = 0; v < variants; v++) {
		const struct experiment *e = worst_of(all, badge, metric, v);
		json_t *o = json_null();

		if (!e && at)	/* complete, hence measured: it never occurs there */
			o = value_json(at, find_row(at, metric)->cells[v], base);
		else if (e && base)
			o = across_json(e, find_row(e, metric)->cells[v], base, e == at);
		else if (e)
			o = value_json(e, find_row(e, metric)->cells[v], NULL);
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

static void add_answer(json_t *answers, const char *title, const char *metric, const char *where, const char *badge,
		       json_t *values)
{
	if (any_value(values))
		json_array_append_new(answers, json_pack("{s:s,s:s,s:s,s:s,s:O,s:b}", "title", title, "metric", metric,
							 "where", where, "badge", badge, "values", values, "worst",
							 g_str_has_prefix(metric, "irqoff")));
	json_decref(values);
}

/* One experiment's metric as an answer. */
static void add_single(json_t *answers, const char *title, const struct experiment *e, const char *metric)
{
	const struct metric_row *row = find_row(e, metric);
	json_t *values = json_array();

	for (size_t v = 0; row && v < row->n; v++)
		json_array_append_new(values, row->cells[v] ? value_json(e, row->cells[v], row->cells[0]) : json_null());
	add_answer(answers, title, metric, e->label, e->badge, values);
}

static void add_worst_cases(json_t *answers, GPtrArray *all, size_t variants, size_t from, size_t to)
{
	for (guint i = 0; i < all->len; i++) {
		const struct experiment *e = all->pdata[i], *before = i ? all->pdata[i - 1] : NULL;

		/* Sorted by badge: each badge once. */
		if (before && !strcmp(before->badge, e->badge))
			continue;
		for (size_t k = from; k < to; k++)
			add_answer(answers, worst_cases[k].title, worst_cases[k].metric, "", e->badge,
				   worst_values(all, e->badge, worst_cases[k].metric, variants));
	}
}

static void add_costs(json_t *answers, const struct experiment *e)
{
	const struct workload *w = workload_find(e->workload);
	g_autofree char *insn = g_strdup_printf("Instructions per %s", w ? w->op : "operation");
	g_autofree char *locked = g_strdup_printf("Locked operations per %s", w ? w->op : "operation");
	g_autofree char *rate = g_strdup_printf("Operations (%ss) per second", w ? w->op : "op");

	add_single(answers, insn, e, "insn_per_op");
	add_single(answers, locked, e, "locked_per_op");
	add_single(answers, rate, e, "ops_per_s");
}

json_t *answers_json(GPtrArray *all, const json_t *variants)
{
	json_t *answers = json_array();

	add_worst_cases(answers, all, json_array_size(variants), 0, HEADLINES);
	for (guint i = 0; i < all->len; i++) {
		const struct experiment *e = all->pdata[i];

		if (!strcmp(e->workload, "pairs") && !json_integer_value(json_object_get(e->params, "order")))
			add_costs(answers, e);
	}
	for (guint i = 0; i < all->len; i++)
		add_single(answers, "Longest wake-up latency", all->pdata[i], "cyclictest_us");
	add_worst_cases(answers, all, json_array_size(variants), HEADLINES, G_N_ELEMENTS(worst_cases));
	return answers;
}

static gint by_change(gconstpointer a, gconstpointer b)
{
	double x = fabs(j_num(*(json_t **)a, "change")), y = fabs(j_num(*(json_t **)b, "change"));

	return x < y ? 1 : x > y ? -1 : 0;
}

static json_t *sorted(GPtrArray *items)
{
	json_t *out = json_array();

	g_ptr_array_sort(items, by_change);
	for (guint i = 0; i < items->len; i++)
		json_array_append(out, items->pdata[i]);
	return out;
}

static json_t *tally_item(const struct experiment *e, const struct cell *c, const struct cell *base)
{
	json_t *o = value_json(e, c, base);

	json_object_set_new(o, "badge", json_string(e->badge));
	json_object_set_new(o, "base", real_or_null(base->dist ? base->max : base->mean));
	return o;
}

/* The longest section of any kind is told once: as the spill (or other class) that it is. */
static bool told_by_class(const struct experiment *e, const struct metric_row *whole, size_t v)
{
	for (guint i = 0; i < e->metrics->len && !strcmp(whole->metric, "irqoff_insn"); i++) {
		const struct metric_row *row = e->metrics->pdata[i];
		const struct cell *c = row->cells[v], *base = row->cells[0];

		if (row == whole || !c || !base || !g_strv_contains(key_metrics, row->metric))
			continue;
		if (c->max == whole->cells[v]->max && base->max == whole->cells[0]->max)
			return true;
	}
	return false;
}

static void collect(GPtrArray *all, size_t v, const char *verdict, const char *or_verdict, GPtrArray *items)
{
	for (guint i = 0; i < all->len; i++) {
		const struct experiment *e = all->pdata[i];

		for (guint k = 0; k < e->metrics->len; k++) {
			const struct metric_row *row = e->metrics->pdata[k];
			const struct cell *c = row->cells[v], *base = row->cells[0];

			if (!c || !base || !g_strv_contains(key_metrics, row->metric) || told_by_class(e, row, v))
				continue;
			if (!strcmp(c->verdict, verdict) || !g_strcmp0(c->verdict, or_verdict))
				g_ptr_array_add(items, tally_item(e, c, base));
		}
	}
}

static json_t *collected(GPtrArray *all, size_t v, const char *verdict, const char *or_verdict)
{
	g_autoptr(GPtrArray) items = g_ptr_array_new_with_free_func((GDestroyNotify)json_decref);

	collect(all, v, verdict, or_verdict, items);
	return sorted(items);
}

json_t *tallies_json(GPtrArray *all, const json_t *variants)
{
	json_t *tallies = json_array();

	for (size_t v = 1; v < json_array_size(variants); v++)
		json_array_append_new(tallies, json_pack("{s:O,s:o,s:o,s:o,s:o}", "variant", json_array_get(variants, v),
							 "better", collected(all, v, "better", "vanishes"),
							 "worse", collected(all, v, "worse", "appears"),
							 "unclear", collected(all, v, "unclear", NULL),
							 "same", collected(all, v, "same", NULL)));
	return tallies;
}
