// SPDX-License-Identifier: GPL-2.0-or-later
/* What judges how zones lie: text of real guests is read right, and every fault of a layout is found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "zonemap.h"

#define BLOCK	32768L		/* pages of a memory block of 128 MB */

static char *fixture(const char *name)
{
	static char text[1 << 17];
	char path[128];
	size_t len;
	FILE *f;

	snprintf(path, sizeof(path), "eval/tests/fixtures/%s", name);
	f = fopen(path, "r");
	assert_non_null(f);
	len = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[len] = '\0';
	return text;
}

/* Two nodes with two normal zones each of 8 blocks, and an empty zone Movable. */
static struct zonemap healthy(void)
{
	struct zonemap map = { .n = 6 };

	for (int i = 0; i < 6; i++) {
		struct zone_facts *z = &map.zone[i];

		*z = (struct zone_facts){ .node = i / 3, .type = i % 3, .normal = (i % 3 + 1) % 3 };
		snprintf(z->name, sizeof(z->name), "%s", i % 3 == 2 ? "Movable" : i % 3 ? "Normal2" : "Normal");
		if (i % 3 == 2)
			continue;
		z->start = (i / 3 * 2 + i % 3) * 8 * BLOCK;
		z->spanned = z->present = 8 * BLOCK;
		z->managed = z->present - 1000;
	}
	return map;
}

static void a_real_guest_of_one_zone_is_read(void **state)
{
	char why[200] = "";
	struct zonemap map;

	(void)state;
	assert_int_equal(zonemap_parse(&map, fixture("zoneinfo-6.12.txt")), 0);
	assert_int_equal(map.n, 4);
	assert_string_equal(map.zone[0].name, "Normal");
	assert_int_equal(map.zone[0].present, 130974);
	assert_int_equal(map.zone[0].spanned, 131071);
	assert_int_equal(map.zone[0].managed, 126132);
	assert_int_equal(map.zone[0].free, 114554);
	assert_int_equal(map.zone[0].start, 1);
	assert_string_equal(map.zone[1].name, "Movable");
	assert_int_equal(map.zone[1].normal, 0);
	assert_true(zonemap_judge(&map, 1, BLOCK, why, sizeof(why)));
	assert_false(zonemap_judge(&map, 2, BLOCK, why, sizeof(why)));
	assert_non_null(strstr(why, "should have 2"));
}

static void a_real_guest_of_two_nodes_and_zones_is_read(void **state)
{
	char why[200] = "";
	struct zonemap map;

	(void)state;
	assert_int_equal(zonemap_parse(&map, fixture("zoneinfo-zones2.txt")), 0);
	assert_int_equal(map.n, 6);
	assert_string_equal(map.zone[4].name, "Normal2");
	assert_int_equal(map.zone[4].node, 1);
	assert_int_equal(map.zone[4].type, 1);
	assert_int_equal(map.zone[4].normal, 2);
	assert_true(zonemap_judge(&map, 2, BLOCK, why, sizeof(why)));
	assert_false(zonemap_judge(&map, 1, BLOCK, why, sizeof(why)));
	assert_non_null(strstr(why, "more than 1"));
}

static void a_text_without_zones_is_refused(void **state)
{
	struct zonemap map;

	(void)state;
	assert_int_equal(zonemap_parse(&map, ""), -1);
	assert_int_equal(zonemap_parse(&map, "Node 0, zone   Normal\n  pages free     0\n        present  0\n"), -1);
}

static void overlap(struct zonemap *m)
{
	m->zone[0].spanned += 1;
}

static void gap(struct zonemap *m)
{
	m->zone[3].spanned -= BLOCK;
}

static void split_block(struct zonemap *m)
{
	m->zone[0].spanned += 7;
	m->zone[1].start += 7;
	m->zone[1].spanned -= 7;
}

static void uneven(struct zonemap *m)
{
	for (int i = 0; i < 2; i++) {
		long more = i ? -2 * BLOCK : 2 * BLOCK;

		m->zone[i].spanned += more;
		m->zone[i].present += more;
		m->zone[i].managed += more;
	}
	m->zone[1].start += 2 * BLOCK;
}

