/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stats stage: from records to stats.json. All arithmetic of the report happens here. */
#ifndef PCPLAB_STATS_H
#define PCPLAB_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <glib.h>
#include <jansson.h>

/* Raised when a reader of the old stats.json would misread the new. */
#define STATS_FORMAT		3
/* Changes smaller than this, in percent, are called "same", where the runs do not allow for larger ones. */
#define SAME_PERCENT		1.0
/* Below this many runs on either side nothing is tested, nothing gets a star. */
#define TEST_MIN_RUNS		5
#define ALPHA			0.05
#define BOOTSTRAP_SEED		20250924UL
#define BOOTSTRAP_RESAMPLES	2000

struct bucket {
	long long low, high;		/* both inclusive */
	unsigned long long count;
};

/* A distribution of integers: buckets by rising bounds, with exact n, sum and max. */
struct hist {
	GArray *buckets;
	unsigned long long n;
	double sum;
	long long min, max;		/* min is the lower bound of the lowest bucket; both void when n is 0 */
};

struct interval {
	double low, high;		/* NAN: not known */
};

/**
 * hist_new() - an empty distribution
 *
 * Return: freed with hist_free().
 */
struct hist *hist_new(void);

/**
 * hist_free() - free a distribution
 * @h: the distribution, may be NULL
 */
void hist_free(struct hist *h);

/**
 * hist_parse() - read the distribution of one metric of a record
 * @metric: object with n, sum, max and hist
 * @why: set to what is wrong, a constant string
 *
 * Samples that n counts and no bucket holds lie above the last bucket (an overflow); they get one that ends at max.
 *
 * Return: a distribution, or NULL with @why set.
 */
struct hist *hist_parse(const json_t *metric, const char **why);

/**
 * hist_merge() - add the samples of one distribution to another
 * @to: grows
 * @from: is left alone
 *
 * Equal buckets are joined; buckets of another scheme stay beside each other, ordered by their lower bound.
 */
void hist_merge(struct hist *to, const struct hist *from);

/**
 * hist_percentile() - the value that a share of the samples does not exceed
 * @h: distribution
 * @share: 0 < @share <= 1
 *
 * Return: the upper bound of the bucket that holds it, never above the maximum, so that rounding never flatters; NAN
 * without samples.
 */
double hist_percentile(const struct hist *h, double share);

/**
 * stat_quantile() - quantile of unsorted values, linearly interpolated
 * @v: values
 * @n: how many
 * @share: 0 to 1
 *
 * Return: the quantile, NAN when @n is 0.
 */
double stat_quantile(const double *v, size_t n, double share);

/**
 * stat_hmean() - harmonic mean
 * @v: values
 * @n: how many
 *
 * Return: the mean, NAN when a value is not positive or @n is 0.
 */
double stat_hmean(const double *v, size_t n);

/**
 * stat_sd() - standard deviation of a sample (n - 1)
 * @v: values
 * @n: how many
 *
 * Return: exactly 0 when all values are equal, NAN when @n is below 2.
 */
double stat_sd(const double *v, size_t n);

/**
 * boot_ratio() - 95 % percentile bootstrap over runs of sum(num) / sum(den)
 * @num: numerators, one a run
 * @den: denominators, one a run, or NULL for all 1 (then it is the interval of a mean)
 * @n: number of runs
 *
 * The generator is seeded afresh with BOOTSTRAP_SEED, so that a figure does not depend on what was computed before.
 *
 * Return: the interval; NANs when @n is below 2.
 */
struct interval boot_ratio(const double *num, const double *den, size_t n);

/**
 * welch_p() - two-sided p-value of Welch's test that two means are equal
 * @a: values of one side
 * @na: how many, at least 2
 * @b: values of the other side
 * @nb: how many, at least 2
 *
 * Return: the p-value; NAN when neither side varies (then there is nothing to test).
 */
double welch_p(const double *a, size_t na, const double *b, size_t nb);

/**
 * welch_reach() - how large a difference of two means may be
 * @a: values of one side
 * @na: how many, at least 2
 * @b: values of the other side
 * @nb: how many, at least 2
 *
 * Return: the end of Welch's 95 % interval of the difference that lies further from 0, without its sign.
 */
