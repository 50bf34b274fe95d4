// SPDX-License-Identifier: GPL-2.0-or-later
/* Sentences from figures, by rules that hold for any list of variants. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "report.h"
#include "util.h"

char *words_run(const json_t *stats)
{
	const json_t *run = json_object_get(stats, "run");
	const char *id = j_str(run, "run"), *spec = j_str(run, "spec");

	return g_strdup_printf("run %s, spec %s", *id ? id : "not recorded", *spec ? spec : "not recorded");
}

const char *words_unit(const char *unit)
{
	static const char *const words[][2] = {
		{ "insn", "instructions" }, { "us", "us" }, { "op/s", "a second" }, { "locked op", "locked" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		if (!strcmp(words[i][0], unit))
			return words[i][1];
	return unit;
}

/* Which word goes with a figure that went up, or down. */
static const char *direction(const char *metric, bool up)
{
	if (g_str_has_prefix(metric, "irqoff") || g_str_has_suffix(metric, "_us"))
		return up ? "longer" : "shorter";
	if (g_str_has_suffix(metric, "_per_s"))
		return up ? "higher" : "lower";
	return up ? "more" : "fewer";
}

static char *how_much(const json_t *v)
{
	const char *metric = j_str(v, "metric");
	double ratio = j_num(v, "ratio"), change = j_num(v, "change");
	bool rate = g_str_has_suffix(metric, "_per_s");
	bool up = rate ? change > 0 : change < 0;

	if (!json_is_number(json_object_get(v, "change")))
		return g_strdup("up from none");
	if (change == 0)
		return g_strdup("equal");
	if (ratio >= 2 && !rate)
		return g_strdup_printf("%.1f times %s", ratio, direction(metric, false));
	if (ratio > 0 && ratio <= 0.5 && !rate)
		return g_strdup_printf("%.1f times %s", 1 / ratio, direction(metric, true));
	return g_strdup_printf("%.*f%% %s", fabs(change) < 0.1 ? 3 : fabs(change) < 10 ? 2 : 1, fabs(change),
			       direction(metric, up));
}

/* How sure it is; nothing to add when the figures were not tested because they cannot be. */
static char *how_sure(const json_t *v)
{
	const char *test = j_str(v, "test"), *verdict = j_str(v, "verdict");
	double p = j_num(v, "p_holm");

	if (!strcmp(test, "too few runs"))
		return g_strdup(", untested: too few runs");
	if (!strcmp(test, "repeats exactly"))
		return g_strdup(", repeats exactly");
	if (!strcmp(verdict, "unclear") && j_num(v, "change") != 0)
		return g_strdup(", within the noise");
	if (strcmp(verdict, "better") && strcmp(verdict, "worse"))
		return g_strdup("");
	if (strcmp(test, "welch"))
		return g_strdup("");
	return p < 0.001 ? g_strdup(", p < 0.001") : g_strdup_printf(", p = %.3f", p);
}

static char *compared(const json_t *v, const char *where)
{
	g_autofree char *much = how_much(v), *sure = how_sure(v);
	const char *verdict = j_str(v, "verdict");
	bool elsewhere = *where && strcmp(where, j_str(v, "workload"));

	return g_strdup_printf(" (%s%s%s%s%s)", much, sure,
			       !strcmp(verdict, "same") && j_num(v, "change") != 0 ? ": the same" : "",
			       elsewhere ? ", in " : "", elsewhere ? j_str(v, "workload") : "");
}

static char *value_words(const json_t *v, const char *name, bool first, const char *where)
{
	g_autofree char *number = json_is_object(v) ? words_figure(v, "value") : NULL;
	g_autofree char *more = NULL;
	bool base = !strcmp(j_str(v, "test"), "baseline"), alone = json_is_null(json_object_get(v, "verdict"));

	if (!json_is_object(v))
		return g_strdup_printf("%s missing", name);
	if (!j_int(v, "n"))
		return g_strdup_printf("%s none", name);
	if (base || alone || !strcmp(j_str(v, "verdict"), "appears"))
		more = g_strdup("");
	else
		more = compared(v, where);
	return g_strdup_printf("%s %s%s%s%s", name, number, first ? " " : "", first ? words_unit(j_str(v, "unit")) : "",
			       more);
}

