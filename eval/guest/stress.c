// SPDX-License-Identifier: GPL-2.0-or-later
/* Starts activities, watches them, and asks what they did. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stress.h"

/* How long one may take to notice that it should stop; the slowest waits for a memory module. */
#define STOP_SECS	90
#define PROGRESS_SECS	30
/* How long it may take to fill the memory, with nothing else going on. */
#define FILL_SECS	600

static const struct activity activities[NR_ACTIVITIES] = {
	[ACT_TOUCH]	= { "touched_pages", NULL, 2, NULL, stress_touch },
	[ACT_EXIT]	= { "exits", NULL, 1, NULL, stress_exit },
	[ACT_PRESS]	= { "pressed_pages", NULL, 1, NULL, stress_press },
	[ACT_DRAIN]	= { "drains", NULL, 1, NULL, stress_drain },
	[ACT_COMPACT]	= { "compactions", NULL, 1, NULL, stress_compact },
	[ACT_CPU]	= { "cpu_offlines", "cpu_refused", 1, stress_cpu_able, stress_cpu },
	[ACT_BLOCK]	= { "block_offlines", "block_refused", 1, stress_dimm_able, stress_block },
	[ACT_DIMM]	= { "dimm_plugs", "dimm_refused", 1, stress_dimm_able, stress_dimm },
	[ACT_CMA]	= { "cma_allocs", "cma_refused", 1, stress_cma_able, stress_cma },
	[ACT_SYSCTL]	= { "sysctl_changes", NULL, 1, NULL, stress_sysctl },
};

struct worker {
	pid_t pid;
	enum activity_nr activity;
};

struct crew {
	struct worker worker[MAX_WORKERS];
	unsigned int n;
};

struct stress *stress_new(const struct job *job)
{
	struct stress *s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (s == MAP_FAILED)
		return NULL;
	s->job = job;
	s->cpus = sysconf(_SC_NPROCESSORS_CONF);
	return s;
}

static int start(struct stress *s, struct crew *crew, enum activity_nr nr, struct result *res)
{
	for (unsigned int i = 0; i < activities[nr].procs; i++) {
		uint64_t random = job_random(s->job, 100 + crew->n);
		pid_t pid = fork();

		if (pid < 0)
			return result_fail(res, "cannot fork for %s: %s", activities[nr].name, strerror(errno));
		if (!pid) {
			activities[nr].work(s, i, &random);
			_exit(0);
		}
		crew->worker[crew->n++] = (struct worker){ pid, nr };
	}
	return 0;
}

/* Has one ended? Before it was told to, any end is a failure; afterwards only a bad one. */
static int look(const struct stress *s, struct crew *crew, struct result *res)
{
	for (unsigned int i = 0; i < crew->n; i++) {
		struct worker *w = &crew->worker[i];
		int status;

		if (!w->pid || waitpid(w->pid, &status, WNOHANG) != w->pid)
			continue;
		w->pid = 0;
		if (WIFSIGNALED(status))
			return result_fail(res, "a process for %s was killed by signal %d (%s)",
					   activities[w->activity].name, WTERMSIG(status),
					   strsignal(WTERMSIG(status)));
		if (WEXITSTATUS(status) || !stress_stopped(s))
			return result_fail(res, "a process for %s ended with status %d",
					   activities[w->activity].name, WEXITSTATUS(status));
	}
	return 0;
}

static void tell(const struct stress *s, const char *text)
{
	emit_line(json_pack("{s:s, s:i, s:s}", "type", "progress", "index", (int)s->job->index, "text", text));
}

static void tell_progress(const struct stress *s, unsigned int secs, unsigned int of)
{
	char text[160];

	snprintf(text, sizeof(text), "%s, %u of %u s: %lu drains, %lu exits, %lu CPU and %lu block offlines, %lu modules",
		 s->job->name, secs, of, s->done[ACT_DRAIN], s->done[ACT_EXIT], s->done[ACT_CPU],
		 s->done[ACT_BLOCK], s->done[ACT_DIMM]);
	tell(s, text);
}

