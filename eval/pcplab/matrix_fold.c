// SPDX-License-Identifier: GPL-2.0-or-later
/* Lays the results of all suites out as a table, and lists what is no pass. */
#include <string.h>
#include "host.h"
#include "matrix.h"
#include "variant.h"

static bool is(const json_t *o, const char *key, const char *value)
{
	return !strcmp(j_str(o, key), value);
}

/* ---- Which rows and columns there are ---- */

static void add_of_kind(json_t *names, const json_t *cells, enum variant_kind kind)
{
	const json_t *c;
	size_t i;

	json_array_foreach(cells, i, c)
		if (variant_kind(j_str(c, "variant")) == kind)
			names_add(names, j_str(c, "variant"));
}

/* Designs that exist, stock first, whether they have results or not; then what else has some. */
static json_t *variants_of(const json_t *cells)
{
	g_autofree char *dir = root_path("variants");
	g_auto(GStrv) folders = names_in(dir, NULL);
	json_t *names = json_array();

	for (char **n = folders; *n; n++)
		if (!strcmp(*n, "stock"))
			names_add(names, *n);
	for (char **n = folders; *n; n++)
		if (variant_kind(*n) == VARIANT_DESIGN)
			names_add(names, *n);
	for (int kind = VARIANT_DESIGN; kind <= VARIANT_BROKEN; kind++)
		add_of_kind(names, cells, kind);
	return names;
}

static json_t *flavors_of(const json_t *cells)
{
	g_auto(GStrv) known = flavor_names();
	json_t *names = json_array();
	const json_t *c;
	size_t i;

	for (char **n = known; *n; n++)
		json_array_foreach(cells, i, c)
			if (is(c, "flavor", *n))
				names_add(names, *n);
	json_array_foreach(cells, i, c)
		names_add(names, j_str(c, "flavor"));
	return names;
}

/* Smoke, then suites in the order of the workload table, then builds. */
static json_t *suites_of(const json_t *cells, const char *flavor)
{
	json_t *names = json_array();
	const json_t *c;
	size_t i;

	json_array_foreach(cells, i, c)
		if (is(c, "flavor", flavor) && !json_object_get(c, "build"))
			names_add(names, j_str(c, "suite"));
	json_array_foreach(cells, i, c)
		if (is(c, "flavor", flavor))
			names_add(names, j_str(c, "suite"));
	return names;
}

/* What any variant has shown in a suite of a flavour: the others are expected to show it too. */
static json_t *labels_of(const json_t *cells, const char *flavor, const char *suite)
{
	json_t *names = json_array();
	const json_t *c;
	size_t i;

	json_array_foreach(cells, i, c)
		if (is(c, "flavor", flavor) && is(c, "suite", suite))
			names_add(names, j_str(c, "label"));
	return names;
}

static const json_t *cell_of(const json_t *cells, const char *variant, const char *flavor, const char *suite,
			     const char *label)
{
	const json_t *c;
	size_t i;

	json_array_foreach(cells, i, c)
		if (is(c, "label", label) && is(c, "suite", suite) && is(c, "flavor", flavor) && is(c, "variant", variant))
			return c;
	return NULL;
}

/* ---- One entry of a table ---- */

/* All results of a variant in a suite of a flavour. */
struct entry {
	size_t labels, seen, worst_n;
	const char *worst;		/* "pass", "known", "skip", "n/a", "fail" */
	json_t *ids;
};

static size_t rank(const char *result)
{
	static const char *const order[] = { "pass", "known", "skip", "n/a", "fail" };
	size_t i = 0;

	while (i + 1 < G_N_ELEMENTS(order) && strcmp(order[i], result))
		i++;
	return i;
}

static void count_cell(struct entry *e, const json_t *c)
{
	const char *result = j_str(c, "result");

	e->seen++;
	json_array_extend(e->ids, json_object_get(c, "ids"));
	if (e->worst && rank(result) < rank(e->worst))
		return;
	if (!e->worst || rank(result) > rank(e->worst))
		e->worst_n = 0;
	e->worst = result;
	e->worst_n++;
}

/* "pass", "pass 14" of as many, "pass 9/14" where the rest was not run, "FAIL 2/14". */
static char *entry_text(const struct entry *e)
{
	const char *word;

	if (!e->seen)
		return g_strdup("-");
	/* The one word that must not be overlooked. */
	word = !strcmp(e->worst, "fail") ? "FAIL" : e->worst;
	if (e->labels == 1)
		return g_strdup(word);
	if (e->worst_n == e->labels)
		return g_strdup_printf("%s %zu", word, e->labels);
	return g_strdup_printf("%s %zu/%zu", word, e->worst_n, e->labels);
}

