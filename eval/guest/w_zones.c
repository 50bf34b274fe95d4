// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * zones: is each node's normal memory shared out among as many zones as the kernel was built for, and
 * does what knows zones agree? One part in each job, so that each has a record of its own.
 */
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "guest.h"
#include "sys.h"
#include "zonemap.h"

#define BLOCKS		"/sys/devices/system/memory"
#define AREAS		"/sys/kernel/debug/cma"
#define PROBE_PAGES	MB_PAGES(64)	/* many times what a list takes at once */
#define MAX_NORMAL	4
#define MAX_NODES	8

/* What stays the same while a part runs. */
struct zones {
	struct result *res;
	int want;		/* normal zones in each node */
	long align;		/* pages of a memory block */
	struct zonemap boot;	/* as it was at the start */
};

/* The first word of a file, "" when there is none. */
static const char *read_word(const char *path, char *word, size_t size)
{
	size_t len;
	char *text = read_file(path, &len);

	snprintf(word, size, "%.*s", text ? (int)strcspn(text, " \n") : 0, text ? text : "");
	free(text);
	return word;
}

static long read_number(const char *path, int base)
{
	char word[32];

	return strtol(read_word(path, word, sizeof(word)), NULL, base);
}

static int read_map(struct zones *z, struct zonemap *map)
{
	size_t len;
	char *text = read_file("/proc/zoneinfo", &len);
	int err = zonemap_parse(map, text ? text : "");

	free(text);
	return err ? result_fail(z->res, "/proc/zoneinfo shows no zone with memory") : 0;
}

/* The counter @prefix@name, -1 when there is none. */
static long counter(const char *prefix, const char *name)
{
	char key[64];

	snprintf(key, sizeof(key), "%s%s", prefix, name);
	return sys_read_field("/proc/vmstat", key);
}

/* ---- Part 1: layout ---- */

static int node_of_block(long nr)
{
	char path[128];

	for (int node = 0; node < MAX_NODES; node++) {
		snprintf(path, sizeof(path), BLOCKS "/memory%ld/node%d", nr, node);
		if (!access(path, F_OK))
			return node;
	}
	return 0;
}

static char *block_path(char *path, size_t size, long nr, const char *file)
{
	snprintf(path, size, BLOCKS "/memory%ld/%s", nr, file);
	return path;
}

/* Is the kernel of the same opinion as /proc/zoneinfo about the zone that a block is in? */
static int check_block(struct zones *z, const struct zonemap *map, long nr)
{
	const struct zone_facts *zone = zonemap_at(map, node_of_block(nr), nr * z->align, z->align);
	char path[128], word[32];

	if (!zone)
		return result_fail(z->res, "memory block %ld is in no zone of its node, or in several", nr);
	read_word(block_path(path, sizeof(path), nr, "valid_zones"), word, sizeof(word));
	if (strcmp(word, zone->name))
		return result_fail(z->res, "memory block %ld is in the span of zone %s, but the kernel says '%s'", nr,
				   zone->name, word);
	return 0;
}

static int check_blocks(struct zones *z)
{
	DIR *dir = opendir(BLOCKS);
	struct dirent *e;
	long nr, blocks = 0;
	int ret = 0;

	while (!ret && dir && (e = readdir(dir))) {
		if (sscanf(e->d_name, "memory%ld", &nr) != 1)
			continue;
		blocks++;
		ret = check_block(z, &z->boot, nr);
	}
	if (dir)
		closedir(dir);
	result_metric(z->res, "blocks", blocks);
	return ret;
}

static int layout(struct zones *z)
{
	char why[200];

	if (!zonemap_judge(&z->boot, z->want, z->align, why, sizeof(why)))
		return result_fail(z->res, "%s", why);
	return check_blocks(z);
}

/* ---- Part 2: spread ---- */

/* A list may hold many times what one probe takes, and then no zone would seem to give anything. */
static int empty_lists(struct zones *z)
{
	char answer[DEVICE_ANSWER_MAX];

	if (device_command(answer, sizeof(answer), "drain"))
		return result_fail(z->res, "cannot empty the lists: %.100s", answer);
	return 0;
}

