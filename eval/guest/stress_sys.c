// SPDX-License-Identifier: GPL-2.0-or-later
/* Activities that make the kernel drain lists, or change how long they are. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "stress.h"

#define CMA_DIR		"/sys/kernel/debug/cma"
#define CMA_PAGES_MAX	2048

/* A hundred a second, if they are that quick. */
void stress_drain(struct stress *s, unsigned int nr, uint64_t *random)
{
	char answer[DEVICE_ANSWER_MAX];

	(void)nr;
	(void)random;
	device_close();		/* the open file of our own */
	while (!stress_stopped(s)) {
		int err = device_command(answer, sizeof(answer), "drain");

		if (err) {
			fprintf(stderr, "stress: cannot drain: %s\n", strerror(-err));
			_exit(4);
		}
		stress_count(&s->done[ACT_DRAIN], 1);
		stress_count(&s->halves[__atomic_load_n(&s->second_half, __ATOMIC_RELAXED)], 1);
		sys_sleep_ms(10);
	}
}

void stress_compact(struct stress *s, unsigned int nr, uint64_t *random)
{
	(void)nr;
	while (!stress_stopped(s)) {
		if (!sys_write("/proc/sys/vm/compact_memory", "1"))
			stress_count(&s->done[ACT_COMPACT], 1);
		sys_sleep_ms(100 + sys_random(random) % 400);
	}
}

/* 0 gives the sizes back to the kernel's tuning, 8 makes the lists as long as they get. */
void stress_sysctl(struct stress *s, unsigned int nr, uint64_t *random)
{
	static const long values[] = { 0, 8, 30, 100, 1000, 100000 };
	static const char path[] = "/proc/sys/vm/percpu_pagelist_high_fraction";

	(void)nr;
	while (!stress_stopped(s)) {
		if (!sys_write_long(path, values[sys_random(random) % 6]))
			stress_count(&s->done[ACT_SYSCTL], 1);
		sys_sleep_ms(20 + sys_random(random) % 80);
	}
	sys_write(path, "0");
}

int stress_cpu_able(const struct stress *s, struct result *res)
{
	if (s->cpus > 1 && !access("/sys/devices/system/cpu/cpu1/online", W_OK))
		return 0;
	return result_fail(res, "no CPU can go offline here: give the boot more than one, and the kernel CONFIG_HOTPLUG_CPU=y");
}

static int set_online(unsigned int cpu, const char *value)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/online", cpu);
	return sys_write(path, value);
}

void stress_cpu(struct stress *s, unsigned int nr, uint64_t *random)
{
	(void)nr;
	while (!stress_stopped(s)) {
		unsigned int cpu = 1 + sys_random(random) % (s->cpus - 1);
		int err = set_online(cpu, "0");

		sys_sleep_ms(sys_random(random) % 200);
		if (err) {
			stress_count(&s->refused[ACT_CPU], 1);
			continue;
		}
		while (set_online(cpu, "1"))
			sys_sleep_ms(10);
		stress_count(&s->done[ACT_CPU], 1);
		sys_sleep_ms(sys_random(random) % 200);
	}
}

/* The path of a file of the first area; debugfs names the folder after the area. */
static int cma_file(char *path, size_t size, const char *file)
{
	struct dirent *e;
	DIR *d = opendir(CMA_DIR);
	int found = -1;

	while (d && found && (e = readdir(d)))
		if (e->d_name[0] != '.') {
			snprintf(path, size, CMA_DIR "/%.64s/%s", e->d_name, file);
			found = access(path, W_OK);
		}
	if (d)
		closedir(d);
	return found;
}

int stress_cma_able(const struct stress *s, struct result *res)
{
	char path[160];

	(void)s;
	if (!cma_file(path, sizeof(path), "alloc"))
		return 0;
	return result_fail(res, "no contiguous memory area: boot with cma=64M, a kernel with CONFIG_CMA_DEBUGFS=y");
}

void stress_cma(struct stress *s, unsigned int nr, uint64_t *random)
{
	char alloc[160], release[160];

	(void)nr;
	if (cma_file(alloc, sizeof(alloc), "alloc") || cma_file(release, sizeof(release), "free"))
		_exit(5);
	while (!stress_stopped(s)) {
		long pages = 1 + sys_random(random) % CMA_PAGES_MAX;

		if (sys_write_long(alloc, pages)) {
			stress_count(&s->refused[ACT_CMA], 1);
		} else {
			stress_count(&s->done[ACT_CMA], 1);
			sys_sleep_ms(sys_random(random) % 20);
			sys_write_long(release, pages);
		}
		sys_sleep_ms(sys_random(random) % 50);
	}
}
