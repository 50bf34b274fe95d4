/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parsers of other programs' output. Each is pure and has a fixture of real output in
 * eval/tests/fixtures.
 */
#ifndef PCPLAB_FOREIGN_H
#define PCPLAB_FOREIGN_H

#include <jansson.h>

/**
 * cyclictest_parse() - the histogram of cyclictest --json (rt-tests 2.4)
 * @text: the whole output file
 *
 * Samples beyond cyclictest's histogram go to one last bucket that ends at the maximum.
 *
 * Return: a new distribution in microseconds (n, sum, max, hist) over all threads, or NULL when
 * @text is not such output or holds no sample.
 */
json_t *cyclictest_parse(const char *text);

/**
 * stressng_parse() - the operations counted by stress-ng --metrics-brief
 * @text: what stress-ng printed
 * @stressor: its name, e.g. "vm"
 *
 * Return: the number of bogo operations, or -1 when @text has no line for @stressor.
 */
long long stressng_parse(const char *text, const char *stressor);

/* What suites of KUnit reported. */
struct ktap {
	long long passed, failed, skipped;	/* cases */
	char *first_failed;		/* "case: message", or NULL */
	char *first_skipped;		/* "case: reason", or NULL */
};

/**
 * ktap_parse() - the reports of one or more KUnit suites, one after the other
 * @text: what their files "results" in debugfs hold
 * @k: is filled in; ktap_clear() frees what it holds
 *
 * Return: 0, or -1 when @text holds no case, or a suite that has lost some, or its end.
 */
int ktap_parse(const char *text, struct ktap *k);

/**
 * ktap_clear() - free what ktap_parse() filled in
 * @k: is empty afterwards; one that is empty will do
 */
void ktap_clear(struct ktap *k);

#endif