double welch_reach(const double *a, size_t na, const double *b, size_t nb);

/**
 * holm() - Holm's correction for many comparisons, in place
 * @p: p-values, none of them NAN
 * @n: how many
 */
void holm(double *p, size_t n);

/* What was read from a run's folder. */
struct run_data {
	char *dir;
	json_t *info;			/* run.json, or an empty object */
	const char *floor;		/* what competes with nobody, NULL: none; owned by info */
	json_t *variants;		/* names, the baseline first */
	json_t *records;		/* status ok, the only ones that enter figures */
	json_t *left_out;		/* what went wrong or was skipped, short form */
	json_t *known;			/* what a design lacks and does not promise, short form */
	json_t *problems;		/* unreadable lines: {"line","what"} */
	json_t *missing;		/* planned, but without a record */
	char *sha256;			/* of records.jsonl */
};

/**
 * run_data_load() - read run.json, plan.jsonl and records.jsonl
 * @dir: folder of the run
 * @d: filled; freed with run_data_clear() whatever the result
 *
 * Records of a boot without its "done" line are not used. A line that is no record of ours is reported with its number and left out; the rest is used.
 *
 * Return: RC_OK, or RC_USAGE (error printed) when there is nothing to work on.
 */
int run_data_load(const char *dir, struct run_data *d);

/**
 * run_data_clear() - free what run_data_load() read
 * @d: the data
 */
void run_data_clear(struct run_data *d);

/* What a comparison with the baseline can say. */
enum test_kind { TEST_NONE, TEST_BASE, TEST_FEW, TEST_EXACT, TEST_WELCH };

/* One metric of one experiment under one variant. Strings belong to the records. */
struct cell {
	const char *variant, *metric, *unit;
	bool dist;
	GArray *values;			/* double, one a run: the value, or the run's maximum */
	GArray *sums, *counts;		/* double, one a run: for the mean over all samples of a distribution */
	struct hist *hist;		/* all runs pooled */
	json_t *ids;
	unsigned long long n;
	double mean, median, p99, min, max, sd, spread, hmean;
	struct interval ci, max_ci;
	/* Against the baseline: */
	enum test_kind test;
	double p, p_holm;
	double change;			/* percent, positive is better, of what the metric is judged by */
	double ratio;			/* baseline / this */
	double reach;			/* percent that the runs allow the difference to have */
	bool star;
	const char *verdict;
};

/* The same work under the same conditions: the same row of boots, one column a variant. */
struct experiment {
	const char *label, *workload, *cell, *flavor, *mode, *accel, *clock;
	long long cpus, mem_mb;
	long long nodes, most_nodes;	/* the least and the most: columns may differ in them */
	const json_t *params;
	char *badge;
	GPtrArray *metrics;		/* of struct metric_row */
};

struct metric_row {
	const char *metric, *unit;
	bool dist;
	size_t n;
	struct cell **cells;		/* one a variant, NULL is missing */
	struct cell *floor;		/* or NULL; compared with nobody */
};

/**
 * experiments_build() - group records by experiment, metric and variant, and summarise
 * @d: data of the run
 * @withheld: array, gets figures that their clock does not allow: {"id","metric","why"}
 *
 * Return: array of struct experiment, freed with g_ptr_array_unref().
 */
GPtrArray *experiments_build(const struct run_data *d, json_t *withheld);

/**
 * experiments_compare() - fill in the comparison with the first variant
 * @all: array of struct experiment
 *
 * Return: the number of tests made, which is what the correction was made for.
 */
size_t experiments_compare(GPtrArray *all);

/**
 * cell_compare() - compare a cell with another of its row
 * @c: the cell, its fields "against the baseline" but the verdict are set
 * @base: the other
 */
void cell_compare(struct cell *c, const struct cell *base);

/**
 * cells_correct() - correct the tests of a family of comparisons
 * @cells: array of struct cell, all of them tested
 */
void cells_correct(GPtrArray *cells);

