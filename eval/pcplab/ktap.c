// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads reports of KUnit suites: KTAP version 1, as in the files "results" of debugfs.
 *
 * Indentation tells what a line is about: a suite, a case of it, or one parameter of a case.
 * Messages of a failure stand before its result, and not every line of them looks like a message.
 */
#include <glib.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "foreign.h"

enum level { SUITE, CASE, PARAM, NR_LEVELS };

struct reader {
	struct ktap *k;
	long long planned, seen;	/* cases of this suite */
	bool inside;			/* a suite's end is due */
	bool bad;
	bool failed;			/* a case of this suite */
	int failures;			/* since the last result */
	GString *message;		/* of the first of them */
	char *param;			/* of the case under way that failed first, with its message */
};

/* One result: "not ok 3 name", "ok 3 name # SKIP reason". */
struct outcome {
	enum level level;
	bool ok, skipped;
	char *name, *reason;
};

static bool outcome_parse(const char *line, struct outcome *o)
{
	static GRegex *re;
	g_autoptr(GMatchInfo) m = NULL;
	g_autofree char *blanks = NULL, *no = NULL, *skip = NULL;

	if (!re)
		re = g_regex_new("^((?:    ){0,2})(not )?ok \\d+ (.*?)( # SKIP ?(.*))?$", 0, 0, NULL);
	if (!g_regex_match(re, line, 0, &m))
		return false;
	blanks = g_match_info_fetch(m, 1);
	no = g_match_info_fetch(m, 2);
	skip = g_match_info_fetch(m, 4);
	*o = (struct outcome){ .level = strlen(blanks) / 4, .ok = !*no, .skipped = skip && *skip,
			       .name = g_match_info_fetch(m, 3),
			       .reason = g_match_info_fetch(m, 5) };
	return true;
}

/* What a failure's message begins with; a path depends on where the kernel was built. */
static const char *failure(const char *line)
{
	static const char *const marks[] = { "EXPECTATION FAILED at ", "ASSERTION FAILED at ",
					     ": try ", NULL };
	const char *at = NULL, *slash;

	if (line[strspn(line, " ")] != '#')
		return NULL;
	for (const char *const *m = marks; *m && !at; m++)
		at = strstr(line, *m);
	slash = at ? strrchr(at, '/') : NULL;
	return slash ? slash + 1 : at ? at + 2 : NULL;
}

/* Only the first failure of a case: the others tend to follow from it. */
static void take_message(struct reader *r, const char *line)
{
	const char *first = failure(line), *text = line + strspn(line, " ");

	if (first && ++r->failures == 1)
		g_string_append(r->message, first);
	else if (!first && r->failures == 1 && *text && *text != '#' && r->message->len < 200)
		g_string_append_printf(r->message, "%s%s",
				       strchr(r->message->str, ' ') ? " " : ": ", text);
}

static void forget_message(struct reader *r)
{
	g_string_truncate(r->message, 0);
	r->failures = 0;
}

static void case_failed(struct reader *r, const struct outcome *o)
{
	r->k->failed++;
	r->failed = true;
	if (r->k->first_failed)
		return;
	if (r->param)
		r->k->first_failed = g_strdup_printf("%s, %s", o->name, r->param);
	else
		r->k->first_failed = g_strdup_printf("%s: %s", o->name,
						     r->message->len ? r->message->str : "no message");
}

static void take_case(struct reader *r, const struct outcome *o)
{
	r->seen++;
	if (o->skipped) {
		r->k->skipped++;
		if (!r->k->first_skipped)
			r->k->first_skipped = g_strdup_printf("%s: %s", o->name, o->reason);
	} else if (o->ok) {
		r->k->passed++;
	} else {
		case_failed(r, o);
	}
	g_clear_pointer(&r->param, g_free);
}

static void take_suite(struct reader *r, const struct outcome *o)
{
	r->bad |= !r->inside || r->seen != r->planned || o->ok == r->failed;
	r->inside = false;
}

static void take_outcome(struct reader *r, const struct outcome *o)
{
	if (o->level == SUITE)
		take_suite(r, o);
	else if (o->level == CASE)
		take_case(r, o);
	else if (!o->ok && !r->param)
		r->param = g_strdup_printf("%s: %s", o->name,
					   r->message->len ? r->message->str : "no message");
	forget_message(r);
}

static void take_plan(struct reader *r, long long cases)
{
	r->bad |= r->inside;
	r->inside = true;
	r->planned = cases;
	r->seen = 0;
	r->failed = false;
}

static void take_line(struct reader *r, const char *line)
{
	struct outcome o = { 0 };

	if (g_str_has_prefix(line, "    1..")) {
		take_plan(r, strtoll(line + 7, NULL, 10));
	} else if (outcome_parse(line, &o)) {
		take_outcome(r, &o);
		g_free(o.name);
		g_free(o.reason);
	} else {
		take_message(r, line);
	}
}

int ktap_parse(const char *text, struct ktap *k)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	struct reader r = { .k = k, .message = g_string_new(NULL) };

	*k = (struct ktap){ 0 };
	for (char **line = lines; *line; line++)
		take_line(&r, *line);
	g_string_free(r.message, TRUE);
	g_free(r.param);
	if (!r.bad && !r.inside && k->passed + k->failed + k->skipped)
		return 0;
	ktap_clear(k);
	return -1;
}

void ktap_clear(struct ktap *k)
{
	g_free(k->first_failed);
	g_free(k->first_skipped);
	*k = (struct ktap){ 0 };
}
