/* SPDX-License-Identifier: GPL-2.0-only */
/* When the floor 'none' leaves exclusion out. Nothing, with any other design. */
#ifndef _MM_PCP_NONE_FLOOR_H
#define _MM_PCP_NONE_FLOOR_H

#include <linux/irqflags.h>

#ifdef CONFIG_PCP_NONE

extern bool pcp_unguarded;

/**
 * pcp_floor_begin() - from here on nothing but the caller runs
 * @flags: state of the caller, to be handed to pcp_floor_end()
 *
 * Context: Outside every section, on the only CPU. No allocation may reclaim
 *          until pcp_floor_end(): interrupts are off.
 */
static inline void pcp_floor_begin(unsigned long *flags)
{
	local_irq_save(*flags);
	pcp_unguarded = true;
}

/**
 * pcp_floor_end() - end what pcp_floor_begin() began
 * @flags: what pcp_floor_begin() filled in
 */
static inline void pcp_floor_end(unsigned long *flags)
{
	pcp_unguarded = false;
	local_irq_restore(*flags);
}

#else

static inline void pcp_floor_begin(unsigned long *flags)
{
}

static inline void pcp_floor_end(unsigned long *flags)
{
}

#endif

#endif /* _MM_PCP_NONE_FLOOR_H */
