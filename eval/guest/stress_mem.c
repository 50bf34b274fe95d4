// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Activities that allocate and free. Each page they hold is stamped with what no other has, so that
 * a page handed out twice shows.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stress.h"

#define TOUCH_PAGES_MAX	1500
#define EXIT_PROCS	4
#define EXIT_PAGES_MAX	1500
/* What presses, as a share of what is available without the module: swapping a page out costs much here. */
#define PRESS_PERCENT	104

/* Of this process; asked for once, when it maps memory. */
static uint64_t self;

static uint64_t stamp_of(long page)
{
	return self << 32 | (uint64_t)page;
}

/* Both ends of the page: half of one could be another's. */
static void stamp(char *mem, long page)
{
	*(volatile uint64_t *)(mem + page * GUEST_PAGE) = stamp_of(page);
	*(volatile uint64_t *)(mem + (page + 1) * GUEST_PAGE - 8) = stamp_of(page);
}

static bool stamped(const char *mem, long page)
{
	return *(volatile uint64_t *)(mem + page * GUEST_PAGE) == stamp_of(page) &&
	       *(volatile uint64_t *)(mem + (page + 1) * GUEST_PAGE - 8) == stamp_of(page);
}

static char *map(long pages, bool huge)
{
	char *mem = mmap(NULL, pages * GUEST_PAGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (mem == MAP_FAILED)
		_exit(3);
	self = getpid();
	madvise(mem, pages * GUEST_PAGE, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	return mem;
}

static void stamp_all(char *mem, long pages)
{
	for (long i = 0; i < pages; i++)
		stamp(mem, i);
}

static void check_all(struct stress *s, const char *mem, long pages)
{
	for (long i = 0; i < pages; i++)
		if (!stamped(mem, i))
			stress_count(&s->corrupt, 1);
}

/* Page faults, and frees on whatever CPU it is on by then. */
void stress_touch(struct stress *s, unsigned int nr, uint64_t *random)
{
	(void)nr;
	while (!stress_stopped(s)) {
		long pages = 1 + sys_random(random) % TOUCH_PAGES_MAX;
		char *mem = map(pages, sys_random(random) % 4 == 0);

		sys_move(0, sys_random(random) % s->cpus);
		stamp_all(mem, pages);
		/* Fails when the CPU is offline. */
		sys_move(0, sys_random(random) % s->cpus);
		check_all(s, mem, pages);
		sys_set_free(0);
		munmap(mem, pages * GUEST_PAGE);
		stress_count(&s->done[ACT_TOUCH], pages);
	}
}

static void die_with_memory(struct stress *s, uint64_t random)
{
	long pages = 1 + sys_random(&random) % EXIT_PAGES_MAX;
	char *mem = map(pages, false);

	stamp_all(mem, pages);
	check_all(s, mem, pages);
	_exit(0);
}

/* An exit avalanche whose processes are moved from CPU to CPU while they free what they had. */
void stress_exit(struct stress *s, unsigned int nr, uint64_t *random)
{
	(void)nr;
	while (!stress_stopped(s)) {
		pid_t pids[EXIT_PROCS];
		unsigned int left = EXIT_PROCS;

		for (int i = 0; i < EXIT_PROCS; i++) {
			uint64_t seed = sys_random(random);

			pids[i] = fork();
			if (!pids[i])
				die_with_memory(s, seed);
			left -= pids[i] < 0;
		}
		while (left) {
			int status;

			for (int i = 0; i < EXIT_PROCS; i++)
				if (pids[i] > 0)
					sys_move(pids[i], sys_random(random) % s->cpus);
			while (left && waitpid(-1, &status, WNOHANG) > 0) {
				left--;
				if (WIFEXITED(status) && !WEXITSTATUS(status))
					stress_count(&s->done[ACT_EXIT], 1);
			}
			sys_sleep_ms(1);
		}
	}
}

/*
 * More than there is, touched here and there for ever: some of it is always swapped out. It stays on
 * a CPU that never goes offline: what reclaim unmaps it tells every CPU that the process was on, and
 * where host CPUs are scarce that takes all the time there is.
 */
void stress_press(struct stress *s, unsigned int nr, uint64_t *random)
{
	long pages = sys_read_field("/proc/meminfo", "MemAvailable") / 4 * PRESS_PERCENT / 100;
	char *mem = map(pages, false);
	long next = 0;

	(void)nr;
	sys_move(0, 0);
	for (; next < pages && !stress_stopped(s); next++)
		stamp(mem, next);
	__atomic_store_n(&s->full, true, __ATOMIC_RELAXED);
	while (!stress_stopped(s)) {
		long page = sys_random(random) % next;

		if (!stamped(mem, page))
			stress_count(&s->corrupt, 1);
		stamp(mem, page);
		stress_count(&s->done[ACT_PRESS], 1);
	}
}
