// SPDX-License-Identifier: GPL-2.0-or-later
/* Which design passed which suite, for the terminal, the mail and the page. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "report.h"
#include "report_page.h"
#include "util.h"

#define HEAD	18	/* columns of a row's name */
#define CELL	10	/* columns of an entry, at least */

static const char intro[] =
	"The newest result of each design in each suite, from all runs that there are. \"smoke\": every workload "
	"that is no suite came to its end, and the kernel had nothing to complain of. \"known\": the design does not "
	"promise the behaviour, and the run showed that it does not have it. \"skip\": it cannot be tried there. \"n/a\": "
	"this kernel cannot be configured. \"-\": not run. \"2/14\": two of the fourteen parts of a suite. "
	"\"(aid)\": measures the others; \"(broken)\": on purpose, so that a FAIL shows that a checker sees it.";

/* ---- Words ---- */

static char *note_words(const json_t *n)
{
	const char *status = j_str(n, "status"), *result = j_str(n, "result"), *run = j_str(n, "run");
	const char *first = json_string_value(json_array_get(json_object_get(n, "ids"), 0));
	g_autofree char *day = g_strndup(j_str(n, "date"), 10);
	bool named = !strcmp(status, result);

	return g_strdup_printf("%s/%s %s: %s%s%s: %s (%s%s%s%s%s)", j_str(n, "flavor"), j_str(n, "variant"), j_str(n, "label"),
			       result, named ? "" : ", ", named ? "" : status,
			       *j_str(n, "reason") ? j_str(n, "reason") : "no reason given", day, *run ? " " : "", run,
			       first ? " " : "", first ? first : "");
}

static char *unseen_words(const json_t *u)
{
	g_autofree char *labels = fmt_names(json_object_get(u, "labels"));

	return g_strdup_printf("%s/%s is broken on purpose, and passes: %s", j_str(u, "flavor"), j_str(u, "variant"), labels);
}

static char *absent_words(const json_t *a)
{
	bool all = json_is_true(json_object_get(a, "all"));
	g_autofree char *names = fmt_names(json_object_get(a, "variants"));
	g_autofree char *labels = all ? g_strdup("every suite") : fmt_names(json_object_get(a, "labels"));

	return g_strdup_printf("%s: %s: %s (%s)", j_str(a, "flavor"), names, labels, j_str(a, "why"));
}

