// SPDX-License-Identifier: GPL-2.0-or-later
/* pid 1 of the guest: mounts, runs what the command line says, powers off. */
#include <errno.h>
#include <fcntl.h>
#include <linux/random.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

/* The kernel takes 32 arguments of init at most (CONFIG_INIT_ENV_ARG_LIMIT), and panics beyond. */
#define MAX_ARGS 64

extern const struct guest_workload __start_guest_workloads[], __stop_guest_workloads[];

/* Failures to mount are not fatal: a kernel may lack debugfs, and what needs it will say so. */
static void mount_all(void)
{
	static const struct { const char *type, *where, *options; } mounts[] = {
		{ "proc", "/proc", NULL }, { "sysfs", "/sys", NULL }, { "devtmpfs", "/dev", NULL },
		{ "debugfs", "/sys/kernel/debug", NULL }, { "tmpfs", "/tmp", "mode=1777" },
	};

	for (size_t i = 0; i < sizeof(mounts) / sizeof(mounts[0]); i++) {
		mkdir(mounts[i].where, 0755);
		mount(mounts[i].type, mounts[i].where, mounts[i].type, 0, mounts[i].options);
	}
	/* The device for POSIX shared memory; stress-ng and cyclictest may want it. */
	mkdir("/dev/shm", 01777);
	mount("tmpfs", "/dev/shm", "tmpfs", 0, "mode=1777");
}

/*
 * The first reader of random numbers would make the kernel spin for a second of guest time to
 * gather entropy, which under emulation takes from seconds to minutes, and would get other
 * numbers each time. What runs here wants no secrets, but the same bytes in every boot.
 */
static void seed_kernel(void)
{
	struct {
		struct rand_pool_info info;
		unsigned char bytes[64];
	} pool = { .info = { .entropy_count = 512, .buf_size = 64 } };
	int fd = open("/dev/urandom", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || ioctl(fd, RNDADDENTROPY, &pool))
		fprintf(stderr, "init: cannot seed the kernel's random numbers: %s\n",
			strerror(errno));
	if (fd >= 0)
		close(fd);
}

static json_t *zones_json(void)
{
	char answer[DEVICE_ANSWER_MAX], *text;
	json_t *zones = NULL;
	size_t len;

	/* /proc/zoneinfo of 6.12 does not tell high_min and high_max; our device does. */
	if (!device_command(answer, sizeof(answer), "zones"))
		zones = json_loads(answer, 0, NULL);
	device_close();
	if (zones)
		return zones;
	text = read_file("/proc/zoneinfo", &len);
	zones = zoneinfo_json(text ? text : "");
	free(text);
	return zones;
}

static json_t *vm_json(void)
{
	static const char *const names[] = { "swappiness", "percpu_pagelist_high_fraction",
		"min_free_kbytes", "overcommit_memory", "stat_interval" };
	json_t *vm = json_object();
	char path[64], *text;
	size_t len;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "/proc/sys/vm/%s", names[i]);
		text = read_file(path, &len);
		if (text)
			json_object_set_new(vm, names[i], json_integer(atol(text)));
		free(text);
	}
	return vm;
}

static void emit_start(uint64_t seed)
{
	struct utsname uts;
	size_t len;
	char *cmdline = read_file("/proc/cmdline", &len);

	uname(&uts);
	if (cmdline)
		cmdline[strcspn(cmdline, "\n")] = '\0';
	emit_line(json_pack("{s:s, s:s, s:I, s:i, s:s, s:o, s:o}", "type", "start",
			    "kernel", uts.release, "seed", (json_int_t)seed,
			    "cpus", (int)sysconf(_SC_NPROCESSORS_ONLN),
			    "cmdline", cmdline ? cmdline : "", "zones", zones_json(),
			    "vm", vm_json()));
	free(cmdline);
}

static const struct guest_workload *implementation(const char *name)
{
	for (const struct guest_workload *g = __start_guest_workloads;
	     g < __stop_guest_workloads; g++)
		if (!strcmp(g->name, name))
			return g;
	return NULL;
}

static void run_child(const struct guest_workload *g, struct job *job, struct result *res)
{
	if (!g->run(job, res))
		res->status = STATUS_OK;
	_exit(0);
}

/*
 * Nothing of one workload may run, or hold memory, during the next. -1 is everybody but pid 1; what
 * is orphaned becomes our child, so that all are gone when there is no child left.
 */
static void end_leftovers(void)
{
	kill(-1, SIGKILL);
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
}

static void run_job(struct job *job, struct result *res)
{
	const struct guest_workload *g = implementation(job->w->name);
	pid_t pid;

	if (!g) {
		result_skip(res, "this guest was built without workload %s", job->w->name);
		return;
	}
	pid = fork();
	if (!pid)
		run_child(g, job, res);
	if (pid < 0)
		result_fail(res, "cannot fork: %s", strerror(errno));
	else
		reap(pid, job->w->name, res);
	end_leftovers();
}

static void run_arg(const char *arg, struct job *job, const char *seed_error)
{
	struct result *res = mmap(NULL, sizeof(*res), PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int bad = job_parse(arg, job, res->reason, sizeof(res->reason));

	if (!bad && *seed_error)
		bad = result_fail(res, "%s", seed_error);
	if (!bad)
		run_job(job, res);
	emit_line(result_json(job, res));
	munmap(res, sizeof(*res));
}

/*
 * The kernel hands us not only what follows "--" but also boot options before it that it does not
 * know, such as nokaslr where there is no KASLR. They cannot be told apart in argv.
 *
 * Return: the words after "--", ended by NULL; the text they are in is never freed.
 */
static char **job_args(void)
{
	static char *args[MAX_ARGS + 1];
	size_t len, n = 0;
	char *text = read_file("/proc/cmdline", &len), *word;
	bool ours = false;

	while (text && n < MAX_ARGS && (word = strsep(&text, " \n")))
		if (ours && *word)
			args[n++] = word;
		else if (!strcmp(word, "--"))
			ours = true;
	return args;
}

static void run_all(char **args)
{
	struct job job = { 0 };
	char seed_error[128] = "";
	int seeds = 0;

	for (char **arg = args; *arg; arg++) {
		if (strncmp(*arg, "seed=", 5))
			continue;
		if (seeds++)
			snprintf(seed_error, sizeof(seed_error), "seed= is given twice");
		else
			seed_parse(*arg, &job.seed, seed_error, sizeof(seed_error));
	}
	emit_start(job.seed);
	for (char **arg = args; *arg; arg++) {
		if (!strncmp(*arg, "seed=", 5))
			continue;
		run_arg(*arg, &job, seed_error);
		job.index++;
	}
	emit_line(json_pack("{s:s}", "type", "end"));
}

/*
 * Without ACPI the kernel turns power-off into halt, which QEMU does not notice. A restart ends it
 * too: the harness runs it with -no-reboot.
 */
void power_off(void)
{
	sync();
	reboot(access("/sys/firmware/acpi", F_OK) ? RB_AUTOBOOT : RB_POWER_OFF);
	for (;;)
		pause();
}

int main(void)
{
	if (getpid() != 1) {
		fprintf(stderr, "init: it powers the machine off: boot it with QEMU\n");
		return 2;
	}
	json_object_seed(1);	/* else it reads /dev/urandom; see below */
	mount_all();
	seed_kernel();
	setenv("PATH", "/bin:/usr/bin", 1);
	setenv("HOME", "/tmp", 1);
	if (chdir("/tmp"))
		perror("chdir /tmp");
	if (emit_open())
		fprintf(stderr, "init: no /dev/ttyS1: records go to the console\n");
	run_all(job_args());
	power_off();
}
