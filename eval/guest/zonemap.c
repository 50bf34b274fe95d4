// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads and judges the zones of /proc/zoneinfo. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "zonemap.h"

static int normal_number(const char *name)
{
	if (strncmp(name, "Normal", 6))
		return 0;
	return name[6] ? atoi(name + 6) : 1;
}

static struct zone_facts *zone_begin(struct zonemap *map, int node, const char *name)
{
	struct zone_facts *z, *last = map->n ? &map->zone[map->n - 1] : NULL;

	if (map->n == ZONEMAP_MAX_ZONES)
		return NULL;
	z = &map->zone[map->n++];
	*z = (struct zone_facts){ .node = node, .normal = normal_number(name) };
	snprintf(z->name, sizeof(z->name), "%s", name);
	if (last && last->node == node)
		z->type = last->type + 1;
	return z;
}

static void take_protection(struct zone_facts *z, const char *list)
{
	char *end;

	for (int i = 0; i < ZONEMAP_MAX_TYPES; i++) {
		z->holds_back[i] = strtol(list, &end, 10);
		if (end == list)
			return;
		list = end + strspn(end, ", ");
	}
}

static void take_line(struct zone_facts *z, const char *line)
{
	const struct { const char *key; long *value; } wanted[] = {
		{ "pages free", &z->free }, { "spanned", &z->spanned }, { "present", &z->present },
		{ "managed", &z->managed }, { "cma", &z->cma }, { "start_pfn:", &z->start },
	};

	line += strspn(line, " ");
	if (!strncmp(line, "protection: (", 13))
		take_protection(z, line + 13);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		size_t len = strlen(wanted[i].key);

		if (!strncmp(line, wanted[i].key, len) && line[len] == ' ')
			*wanted[i].value = atol(line + len);
	}
}

int zonemap_parse(struct zonemap *map, const char *text)
{
	struct zone_facts *z = NULL;
	char line[160], name[16];
	bool memory = false;
	int node;

	map->n = 0;
	while (*text) {
		size_t len = strcspn(text, "\n");

		snprintf(line, sizeof(line), "%.*s", (int)len, text);
		if (sscanf(line, "Node %d, zone %15s", &node, name) == 2)
			z = zone_begin(map, node, name);
		else if (z)
			take_line(z, line);
		text += len + (text[len] == '\n');
	}
	for (size_t i = 0; i < map->n; i++)
		memory |= map->zone[i].present > 0;
	return memory ? 0 : -1;
}

static const struct zone_facts *normal_of(const struct zonemap *map, int node, int number)
{
	for (size_t i = 0; i < map->n; i++)
		if (map->zone[i].node == node && map->zone[i].normal == number)
			return &map->zone[i];
	return NULL;
}

static long normal_sum(const struct zonemap *map, int node, bool cma)
{
	long sum = 0;

	for (size_t i = 0; i < map->n; i++)
		if (map->zone[i].node == node && map->zone[i].normal)
			sum += cma ? map->zone[i].cma : map->zone[i].present;
	return sum;
}

static bool wrong(char *why, size_t size, const struct zone_facts *z, const char *what)
{
	snprintf(why, size, "zone %s of node %d (start %ld, spanned %ld, present %ld) %s", z->name, z->node,
		 z->start, z->spanned, z->present, what);
	return false;
}

/* @z follows @below without a gap, and the boundary is one of memory blocks. */
static bool judge_boundary(const struct zone_facts *below, const struct zone_facts *z, long align,
			   char *why, size_t size)
{
	if (below->start + below->spanned > z->start)
		return wrong(why, size, z, "begins inside the zone below it");
	if (below->start + below->spanned < z->start)
		return wrong(why, size, z, "leaves a gap to the zone below it");
	if (z->start % align)
		return wrong(why, size, z, "does not begin at a memory block");
	return true;
}

static bool holds_back_for_normal(const struct zonemap *map, const struct zone_facts *z)
{
	for (size_t i = 0; i < map->n; i++)
		if (map->zone[i].node == z->node && map->zone[i].normal && z->holds_back[map->zone[i].type])
			return true;
	return false;
}

/*
 * A boundary is half a block off at most, and so a zone one block larger or smaller than its share. To leave
 * out an area of CMA it may be off by as much again as that has pages.
 */
static bool judge_size(const struct zonemap *map, const struct zone_facts *z, int want, long align,
		       char *why, size_t size)
{
	long share = normal_sum(map, z->node, false) / want;

	if (labs(z->present - share) > align + normal_sum(map, z->node, true))
		return wrong(why, size, z, "is no near-equal share of the node's normal memory");
	if (z->managed <= 0 || z->managed > z->present)
		return wrong(why, size, z, "does not manage its memory");
	return true;
}

static bool judge_number(const struct zonemap *map, int node, int want, char *why, size_t size)
{
	for (int i = 1; i <= want; i++) {
		const struct zone_facts *z = normal_of(map, node, i);

		if (z && z->present)
			continue;
		snprintf(why, size, "node %d has no normal zone number %d, and should have %d", node, i, want);
		return false;
	}
	if (!normal_of(map, node, want + 1))
		return true;
	snprintf(why, size, "node %d has more than %d normal zones", node, want);
	return false;
}

static bool judge_node(const struct zonemap *map, int node, int want, long align, char *why, size_t size)
{
	const struct zone_facts *below = NULL;

	if (!judge_number(map, node, want, why, size))
		return false;
	for (int i = 1; i <= want; i++) {
		const struct zone_facts *z = normal_of(map, node, i);

		if (below && !judge_boundary(below, z, align, why, size))
			return false;
		if (holds_back_for_normal(map, z))
			return wrong(why, size, z, "holds back pages for a normal zone");
		if (!judge_size(map, z, want, align, why, size))
			return false;
		below = z;
	}
	return true;
}

bool zonemap_judge(const struct zonemap *map, int want, long align, char *why, size_t size)
{
	int judged = 0;

	for (size_t i = 0; i < map->n; i++) {
		if (map->zone[i].normal != 1 || !normal_sum(map, map->zone[i].node, false))
			continue;
		if (!judge_node(map, map->zone[i].node, want, align, why, size))
			return false;
		judged++;
	}
	if (!judged)
		snprintf(why, size, "no node has normal memory");
	return judged;
}

const struct zone_facts *zonemap_same(const struct zonemap *a, const struct zonemap *b)
{
	for (size_t i = 0; i < a->n; i++) {
		const struct zone_facts *x = &a->zone[i], *y = &b->zone[i];

		if (i >= b->n || x->start != y->start || x->spanned != y->spanned || x->present != y->present)
			return x;
	}
	return NULL;
}

const struct zone_facts *zonemap_at(const struct zonemap *map, int node, long start, long pages)
{
	const struct zone_facts *found = NULL;

	for (size_t i = 0; i < map->n; i++) {
		const struct zone_facts *z = &map->zone[i];

		if (z->node != node || !z->present || z->start >= start + pages || z->start + z->spanned <= start)
			continue;
		if (found)
			return NULL;
		found = z;
	}
	return found;
}