static void reserve(struct zonemap *m)
{
	m->zone[0].holds_back[1] = 5;
}

static void empty_zone(struct zonemap *m)
{
	m->zone[4].present = 0;
}

static void third_zone(struct zonemap *m)
{
	m->zone[5].normal = 3;
}

static void unmanaged(struct zonemap *m)
{
	m->zone[1].managed = 0;
}

static void no_memory(struct zonemap *m)
{
	for (size_t i = 0; i < m->n; i++)
		m->zone[i].present = 0;
}

static void every_fault_of_a_layout_is_found(void **state)
{
	static const struct { void (*damage)(struct zonemap *map); const char *says; } faults[] = {
		{ overlap, "begins inside the zone below" }, { gap, "leaves a gap" },
		{ split_block, "does not begin at a memory block" }, { uneven, "no near-equal share" },
		{ reserve, "holds back pages" }, { empty_zone, "node 1 has no normal zone number 2" },
		{ third_zone, "node 1 has more than 2" }, { unmanaged, "does not manage" },
		{ no_memory, "no node has normal memory" },
	};
	char why[200];

	(void)state;
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		struct zonemap map = healthy();

		assert_true(zonemap_judge(&map, 2, BLOCK, why, sizeof(why)));
		faults[i].damage(&map);
		assert_false(zonemap_judge(&map, 2, BLOCK, why, sizeof(why)));
		if (!strstr(why, faults[i].says))
			fail_msg("'%s' says nothing of '%s'", why, faults[i].says);
	}
}

/* A boundary moved for the sake of an area of CMA, a reserve for ZONE_MOVABLE, a node without memory. */
static void what_is_permitted_is_no_fault(void **state)
{
	struct zonemap map = healthy();
	char why[200] = "";

	(void)state;
	uneven(&map);
	map.zone[0].cma = BLOCK;
	map.zone[1].holds_back[2] = 9;
	map.zone[3].present = 0;
	map.zone[4].present = 0;
	assert_true(zonemap_judge(&map, 2, BLOCK, why, sizeof(why)));
}

static void what_moved_is_noticed(void **state)
{
	struct zonemap a = healthy();
	struct zonemap b = a;

	(void)state;
	assert_null(zonemap_same(&a, &b));
	b.zone[3].free = 77;
	assert_null(zonemap_same(&a, &b));
	b.zone[4].present--;
	assert_ptr_equal(zonemap_same(&a, &b), &a.zone[4]);
	b = a;
	b.zone[1].start++;
	assert_ptr_equal(zonemap_same(&a, &b), &a.zone[1]);
	b = a;
	b.n--;
	assert_ptr_equal(zonemap_same(&a, &b), &a.zone[5]);
}

static void a_range_is_in_one_zone_or_none(void **state)
{
	struct zonemap map = healthy();

	(void)state;
	assert_ptr_equal(zonemap_at(&map, 0, 7 * BLOCK, BLOCK), &map.zone[0]);
	assert_ptr_equal(zonemap_at(&map, 0, 8 * BLOCK, BLOCK), &map.zone[1]);
	assert_null(zonemap_at(&map, 0, 7 * BLOCK + 1, BLOCK));
	assert_null(zonemap_at(&map, 0, 16 * BLOCK, BLOCK));
	assert_ptr_equal(zonemap_at(&map, 1, 16 * BLOCK, BLOCK), &map.zone[3]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_real_guest_of_one_zone_is_read),
		cmocka_unit_test(a_real_guest_of_two_nodes_and_zones_is_read),
		cmocka_unit_test(a_text_without_zones_is_refused),
		cmocka_unit_test(every_fault_of_a_layout_is_found),
		cmocka_unit_test(what_is_permitted_is_no_fault),
		cmocka_unit_test(what_moved_is_noticed),
		cmocka_unit_test(a_range_is_in_one_zone_or_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
