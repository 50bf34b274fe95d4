/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The guest's side of the harness: pid 1 takes workloads from its arguments, runs each in a child
 * process, and writes records (eval/FORMATS.md) to the second serial port.
 *
 * A workload is one entry in eval/workloads.c and one file w_<name>.c here, which ends with
 *
 *	GUEST_WORKLOAD(name, function);
 */
#ifndef PCPLAB_GUEST_H
#define PCPLAB_GUEST_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "../workloads.h"

#define GUEST_PAGE	4096L
#define MAX_WORKERS	64
#define MB_PAGES(mb)	((mb) * 1024L * 1024L / GUEST_PAGE)

/* One workload of the command line, checked and complete. */
struct job {
	unsigned int index;	/* position among the workloads of the command line */
	char name[32];
	const struct workload *w;
	uint64_t seed;
	long param[WORKLOAD_MAX_PARAMS];
};

/*
 * STATUS_KNOWN: the design under test does not promise the behaviour, and the workload saw that it
 * does not have it.
 */
enum status { STATUS_FAIL, STATUS_OK, STATUS_SKIP, STATUS_KNOWN };

#define RESULT_MAX_REGIONS	16
#define RESULT_MAX_METRICS	48

/*
 * What a workload did. Lives in memory that the workload's process shares with pid 1, so that
 * what was filled in before a crash survives it. Holds no pointers but to constant strings.
 */
struct result {
	enum status status;
	char reason[256];	/* one line; for all but STATUS_OK */
	uint64_t ops;
	uint64_t ns;		/* guest's clock, summed over the regions */
	unsigned int nr_regions, nr_metrics;
	int regions[RESULT_MAX_REGIONS];
	struct { const char *name; double value; } metrics[RESULT_MAX_METRICS];
};

struct guest_workload {
	const char *name;
	int (*run)(struct job *job, struct result *res);
};

/*
 * Puts the workload into a section that the linker gathers: a new one needs no second table.
 * Run functions are called in a process of their own. They return 0 with @res filled in, or
 * result_fail(), result_skip() or result_known(), which are -1.
 */
#define GUEST_WORKLOAD(id, function) \
	static const struct guest_workload guest_workload_##id \
	__attribute__((used, section("guest_workloads"), aligned(sizeof(void *)))) = \
	{ #id, function }

/* init.c */
void power_off(void) __attribute__((noreturn));

/* args.c */
int job_parse(const char *arg, struct job *job, char *err, size_t size);
int seed_parse(const char *arg, uint64_t *seed, char *err, size_t size);
long job_param(const struct job *job, const char *name);
uint64_t job_random(const struct job *job, uint64_t stream);

/* result.c */
int result_fail(struct result *res, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int result_skip(struct result *res, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int result_known(struct result *res, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void result_metric(struct result *res, const char *name, double value);
json_t *result_json(const struct job *job, const struct result *res);
json_t *text_json(const struct job *job, const char *name, const char *data, size_t len);

/* zoneinfo.c */
json_t *zoneinfo_json(const char *text);
long zoneinfo_sum(const char *text, long cpu, const char *key);

/* emit.c */
int emit_open(void);
void emit_line(json_t *object);
void emit_text(const struct job *job, const char *name, const char *data, size_t len);

/* device.c */
#define DEVICE_ANSWER_MAX 4096

void device_close(void);
int device_command(char *answer, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int device_run(struct result *res, const char *command);
long device_count(const char *command, const char *what);

/* What the design under test promises of its drains and holds. */
struct design {
	bool waits;		/* a remote drain needs the target CPU to run a task */
	bool interrupts;	/* a remote drain interrupts the target CPU */
	bool batched;		/* no hold moves more than a batch */
};

void device_design(struct design *d);
int region_begin(struct result *res);
int region_end(struct result *res);

/* proc.c */
struct gate {
	int ready[2], go[2], done[2];
};

int gate_init(struct gate *gate);
void gate_pass(struct gate *gate);
void gate_finish(struct gate *gate);
void gate_parent(struct gate *gate);
int gate_wait(int fd, unsigned int n);
void gate_open(struct gate *gate);
void gate_close(struct gate *gate);
int workers_start(pid_t *pids, unsigned int n, void (*work)(unsigned int nr, void *arg),
		  void *arg);
unsigned int workers_reap(const pid_t *pids, unsigned int n, int sig);
int pin_to_cpu(unsigned int cpu);
char *touch_pages(long pages);
void seed_phase(const struct job *job);
pid_t spawn(char *const argv[], int *out);
char *read_all(int fd, size_t *len);
char *read_file(const char *path, size_t *len);
int reap(pid_t pid, const char *who, struct result *res);

/* avalanche.c */
struct avalanche {
	const struct job *job;
	unsigned int procs;
	unsigned int round;	/* avalanches of one job differ a little */
	long pages_each;
	struct gate gate;
	pid_t pids[MAX_WORKERS];
};

int avalanche_start(struct avalanche *av, struct result *res);
unsigned int avalanche_end(struct avalanche *av);
long avalanche_pages(const struct avalanche *av);

#endif
