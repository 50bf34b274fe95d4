// SPDX-License-Identifier: GPL-2.0-or-later
/* The report for a mail: plain text of at most 80 columns, tables in the manner of mmtests. */
#include <stdio.h>
#include <string.h>
#include "report.h"
#include "report_page.h"
#include "util.h"

/* Baseline and two others fit beside the row's title. */
#define COLUMNS		3
/* Of a column, without the space behind it. */
#define TITLE		22

static void first_page(GString *s, const json_t *stats)
{
	const json_t *run = json_object_get(stats, "run");
	g_autoptr(GPtrArray) ids = g_ptr_array_new_with_free_func((GDestroyNotify)json_decref);
	g_autoptr(GPtrArray) lines = words_answers(stats, ids);

	txt_wrap(s, "Question: ", *j_str(run, "question") ? j_str(run, "question") : "not recorded");
	txt_heading(s, "Answer");
	for (guint i = 0; i < lines->len; i++)
		txt_wrap(s, "* ", lines->pdata[i]);
	if (!lines->len)
		txt_wrap(s, "", words_no_figure(stats));
}

static void beside(GString *s, const json_t *stats)
{
	const json_t *pairs = json_object_get(json_object_get(stats, "beside"), "pairs"), *p;
	g_autofree char *title = words_beside(stats);
	size_t i;

	if (!json_array_size(pairs))
		return;
	g_string_append_c(s, '\n');
	txt_wrap(s, "", title);
	json_array_foreach(pairs, i, p) {
		g_autofree char *words = words_pair(p, j_num(json_object_get(stats, "rules"), "same_percent"));

		txt_wrap(s, "* ", words);
	}
}

static void tally_list(GString *s, const char *title, const json_t *items)
{
	const json_t *item;
	size_t i;

	if (json_array_size(items))
		g_string_append_printf(s, "  %s\n", title);
	json_array_foreach(items, i, item) {
		g_autofree char *words = words_item(item);

		txt_wrap(s, "  - ", words);
	}
}

static void tallies(GString *s, const json_t *stats)
{
	const char *base = json_string_value(json_array_get(json_object_get(stats, "variants"), 0));
	const json_t *t;
	size_t i;

	json_array_foreach(json_object_get(stats, "tallies"), i, t) {
		g_autofree char *title = words_tally(t, base, j_num(json_object_get(stats, "rules"), "same_percent"));

		g_string_append_c(s, '\n');
		txt_wrap(s, "", title);
		tally_list(s, "worse:", json_object_get(t, "worse"));
		tally_list(s, "better:", json_object_get(t, "better"));
		tally_list(s, "unclear:", json_object_get(t, "unclear"));
	}
}

static char *value_and_names(const json_t *v, bool one, const char *key)
{
	const char *text = j_str(v, "value");
	g_autofree char *names = fmt_names(json_object_get(v, "variants"));
	int most = strcmp(key, "config_sha256") && strcmp(key, "commit") ? -1 : 12;

	if (one)
		return g_strdup_printf("%.*s", most, text);
	return g_strdup_printf("%.*s (%s)", most, text, names);
}

static void value_lines(GString *s, const char *title, const char *key, const json_t *values)
{
	const json_t *v;
	size_t i;

	json_array_foreach(values, i, v) {
		g_autofree char *text = value_and_names(v, json_array_size(values) == 1, key);
		g_autofree char *lead = g_strdup_printf("%-17s ", i ? "" : title);

		txt_wrap(s, lead, text);
	}
}

static void number_list(GString *s, const char *title, const json_t *numbers)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *lead = g_strdup_printf("%-17s ", title);
	const json_t *n;
	size_t i;

	json_array_foreach(numbers, i, n)
		g_string_append_printf(text, "%s%lld", i ? ", " : "", (long long)json_integer_value(n));
	txt_wrap(s, lead, text->str);
}

