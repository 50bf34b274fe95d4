// SPDX-License-Identifier: GPL-2.0-or-later
/* Which design passed which suite, for the terminal, the mail and the page. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "report.h"
#include "report_page.h"
#include "util.h"

#define HEAD	18	/* columns of a row's name */
#define CELL	11	/* columns of an entry, at least */

static const char intro[] =
	"The newest result of each design in each suite, from all runs that there are. \"smoke\": every workload "
	"that is no suite came to its end, and the kernel had nothing to complain of. \"known\": the design does not "
	"promise the behaviour, and the run showed that it does not have it. \"skip\": it cannot be tried there. \"n/a\": "
	"this kernel cannot be configured. \"-\": not run. \"2/14\": two of the fourteen parts of a suite.";

/* ---- Words ---- */

static char *note_words(const json_t *n)
{
	const char *status = j_str(n, "status"), *result = j_str(n, "result");
	g_autofree char *day = g_strndup(j_str(n, "date"), 10);
	bool broken = !strcmp(j_str(n, "kind"), "broken"), named = !strcmp(status, result);
	const char *first = json_string_value(json_array_get(json_object_get(n, "ids"), 0));

	if (broken)
		return g_strdup_printf("%s/%s %s: passes, though it is broken on purpose: this checker does not see that (%s %s)",
				       j_str(n, "flavor"), j_str(n, "variant"), j_str(n, "label"), day, j_str(n, "run"));
	return g_strdup_printf("%s/%s %s: %s%s%s: %s (%s %s %s)", j_str(n, "flavor"), j_str(n, "variant"), j_str(n, "label"),
			       result, named ? "" : ", ", named ? "" : status,
			       *j_str(n, "reason") ? j_str(n, "reason") : "no reason given", day, j_str(n, "run"),
			       first ? first : "");
}

static char *absent_words(const json_t *a)
{
	g_autofree char *names = fmt_names(json_object_get(a, "variants")), *labels = fmt_names(json_object_get(a, "labels"));

	return g_strdup_printf("%s: %s: %s (%s)", j_str(a, "flavor"), names, labels, j_str(a, "why"));
}

static char *counts_words(const json_t *soak)
{
	GString *s = g_string_new(NULL);
	const char *key;
	json_t *v;

	json_object_foreach(json_object_get(soak, "counts"), key, v) {
		g_autofree char *n = fmt_number(json_number_value(v), json_number_value(v) == floor(json_number_value(v)) ? 0 : 1);

		g_string_append_printf(s, "%s%s %s", s->len ? ", " : "", key, n);
	}
	return g_string_free(s, FALSE);
}

static char *soak_words(const json_t *k)
{
	long long warnings = j_int(k, "warnings");
	g_autofree char *minutes = fmt_number(j_num(k, "minutes"), 1), *counts = counts_words(k);
	g_autofree char *why = *j_str(k, "reason") ? g_strdup_printf(" (%s)", j_str(k, "reason")) : g_strdup("");

	return g_strdup_printf("%s/%s: %s minutes, %s%s, %lld record%s with kernel warnings. Done meanwhile: %s.",
			       j_str(k, "flavor"), j_str(k, "variant"), minutes, j_str(k, "result"), why, warnings,
			       warnings == 1 ? "" : "s", *counts ? counts : "not counted");
}

static char *silent_words(const json_t *m)
{
	g_autofree char *names = fmt_names(json_object_get(m, "silent"));

	return g_strdup_printf("No result at all in: %s", names);
}

static bool any_broken(const json_t *table)
{
	const json_t *row;
	size_t i;

	json_array_foreach(json_object_get(table, "rows"), i, row)
		if (json_is_true(json_object_get(row, "broken")))
			return true;
	return false;
}

/* ---- As text ---- */

static size_t cell_width(const json_t *suites)
{
	size_t width = CELL;
	const json_t *s;
	size_t i;

	json_array_foreach(suites, i, s)
		width = MAX(width, strlen(json_string_value(s)));
	return MIN(width, (size_t)(TXT_WIDTH - 2 - HEAD - 1));
}

static void txt_table_row(GString *s, const json_t *row, size_t from, size_t to, size_t width)
{
	const json_t *entries = json_object_get(row, "entries");
	g_autofree char *broken = g_strdup_printf("%s (broken)", j_str(row, "variant"));

	txt_name(s, 2, HEAD, json_is_true(json_object_get(row, "broken")) ? broken : j_str(row, "variant"));
	for (size_t i = from; i < to; i++)
		g_string_append_printf(s, " %*s", (int)width, j_str(json_array_get(entries, i), "text"));
	txt_trim_line(s);
}

/* As many columns as fit; the others below. */
static void txt_table(GString *s, const json_t *t)
{
	const json_t *suites = json_object_get(t, "suites"), *row;
	size_t width = cell_width(suites), fit = (TXT_WIDTH - 2 - HEAD) / (width + 1), n = json_array_size(suites);
	size_t k;

	for (size_t from = 0; from < n; from += fit) {
		size_t to = MIN(from + fit, n);

		g_string_append_printf(s, "%-*s", HEAD + 2, j_str(t, "flavor"));
		for (size_t i = from; i < to; i++)
			g_string_append_printf(s, " %*s", (int)width, json_string_value(json_array_get(suites, i)));
		txt_trim_line(s);
		json_array_foreach(json_object_get(t, "rows"), k, row)
			txt_table_row(s, row, from, to, width);
	}
}

static void txt_list(GString *s, const char *title, const json_t *items, char *(*words)(const json_t *))
{
	const json_t *item;
	size_t i;

	if (json_array_size(items))
		g_string_append_printf(s, "\n%s\n", title);
	json_array_foreach(items, i, item) {
		g_autofree char *text = words(item);

		txt_wrap(s, "* ", text);
	}
}

