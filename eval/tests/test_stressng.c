// SPDX-License-Identifier: GPL-2.0-or-later
/* Real output of stress-ng --metrics-brief, and damaged copies of it. */
#include "foreign.h"
#include "harness.h"

static void test_whole(void **state)
{
	g_autofree char *text = file_read(FIXTURES "/stressng.txt", NULL);

	(void)state;
	assert_int_equal(stressng_parse(text, "vm"), 64);
}

static void test_others(void **state)
{
	g_autofree char *text = file_read(FIXTURES "/stressng.txt", NULL);

	(void)state;
	assert_int_equal(stressng_parse(text, "v"), -1);
	assert_int_equal(stressng_parse(text, "vm-rw"), -1);
	assert_int_equal(stressng_parse("", "vm"), -1);
	*strstr(text, "bogo ops") = '\0';
	assert_int_equal(stressng_parse(text, "vm"), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_whole),
					    cmocka_unit_test(test_others) };

	return cmocka_run_group_tests_name("stressng", tests, NULL, NULL);
}
