/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report stage: stats.json in words, tables and pictures. Nothing is computed here. */
#ifndef PCPLAB_REPORT_H
#define PCPLAB_REPORT_H

#include <stdbool.h>
#include <glib.h>
#include <jansson.h>

/* One statistic of a metric's table. */
struct stat_row {
	const char *title;		/* as mmtests names it */
	const char *key;		/* member of the cell */
	const char *change;		/* member of the cell's changes, NULL: no percentage */
	const char *high;		/* second member, for an interval; else NULL */
};

/**
 * fmt_number() - a number with thousands separators
 * @v: the number
 * @decimals: digits behind the point
 *
 * Return: a new string.
 */
char *fmt_number(double v, int decimals);

/**
 * fmt_decimals() - digits behind the point that suit a column
 * @v: the column's leading value
 */
int fmt_decimals(double v);

/**
 * fmt_percent() - a percentage for a table
 * @v: JSON number, or null where no percentage exists
 *
 * Return: a new string, as "-12.34%", or "-".
 */
char *fmt_percent(const json_t *v);

/**
 * fmt_integer() - an integer of the conditions
 * @v: JSON integer, or anything else where it was not recorded
 *
 * Return: a new string.
 */
char *fmt_integer(const json_t *v);

/**
 * fmt_range() - the least and the greatest of an integer of the conditions
 * @least: JSON integer, or NULL
 * @most: JSON integer, or NULL
 *
 * Return: a new string; one number where they are equal.
 */
char *fmt_range(const json_t *least, const json_t *most);

/**
 * fmt_names() - names joined by commas
 * @names: array of strings
 *
 * Return: a new string.
 */
char *fmt_names(const json_t *names);

/**
 * fmt_member() - one statistic of a cell as text
 * @cell: cell of stats.json, null when it is missing
 * @row: the statistic
 * @decimals: digits behind the point
 *
 * Return: a new string: the figure, "missing" without records, "none" when nothing occurred, "-" where the
 * statistic does not exist.
 */
char *fmt_member(const json_t *cell, const struct stat_row *row, int decimals);

/**
 * stat_rows() - the statistics that a metric's table shows
 * @metric: object of stats.json's comparisons
 *
 * Return: an array that ends at a row without title.
 */
const struct stat_row *stat_rows(const json_t *metric);

/**
 * metric_in_full() - does a metric get a table of its own statistics?
 * @metric: object of stats.json's comparisons
 *
 * Costs beside instructions stand in the table of costs only; classes of sections that occur nowhere are left out.
 */
bool metric_in_full(const json_t *metric);

/**
 * metric_decimals() - digits behind the point for a metric's table
 * @metric: object of stats.json's comparisons
 */
int metric_decimals(const json_t *metric);

/**
 * metric_find() - a metric of an experiment
 * @experiment: object of stats.json's comparisons
 * @name: the metric's name
 *
 * Return: the object, or NULL.
 */
const json_t *metric_find(const json_t *experiment, const char *name);

/**
 * any_costs() - is there anything for the table of costs?
 * @stats: stats.json
 */
bool any_costs(const json_t *stats);

/**
 * stat_mark() - the mark behind a statistic's percentage
 * @cell: cell of stats.json
 * @row: the statistic
 *
 * Return: '*' where the tested difference is significant, '=' where both sides repeat exactly, else a space.
 */
char stat_mark(const json_t *cell, const struct stat_row *row);

/* The metrics of the table of costs, with the headings of its columns; ends at NULL. */
extern const char *const cost_metrics[][2];

/**
 * words_run() - which run a report is about
 * @stats: stats.json
 *
 * Return: a new string in plain text.
 */
char *words_run(const json_t *stats);

/**
 * words_unit() - a unit as a word of a sentence
 * @unit: the unit of a metric
 */
const char *words_unit(const char *unit);

/**
 * words_answer() - an answer as a sentence
 * @answer: object of stats.json's answers
 * @variants: names, the baseline first
 *
 * Return: a new string in plain text.
 */
char *words_answer(const json_t *answer, const json_t *variants);

/**
 * words_answers() - the first page's sentences
 * @stats: stats.json
 * @ids: array of JSON arrays, gets the records behind each sentence
 *
 * Return: array of strings, freed with g_ptr_array_unref().
 */
GPtrArray *words_answers(const json_t *stats, GPtrArray *ids);

/**
 * words_common_badge() - the badge that all of a list share
 * @items: array of objects with a "badge"
 *
 * Return: a new string, or NULL when they differ or there are none.
 */
char *words_common_badge(const json_t *items);

/**
 * words_short_badge() - a badge for a narrow column
 * @badge: the badge
 *
 * Return: a new string.
 */
char *words_short_badge(const char *badge);

/**
 * words_beside() - the heading of comparisons beside the baseline
 * @stats: stats.json
 *
 * Return: a new string in plain text.
 */
char *words_beside(const json_t *stats);