static const json_t *first_value(const json_t *answer)
{
	const json_t *v;
	size_t i;

	json_array_foreach(json_object_get(answer, "values"), i, v)
		if (json_is_object(v))
			return v;
	return NULL;
}

char *words_runs(const json_t *answer)
{
	const json_t *values = json_object_get(answer, "values"), *v;
	long long least = G_MAXINT64, most = 0;
	size_t i;

	json_array_foreach(values, i, v) {
		if (!json_is_object(v))
			continue;
		least = MIN(least, j_int(v, "runs"));
		most = MAX(most, j_int(v, "runs"));
	}
	if (least == most)
		return g_strdup_printf("%lld run%s each", most, most == 1 ? "" : "s");
	return g_strdup_printf("%lld to %lld runs", least, most);
}

/* A value of a claim that was told of other conditions: how far only. */
static char *also_value(const json_t *v, const char *name, const char *where)
{
	g_autofree char *much = NULL;
	bool elsewhere = strcmp(where, j_str(v, "workload"));
	bool noise = !strcmp(j_str(v, "verdict"), "unclear") && j_num(v, "change") != 0;

	if (!json_is_object(v) || !j_int(v, "n"))
		return g_strdup_printf("%s %s", name, json_is_object(v) ? "none" : "missing");
	much = how_much(v);
	return g_strdup_printf("%s %s%s%s%s", name, much, noise ? ", within the noise" : "",
			       elsewhere ? ", in " : "", elsewhere ? j_str(v, "workload") : "");
}

static void append_also(GString *s, const json_t *answer, const json_t *variants)
{
	const char *where = j_str(answer, "where");
	const json_t *v;
	size_t i;

	g_string_append_printf(s, " Likewise (%s): ", where);
	json_array_foreach(json_object_get(answer, "values"), i, v) {
		g_autofree char *one = i ? also_value(v, json_string_value(json_array_get(variants, i)), where) : NULL;

		if (one)
			g_string_append_printf(s, "%s%s", i > 1 ? "; " : "", one);
	}
	g_string_append_printf(s, ". [%s]", j_str(answer, "badge"));
}

/* Behind all that are compared, since nobody is compared with it. */
static void append_floor(GString *s, const json_t *floor, const json_t *variants)
{
	g_autofree char *value = floor ? words_figure(floor, "value") : NULL;
	const json_t *share;
	bool any = false;
	size_t i;

	if (!floor)
		return;
	g_string_append_printf(s, " - the floor, %s, is %s", j_str(floor, "variant"), value);
	json_array_foreach(json_object_get(floor, "shares"), i, share) {
		if (!i || !json_is_number(share))
			continue;
		if (!any)
			g_string_append_printf(s, ", and of %s's distance from it there is left:",
					       json_string_value(json_array_get(variants, 0)));
		g_string_append_printf(s, "%s %s %.0f%%", any ? "," : "", json_string_value(json_array_get(variants, i)),
				       fabs(json_number_value(share)) < 0.005 ? 0 : json_number_value(share) * 100);
		any = true;
	}
}

static char *figure_words(const json_t *answer, const json_t *variants)
{
	const char *where = j_str(answer, "where");
	const json_t *values = json_object_get(answer, "values"), *first = first_value(answer), *v;
	g_autofree char *runs = words_runs(answer);
	GString *s = g_string_new(j_str(answer, "title"));
	size_t i;

	g_string_append_printf(s, " (%s): ", where);
	json_array_foreach(values, i, v) {
		g_autofree char *one = value_words(v, json_string_value(json_array_get(variants, i)), v == first, where);

		g_string_append_printf(s, "%s%s", i ? "; " : "", one);
	}
	append_floor(s, json_object_get(answer, "floor"), variants);
	g_string_append_printf(s, ". [%s; %s]", j_str(answer, "badge"), runs);
	json_array_foreach(json_object_get(answer, "also"), i, v)
		append_also(s, v, variants);
	return g_string_free(s, FALSE);
}

