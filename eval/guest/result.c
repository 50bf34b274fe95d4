// SPDX-License-Identifier: GPL-2.0-or-later
/* Results of workloads, and their form as records. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guest.h"

static int result_set(struct result *res, enum status status, const char *fmt, va_list args)
{
	res->status = status;
	vsnprintf(res->reason, sizeof(res->reason), fmt, args);
	return -1;
}

/**
 * result_fail() - say that a workload failed, and why
 * @res: the workload's result
 * @fmt: printf format of one line
 *
 * Return: always -1, for the caller to return.
 */
int result_fail(struct result *res, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	result_set(res, STATUS_FAIL, fmt, args);
	va_end(args);
	return -1;
}

/**
 * result_skip() - say that a workload cannot run in this guest, and why
 * @res: the workload's result
 * @fmt: printf format of one line
 *
 * Return: always -1, for the caller to return.
 */
int result_skip(struct result *res, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	result_set(res, STATUS_SKIP, fmt, args);
	va_end(args);
	return -1;
}

/**
 * result_known() - say that a design lacks a behaviour that it does not promise
 * @res: the workload's result
 * @fmt: printf format of one line: what was seen to happen, and why the design permits it
 *
 * Only for what the run showed. Where it could not be tried, the result is a skip.
 *
 * Return: always -1, for the caller to return.
 */
int result_known(struct result *res, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	result_set(res, STATUS_KNOWN, fmt, args);
	va_end(args);
	return -1;
}

/**
 * result_metric() - add an optional fact that the workload counted
 * @res: the workload's result; facts beyond RESULT_MAX_METRICS are dropped
 * @name: a string constant
 * @value: the fact, in the unit that its name says
 */
void result_metric(struct result *res, const char *name, double value)
{
	if (res->nr_metrics == RESULT_MAX_METRICS)
		return;
	res->metrics[res->nr_metrics].name = name;
	res->metrics[res->nr_metrics++].value = value;
}

/*
 * JSON strings are UTF-8, and what tools print may not be: then every byte beyond ASCII becomes a
 * question mark. A record with a damaged letter is worth more than none.
 */
static json_t *any_string(const char *data, size_t len)
{
	json_t *string = json_stringn(data, len);
	char *copy;

	if (string)
		return string;
	copy = malloc(len + 1);
	if (!copy)
		return json_null();
	for (size_t i = 0; i < len; i++)
		copy[i] = data[i] & 0x80 ? '?' : data[i];
	string = json_stringn(copy, len);
	free(copy);
	return string;
}

/**
 * result_json() - the record of a result
 * @job: the job; only index and name are used, so that one that was refused will do
 * @res: what it did
 *
 * Return: a new object of type "result", as in eval/FORMATS.md.
 */
json_t *result_json(const struct job *job, const struct result *res)
{
	static const char *const names[] = { "fail", "ok", "skip", "known" };
	json_t *o = json_pack("{s:s, s:i, s:o, s:s, s:I, s:I}", "type", "result",
			      "index", (int)job->index,
			      "workload", any_string(job->name, strlen(job->name)),
			      "status", names[res->status], "ops", (json_int_t)res->ops,
			      "ns", (json_int_t)res->ns);
	json_t *regions = json_array(), *metrics = json_object();

	for (unsigned int i = 0; i < res->nr_regions; i++)
		json_array_append_new(regions, json_integer(res->regions[i]));
	for (unsigned int i = 0; i < res->nr_metrics; i++)
		json_object_set_new(metrics, res->metrics[i].name,
				    json_real(res->metrics[i].value));
	json_object_set_new(o, "regions", regions);
	json_object_set_new(o, "metrics", metrics);
	if (res->status != STATUS_OK)
		json_object_set_new(o, "reason", any_string(res->reason, strlen(res->reason)));
	return o;
}

/**
 * text_json() - the record of a foreign tool's output
 * @job: the job it belongs to
 * @name: which of the tool's outputs this is
 * @data: the text, any bytes
 * @len: bytes at @data
 *
 * Return: a new object of type "text", as in eval/FORMATS.md.
 */
json_t *text_json(const struct job *job, const char *name, const char *data, size_t len)
{
	return json_pack("{s:s, s:i, s:s, s:s, s:o}", "type", "text", "index", (int)job->index,
			 "workload", job->name, "name", name, "data", any_string(data, len));
}
