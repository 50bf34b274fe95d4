/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What tests see of the designs from inside, with CONFIG_PCP_PROBE. Included by
 * hold.h, which has empty stand-ins for kernels without it.
 */
#ifndef _MM_PCP_BENCH_PROBE_H
#define _MM_PCP_BENCH_PROBE_H

#include <linux/irqflags.h>
#include <linux/types.h>

/* Why zone->lock is held: as the functions of hold.h. */
enum pcp_probe_kind {
	PCP_PROBE_SPILL,
	PCP_PROBE_REFILL,
	PCP_PROBE_DECAY,
	PCP_PROBE_DRAIN,
	NR_PCP_PROBE_KINDS
};

/**
 * pcp_probe_off() - were interrupts off before a hold?
 *
 * Context: Before the hold takes zone->lock.
 */
static inline bool pcp_probe_off(void)
{
	return irqs_disabled();
}

/**
 * pcp_probe_hold() - count a hold of zone->lock
 * @kind: what it was for
 * @pages: how many pages it moved
 * @off: what pcp_probe_off() said before it
 *
 * Context: In the hold, so that the task cannot leave this CPU.
 */
void pcp_probe_hold(enum pcp_probe_kind kind, int pages, bool off);

/**
 * pcp_probe_pause() - stay a while where a design has left its section
 *
 * Once in pcp_probe.pause_every= calls it spins for pcp_probe.pause_us=
 * microseconds, so that whatever can happen there does: an interrupt, a drain,
 * a migration. Only where the caller can be preempted; never by default.
 *
 * Context: In no section, no lock of the page allocator held.
 */
void pcp_probe_pause(void);

#endif /* _MM_PCP_BENCH_PROBE_H */
