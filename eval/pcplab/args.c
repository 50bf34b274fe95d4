// SPDX-License-Identifier: GPL-2.0-or-later
/* What the command lines of all subcommands share. */
#include "pcplab.h"

static error_t parse_common(int key, char *arg, struct argp_state *state)
{
	(void)state;
	switch (key) {
	case 'R':
		g_free(opts.results);
		opts.results = g_canonicalize_filename(arg, NULL);
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
	{ "results", 'R', "DIR", 0, "Folder of the runs (default: results/ in the source tree)",
	  10 },
	{ "build", 'B', "DIR", 0,
	  "Folder of the kernels and the guest (default: build/ in the source tree)", 10 },
	{ "quiet", 'q', NULL, 0, "Print errors only", 10 },
	{ 0 }
};

const struct argp common_argp = { .options = common_options, .parser = parse_common };
const struct argp_child common_children[] = { { .argp = &common_argp }, { 0 } };

void parse_args(const struct argp *argp, int argc, char **argv, void *input)
{
	g_autofree char *name = g_strdup_printf("pcplab %s", argv[0]);

	argv[0] = name;
	argp_parse(argp, argc, argv, 0, NULL, input);
}
