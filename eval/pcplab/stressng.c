// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the table of stress-ng --metrics-brief. */
#include <glib.h>
#include <stdlib.h>
#include "foreign.h"

long long stressng_parse(const char *text, const char *stressor)
{
	g_autofree char *name = g_regex_escape_string(stressor, -1);
	g_autofree char *pattern = g_strdup_printf(
		"^stress-ng: (?:metrc|info): +\\[\\d+\\] (?:\\(.*\\) )?%s +(\\d+) +[\\d.]+ ", name);
	g_autoptr(GRegex) re = g_regex_new(pattern, G_REGEX_MULTILINE, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *ops = NULL;

	if (!g_regex_match(re, text, 0, &match))
		return -1;
	ops = g_match_info_fetch(match, 1);
	return strtoll(ops, NULL, 10);
}
