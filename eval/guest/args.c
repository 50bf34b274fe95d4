// SPDX-License-Identifier: GPL-2.0-or-later
/* The grammar of the guest's command line: seed=N and name[:key=value[,key=value...]]. */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guest.h"

/* strtol and strtoul skip blanks and take signs; a number here starts with a digit. */
static bool starts_number(const char *s, bool negative_allowed)
{
	if (negative_allowed && *s == '-')
		s++;
	return isdigit((unsigned char)*s);
}

/**
 * seed_parse() - read the argument seed=N
 * @arg: the argument, from "seed=" on
 * @seed: where the number goes
 * @err: receives one line that says what is wrong
 * @size: bytes at @err
 *
 * Return: 0, or -1 with @err filled in and @seed untouched.
 */
int seed_parse(const char *arg, uint64_t *seed, char *err, size_t size)
{
	const char *value = arg + strlen("seed=");
	unsigned long long number;
	char *end;

	errno = 0;
	number = starts_number(value, false) ? strtoull(value, &end, 10) : 0;
	if (!starts_number(value, false) || errno || *end) {
		snprintf(err, size, "seed '%.40s' is not a number from 0 to 2^64-1", value);
		return -1;
	}
	*seed = number;
	return 0;
}

static int parse_value(const struct workload_param *p, const char *value, long *out, char *err,
		       size_t size)
{
	char *end;

	errno = 0;
	*out = starts_number(value, true) ? strtol(value, &end, 10) : 0;
	if (starts_number(value, true) && !errno && !*end && *out >= p->min && *out <= p->max)
		return 0;
	snprintf(err, size, "%s=%.40s: must be a whole number from %ld to %ld", p->name, value,
		 p->min, p->max);
	return -1;
}

static int parse_pair(struct job *job, char *pair, bool *seen, char *err, size_t size)
{
	char *value = strchr(pair, '=');
	int i;

	if (!value || value == pair) {
		snprintf(err, size, "'%.40s' is not key=value", pair);
		return -1;
	}
	*value++ = '\0';
	i = workload_param_find(job->w, pair);
	if (i < 0) {
		snprintf(err, size, "%s has no parameter '%.40s'", job->w->name, pair);
		return -1;
	}
	if (seen[i]) {
		snprintf(err, size, "parameter %s is given twice", job->w->params[i].name);
		return -1;
	}
	seen[i] = true;
	return parse_value(&job->w->params[i], value, &job->param[i], err, size);
}

static void set_defaults(struct job *job)
{
	for (int i = 0; i < WORKLOAD_MAX_PARAMS && job->w->params[i].name; i++)
		job->param[i] = job->w->params[i].def;
}

static int parse_params(struct job *job, const char *params, char *err, size_t size)
{
	bool seen[WORKLOAD_MAX_PARAMS] = { false };
	char *copy = strdup(params), *rest = copy, *pair;
	int ret = copy ? 0 : -1;

	if (!copy)
		snprintf(err, size, "out of memory");
	while (!ret && (pair = strsep(&rest, ",")))
		ret = parse_pair(job, pair, seen, err, size);
	free(copy);
	return ret;
}

/**
 * job_parse() - read one workload argument
 * @arg: "name" or "name:key=value,..."
 * @job: name, w and param are filled in; index and seed are the caller's. After an error the name
 *	is still set, as far as it goes, for the record of the failure.
 * @err: receives one line that says what is wrong
 * @size: bytes at @err
 *
 * Return: 0, or -1 with @err filled in.
 */
int job_parse(const char *arg, struct job *job, char *err, size_t size)
{
	const char *colon = strchrnul(arg, ':');
	int len = colon - arg < (int)sizeof(job->name) ? colon - arg : (int)sizeof(job->name) - 1;

	memcpy(job->name, arg, len);
	job->name[len] = '\0';
	/* What had to be cut is longer than any name in the table. */
	job->w = workload_find(job->name);
	if (!job->w) {
		snprintf(err, size, "unknown workload '%s'", job->name);
		return -1;
	}
	set_defaults(job);
	return *colon ? parse_params(job, colon + 1, err, size) : 0;
}

/**
 * job_param() - a parameter's value
 * @job: a job that job_parse() accepted
 * @name: a parameter that the workload table has; anything else is a bug and aborts
 *
 * Return: the value, in the unit that the table states.
 */
long job_param(const struct job *job, const char *name)
{
	int i = workload_param_find(job->w, name);

	if (i < 0)
		abort();
	return job->param[i];
}

/**
 * job_random() - a number that depends on the job's seed and nothing else
 * @job: the job
 * @stream: chooses one of independent numbers of the same seed
 *
 * The mixer is the finalizer of the splitmix64 generator (Steele, Lea and Flood, 2014).
 *
 * Return: 64 well-mixed bits.
 */
uint64_t job_random(const struct job *job, uint64_t stream)
{
	uint64_t x = job->seed + (stream + 1) * 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}
