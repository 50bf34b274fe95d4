// SPDX-License-Identifier: GPL-2.0-or-later
/* Sums of distributions. */
#include "dist.h"

void dist_init(struct dist *d)
{
	*d = (struct dist) { .buckets = g_array_new(FALSE, FALSE, sizeof(struct dist_bucket)) };
}

void dist_bucket(struct dist *d, long long low, long long high, long long count)
{
	struct dist_bucket b = { low, high, count };

	if (count)
		g_array_append_val(d->buckets, b);
}

int dist_add(struct dist *d, const json_t *o)
{
	const json_t *hist = json_object_get(o, "hist");
	const json_t *row;
	size_t i;

	if (!o)
		return 0;
	if (!json_is_array(hist) || !json_is_number(json_object_get(o, "n")))
		return -1;
	json_array_foreach(hist, i, row) {
		if (json_array_size(row) != 3)
			return -1;
		dist_bucket(d, json_integer_value(json_array_get(row, 0)),
			    json_integer_value(json_array_get(row, 1)),
			    json_integer_value(json_array_get(row, 2)));
	}
	d->n += json_number_value(json_object_get(o, "n"));
	d->sum += json_number_value(json_object_get(o, "sum"));
	d->max = MAX(d->max, json_number_value(json_object_get(o, "max")));
	return 0;
}

static int by_low(gconstpointer a, gconstpointer b)
{
	const struct dist_bucket *x = a, *y = b;

	return x->low != y->low ? (x->low > y->low) - (x->low < y->low) :
				  (x->high > y->high) - (x->high < y->high);
}

json_t *dist_json(struct dist *d)
{
	struct dist_bucket *b = (struct dist_bucket *)d->buckets->data;
	json_t *hist = json_array();
	json_t *o;

	g_array_sort(d->buckets, by_low);
	for (guint i = 0; i < d->buckets->len; i++) {
		if (i + 1 < d->buckets->len && !by_low(&b[i], &b[i + 1])) {
			b[i + 1].count += b[i].count;
			continue;
		}
		json_array_append_new(hist,
				      json_pack("[I,I,I]", (json_int_t)b[i].low,
						(json_int_t)b[i].high, (json_int_t)b[i].count));
	}
	o = json_pack("{s:I,s:I,s:I,s:o}", "n", (json_int_t)d->n, "sum", (json_int_t)d->sum, "max",
		      (json_int_t)d->max, "hist", hist);
	g_array_free(d->buckets, TRUE);
	d->buckets = NULL;
	return o;
}