/* Filling a memory takes long beside the rest, and until it is full nothing presses. */
static int fill(struct stress *s, struct crew *crew, struct result *res)
{
	double begin = sys_now();
	unsigned int told = 0;

	if (start(s, crew, ACT_PRESS, res))
		return -1;
	while (!__atomic_load_n(&s->full, __ATOMIC_RELAXED)) {
		if (look(s, crew, res))
			return -1;
		if (sys_now() > begin + told + PROGRESS_SECS) {
			told += PROGRESS_SECS;
			tell(s, "filling the memory");
		}
		if (sys_now() > begin + FILL_SECS)
			return result_fail(res, "the memory was not full after %d s", FILL_SECS);
		sys_sleep_ms(200);
	}
	return 0;
}

static int start_all(struct stress *s, struct crew *crew, unsigned int mask, struct result *res)
{
	for (int nr = 0; nr < NR_ACTIVITIES; nr++)
		if (mask & 1u << nr && activities[nr].able && activities[nr].able(s, res))
			return -1;
	if (mask & ACT(PRESS) && fill(s, crew, res))
		return -1;
	for (int nr = 0; nr < NR_ACTIVITIES; nr++)
		if (mask & 1u << nr && nr != ACT_PRESS && start(s, crew, nr, res))
			return -1;
	return 0;
}

static int work(struct stress *s, struct crew *crew, unsigned int secs, struct result *res)
{
	double begin = sys_now();
	unsigned int told = 0, now;

	while ((now = sys_now() - begin) < secs) {
		if (look(s, crew, res))
			return -1;
		__atomic_store_n(&s->second_half, now >= secs / 2, __ATOMIC_RELAXED);
		if (now >= told + PROGRESS_SECS) {
			tell_progress(s, now, secs);
			told = now;
		}
		sys_sleep_ms(200);
	}
	return 0;
}

static const struct worker *still_there(const struct crew *crew)
{
	for (unsigned int i = 0; i < crew->n; i++)
		if (crew->worker[i].pid)
			return &crew->worker[i];
	return NULL;
}

static int stop(struct stress *s, struct crew *crew, unsigned int secs, struct result *res)
{
	double end = sys_now() + STOP_SECS;
	const struct worker *w;

	tell_progress(s, secs, secs);
	__atomic_store_n(&s->stop, true, __ATOMIC_RELAXED);
	while ((w = still_there(crew))) {
		if (look(s, crew, res))
			return -1;
		if (sys_now() > end)
			return result_fail(res, "a process for %s did not come back within %d s",
					   activities[w->activity].name, STOP_SECS);
		sys_sleep_ms(50);
	}
	return 0;
}

static void kill_all(const struct crew *crew)
{
	for (unsigned int i = 0; i < crew->n; i++)
		if (crew->worker[i].pid)
			kill(crew->worker[i].pid, SIGKILL);
}

static void report(const struct stress *s, unsigned int mask, struct result *res)
{
	for (int nr = 0; nr < NR_ACTIVITIES; nr++) {
		if (!(mask & 1u << nr))
			continue;
		result_metric(res, activities[nr].name, s->done[nr]);
		if (activities[nr].refused)
			result_metric(res, activities[nr].refused, s->refused[nr]);
	}
	if (mask & ACT(DIMM))
		result_metric(res, "dimm_unplugs", s->unplugged);
	result_metric(res, "corrupt_pages", s->corrupt);
}

/* A stress that did nothing is no stress. */
static int judge(const struct stress *s, unsigned int mask, struct result *res)
{
	for (int nr = 0; nr < NR_ACTIVITIES; nr++)
		if (mask & 1u << nr && !s->done[nr])
			return result_fail(res, "%s: none was done, %lu were refused", activities[nr].name,
					   s->refused[nr]);
	if (mask & ACT(DIMM) && !s->unplugged)
		return result_fail(res, "the memory module was plugged %lu times, and never unplugged",
				   s->done[ACT_DIMM]);
	if (s->corrupt)
		return result_fail(res, "%lu pages had another content than was written", s->corrupt);
	return 0;
}

int stress_run(struct stress *s, unsigned int mask, unsigned int secs, struct result *res)
{
	struct crew crew = { .n = 0 };
	int err;

	/* Who watches must not be swapped out by what it watches. Children do not inherit this. */
	mlockall(MCL_CURRENT | MCL_FUTURE);
	err = start_all(s, &crew, mask, res);
	if (!err)
		err = work(s, &crew, secs, res);
	if (!err)
		err = stop(s, &crew, secs, res);
	if (err)
		kill_all(&crew);
	result_metric(res, "seconds", secs);
	report(s, mask, res);
	return err ? -1 : judge(s, mask, res);
}