static void zones(GString *s, const json_t *values)
{
	const json_t *v;
	size_t i;

	json_array_foreach(values, i, v) {
		const json_t *z = json_object_get(v, "value");
		g_autofree char *names = fmt_names(json_object_get(v, "variants")), *text = NULL;
		g_autofree char *lead = g_strdup_printf("%-17s ", i ? "" : "Zones");
		g_autofree char *batch = fmt_integer(json_object_get(z, "batch"));
		g_autofree char *min = fmt_integer(json_object_get(z, "high_min"));
		g_autofree char *max = fmt_integer(json_object_get(z, "high_max"));
		g_autofree char *high = fmt_range(json_object_get(v, "least"), json_object_get(v, "most"));

		text = g_strdup_printf("node %lld %s (%lld MB, %lld cpu%s): batch %s, high_min %s, high_max %s, high at "
				       "start %s (%s)", j_int(z, "node"), j_str(z, "zone"), j_int(z, "mem_mb"),
				       j_int(z, "cpus"), j_int(z, "cpus") == 1 ? "" : "s", batch, min, max, high, names);
		txt_wrap(s, lead, text);
	}
}

static void conditions(GString *s, const json_t *stats)
{
	const json_t *c = json_object_get(stats, "conditions"), *f;
	size_t i;

	txt_heading(s, "Conditions");
	json_array_foreach(json_object_get(c, "facts"), i, f)
		value_lines(s, j_str(f, "title"), j_str(f, "key"), json_object_get(f, "values"));
	number_list(s, "Runs", json_object_get(c, "runs"));
	number_list(s, "Seeds", json_object_get(c, "seeds"));
	zones(s, json_object_get(c, "zones"));
	json_array_foreach(json_object_get(c, "vm"), i, f) {
		g_autofree char *title = g_strdup_printf("vm.%s", j_str(f, "key"));

		value_lines(s, title, "", json_object_get(f, "values"));
	}
}

static void failures(GString *s, const json_t *stats)
{
	const json_t *left = json_object_get(stats, "left_out"), *r;
	size_t missing = json_array_size(json_object_get(stats, "missing"));
	size_t i;

	txt_heading(s, "Failures");
	g_string_append_printf(s, "%lld records used, %zu left out, %zu planned but missing, %zu unreadable.\n",
			       j_int(stats, "records_used"), json_array_size(left), missing,
			       json_array_size(json_object_get(stats, "problems")));
	json_array_foreach(left, i, r) {
		g_autofree char *text = g_strdup_printf("%s %s %s run %lld: %s: %s (%s)", j_str(r, "id"), j_str(r, "variant"),
							j_str(r, "label"), j_int(r, "run"), j_str(r, "status"),
							j_str(r, "reason"), j_str(r, "console"));

		txt_wrap(s, "* ", text);
	}
	json_array_foreach(json_object_get(stats, "known"), i, r) {
		g_autofree char *text = words_known(r);

		txt_wrap(s, "* ", text);
	}
	json_array_foreach(json_object_get(stats, "problems"), i, r) {
		g_autofree char *text = g_strdup_printf("records.jsonl, line %lld: %s", j_int(r, "line"), j_str(r, "what"));

		txt_wrap(s, "* ", text);
	}
	json_array_foreach(json_object_get(stats, "missing"), i, r) {
		g_autofree char *text = g_strdup_printf("%s %s %s: planned, no record", j_str(r, "id"),
							j_str(r, "variant"), j_str(r, "label"));

		txt_wrap(s, "* ", text);
	}
	json_array_foreach(json_object_get(stats, "withheld"), i, r) {
		g_autofree char *text = g_strdup_printf("%s %s: not shown, its clock does not allow it (%s)", j_str(r, "id"),
							j_str(r, "metric"), j_str(r, "badge"));

		txt_wrap(s, "* ", text);
	}
}

/* 23 columns: figure, percentage, mark. An interval takes the place of both. */
static void cell(GString *s, const json_t *c, const struct stat_row *row, int decimals)
{
	g_autofree char *value = fmt_member(c, row, decimals);
	g_autofree char *percent = fmt_percent(json_object_get(json_object_get(c, "changes"), row->change ? row->change : ""));

	if (row->high || !row->change || !j_int(c, "n") || !strcmp(value, "-"))
		g_string_append_printf(s, "%22s ", value);
	else
		g_string_append_printf(s, "%11s (%8s)%c", value, percent, stat_mark(c, row));
}

