// SPDX-License-Identifier: GPL-2.0-or-later
/* The report as one page: no script, nothing fetched, readable on paper, on a phone and without colour. */
#include <stdio.h>
#include <string.h>
#include "report.h"
#include "report_page.h"
#include "util.h"
#include "workloads.h"

static const char css[] =
	"html{font:16px/1.5 system-ui,sans-serif;color:#111;background:#fff}"
	"body{max-width:70rem;margin:0 auto;padding:1rem}"
	"h1{font-size:1.6rem;line-height:1.2;margin:.5rem 0}"
	"h2{font-size:1.25rem;margin:2.2rem 0 .6rem;border-bottom:1px solid #999}"
	"h3{font-size:1.05rem;margin:1.8rem 0 .3rem}"
	"p,li{max-width:48rem}li{margin:.35rem 0}ul{padding-left:1.3rem}"
	".q{font-size:1.1rem}"
	".answer li{margin:.6rem 0}"
	".badge{font-size:.75rem;font-weight:normal;border:1px solid #555;border-radius:3px;padding:.05rem .35rem;"
	"white-space:nowrap}"
	".dim{color:#555;font-size:.9rem}"
	".scroll{overflow-x:auto}"
	"table{border-collapse:collapse;font-size:.9rem;margin:.4rem 0}"
	"th,td{padding:.15rem .6rem;text-align:left;vertical-align:top}"
	"thead th{border-bottom:1px solid #555;white-space:nowrap}"
	".wide td:nth-child(5){min-width:16rem}"
	".num td{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}"
	".num thead th{text-align:right}.num thead th:first-child{text-align:left}"
	".num td.text,.num thead th.text{text-align:left}"
	".num tbody th{font-weight:normal;white-space:nowrap}"
	".num .m th{font-weight:bold;padding-top:.7rem;border-bottom:1px solid #ccc}"
	"td.dim{font-size:inherit}.num td.bad{font-weight:bold;background:#eee}"
	".matrix th,.matrix td{padding:.15rem .45rem}.num.matrix thead tr:first-child th{text-align:left}.num .first{border-left:1px solid #ccc}"
	".num tr.floor th,.num tr.floor td{font-style:italic;border-top:1px dashed #999}"
	"@media(min-width:40rem){.tally td.text{white-space:normal}.tally td.dim{white-space:nowrap}}"
	".pc{display:inline-block;min-width:5.6rem}"
	"figure{margin:1rem 0;max-width:44rem;overflow-x:auto}figure svg{width:100%;min-width:32rem;height:auto}"
	"figcaption{font-size:.85rem;color:#555}"
	"@media(max-width:40rem){html{font-size:15px}body{padding:.6rem}th,td{padding:.15rem .35rem}.pc{min-width:4.6rem}}"
	"@media print{html{font-size:10.5pt}body{max-width:none;padding:0}h2,h3{break-after:avoid}tr,figure{break-inside:avoid}"
	".scroll{overflow:visible}table{font-size:8.5pt}}";

static void badge_heading(GString *s, const char *title, const char *badge)
{
	g_string_append(s, "<h3>");
	html_esc(s, title);
	if (badge) {
		g_string_append(s, " <span class=\"badge\">");
		html_esc(s, badge);
		g_string_append(s, "</span>");
	}
	g_string_append(s, "</h3>\n");
}

static void head(GString *s, const json_t *stats)
{
	const json_t *run = json_object_get(stats, "run");
	g_autofree char *which = words_run(stats);

	g_string_append(s, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
			"<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>pcplab: ");
	html_esc(s, which);
	g_string_append_printf(s, "</title>\n<style>%s</style>\n</head>\n<body>\n", css);
	html_element(s, "h1", "", "Per-CPU page lists compared");
	html_element(s, "p", "class=\"dim\"", which);
	html_element(s, "p", "class=\"q\"", *j_str(run, "question") ? j_str(run, "question") : "Question: not recorded");
}

