// SPDX-License-Identifier: GPL-2.0-or-later
/* The one place that decides which figure is reported under which clock. */
#include <glib.h>
#include <string.h>
#include "clock.h"

enum kind {
	COUNT = 1 << 0,		/* instructions, whatever the clock says */
	LATENCY = 1 << 1,	/* durations */
	RATE = 1 << 2,		/* operations per second */
};

static const struct {
	const char *metric;
	enum kind kind;
} metric_kinds[] = {
	{ "insn_per_op", COUNT },	{ "locked_per_op", COUNT },
	{ "xchg128_per_op", COUNT },	{ "cli_per_op", COUNT },
	{ "sti_per_op", COUNT },	{ "stores_per_op", COUNT },
	{ "rep_iters_per_op", COUNT },	{ "irqoff_insn", COUNT },
	{ "irqoff_insn.spill", COUNT }, { "irqoff_insn.refill", COUNT },
	{ "irqoff_insn.decay", COUNT }, { "irqoff_insn.drain", COUNT },
	{ "irqoff_insn.other", COUNT }, { "cyclictest_us", LATENCY },
	{ "ops_per_s", RATE },
};

/*
 * icount: with one CPU, an instruction is a nanosecond and a latency is a path length. With more,
 * the clock also advances while the others take their turns, so durations are void. Rates are void
 * on both: they would only restate the path length, as if every instruction cost the same.
 */
static const struct {
	const char *mode, *accel, *clock;
	bool plugin;
	int one_cpu, more_cpus;
} modes[] = {
	{ "icount", "tcg", "icount", true, COUNT | LATENCY, COUNT },
	{ "tcg", "tcg", "host", false, RATE, RATE },
	{ "kvm", "kvm", "host", false, RATE | LATENCY, RATE | LATENCY },
};

static int mode_index(const char *mode)
{
	for (size_t i = 0; i < G_N_ELEMENTS(modes); i++)
		if (!strcmp(modes[i].mode, mode))
			return i;
	g_error("mode '%s' is not resolved", mode);
}

const char *clock_name(const char *mode)
{
	return modes[mode_index(mode)].clock;
}

const char *clock_accel(const char *mode)
{
	return modes[mode_index(mode)].accel;
}

bool clock_counts(const char *mode)
{
	return modes[mode_index(mode)].plugin;
}

bool clock_allows(const char *metric, const char *mode, long cpus)
{
	int i = mode_index(mode);
	int allowed = cpus == 1 ? modes[i].one_cpu : modes[i].more_cpus;

	for (size_t m = 0; m < G_N_ELEMENTS(metric_kinds); m++)
		if (!strcmp(metric_kinds[m].metric, metric))
			return metric_kinds[m].kind & allowed;
	return false;
}
