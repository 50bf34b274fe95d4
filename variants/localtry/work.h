/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One work item a CPU, to empty its lists there. All of them belong to whoever
 * holds pcpu_drain_mutex; an item belongs to its work function while it is
 * queued, until pcp_flush_drain() returns.
 */
#ifndef _MM_PCP_LOCALTRY_WORK_H
#define _MM_PCP_LOCALTRY_WORK_H

#include <linux/percpu.h>
#include <linux/workqueue.h>

#include "../../internal.h"

struct pcp_drain {
	struct work_struct work;
	unsigned int cpu;	/* the one that it was queued on */
	bool arrived;		/* and did it run there? */
	struct zone *zone;	/* NULL: all */
};

DECLARE_PER_CPU(struct pcp_drain, pcp_drains);

/*
 * The queue of the memory management's per-CPU chores has a rescuer, so that
 * its items run when no worker can be created for want of memory.
 */
static inline void pcp_queue_drain(unsigned int cpu, struct zone *zone,
				   work_func_t func)
{
	struct pcp_drain *drain = per_cpu_ptr(&pcp_drains, cpu);

	drain->cpu = cpu;
	drain->zone = zone;
	drain->arrived = false;
	INIT_WORK(&drain->work, func);
	queue_work_on(cpu, mm_percpu_wq, &drain->work);
}

/* Waits for the item. Did it drain the lists of its CPU? */
static inline bool pcp_flush_drain(unsigned int cpu)
{
	struct pcp_drain *drain = per_cpu_ptr(&pcp_drains, cpu);

	flush_work(&drain->work);
	return drain->arrived;
}

#endif /* _MM_PCP_LOCALTRY_WORK_H */
