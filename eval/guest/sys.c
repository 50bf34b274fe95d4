// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel's files: switches that are written, figures that are read. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sys.h"

int sys_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), err = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		err = -errno;
	close(fd);
	return err;
}

int sys_write_long(const char *path, long value)
{
	char text[24];

	snprintf(text, sizeof(text), "%ld", value);
	return sys_write(path, text);
}

long sys_read_field(const char *path, const char *key)
{
	size_t len, keylen = strlen(key);
	char *text = read_file(path, &len);
	long value = -1;

	for (char *line = text; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, keylen) || !strchr(" :\t", line[keylen]))
			continue;
		value = strtol(line + keylen + strspn(line + keylen, " :\t"), NULL, 10);
		break;
	}
	free(text);
	return value;
}

int sys_find(const char *dir, const char *prefix, long from, long *number)
{
	size_t len = strlen(prefix);
	struct dirent *e;
	DIR *d = opendir(dir);
	long best = -1;

	while (d && (e = readdir(d))) {
		char *end;
		long n;

		if (strncmp(e->d_name, prefix, len))
			continue;
		n = strtol(e->d_name + len, &end, 10);
		if (end == e->d_name + len || *end || n < from || (best >= 0 && n > best))
			continue;
		best = n;
	}
	if (d)
		closedir(d);
	*number = best;
	return best < 0 ? -1 : 0;
}

long sys_listed(unsigned int cpu)
{
	size_t len;
	char *text = read_file("/proc/zoneinfo", &len);
	long pages = text ? zoneinfo_sum(text, cpu, "count") : -1;

	free(text);
	return pages;
}

/* Other zones of the guest are smaller than the one that counts, or empty. */
long sys_batch(void)
{
	char answer[DEVICE_ANSWER_MAX];
	json_t *zones, *zone;
	long batch = -1;
	size_t i;

	if (device_command(answer, sizeof(answer), "zones"))
		return -1;
	zones = json_loads(answer, 0, NULL);
	json_array_foreach(zones, i, zone)
		if (json_integer_value(json_object_get(zone, "batch")) > batch)
			batch = json_integer_value(json_object_get(zone, "batch"));
	json_decref(zones);
	return batch;
}

int sys_move(pid_t pid, unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(pid, sizeof(set), &set);
}

int sys_set_free(pid_t pid)
{
	cpu_set_t set;

	memset(&set, 0xff, sizeof(set));
	return sched_setaffinity(pid, sizeof(set), &set);
}

int sys_be_fifo(int priority)
{
	struct sched_param p = { .sched_priority = priority };

	return sched_setscheduler(0, SCHED_FIFO, &p);
}

uint64_t sys_random(uint64_t *state)
{
	uint64_t x = *state += 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

double sys_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

void sys_sleep_ms(long ms)
{
	struct timespec ts = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

	nanosleep(&ts, NULL);
}
