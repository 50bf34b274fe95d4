// SPDX-License-Identifier: GPL-2.0-or-later
/* What each variant wins and loses, against the baseline and beside the others. */
#include <math.h>
#include <string.h>
#include "stats.h"
#include "util.h"

/* What wins and losses are counted in, as a sentence tells them; the costs beside instructions stand in the tables. */
static const char *const key_metrics[] = {
	"irqoff_insn.spill", "irqoff_insn.refill", "irqoff_insn.decay", "irqoff_insn.drain", "irqoff_insn",
	"cyclictest_us", "insn_per_op", "ops_per_s", NULL,
};

/* Of these, the classes of sections that the designs make. */
#define LIST_CLASSES	4

static double max_in(const struct experiment *e, const char *metric, size_t v)
{
	const struct metric_row *row = row_find(e, metric);

	return row && row->cells[v] ? row->cells[v]->max : NAN;
}

bool section_of_lists(const struct experiment *e, const struct metric_row *whole, size_t v)
{
	for (size_t k = 0; k < LIST_CLASSES; k++)
		if (max_in(e, key_metrics[k], v) == whole->cells[v]->max)
			return true;
	return false;
}

/* The longest section of any kind is told once: as the spill (or other class) that it is. */
static bool told_by_class(const struct experiment *e, const struct metric_row *whole, size_t v, size_t base)
{
	for (size_t k = 0; k < LIST_CLASSES; k++)
		if (max_in(e, key_metrics[k], v) == whole->cells[v]->max &&
		    max_in(e, key_metrics[k], base) == whole->cells[base]->max)
			return true;
	return false;
}

/* Timer interrupts are no win or loss of a design: of all sections, the longest counts where it is the lists'. */
static bool counts(const struct experiment *e, const struct metric_row *row, size_t v, size_t base)
{
	if (!row->cells[v] || !row->cells[base] || !g_strv_contains(key_metrics, row->metric))
		return false;
	if (strcmp(row->metric, "irqoff_insn"))
		return true;
	return (section_of_lists(e, row, v) || section_of_lists(e, row, base)) && !told_by_class(e, row, v, base);
}

static gint by_change(gconstpointer a, gconstpointer b)
{
	double x = fabs(j_num(*(json_t **)a, "change")), y = fabs(j_num(*(json_t **)b, "change"));

	return x < y ? 1 : x > y ? -1 : 0;
}

static json_t *sorted(GPtrArray *items)
{
	json_t *out = json_array();

	g_ptr_array_sort(items, by_change);
	for (guint i = 0; i < items->len; i++)
		json_array_append(out, items->pdata[i]);
	return out;
}

static json_t *tally_item(const struct experiment *e, const struct cell *c, const struct cell *base)
{
	json_t *o = figure_json(e, c, base);

	json_object_set_new(o, "badge", json_string(e->badge));
	json_object_set_new(o, "base", number_or_null(base->dist ? base->max : base->mean));
	return o;
}

struct duel {
	const struct experiment *e;
	struct cell cell;		/* a copy, compared with @base; what it points to is the original's */
	const struct cell *base;
};

typedef bool (*wanted_fn)(const struct cell *c);

static bool is_better(const struct cell *c)
{
	return !strcmp(c->verdict, "better") || !strcmp(c->verdict, "vanishes");
}

static bool is_worse(const struct cell *c)
{
	return !strcmp(c->verdict, "worse") || !strcmp(c->verdict, "appears");
}

static bool is_same(const struct cell *c)
{
	return !strcmp(c->verdict, "same");
}

static bool is_near(const struct cell *c)
{
	return !strcmp(c->verdict, "unclear") && fabs(c->change) < SAME_PERCENT;
}

static bool is_unclear(const struct cell *c)
{
	return !strcmp(c->verdict, "unclear") && !is_near(c);
}

/* What counts for a variant against another one; the copies are not judged yet. */
static GArray *duels_new(GPtrArray *all, size_t v, size_t base)
{
	GArray *duels = g_array_new(FALSE, FALSE, sizeof(struct duel));

	for (guint i = 0; i < all->len; i++) {
		const struct experiment *e = all->pdata[i];

		for (guint k = 0; k < e->metrics->len; k++) {
			const struct metric_row *row = e->metrics->pdata[k];
			struct duel d = { .e = e, .base = row->cells[base] };

			if (!counts(e, row, v, base))
				continue;
			d.cell = *row->cells[v];
			g_array_append_val(duels, d);
		}
	}
	return duels;
}

static struct duel *duel_at(GArray *duels, guint i)
{
	return &g_array_index(duels, struct duel, i);
}

static json_t *collected(GArray *duels, wanted_fn wanted)
{
	g_autoptr(GPtrArray) items = g_ptr_array_new_with_free_func((GDestroyNotify)json_decref);

	for (guint i = 0; i < duels->len; i++) {
		const struct duel *d = duel_at(duels, i);

		if (wanted(&d->cell))
			g_ptr_array_add(items, tally_item(d->e, &d->cell, d->base));
	}
	return sorted(items);
}

