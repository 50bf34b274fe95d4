// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers and rows as both reports show them. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "report.h"
#include "util.h"

/* Rates are averaged harmonically, durations and counts arithmetically. */
static const struct stat_row rate_rows[] = {
	{ "Hmean", "hmean", "hmean", NULL }, { "Amean", "mean", "mean", NULL }, { "95% CI", "ci_low", NULL, "ci_high" },
	{ "Stddev", "stddev", "stddev", NULL }, { "CoeffVar", "spread", "spread", NULL }, { "Min", "min", "min", NULL },
	{ "Max", "max", "max", NULL }, { 0 }
};

static const struct stat_row count_rows[] = {
	{ "Amean", "mean", "mean", NULL }, { "95% CI", "ci_low", NULL, "ci_high" }, { "Stddev", "stddev", "stddev", NULL },
	{ "CoeffVar", "spread", "spread", NULL }, { "Min", "min", "min", NULL }, { "Max", "max", "max", NULL }, { 0 }
};

static const struct stat_row dist_rows[] = {
	{ "Samples", "n", NULL, NULL }, { "Amean", "mean", "mean", NULL }, { "p50", "median", "median", NULL },
	{ "p99", "p99", "p99", NULL }, { "Max", "max", "max", NULL }, { "Max 95%CI", "max_ci_low", NULL, "max_ci_high" },
	{ "Max Stdd", "stddev", "stddev", NULL }, { "Max CV", "spread", "spread", NULL }, { 0 }
};

const char *const cost_metrics[][2] = {
	{ "insn_per_op", "insn" }, { "locked_per_op", "locked" }, { "xchg128_per_op", "xchg128" }, { "cli_per_op", "cli" },
	{ "sti_per_op", "sti" }, { "stores_per_op", "stores" }, { "rep_iters_per_op", "rep it." }, { NULL, NULL }
};

char *fmt_number(double v, int decimals)
{
	g_autofree char *plain = g_strdup_printf("%.*f", decimals, fabs(v));
	size_t whole = strcspn(plain, ".");
	GString *s = g_string_new(NULL);

	if (v < 0 && strspn(plain, "0.") != strlen(plain))
		g_string_append_c(s, '-');
	for (size_t i = 0; i < whole; i++) {
		if (i && (whole - i) % 3 == 0)
			g_string_append_c(s, ',');
		g_string_append_c(s, plain[i]);
	}
	g_string_append(s, plain + whole);
	return g_string_free(s, FALSE);
}

int fmt_decimals(double v)
{
	v = fabs(v);
	return v >= 10000 ? 0 : v >= 1000 ? 1 : v >= 10 ? 2 : 3;
}

char *fmt_percent(const json_t *v)
{
	double x = json_number_value(v);

	if (!json_is_number(v))
		return g_strdup("-");
	/* No "-0.00%". */
	if (fabs(x) < 0.005)
		x = 0;
	return g_strdup_printf("%.*f%%", fabs(x) >= 10000 ? 0 : 2, x);
}

char *fmt_integer(const json_t *v)
{
	return json_is_integer(v) ? fmt_number(json_number_value(v), 0) : g_strdup("not known");
}

char *fmt_range(const json_t *least, const json_t *most)
{
	g_autofree char *low = fmt_integer(least), *high = fmt_integer(most);

	return !strcmp(low, high) ? g_strdup(low) : g_strdup_printf("%s..%s", low, high);
}

char *fmt_names(const json_t *names)
{
	GString *s = g_string_new(NULL);
	const json_t *n;
	size_t i;

	json_array_foreach(names, i, n)
		g_string_append_printf(s, "%s%s", i ? ", " : "", json_string_value(n));
	return g_string_free(s, FALSE);
}

static bool whole_number(const json_t *cell, const char *key)
{
	double v = j_num(cell, key);

	return json_object_get(cell, "hist") && v == floor(v) && strcmp(key, "mean");
}

char *fmt_member(const json_t *cell, const struct stat_row *row, int decimals)
{
	const json_t *v = json_object_get(cell, row->key);
	g_autofree char *low = NULL, *high = NULL;

	if (!json_is_object(cell))
		return g_strdup("missing");
	if (!j_int(cell, "n"))
		return g_strdup(strcmp(row->key, "n") ? "none" : "0");
	if (!json_is_number(v))
		return g_strdup("-");
	if (!strcmp(row->key, "n"))
		return fmt_number(json_number_value(v), 0);
	if (!strcmp(row->key, "spread"))
		return g_strdup_printf("%.2f%%", json_number_value(v));
	if (!row->high)
		return fmt_number(json_number_value(v), whole_number(cell, row->key) ? 0 : decimals);
	if (json_object_get(cell, "hist") && decimals > 1)
		decimals = 1;
	low = fmt_number(json_number_value(v), decimals);
	high = fmt_number(j_num(cell, row->high), decimals);
	return g_strdup_printf("%s..%s", low, high);
}

const struct stat_row *stat_rows(const json_t *metric)
{
	if (json_is_true(json_object_get(metric, "dist")))
		return dist_rows;
	return json_is_true(json_object_get(metric, "higher_is_better")) ? rate_rows : count_rows;
}

char stat_mark(const json_t *cell, const struct stat_row *row)
{
	/* What is tested: runs' maxima of a distribution, the mean of all else. */
	bool tested = !strcmp(row->key, json_object_get(cell, "hist") ? "max" : "mean");

	if (!tested)
		return ' ';
	if (json_is_true(json_object_get(cell, "star")))
		return '*';
	return strcmp(j_str(cell, "test"), "repeats exactly") ? ' ' : '=';
}

static bool occurs(const json_t *metric)
{
	const json_t *c;
	size_t i;

	json_array_foreach(json_object_get(metric, "cells"), i, c)
		if (j_int(c, "n"))
			return true;
	return false;
}

bool metric_in_full(const json_t *metric)
{
	const char *name = j_str(metric, "metric");

	if (!strcmp(name, "insn_per_op"))
		return true;
	return !g_str_has_suffix(name, "_per_op") && occurs(metric);
}

int metric_decimals(const json_t *metric)
{
	const json_t *c;
	size_t i;

	json_array_foreach(json_object_get(metric, "cells"), i, c)
		if (json_is_number(json_object_get(c, "mean")))
			return fmt_decimals(j_num(c, "mean"));
	return 2;
}

const json_t *metric_find(const json_t *experiment, const char *name)
{
	const json_t *m;
	size_t i;

	json_array_foreach(json_object_get(experiment, "metrics"), i, m)
		if (!strcmp(j_str(m, "metric"), name))
			return m;
	return NULL;
}

bool any_costs(const json_t *stats)
{
	const json_t *e;
	size_t i;

	json_array_foreach(json_object_get(stats, "comparisons"), i, e)
		if (metric_find(e, "insn_per_op"))
			return true;
	return false;
}
