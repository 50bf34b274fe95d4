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
	if (!strcmp(verdict, "unclear"))
		return g_strdup(", within the noise");
	if (!strcmp(verdict, "same") || strcmp(test, "welch"))
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

/* Numbers of runs, as "5 runs each" or "5, 5 and 4 runs". */
static char *runs_words(const json_t *answer)
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

char *words_answer(const json_t *answer, const json_t *variants)
{
	const char *where = j_str(answer, "where");
	const json_t *values = json_object_get(answer, "values"), *first = first_value(answer), *v;
	g_autofree char *runs = runs_words(answer);
	GString *s = g_string_new(j_str(answer, "title"));
	size_t i;

	if (!*where)
		where = j_str(first, "workload");
	g_string_append_printf(s, " (%s): ", where);
	json_array_foreach(values, i, v) {
		g_autofree char *one = value_words(v, json_string_value(json_array_get(variants, i)), v == first, where);

		g_string_append_printf(s, "%s%s", i ? "; " : "", one);
	}
	g_string_append_printf(s, ". [%s; %s]", j_str(answer, "badge"), runs);
	return g_string_free(s, FALSE);
}

static bool all_same(const json_t *answer)
{
	const json_t *v;
	size_t i;

	json_array_foreach(json_object_get(answer, "values"), i, v)
		if (i && strcmp(j_str(v, "verdict"), "same") && strcmp(j_str(v, "verdict"), "unclear"))
			return false;
	return true;
}

static json_t *ids_of(const json_t *answer)
{
	json_t *ids = json_array();
	const json_t *v;
	size_t i;

	json_array_foreach(json_object_get(answer, "values"), i, v)
		json_array_extend(ids, json_object_get(v, "ids"));
	return ids;
}

/* What a reader asks for first is told whether it differs or not. */
static bool always_told(const char *metric)
{
	static const char *const metrics[] = { "irqoff_insn.spill", "insn_per_op", "ops_per_s", "cyclictest_us", NULL };

	return g_strv_contains(metrics, metric);
}

/* A difference is told; other figures that did not change share one sentence at the end. */
GPtrArray *words_answers(const json_t *stats, GPtrArray *ids)
{
	const json_t *variants = json_object_get(stats, "variants"), *a;
	GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GString) rest = g_string_new(NULL);
	json_t *rest_ids = json_array();
	size_t i;

	json_array_foreach(json_object_get(stats, "answers"), i, a) {
		json_t *these = ids_of(a);

		if (always_told(j_str(a, "metric")) || !all_same(a)) {
			g_ptr_array_add(lines, words_answer(a, variants));
			g_ptr_array_add(ids, these);
			continue;
		}
		g_string_append_printf(rest, "%s%s [%s]", rest->len ? "; " : "", j_str(a, "title"), j_str(a, "badge"));
		json_array_extend(rest_ids, these);
		json_decref(these);
	}
	if (rest->len) {
		g_ptr_array_add(lines, g_strdup_printf("The same within %g%%, or within the noise: %s.",
						       j_num(json_object_get(stats, "rules"), "same_percent"), rest->str));
		g_ptr_array_add(ids, json_incref(rest_ids));
	}
	json_decref(rest_ids);
	return lines;
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

char *words_tally(const json_t *tally, const char *baseline)
{
	size_t better = json_array_size(json_object_get(tally, "better"));
	size_t worse = json_array_size(json_object_get(tally, "worse"));
	size_t same = json_array_size(json_object_get(tally, "same"));
	size_t unclear = json_array_size(json_object_get(tally, "unclear"));

	return g_strdup_printf("%s against %s: better in %zu of %zu figures, worse in %zu, the same in %zu, unclear in %zu",
			       j_str(tally, "variant"), baseline, better, better + worse + same + unclear, worse, same,
			       unclear);
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

GPtrArray *words_notes(const json_t *stats)
{
	GPtrArray *notes = g_ptr_array_new_with_free_func(g_free);

	clock_notes(notes, stats);
	seed_note(notes, stats);
	note(notes, "Interrupts-off sections are classed by what ran inside: spill before refill before decay before drain; "
	     "the rest is \"other\". Counts are per virtual CPU, inside the regions the workload marks; a repeated string "
	     "instruction counts once, its further iterations stand under \"rep it.\" in the table of costs.");
	note(notes, "Percentiles of distributions are upper bounds of their buckets, which are at most a sixteenth wide; maxima "
	     "are exact. Max Stdd and Max CV are the deviation and the coefficient of variation of the runs' maxima.");
	note(notes, "Messages to expect in consoles: advice on mitigations of the emulated CPU, such as \"Spectre V2 : WARNING\" "
	     "or \"RETBleed: WARNING\", and an emulated clock source that is passed over. Any warning of the kernel's own "
	     "makes its boot's records fail, and is listed under failures.");
	note(notes, "pcplab show ID prints a record with the exact command that repeats it.");
	return notes;
}