static char *counts_words(const json_t *soak)
{
	GString *s = g_string_new(NULL);
	const char *key;
	json_t *v;

	json_object_foreach(json_object_get(soak, "counts"), key, v) {
		double x = json_number_value(v);
		g_autofree char *n = fmt_number(x, x == floor(x) ? 0 : 1);

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

static bool is_design(const json_t *row)
{
	return !strcmp(j_str(row, "kind"), "design");
}

/* What is no design says so. */
static char *row_words(const json_t *row)
{
	if (is_design(row))
		return g_strdup(j_str(row, "variant"));
	return g_strdup_printf("%s (%s)", j_str(row, "variant"), j_str(row, "kind"));
}

/* ---- As text ---- */

static size_t cell_width(const json_t *columns)
{
	size_t width = CELL;
	const json_t *c;
	size_t i;

	json_array_foreach(columns, i, c)
		width = MAX(width, MAX(strlen(j_str(c, "suite")), strlen(j_str(c, "flavor"))));
	return MIN(width, (size_t)(TXT_WIDTH - 2 - HEAD - 1));
}

/* Does a flavour begin with a column? */
static bool first_of_flavor(const json_t *columns, size_t i)
{
	return !i || strcmp(j_str(json_array_get(columns, i), "flavor"), j_str(json_array_get(columns, i - 1), "flavor"));
}

/* A flavour's name stands over the first of its columns, and again where they go on. */
static void txt_heads(GString *s, const json_t *columns, size_t from, size_t to, size_t width)
{
	g_string_append_printf(s, "\n%*s", HEAD + 2, "");
	for (size_t i = from; i < to; i++)
		g_string_append_printf(s, " %*s", (int)width, i == from || first_of_flavor(columns, i) ?
				       j_str(json_array_get(columns, i), "flavor") : "");
	txt_trim_line(s);
	g_string_append_printf(s, "%*s", HEAD + 2, "");
	for (size_t i = from; i < to; i++)
		g_string_append_printf(s, " %*s", (int)width, j_str(json_array_get(columns, i), "suite"));
	txt_trim_line(s);
}

static void txt_table_row(GString *s, const json_t *row, size_t from, size_t to, size_t width)
{
	const json_t *entries = json_object_get(row, "entries");
	g_autofree char *name = row_words(row);

	txt_name(s, 2, HEAD, name);
	for (size_t i = from; i < to; i++)
		g_string_append_printf(s, " %*s", (int)width, j_str(json_array_get(entries, i), "text"));
	txt_trim_line(s);
}

/* As many columns as fit; the others below. */
static void txt_table(GString *s, const json_t *m)
{
	const json_t *columns = json_object_get(m, "columns"), *row;
	size_t width = cell_width(columns), fit = (TXT_WIDTH - 2 - HEAD) / (width + 1), n = json_array_size(columns);
	size_t k;

	for (size_t from = 0; from < n; from += fit) {
		size_t to = MIN(from + fit, n);

		txt_heads(s, columns, from, to, width);
		json_array_foreach(json_object_get(m, "rows"), k, row)
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
	bool any = json_array_size(json_object_get(m, "columns"));

	txt_wrap(s, "", any ? intro : "No run, and no build, has a result yet.");
	txt_table(s, m);
	txt_list(s, "What is no pass", json_object_get(m, "notes"), note_words);
	txt_list(s, "Which checkers do not see what is broken", json_object_get(m, "unseen"), unseen_words);
	txt_list(s, "What has no result", json_object_get(m, "absent"), absent_words);
	if (json_array_size(json_object_get(m, "silent"))) {
		g_autofree char *silent = silent_words(m);

		g_string_append_c(s, '\n');
		txt_wrap(s, "", silent);
	}
	txt_list(s, "Soak: all disturbances at once", json_object_get(m, "soak"), soak_words);
}

/* ---- As a page ---- */

static void html_row(GString *s, const json_t *row, const json_t *columns)
{
	g_autofree char *name = row_words(row);
	const json_t *entry;
	size_t i;

	g_string_append(s, is_design(row) ? "<tr>" : "<tr class=\"floor\">");
	html_name(s, "th", "scope=\"row\"", name);
	json_array_foreach(json_object_get(row, "entries"), i, entry) {
		g_string_append_printf(s, "<td class=\"%s%s\"", first_of_flavor(columns, i) ? "first" : "",
				       strcmp(j_str(entry, "result"), "fail") ? "" : " bad");
		html_ids(s, json_object_get(entry, "ids"));
		g_string_append_c(s, '>');
		html_esc(s, j_str(entry, "text"));
		g_string_append(s, "</td>");
	}
	g_string_append(s, "</tr>\n");
}

static void html_heads(GString *s, const json_t *columns)
{
	const json_t *c;
	size_t i;

	g_string_append(s, "<thead><tr><th></th>");
	json_array_foreach(columns, i, c) {
		g_autofree char *span = NULL;
		size_t n = 1;

		if (!first_of_flavor(columns, i))
			continue;
		while (i + n < json_array_size(columns) && !first_of_flavor(columns, i + n))
			n++;
		span = g_strdup_printf("colspan=\"%zu\" scope=\"colgroup\" class=\"first\"", n);
		html_element(s, "th", span, j_str(c, "flavor"));
	}
	g_string_append(s, "</tr>\n<tr><th></th>");
	json_array_foreach(columns, i, c)
		html_element(s, "th", first_of_flavor(columns, i) ? "scope=\"col\" class=\"first\"" : "scope=\"col\"",
			     j_str(c, "suite"));
	g_string_append(s, "</tr></thead>\n");
}

static void html_table(GString *s, const json_t *m)
{
	const json_t *columns = json_object_get(m, "columns"), *row;
	size_t i;

	if (!json_array_size(columns))
		return;
	g_string_append(s, "<div class=\"scroll\"><table class=\"num matrix\">");
	html_heads(s, columns);
	g_string_append(s, "<tbody>\n");
	json_array_foreach(json_object_get(m, "rows"), i, row)
		html_row(s, row, columns);
	g_string_append(s, "</tbody></table></div>\n");
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
	bool any = json_array_size(json_object_get(m, "columns"));

	html_element(s, "p", "", any ? intro : "No run, and no build, has a result yet.");
	html_table(s, m);
	html_list(s, "What is no pass", json_object_get(m, "notes"), note_words);
	html_list(s, "Which checkers do not see what is broken", json_object_get(m, "unseen"), unseen_words);
	html_list(s, "What has no result", json_object_get(m, "absent"), absent_words);
	if (json_array_size(json_object_get(m, "silent")))
		html_element(s, "p", "", silent);
	html_soak(s, json_object_get(m, "soak"));
}