static char *times_words(const json_t *v)
{
	double times = j_num(v, "times");

	if (!json_is_number(json_object_get(v, "times")))
		return g_strdup("");
	if (times == 1)
		return g_strdup(" (as many)");
	if (times >= 2)
		return g_strdup_printf(" (%.1f times as many)", times);
	return g_strdup_printf(" (%.1f%% %s)", fabs(times - 1) * 100, times > 1 ? "more" : "fewer");
}

static const char *words_kind(const json_t *part)
{
	return strcmp(j_str(part, "metric"), "irqoff_insn.spill") ? "Refills" : "Spills";
}

static void append_part(GString *s, const json_t *part, const json_t *variants)
{
	g_autofree char *runs = words_runs(part);
	bool per_run = json_is_true(json_object_get(part, "per_run"));
	const json_t *v;
	size_t i;

	g_string_append_printf(s, " %s in %s%s: ", words_kind(part), j_str(part, "where"), per_run ? ", a run" : "");
	json_array_foreach(json_object_get(part, "values"), i, v) {
		g_autofree char *n = fmt_number(j_num(v, "value"), per_run ? 1 : 0);
		g_autofree char *times = i ? times_words(v) : g_strdup("");

		g_string_append_printf(s, "%s%s %s%s", i ? "; " : "", json_string_value(json_array_get(variants, i)), n, times);
	}
	g_string_append_printf(s, ". [%s; %s]", j_str(part, "badge"), runs);
}

static char *holds_words(const json_t *answer, const json_t *variants)
{
	GString *s = g_string_new(j_str(answer, "title"));
	bool icount = false;
	const json_t *part;
	size_t i;

	g_string_append_c(s, ':');
	json_array_foreach(json_object_get(answer, "parts"), i, part) {
		append_part(s, part, variants);
		icount |= g_str_has_prefix(j_str(part, "badge"), "icount");
	}
	g_string_append_printf(s, " Shorter holds mean more of them; what more holds cost when CPUs contend for the lock %s.",
			       icount ? "cannot be decided under icount" : "is not measured here");
	return g_string_free(s, FALSE);
}

char *words_answer(const json_t *answer, const json_t *variants)
{
	return strcmp(j_str(answer, "kind"), "holds") ? figure_words(answer, variants) : holds_words(answer, variants);
}

static void add_ids(json_t *ids, const json_t *answer)
{
	static const char *const lists[] = { "also", "parts" };
	const json_t *v;
	size_t i;

	json_array_foreach(json_object_get(answer, "values"), i, v)
		json_array_extend(ids, json_object_get(v, "ids"));
	json_array_extend(ids, json_object_get(json_object_get(answer, "floor"), "ids"));
	for (size_t k = 0; k < G_N_ELEMENTS(lists); k++)
		json_array_foreach(json_object_get(answer, lists[k]), i, v)
			add_ids(ids, v);
}

/* Figures that no variant differs in share one sentence. */
static void add_equal(GPtrArray *lines, const json_t *stats, GPtrArray *ids)
{
	const json_t *equal = json_object_get(stats, "equal"), *a;
	g_autofree char *common = words_common_badge(equal);
	GString *s = g_string_new(NULL);
	json_t *these;
	size_t i;

	if (!json_array_size(equal)) {
		g_string_free(s, TRUE);
		return;
	}
	these = json_array();
	g_string_printf(s, "Less than %g%% apart: ", j_num(json_object_get(stats, "rules"), "same_percent"));
	json_array_foreach(equal, i, a) {
		g_string_append_printf(s, "%s%s (%s)", i ? "; " : "", j_str(a, "title"), j_str(a, "where"));
		if (!common)
			g_string_append_printf(s, " [%s]", j_str(a, "badge"));
		add_ids(these, a);
	}
	g_string_append_c(s, '.');
	if (common)
		g_string_append_printf(s, " [%s]", common);
	g_ptr_array_add(lines, g_string_free(s, FALSE));
	g_ptr_array_add(ids, these);
}

GPtrArray *words_answers(const json_t *stats, GPtrArray *ids)
{
	const json_t *variants = json_object_get(stats, "variants"), *a;
	GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
	size_t i;

	json_array_foreach(json_object_get(stats, "answers"), i, a) {
		json_t *these = json_array();

		add_ids(these, a);
		g_ptr_array_add(lines, words_answer(a, variants));
		g_ptr_array_add(ids, these);
	}
	add_equal(lines, stats, ids);
	return lines;
}