static json_t *entry_json(const json_t *cells, const char *variant, const json_t *column)
{
	const char *flavor = j_str(column, "flavor"), *suite = j_str(column, "suite");
	const json_t *labels = json_object_get(column, "labels"), *l;
	struct entry e = { .labels = json_array_size(labels), .ids = json_array() };
	g_autofree char *text = NULL;
	size_t i;

	json_array_foreach(labels, i, l) {
		const json_t *c = cell_of(cells, variant, flavor, suite, json_string_value(l));

		if (c)
			count_cell(&e, c);
	}
	text = entry_text(&e);
	return json_pack("{s:s,s:s,s:o}", "text", text, "result", e.seen ? e.worst : "-", "ids", e.ids);
}

static bool has_any(const json_t *cells, const char *variant, const char *flavor)
{
	const json_t *c;
	size_t i;

	json_array_foreach(cells, i, c)
		if (is(c, "variant", variant) && is(c, "flavor", flavor))
			return true;
	return false;
}

/* Why a kernel cannot be had: what scripts/kernel.sh said when it refused. NULL: it did not. */
static char *refusal(const char *variant, const char *flavor)
{
	g_autofree char *path = opts.build ? kernel_path(flavor, variant, "refused") : NULL;
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	g_autofree char *all = NULL;

	if (!path || !g_file_get_contents(path, &text, NULL, NULL))
		return NULL;
	lines = g_strsplit(g_strchomp(text), "\n", -1);
	for (char **l = lines; *l; l++)
		g_strchug(*l);
	all = g_strjoinv(", ", lines);
	return g_strdup_printf("not selectable, these options did not survive: %s", all);
}

/* Where nothing can be run, the table says so; what is no design need not run everywhere. */
static void explain_gap(json_t *entry, const char *variant, const char *flavor)
{
	g_autofree char *why = refusal(variant, flavor);

	if (!is(entry, "result", "-"))
		return;
	if (why)
		json_object_set_new(entry, "text", json_string("n/a"));
	else if (variant_kind(variant) != VARIANT_DESIGN)
		json_object_set_new(entry, "text", json_string(""));
}

static json_t *row_json(const json_t *cells, const char *variant, const json_t *columns)
{
	json_t *entries = json_array();
	const json_t *c;
	size_t i;

	json_array_foreach(columns, i, c) {
		json_t *entry = entry_json(cells, variant, c);

		explain_gap(entry, variant, j_str(c, "flavor"));
		json_array_append_new(entries, entry);
	}
	return json_pack("{s:s,s:s,s:o}", "variant", variant, "kind", variant_kind_name(variant), "entries", entries);
}

static json_t *columns_of(const json_t *cells, const json_t *flavors)
{
	json_t *columns = json_array();
	const json_t *f, *s;
	size_t i, k;

	json_array_foreach(flavors, i, f) {
		const char *flavor = json_string_value(f);
		json_t *suites = suites_of(cells, flavor);

		json_array_foreach(suites, k, s)
			json_array_append_new(columns, json_pack("{s:s,s:s,s:o}", "flavor", flavor, "suite",
					      json_string_value(s), "labels", labels_of(cells, flavor, json_string_value(s))));
		json_decref(suites);
	}
	return columns;
}

/* ---- What is no pass, and why ---- */

static json_t *notes_json(const json_t *cells)
{
	json_t *notes = json_array(), *c;
	size_t i;

	json_array_foreach(cells, i, c)
		if (!is(c, "kind", "broken") && !is(c, "result", "pass"))
			json_array_append(notes, c);
	return notes;
}

/* A checker that passes what is broken on purpose is news; that it fails is its purpose. */
static json_t *unseen_json(const json_t *cells)
{
	json_t *list = json_array(), *c, *o;
	size_t i;

	json_array_foreach(cells, i, c) {
		json_t *labels = NULL;
		size_t k;

		if (!is(c, "kind", "broken") || !is(c, "result", "pass") || json_object_get(c, "build"))
			continue;
		json_array_foreach(list, k, o)
			if (is(o, "variant", j_str(c, "variant")) && is(o, "flavor", j_str(c, "flavor")))
				labels = json_object_get(o, "labels");
		if (!labels) {
			labels = json_array();
			json_array_append_new(list, json_pack("{s:s,s:s,s:o}", "variant", j_str(c, "variant"), "flavor",
							      j_str(c, "flavor"), "labels", labels));
		}
		json_array_append(labels, json_object_get(c, "label"));
	}
	return list;
}

static json_t *absent_labels(const json_t *cells, const char *variant, const char *flavor, const json_t *columns)
{
	json_t *absent = json_array();
	const json_t *c, *l;
	size_t i, k;

	json_array_foreach(columns, i, c)
		json_array_foreach(json_object_get(c, "labels"), k, l)
			if (is(c, "flavor", flavor) &&
			    !cell_of(cells, variant, flavor, j_str(c, "suite"), json_string_value(l)))
				json_array_append_new(absent, json_string(json_string_value(l)));
	return absent;
}

