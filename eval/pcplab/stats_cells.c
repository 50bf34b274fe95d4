// SPDX-License-Identifier: GPL-2.0-or-later
/* Groups records into experiments, and summarises each metric under each variant. */
#include <math.h>
#include <string.h>
#include <gsl/gsl_statistics_double.h>
#include "clock.h"
#include "stats.h"
#include "util.h"
#include "workloads.h"

/* The order of tables; metrics that are not listed come last. */
static const char *const metric_order[] = {
	"ops_per_s", "insn_per_op", "locked_per_op", "xchg128_per_op", "cli_per_op", "sti_per_op", "stores_per_op",
	"rep_iters_per_op", "irqoff_insn", "irqoff_insn.spill", "irqoff_insn.refill", "irqoff_insn.decay",
	"irqoff_insn.drain", "irqoff_insn.other", "cyclictest_us",
};

static void cell_free(struct cell *c)
{
	if (!c)
		return;
	g_array_unref(c->values);
	g_array_unref(c->sums);
	g_array_unref(c->counts);
	hist_free(c->hist);
	json_decref(c->ids);
	g_free(c);
}

static void row_free(gpointer p)
{
	struct metric_row *row = p;

	for (size_t i = 0; i < row->n; i++)
		cell_free(row->cells[i]);
	cell_free(row->floor);
	g_free(row->cells);
	g_free(row);
}

static void experiment_free(gpointer p)
{
	struct experiment *e = p;

	g_ptr_array_unref(e->metrics);
	g_free(e->badge);
	g_free(e);
}

static struct cell *cell_new(const char *variant, const struct metric_row *row)
{
	struct cell *c = g_new0(struct cell, 1);

	c->variant = variant;
	c->metric = row->metric;
	c->unit = row->unit;
	c->dist = row->dist;
	c->values = g_array_new(FALSE, FALSE, sizeof(double));
	c->sums = g_array_new(FALSE, FALSE, sizeof(double));
	c->counts = g_array_new(FALSE, FALSE, sizeof(double));
	c->hist = hist_new();
	c->ids = json_array();
	return c;
}

static char *badge_of(const struct experiment *e)
{
	const char *kind = !strcmp(e->clock, "icount") ? "icount on TCG" : !strcmp(e->accel, "kvm") ? "KVM" : "TCG";

	return g_strdup_printf("%s, %lld cpu%s", kind, e->cpus, e->cpus == 1 ? "" : "s");
}

static struct experiment *experiment_new(const json_t *r)
{
	struct experiment *e = g_new0(struct experiment, 1);

	e->label = j_str(r, "label");
	e->workload = j_str(r, "workload");
	e->cell = j_str(r, "cell");
	e->flavor = j_str(r, "flavor");
	e->mode = j_str(r, "mode");
	e->accel = j_str(r, "accel");
	e->clock = j_str(r, "clock");
	e->cpus = j_int(r, "cpus");
	e->mem_mb = j_int(r, "mem_mb");
	e->nodes = e->most_nodes = j_int(r, "nodes");
	e->params = json_object_get(r, "params");
	e->badge = badge_of(e);
	e->metrics = g_ptr_array_new_with_free_func(row_free);
	return e;
}

static bool belongs(const struct experiment *e, const json_t *r)
{
	return !strcmp(e->label, j_str(r, "label")) && !strcmp(e->cell, j_str(r, "cell")) && !strcmp(e->flavor, j_str(r, "flavor")) &&
	       !strcmp(e->mode, j_str(r, "mode")) && !strcmp(e->accel, j_str(r, "accel")) &&
	       !strcmp(e->clock, j_str(r, "clock")) && e->cpus == j_int(r, "cpus") &&
	       e->mem_mb == j_int(r, "mem_mb");
}

static struct experiment *experiment_of(GPtrArray *all, const json_t *r)
{
	struct experiment *e;

	for (guint i = 0; i < all->len; i++)
		if (belongs(all->pdata[i], r)) {
			e = all->pdata[i];
			e->nodes = MIN(e->nodes, j_int(r, "nodes"));
			e->most_nodes = MAX(e->most_nodes, j_int(r, "nodes"));
			return e;
		}
	e = experiment_new(r);
	g_ptr_array_add(all, e);
	return e;
}