/* The baseline, then the other variants from @from on. */
static size_t column_variant(size_t from, size_t column)
{
	return column ? from + column - 1 : 0;
}

static void metric_rows(GString *s, const json_t *m, size_t from, size_t nr)
{
	const json_t *cells = json_object_get(m, "cells");
	int decimals = metric_decimals(m);

	g_string_append_printf(s, "%s, %s (%s is better)\n", j_str(m, "metric"), words_unit(j_str(m, "unit")),
			       json_is_true(json_object_get(m, "higher_is_better")) ? "higher" : "lower");
	for (const struct stat_row *row = stat_rows(m); row->title; row++) {
		g_string_append_printf(s, "%-10s", row->title);
		for (size_t c = 0; c < nr; c++)
			cell(s, json_array_get(cells, column_variant(from, c)), row, decimals);
		txt_trim_line(s);
	}
}

/* The part of a name that stands in a line of a heading: names break behind '+' only. */
static char *title_part(const char *name, size_t line)
{
	size_t n = strlen(name), cut = n;

	while (cut > TITLE) {
		cut--;
		while (cut && name[cut - 1] != '+')
			cut--;
	}
	cut = cut ? cut : MIN(n, (size_t)TITLE);
	return line ? (cut < n ? title_part(name + cut, line - 1) : g_strdup("")) : g_strndup(name, cut);
}

static bool title_line(GString *s, const json_t *variants, size_t from, size_t nr, size_t line)
{
	bool any = false;

	g_string_append_printf(s, "%10s", "");
	for (size_t c = 0; c < nr; c++) {
		g_autofree char *part = title_part(json_string_value(json_array_get(variants, column_variant(from, c))), line);

		any |= *part != '\0';
		g_string_append_printf(s, "%*s ", TITLE, part);
	}
	return any;
}

static void column_titles(GString *s, const json_t *variants, size_t from, size_t nr)
{
	size_t before = s->len;

	for (size_t line = 0; title_line(s, variants, from, nr, line); line++) {
		txt_trim_line(s);
		before = s->len;
	}
	g_string_truncate(s, before);
}

static void experiment_columns(GString *s, const json_t *e, const json_t *variants, size_t from)
{
	size_t nr = MIN((size_t)COLUMNS, json_array_size(variants) - from + 1);
	const json_t *m;
	size_t i;

	column_titles(s, variants, from, nr);
	json_array_foreach(json_object_get(e, "metrics"), i, m)
		if (metric_in_full(m))
			metric_rows(s, m, from, nr);
}

static void experiment(GString *s, const json_t *e, const json_t *variants)
{
	g_autofree char *title = g_strdup_printf("%s [%s]", j_str(e, "label"), j_str(e, "badge"));
	g_autofree char *params = words_params(e), *nodes = words_nodes(e);
	g_autofree char *where = g_strdup_printf("%s; boot %s, flavour %s, %lld MB, %s", params,
						 *j_str(e, "cell") ? j_str(e, "cell") : "-", j_str(e, "flavor"),
						 j_int(e, "mem_mb"), nodes);
	size_t from = 1;

	txt_heading(s, title);
	txt_wrap(s, "", where);
	do {
		experiment_columns(s, e, variants, from);
		from += COLUMNS - 1;
	} while (from < json_array_size(variants));
}

/* @v: index of the variant; beyond the last of them: the floor */
static const json_t *cost_cell(const json_t *metric, const json_t *variants, size_t v)
{
	if (v == json_array_size(variants))
		return json_object_get(metric, "floor");
	return json_array_get(json_object_get(metric, "cells"), v);
}

static void cost_line(GString *s, const json_t *e, const json_t *variants, size_t v, const char *name)
{
	static const struct stat_row mean = { "", "mean", NULL, NULL };

	txt_name(s, 2, 14, name);
	for (size_t k = 0; cost_metrics[k][0]; k++) {
		const json_t *c = cost_cell(metric_find(e, cost_metrics[k][0]), variants, v);
		g_autofree char *text = fmt_member(c, &mean, fmt_decimals(j_num(c, "mean")));

		g_string_append_printf(s, " %8.8s", text);
	}
	txt_trim_line(s);
}

