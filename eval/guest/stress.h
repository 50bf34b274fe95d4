/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Many things done to the page allocator at once. */
#ifndef PCPLAB_STRESS_H
#define PCPLAB_STRESS_H

#include "sys.h"

/* In the order of the table in stress.c. */
enum activity_nr {
	ACT_TOUCH, ACT_EXIT, ACT_PRESS, ACT_DRAIN, ACT_COMPACT, ACT_CPU, ACT_BLOCK, ACT_DIMM, ACT_CMA,
	ACT_SYSCTL, NR_ACTIVITIES
};

#define ACT(nr)		(1u << ACT_##nr)
#define ACT_ALL		((1u << NR_ACTIVITIES) - 1)

/*
 * Shared by the controller and all that are active. Each activity's figures are written by its own
 * processes, atomically.
 */
struct stress {
	const struct job *job;
	unsigned int cpus;		/* of the machine, online or not */
	bool stop;			/* written by the controller */
	bool full;			/* written by who presses: so is the memory */
	unsigned long done[NR_ACTIVITIES], refused[NR_ACTIVITIES];
	unsigned long corrupt;		/* pages whose content was not what had been written */
	unsigned long unplugged;
	unsigned long halves[2];	/* drains that came back in each half of the time */
	bool second_half;
};

struct activity {
	const char *name, *refused;	/* names of the metrics */
	unsigned int procs;
	/* Can it be done here? On failure says what is missing. NULL: always. */
	int (*able)(const struct stress *s, struct result *res);
	/* Works until @s->stop, in a process of its own. */
	void (*work)(struct stress *s, unsigned int nr, uint64_t *random);
};

static inline bool stress_stopped(const struct stress *s)
{
	return __atomic_load_n(&s->stop, __ATOMIC_RELAXED);
}

static inline void stress_count(unsigned long *counter, unsigned long n)
{
	__atomic_fetch_add(counter, n, __ATOMIC_RELAXED);
}

/**
 * stress_new() - prepare
 * @job: the job
 *
 * Return: memory that processes forked from here on share.
 */
struct stress *stress_new(const struct job *job);

/**
 * stress_run() - let activities go on for a time, all at once
 * @s: from stress_new()
 * @mask: which: ACT() of each
 * @secs: for how many seconds of the guest's clock
 * @res: receives what each did as metrics; the reason of a failure
 *
 * One that cannot be done here, that did nothing, that died or that did not come back is a failure,
 * and so is a page with another content than was written.
 *
 * Return: 0 or -1.
 */
int stress_run(struct stress *s, unsigned int mask, unsigned int secs, struct result *res);

/* stress_mem.c */
void stress_touch(struct stress *s, unsigned int nr, uint64_t *random);
void stress_exit(struct stress *s, unsigned int nr, uint64_t *random);
void stress_press(struct stress *s, unsigned int nr, uint64_t *random);

/* stress_sys.c */
void stress_drain(struct stress *s, unsigned int nr, uint64_t *random);
void stress_compact(struct stress *s, unsigned int nr, uint64_t *random);
void stress_sysctl(struct stress *s, unsigned int nr, uint64_t *random);
int stress_cpu_able(const struct stress *s, struct result *res);
void stress_cpu(struct stress *s, unsigned int nr, uint64_t *random);
int stress_cma_able(const struct stress *s, struct result *res);
void stress_cma(struct stress *s, unsigned int nr, uint64_t *random);

/* stress_hot.c */
int stress_dimm_able(const struct stress *s, struct result *res);
void stress_dimm(struct stress *s, unsigned int nr, uint64_t *random);
void stress_block(struct stress *s, unsigned int nr, uint64_t *random);

#endif