static struct metric_row *row_of(struct experiment *e, const char *metric, const char *unit, bool dist, size_t variants)
{
	struct metric_row *row;

	for (guint i = 0; i < e->metrics->len; i++) {
		row = e->metrics->pdata[i];
		if (!strcmp(row->metric, metric) && !strcmp(row->unit, unit) && row->dist == dist)
			return row;
	}
	row = g_new0(struct metric_row, 1);
	row->metric = metric;
	row->unit = unit;
	row->dist = dist;
	row->n = variants;
	row->cells = g_new0(struct cell *, variants);
	g_ptr_array_add(e->metrics, row);
	return row;
}

static void add_dist(struct cell *c, const json_t *m)
{
	const char *why;
	struct hist *h = hist_parse(m, &why);
	double n = (double)h->n, max = (double)h->max;

	if (h->n) {
		g_array_append_val(c->values, max);
		g_array_append_val(c->sums, h->sum);
		g_array_append_val(c->counts, n);
	}
	hist_merge(c->hist, h);
	hist_free(h);
}

static void add_scalar(struct cell *c, const json_t *m)
{
	double v = j_num(m, "value");

	g_array_append_val(c->values, v);
}

static size_t variant_index(const json_t *variants, const char *name)
{
	size_t i = 0;

	while (strcmp(json_string_value(json_array_get(variants, i)), name))
		i++;
	return i;
}

static struct cell **place_of(struct metric_row *row, const struct run_data *d, const char *variant)
{
	if (d->floor && !strcmp(variant, d->floor))
		return &row->floor;
	return &row->cells[variant_index(d->variants, variant)];
}

static void add_metric(struct experiment *e, const struct run_data *d, const json_t *r, const json_t *m)
{
	bool dist = !json_object_get(m, "value");
	struct metric_row *row = row_of(e, j_str(m, "metric"), j_str(m, "unit"), dist, json_array_size(d->variants));
	struct cell **c = place_of(row, d, j_str(r, "variant"));

	if (!*c)
		*c = cell_new(j_str(r, "variant"), row);
	if (dist)
		add_dist(*c, m);
	else
		add_scalar(*c, m);
	json_array_append((*c)->ids, json_object_get(r, "id"));
}

/* Suites judge: what they count on the way is no figure. */
static bool measures(const json_t *r)
{
	const struct workload *w = workload_find(j_str(r, "workload"));

	return !w || !(w->flags & WORKLOAD_SUITE);
}

static void add_record(GPtrArray *all, const struct run_data *d, const json_t *r, json_t *withheld)
{
	struct experiment *e = experiment_of(all, r);
	const json_t *m;
	size_t i;

	json_array_foreach(json_object_get(r, "metrics"), i, m) {
		const char *name = j_str(m, "metric");

		if (clock_allows(name, e->mode, e->cpus))
			add_metric(e, d, r, m);
		else
			json_array_append_new(withheld, json_pack("{s:s,s:s,s:s}", "id", j_str(r, "id"), "metric", name,
								  "badge", e->badge));
	}
}

static void summarise_scalar(struct cell *c)
{
	const double *v = (const double *)c->values->data;
	size_t n = c->values->len;

	c->n = n;
	c->mean = gsl_stats_mean(v, 1, n);
	c->median = stat_quantile(v, n, 0.5);
	c->p99 = stat_quantile(v, n, 0.99);
	c->min = gsl_stats_min(v, 1, n);
	c->max = gsl_stats_max(v, 1, n);
	c->hmean = stat_hmean(v, n);
	c->ci = boot_ratio(v, NULL, n);
	c->max_ci = (struct interval) { NAN, NAN };
}

