// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes: gates that line workers up, foreign tools, and what a process left behind. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "guest.h"

/**
 * gate_init() - make a gate, before the workers are forked
 * @gate: the gate
 *
 * Workers call gate_pass() when they are ready, and gate_finish() when they are done. The parent
 * waits for all of them with gate_wait(), and lets them through with gate_open(). A worker that
 * dies is noticed instead of waited for.
 *
 * Return: 0, or -1 with errno set.
 */
int gate_init(struct gate *gate)
{
	if (pipe2(gate->ready, O_CLOEXEC))
		return -1;
	if (pipe2(gate->go, O_CLOEXEC))
		return -1;
	return pipe2(gate->done, O_CLOEXEC);
}

static void tell(int fd)
{
	if (write(fd, "", 1) != 1)
		_exit(2);
}

/**
 * gate_pass() - in a worker: say that it is ready, and wait until the gate opens
 * @gate: the gate
 */
void gate_pass(struct gate *gate)
{
	char c;

	/* Only the parent may hold this end, else the gate never opens. */
	close(gate->go[1]);
	tell(gate->ready[1]);
	if (read(gate->go[0], &c, 1) < 0)
		_exit(2);
}

/**
 * gate_finish() - in a worker: say that the work is done
 * @gate: the gate
 */
void gate_finish(struct gate *gate)
{
	tell(gate->done[1]);
}

/**
 * gate_parent() - in the parent, once all workers are forked: drop the workers' ends
 * @gate: the gate
 */
void gate_parent(struct gate *gate)
{
	close(gate->ready[1]);
	close(gate->done[1]);
	close(gate->go[0]);
}

static bool child_died(void)
{
	siginfo_t info = { 0 };

	return !waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid;
}

/**
 * gate_wait() - in the parent: wait until all workers said that they are ready, or done
 * @fd: gate->ready[0] or gate->done[0]
 * @n: number of workers
 *
 * Return: 0, or -1 when one of them died before it said so.
 */
int gate_wait(int fd, unsigned int n)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	char buf[64];

	while (n) {
		ssize_t got;

		/* The living workers keep the pipe open, so a dead one is no end of file. */
		if (poll(&pfd, 1, 1000) <= 0) {
			if (child_died())
				return -1;
			continue;
		}
		got = read(fd, buf, n < sizeof(buf) ? n : sizeof(buf));
		if (got <= 0)
			return -1;
		n -= got;
	}
	return 0;
}

/**
 * gate_open() - in the parent: let all workers through at once
 * @gate: the gate
 */
void gate_open(struct gate *gate)
{
	/* End of file wakes every reader, whatever their number. */
	close(gate->go[1]);
	gate->go[1] = -1;
}

/**
 * gate_close() - in the parent: give back what the gate holds, opening it if it was not
 * @gate: the gate
 */
void gate_close(struct gate *gate)
{
	if (gate->go[1] >= 0)
		gate_open(gate);
	close(gate->ready[0]);
	close(gate->done[0]);
}

/**
 * workers_start() - fork workers
 * @pids: receives their pids, 0 for those that were not started
 * @n: how many
 * @work: called in each with its number and @arg; the worker exits with 0 when it returns
 * @arg: passed on
 *
 * Return: 0, or -1 with errno set; workers_reap() is due in both cases.
 */
int workers_start(pid_t *pids, unsigned int n, void (*work)(unsigned int nr, void *arg), void *arg)
{
	for (unsigned int i = 0; i < n; i++) {
		pids[i] = fork();
		if (pids[i] < 0) {
			pids[i] = 0;
			return -1;
		}
		if (!pids[i]) {
			work(i, arg);
			_exit(0);
		}
	}
	return 0;
}

/**
 * workers_reap() - wait for the workers' ends
 * @pids: from workers_start()
 * @n: how many
 * @sig: signal to send to each before, 0 for none
 *
 * Return: how many ended otherwise than by exit(0) or by @sig.
 */
