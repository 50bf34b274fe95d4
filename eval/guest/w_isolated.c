// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * f12: does a drain disturb an isolated CPU whose lists hold pages? The task there neither calls the
 * kernel nor faults meanwhile, so whatever interrupts or preempts it came from outside. Rounds with
 * and without a drain alternate: what happens without one is not its doing.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sys.h"

#define LIST_PAGES	200
#define ANSWER_SECS	60

/* Each round the controller lets the task allocate and free, and then looks what disturbs it. */
struct round {
	volatile int go, ready;
};

static void isolated(unsigned int cpu, struct round *r)
{
	if (pin_to_cpu(cpu))
		_exit(1);
	for (int i = 1;; i++) {
		char *mem;

		while (r->go < i)
			;
		mem = touch_pages(LIST_PAGES);
		if (!mem)
			_exit(1);
		munmap(mem, LIST_PAGES * GUEST_PAGE);
		r->ready = i;
	}
}

/* Function call interrupts of a CPU: the figure in its column of that line. */
static long calls_to(unsigned int cpu)
{
	size_t len;
	char *text = read_file("/proc/interrupts", &len), *at = text ? strstr(text, "CAL:") : NULL;
	long n = -1;

	if (at)
		at += strlen("CAL:");
	for (unsigned int i = 0; at && i <= cpu; i++)
		n = strtol(at, &at, 10);
	free(text);
	return n;
}

static long disturbances(unsigned int cpu, pid_t pid)
{
	char path[48];

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	return calls_to(cpu) + sys_read_field(path, "nonvoluntary_ctxt_switches");
}

static bool wait_ready(const struct round *r, int i)
{
	double end = sys_now() + ANSWER_SECS;

	while (r->ready < i) {
		if (sys_now() > end)
			return false;
		sys_sleep_ms(1);
	}
	return true;
}

struct tally {
	unsigned int disturbed[2];	/* rounds: without a drain, with one */
	unsigned int drained;		/* rounds whose drain found pages there */
};

static int one_round(struct round *r, int i, unsigned int cpu, pid_t pid, struct tally *t, struct result *res)
{
	char answer[DEVICE_ANSWER_MAX];
	bool with = i % 2;
	long before;

	r->go = i;
	if (!wait_ready(r, i))
		return result_fail(res, "the task on the isolated CPU did not answer");
	sys_sleep_ms(5);
	t->drained += with && sys_listed(cpu) > 0;
	before = disturbances(cpu, pid);
	if (with && device_command(answer, sizeof(answer), "drain"))
		return result_fail(res, "cannot drain");
	sys_sleep_ms(5);
	t->disturbed[with] += disturbances(cpu, pid) != before;
	return 0;
}

static int judge(const struct tally *t, unsigned int rounds, const struct design *d, struct result *res)
{
	if (t->drained < rounds / 2)
		return result_fail(res, "only %u of %u drains found pages on the isolated CPU's lists", t->drained, rounds);
	if (d->interrupts && t->disturbed[1] < t->disturbed[0] + rounds / 2)
		return result_fail(res, "the design says that its drains interrupt the other CPU; only %u of %u did",
				   t->disturbed[1], rounds);
	if (d->interrupts)
		return result_known(res, "%u of %u drains interrupted or preempted the isolated CPU's task: the design needs that CPU to act",
				    t->disturbed[1], rounds);
	if (t->disturbed[1] > t->disturbed[0] + rounds / 10)
		return result_fail(res, "%u of %u drains disturbed the isolated CPU, and %u of %u rounds without one",
				   t->disturbed[1], rounds, t->disturbed[0], rounds);
	return 0;
}

static int f12(struct job *job, struct result *res)
{
	unsigned int cpu = sysconf(_SC_NPROCESSORS_ONLN) - 1, rounds = job_param(job, "n");
	size_t len;
	char *list = read_file("/sys/devices/system/cpu/isolated", &len);
	struct round *r = mmap(NULL, sizeof(*r), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	bool there = list && strtol(list, NULL, 10) == cpu && len > 1;
	struct tally t = { 0 };
	struct design d;
	int err = 0;
	pid_t pid;

	free(list);
	if (!there)
		return result_fail(res, "CPU %u is not isolated: boot with isolcpus=%u nohz_full=%u", cpu, cpu, cpu);
	device_design(&d);
	pid = r == MAP_FAILED ? -1 : fork();
	if (!pid)
		isolated(cpu, r);
	if (pid < 0)
		return result_fail(res, "cannot start a task for the isolated CPU: %s", strerror(errno));
	for (unsigned int i = 1; !err && i <= 2 * rounds; i++)
		err = one_round(r, i, cpu, pid, &t, res);
	result_metric(res, "disturbed_with_drain", t.disturbed[1]);
	result_metric(res, "disturbed_without_drain", t.disturbed[0]);
	result_metric(res, "drains_of_pages", t.drained);
	res->ops = rounds;
	return err ? -1 : judge(&t, rounds, &d, res);
}

GUEST_WORKLOAD(f12, f12);