static json_t *tally_json(GPtrArray *all, const json_t *variants, size_t v)
{
	g_autoptr(GArray) duels = duels_new(all, v, 0);

	return json_pack("{s:O,s:o,s:o,s:o,s:o,s:o}", "variant", json_array_get(variants, v),
			 "better", collected(duels, is_better), "worse", collected(duels, is_worse),
			 "unclear", collected(duels, is_unclear), "near", collected(duels, is_near),
			 "same", collected(duels, is_same));
}

json_t *tallies_json(GPtrArray *all, const json_t *variants)
{
	json_t *tallies = json_array();

	/* A run of suites has nothing to win. */
	for (size_t v = 1; all->len && v < json_array_size(variants); v++)
		json_array_append_new(tallies, tally_json(all, variants, v));
	return tallies;
}

static bool is_ahead(const struct cell *c)
{
	return !strcmp(c->verdict, "better");
}

static bool is_behind(const struct cell *c)
{
	return !strcmp(c->verdict, "worse");
}

/* A kind of section that only one of two has is no difference in percent: how often it occurs depends on the workload. */
static bool is_one_sided(const struct cell *c)
{
	return !strcmp(c->verdict, "appears") || !strcmp(c->verdict, "vanishes");
}

/* The strongest of each metric, with the number of others it stands for. */
static json_t *strongest(GArray *duels, wanted_fn wanted)
{
	json_t *items = collected(duels, wanted), *out = json_array(), *item;
	size_t i;

	for (size_t k = 0; key_metrics[k]; k++) {
		json_t *first = NULL;
		json_int_t more = 0;

		json_array_foreach(items, i, item) {
			if (strcmp(j_str(item, "metric"), key_metrics[k]))
				continue;
			if (first)
				more++;
			else
				first = item;
		}
		if (!first)
			continue;
		json_object_set_new(first, "more", json_integer(more));
		json_array_append(out, first);
	}
	json_decref(items);
	return out;
}

static json_int_t count(GArray *duels, wanted_fn wanted)
{
	json_int_t n = 0;

	for (guint i = 0; i < duels->len; i++)
		n += wanted(&duel_at(duels, i)->cell);
	return n;
}

static void compare_all(GArray *duels, GPtrArray *tested)
{
	for (guint i = 0; i < duels->len; i++) {
		struct duel *d = duel_at(duels, i);

		cell_compare(&d->cell, d->base);
		if (tested && d->cell.test == TEST_WELCH)
			g_ptr_array_add(tested, &d->cell);
	}
}

/* The same test seen from the other side; what counts for one counts for the other. */
static void mirror(GArray *duels, GArray *from)
{
	compare_all(duels, NULL);
	for (guint i = 0; i < duels->len; i++) {
		duel_at(duels, i)->cell.p_holm = duel_at(from, i)->cell.p_holm;
		duel_at(duels, i)->cell.star = duel_at(from, i)->cell.star;
	}
}

/* A family of comparisons of its own, judged together. Returns the number of tests. */
static size_t judge(GPtrArray *sets, bool mirrored)
{
	g_autoptr(GPtrArray) tested = g_ptr_array_new();

	for (guint s = 0; s < (mirrored ? 1 : sets->len); s++)
		compare_all(sets->pdata[s], tested);
	cells_correct(tested);
	if (mirrored)
		mirror(sets->pdata[1], sets->pdata[0]);
	for (guint s = 0; s < sets->len; s++) {
		GArray *duels = sets->pdata[s];

		for (guint i = 0; i < duels->len; i++)
			duel_at(duels, i)->cell.verdict = cell_verdict(&duel_at(duels, i)->cell, duel_at(duels, i)->base);
	}
	return tested->len;
}

static json_t *pair_json(GArray *duels, const json_t *variants, size_t v, size_t base)
{
	return json_pack("{s:O,s:O,s:o,s:o,s:I,s:I,s:I}", "variant", json_array_get(variants, v), "beside",
			 json_array_get(variants, base), "wins", strongest(duels, is_ahead), "loses",
			 strongest(duels, is_behind), "unclear", count(duels, is_unclear), "one_sided",
			 count(duels, is_one_sided), "same", count(duels, is_same) + count(duels, is_near));
}

/* Two variants beside the baseline: each with the other. More of them: each with the first of them only. */
static size_t beside(size_t v, size_t variants)
{
	return v > 1 ? 1 : variants == 3 ? 2 : 0;
}

json_t *beside_json(GPtrArray *all, const json_t *variants)
{
	g_autoptr(GPtrArray) sets = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
	size_t n = all->len ? json_array_size(variants) : 0, tests;
	json_t *pairs = json_array();
	guint next = 0;

	for (size_t v = 1; v < n; v++)
		if (beside(v, n))
			g_ptr_array_add(sets, duels_new(all, v, beside(v, n)));
	tests = judge(sets, n == 3);
	for (size_t v = 1; v < n; v++)
		if (beside(v, n))
			json_array_append_new(pairs, pair_json(sets->pdata[next++], variants, v, beside(v, n)));
	return json_pack("{s:O?,s:I,s:o}", "only", n > 3 ? json_array_get(variants, 1) : NULL, "tests", (json_int_t)tests,
			 "pairs", pairs);
}
