// SPDX-License-Identifier: GPL-2.0-or-later
/* Command line of pcplab: global options, then a subcommand with its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "pcplab.h"

const char *argp_program_version = PCPLAB_VERSION;

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
} commands[] = {
	{ "eval", cmd_eval,
	  "do it all: plan (or go on with an unfinished run), build, run, stats, report" },
	{ "list", cmd_list, "show the variants, flavours, workloads and specs that there are" },
	{ "plan", cmd_plan, "turn a spec into a new run's list of boots" },
	{ "build", cmd_build, "build the kernels that a run needs" },
	{ "run", cmd_run, "boot what is left of a run, and record the results" },
	{ "stats", cmd_stats, "compute statistics from a run's records" },
	{ "report", cmd_report, "write a run's report" },
	{ "show", cmd_show, "print one record, or list them" },
};

/* The tree is where build/pcplab lives, unless the environment names another (tests do). */
static char *find_root(void)
{
	const char *env = g_getenv("PCPLAB_ROOT");
	g_autofree char *exe = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *dir = exe ? g_path_get_dirname(exe) : g_strdup(".");
	g_autofree char *up = g_path_get_dirname(dir);
	g_autofree char *mark = g_build_filename(up, "eval", "specs", NULL);

	if (env)
		return g_canonicalize_filename(env, NULL);
	if (g_file_test(mark, G_FILE_TEST_IS_DIR))
		return g_steal_pointer(&up);
	return g_get_current_dir();
}

struct main_args {
	const struct command *command;
	int first;		/* index in argv of the subcommand's name */
};

static error_t parse_main(int key, char *arg, struct argp_state *state)
{
	struct main_args *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = NULL;
		return 0;
	case ARGP_KEY_ARG:
		for (size_t i = 0; i < G_N_ELEMENTS(commands); i++)
			if (!strcmp(commands[i].name, arg))
				a->command = &commands[i];
		if (!a->command)
			argp_error(state, "there is no subcommand '%s'", arg);
		a->first = state->next - 1;
		state->next = state->argc;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_state_help(state, stderr, ARGP_HELP_STD_ERR & ~ARGP_HELP_EXIT_ERR);
		exit(RC_USAGE);
	}
	return ARGP_ERR_UNKNOWN;
}

static char *command_help(int key, const char *text, void *input)
{
	GString *s;

	(void)input;
	if (key != ARGP_KEY_HELP_POST_DOC)
		return (char *)text;
	s = g_string_new("Subcommands (each has --help):\n");
	for (size_t i = 0; i < G_N_ELEMENTS(commands); i++)
		g_string_append_printf(s, "  %-8s %s\n", commands[i].name, commands[i].help);
	g_string_append(s, "\nExit status: 0 done, 1 something failed, 2 wrong usage or input.");
	return g_string_free(s, FALSE);
}

static const struct argp main_argp = {
	.parser = parse_main,
	.args_doc = "SUBCOMMAND [ARGUMENT...]",
	.doc = "Compare designs of the Linux page allocator's per-CPU lists in virtual machines.\v ",
	.children = common_children,
	.help_filter = command_help,
};

int main(int argc, char **argv)
{
	struct main_args a = { 0 };

	argp_err_exit_status = RC_USAGE;
	opts.root = find_root();
	argp_parse(&main_argp, argc, argv, ARGP_IN_ORDER, NULL, &a);
	if (!opts.build)
		opts.build = root_path("build");
	if (!opts.results)
		opts.results = root_path("results");
	return a.command->run(argc - a.first, argv + a.first);
}
