// SPDX-License-Identifier: GPL-2.0-only
/* The marker functions. Nothing may inline, clone or patch them: their addresses are the marks. */
#include <linux/compiler.h>
#include <linux/processor.h>

#include "mark.h"

/* Turns of cpu_relax(): an emulator leaves its translated code at each and attends to requests. */
#define MARK_ARM_TURNS	256

static int mark_region = -1;

noinline notrace void pcp_mark_arm(void)
{
	for (int i = 0; i < MARK_ARM_TURNS; i++)
		cpu_relax();
}

noinline notrace void pcp_mark_begin(void)
{
	WRITE_ONCE(mark_region, mark_region + 1);
}

/* The empty statement keeps the function, and its symbol, from being folded into another. */
noinline notrace void pcp_mark_end(void)
{
	asm volatile("" : : : "memory");
}

int pcp_mark_region(void)
{
	return READ_ONCE(mark_region);
}