/* The normal zone that this process' pages come from on @cpu, NULL (reason given) when it is not one. */
static const struct zone_facts *preferred(struct zones *z, unsigned int cpu)
{
	struct zonemap before, after;
	size_t most = 0;
	char *mem;

	if (pin_to_cpu(cpu) || empty_lists(z) || read_map(z, &before))
		return NULL;
	mem = touch_pages(PROBE_PAGES);
	if (!mem || read_map(z, &after))
		return NULL;
	munmap(mem, PROBE_PAGES * GUEST_PAGE);
	for (size_t i = 0; i < after.n; i++)
		if (before.zone[i].free - after.zone[i].free > before.zone[most].free - after.zone[most].free)
			most = i;
	if (before.zone[most].free - after.zone[most].free < PROBE_PAGES * 3 / 4) {
		result_fail(z->res, "of %ld pages that CPU %u took no zone gave three quarters", PROBE_PAGES, cpu);
		return NULL;
	}
	if (z->boot.zone[most].normal)
		return &z->boot.zone[most];
	result_fail(z->res, "CPU %u gets pages of zone %s", cpu, z->boot.zone[most].name);
	return NULL;
}

/* The CPUs of a node take turns at its normal zones, so no zone has two more of them than another. */
static int check_turns(struct zones *z, int node, const int *cpus)
{
	for (int i = 0; i < z->want; i++)
		for (int j = 0; j < z->want; j++)
			if (cpus[i] > cpus[j] + 1)
				return result_fail(z->res, "in node %d %d CPUs prefer normal zone %d, and %d zone %d",
						   node, cpus[i], i + 1, cpus[j], j + 1);
	return 0;
}

static int spread(struct zones *z)
{
	int cpus[MAX_NODES][MAX_NORMAL] = { 0 };
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	for (long cpu = 0; cpu < online; cpu++) {
		const struct zone_facts *zone = preferred(z, cpu);
		unsigned int node;

		if (!zone)
			return z->res->reason[0] ? -1 : result_fail(z->res, "cannot take pages on CPU %ld", cpu);
		if (getcpu(NULL, &node) || zone->node != (int)node)
			return result_fail(z->res, "CPU %ld of node %u gets pages of node %d", cpu, node, zone->node);
		if (zone->node >= MAX_NODES)
			return result_skip(z->res, "there are more than %d nodes", MAX_NODES);
		cpus[zone->node][zone->normal - 1]++;
	}
	for (int node = 0; node < MAX_NODES; node++)
		if (check_turns(z, node, cpus[node]))
			return -1;
	return 0;
}

/* ---- Part 3: names ---- */

static const char *lower_name(int number)
{
	static const char *const names[] = { "normal", "normal2", "normal3", "normal4", "normal5" };

	return names[number - 1];
}

/* Texts and counters are two lists in the kernel: both have to name the zones, in the same order. */
static int check_names(struct zones *z, const char *prefix)
{
	size_t len;
	char *text = read_file("/proc/vmstat", &len), *at, key[64];
	int ret = 0;

	for (int i = 1; !ret && i <= z->want + 1; i++) {
		snprintf(key, sizeof(key), "\n%s%s ", prefix, lower_name(i));
		at = text ? strstr(text, key) : NULL;
		if (!!at == (i > z->want))
			ret = result_fail(z->res, "/proc/vmstat has %s%s%s, with %d normal zones in each node",
					  at ? "" : "no ", prefix, lower_name(i), z->want);
	}
	free(text);
	return ret;
}

/* Kernel memory, counted under the name of the zone that gave it. */
static int check_counter(struct zones *z, unsigned int cpu)
{
	const struct zone_facts *zone = preferred(z, cpu);
	long before, rise;

	if (!zone)
		return z->res->reason[0] ? -1 : result_fail(z->res, "cannot take pages on CPU %u", cpu);
	before = counter("pgalloc_", lower_name(zone->normal));
	if (device_run(z->res, "burst size=600 n=20"))
		return -1;
	rise = counter("pgalloc_", lower_name(zone->normal)) - before;
	if (rise < 600 * 20)
		return result_fail(z->res, "CPU %u took %d pages in the kernel, and pgalloc_%s rose by %ld", cpu,
				   600 * 20, lower_name(zone->normal), rise);
	return 0;
}

/* A counter behind those of zones: it is right only when there are as many texts as counters before it. */
static int check_step(struct zones *z)
{
	long before = counter("pgfault", ""), rise;
	char *mem = touch_pages(PROBE_PAGES);

	rise = counter("pgfault", "") - before;
	if (!mem || rise < PROBE_PAGES || rise > PROBE_PAGES + PROBE_PAGES / 4)
		return result_fail(z->res, "%ld pages were touched, and pgfault rose by %ld", PROBE_PAGES, rise);
	munmap(mem, PROBE_PAGES * GUEST_PAGE);
	return 0;
}