/* An item of a list, with what it is about in bold. */
static void lead_item(GString *s, const char *line, const json_t *ids)
{
	const char *colon = strstr(line, ": ");
	g_autofree char *lead = colon ? g_strndup(line, colon - line) : g_strdup("");

	g_string_append(s, "<li");
	html_ids(s, ids);
	g_string_append(s, "><b>");
	html_esc(s, lead);
	g_string_append(s, "</b>");
	html_esc(s, colon ? colon : line);
	g_string_append(s, "</li>\n");
}

static void answers(GString *s, const json_t *stats)
{
	g_autoptr(GPtrArray) ids = g_ptr_array_new_with_free_func((GDestroyNotify)json_decref);
	g_autoptr(GPtrArray) lines = words_answers(stats, ids);

	html_element(s, "h2", "", "Answer");
	if (!lines->len)
		html_element(s, "p", "", words_no_figure(stats));
	g_string_append(s, "<ul class=\"answer\">\n");
	for (guint i = 0; i < lines->len; i++)
		lead_item(s, lines->pdata[i], ids->pdata[i]);
	g_string_append(s, "</ul>\n");
}

static json_t *pair_ids(const json_t *pair)
{
	static const char *const sides[] = { "wins", "loses" };
	json_t *ids = json_array();
	const json_t *item;
	size_t i;

	for (size_t k = 0; k < G_N_ELEMENTS(sides); k++)
		json_array_foreach(json_object_get(pair, sides[k]), i, item)
			json_array_extend(ids, json_object_get(item, "ids"));
	return ids;
}

static void beside(GString *s, const json_t *stats)
{
	const json_t *pairs = json_object_get(json_object_get(stats, "beside"), "pairs"), *p;
	g_autofree char *title = words_beside(stats);
	size_t i;

	if (!json_array_size(pairs))
		return;
	html_element(s, "h3", "", title);
	g_string_append(s, "<ul class=\"answer\">\n");
	json_array_foreach(pairs, i, p) {
		g_autofree char *words = words_pair(p, j_num(json_object_get(stats, "rules"), "same_percent"));
		json_t *ids = pair_ids(p);

		lead_item(s, words, ids);
		json_decref(ids);
	}
	g_string_append(s, "</ul>\n");
}

static void tally_rows(GString *s, const char *verdict, const json_t *items, bool badges)
{
	const json_t *item;
	size_t i;

	json_array_foreach(items, i, item) {
		g_autofree char *base = words_figure(item, "base"), *now = words_figure(item, "value");
		g_autofree char *difference = words_difference(item), *badge = words_short_badge(j_str(item, "badge"));

		g_string_append(s, "<tr");
		html_ids(s, json_object_get(item, "ids"));
		g_string_append_c(s, '>');
		html_element(s, "th", "scope=\"row\"", i ? "" : verdict);
		html_element(s, "td", "class=\"text\"", j_str(item, "workload"));
		html_element(s, "td", "class=\"text\"", words_metric(j_str(item, "metric")));
		html_element(s, "td", "", base);
		html_element(s, "td", "", now);
		html_element(s, "td", "class=\"text\"", difference);
		if (badges)
			html_element(s, "td", "class=\"text dim\"", badge);
		g_string_append(s, "</tr>\n");
	}
}

static void tally_table(GString *s, const json_t *t, const char *base, bool badges)
{
	g_string_append(s, "<div class=\"scroll\"><table class=\"num tally\"><thead><tr><th></th>"
			"<th class=\"text\">workload</th><th class=\"text\">figure</th>");
	html_name(s, "th", "scope=\"col\"", base);
	html_name(s, "th", "scope=\"col\"", j_str(t, "variant"));
	g_string_append_printf(s, "<th class=\"text\">difference</th>%s</tr></thead><tbody>\n",
			       badges ? "<th class=\"text\">measured under</th>" : "");
	tally_rows(s, "worse", json_object_get(t, "worse"), badges);
	tally_rows(s, "better", json_object_get(t, "better"), badges);
	tally_rows(s, "unclear", json_object_get(t, "unclear"), badges);
	g_string_append(s, "</tbody></table></div>\n");
}