static void cost_lines(GString *s, const json_t *e, const json_t *variants)
{
	const json_t *floor = json_object_get(metric_find(e, "insn_per_op"), "floor"), *name;
	g_autofree char *title = g_strdup_printf("(floor) %s", j_str(floor, "variant"));
	size_t v;

	json_array_foreach(variants, v, name)
		cost_line(s, e, variants, v, json_string_value(name));
	if (floor)
		cost_line(s, e, variants, v, title);
}

static void costs(GString *s, const json_t *stats)
{
	const json_t *e;
	size_t i;

	txt_heading(s, "Costs per operation, means");
	g_string_append_printf(s, "  %-14s", "");
	for (size_t k = 0; cost_metrics[k][0]; k++)
		g_string_append_printf(s, " %8s", cost_metrics[k][1]);
	g_string_append_c(s, '\n');
	json_array_foreach(json_object_get(stats, "comparisons"), i, e) {
		g_autofree char *title = NULL;

		if (!metric_find(e, "insn_per_op"))
			continue;
		title = g_strdup_printf("%s [%s]", j_str(e, "label"), j_str(e, "badge"));
		txt_wrap(s, "", title);
		cost_lines(s, e, json_object_get(stats, "variants"));
	}
}

static void notes(GString *s, const json_t *stats)
{
	g_autoptr(GPtrArray) list = words_notes(stats);

	txt_heading(s, "Notes");
	for (guint i = 0; i < list->len; i++)
		txt_wrap(s, "* ", list->pdata[i]);
}

static void floor_records(GString *s, const json_t *floor)
{
	g_autofree char *ids = fmt_names(json_object_get(floor, "ids"));
	g_autofree char *lead = g_strdup_printf("  %-10s ", j_str(floor, "variant"));

	if (floor)
		txt_wrap(s, lead, ids);
}

/* One list of all records behind the figures: a column's records are its variant's. */
static void record_lines(GString *s, const json_t *stats)
{
	const json_t *variants = json_object_get(stats, "variants"), *e, *c;
	size_t i, v;

	txt_heading(s, "Records behind the figures");
	json_array_foreach(json_object_get(stats, "comparisons"), i, e) {
		const json_t *m = json_array_get(json_object_get(e, "metrics"), 0);
		g_autofree char *title = g_strdup_printf("%s [%s]", j_str(e, "label"), j_str(e, "badge"));

		txt_wrap(s, "", title);
		floor_records(s, json_object_get(m, "floor"));
		json_array_foreach(json_object_get(m, "cells"), v, c) {
			g_autofree char *ids = fmt_names(json_object_get(c, "ids"));
			g_autofree char *lead = g_strdup_printf("  %-10s ", json_string_value(json_array_get(variants, v)));

			txt_wrap(s, lead, *ids ? ids : "missing");
		}
	}
}

char *report_txt(const json_t *stats)
{
	GString *s = g_string_new("pcplab: per-CPU page lists compared");
	g_autofree char *run = words_run(stats), *caption = words_caption(stats);
	const json_t *e;
	size_t i;

	g_string_append_c(s, '\n');
	txt_wrap(s, "", run);
	g_string_append_c(s, '\n');
	first_page(s, stats);
	beside(s, stats);
	tallies(s, stats);
	floor_txt(s, stats);
	conditions(s, stats);
	failures(s, stats);
	txt_heading(s, "Reliability");
	matrix_txt(s, json_object_get(stats, "matrix"));
	if (json_array_size(json_object_get(stats, "comparisons"))) {
		txt_heading(s, "Tables");
		txt_wrap(s, "", caption);
	}
	json_array_foreach(json_object_get(stats, "comparisons"), i, e)
		experiment(s, e, json_object_get(stats, "variants"));
	if (any_costs(stats))
		costs(s, stats);
	notes(s, stats);
	record_lines(s, stats);
	return g_string_free(s, FALSE);
}