static int names(struct zones *z)
{
	static const char *const prefixes[] = { "pgalloc_", "allocstall_", "pgskip_" };
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	int ret = 0;

	for (size_t i = 0; !ret && i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		ret = check_names(z, prefixes[i]);
	for (long cpu = 0; !ret && cpu < online; cpu++)
		ret = check_counter(z, cpu);
	return ret ? ret : check_step(z);
}

/* ---- Part 4: memory blocks go, and come back ---- */

static int set_block(long nr, const char *state)
{
	char path[128];

	return sys_write(block_path(path, sizeof(path), nr, "state"), state);
}

/* A block that left zone @from for @to, or went offline (NULL), took its pages along, and nobody else's. */
static int check_moved(struct zones *z, long nr, const struct zone_facts *from, const struct zone_facts *to)
{
	struct zonemap now;

	if (read_map(z, &now))
		return -1;
	for (size_t i = 0; i < now.n; i++) {
		const struct zone_facts *was = &z->boot.zone[i];
		long gain = now.zone[i].present - was->present;

		if (gain != (was == to ? z->align : 0) - (was == from ? z->align : 0))
			return result_fail(z->res, "block %ld left zone %s for %s, and zone %s of node %d gained %ld pages",
					   nr, from->name, to ? to->name : "offline", was->name, was->node,
					   gain);
	}
	return 0;
}

static int check_back(struct zones *z, long nr, const struct zone_facts *zone, const char *how)
{
	const struct zone_facts *differs;
	char path[128], word[32];
	struct zonemap now;
	int err = set_block(nr, how);

	if (err)
		return result_fail(z->res, "memory block %ld does not come back by '%s': %s", nr, how, strerror(-err));
	read_word(block_path(path, sizeof(path), nr, "valid_zones"), word, sizeof(word));
	if (strcmp(word, zone->name))
		return result_fail(z->res, "memory block %ld of zone %s came back by '%s' to zone %s", nr, zone->name,
				   how, word);
	if (read_map(z, &now))
		return -1;
	differs = zonemap_same(&z->boot, &now);
	if (differs)
		return result_fail(z->res, "after memory block %ld came back by '%s', zone %s of node %d lies elsewhere",
				   nr, how, differs->name, differs->node);
	return 0;
}

static const struct zone_facts *movable_of(const struct zones *z, int node)
{
	for (size_t i = 0; i < z->boot.n; i++)
		if (z->boot.zone[i].node == node && !strcmp(z->boot.zone[i].name, "Movable"))
			return &z->boot.zone[i];
	return NULL;
}

/* To ZONE_MOVABLE and from there to its own zone again. */
static int detour(struct zones *z, long nr, const struct zone_facts *zone)
{
	int err = set_block(nr, "offline");

	if (!err)
		err = set_block(nr, "online_movable");
	if (err)
		return result_fail(z->res, "memory block %ld cannot go to zone Movable: %s", nr, strerror(-err));
	if (check_moved(z, nr, zone, movable_of(z, zone->node)))
		return -1;
	err = set_block(nr, "offline");
	if (err)
		return result_fail(z->res, "memory block %ld cannot leave zone Movable: %s", nr, strerror(-err));
	return check_back(z, nr, zone, "online_kernel");
}

static int round_trip(struct zones *z, long nr, const struct zone_facts *zone)
{
	if (check_moved(z, nr, zone, NULL) || check_back(z, nr, zone, "online"))
		return -1;
	return detour(z, nr, zone);
}

/*
 * One block of each zone, as near to the boundary with a sibling as one can go offline: a zone shrinks
 * when its outermost block goes, and must still get it back.
 */
static int trip_in_zone(struct zones *z, const struct zone_facts *zone)
{
	long first = (zone->start + z->align - 1) / z->align;
	long end = (zone->start + zone->spanned) / z->align;
	bool down = zone->normal < z->want;

	for (long i = 0; i < end - first; i++) {
		long nr = down ? end - 1 - i : first + i;

		if (set_block(nr, "offline"))
			continue;
		result_metric(z->res, zone->normal == 1 ? "from_boundary" : "from_boundary_others", i);
		return round_trip(z, nr, zone);
	}
	return result_fail(z->res, "no memory block of zone %s of node %d can go offline", zone->name, zone->node);
}

static int blocks(struct zones *z)
{
	if (access(BLOCKS, F_OK))
		return result_skip(z->res, "no memory blocks: build the kernel with CONFIG_MEMORY_HOTPLUG=y");
	for (size_t i = 0; i < z->boot.n; i++)
		if (z->boot.zone[i].normal && z->boot.zone[i].present && trip_in_zone(z, &z->boot.zone[i]))
			return -1;
	return 0;
}

/* ---- Part 5: areas of CMA ---- */

static const struct zone_facts *zone_of_area(const struct zones *z, long base, long pages)
{
	const struct zone_facts *zone = NULL;

	for (int node = 0; !zone && node < MAX_NODES; node++)
		zone = zonemap_at(&z->boot, node, base, pages);
	return zone;
}

static char *area_path(char *path, size_t size, const char *area, const char *file)
{
	/* Names of areas have at most 63 characters. */
	snprintf(path, size, AREAS "/%.63s/%s", area, file);
	return path;
}

static int take_area(struct zones *z, const char *area, long pages)
{
	char path[128];
	long used;
	int err;

	err = sys_write_long(area_path(path, sizeof(path), area, "alloc"), pages);
	if (err)
		return result_fail(z->res, "cannot have the %ld pages of CMA area %.63s: %s", pages, area,
				   strerror(-err));
	used = read_number(area_path(path, sizeof(path), area, "used"), 10);
	if (used != pages)
		return result_fail(z->res, "CMA area %.63s says that %ld of %ld pages are used", area, used, pages);
	err = sys_write_long(area_path(path, sizeof(path), area, "free"), pages);
	return err ? result_fail(z->res, "cannot give back CMA area %.63s: %s", area, strerror(-err)) : 0;
}

static int check_area(struct zones *z, const char *area)
{
	const struct zone_facts *zone;
	char path[128];
	long base, pages;

	base = read_number(area_path(path, sizeof(path), area, "base_pfn"), 10);
	pages = read_number(area_path(path, sizeof(path), area, "count"), 10);
	zone = zone_of_area(z, base, pages);
	if (!zone || zone->cma < pages)
		return result_fail(z->res, "CMA area %.63s (start %ld, %ld pages) is not in one zone", area, base,
				   pages);
	return take_area(z, area, pages);
}

static int cma(struct zones *z)
{
	DIR *dir = opendir(AREAS);
	struct dirent *e;
	int ret = 0, n = 0;

	while (!ret && dir && (e = readdir(dir))) {
		if (e->d_name[0] == '.')
			continue;
		ret = check_area(z, e->d_name);
		n++;
	}
	if (dir)
		closedir(dir);
	if (!n)
		return result_skip(z->res, "no area of CMA: boot with cma=64M, a kernel with CONFIG_CMA_DEBUGFS=y");
	return ret;
}

static int check_nodes(struct zones *z, long want)
{
	long nodes = 0;

	for (size_t i = 0; i < z->boot.n; i++)
		nodes += z->boot.zone[i].normal == 1 && z->boot.zone[i].present;
	if (want && nodes != want)
		return result_fail(z->res, "%ld nodes have normal memory, and %ld should", nodes, want);
	return 0;
}

static int prepare(struct zones *z)
{
	char answer[DEVICE_ANSWER_MAX];
	int err = device_command(answer, sizeof(answer), "design");
	json_t *design = err ? NULL : json_loads(answer, 0, NULL);

	z->want = json_integer_value(json_object_get(design, "zones"));
	json_decref(design);
	if (!z->want)
		return result_skip(z->res, "no number of zones to expect: build the kernel with CONFIG_PCP_BENCH=y");
	/* The file has bytes, in hexadecimal; without blocks memory is carved in sections. */
	z->align = read_number(BLOCKS "/block_size_bytes", 16) / GUEST_PAGE;
	if (!z->align)
		z->align = MB_PAGES(128);
	return read_map(z, &z->boot);
}

static int run(struct job *job, struct result *res)
{
	static int (*const parts[])(struct zones *z) = { layout, spread, names, blocks, cma };
	struct zones *z = calloc(1, sizeof(*z));
	int ret;

	if (!z)
		return result_fail(res, "no memory");
	z->res = res;
	ret = prepare(z);
	if (!ret)
		ret = check_nodes(z, job_param(job, "nodes"));
	if (!ret)
		ret = parts[job_param(job, "part") - 1](z);
	free(z);
	return ret;
}

GUEST_WORKLOAD(zones, run);
