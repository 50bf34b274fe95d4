/* SPDX-License-Identifier: GPL-2.0-only */
/* How sections go wrong, inside them. Called by exclusion.h only. */
#ifndef _MM_PCP_BUSTED_BUSTED_H
#define _MM_PCP_BUSTED_BUSTED_H

struct per_cpu_pages;

/**
 * pcp_busted_look() - note which page an allocation would get
 * @pcp: list, in the caller's section that just began
 */
void pcp_busted_look(struct per_cpu_pages *pcp);

/**
 * pcp_busted_lose() - forget a page, once in pcp_busted.lose= calls
 * @pcp: list, in the caller's section that is about to end
 */
void pcp_busted_lose(struct per_cpu_pages *pcp);

/**
 * pcp_busted_double() - put the noted page back, once in pcp_busted.double=
 * sections that handed it out
 * @pcp: list, in the caller's section that is about to end
 */
void pcp_busted_double(struct per_cpu_pages *pcp);

#endif /* _MM_PCP_BUSTED_BUSTED_H */
