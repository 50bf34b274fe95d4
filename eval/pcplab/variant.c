// SPDX-License-Identifier: GPL-2.0-or-later
/* Tells designs from aids and from what is broken on purpose, by the options that they select. */
#include <string.h>
#include "util.h"
#include "variant.h"

/* The first that a variant selects decides: what is broken measures nothing. */
static const struct {
	const char *option;
	enum variant_kind kind;
} telling[] = {
	{ "CONFIG_PCP_BUSTED", VARIANT_BROKEN },
	{ "CONFIG_PCP_TEST_ONLY", VARIANT_BROKEN },
	{ "CONFIG_PCP_NONE", VARIANT_AID },
	{ "CONFIG_PCP_REFERENCE", VARIANT_AID },
};

/* Of several parts the later win, as in scripts/kernel.sh. */
static bool selects(char *const *parts, const char *option)
{
	g_autofree char *on = g_strconcat(option, "=y", NULL), *any = g_strconcat(option, "=", NULL);
	bool found = false;

	for (; *parts; parts++) {
		g_autofree char *path = root_path("variants/%s/variant.config", *parts);
		g_autofree char *text = NULL;
		g_auto(GStrv) lines = NULL;

		if (!g_file_get_contents(path, &text, NULL, NULL))
			continue;
		lines = g_strsplit(text, "\n", -1);
		for (char **l = lines; *l; l++)
			if (g_str_has_prefix(*l, any))
				found = !strcmp(g_strchomp(*l), on);
	}
	return found;
}

/* Index in telling[], or its length. */
static size_t find(const char *name)
{
	g_auto(GStrv) parts = g_strsplit(name, "+", -1);
	size_t i = 0;

	while (i < G_N_ELEMENTS(telling) && !selects(parts, telling[i].option))
		i++;
	return i;
}

const char *variant_option(const char *name)
{
	size_t i = find(name);

	return i < G_N_ELEMENTS(telling) ? telling[i].option : NULL;
}

enum variant_kind variant_kind(const char *name)
{
	size_t i = find(name);

	return i < G_N_ELEMENTS(telling) ? telling[i].kind : VARIANT_DESIGN;
}

const char *variant_kind_name(const char *name)
{
	static const char *const names[] = { "design", "aid", "broken" };

	return names[variant_kind(name)];
}

json_t *variant_expected_report(const char *name)
{
	g_auto(GStrv) parts = g_strsplit(name, "+", -1);

	for (char **part = parts; *part; part++) {
		g_autofree char *path = root_path("variants/%s/expected-report", *part);
		g_autofree char *text = NULL;
		g_auto(GStrv) lines = NULL;

		if (!g_file_get_contents(path, &text, NULL, NULL))
			continue;
		lines = g_strsplit(text, "\n", -1);
		if (g_strv_length(lines) >= 2 && *lines[0] && *lines[1])
			return json_pack("[s,s]", lines[0], lines[1]);
		pl_error("%s must have two lines, the headline of a report and a function", path);
	}
	return NULL;
}
