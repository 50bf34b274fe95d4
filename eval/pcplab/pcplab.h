/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The subcommands of pcplab and what their command lines share. */
#ifndef PCPLAB_H
#define PCPLAB_H

#include <argp.h>
#include "util.h"

#define PCPLAB_VERSION "pcplab 0.1"

/*
 * Each subcommand gets its own arguments, its name in argv[0]. It returns RC_OK, RC_FAILED, or
 * RC_USAGE for bad arguments or bad input files, with one error already printed.
 */
int cmd_plan(int argc, char **argv);
int cmd_build(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_stats(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_eval(int argc, char **argv);

/* --results, --build and --quiet, for the children of every subcommand's argp. */
extern const struct argp common_argp;
extern const struct argp_child common_children[];

/* The command line of a stage: one run or one spec, and the options that it lists of those below. */
struct stage_args {
	const char *what;	/* "run" or "spec": what the argument names */
	const char *name;	/* the argument, or what stands for it when it is not given */
	long seed;		/* --seed, 's'; -1: not given */
	bool dry;		/* --dry-run, 'n' */
	bool fresh;		/* --new, 'N' */
	bool json;		/* --json, 'j' */
};

/**
 * parse_stage() - the parser of a stage's argp
 * @key: option, or ARGP_KEY_ARG
 * @arg: its argument
 * @state: its input is a struct stage_args
 *
 * Return: 0, or ARGP_ERR_UNKNOWN. Wrong usage ends the program.
 */
error_t parse_stage(int key, char *arg, struct argp_state *state);

/**
 * parse_args() - argp_parse() with the exit codes and the name of a subcommand
 * @argp: the subcommand's parser; common_children is among its children
 * @argc: number of arguments
 * @argv: arguments, argv[0] is the subcommand's name
 * @input: passed to the parser
 *
 * Wrong usage ends the program with RC_USAGE and a hint at --help.
 */
void parse_args(const struct argp *argp, int argc, char **argv, void *input);

#endif
