// SPDX-License-Identifier: GPL-2.0-or-later
/* Distributions, intervals and tests. Pure functions; GSL does the statistics. */
#include <math.h>
#include <string.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include "stats.h"

struct hist *hist_new(void)
{
	struct hist *h = g_new0(struct hist, 1);

	h->buckets = g_array_new(FALSE, FALSE, sizeof(struct bucket));
	return h;
}

void hist_free(struct hist *h)
{
	if (!h)
		return;
	g_array_unref(h->buckets);
	g_free(h);
}

static bool parse_bucket(const json_t *row, struct bucket *b)
{
	json_int_t count;

	for (size_t i = 0; i < 3; i++)
		if (!json_is_integer(json_array_get(row, i)))
			return false;
	b->low = json_integer_value(json_array_get(row, 0));
	b->high = json_integer_value(json_array_get(row, 1));
	count = json_integer_value(json_array_get(row, 2));
	b->count = count;
	return json_array_size(row) == 3 && b->low <= b->high && count >= 0;
}

/* Returns what is wrong with the buckets, or NULL. */
static const char *parse_buckets(struct hist *h, const json_t *rows)
{
	unsigned long long seen = 0;
	long long above = 0, low = 0;
	size_t i;
	json_t *row;

	json_array_foreach(rows, i, row) {
		struct bucket b;

		if (!parse_bucket(row, &b))
			return "a bucket of 'hist' is not [low, high, count]";
		/* They may overlap, where sources with buckets of their own were joined. */
		if (i && b.low < low)
			return "the buckets of 'hist' are out of order";
		low = b.low;
		above = MAX(above, b.high + 1);
		seen += b.count;
		if (b.count)
			g_array_append_val(h->buckets, b);
	}
	if (seen > h->n)
		return "the buckets of 'hist' hold more samples than 'n'";
	if (seen < h->n) {
		struct bucket over = { MIN(above, h->max), h->max, h->n - seen };

		g_array_append_val(h->buckets, over);
	}
	if (h->n)
		h->min = MIN(g_array_index(h->buckets, struct bucket, 0).low, h->max);
	return NULL;
}

struct hist *hist_parse(const json_t *metric, const char **why)
{
	const json_t *n = json_object_get(metric, "n"), *max = json_object_get(metric, "max");
	const json_t *sum = json_object_get(metric, "sum"), *rows = json_object_get(metric, "hist");
	struct hist *h;

	*why = "a distribution needs integers 'n' and 'max', a number 'sum' and an array 'hist'";
	if (!json_is_integer(n) || json_integer_value(n) < 0 || !json_is_number(sum) || !json_is_array(rows))
		return NULL;
	if (!json_is_number(max) && json_integer_value(n))
		return NULL;
	h = hist_new();
	h->n = json_integer_value(n);
	h->sum = json_number_value(sum);
	h->max = (long long)json_number_value(max);
	*why = parse_buckets(h, rows);
	if (!*why)
		return h;
	hist_free(h);
	return NULL;
}

static int bucket_order(const struct bucket *a, const struct bucket *b)
{
	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return a->high < b->high ? -1 : a->high > b->high;
}

void hist_merge(struct hist *to, const struct hist *from)
{
	GArray *joined = g_array_new(FALSE, FALSE, sizeof(struct bucket));
	guint i = 0, j = 0;

	while (i < to->buckets->len || j < from->buckets->len) {
		struct bucket *a = i < to->buckets->len ? &g_array_index(to->buckets, struct bucket, i) : NULL;
		struct bucket *b = j < from->buckets->len ? &g_array_index(from->buckets, struct bucket, j) : NULL;
		int order = !a ? 1 : !b ? -1 : bucket_order(a, b);
		struct bucket next = order <= 0 ? *a : *b;

		if (!order)
			next.count += b->count;
		i += order <= 0;
		j += order >= 0;
		g_array_append_val(joined, next);
	}
	if (from->n) {
		to->min = to->n ? MIN(to->min, from->min) : from->min;
		to->max = to->n ? MAX(to->max, from->max) : from->max;
	}
	to->n += from->n;
	to->sum += from->sum;
	g_array_unref(to->buckets);
	to->buckets = joined;
}