static void summarise_dist(struct cell *c)
{
	const double *v = (const double *)c->values->data;
	size_t n = c->values->len;
	bool none = !c->hist->n;

	c->n = c->hist->n;
	c->mean = none ? NAN : c->hist->sum / (double)c->hist->n;
	c->median = hist_percentile(c->hist, 0.5);
	c->p99 = hist_percentile(c->hist, 0.99);
	c->min = none ? NAN : (double)c->hist->min;
	c->max = none ? NAN : (double)c->hist->max;
	c->hmean = NAN;
	c->ci = boot_ratio((const double *)c->sums->data, (const double *)c->counts->data, n);
	c->max_ci = boot_ratio(v, NULL, n);
}

static void summarise(struct cell *c)
{
	const double *v = (const double *)c->values->data;
	size_t n = c->values->len;
	double mean = n ? gsl_stats_mean(v, 1, n) : NAN;

	if (c->dist)
		summarise_dist(c);
	else
		summarise_scalar(c);
	c->sd = stat_sd(v, n);
	c->spread = c->sd == 0 ? 0 : 100 * c->sd / fabs(mean);
	c->change = c->ratio = c->p = c->p_holm = NAN;
}

static size_t metric_rank(const char *metric)
{
	size_t i = 0;

	while (i < G_N_ELEMENTS(metric_order) && strcmp(metric_order[i], metric))
		i++;
	return i;
}

static gint by_rank(gconstpointer a, gconstpointer b)
{
	const struct metric_row *x = *(struct metric_row **)a, *y = *(struct metric_row **)b;
	size_t i = metric_rank(x->metric), j = metric_rank(y->metric);

	return i != j ? (i < j ? -1 : 1) : strcmp(x->metric, y->metric);
}

static struct cell *find_cell(const struct experiment *e, const char *metric, size_t v)
{
	for (guint i = 0; i < e->metrics->len; i++) {
		const struct metric_row *row = e->metrics->pdata[i];

		if (!strcmp(row->metric, metric))
			return row->cells[v];
	}
	return NULL;
}

/* A record counts every section: a class it does not list did not occur, which is a result and not a gap. */
static void add_empty_classes(struct experiment *e)
{
	for (guint i = 0; i < e->metrics->len; i++) {
		struct metric_row *row = e->metrics->pdata[i];

		for (size_t v = 0; v < row->n && g_str_has_prefix(row->metric, "irqoff_insn."); v++) {
			struct cell *whole = find_cell(e, "irqoff_insn", v);

			if (row->cells[v] || !whole)
				continue;
			row->cells[v] = cell_new(whole->variant, row);
			json_array_extend(row->cells[v]->ids, whole->ids);
		}
	}
}

static void experiment_finish(gpointer p, gpointer unused)
{
	struct experiment *e = p;

	(void)unused;
	add_empty_classes(e);
	g_ptr_array_sort(e->metrics, by_rank);
	for (guint i = 0; i < e->metrics->len; i++) {
		struct metric_row *row = e->metrics->pdata[i];

		for (size_t v = 0; v < row->n; v++)
			if (row->cells[v])
				summarise(row->cells[v]);
		if (row->floor)
			summarise(row->floor);
	}
}

static gint by_place(gconstpointer a, gconstpointer b)
{
	const struct experiment *x = *(struct experiment **)a, *y = *(struct experiment **)b;
	const struct workload *wx = workload_find(x->workload), *wy = workload_find(y->workload);

	/* In the order of the workload table, each with its conditions together. */
	if (strcmp(x->badge, y->badge))
		return strcmp(x->badge, y->badge);
	if (wx != wy)
		return wx && (!wy || wx < wy) ? -1 : 1;
	return strcmp(x->label, y->label);
}

GPtrArray *experiments_build(const struct run_data *d, json_t *withheld)
{
	GPtrArray *all = g_ptr_array_new_with_free_func(experiment_free);
	const json_t *r;
	size_t i;

	json_array_foreach(d->records, i, r)
		if (measures(r))
			add_record(all, d, r, withheld);
	g_ptr_array_foreach(all, experiment_finish, NULL);
	g_ptr_array_sort(all, by_place);
	return all;
}

bool metric_higher_is_better(const char *metric)
{
	return g_str_has_suffix(metric, "_per_s");
}
