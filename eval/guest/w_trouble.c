// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * trouble: goes wrong, so that a test can see whether the host notices. What a kernel cannot do to
 * itself is done here.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"

enum kind { NOTHING, WARN, OOPS, PANIC, STALL, SILENCE, GARBAGE, POWER_OFF, HANG, INTERRUPT };

static const char *const kernel_kinds[] = {
	[WARN] = "warn", [OOPS] = "oops", [PANIC] = "panic", [STALL] = "stall", [HANG] = "hang",
	[INTERRUPT] = "interrupt",
};

static int put(const char *path, const char *data, size_t len, struct result *res)
{
	int fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
	bool bad = fd < 0 || write(fd, data, len) != (ssize_t)len;

	if (fd >= 0)
		close(fd);
	return bad ? result_fail(res, "cannot write to %s: %s", path, strerror(errno)) : 0;
}

static int kernel_trouble(const char *kind, struct result *res)
{
	char answer[DEVICE_ANSWER_MAX];
	int err = device_command(answer, sizeof(answer), "trouble %s", kind);

	return err ? result_fail(res, "the kernel refuses trouble: %s", strerror(-err)) : 0;
}

/* 3 s is the shortest that the kernel takes; it comes with 21. */
static int stall(struct result *res)
{
	if (put("/sys/module/rcupdate/parameters/rcu_cpu_stall_timeout", "3", 1, res))
		return -1;
	return kernel_trouble("stall", res);
}

/* No text in any encoding, with a NUL, and with no end of line before the next record. */
static int garbage(struct result *res)
{
	static const char bytes[] = "no record \xff\xfe\0\x1b[31m";

	return put("/dev/ttyS1", bytes, sizeof(bytes) - 1, res);
}

static int run(struct job *job, struct result *res)
{
	long kind = job_param(job, "kind");

	res->ops = 1;
	switch (kind) {
	case NOTHING:
		return 0;
	case STALL:
		return stall(res);
	case SILENCE:
		for (;;)
			pause();
	case GARBAGE:
		return garbage(res);
	case POWER_OFF:
		power_off();
	default:
		return kernel_trouble(kernel_kinds[kind], res);
	}
}

GUEST_WORKLOAD(trouble, run);