unsigned int workers_reap(const pid_t *pids, unsigned int n, int sig)
{
	unsigned int bad = 0;
	int status;

	for (unsigned int i = 0; i < n; i++)
		if (pids[i] && sig)
			kill(pids[i], sig);
	for (unsigned int i = 0; i < n; i++) {
		if (!pids[i])
			continue;
		while (waitpid(pids[i], &status, 0) < 0 && errno == EINTR)
			;
		if (!(WIFEXITED(status) && !WEXITSTATUS(status)) &&
		    !(sig && WIFSIGNALED(status) && WTERMSIG(status) == sig))
			bad++;
	}
	return bad;
}

/**
 * pin_to_cpu() - keep the calling process on one CPU
 * @cpu: its number
 *
 * Return: 0, or -1 with errno set.
 */
int pin_to_cpu(unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set);
}

/**
 * touch_pages() - map anonymous memory and write to each page once
 * @pages: number of pages of 4 KiB
 *
 * Huge pages are kept away: order-0 pages are what the lists are about.
 *
 * Return: the mapping, or NULL with errno set.
 */
char *touch_pages(long pages)
{
	char *mem = mmap(NULL, pages * GUEST_PAGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (mem == MAP_FAILED)
		return NULL;
	/* Fails on a kernel without huge pages, which is as good. */
	madvise(mem, pages * GUEST_PAGE, MADV_NOHUGEPAGE);
	for (long i = 0; i < pages; i++)
		((volatile char *)mem)[i * GUEST_PAGE] = 1;
	return mem;
}

/**
 * seed_phase() - sleep up to 4 ms, so that the work starts elsewhere relative to the tick
 * @job: the job, for its seed
 */
void seed_phase(const struct job *job)
{
	struct timespec ts = { .tv_nsec = job_random(job, 0) % 4000000 };

	nanosleep(&ts, NULL);
}

/**
 * spawn() - start a foreign tool
 * @argv: its arguments, the first one its path, ended by NULL
 * @out: receives the end of a pipe with what it writes to standard output and standard error
 *
 * Return: its pid, or -1 with errno set. A tool that cannot be executed exits with 127.
 */
pid_t spawn(char *const argv[], int *out)
{
	int fds[2];
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC))
		return -1;
	pid = fork();
	if (!pid) {
		dup2(fds[1], STDOUT_FILENO);
		dup2(fds[1], STDERR_FILENO);
		execv(argv[0], argv);
		_exit(127);
	}
	close(fds[1]);
	if (pid < 0) {
		close(fds[0]);
		return -1;
	}
	*out = fds[0];
	return pid;
}

/**
 * read_all() - read until end of file
 * @fd: is closed
 * @len: receives the number of bytes, without the NUL that is added
 *
 * Return: memory to free(), or NULL when there is none left.
 */
char *read_all(int fd, size_t *len)
{
	size_t size = 8192;
	char *buf = malloc(size);
	ssize_t n;

	*len = 0;
	while (buf && (n = read(fd, buf + *len, size - *len - 1)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		*len += n;
		if (size - *len < 4096) {
			char *bigger = realloc(buf, size * 2);

			if (!bigger)
				break;
			buf = bigger;
			size *= 2;
		}
	}
	if (buf)
		buf[*len] = '\0';
	close(fd);
	return buf;
}

/**
 * read_file() - read a whole file, also one of /proc that does not know its size
 * @path: its path
 * @len: receives the number of bytes, without the NUL that is added
 *
 * Return: memory to free(), or NULL with errno set.
 */
char *read_file(const char *path, size_t *len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? NULL : read_all(fd, len);
}

/**
 * reap() - wait for a child's end
 * @pid: the child
 * @who: what to call it in the reason
 * @res: receives the reason when it ended badly
 *
 * Return: 0 when it exited with 0, else -1.
 */
int reap(pid_t pid, const char *who, struct result *res)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return result_fail(res, "cannot wait for %s: %s", who, strerror(errno));
	if (WIFSIGNALED(status))
		return result_fail(res, "%s was killed by signal %d (%s)", who, WTERMSIG(status),
				   strsignal(WTERMSIG(status)));
	if (WEXITSTATUS(status) == 127)
		return result_fail(res, "%s cannot be executed: is it in the initramfs?", who);
	if (WEXITSTATUS(status))
		return result_fail(res, "%s exited with status %d", who, WEXITSTATUS(status));
	return 0;
}
