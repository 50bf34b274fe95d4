// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the sizes of the per-CPU lists out of /proc/zoneinfo. */
#include <stdio.h>
#include <string.h>

#include "guest.h"

/* What is known of the zone being read: the figures of CPU 0 stand for all. */
struct zone_state {
	json_t *zone;		/* NULL before the first header */
	int cpu;		/* -1 outside the pagesets */
};

static void zone_finish(json_t *zones, struct zone_state *state)
{
	/* A zone without memory has no lists: it has no batch, and is left out. */
	if (state->zone && json_object_get(state->zone, "batch"))
		json_array_append(zones, state->zone);
	json_decref(state->zone);
	state->zone = NULL;
	state->cpu = -1;
}

static void zone_line(json_t *zones, struct zone_state *state, const char *line)
{
	static const char *const keys[] = { "high", "batch", "high_min", "high_max" };
	char name[24], key[24];
	long value;
	int node;

	if (sscanf(line, "Node %d, zone %23s", &node, name) == 2) {
		zone_finish(zones, state);
		state->zone = json_pack("{s:i, s:s}", "node", node, "zone", name);
		return;
	}
	if (!state->zone || sscanf(line, " %23[a-z_]: %ld", key, &value) != 2)
		return;
	if (!strcmp(key, "cpu"))
		state->cpu = value;
	for (size_t i = 0; state->cpu == 0 && i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!strcmp(key, keys[i]))
			json_object_set_new(state->zone, key, json_integer(value));
}

/**
 * zoneinfo_json() - the zones that have memory, with the sizes of CPU 0's lists
 * @text: contents of /proc/zoneinfo
 *
 * Linux 6.12 prints `high` and `batch`; `high_min` and `high_max` are taken where they are printed.
 *
 * Return: a new array of objects as in eval/FORMATS.md; empty when @text holds no zone.
 */
json_t *zoneinfo_json(const char *text)
{
	struct zone_state state = { NULL, -1 };
	json_t *zones = json_array();
	char line[128];

	while (*text) {
		size_t len = strcspn(text, "\n");

		snprintf(line, sizeof(line), "%.*s", (int)(len < 127 ? len : 127), text);
		zone_line(zones, &state, line);
		text += len + (text[len] == '\n');
	}
	zone_finish(zones, &state);
	return zones;
}

/**
 * zoneinfo_sum() - add up one figure of a CPU's lists over all zones
 * @text: contents of /proc/zoneinfo
 * @cpu: the CPU
 * @key: the figure: "count", "high" or "batch"
 *
 * Return: the sum, -1 when no zone has such a figure.
 */
long zoneinfo_sum(const char *text, long cpu, const char *key)
{
	long sum = -1, at = -1, value, number;
	char found[24];

	for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
		if (sscanf(text, "Node %ld, zone", &number) == 1)
			at = -1;
		else if (sscanf(text, " %23[a-z_]: %ld", found, &value) != 2)
			continue;
		else if (!strcmp(found, "cpu"))
			at = value;
		else if (at == cpu && !strcmp(found, key))
			sum = sum < 0 ? value : sum + value;
	}
	return sum;
}
