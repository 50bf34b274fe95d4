// SPDX-License-Identifier: GPL-2.0-or-later
/* How far each variant is above the floor, and which share of the baseline's distance that is. */
#include <math.h>
#include "stats.h"
#include "util.h"

/* What exclusion is paid in. The floor's sections are no shorter for having none: they are not told. */
static const char *const floor_metrics[] = { "insn_per_op", "locked_per_op" };

/* The distance of each run from the floor's; NULL unless all of them were made. */
static double *above_runs(const struct cell *c, const struct cell *floor)
{
	double *d;

	if (c->values->len != floor->values->len)
		return NULL;
	d = g_new(double, c->values->len);
	for (guint i = 0; i < c->values->len; i++)
		d[i] = g_array_index(c->values, double, i) - g_array_index(floor->values, double, i);
	return d;
}

/* Runs come in one order for all, so that the same seeds stand beside each other. */
static struct interval share_interval(const struct cell *c, const struct cell *base, const struct cell *floor)
{
	g_autofree double *num = above_runs(c, floor), *den = above_runs(base, floor);
	struct interval none = { NAN, NAN };

	return num && den ? boot_ratio(num, den, c->values->len) : none;
}

/* A baseline that is hardly above the floor has nothing to take a share of. */
static bool has_share(const struct cell *base, const struct cell *floor)
{
	return base && base->mean - floor->mean > fabs(base->mean) * SAME_PERCENT / 100;
}

double floor_share(const struct cell *c, const struct cell *base, const struct cell *floor)
{
	return c && has_share(base, floor) ? (c->mean - floor->mean) / (base->mean - floor->mean) : NAN;
}

static json_t *above_json(const struct cell *c, const struct cell *base, const struct cell *floor)
{
	struct interval ci = { NAN, NAN };
	json_t *o;

	if (!c)
		return json_null();
	if (has_share(base, floor))
		ci = share_interval(c, base, floor);
	o = json_pack("{s:s,s:O,s:I}", "variant", c->variant, "ids", c->ids, "runs", (json_int_t)c->n);
	json_object_set_new(o, "value", number_or_null(c->mean));
	json_object_set_new(o, "above", number_or_null(c->mean - floor->mean));
	json_object_set_new(o, "share", number_or_null(floor_share(c, base, floor)));
	json_object_set_new(o, "share_low", number_or_null(ci.low));
	json_object_set_new(o, "share_high", number_or_null(ci.high));
	return o;
}

static json_t *row_json(const struct experiment *e, const struct metric_row *row)
{
	json_t *values = json_array();

	for (size_t v = 0; v < row->n; v++)
		json_array_append_new(values, above_json(row->cells[v], row->cells[0], row->floor));
	return json_pack("{s:s,s:s,s:s,s:s,s:o,s:o}", "label", e->label, "badge", e->badge, "metric", row->metric, "unit",
			 row->unit, "floor", figure_json(e, row->floor, NULL), "values", values);
}

json_t *floor_json(GPtrArray *all, const char *floor)
{
	json_t *rows = json_array();

	for (guint i = 0; i < all->len; i++)
		for (size_t k = 0; k < G_N_ELEMENTS(floor_metrics); k++) {
			const struct experiment *e = all->pdata[i];
			const struct metric_row *row = row_find(e, floor_metrics[k]);

			if (row && row->floor)
				json_array_append_new(rows, row_json(e, row));
		}
	return json_pack("{s:s?,s:o}", "variant", floor, "rows", rows);
}
