// SPDX-License-Identifier: GPL-2.0-or-later
/* Real reports of KUnit suites, from a kernel that is all right and from a broken one, and damaged copies. */
#include "foreign.h"
#include "harness.h"

static json_t *as_json(const struct ktap *k)
{
	return json_pack("{s:I, s:I, s:I, s:s?, s:s?}", "passed", (json_int_t)k->passed, "failed",
			 (json_int_t)k->failed, "skipped", (json_int_t)k->skipped, "first_failed",
			 k->first_failed, "first_skipped", k->first_skipped);
}

static void expect(const char *fixture, const char *expected)
{
	g_autofree char *text = file_read(fixture, NULL);
	json_t *want = json_read(expected), *got;
	struct ktap k;

	assert_int_equal(ktap_parse(text, &k), 0);
	got = as_json(&k);
	if (!json_equal(got, want))
		json_dumpf(got, stderr, JSON_INDENT(1));
	assert_true(json_equal(got, want));
	json_decref(got);
	json_decref(want);
	ktap_clear(&k);
}

static void test_whole(void **state)
{
	(void)state;
	expect(FIXTURES "/ktap.txt", FIXTURES "/ktap.expected.json");
}

static void test_failed(void **state)
{
	(void)state;
	expect(FIXTURES "/ktap-failed.txt", FIXTURES "/ktap-failed.expected.json");
}

/* Text that was cut off, or lost a line in the middle, is no report. */
/* A suite must have failed if a case of it has, and only then. */
static void test_contradictions(void **state)
{
	g_autofree char *good = file_read(FIXTURES "/ktap.txt", NULL),
			*failed = file_read(FIXTURES "/ktap-failed.txt", NULL);
	GString *a = g_string_new(good), *b = g_string_new(failed);
	struct ktap k;

	(void)state;
	g_string_replace(a, "\nok 1 pcp_nested", "\nnot ok 1 pcp_nested", 1);
	assert_int_equal(ktap_parse(a->str, &k), -1);
	g_string_replace(b, "\nnot ok 1 ", "\nok 1 ", 1);
	assert_string_not_equal(b->str, failed);
	assert_int_equal(ktap_parse(b->str, &k), -1);
	g_string_free(a, TRUE);
	g_string_free(b, TRUE);
}

static void test_damaged(void **state)
{
	g_autofree char *text = file_read(FIXTURES "/ktap.txt", NULL);
	char *line = strstr(text, "    ok 5 pcp_folio_batches"), *last = strstr(text, "ok 1 pcp_nested");
	struct ktap k;

	(void)state;
	assert_int_equal(ktap_parse("", &k), -1);
	assert_int_equal(ktap_parse("KTAP version 1\n1..1\n", &k), -1);
	assert_non_null(last);
	*last = '\0';
	assert_int_equal(ktap_parse(text, &k), -1);
	*last = 'o';
	assert_int_equal(ktap_parse(text, &k), 0);
	ktap_clear(&k);
	assert_non_null(line);
	line[4] = '#';
	assert_int_equal(ktap_parse(text, &k), -1);
	line[4] = 'o';
	/* An end too early. */
	memcpy(line, "not ", 4);
	assert_int_equal(ktap_parse(text, &k), -1);
	memcpy(line, "    ", 4);
	assert_int_equal(ktap_parse(text, &k), 0);
	ktap_clear(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_failed),
		cmocka_unit_test(test_contradictions),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests_name("ktap", tests, NULL, NULL);
}
