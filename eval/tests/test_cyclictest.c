// SPDX-License-Identifier: GPL-2.0-or-later
/* Real output of cyclictest --json, and damaged copies of it. */
#include "foreign.h"
#include "harness.h"

static char *fixture(const char *name)
{
	g_autofree char *path = g_build_filename(FIXTURES, name, NULL);
	char *text = file_read(path, NULL);

	assert_non_null(text);
	return text;
}

static long long counted(const json_t *d)
{
	const json_t *row;
	long long n = 0;
	size_t i;

	json_array_foreach(json_object_get(d, "hist"), i, row)
		n += json_integer_value(json_array_get(row, 2));
	return n;
}

static void test_whole(void **state)
{
	g_autofree char *text = fixture("cyclictest.json");
	json_t *d = cyclictest_parse(text),
	       *expected = json_read(FIXTURES "/cyclictest.expected.json");

	(void)state;
	assert_true(json_equal(d, expected));
	assert_int_equal(counted(d), 200);
	json_decref(d);
	json_decref(expected);
}

static void test_overflow(void **state)
{
	g_autofree char *text = fixture("cyclictest-overflow.json");
	json_t *d = cyclictest_parse(text);
	const json_t *hist = json_object_get(d, "hist");
	const json_t *last = json_array_get(hist, json_array_size(hist) - 1);

	(void)state;
	assert_int_equal(j_int(d, "n"), 200);
	assert_int_equal(counted(d), 200);
	assert_int_equal(json_integer_value(json_array_get(last, 0)), 12);
	assert_int_equal(json_integer_value(json_array_get(last, 1)), j_int(d, "max"));
	assert_int_equal(json_integer_value(json_array_get(last, 2)), 118);
	json_decref(d);
}

static void test_damaged(void **state)
{
	g_autofree char *text = fixture("cyclictest.json");
	char *cycles;

	(void)state;
	assert_null(cyclictest_parse(""));
	assert_null(cyclictest_parse("{}"));
	cycles = strstr(text, "\"cycles\": 200");
	memcpy(cycles, "\"cycles\": 100", 13);	/* fewer than the histogram holds */
	assert_null(cyclictest_parse(text));
	memcpy(cycles, "\"cycles\": 201", 13);	/* one is missing, though none can have overflown */
	assert_null(cyclictest_parse(text));
	memcpy(cycles, "\"cycles\": 200", 13);
	text[strlen(text) / 2] = '\0';
	assert_null(cyclictest_parse(text));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_overflow),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests_name("cyclictest", tests, NULL, NULL);
}
