// SPDX-License-Identifier: GPL-2.0-or-later
/* What each variant costs above the floor, in both reports. */
#include <math.h>
#include <stdio.h>
#include "report.h"
#include "report_page.h"
#include "util.h"

char *words_floor(const json_t *stats)
{
	const char *name = j_str(json_object_get(stats, "floor"), "variant");

	return g_strdup_printf("%s is the floor: what the same work takes without any exclusion, measured where that may be left "
			       "out, with one CPU and in the kernel. It competes with nobody, and no win or loss counts it. "
			       "Percentages say which share of %s's distance from the floor a variant has left; intervals are "
			       "95%% bootstraps over runs.", name,
			       json_string_value(json_array_get(json_object_get(stats, "variants"), 0)));
}

static const json_t *floor_rows(const json_t *stats)
{
	return json_object_get(json_object_get(stats, "floor"), "rows");
}

/* In percent to one place, without "-0.0". */
static double percent(const json_t *v, const char *key)
{
	double x = j_num(v, key) * 100;

	return fabs(x) < 0.05 ? 0 : x;
}

/* Where the baseline is hardly above the floor there is no share. */
static char *share_words(const json_t *v)
{
	if (!json_is_number(json_object_get(v, "share")))
		return g_strdup("no share");
	return g_strdup_printf("%.1f%%", percent(v, "share"));
}

/* As " (71.5..72.1)"; the baseline's own share is what it is. */
static char *interval_words(const json_t *v)
{
	if (!json_is_number(json_object_get(v, "share_low")) || j_num(v, "share") == 1)
		return g_strdup("");
	return g_strdup_printf(" (%.1f..%.1f)", percent(v, "share_low"), percent(v, "share_high"));
}

static char *above_words(const json_t *v)
{
	double above = j_num(v, "above");

	return fmt_number(above, fmt_decimals(j_num(v, "value")));
}

static void html_value(GString *s, const char *name, const json_t *v)
{
	g_autofree char *value = words_figure(v, "value"), *above = above_words(v);
	g_autofree char *share = share_words(v), *interval = interval_words(v);

	g_string_append(s, "<tr");
	html_ids(s, json_object_get(v, "ids"));
	g_string_append_c(s, '>');
	html_name(s, "th", "scope=\"row\"", name);
	if (json_is_object(v)) {
		html_element(s, "td", "", value);
		html_element(s, "td", "", above);
		html_element(s, "td", "", share);
		html_element(s, "td", "class=\"text dim\"", interval);
	} else {
		html_element(s, "td", "", "missing");
	}
	g_string_append(s, "</tr>\n");
}

static void html_group(GString *s, const json_t *row, const json_t *variants, const char *floor_name)
{
	const json_t *floor = json_object_get(row, "floor"), *v;
	g_autofree char *value = words_figure(floor, "value"), *runs = words_runs(row);
	g_autofree char *title = g_strdup_printf("%s, %s [%s; %s]", j_str(row, "label"), words_unit(j_str(row, "unit")),
						 j_str(row, "badge"), runs);
	size_t i;

	g_string_append(s, "<tr class=\"m\">");
	html_element(s, "th", "colspan=\"5\" scope=\"rowgroup\"", title);
	g_string_append(s, "</tr>\n");
	json_array_foreach(json_object_get(row, "values"), i, v)
		html_value(s, json_string_value(json_array_get(variants, i)), v);
	g_string_append(s, "<tr class=\"floor\"");
	html_ids(s, json_object_get(floor, "ids"));
	g_string_append_c(s, '>');
	html_element(s, "th", "scope=\"row\"", floor_name);
	html_element(s, "td", "", value);
	g_string_append(s, "<td></td><td></td><td></td></tr>\n");
}

void floor_html(GString *s, const json_t *stats)
{
	const json_t *rows = floor_rows(stats), *r;
	g_autofree char *words = words_floor(stats);
	g_autofree char *name = g_strdup_printf("floor: %s", j_str(json_object_get(stats, "floor"), "variant"));
	size_t i;

	if (!json_array_size(rows))
		return;
	html_element(s, "h2", "", "Above the floor");
	html_element(s, "p", "", words);
	g_string_append(s, "<div class=\"scroll\"><table class=\"num\"><thead><tr><th></th><th>per operation</th>"
			"<th>above the floor</th><th>share left</th><th class=\"text\">95% interval</th></tr></thead><tbody>\n");
	json_array_foreach(rows, i, r)
		html_group(s, r, json_object_get(stats, "variants"), name);
	g_string_append(s, "</tbody></table></div>\n");
}

static void txt_value(GString *s, const char *name, const json_t *v)
{
	g_autofree char *value = words_figure(v, "value"), *above = above_words(v);
	g_autofree char *share = share_words(v), *interval = interval_words(v);

	txt_name(s, 2, 16, name);
	if (!json_is_object(v)) {
		g_string_append(s, "    missing\n");
		return;
	}
	g_string_append_printf(s, " %10s %10s above   %s%s\n", value, above, share, interval);
}

static void txt_row(GString *s, const json_t *row, const json_t *variants, const char *floor)
{
	g_autofree char *value = words_figure(json_object_get(row, "floor"), "value"), *runs = words_runs(row);
	g_autofree char *title = g_strdup_printf("%s, %s: floor (%s) %s [%s; %s]", j_str(row, "label"),
						 words_unit(j_str(row, "unit")), floor, value, j_str(row, "badge"), runs);
	const json_t *v;
	size_t i;

	txt_wrap(s, "", title);
	json_array_foreach(json_object_get(row, "values"), i, v)
		txt_value(s, json_string_value(json_array_get(variants, i)), v);
}

void floor_txt(GString *s, const json_t *stats)
{
	const json_t *rows = floor_rows(stats), *r;
	g_autofree char *words = words_floor(stats);
	size_t i;

	if (!json_array_size(rows))
		return;
	txt_heading(s, "Above the floor");
	txt_wrap(s, "", words);
	json_array_foreach(rows, i, r)
		txt_row(s, r, json_object_get(stats, "variants"), j_str(json_object_get(stats, "floor"), "variant"));
}