/* All rows of a variant's table. */
static json_t *tally_items(const json_t *t)
{
	json_t *items = json_array();

	json_array_extend(items, json_object_get(t, "worse"));
	json_array_extend(items, json_object_get(t, "better"));
	json_array_extend(items, json_object_get(t, "unclear"));
	return items;
}

static void tally(GString *s, const json_t *t, const char *base, double percent)
{
	json_t *items = tally_items(t);
	g_autofree char *title = words_tally(t, base, percent), *common = words_common_badge(items);

	badge_heading(s, title, common);
	if (json_array_size(items))
		tally_table(s, t, base, !common);
	json_decref(items);
}

static void tallies(GString *s, const json_t *stats)
{
	const char *base = json_string_value(json_array_get(json_object_get(stats, "variants"), 0));
	const json_t *t;
	size_t i;

	if (json_array_size(json_object_get(stats, "tallies")))
		html_element(s, "h2", "", "What each variant wins and loses");
	json_array_foreach(json_object_get(stats, "tallies"), i, t)
		tally(s, t, base, j_num(json_object_get(stats, "rules"), "same_percent"));
}

static void fact_row(GString *s, const char *title, const char *key, const json_t *values)
{
	bool hash = !strcmp(key, "config_sha256") || !strcmp(key, "commit");
	const json_t *v;
	size_t i;

	g_string_append(s, "<tr>");
	html_element(s, "th", "scope=\"row\"", title);
	g_string_append(s, "<td>");
	json_array_foreach(values, i, v) {
		const char *text = j_str(v, "value");
		g_autofree char *names = fmt_names(json_object_get(v, "variants"));
		g_autofree char *shown = hash ? g_strndup(text, 12) : g_strdup(text);

		g_string_append_printf(s, "%s<span title=\"", i ? "<br>" : "");
		html_esc(s, text);
		g_string_append(s, "\">");
		html_esc(s, shown);
		g_string_append(s, "</span>");
		if (json_array_size(values) > 1) {
			g_string_append(s, " <span class=\"dim\">");
			html_esc(s, names);
			g_string_append(s, "</span>");
		}
	}
	g_string_append(s, "</td></tr>\n");
}

static void number_row(GString *s, const char *title, const json_t *numbers)
{
	g_autoptr(GString) text = g_string_new(NULL);
	const json_t *n;
	size_t i;

	json_array_foreach(numbers, i, n)
		g_string_append_printf(text, "%s%lld", i ? ", " : "", (long long)json_integer_value(n));
	g_string_append(s, "<tr>");
	html_element(s, "th", "scope=\"row\"", title);
	html_element(s, "td", "", text->str);
	g_string_append(s, "</tr>\n");
}

static void zone_table(GString *s, const json_t *values)
{
	static const char *const keys[] = { "node", "mem_mb", "cpus", "batch", "high_min", "high_max" };
	const json_t *v;
	size_t i;

	g_string_append(s, "<div class=\"scroll\"><table class=\"num\"><thead><tr><th>zone</th><th>node</th><th>MB</th>"
			"<th>cpus</th><th>batch</th><th>high_min</th><th>high_max</th><th>high at start</th><th class=\"text\">variants</th></tr></thead><tbody>\n");
	json_array_foreach(values, i, v) {
		const json_t *z = json_object_get(v, "value");
		g_autofree char *names = fmt_names(json_object_get(v, "variants"));
		g_autofree char *high = fmt_range(json_object_get(v, "least"), json_object_get(v, "most"));

		g_string_append(s, "<tr>");
		html_element(s, "th", "scope=\"row\"", j_str(z, "zone"));
		for (size_t k = 0; k < G_N_ELEMENTS(keys); k++) {
			g_autofree char *n = fmt_integer(json_object_get(z, keys[k]));

			html_element(s, "td", "", n);
		}
		html_element(s, "td", "", high);
		html_element(s, "td", "class=\"text\"", names);
		g_string_append(s, "</tr>\n");
	}
	g_string_append(s, "</tbody></table></div>\n");
}

