/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests of the host program share. */
#ifndef TESTS_HARNESS_H
#define TESTS_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
#include "util.h"

#define FIXTURES "eval/tests/fixtures"

/*
 * Calls @code with stderr caught; the caller frees the text. A pipe, since some tests limit files'
 * sizes.
 */
#define CAUGHT(code) ({							\
	int pipe_[2], saved_ = dup(2);					\
	char *text_ = calloc(1, 65536);					\
	size_t got_ = 0;						\
	ssize_t n_;							\
	fflush(stderr);							\
	if (pipe(pipe_))						\
		abort();						\
	dup2(pipe_[1], 2);						\
	close(pipe_[1]);						\
	code;								\
	fflush(stderr);							\
	dup2(saved_, 2);						\
	close(saved_);							\
	while ((n_ = read(pipe_[0], text_ + got_, 65535 - got_)) > 0)	\
		got_ += n_;						\
	close(pipe_[0]);						\
	text_; })

#define assert_says(text, part) do {					\
	if (!strstr(text, part))					\
		fail_msg("expected '%s' in: %s", part, text);		\
} while (0)

/* A source tree of its own under /tmp: variants stock, batched, scale0 and flavour perf. */
static inline char *make_root(void)
{
	char *root = g_dir_make_tmp("pcplab-test-XXXXXX", NULL);
	static const char *const dirs[] = { "variants/stock", "variants/batched", "variants/scale0",
					    "eval/flavors",   "eval/specs",	  "scripts" };

	for (size_t i = 0; i < G_N_ELEMENTS(dirs); i++) {
		g_autofree char *dir = g_build_filename(root, dirs[i], NULL);

		g_mkdir_with_parents(dir, 0777);
	}
	opts.root = root;
	opts.build = root_path("build");
	opts.results = root_path("results");
	opts.quiet = true;
	g_autofree char *flavor = root_path("eval/flavors/perf.config");
	g_file_set_contents(flavor, "# for measuring\n", -1, NULL);
	return root;
}

static inline void remove_root(char *root)
{
	const char *const argv[] = { "rm", "-rf", root, NULL };

	g_free(command_output(argv));
	g_clear_pointer(&opts.build, g_free);
	g_clear_pointer(&opts.results, g_free);
	g_free(root);
	opts.root = NULL;
}

#endif