double hist_percentile(const struct hist *h, double share)
{
	double want = ceil(share * (double)h->n), seen = 0;

	if (!h->n)
		return NAN;
	for (guint i = 0; i < h->buckets->len; i++) {
		const struct bucket *b = &g_array_index(h->buckets, struct bucket, i);

		seen += (double)b->count;
		if (seen >= want)
			return (double)MIN(b->high, h->max);
	}
	return (double)h->max;
}

double stat_quantile(const double *v, size_t n, double share)
{
	g_autofree double *sorted = NULL;

	if (!n)
		return NAN;
	sorted = g_memdup2(v, n * sizeof(*v));
	gsl_sort(sorted, 1, n);
	return gsl_stats_quantile_from_sorted_data(sorted, 1, n, share);
}

double stat_hmean(const double *v, size_t n)
{
	double inverse = 0;

	for (size_t i = 0; i < n; i++) {
		if (!(v[i] > 0))
			return NAN;
		inverse += 1 / v[i];
	}
	return n ? (double)n / inverse : NAN;
}

static bool all_equal(const double *v, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (v[i] != v[0])
			return false;
	return true;
}

double stat_sd(const double *v, size_t n)
{
	if (n < 2)
		return NAN;
	/* Rounding in the mean must not turn exact repetition into a tiny variance. */
	return all_equal(v, n) ? 0 : gsl_stats_sd(v, 1, n);
}

struct interval boot_ratio(const double *num, const double *den, size_t n)
{
	struct interval ci = { NAN, NAN };
	g_autofree double *got = NULL;
	size_t kept = 0;
	gsl_rng *rng;

	if (n < 2)
		return ci;
	got = g_new(double, BOOTSTRAP_RESAMPLES);
	rng = gsl_rng_alloc(gsl_rng_mt19937);
	gsl_rng_set(rng, BOOTSTRAP_SEED);
	for (size_t r = 0; r < BOOTSTRAP_RESAMPLES; r++) {
		double top = 0, below = 0;

		for (size_t i = 0; i < n; i++) {
			size_t k = gsl_rng_uniform_int(rng, n);

			top += num[k];
			below += den ? den[k] : 1;
		}
		if (below > 0)
			got[kept++] = top / below;
	}
	gsl_rng_free(rng);
	ci.low = stat_quantile(got, kept, 0.025);
	ci.high = stat_quantile(got, kept, 0.975);
	return ci;
}

/* Standard error of the difference of two means, and Welch's degrees of freedom for it. */
static double welch_error(const double *a, size_t na, const double *b, size_t nb, double *df)
{
	double sa = stat_sd(a, na), sb = stat_sd(b, nb);
	double va = sa * sa / (double)na, vb = sb * sb / (double)nb;

	*df = (va + vb) * (va + vb) / (va * va / (double)(na - 1) + vb * vb / (double)(nb - 1));
	return sqrt(va + vb);
}

double welch_p(const double *a, size_t na, const double *b, size_t nb)
{
	double df, error = welch_error(a, na, b, nb, &df);

	if (!(error > 0))
		return NAN;
	return 2 * gsl_cdf_tdist_Q(fabs(gsl_stats_mean(a, 1, na) - gsl_stats_mean(b, 1, nb)) / error, df);
}

double welch_reach(const double *a, size_t na, const double *b, size_t nb)
{
	double difference = fabs(gsl_stats_mean(a, 1, na) - gsl_stats_mean(b, 1, nb));
	double df, error = welch_error(a, na, b, nb, &df);

	return error > 0 ? difference + gsl_cdf_tdist_Qinv(0.025, df) * error : difference;
}

void holm(double *p, size_t n)
{
	g_autofree size_t *order = g_new(size_t, n + 1);
	double least = 0;

	gsl_sort_index(order, p, 1, n);
	for (size_t i = 0; i < n; i++) {
		double *this = &p[order[i]];

		least = MAX(least, *this * (double)(n - i));
		*this = least = MIN(least, 1.0);
	}
}