static void conditions(GString *s, const json_t *stats)
{
	const json_t *c = json_object_get(stats, "conditions"), *f;
	size_t i;

	html_element(s, "h2", "", "Conditions");
	g_string_append(s, "<div class=\"scroll\"><table><tbody>\n");
	json_array_foreach(json_object_get(c, "facts"), i, f)
		fact_row(s, j_str(f, "title"), j_str(f, "key"), json_object_get(f, "values"));
	number_row(s, "Runs", json_object_get(c, "runs"));
	number_row(s, "Seeds", json_object_get(c, "seeds"));
	json_array_foreach(json_object_get(c, "vm"), i, f) {
		g_autofree char *title = g_strdup_printf("vm.%s (differs)", j_str(f, "key"));

		fact_row(s, title, "", json_object_get(f, "values"));
	}
	g_string_append(s, "</tbody></table></div>\n");
	zone_table(s, json_object_get(c, "zones"));
}

static void failure_rows(GString *s, const json_t *left)
{
	static const char *const keys[] = { "id", "variant", "label", "status", "reason", "console" };
	const json_t *r;
	size_t i;

	g_string_append(s, "<div class=\"scroll\"><table class=\"wide\"><thead><tr><th>record</th><th>variant</th><th>workload</th>"
			"<th>status</th><th>reason</th><th>console</th></tr></thead><tbody>\n");
	json_array_foreach(left, i, r) {
		g_string_append(s, "<tr>");
		for (size_t k = 0; k < G_N_ELEMENTS(keys); k++)
			html_element(s, "td", "", j_str(r, keys[k]));
		g_string_append(s, "</tr>\n");
	}
	g_string_append(s, "</tbody></table></div>\n");
}

static void failure_list(GString *s, const json_t *stats)
{
	const json_t *r;
	size_t i;

	g_string_append(s, "<ul>\n");
	json_array_foreach(json_object_get(stats, "known"), i, r) {
		g_autofree char *text = words_known(r);

		html_element(s, "li", "", text);
	}
	json_array_foreach(json_object_get(stats, "problems"), i, r) {
		g_autofree char *text = g_strdup_printf("records.jsonl, line %lld: %s", j_int(r, "line"), j_str(r, "what"));

		html_element(s, "li", "", text);
	}
	json_array_foreach(json_object_get(stats, "missing"), i, r) {
		g_autofree char *text = g_strdup_printf("%s, %s, %s: planned, no record", j_str(r, "id"),
							j_str(r, "variant"), j_str(r, "label"));

		html_element(s, "li", "", text);
	}
	json_array_foreach(json_object_get(stats, "withheld"), i, r) {
		g_autofree char *text = g_strdup_printf("%s, %s: not shown, its clock does not allow it (%s)", j_str(r, "id"),
							j_str(r, "metric"), j_str(r, "badge"));

		html_element(s, "li", "", text);
	}
	g_string_append(s, "</ul>\n");
}

static void failures(GString *s, const json_t *stats)
{
	const json_t *left = json_object_get(stats, "left_out");
	size_t problems = json_array_size(json_object_get(stats, "problems"));
	size_t missing = json_array_size(json_object_get(stats, "missing"));
	g_autofree char *text = g_strdup_printf("%lld records used, %zu left out, %zu planned but missing, %zu unreadable.",
						j_int(stats, "records_used"), json_array_size(left), missing, problems);

	html_element(s, "h2", "", "Failures");
	html_element(s, "p", "", text);
	if (json_array_size(left))
		failure_rows(s, left);
	if (problems + missing + json_array_size(json_object_get(stats, "withheld")) + json_array_size(json_object_get(stats, "known")))
		failure_list(s, stats);
}