/**
 * cell_verdict() - what a comparison says
 * @c: a cell, compared and corrected
 * @base: what it was compared with
 *
 * Return: a constant string.
 */
const char *cell_verdict(const struct cell *c, const struct cell *base);

/**
 * number_or_null() - a number as JSON has it
 * @v: the number
 *
 * Return: a new real, or null where it is not finite.
 */
json_t *number_or_null(double v);

/**
 * cell_json() - a cell as the report reads it
 * @e: the experiment
 * @c: the cell
 * @base: the baseline's cell, or NULL
 *
 * Return: a new object.
 */
json_t *cell_json(const struct experiment *e, const struct cell *c, const struct cell *base);

/**
 * cell_plain() - a cell with exactly the keys that stats --json promises
 * @e: the experiment
 * @c: the cell
 *
 * Return: a new object; what is not known is null.
 */
json_t *cell_plain(const struct experiment *e, const struct cell *c);

/**
 * metric_higher_is_better() - which way a metric points
 * @metric: its name
 */
bool metric_higher_is_better(const char *metric);

/**
 * row_find() - a metric of an experiment
 * @e: the experiment
 * @metric: its name
 *
 * Return: the row, or NULL.
 */
const struct metric_row *row_find(const struct experiment *e, const char *metric);

/**
 * figure_json() - a cell as a sentence needs it: without distribution, with the "value" that it is judged by
 * @e: the experiment
 * @c: the cell
 * @base: what it is compared with, or NULL
 *
 * Return: a new object.
 */
json_t *figure_json(const struct experiment *e, const struct cell *c, const struct cell *base);

/**
 * section_of_lists() - is the longest section of any kind one that the lists made?
 * @e: the experiment
 * @whole: its row of sections of any kind, measured under @v
 * @v: index of the variant
 *
 * Return: false where it is a timer interrupt or other code that no variant touches.
 */
bool section_of_lists(const struct experiment *e, const struct metric_row *whole, size_t v);

/**
 * answers_json() - the figures of the report's first page
 * @all: array of struct experiment, compared
 * @variants: names, the baseline first
 * @equal: array, gets the figures that no variant differs in
 *
 * Return: a new array, the most important first; each figure holds one value a variant, or null where it is missing, and
 * under "also" those that say the same of other conditions.
 */
json_t *answers_json(GPtrArray *all, const json_t *variants, json_t *equal);

/**
 * tallies_json() - what each variant wins and loses against the baseline
 * @all: array of struct experiment, compared
 * @variants: names, the baseline first
 *
 * Return: a new array, one object a variant other than the baseline.
 */
json_t *tallies_json(GPtrArray *all, const json_t *variants);

/**
 * beside_json() - what variants win and lose beside each other, not the baseline
 * @all: array of struct experiment
 * @variants: names, the baseline first
 *
 * Two are compared with each other, more of them with the second of @variants only.
 *
 * Return: a new object: "only" (that second one, or null), "tests", "pairs".
 */
json_t *beside_json(GPtrArray *all, const json_t *variants);

/**
 * floor_share() - which share of the baseline's distance from the floor a variant has left
 * @c: the variant's cell, or NULL
 * @base: the baseline's, or NULL
 * @floor: the floor's
 *
 * Return: the share, 1 for the baseline itself; NAN where the baseline is hardly above the floor, or a cell is missing.
 */
double floor_share(const struct cell *c, const struct cell *base, const struct cell *floor);

/**
 * floor_json() - how far each variant is above the floor
 * @all: array of struct experiment
 * @floor: name of the floor, or NULL
 *
 * Return: a new object: "variant" (null without a floor) and "rows", one an experiment and metric.
 */
json_t *floor_json(GPtrArray *all, const char *floor);

/**
 * conditions_json() - under which conditions the records were taken
 * @d: data of the run
 *
 * Return: a new object: "facts" (each with its distinct values and whose they are), "zones", "vm", "seeds".
 */
json_t *conditions_json(const struct run_data *d);

/**
 * stats_compute() - all of stats.json
 * @d: data of the run
 *
 * Return: a new object.
 */
json_t *stats_compute(const struct run_data *d);

#endif
