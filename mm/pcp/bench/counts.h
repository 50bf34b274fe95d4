/* SPDX-License-Identifier: GPL-2.0-only */
/* Answers of /dev/pcplab that are counts, for tests. */
#ifndef _MM_PCP_BENCH_COUNTS_H
#define _MM_PCP_BENCH_COUNTS_H

#include <linux/errno.h>
#include <linux/types.h>

/**
 * pcp_counts_balance() - where every page of the machine is
 * @result: receives one JSON object without newline
 * @size: size of @result
 *
 * Drains everything first, then looks at each page, without a lock: for a system
 * where little else goes on. "managed" is what the zones say they have, "free"
 * what they say is free of it, "buddy" what was found in the buddy allocator and
 * "lists" what the lists' counters say. "lost" pages have no user and are in
 * neither; some always look like that (blocks that are not compound, and pages
 * on their way), so only its growth means something.
 *
 * Context: Process context, may sleep.
 * Return: 0.
 */
int pcp_counts_balance(char *result, size_t size);

#ifdef CONFIG_PCP_PROBE

/**
 * pcp_counts_holds() - how many holds there were, and how long the longest were
 * @result: receives one JSON object without newline
 * @size: size of @result
 *
 * "longest" is the most pages that one hold moved, "run" the most that holds moved
 * while interrupts stayed off. "scale" is CONFIG_PCP_BATCH_SCALE_MAX.
 *
 * Context: Any.
 * Return: 0, or -EOPNOTSUPP without CONFIG_PCP_PROBE.
 */
int pcp_counts_holds(char *result, size_t size);

/**
 * pcp_counts_pauses() - how many pauses a task could have moved in, and did
 * @result: receives one JSON object without newline
 * @size: size of @result
 *
 * Context: Any.
 * Return: As pcp_counts_holds().
 */
int pcp_counts_pauses(char *result, size_t size);

/**
 * pcp_counts_reset() - count from zero
 *
 * Context: Any. A CPU that counts at the same moment may keep an old figure.
 */
void pcp_counts_reset(void);

#else

static inline int pcp_counts_holds(char *result, size_t size)
{
	return -EOPNOTSUPP;
}

static inline int pcp_counts_pauses(char *result, size_t size)
{
	return -EOPNOTSUPP;
}

static inline void pcp_counts_reset(void)
{
}

#endif

#endif /* _MM_PCP_BENCH_COUNTS_H */
