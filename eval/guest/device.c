// SPDX-License-Identifier: GPL-2.0-or-later
/* Client of /dev/pcplab: commands, and regions for workloads in user space. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"

#define DEVICE "/dev/pcplab"

/*
 * One open file for the life of the process: a region belongs to it, and closing it would end the
 * region. -1: not tried yet; -2: the kernel has no such device.
 */
static int device = -1;

static int device_open(void)
{
	if (device == -1)
		device = open(DEVICE, O_RDWR | O_CLOEXEC);
	if (device == -1)
		device = -2;
	return device;
}

/**
 * device_close() - forget the open device
 *
 * For pid 1: children would share its open file, and a region that one leaves open when it
 * crashes would stay open.
 */
void device_close(void)
{
	if (device >= 0)
		close(device);
	device = -1;
}

/**
 * device_command() - give the kernel one command and read its answer
 * @answer: receives the answer, one line of JSON, also when the kernel refuses the command; empty
 *	when there is none
 * @size: bytes at @answer
 * @fmt: printf format of the command
 *
 * Return: 0, or a negative errno: -ENODEV when the kernel was built without the device.
 */
int device_command(char *answer, size_t size, const char *fmt, ...)
{
	char command[256];
	va_list args;
	ssize_t n;
	int err;

	answer[0] = '\0';
	if (device_open() < 0)
		return -ENODEV;
	va_start(args, fmt);
	vsnprintf(command, sizeof(command), fmt, args);
	va_end(args);
	err = write(device, command, strlen(command)) < 0 ? -errno : 0;
	n = read(device, answer, size - 1);
	answer[n > 0 ? n : 0] = '\0';
	return err;
}

/* Adds what a finished region's answer says to @res. */
static int take_answer(struct result *res, const char *answer)
{
	json_int_t ops, ns;
	json_t *o = json_loads(answer, 0, NULL);
	int region, ret;

	ret = json_unpack(o, "{s:I, s:I, s:i}", "ops", &ops, "ns", &ns, "region", &region);
	json_decref(o);
	if (ret)
		return result_fail(res, "the kernel's answer makes no sense: %.120s", answer);
	res->ops += ops;
	res->ns += ns;
	if (res->nr_regions < RESULT_MAX_REGIONS)
		res->regions[res->nr_regions++] = region;
	return 0;
}

static int refused(struct result *res, const char *answer, int err)
{
	json_t *o = json_loads(answer, 0, NULL);
	const char *why = json_string_value(json_object_get(o, "error"));

	result_fail(res, "the kernel refuses: %s", why ? why : strerror(-err));
	json_decref(o);
	return -1;
}

/**
 * device_run() - run a workload in the kernel
 * @res: ops, ns and the region are added; on failure the reason
 * @command: the command
 *
 * Return: 0 or -1.
 */
int device_run(struct result *res, const char *command)
{
	char answer[DEVICE_ANSWER_MAX];
	int err = device_command(answer, sizeof(answer), "%s", command);

	if (err == -ENODEV && device < 0)
		return result_skip(res, "no " DEVICE ": build the kernel with CONFIG_PCP_BENCH=y");
	if (err)
		return refused(res, answer, err);
	return take_answer(res, answer);
}

/**
 * device_count() - one of the kernel's counts
 * @command: "holds", "pauses" or "balance"
 * @what: the key in its answer; a second one after a dot for a key inside
 *
 * Return: the count, -1 when there is none: the kernel was built without CONFIG_PCP_PROBE.
 */
long device_count(const char *command, const char *what)
{
	char answer[DEVICE_ANSWER_MAX], first[32];
	const char *dot = strchr(what, '.');
	json_t *o, *value;
	long count = -1;

	if (device_command(answer, sizeof(answer), "%s", command))
		return -1;
	o = json_loads(answer, 0, NULL);
	snprintf(first, sizeof(first), "%.*s", dot ? (int)(dot - what) : 31, what);
	value = json_object_get(o, first);
	if (dot)
		value = json_object_get(value, dot + 1);
	if (json_is_integer(value))
		count = json_integer_value(value);
	json_decref(o);
	return count;
}

/**
 * device_design() - what the kernel's design promises
 * @d: filled in; of a kernel that does not say, as if it were the kernel's own design
 */
void device_design(struct design *d)
{
	char answer[DEVICE_ANSWER_MAX];
	int err = device_command(answer, sizeof(answer), "design");
	json_t *o = err ? NULL : json_loads(answer, 0, NULL);

	d->waits = json_is_true(json_object_get(o, "drain_waits"));
	d->interrupts = json_is_true(json_object_get(o, "drain_interrupts"));
	d->batched = json_is_true(json_object_get(o, "batched"));
	json_decref(o);
}

/**
 * region_begin() - arm the instruments and start a region
 * @res: receives the reason of a failure
 *
 * The region starts inside this call: what follows its return is measured. A kernel without the
 * device runs the workload without a region, which is not an error.
 *
 * Return: 0 or -1.
 */
int region_begin(struct result *res)
{
	if (device_open() < 0)
		return 0;
	/* No read of the answer: it would be part of the region. */
	if (write(device, "begin", 5) < 0)
		return result_fail(res, "cannot begin a region: %s", strerror(errno));
	return 0;
}

/**
 * region_end() - end the region, and add its number and length to the result
 * @res: regions and ns are filled in, ops is the caller's
 *
 * Return: 0 or -1.
 */
int region_end(struct result *res)
{
	char answer[DEVICE_ANSWER_MAX];
	int err;

	if (device_open() < 0)
		return 0;
	err = device_command(answer, sizeof(answer), "end");
	if (err)
		return refused(res, answer, err);
	return take_answer(res, answer);
}