static void cell(GString *s, const json_t *c, const struct stat_row *row, int decimals)
{
	g_autofree char *value = fmt_member(c, row, decimals);
	g_autofree char *percent = fmt_percent(json_object_get(json_object_get(c, "changes"), row->change ? row->change : ""));

	g_string_append(s, "<td");
	html_ids(s, json_object_get(c, "ids"));
	g_string_append_c(s, '>');
	html_esc(s, value);
	if (row->change && j_int(c, "n") && strcmp(value, "-"))
		g_string_append_printf(s, " <span class=\"pc\">(%s)%c</span>", percent, stat_mark(c, row));
	else
		g_string_append(s, " <span class=\"pc\"></span>");
	g_string_append(s, "</td>");
}

static void metric_rows(GString *s, const json_t *m)
{
	const json_t *cells = json_object_get(m, "cells"), *c;
	int decimals = metric_decimals(m);
	g_autofree char *title = g_strdup_printf("%s, %s, %s is better", j_str(m, "metric"), words_unit(j_str(m, "unit")),
						 json_is_true(json_object_get(m, "higher_is_better")) ? "higher" : "lower");
	g_autofree char *span = g_strdup_printf("colspan=\"%zu\" scope=\"rowgroup\"", json_array_size(cells) + 1);
	size_t i;

	g_string_append(s, "<tr class=\"m\">");
	html_element(s, "th", span, title);
	g_string_append(s, "</tr>\n");
	for (const struct stat_row *row = stat_rows(m); row->title; row++) {
		g_string_append(s, "<tr>");
		html_element(s, "th", "scope=\"row\"", row->title);
		json_array_foreach(cells, i, c)
			cell(s, c, row, decimals);
		g_string_append(s, "</tr>\n");
	}
}

static void variant_heads(GString *s, const json_t *variants)
{
	const json_t *v;
	size_t i;

	g_string_append(s, "<thead><tr><th></th>");
	json_array_foreach(variants, i, v)
		html_name(s, "th", "scope=\"col\"", json_string_value(v));
	g_string_append(s, "</tr></thead>\n");
}

static void figure(GString *s, char *svg, const char *caption)
{
	if (!svg)
		return;
	g_string_append(s, "<figure role=\"img\" aria-label=\"");
	html_esc(s, caption);
	g_string_append_printf(s, "\">%s", svg);
	html_element(s, "figcaption", "", caption);
	g_string_append(s, "</figure>\n");
	g_free(svg);
}

static void experiment_figures(GString *s, const json_t *e, const json_t *variants, int *nr)
{
	static const char *const drawn[][2] = {
		{ "irqoff_insn", "How many interrupts-off sections of any kind are at least so long; both axes logarithmic." },
		{ "irqoff_insn.spill", "How many interrupts-off sections that spilled are at least so long; both axes "
				       "logarithmic." },
		{ "cyclictest_us", "Wake-up latencies, all runs; linear microseconds, logarithmic counts." },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(drawn); i++) {
		const json_t *m = metric_find(e, drawn[i][0]);
		g_autofree char *caption = g_strdup_printf("%s: %s [%s]", j_str(e, "label"), drawn[i][1], j_str(e, "badge"));

		if (m && metric_in_full(m))
			figure(s, plot_metric(m, variants, ++*nr), caption);
	}
}

static const json_t *find_experiment(const json_t *stats, const char *label, const char *badge)
{
	const json_t *e;
	size_t i;

	json_array_foreach(json_object_get(stats, "comparisons"), i, e)
		if (!strcmp(j_str(e, "label"), label) && !strcmp(j_str(e, "badge"), badge))
			return e;
	return NULL;
}

