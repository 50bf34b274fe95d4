// SPDX-License-Identifier: GPL-2.0-or-later
/* The guest's pure parts: command line, results as JSON, /proc/zoneinfo. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "guest.h"

static void defaults_are_filled_in(void **state)
{
	struct job job = { 0 };
	char err[128] = "";

	(void)state;
	assert_int_equal(job_parse("burst", &job, err, sizeof(err)), 0);
	assert_string_equal(job.name, "burst");
	for (int i = 0; job.w->params[i].name; i++)
		assert_int_equal(job.param[i], job.w->params[i].def);
}

static void parameters_come_in_any_order(void **state)
{
	struct job job = { 0 };
	char err[128] = "";

	(void)state;
	assert_int_equal(job_parse("burst:n=7,order=3", &job, err, sizeof(err)), 0);
	assert_int_equal(job_param(&job, "n"), 7);
	assert_int_equal(job_param(&job, "order"), 3);
	assert_int_equal(job_param(&job, "size"),
			 job.w->params[workload_param_find(job.w, "size")].def);
}

/* Each is refused, and the explanation names the culprit. */
static void bad_arguments_are_refused(void **state)
{
	static const struct { const char *arg, *says; } bad[] = {
		{ "nosuch", "unknown workload 'nosuch'" },
		{ "", "unknown workload ''" },
		{ ":n=1", "unknown workload ''" },
		{ "pairs0000000000000000000000000000000000000", "unknown workload" },
		{ "pairs:", "is not key=value" },
		{ "pairs:n", "'n' is not key=value" },
		{ "pairs:=1", "'=1' is not key=value" },
		{ "pairs:n=1,", "is not key=value" },
		{ "pairs:size=3", "pairs has no parameter 'size'" },
		{ "pairs:n=1,n=1", "n is given twice" },
		{ "pairs:n=", "n=" },
		{ "pairs:n= 5", "n= 5" },
		{ "pairs:n=+5", "n=+5" },
		{ "pairs:n=5x", "n=5x" },
		{ "pairs:n=1.5", "n=1.5" },
		{ "pairs:n=0", "from 1 to" },
		{ "pairs:n=100000001", "from 1 to 100000000" },
		{ "pairs:n=99999999999999999999999", "from 1 to" },
		{ "pairs:order=-1", "from 0 to 9" },
		{ "pairs:order=10", "from 0 to 9" },
	};
	struct job job = { 0 };
	char err[128];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		err[0] = '\0';
		assert_int_equal(job_parse(bad[i].arg, &job, err, sizeof(err)), -1);
		if (!strstr(err, bad[i].says))
			fail_msg("'%s' is refused with '%s', not with '%s'", bad[i].arg, err,
				 bad[i].says);
	}
}

static void an_unknown_name_is_a_record(void **state)
{
	struct job job = { .index = 4 };
	struct result res = { 0 };
	json_t *o;

	(void)state;
	assert_int_equal(job_parse("nosuch:n=1", &job, res.reason, sizeof(res.reason)), -1);
	o = result_json(&job, &res);
	assert_string_equal(json_string_value(json_object_get(o, "status")), "fail");
	assert_string_equal(json_string_value(json_object_get(o, "workload")), "nosuch");
	assert_string_equal(json_string_value(json_object_get(o, "reason")),
			    "unknown workload 'nosuch'");
	assert_int_equal(json_integer_value(json_object_get(o, "index")), 4);
	json_decref(o);
}

static void seeds(void **state)
{
	static const char *const bad[] = { "seed=", "seed=-1", "seed=+1", "seed= 1", "seed=1x",
					   "seed=18446744073709551616" };
	uint64_t seed = 5;
	char err[128];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(seed_parse(bad[i], &seed, err, sizeof(err)), -1);
	assert_true(seed == 5);
	assert_int_equal(seed_parse("seed=18446744073709551615", &seed, err, sizeof(err)), 0);
	assert_true(seed == UINT64_MAX);
}

static void random_numbers_depend_on_seed_and_stream(void **state)
{
	struct job a = { .seed = 1 }, b = { .seed = 2 };

	(void)state;
	assert_true(job_random(&a, 0) == job_random(&a, 0));
	assert_true(job_random(&a, 0) != job_random(&a, 1));
	assert_true(job_random(&a, 0) != job_random(&b, 0));
}

static void results_carry_what_was_counted(void **state)
{
	struct job job = { .index = 1, .name = "pairs" };
	struct result res = { .status = STATUS_OK, .ops = UINT64_C(1) << 40, .ns = 77,
			      .nr_regions = 2, .regions = { 3, 4 } };
	json_t *o, *expected;

	(void)state;
	result_metric(&res, "avalanches", 12);
	o = result_json(&job, &res);
	expected = json_loads("{\"type\":\"result\",\"index\":1,\"workload\":\"pairs\","
			      "\"status\":\"ok\",\"ops\":1099511627776,\"ns\":77,"
			      "\"regions\":[3,4],\"metrics\":{\"avalanches\":12.0}}", 0, NULL);
	assert_non_null(expected);
	assert_true(json_equal(o, expected));
	json_decref(o);
	json_decref(expected);
}

static void results_say_why(void **state)
{
	struct job job = { .index = 0, .name = "pairs" };
	struct result res = { 0 };
	json_t *o;

	(void)state;
	assert_int_equal(result_known(&res, "%d drains waited", 3), -1);
	o = result_json(&job, &res);
	assert_string_equal(json_string_value(json_object_get(o, "status")), "known");
	assert_string_equal(json_string_value(json_object_get(o, "reason")), "3 drains waited");
	json_decref(o);
	assert_int_equal(result_skip(&res, "no memory"), -1);
	o = result_json(&job, &res);
	assert_string_equal(json_string_value(json_object_get(o, "status")), "skip");
	json_decref(o);
}

