/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where in the kernel the tracker's events happen, found in its symbol table. */
#ifndef PCPMETER_KERNEL_H
#define PCPMETER_KERNEL_H

#include <stdbool.h>

#include "elfsyms.h"
#include "tracker.h"

struct range {
	uint64_t start, end;	/* end is exclusive */
};

enum place_kind {
	PLACE_NONE,
	PLACE_ARM, PLACE_BEGIN, PLACE_END,
	PLACE_IRQ, PLACE_SYSCALL, PLACE_NMI, PLACE_NMI_REPEAT,
	PLACE_EXCEPTION, PLACE_EXCEPTION_CODE, PLACE_INT3,
	PLACE_TO_USER, PLACE_TO_KERNEL,
	PLACE_HOLD,		/* PLACE_HOLD + enum hold */
};

#define PLACES_MAX	256

struct place {
	uint64_t addr;
	int kind;
};

struct kernel {
	struct elfsyms syms;
	struct range entry, nmi, stubs, spurious, begin, markers;	/* markers: around all three */
	struct place place[PLACES_MAX];	/* sorted by address */
	unsigned int nr_places;
};

/**
 * kernel_open() - read what the plugin must know about a kernel
 * @k: filled in
 * @path: its unstripped vmlinux
 * @err: receives one line of text on failure
 * @size: size of @err
 *
 * Return: 0, or -1 for a file that cannot be read or a kernel that cannot be followed.
 */
int kernel_open(struct kernel *k, const char *path, char *err, size_t size);

/**
 * kernel_place() - what happens at an instruction because of its address
 * @k: kernel
 * @addr: virtual address
 *
 * Return: enum place_kind, PLACE_HOLD + enum hold for a landmark of a hold.
 */
int kernel_place(const struct kernel *k, uint64_t addr);

static inline bool range_has(const struct range *r, uint64_t addr)
{
	return addr >= r->start && addr < r->end;
}

#endif
