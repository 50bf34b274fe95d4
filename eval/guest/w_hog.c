// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * f6 and f7: a real-time task that never yields on a CPU whose lists somebody drains. Does the drain
 * come back before the hog is told to stop? No durations: a drain that needs the CPU waits as long
 * as the hog runs.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys.h"

#define HOG_PRIORITY	50
#define OUR_PRIORITY	80
#define LIST_PAGES	200
/* A drain that should not wait, and one that should: how long until we believe that it does. */
#define PROMPT_SECS	60
#define WAITS_SECS	5
/* One that waited has nothing to wait for once the hog is gone. */
#define AFTER_SECS	60

enum outcome { WHILE_BOOKED, AFTERWARDS, NEVER };

struct hogs {
	unsigned int n;
	pid_t pids[MAX_WORKERS];
	volatile int *shared;	/* [0]: stop; [1]: how many run */
};

static int set_runtime(unsigned int cpu, const char *ns)
{
	char path[96];

	snprintf(path, sizeof(path), "/sys/kernel/debug/sched/fair_server/cpu%u/runtime", cpu);
	return sys_write(path, ns);
}

/* What keeps real-time tasks from starving others: their throttling, and with @server 0 the fair server. */
static int unthrottle(int server, struct result *res)
{
	unsigned int cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int err = sys_write("/proc/sys/kernel/sched_rt_runtime_us", "-1");

	for (unsigned int cpu = 0; !err && !server && cpu < cpus; cpu++)
		err = set_runtime(cpu, "0");
	return err ? result_fail(res, "cannot let real-time tasks run for ever: %s: has the kernel CONFIG_SCHED_DEBUG=y?",
				 strerror(-err)) : 0;
}

static void hog(unsigned int cpu, volatile int *shared)
{
	char *mem;

	if (pin_to_cpu(cpu))
		_exit(1);
	mem = touch_pages(LIST_PAGES);
	if (!mem)
		_exit(1);
	munmap(mem, LIST_PAGES * GUEST_PAGE);
	if (sys_be_fifo(HOG_PRIORITY))
		_exit(1);
	__atomic_fetch_add(&shared[1], 1, __ATOMIC_SEQ_CST);
	while (!shared[0])
		;
	_exit(0);
}

