// SPDX-License-Identifier: GPL-2.0-or-later
/* What the command lines of all subcommands share. */
#include <stdlib.h>
#include "pcplab.h"

static void folders_add(const char *dir)
{
	if (!opts.folders)
		opts.folders = g_ptr_array_new_with_free_func(g_free);
	if (!g_ptr_array_find_with_equal_func(opts.folders, dir, g_str_equal, NULL))
		g_ptr_array_add(opts.folders, g_strdup(dir));
}

static error_t parse_common(int key, char *arg, struct argp_state *state)
{
	(void)state;
	switch (key) {
	case 'R':
		g_free(opts.results);
		opts.results = g_canonicalize_filename(arg, NULL);
		folders_add(opts.results);
		return 0;
	case 'B':
		g_free(opts.build);
		opts.build = g_canonicalize_filename(arg, NULL);
		return 0;
	case 'q':
		opts.quiet = true;
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp_option common_options[] = {
	{ "results", 'R', "DIR", 0, "Folder of the runs (default: results/ in the source tree); the matrix of "
	  "suites reads several, by default build/test/ as well", 10 },
	{ "build", 'B', "DIR", 0,
	  "Folder of the kernels and the guest (default: build/ in the source tree)", 10 },
	{ "quiet", 'q', NULL, 0, "Print errors only", 10 },
	{ 0 }
};

const struct argp common_argp = { .options = common_options, .parser = parse_common };
const struct argp_child common_children[] = { { .argp = &common_argp }, { 0 } };

static void take_name(struct stage_args *a, char *arg, struct argp_state *state)
{
	if (state->arg_num)
		argp_error(state, "one %s at a time", a->what);
	a->name = arg;
}

static void take_seed(struct stage_args *a, char *arg, struct argp_state *state)
{
	char *end;

	a->seed = strtol(arg, &end, 10);
	if (*end || end == arg || a->seed < 0)
		argp_error(state, "the seed must be a whole number, not '%s'", arg);
}

error_t parse_stage(int key, char *arg, struct argp_state *state)
{
	struct stage_args *a = state->input;

	switch (key) {
	case 's':
		take_seed(a, arg, state);
		return 0;
	case 'n':
		a->dry = true;
		return 0;
	case 'N':
		a->fresh = true;
		return 0;
	case 'j':
		a->json = true;
		return 0;
	case ARGP_KEY_ARG:
		take_name(a, arg, state);
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

void parse_args(const struct argp *argp, int argc, char **argv, void *input)
{
	g_autofree char *name = g_strdup_printf("pcplab %s", argv[0]);

	argv[0] = name;
	argp_parse(argp, argc, argv, 0, NULL, input);
}
