// SPDX-License-Identifier: GPL-2.0-or-later
/* What there is to choose from. */
#include <stdio.h>
#include <string.h>
#include "pcplab.h"
#include "spec.h"

static void list_variants(void)
{
	g_autofree char *dir = root_path("variants");
	g_auto(GStrv) names = names_in(dir, NULL);

	printf("Variants (compose with +, e.g. a+b):\n");
	for (char **n = names; *n; n++) {
		g_autofree char *readme = root_path("variants/%s/README.md", *n);
		g_autofree char *line = first_line(readme);

		g_autofree char *named = g_strconcat(*n, ": ", NULL);
		const char *text = g_str_has_prefix(line, named) ? line + strlen(named) : line;

		printf("  %-14s %s\n", *n, text);
	}
}

/* A fragment says what it is for in its first comment that is not the licence. */
static char *purpose(const char *path)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return g_strdup("");
	lines = g_strsplit(text, "\n", -1);
	for (char **l = lines; *l; l++)
		if (g_str_has_prefix(*l, "# ") && !strstr(*l, "SPDX"))
			return g_strdup(*l + 2);
	return g_strdup("");
}

static void list_files(const char *title, char **names, const char *folder, const char *suffix)
{
	printf("\n%s:\n", title);
	for (char **n = names; *n; n++) {
		g_autofree char *path = root_path("%s/%s%s", folder, *n, suffix);
		g_autofree char *line = purpose(path);

		printf("  %-12s %s\n", *n, line);
	}
}

static void list_workloads(void)
{
	printf("\nWorkloads:\n");
	for (size_t i = 0; i < nr_workloads; i++) {
		const struct workload *w = &workloads[i];

		printf("  %-12s %s; one op: %s%s%s%s\n", w->name, w->help, w->op,
		       w->flags & WORKLOAD_SUITE ? "; a suite, no figures" : "",
		       w->min_cpus > 1 ? "; needs 2 cpus or more" : "",
		       w->flags & WORKLOAD_SOLO ? "; last in its boot" : "");
		for (int p = 0; p < WORKLOAD_MAX_PARAMS && w->params[p].name; p++)
			printf("    %-10s %s: %ld to %ld, default %ld\n", w->params[p].name,
			       w->params[p].help, w->params[p].min, w->params[p].max,
			       w->params[p].def);
	}
}

static error_t parse_list(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	if (key == ARGP_KEY_ARG)
		argp_error(state, "it takes no arguments");
	return ARGP_ERR_UNKNOWN;
}

int cmd_list(int argc, char **argv)
{
	static const struct argp argp = {
		.parser = parse_list,
		.children = common_children,
		.doc = "Show the variants, flavours, workloads with parameters, and specs that there are.",
	};
	g_autofree char *spec_dir = root_path("eval/specs");
	g_auto(GStrv) flavors = flavor_names(), specs = names_in(spec_dir, ".yaml");

	parse_args(&argp, argc, argv, NULL);
	list_variants();
	list_files("Flavours", flavors, "eval/flavors", ".config");
	list_workloads();
	list_files("Specs", specs, "eval/specs", ".yaml");
	return RC_OK;
}
