// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Activities that take memory away, and bring it back. The module's memory becomes movable, so that
 * it can go; with it the zone that it makes appears and disappears.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stress.h"

#define MEMORY_DIR	"/sys/devices/system/memory"
/* QEMU puts modules above 4 GB, and the guest has less than that without. */
#define MODULE_AT	(4ull << 30)
#define ANSWER_SECS	10
#define ASKS		4

static long first_block(void)
{
	static long first;
	size_t len;
	char *text;

	if (first)
		return first;
	text = read_file(MEMORY_DIR "/block_size_bytes", &len);
	if (text && strtoull(text, NULL, 16))
		first = MODULE_AT / strtoull(text, NULL, 16);
	free(text);
	return first;
}

static void ask(const struct stress *s, const char *what)
{
	emit_line(json_pack("{s:s, s:i, s:s}", "type", "ask", "index", (int)s->job->index, "do", what));
}

/* Not by the files of sysfs: see mm/pcp/bench/blocks.c. */
static int block_set(long block, const char *state)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/kernel/debug/pcp_block_%s", state);
	return sys_write_long(path, block);
}

static bool module_there(void)
{
	long block;

	return !sys_find(MEMORY_DIR, "memory", first_block(), &block);
}

/*
 * Ask for it until it is so. The machine is not ready for the next request the moment that the last
 * block has gone, and a module that fails to go comes back.
 */
static bool move_module(struct stress *s, const char *what, bool there)
{
	for (int i = 0; i < ASKS && !stress_stopped(s); i++) {
		double end = sys_now() + ANSWER_SECS;

		ask(s, what);
		while (sys_now() < end) {
			if (module_there() == there)
				return true;
			sys_sleep_ms(50);
		}
		stress_count(&s->refused[ACT_DIMM], 1);
	}
	return module_there() == there;
}

int stress_dimm_able(const struct stress *s, struct result *res)
{
	(void)s;
	if (!first_block() || sys_write(MEMORY_DIR "/auto_online_blocks", "online_movable"))
		return result_fail(res, "this kernel cannot hotplug memory: it needs CONFIG_MEMORY_HOTPLUG=y");
	if (access("/sys/kernel/debug/pcp_block_offline", W_OK))
		return result_fail(res, "blocks cannot go offline here: the kernel needs CONFIG_PCP_PROBE=y");
	return 0;
}

void stress_dimm(struct stress *s, unsigned int nr, uint64_t *random)
{
	(void)nr;
	while (!stress_stopped(s)) {
		if (!move_module(s, "plug", true))
			continue;
		stress_count(&s->done[ACT_DIMM], 1);
		sys_sleep_ms(1000 + sys_random(random) % 3000);
		if (move_module(s, "unplug", false))
			stress_count(&s->unplugged, 1);
		sys_sleep_ms(500);
	}
	/* The balance is about the same memory as before. */
	for (int i = 0; i < 2 * ASKS && module_there(); i++) {
		ask(s, "unplug");
		for (int k = 0; k < 10 * ANSWER_SECS && module_there(); k++)
			sys_sleep_ms(100);
		if (!module_there())
			stress_count(&s->unplugged, 1);
	}
}

void stress_block(struct stress *s, unsigned int nr, uint64_t *random)
{
	(void)nr;
	while (!stress_stopped(s)) {
		long block;

		sys_sleep_ms(sys_random(random) % 200);
		if (sys_find(MEMORY_DIR, "memory", first_block() + sys_random(random) % 2, &block))
			continue;
		if (block_set(block, "offline")) {
			stress_count(&s->refused[ACT_BLOCK], 1);
			continue;
		}
		stress_count(&s->done[ACT_BLOCK], 1);
		sys_sleep_ms(sys_random(random) % 200);
		block_set(block, "online");
	}
}
