/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Regions of interest, marked for an instrument outside the machine (eval/FORMATS.md).
 *
 * The instrument finds the three marker functions by their names in the symbol table. Regions do
 * not nest; callers serialize them. A region begins and ends with interrupts on.
 */
#ifndef _MM_PCP_BENCH_MARK_H
#define _MM_PCP_BENCH_MARK_H

#include <linux/types.h>

/**
 * pcp_mark_arm() - ask the instrument to get ready for a region
 *
 * What runs between this and pcp_mark_begin() is instrumented already, but not counted: the place
 * for a warm-up.
 *
 * Context: any, interrupts on.
 */
void pcp_mark_arm(void);

/**
 * pcp_mark_begin() - start a region with the instruction after the return
 *
 * Context: interrupts on, after pcp_mark_arm(), no region open.
 */
void pcp_mark_begin(void);

/**
 * pcp_mark_end() - end the open region; the call is its last instruction
 *
 * Context: interrupts on, a region open.
 */
void pcp_mark_end(void);

/**
 * pcp_mark_region() - which region was begun last
 *
 * Context: any; the caller serializes against pcp_mark_begin().
 * Return: its number, counted from 0; -1 before the first.
 */
int pcp_mark_region(void);

/**
 * pcp_calibrate() - make interrupts-off sections and other countable things of known size
 * @name: which kind, see calibrate.c
 * @result: receives one JSON object without newline, of the form
 *	{"name":"cli","region":0,"error":null,"expect":{"irqoff_max":[100002,100002]}}
 *	where `expect` bounds, both inclusive, what an instrument must report for that region
 * @size: size of @result
 *
 * Context: process context of a task with user memory, interrupts on, no region open.
 * Return: 0, -EINVAL for an unknown @name, -ENODEV when this machine cannot do it, another
 * negative error when a step failed; @result is not touched then.
 */
int pcp_calibrate(const char *name, char *result, size_t size);

/**
 * pcp_trouble() - let this kernel go wrong, to see whether that is noticed
 * @name: "warn", "oops", "interrupt" (an oops in one), "panic", "stall" (an RCU reader of 5 s) or
 *	"hang" (interrupts off for ever)
 *
 * Context: process context, interrupts on.
 * Return: 0 if the kernel survived it, -EINVAL for an unknown @name.
 */
int pcp_trouble(const char *name);

#endif