char *words_common_badge(const json_t *items)
{
	const char *badge = j_str(json_array_get(items, 0), "badge");
	const json_t *item;
	size_t i;

	json_array_foreach(items, i, item)
		if (strcmp(j_str(item, "badge"), badge))
			return NULL;
	return *badge ? g_strdup(badge) : NULL;
}

char *words_short_badge(const char *badge)
{
	/* Instructions can be counted nowhere but on TCG. */
	return g_str_has_prefix(badge, "icount on TCG") ? g_strconcat("icount", badge + strlen("icount on TCG"), NULL) :
							  g_strdup(badge);
}

static void append_side(GString *s, const json_t *items, bool badges)
{
	const json_t *item;
	size_t i;

	json_array_foreach(items, i, item) {
		g_autofree char *much = how_much(item), *badge = words_short_badge(j_str(item, "badge"));
		const char *untested = strcmp(j_str(item, "test"), "too few runs") ? "" : ", untested";
		long long more = j_int(item, "more");

		g_string_append_printf(s, "%s %s %s%s (%s", i ? "," : "", words_metric(j_str(item, "metric")), much,
				       untested, j_str(item, "workload"));
		if (badges)
			g_string_append_printf(s, ", %s", badge);
		if (more)
			g_string_append_printf(s, "; also in %lld other%s", more, more == 1 ? "" : "s");
		g_string_append_c(s, ')');
	}
}

char *words_pair(const json_t *pair, double percent)
{
	const json_t *wins = json_object_get(pair, "wins"), *loses = json_object_get(pair, "loses");
	json_t *both = json_copy((json_t *)wins);
	g_autofree char *common = NULL;
	GString *s = g_string_new(NULL);

	json_array_extend(both, (json_t *)loses);
	common = words_common_badge(both);
	g_string_printf(s, "%s beside %s: wins:", j_str(pair, "variant"), j_str(pair, "beside"));
	append_side(s, wins, !common);
	if (!json_array_size(wins))
		g_string_append_printf(s, " nothing beyond %g%%", percent);
	g_string_append(s, "; loses:");
	append_side(s, loses, !common);
	if (!json_array_size(loses))
		g_string_append_printf(s, " nothing beyond %g%%", percent);
	g_string_append_printf(s, ". Of the rest, %lld less than %g%% apart, %lld unclear, %lld that only one of them has.",
			       j_int(pair, "same"), percent, j_int(pair, "unclear"), j_int(pair, "one_sided"));
	if (common)
		g_string_append_printf(s, " [%s]", common);
	json_decref(both);
	return g_string_free(s, FALSE);
}

char *words_beside(const json_t *stats)
{
	const char *only = j_str(json_object_get(stats, "beside"), "only");

	if (!*only)
		return g_strdup("The others beside each other");
	return g_strdup_printf("The others beside %s only, the second of the spec's list", only);
}

