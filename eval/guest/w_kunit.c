// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kunit: runs the kernel's suites of tests of the lists, and sends what they said. The host reads
 * it: a test that failed is no failure of this workload.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"

#define RUN	"/sys/kernel/debug/pcp_kunit"
#define RESULTS	"/sys/kernel/debug/kunit/pcp_%s/results"
#define PARAMS	"/sys/module/pcp_kunit/parameters"

/* Return: 0, or a negative errno. */
static int put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), err;

	if (fd < 0)
		return -errno;
	err = write(fd, text, strlen(text)) < 0 ? -errno : 0;
	close(fd);
	return err;
}

static void put_number(const char *path, unsigned long long value)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", value);
	/* A kernel without the file has no suites either, and run_suite() will say so. */
	put(path, text);
}

/* Runs one suite, which takes up to a minute, and appends its report to @out. */
static int run_suite(const char *suite, FILE *out, struct result *res)
{
	char path[96], name[32], *text;
	size_t len;
	int err;

	snprintf(name, sizeof(name), "pcp_%s", suite);
	err = put(RUN, name);
	if (err == -ENOENT)
		return result_skip(res, "no " RUN ": build the kernel with CONFIG_PCP_KUNIT_TEST=y");
	if (err)
		return result_fail(res, "cannot run %s: %s", name, strerror(-err));
	snprintf(path, sizeof(path), RESULTS, suite);
	text = read_file(path, &len);
	if (!text)
		return result_fail(res, "cannot read %s: %s", path, strerror(errno));
	fwrite(text, 1, len, out);
	free(text);
	return 0;
}

static int run_suites(const struct job *job, FILE *out, struct result *res)
{
	const struct workload_param *suites = &job->w->params[workload_param_find(job->w, "suite")];
	long chosen = job_param(job, "suite");

	for (long i = 1; i <= suites->max; i++)
		if ((!chosen || i == chosen) && run_suite(workload_value_word(suites, i), out, res))
			return -1;
	return 0;
}

static int run(struct job *job, struct result *res)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	int ret;

	if (!out)
		return result_fail(res, "no memory for a report");
	put_number(PARAMS "/seed", job->seed);
	put_number(PARAMS "/msecs", job_param(job, "msecs"));
	ret = run_suites(job, out, res);
	fclose(out);
	if (!ret)
		emit_text(job, "ktap", text, len);
	free(text);
	return ret;
}

GUEST_WORKLOAD(kunit, run);