void matrix_txt(GString *s, const json_t *m)
{
	const json_t *t;
	size_t i;

	if (!json_array_size(json_object_get(m, "flavors")))
		txt_wrap(s, "", "No run, and no build, has a result yet.");
	else
		txt_wrap(s, "", intro);
	json_array_foreach(json_object_get(m, "flavors"), i, t) {
		g_string_append_c(s, '\n');
		txt_table(s, t);
		if (any_broken(t))
			txt_wrap(s, "  ", "(broken): on purpose; a fail shows that the checker sees it.");
	}
	txt_list(s, "What is no pass", json_object_get(m, "notes"), note_words);
	txt_list(s, "What has no result", json_object_get(m, "absent"), absent_words);
	if (json_array_size(json_object_get(m, "silent"))) {
		g_autofree char *silent = silent_words(m);

		g_string_append_c(s, '\n');
		txt_wrap(s, "", silent);
	}
	txt_list(s, "Soak: all disturbances at once", json_object_get(m, "soak"), soak_words);
}

/* ---- As a page ---- */

static void html_row(GString *s, const json_t *row)
{
	const json_t *entry;
	size_t i;

	g_string_append(s, json_is_true(json_object_get(row, "broken")) ? "<tr class=\"floor\">" : "<tr>");
	html_name(s, "th", "scope=\"row\"", j_str(row, "variant"));
	json_array_foreach(json_object_get(row, "entries"), i, entry) {
		g_string_append_printf(s, "<td%s", strcmp(j_str(entry, "result"), "fail") ? "" : " class=\"bad\"");
		html_ids(s, json_object_get(entry, "ids"));
		g_string_append_c(s, '>');
		html_esc(s, j_str(entry, "text"));
		g_string_append(s, "</td>");
	}
	g_string_append(s, "</tr>\n");
}

static void html_table(GString *s, const json_t *t)
{
	const json_t *suite, *row;
	size_t i;

	html_element(s, "h3", "", j_str(t, "flavor"));
	g_string_append(s, "<div class=\"scroll\"><table class=\"num\"><thead><tr><th></th>");
	json_array_foreach(json_object_get(t, "suites"), i, suite)
		html_element(s, "th", "scope=\"col\"", json_string_value(suite));
	g_string_append(s, "</tr></thead><tbody>\n");
	json_array_foreach(json_object_get(t, "rows"), i, row)
		html_row(s, row);
	g_string_append(s, "</tbody></table></div>\n");
	if (any_broken(t))
		html_element(s, "p", "class=\"dim\"", "In italics: broken on purpose; a fail shows that the checker sees it.");
}

static void html_list(GString *s, const char *title, const json_t *items, char *(*words)(const json_t *))
{
	const json_t *item;
	size_t i;

	if (!json_array_size(items))
		return;
	html_element(s, "h3", "", title);
	g_string_append(s, "<ul>\n");
	json_array_foreach(items, i, item) {
		g_autofree char *text = words(item);

		g_string_append(s, "<li");
		html_ids(s, json_object_get(item, "ids"));
		g_string_append_c(s, '>');
		html_esc(s, text);
		g_string_append(s, "</li>\n");
	}
	g_string_append(s, "</ul>\n");
}

static void html_soak_row(GString *s, const json_t *k)
{
	g_autofree char *minutes = fmt_number(j_num(k, "minutes"), 1), *counts = counts_words(k);
	g_autofree char *warnings = fmt_number(j_num(k, "warnings"), 0);
	g_autofree char *result = g_strdup_printf("%s%s%s", j_str(k, "result"), *j_str(k, "reason") ? ": " : "",
						  j_str(k, "reason"));

	g_string_append(s, "<tr");
	html_ids(s, json_object_get(k, "ids"));
	g_string_append_c(s, '>');
	html_name(s, "th", "scope=\"row\"", j_str(k, "variant"));
	html_element(s, "td", "class=\"text\"", j_str(k, "flavor"));
	html_element(s, "td", "", minutes);
	html_element(s, "td", "", warnings);
	html_element(s, "td", "class=\"text\"", result);
	html_element(s, "td", "class=\"text\"", *counts ? counts : "not counted");
	g_string_append(s, "</tr>\n");
}

static void html_soak(GString *s, const json_t *soak)
{
	const json_t *k;
	size_t i;

	if (!json_array_size(soak))
		return;
	html_element(s, "h3", "", "Soak: all disturbances at once");
	g_string_append(s, "<div class=\"scroll\"><table class=\"num tally\"><thead><tr><th></th><th class=\"text\">flavour</th>"
			"<th>minutes</th><th>with kernel warnings</th><th class=\"text\">result</th>"
			"<th class=\"text\">done meanwhile</th></tr></thead><tbody>\n");
	json_array_foreach(soak, i, k)
		html_soak_row(s, k);
	g_string_append(s, "</tbody></table></div>\n");
}

void matrix_html(GString *s, const json_t *m)
{
	g_autofree char *silent = silent_words(m);
	const json_t *t;
	size_t i;

	html_element(s, "p", "", json_array_size(json_object_get(m, "flavors")) ? intro :
		     "No run, and no build, has a result yet.");
	json_array_foreach(json_object_get(m, "flavors"), i, t)
		html_table(s, t);
	html_list(s, "What is no pass", json_object_get(m, "notes"), note_words);
	html_list(s, "What has no result", json_object_get(m, "absent"), absent_words);
	if (json_array_size(json_object_get(m, "silent")))
		html_element(s, "p", "", silent);
	html_soak(s, json_object_get(m, "soak"));
}