/* The first page's picture: the distribution behind its first sentence, where there is one. */
static void first_figure(GString *s, const json_t *stats, int *nr)
{
	const json_t *answer = json_array_get(json_object_get(stats, "answers"), 0);
	const json_t *base = json_array_get(json_object_get(answer, "values"), 0);
	const json_t *e = find_experiment(stats, j_str(base, "workload"), j_str(answer, "badge"));
	const json_t *m = metric_find(e, j_str(answer, "metric"));
	g_autofree char *caption = g_strdup_printf("%s, in %s: how many sections are at least so long; both axes logarithmic. "
						   "[%s]", j_str(answer, "title"), j_str(e, "label"), j_str(e, "badge"));

	if (m && g_str_has_prefix(j_str(m, "metric"), "irqoff"))
		figure(s, plot_metric(m, json_object_get(stats, "variants"), ++*nr), caption);
}

static void experiment(GString *s, const json_t *e, const json_t *variants, int *nr)
{
	const struct workload *w = workload_find(j_str(e, "workload"));
	g_autofree char *params = words_params(e), *nodes = words_nodes(e);
	g_autofree char *where = g_strdup_printf("%s (%s). Boot %s, flavour %s, %lld MB, %s.",
						 w ? w->help : "unknown workload", params,
						 *j_str(e, "cell") ? j_str(e, "cell") : "-", j_str(e, "flavor"), j_int(e, "mem_mb"), nodes);
	const json_t *m;
	size_t i;

	badge_heading(s, j_str(e, "label"), j_str(e, "badge"));
	html_element(s, "p", "class=\"dim\"", where);
	g_string_append(s, "<div class=\"scroll\"><table class=\"num\">");
	variant_heads(s, variants);
	g_string_append(s, "<tbody>\n");
	json_array_foreach(json_object_get(e, "metrics"), i, m)
		if (metric_in_full(m))
			metric_rows(s, m);
	g_string_append(s, "</tbody></table></div>\n");
	experiment_figures(s, e, variants, nr);
}

/* @v: index of the variant; beyond the last of them: the floor */
static const json_t *cost_cell(const json_t *metric, size_t variants, size_t v)
{
	return v == variants ? json_object_get(metric, "floor") : json_array_get(json_object_get(metric, "cells"), v);
}

static void cost_row(GString *s, const json_t *e, const char *name, size_t variants, size_t v)
{
	static const struct stat_row mean = { "", "mean", NULL, NULL };

	g_string_append(s, v == variants ? "<tr class=\"floor\">" : "<tr>");
	html_element(s, "th", "scope=\"row\"", name);
	for (size_t k = 0; cost_metrics[k][0]; k++) {
		const json_t *c = cost_cell(metric_find(e, cost_metrics[k][0]), variants, v);
		g_autofree char *text = fmt_member(c, &mean, fmt_decimals(j_num(c, "mean")));

		g_string_append(s, "<td");
		html_ids(s, json_object_get(c, "ids"));
		g_string_append_c(s, '>');
		html_esc(s, text);
		g_string_append(s, "</td>");
	}
	g_string_append(s, "</tr>\n");
}

static void cost_group(GString *s, const json_t *e, const json_t *variants)
{
	g_autofree char *title = g_strdup_printf("%s [%s]", j_str(e, "label"), j_str(e, "badge"));
	const json_t *floor = json_object_get(metric_find(e, "insn_per_op"), "floor"), *name;
	g_autofree char *floor_name = g_strdup_printf("floor: %s", j_str(floor, "variant"));
	size_t v;

	g_string_append(s, "<tr class=\"m\">");
	html_element(s, "th", "colspan=\"8\" scope=\"rowgroup\"", title);
	g_string_append(s, "</tr>\n");
	json_array_foreach(variants, v, name)
		cost_row(s, e, json_string_value(name), json_array_size(variants), v);
	if (floor)
		cost_row(s, e, floor_name, v, v);
}

static void cost_table(GString *s, const json_t *stats)
{
	const json_t *e;
	size_t i;

	g_string_append(s, "<div class=\"scroll\"><table class=\"num\"><thead><tr><th></th>");
	for (size_t k = 0; cost_metrics[k][0]; k++)
		html_element(s, "th", "scope=\"col\"", cost_metrics[k][1]);
	g_string_append(s, "</tr></thead><tbody>\n");
	json_array_foreach(json_object_get(stats, "comparisons"), i, e)
		if (metric_find(e, "insn_per_op"))
			cost_group(s, e, json_object_get(stats, "variants"));
	g_string_append(s, "</tbody></table></div>\n");
}

