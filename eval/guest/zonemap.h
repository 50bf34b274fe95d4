/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The zones of the running kernel, as /proc/zoneinfo tells them, and what has to be true of them. */
#ifndef PCPLAB_ZONEMAP_H
#define PCPLAB_ZONEMAP_H

#include <stdbool.h>
#include <stddef.h>

#define ZONEMAP_MAX_ZONES	64	/* of all nodes together */
#define ZONEMAP_MAX_TYPES	8	/* of zones in one node: the kernel has three bits for them */

/* All sizes in pages. Zones without memory have no start. */
struct zone_facts {
	char name[16];
	int node;
	int type;		/* place among the zones of its node, from 0 */
	int normal;		/* 1, 2 ... for Normal, Normal2 ..., 0 for other zones */
	long start, spanned, present, managed, cma, free;
	long holds_back[ZONEMAP_MAX_TYPES];	/* from requests that may go as high as this type */
};

struct zonemap {
	size_t n;
	struct zone_facts zone[ZONEMAP_MAX_ZONES];
};

/**
 * zonemap_parse() - read the zones
 * @map: receives them, in the kernel's order; those beyond ZONEMAP_MAX_ZONES are dropped
 * @text: contents of /proc/zoneinfo
 *
 * Return: 0, or -1 when @text has no zone with memory.
 */
int zonemap_parse(struct zonemap *map, const char *text);

/**
 * zonemap_judge() - is the normal memory of each node carved up as it should be?
 * @map: the zones, none of whose memory is offline
 * @want: normal zones that each node has to have
 * @align: pages of a memory block, the unit in which memory is carved
 * @why: receives what is wrong
 * @size: bytes at @why
 *
 * The zones have to be there, in order, side by side, of about the same size, with boundaries between memory
 * blocks, and none may hold back pages for another. Nodes without normal memory are passed over.
 *
 * Return: true when all is well.
 */
bool zonemap_judge(const struct zonemap *map, int want, long align, char *why, size_t size);

/**
 * zonemap_same() - does each zone lie where it lay, with as many pages?
 * @a: the zones at one time
 * @b: the zones at another
 *
 * Return: the first zone of @a for which it does not, NULL when there is none.
 */
const struct zone_facts *zonemap_same(const struct zonemap *a, const struct zonemap *b);

/**
 * zonemap_at() - find the zone that a range of page frames is in
 * @map: the zones
 * @node: the node whose zones are looked at
 * @start: first page frame
 * @pages: their number
 *
 * Return: the only zone of @node that has a part of the range in its span; NULL when there is none, or
 * more than one.
 */
const struct zone_facts *zonemap_at(const struct zonemap *map, int node, long start, long pages);

#endif