/* Variants that lack the same for the same reason share an item. */
static void add_absent(json_t *list, const char *flavor, const char *variant, json_t *labels, bool all, const char *why)
{
	json_t *o;
	size_t i;

	json_array_foreach(list, i, o)
		if (is(o, "flavor", flavor) && is(o, "why", why) && json_equal(json_object_get(o, "labels"), labels)) {
			json_array_append_new(json_object_get(o, "variants"), json_string(variant));
			return;
		}
	json_array_append_new(list, json_pack("{s:s,s:[s],s:O,s:b,s:s}", "flavor", flavor, "variants", variant, "labels",
					      labels, "all", all, "why", why));
}

static void absent_in(json_t *list, const json_t *cells, const char *variant, const char *flavor, const json_t *columns)
{
	json_t *labels = absent_labels(cells, variant, flavor, columns);
	g_autofree char *why = refusal(variant, flavor);

	if (json_array_size(labels))
		add_absent(list, flavor, variant, labels, !has_any(cells, variant, flavor), why ? why : "not run");
	json_decref(labels);
}

static json_t *absent_json(const json_t *cells, const json_t *variants, const json_t *flavors, const json_t *columns)
{
	json_t *list = json_array();
	const json_t *f, *v;
	size_t i, k;

	json_array_foreach(flavors, i, f)
		json_array_foreach(variants, k, v)
			if (variant_kind(json_string_value(v)) == VARIANT_DESIGN)
				absent_in(list, cells, json_string_value(v), json_string_value(f), columns);
	return list;
}

/* Flavours that nobody has a result in. */
static json_t *silent_json(const json_t *flavors)
{
	g_auto(GStrv) known = flavor_names();
	json_t *silent = json_array();
	const json_t *f;
	size_t i;

	for (char **n = known; *n; n++) {
		bool seen = false;

		json_array_foreach(flavors, i, f)
			seen |= !strcmp(*n, json_string_value(f));
		if (!seen)
			json_array_append_new(silent, json_string(*n));
	}
	return silent;
}

void matrix_fold(json_t *m)
{
	const json_t *cells = json_object_get(m, "cells"), *v;
	json_t *variants = variants_of(cells), *flavors = flavors_of(cells), *rows = json_array();
	json_t *columns = columns_of(cells, flavors);
	size_t i;

	json_array_foreach(variants, i, v)
		json_array_append_new(rows, row_json(cells, json_string_value(v), columns));
	json_object_set_new(m, "absent", absent_json(cells, variants, flavors, columns));
	json_object_set_new(m, "columns", columns);
	json_object_set_new(m, "rows", rows);
	json_object_set_new(m, "notes", notes_json(cells));
	json_object_set_new(m, "unseen", unseen_json(cells));
	json_object_set_new(m, "silent", silent_json(flavors));
	json_decref(variants);
	json_decref(flavors);
}

/* ---- The soak ---- */

static json_t *soak_of(json_t *list, const json_t *c)
{
	json_t *o;
	size_t i;

	json_array_foreach(list, i, o)
		if (is(o, "variant", j_str(c, "variant")) && is(o, "flavor", j_str(c, "flavor")))
			return o;
	o = json_pack("{s:s,s:s,s:s,s:s,s:s,s:n,s:{},s:[],s:[],s:s}", "variant", j_str(c, "variant"), "kind", j_str(c, "kind"),
		      "flavor", j_str(c, "flavor"), "result", "pass", "status", "ok", "reason", "counts", "ids", "runs",
		      "date", "");
	json_array_append_new(list, o);
	return o;
}

static void add_soak(json_t *o, const json_t *c)
{
	json_t *counts = json_object_get(o, "counts"), *v;
	const char *key;

	json_object_foreach(json_object_get(c, "counts"), key, v)
		json_object_set_new(counts, key, json_real(j_num(counts, key) + json_number_value(v)));
	if (rank(j_str(c, "result")) > rank(j_str(o, "result"))) {
		json_object_set(o, "result", json_object_get(c, "result"));
		json_object_set(o, "status", json_object_get(c, "status"));
		json_object_set(o, "reason", json_object_get(c, "reason"));
	}
	json_object_set_new(o, "minutes", json_real(j_num(o, "minutes") + j_num(c, "seconds") / 60));
	json_object_set_new(o, "warnings", json_integer(j_int(o, "warnings") + j_int(c, "warnings")));
	json_array_extend(json_object_get(o, "ids"), json_object_get(c, "ids"));
	names_add(json_object_get(o, "runs"), j_str(c, "run"));
	if (strcmp(j_str(c, "date"), j_str(o, "date")) > 0)
		json_object_set(o, "date", json_object_get(c, "date"));
}

json_t *soak_json(const json_t *cells)
{
	json_t *list = json_array();
	const json_t *c;
	size_t i;

	json_array_foreach(cells, i, c)
		if (is(c, "suite", "stress"))
			add_soak(soak_of(list, c), c);
	return list;
}