static void metrics_beyond_the_limit_are_dropped(void **state)
{
	struct result res = { 0 };

	(void)state;
	for (int i = 0; i < RESULT_MAX_METRICS + 3; i++)
		result_metric(&res, "m", i);
	assert_int_equal(res.nr_metrics, RESULT_MAX_METRICS);
}

/* One record is one line whatever a tool printed, and what can be kept is kept. */
static void texts_are_escaped(void **state)
{
	static const struct { const char *in, *out; } texts[] = {
		{ "a\nb\t\"c\\\x01", "a\nb\t\"c\\\x01" },
		{ "gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f" },
		{ "cut \xc3", "cut ?" },
		{ "\xff\xfe", "??" },
		{ "", "" },
	};
	struct job job = { .name = "stressvm" };

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		json_t *o = text_json(&job, "stdout", texts[i].in, strlen(texts[i].in));
		char *line = json_dumps(o, JSON_COMPACT);
		json_t *back = json_loads(line, 0, NULL);

		assert_null(strchr(line, '\n'));
		assert_string_equal(json_string_value(json_object_get(back, "data")), texts[i].out);
		free(line);
		json_decref(o);
		json_decref(back);
	}
}

static void a_zero_byte_does_not_end_a_text(void **state)
{
	struct job job = { .name = "stressvm" };
	json_t *o = text_json(&job, "stdout", "a\0b", 3);

	(void)state;
	assert_int_equal(json_string_length(json_object_get(o, "data")), 3);
	json_decref(o);
}

static json_t *zones_of(const char *text, const char *expected)
{
	json_t *zones = zoneinfo_json(text), *want = json_loads(expected, 0, NULL);
	char *dump = json_dumps(zones, JSON_COMPACT);

	assert_non_null(want);
	if (!json_equal(zones, want))
		fail_msg("got %s, not %s", dump, expected);
	free(dump);
	json_decref(want);
	return zones;
}

static void zoneinfo_of_6_12(void **state)
{
	char text[16384] = "";
	FILE *f = fopen("eval/tests/fixtures/zoneinfo-6.12.txt", "r");

	(void)state;
	assert_non_null(f);
	assert_true(fread(text, 1, sizeof(text) - 1, f) > 0);
	fclose(f);
	/* CPU 0's figures, and no zone without memory. */
	json_decref(zones_of(text, "[{\"node\":0,\"zone\":\"Normal\",\"high\":15705,\"batch\":31},"
			     "{\"node\":1,\"zone\":\"Normal\",\"high\":6973,\"batch\":31}]"));
}

static void zoneinfo_sums(void **state)
{
	char text[16384];
	FILE *f = fopen("eval/tests/fixtures/zoneinfo-6.12.txt", "r");
	size_t len;

	(void)state;
	assert_non_null(f);
	len = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[len] = '\0';
	/* Two nodes, each with one zone that has lists. */
	assert_int_equal(zoneinfo_sum(text, 0, "count"), 1812 + 5981);
	assert_int_equal(zoneinfo_sum(text, 1, "count"), 28 + 278);
	assert_int_equal(zoneinfo_sum(text, 1, "batch"), 31 + 31);
	assert_int_equal(zoneinfo_sum(text, 2, "count"), -1);
	assert_int_equal(zoneinfo_sum(text, 0, "coun"), -1);
	assert_int_equal(zoneinfo_sum("", 0, "count"), -1);
	assert_int_equal(zoneinfo_sum("Node 0, zone Normal\n  cpu: 0\nNode 1, zone Normal\n  count: 5\n", 0, "count"), -1);
}

static void zoneinfo_with_the_limits(void **state)
{
	(void)state;
	json_decref(zones_of("Node 1, zone   Normal\n  pagesets\n    cpu: 0\n"
			     "              count:    9\n              high:     10\n"
			     "              batch:    63\n              high_min: 11\n"
			     "              high_max: 12\n",
			     "[{\"node\":1,\"zone\":\"Normal\",\"high\":10,\"batch\":63,"
			     "\"high_min\":11,\"high_max\":12}]"));
}

static void zoneinfo_that_is_none(void **state)
{
	static const char *const texts[] = { "", "\n\n", "batch: 5", "Node x, zone y\n",
		"Node 0, zone Normal", "Node 0, zone Normal\n batch: 5\n" };

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		json_decref(zones_of(texts[i], "[]"));
}

static void a_long_line_is_no_overflow(void **state)
{
	char text[1000];

	(void)state;
	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	json_decref(zones_of(text, "[]"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults_are_filled_in),
		cmocka_unit_test(parameters_come_in_any_order),
		cmocka_unit_test(bad_arguments_are_refused),
		cmocka_unit_test(an_unknown_name_is_a_record),
		cmocka_unit_test(seeds),
		cmocka_unit_test(random_numbers_depend_on_seed_and_stream),
		cmocka_unit_test(results_carry_what_was_counted),
		cmocka_unit_test(results_say_why),
		cmocka_unit_test(metrics_beyond_the_limit_are_dropped),
		cmocka_unit_test(texts_are_escaped),
		cmocka_unit_test(a_zero_byte_does_not_end_a_text),
		cmocka_unit_test(zoneinfo_of_6_12),
		cmocka_unit_test(zoneinfo_sums),
		cmocka_unit_test(zoneinfo_with_the_limits),
		cmocka_unit_test(zoneinfo_that_is_none),
		cmocka_unit_test(a_long_line_is_no_overflow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