static void cost_figures(GString *s, const json_t *stats, int *nr)
{
	const json_t *list = json_object_get(stats, "comparisons"), *e;
	size_t i;

	/* Sorted by badge: each badge once. */
	json_array_foreach(list, i, e) {
		const char *badge = j_str(e, "badge");
		g_autofree char *caption = g_strdup_printf("Instructions per operation, means with 95 %% intervals. [%s]", badge);

		if (!i || strcmp(badge, j_str(json_array_get(list, i - 1), "badge")))
			figure(s, plot_costs(stats, badge, ++*nr), caption);
	}
}

static void notes(GString *s, const json_t *stats)
{
	g_autoptr(GPtrArray) list = words_notes(stats);

	html_element(s, "h2", "", "Notes");
	g_string_append(s, "<ul>\n");
	for (guint i = 0; i < list->len; i++)
		html_element(s, "li", "", list->pdata[i]);
	g_string_append(s, "</ul>\n");
}

static void record_row(GString *s, const json_t *e, const char *variant, const json_t *c)
{
	g_autofree char *ids = fmt_names(json_object_get(c, "ids"));

	g_string_append(s, "<tr>");
	html_element(s, "td", "", j_str(e, "label"));
	html_element(s, "td", "", j_str(e, "badge"));
	html_name(s, "td", "", variant);
	html_element(s, "td", "", *ids ? ids : "missing");
	g_string_append(s, "</tr>\n");
}

static void record_rows(GString *s, const json_t *e, const json_t *variants)
{
	const json_t *m = json_array_get(json_object_get(e, "metrics"), 0), *floor = json_object_get(m, "floor"), *c;
	size_t v;

	json_array_foreach(json_object_get(m, "cells"), v, c)
		record_row(s, e, json_string_value(json_array_get(variants, v)), c);
	if (floor)
		record_row(s, e, j_str(floor, "variant"), floor);
}

static void records(GString *s, const json_t *stats)
{
	const json_t *e;
	size_t i;

	html_element(s, "h2", "", "Records behind the figures");
	g_string_append(s, "<div class=\"scroll\"><table><thead><tr>"
			"<th>workload</th><th>badge</th><th>variant</th><th>records</th></tr></thead><tbody>\n");
	json_array_foreach(json_object_get(stats, "comparisons"), i, e)
		record_rows(s, e, json_object_get(stats, "variants"));
	g_string_append(s, "</tbody></table></div>\n");
}

char *report_html(const json_t *stats)
{
	const json_t *variants = json_object_get(stats, "variants"), *e;
	GString *s = g_string_new(NULL);
	g_autofree char *caption = words_caption(stats);
	int nr = 0;
	size_t i;

	head(s, stats);
	answers(s, stats);
	beside(s, stats);
	first_figure(s, stats, &nr);
	tallies(s, stats);
	floor_html(s, stats);
	conditions(s, stats);
	failures(s, stats);
	html_element(s, "h2", "", "Reliability");
	matrix_html(s, json_object_get(stats, "matrix"));
	if (any_costs(stats)) {
		html_element(s, "h2", "", "Costs per operation");
		cost_table(s, stats);
		cost_figures(s, stats, &nr);
	}
	if (json_array_size(json_object_get(stats, "comparisons"))) {
		html_element(s, "h2", "", "Tables and distributions");
		html_element(s, "p", "", caption);
	}
	json_array_foreach(json_object_get(stats, "comparisons"), i, e)
		experiment(s, e, variants, &nr);
	notes(s, stats);
	records(s, stats);
	g_string_append(s, "</body>\n</html>\n");
	return g_string_free(s, FALSE);
}
