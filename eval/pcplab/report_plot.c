// SPDX-License-Identifier: GPL-2.0-or-later
/* Pictures by gnuplot, as SVG elements to stand inside a page. */
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>
#include "report.h"
#include "util.h"

static void add_title(GString *data, const char *name, const char *more)
{
	g_autofree char *title = g_strdup_printf("%s%s", name, more);

	/* gnuplot has no escape for its own quotes in a data file. */
	g_strdelimit(title, "\"\n", '\'');
	g_string_append_printf(data, "%s\"%s\"\n", data->len ? "\n\n" : "", title);
}

static char *title_more(const json_t *cell)
{
	g_autofree char *max = NULL, *n = NULL;

	if (!json_is_object(cell))
		return g_strdup(": missing");
	if (!j_int(cell, "n"))
		return g_strdup(": none");
	max = fmt_number(j_num(cell, "max"), 0);
	n = fmt_number(j_num(cell, "n"), 0);
	return g_strdup_printf(": max %s, n = %s", max, n);
}

static void add_points(GString *data, const json_t *cell, bool tail)
{
	const json_t *rows = json_object_get(cell, tail ? "tail" : "hist"), *row;
	size_t i;

	json_array_foreach(rows, i, row)
		g_string_append_printf(data, "%lld %lld\n", (long long)json_integer_value(json_array_get(row, 0)),
				       (long long)json_integer_value(json_array_get(row, tail ? 1 : 2)));
	/* gnuplot refuses an empty block, and draws nothing for this point. */
	if (!json_array_size(rows))
		g_string_append(data, "NaN NaN\n");
}

static char *quoted(const char *text)
{
	g_auto(GStrv) parts = g_strsplit(text, "'", -1);
	g_autofree char *inner = g_strjoinv("''", parts);

	return g_strdup_printf("'%s'", inner);
}

/* Several figures share a page, which would resolve an id to the first figure that has it. */
static char *svg_element(char *svg, int nr)
{
	static const char *const marks[] = { "id='", "id=\"", "href='#", "url(#" };
	const char *start = svg ? strstr(svg, "<svg") : NULL;
	GString *s;

	if (!start) {
		g_free(svg);
		return NULL;
	}
	s = g_string_new(start);
	g_free(svg);
	for (size_t i = 0; i < G_N_ELEMENTS(marks); i++) {
		g_autofree char *unique = g_strdup_printf("%sf%d-", marks[i], nr);

		g_string_replace(s, marks[i], unique, 0);
	}
	return g_string_free(s, FALSE);
}

static char *gnuplot(const char *script, const char *data_path, const char *given, int nr)
{
	g_autofree char *plots = root_path("eval/pcplab/plots"), *path = g_build_filename(plots, script, NULL);
	g_autofree char *style = g_build_filename(plots, "style.gp", NULL);
	g_autofree char *style_q = quoted(style), *data_q = quoted(data_path);
	g_autofree char *vars = g_strdup_printf("style=%s; data=%s; %s", style_q, data_q, given);
	const char *argv[] = { "gnuplot", "-e", vars, path, NULL };
	char *svg = svg_element(command_output(argv), nr);

	if (!svg)
		pl_error("gnuplot could not draw %s; is gnuplot-nox installed? (make deps)", path);
	return svg;
}

static char *draw(const char *script, const GString *data, const char *given, int nr)
{
	g_autofree char *path = NULL;
	char *svg = NULL;
	int fd = g_file_open_tmp("pcplab-plot-XXXXXX", &path, NULL);

	if (fd < 0) {
		pl_error("cannot make a temporary file for gnuplot; is there room in %s?", g_get_tmp_dir());
		return NULL;
	}
	close(fd);
	if (file_write(path, data->str, (ssize_t)data->len))
		svg = gnuplot(script, path, given, nr);
	g_unlink(path);
	return svg;
}

char *plot_metric(const json_t *metric, const json_t *variants, int nr)
{
	bool tail = g_str_has_prefix(j_str(metric, "metric"), "irqoff");
	g_autofree char *given = g_strdup_printf("n=%zu", json_array_size(variants));
	g_autoptr(GString) data = g_string_new(NULL);
	const json_t *cell;
	size_t i;

	json_array_foreach(json_object_get(metric, "cells"), i, cell) {
		g_autofree char *more = title_more(cell);

		add_title(data, json_string_value(json_array_get(variants, i)), more);
		add_points(data, cell, tail);
	}
	return draw(tail ? "irqoff.gp" : "latency.gp", data, given, nr);
}

static void add_bar(GString *data, size_t group, const char *label, const json_t *cell)
{
	double mean = j_num(cell, "mean");
	bool ci = json_is_number(json_object_get(cell, "ci_low"));

	if (!j_int(cell, "n"))
		g_string_append_printf(data, "%zu \"%s\" NaN NaN NaN\n", group, label);
	else
		g_string_append_printf(data, "%zu \"%s\" %.9g %.9g %.9g\n", group, label, mean,
				       ci ? j_num(cell, "ci_low") : mean, ci ? j_num(cell, "ci_high") : mean);
}

/* A variant's bars, or those of the floor: @v is beyond the last variant then. */
static size_t add_bars(GString *data, const json_t *stats, const char *badge, size_t v)
{
	const json_t *e;
	size_t i, group = 0;

	json_array_foreach(json_object_get(stats, "comparisons"), i, e) {
		const json_t *m = strcmp(j_str(e, "badge"), badge) ? NULL : metric_find(e, "insn_per_op");
		const json_t *cells = json_object_get(m, "cells");
		g_autofree char *label = g_strdelimit(g_strdup(j_str(e, "label")), "\"\n", '\'');

		if (m)
			add_bar(data, group++, label, v < json_array_size(cells) ? json_array_get(cells, v) :
				json_object_get(m, "floor"));
	}
	return group;
}

/* Lines across the groups that it was measured in. */
static bool add_floor(GString *data, const json_t *stats, const char *badge, size_t variants)
{
	const json_t *floor = json_object_get(stats, "floor"), *row;
	bool any = false;
	size_t i;

	json_array_foreach(json_object_get(floor, "rows"), i, row)
		any |= !strcmp(j_str(row, "badge"), badge);
	if (!any)
		return false;
	add_title(data, "floor: ", j_str(floor, "variant"));
	add_bars(data, stats, badge, variants);
	return true;
}

char *plot_costs(const json_t *stats, const char *badge, int nr)
{
	const json_t *variants = json_object_get(stats, "variants");
	g_autoptr(GString) data = g_string_new(NULL);
	g_autofree char *given = NULL;
	size_t groups = 0;
	bool floor;

	for (size_t v = 0; v < json_array_size(variants); v++) {
		add_title(data, json_string_value(json_array_get(variants, v)), "");
		groups = add_bars(data, stats, badge, v);
	}
	if (!groups)
		return NULL;
	floor = add_floor(data, stats, badge, json_array_size(variants));
	given = g_strdup_printf("n=%zu; groups=%zu; floor=%d", json_array_size(variants), groups, floor);
	return draw("costs.gp", data, given, nr);
}