static int hogs_start(struct hogs *h, unsigned int first, unsigned int last, struct result *res)
{
	double end = sys_now() + PROMPT_SECS;

	h->n = 0;
	h->shared = mmap(NULL, GUEST_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (h->shared == MAP_FAILED)
		return result_fail(res, "no memory to share with the hogs");
	for (unsigned int cpu = first; cpu <= last; cpu++) {
		pid_t pid = fork();

		if (!pid)
			hog(cpu, h->shared);
		if (pid > 0)
			h->pids[h->n++] = pid;
	}
	while (h->shared[1] < (int)(last - first + 1)) {
		if (sys_now() > end)
			return result_fail(res, "%d of %u hogs run: may the guest use SCHED_FIFO?", h->shared[1],
					   last - first + 1);
		sys_sleep_ms(20);
	}
	return 0;
}

static unsigned int hogs_stop(struct hogs *h)
{
	h->shared[0] = 1;
	return workers_reap(h->pids, h->n, 0);
}

static bool ended(pid_t pid, int secs)
{
	double end = sys_now() + secs;
	int status;

	do {
		if (waitpid(pid, &status, WNOHANG) == pid)
			return WIFEXITED(status) && !WEXITSTATUS(status);
		sys_sleep_ms(20);
	} while (sys_now() < end);
	return false;
}

/* Call @act in a process of its own while the hogs run, then stop them. */
static enum outcome act_beside(struct hogs *h, int (*act)(void), int secs)
{
	pid_t pid = fork();
	bool prompt;

	if (!pid)
		_exit(act() ? 1 : 0);
	prompt = ended(pid, secs);
	hogs_stop(h);
	if (prompt)
		return WHILE_BOOKED;
	if (ended(pid, AFTER_SECS))
		return AFTERWARDS;
	kill(pid, SIGKILL);
	return NEVER;
}

static int device_does(const char *command)
{
	char answer[DEVICE_ANSWER_MAX];

	device_close();
	return device_command(answer, sizeof(answer), "%s", command);
}

static int drain(void)
{
	return device_does("drain");
}

static int lru(void)
{
	return device_does("lru");
}

static int cma(void)
{
	return sys_write("/sys/kernel/debug/cma/reserved/alloc", "256");
}

static int judge(enum outcome drained, const struct design *d, int server, struct result *res)
{
	if (drained == NEVER)
		return result_fail(res, "the drain did not come back even after the hog had ended");
	if (drained == WHILE_BOOKED && d->waits && !server)
		return result_fail(res, "the design says that its drains wait for the other CPU, and this one did not");
	if (drained == WHILE_BOOKED)
		return 0;
	if (d->waits)
		return result_known(res, "the drain waited until the real-time task was told to stop: its work could not run on that CPU");
	return result_fail(res, "the drain came back only after the real-time task had been told to stop");
}

static int patience(const struct design *d, int server)
{
	return d->waits && !server ? WAITS_SECS : PROMPT_SECS;
}

static int f6(struct job *job, struct result *res)
{
	int server = job_param(job, "server");
	struct design d;
	struct hogs h;
	enum outcome drained;
	long listed;

	device_design(&d);
	/* We and what we start stay on CPU 0, and outrank nobody: CPU 1 is the hog's. */
	if (pin_to_cpu(0) || unthrottle(server, res))
		return -1;
	if (hogs_start(&h, 1, 1, res))
		return -1;
	listed = sys_listed(1);
	drained = act_beside(&h, drain, patience(&d, server));
	result_metric(res, "listed_before", listed);
	result_metric(res, "drained_while_booked", drained == WHILE_BOOKED);
	res->ops = 1;
	if (listed <= 0)
		return result_fail(res, "the hog's CPU had %ld pages on its lists: there was nothing to drain", listed);
	return judge(drained, &d, server, res);
}

/* The whole machine is booked; only we, above the hogs, get to run. */
static int beside_all(int (*act)(void), int secs, enum outcome *outcome, struct result *res)
{
	unsigned int cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct hogs h;

	if (hogs_start(&h, 0, cpus - 1, res))
		return -1;
	*outcome = act_beside(&h, act, secs);
	return 0;
}

static int f7(struct job *job, struct result *res)
{
	enum outcome drained, lru_done, cma_done;
	struct design d;

	(void)job;
	device_design(&d);
	if (access("/sys/kernel/debug/cma/reserved/alloc", W_OK))
		return result_fail(res, "no contiguous memory area: boot with cma=64M, a kernel with CONFIG_CMA_DEBUGFS=y");
	if (unthrottle(0, res))
		return -1;
	if (sys_be_fifo(OUR_PRIORITY))
		return result_fail(res, "cannot become a real-time task: %s", strerror(errno));
	if (beside_all(drain, patience(&d, 0), &drained, res) ||
	    beside_all(lru, WAITS_SECS, &lru_done, res) ||
	    beside_all(cma, WAITS_SECS, &cma_done, res))
		return -1;
	result_metric(res, "drained_while_booked", drained == WHILE_BOOKED);
	result_metric(res, "lru_while_booked", lru_done == WHILE_BOOKED);
	result_metric(res, "cma_while_booked", cma_done == WHILE_BOOKED);
	res->ops = 3;
	if (lru_done == NEVER || cma_done == NEVER)
		return result_fail(res, "%s did not come back even after the hogs had ended",
				   lru_done == NEVER ? "the drain of the LRU batches" : "the contiguous allocation");
	return judge(drained, &d, 0, res);
}

GUEST_WORKLOAD(f6, f6);
GUEST_WORKLOAD(f7, f7);
