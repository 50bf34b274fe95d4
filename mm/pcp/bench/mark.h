/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _MM_PCP_BENCH_MARK_H
#define _MM_PCP_BENCH_MARK_H

#include <linux/types.h>

void pcp_mark_arm(void);
void pcp_mark_begin(void);
void pcp_mark_end(void);

/* The number of the region last begun, counted from 0; -1 before the first. */
int pcp_mark_region(void);

int pcp_calibrate(const char *name, char *result, size_t size);

#endif