/**
 * words_pair() - what a variant wins and loses beside another one
 * @pair: object of the pairs in stats.json's beside
 * @percent: below which differences are called the same
 *
 * Return: a new string in plain text.
 */
char *words_pair(const json_t *pair, double percent);

/**
 * words_runs() - how many runs are behind figures that stand beside each other
 * @answer: object with "values", each with its "runs"
 *
 * Return: a new string, as "5 runs each" or "4 to 5 runs".
 */
char *words_runs(const json_t *answer);

/**
 * words_metric() - what a metric is judged by, in words
 * @metric: its name
 *
 * Return: the words, or @metric itself when there are none.
 */
const char *words_metric(const char *metric);

/**
 * words_figure() - a figure of a sentence
 * @item: object of stats.json's answers or tallies
 * @key: its member, "value" or "base"
 *
 * Return: a new string; "none" when it never occurred.
 */
char *words_figure(const json_t *item, const char *key);

/**
 * words_difference() - how far a figure is from the baseline's, and how sure that is
 * @item: object of stats.json's tallies
 *
 * Return: a new string in plain text.
 */
char *words_difference(const json_t *item);

/**
 * words_item() - one win or loss as a phrase
 * @item: object of stats.json's tallies
 *
 * Return: a new string in plain text.
 */
char *words_item(const json_t *item);

/**
 * words_tally() - the heading of a variant's wins and losses
 * @tally: object of stats.json's tallies
 * @baseline: name of the first variant
 * @percent: below which differences are called the same
 *
 * Return: a new string in plain text.
 */
char *words_tally(const json_t *tally, const char *baseline, double percent);

/**
 * words_params() - a workload's parameters
 * @experiment: object of stats.json's comparisons
 *
 * Return: a new string, as "order=0, n=20000".
 */
char *words_params(const json_t *experiment);

/**
 * words_nodes() - how many NUMA nodes the guests of an experiment had
 * @experiment: object of stats.json's comparisons
 *
 * Return: a new string, as "1 node".
 */
char *words_nodes(const json_t *experiment);

/**
 * words_caption() - how to read the tables
 * @stats: stats.json
 *
 * Return: a new string in plain text.
 */
char *words_caption(const json_t *stats);

/**
 * words_notes() - what the figures may claim, and what they do not
 * @stats: stats.json
 *
 * Return: array of strings, freed with g_ptr_array_unref().
 */
GPtrArray *words_notes(const json_t *stats);

/**
 * plot_metric() - draw one metric of an experiment
 * @metric: object of stats.json's comparisons, a distribution
 * @variants: names, the baseline first
 * @nr: number of the figure, unique in the page
 *
 * Return: an SVG element, freed with g_free(), or NULL (error printed) when gnuplot fails.
 */
char *plot_metric(const json_t *metric, const json_t *variants, int nr);

/**
 * plot_costs() - draw instructions per operation of all experiments with one badge
 * @stats: stats.json
 * @badge: which
 * @nr: number of the figure, unique in the page
 *
 * Return: an SVG element, freed with g_free(), or NULL (error printed unless there is nothing to draw).
 */
char *plot_costs(const json_t *stats, const char *badge, int nr);

/**
 * words_floor() - what the floor is, and how to read what stands above it
 * @stats: stats.json
 *
 * Return: a new string in plain text.
 */
char *words_floor(const json_t *stats);

/**
 * floor_html() - append what each variant costs above the floor to a page
 * @s: the page
 * @stats: stats.json; without a floor nothing is appended
 */
void floor_html(GString *s, const json_t *stats);

/**
 * floor_txt() - append what each variant costs above the floor to a mail
 * @s: the mail
 * @stats: stats.json; without a floor nothing is appended
 */
void floor_txt(GString *s, const json_t *stats);

/**
 * matrix_txt() - append which design passed which suite
 * @s: text of at most 80 columns
 * @matrix: from matrix_json(), or stats.json's matrix
 */
void matrix_txt(GString *s, const json_t *matrix);

/**
 * matrix_html() - append which design passed which suite to a page
 * @s: the page
 * @matrix: stats.json's matrix
 */
void matrix_html(GString *s, const json_t *matrix);

/**
 * words_no_figure() - why there is no answer
 * @stats: stats.json
 *
 * Return: a constant string.
 */
const char *words_no_figure(const json_t *stats);

/**
 * words_known() - behaviour of this run's designs that they do not promise, and do not have
 * @record: object of stats.json's known
 *
 * Return: a new string in plain text.
 */
char *words_known(const json_t *record);

/**
 * report_txt() - the report for a mail: at most 80 columns
 * @stats: stats.json
 *
 * Return: a new string.
 */
char *report_txt(const json_t *stats);

/**
 * report_html() - the report as a page that needs nothing else
 * @stats: stats.json
 *
 * Return: a new string.
 */
char *report_html(const json_t *stats);

#endif