const char *words_metric(const char *metric)
{
	static const char *const words[][2] = {
		{ "irqoff_insn", "longest interrupts-off section" }, { "irqoff_insn.spill", "longest interrupts-off spill" },
		{ "irqoff_insn.refill", "longest interrupts-off refill" },
		{ "irqoff_insn.decay", "longest interrupts-off decay" },
		{ "irqoff_insn.drain", "longest interrupts-off drain" },
		{ "irqoff_insn.other", "longest other interrupts-off section" },
		{ "cyclictest_us", "longest wake-up latency" }, { "insn_per_op", "instructions per operation" },
		{ "ops_per_s", "operations per second" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		if (!strcmp(words[i][0], metric))
			return words[i][1];
	return metric;
}

char *words_figure(const json_t *item, const char *key)
{
	double x = j_num(item, key);

	if (!json_is_number(json_object_get(item, key)))
		return g_strdup("none");
	return fmt_number(x, x == floor(x) && x >= 10 ? 0 : fmt_decimals(x));
}

char *words_difference(const json_t *item)
{
	g_autofree char *much = NULL, *sure = NULL;

	if (!j_int(item, "n"))
		return g_strdup("never occurs");
	if (!json_is_number(json_object_get(item, "base")))
		return g_strdup("occurs only here");
	much = how_much(item);
	sure = how_sure(item);
	return g_strconcat(much, sure, NULL);
}

char *words_item(const json_t *item)
{
	g_autofree char *difference = words_difference(item), *now = words_figure(item, "value");
	g_autofree char *base = words_figure(item, "base");

	return g_strdup_printf("%s: %s %s -> %s (%s) [%s]", j_str(item, "workload"), words_metric(j_str(item, "metric")), base,
			       now, difference, j_str(item, "badge"));
}

char *words_tally(const json_t *tally, const char *baseline, double percent)
{
	size_t better = json_array_size(json_object_get(tally, "better"));
	size_t worse = json_array_size(json_object_get(tally, "worse"));
	size_t same = json_array_size(json_object_get(tally, "same"));
	size_t unclear = json_array_size(json_object_get(tally, "unclear"));
	size_t close = json_array_size(json_object_get(tally, "near"));
	g_autofree char *of_these = close ? g_strdup_printf(" (%zu of them less than %g%% apart)", close, percent) :
				     g_strdup("");

	return g_strdup_printf("%s against %s: better in %zu of %zu figures, worse in %zu, the same in %zu, unclear in %zu%s",
			       j_str(tally, "variant"), baseline, better, better + worse + same + unclear + close, worse, same,
			       unclear + close, of_these);
}

char *words_params(const json_t *experiment)
{
	GString *s = g_string_new(NULL);
	const char *key;
	json_t *v;

	json_object_foreach(json_object_get(experiment, "params"), key, v)
		g_string_append_printf(s, "%s%s=%lld", s->len ? ", " : "", key, (long long)json_integer_value(v));
	return g_string_free(s, FALSE);
}

const char *words_no_figure(const json_t *stats)
{
	if (j_int(stats, "records_used") || json_array_size(json_object_get(stats, "known")))
		return "No figure: the workloads of this run measure nothing. What they found out stands under reliability.";
	return "No figure: no record of this run can be used. See the failures.";
}

char *words_known(const json_t *record)
{
	return g_strdup_printf("%s %s %s run %lld: known, and not promised: %s (%s)", j_str(record, "id"), j_str(record, "variant"),
			       j_str(record, "label"), j_int(record, "run"), j_str(record, "reason"), j_str(record, "console"));
}

char *words_nodes(const json_t *experiment)
{
	long long least = j_int(experiment, "nodes"), most = j_int(experiment, "most_nodes");

	if (least != most)
		return g_strdup_printf("%lld to %lld nodes, which the conditions tell by column", least, most);
	return g_strdup_printf("%lld node%s", most, most == 1 ? "" : "s");
}

char *words_caption(const json_t *stats)
{
	const json_t *rules = json_object_get(stats, "rules");

	return g_strdup_printf("Percentages compare with %s, which stands first at 0.00%%; positive is better, whichever way "
			       "the metric points. A star marks p < %g in Welch's test after Holm's correction for the %lld "
			       "comparisons of this run; below %lld runs nothing is tested, and nothing is starred. "
			       "\"=\" marks figures that came out equal in every run of both: there is no variance to "
			       "test. \"none\": it never occurred; \"missing\": there is no record.",
			       json_string_value(json_array_get(json_object_get(stats, "variants"), 0)), j_num(rules, "alpha"),
			       j_int(rules, "tests"), j_int(rules, "test_min_runs"));
}

static bool any_clock(const json_t *stats, const char *clock, const char *accel)
{
	const json_t *e;
	size_t i;

	json_array_foreach(json_object_get(stats, "comparisons"), i, e)
		if (!strcmp(j_str(e, "clock"), clock) && !strcmp(j_str(e, "accel"), accel))
			return true;
	return false;
}

static void note(GPtrArray *notes, const char *text)
{
	g_ptr_array_add(notes, g_strdup(text));
}

static void clock_notes(GPtrArray *notes, const json_t *stats)
{
	if (any_clock(stats, "icount", "tcg")) {
		note(notes, "icount, 1 cpu: one executed instruction is one nanosecond of virtual time. Path lengths, "
		     "interrupts-off sections and wake-up latencies are exact counts of instructions on this emulated "
		     "CPU, not times on hardware.");
		note(notes, "icount, several cpus: the clock also runs while other CPUs take their turns. Instructions per "
		     "virtual CPU are true, durations and rates are not, and none are shown. Lock waiting, contention and "
		     "scaling cannot be decided here.");
		note(notes, "Instructions are not cycles: one locked operation costs as much as about twenty plain "
		     "instructions. No variant is cheaper on instructions alone; see the table of costs.");
	}
	if (any_clock(stats, "host", "tcg"))
		note(notes, "TCG with the host's clock: multi-threaded emulation. Rates compare emulated work; they are neither "
		     "latencies nor rates of hardware.");
	if (any_clock(stats, "host", "kvm"))
		note(notes, "KVM with the host's clock: rates and latencies of a virtual machine on this host.");
	note(notes, "Figures under different badges are never compared with each other.");
}

static void seed_note(GPtrArray *notes, const json_t *stats)
{
	const json_t *rules = json_object_get(stats, "rules");

	g_ptr_array_add(notes, g_strdup_printf("Each run's seed perturbs what may legitimately vary: start phase, order of "
					       "workloads, initial fill of the lists. Intervals describe sensitivity to "
					       "that, and nothing else. They are 95%% bootstraps over runs (%lld "
					       "resamples, seed %lld), of the mean, or of the mean of the runs' maxima "
					       "where the row says Max; with few runs they are too narrow.",
					       j_int(rules, "bootstrap_resamples"), j_int(rules, "bootstrap_seed")));
	g_ptr_array_add(notes, g_strdup_printf("\"The same\" means a difference of less than %g%%, which is starred or which the "
					       "runs bound to less than %g%% at 95%% confidence. \"Within the noise\" and "
					       "\"unclear\" mean that these runs can show neither a difference nor that "
					       "there is none.", j_num(rules, "same_percent"), j_num(rules, "same_percent")));
}

static void beside_note(GPtrArray *notes, const json_t *stats)
{
	const json_t *beside = json_object_get(stats, "beside");

	if (json_array_size(json_object_get(beside, "pairs")))
		g_ptr_array_add(notes, g_strdup_printf("Variants beside each other: for each kind of figure the largest "
						       "difference is told, with the number of other workloads that differ "
						       "the same way. Their %lld tests are corrected as a family of their "
						       "own.", j_int(beside, "tests")));
}

GPtrArray *words_notes(const json_t *stats)
{
	GPtrArray *notes = g_ptr_array_new_with_free_func(g_free);

	clock_notes(notes, stats);
	seed_note(notes, stats);
	note(notes, "Interrupts-off sections are classed by what ran inside: spill before refill before decay before drain; "
	     "the rest is \"other\". Counts are per virtual CPU, inside the regions the workload marks; a repeated string "
	     "instruction counts once, its further iterations stand under \"rep it.\" in the table of costs.");
	note(notes, "Wins and losses count the longest section of any kind only where it is a spill, refill, decay or drain on "
	     "at least one side, and is not counted as that already: longest sections of class \"other\" are timer "
	     "interrupts and the like, which say nothing of a design.");
	note(notes, "Holds of zone->lock are counted as the interrupts-off sections that spill or refill; a section with several "
	     "holds counts once. Each is told of the workload where the baseline's was longest.");
	beside_note(notes, stats);
	note(notes, "Percentiles of distributions are upper bounds of their buckets, which are at most a sixteenth wide; maxima "
	     "are exact. Max Stdd and Max CV are the deviation and the coefficient of variation of the runs' maxima.");
	note(notes, "Messages to expect in consoles: advice on mitigations of the emulated CPU, such as \"Spectre V2 : WARNING\" "
	     "or \"RETBleed: WARNING\", and an emulated clock source that is passed over. Any warning of the kernel's own "
	     "makes its boot's records fail, and is listed under failures.");
	note(notes, "pcplab show ID prints a record with the exact command that repeats it.");
	return notes;
}
