// SPDX-License-Identifier: GPL-2.0-or-later
/* Records from what boots leave behind, and which figure is believed under which clock. */
#include "clock.h"
#include "harness.h"
#include "record.h"

#define START \
	"{\"type\":\"start\",\"kernel\":\"6.12\",\"zones\":[{\"node\":0,\"zone\":\"Normal\",\"batch\":63}],\"vm\":{}}\n"
#define PAIRS \
	"{\"type\":\"result\",\"index\":0,\"workload\":\"pairs\",\"status\":\"ok\",\"ops\":100,\"ns\":2000,\"regions\":[0,1],\"metrics\":{}}\n"
#define BULK \
	"{\"type\":\"result\",\"index\":1,\"workload\":\"bulk\",\"status\":\"ok\",\"ops\":10,\"ns\":1000,\"regions\":[2],\"metrics\":{}}\n"
#define SAYS(status, reason) \
	"{\"type\":\"result\",\"index\":1,\"workload\":\"bulk\",\"status\":\"" status "\",\"ops\":0,\"ns\":0,\"regions\":[]," \
	reason "\"metrics\":{\"drains\":7}}\n"
#define WHY "\"reason\":\"why\","
#define END "{\"type\":\"end\"}\n"
#define SECTION(n, sum, max, hist) "{\"n\":" n ",\"sum\":" sum ",\"max\":" max ",\"hist\":" hist "}"
#define REGION(r, insns, all)                                                           \
	"{\"type\":\"region\",\"region\":" r ",\"vcpus\":[{\"vcpu\":0,\"insns\":" insns \
	",\"locked\":200,\"irqoff\":{\"all\":" all                                      \
	",\"spill\":" SECTION("0", "0", "0", "[]") "}}]}\n"
#define METERS                                                                  \
	REGION("0", "30000", SECTION("2", "30", "20", "[[10,10,1],[20,20,1]]")) \
	REGION("1", "39700", SECTION("1", "25", "25", "[[20,25,1]]"))           \
	REGION("2", "1000", SECTION("1", "20", "20", "[[20,20,1]]"))            \
	"{\"type\":\"end\",\"regions\":3,\"warnings\":[]}\n"

static json_t *make(const char *mode, int cpus, const char *status, const char *records,
		    const char *meters)
{
	json_t *plan = json_pack("{s:s,s:s,s:i,s:i,s:i,s:s,s:s,s:[{s:s,s:s,s:{}},{s:s,s:s,s:{}}]}",
				 "boot", "b0007", "mode", mode, "cpus", cpus, "run", 1, "seed", 5,
				 "variant", "stock", "flavor", "perf", "workloads", "name", "pairs",
				 "label", "pairs", "params", "name", "bulk", "label", "bulk",
				 "params");
	json_t *env = json_object();
	struct boot_result b = { .plan = plan,
				 .status = status,
				 .reason = strcmp(status, "ok") ? "why" : NULL,
				 .records = records,
				 .meters = meters,
				 .env = env };
	json_t *r = records_make(&b);

	json_decref(plan);
	json_decref(env);
	assert_int_equal(json_array_size(r), 2);
	return r;
}

static const json_t *metric(const json_t *records, size_t i, const char *name)
{
	const json_t *m;
	size_t k;

	json_array_foreach(json_object_get(json_array_get(records, i), "metrics"), k, m)
		if (!strcmp(j_str(m, "metric"), name))
			return m;
	return NULL;
}

static const char *status(const json_t *records, size_t i)
{
	return j_str(json_array_get(records, i), "status");
}

static void test_counts(void **state)
{
	json_t *r = make("icount", 1, "ok", START PAIRS BULK END, METERS);
	const json_t *all = metric(r, 0, "irqoff_insn");

	(void)state;
	assert_string_equal(status(r, 0), "ok");
	assert_string_equal(status(r, 1), "ok");
	assert_string_equal(j_str(json_array_get(r, 1), "id"), "b0007.1");
	assert_true(j_num(metric(r, 0, "insn_per_op"), "value") == 697);
	assert_true(j_num(metric(r, 0, "locked_per_op"), "value") == 4);
	assert_true(j_num(metric(r, 1, "insn_per_op"), "value") == 100);
	assert_int_equal(j_int(all, "n"), 3);
	assert_int_equal(j_int(all, "sum"), 55);
	assert_int_equal(j_int(all, "max"), 25);
	assert_int_equal(json_array_size(json_object_get(all, "hist")), 3);
	assert_null(metric(r, 0, "irqoff_insn.spill"));
	assert_null(metric(r, 0, "ops_per_s"));
	json_decref(r);
}

static void test_ends(void **state)
{
	static const struct {
		const char *boot, *records, *meters, *first, *second;
	} cases[] = {
		{ "panic", START PAIRS, METERS, "panic", "panic" },
		{ "warn", START PAIRS BULK END, METERS, "warn", "warn" },
		{ "silent", START PAIRS, METERS, "ok", "silent" },
		{ "deadline", START PAIRS BULK, METERS, "ok", "deadline" },
		{ "exit", START, METERS, "exit", "exit" },
		{ "ok", START PAIRS END, METERS, "ok", "exit" },
		{ "ok", START PAIRS BULK, METERS, "ok", "exit" },
		{ "ok", START PAIRS "oh no\n" BULK END, METERS, "garbage", "garbage" },
		{ "ok", START PAIRS "\xff\xfe\x1b[31m\n" BULK END, METERS, "garbage", "garbage" },
		{ "ok", START PAIRS PAIRS BULK END, METERS, "garbage", "garbage" },
		{ "ok", START PAIRS BULK END, REGION("0", "1", "{}") "{\"type\":\"end\"}\n",
		  "garbage", "garbage" },
		{ "deadline", START PAIRS "{\"type\":\"resu", METERS, "ok", "deadline" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		json_t *r = make("icount", 1, cases[i].boot, cases[i].records, cases[i].meters);

		assert_string_equal(status(r, 0), cases[i].first);
		assert_string_equal(status(r, 1), cases[i].second);
		assert_true(json_is_string(json_object_get(json_array_get(r, 1), "reason")));
		json_decref(r);
	}
}

/* What a guest says of a workload is believed when it is a word of the protocol, with a reason. */
static void test_words(void **state)
{
	static const struct {
		const char *boot, *records, *first, *second;
	} cases[] = {
		{ "ok", START PAIRS SAYS("known", WHY) END, "ok", "known" },
		{ "ok", START PAIRS SAYS("fail", WHY) END, "ok", "fail" },
		{ "ok", START PAIRS SAYS("skip", WHY) END, "ok", "skip" },
		{ "ok", START PAIRS SAYS("known", "") END, "ok", "garbage" },
		{ "ok", START PAIRS SAYS("perhaps", WHY) END, "ok", "garbage" },
		/* A kernel that complained, or a guest that hung, shows no known behaviour. */
		{ "warn", START PAIRS SAYS("known", WHY) END, "warn", "warn" },
		{ "silent", START PAIRS SAYS("known", WHY), "ok", "silent" },
		{ "silent", START PAIRS SAYS("fail", WHY), "ok", "fail" },
		{ "ok", START PAIRS SAYS("known", WHY), "ok", "exit" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		json_t *r = make("icount", 1, cases[i].boot, cases[i].records, METERS);

		assert_string_equal(status(r, 0), cases[i].first);
		assert_string_equal(status(r, 1), cases[i].second);
		assert_true(json_is_string(json_object_get(json_array_get(r, 1), "reason")));
		assert_int_equal(json_array_size(json_object_get(json_array_get(r, 1), "metrics")), 0);
		assert_true(j_num(json_object_get(json_array_get(r, 1), "facts"), "drains") == 7);
		json_decref(r);
	}
}

/* The record port may carry any bytes: the reason shows them, and is text. */
static void test_bytes(void **state)
{
	json_t *r = make("icount", 1, "ok", START "\"\xff\x1b[31m\n" PAIRS BULK END, METERS);

	(void)state;
	assert_string_equal(j_str(json_array_get(r, 0), "reason"), "not JSON: \"\\377\\033[31m");
	json_decref(r);
}

static void test_rates(void **state)
{
	json_t *r = make("tcg", 2, "ok", START PAIRS BULK END, NULL);

	(void)state;
	assert_true(j_num(metric(r, 0, "ops_per_s"), "value") == 5e7);
	assert_null(metric(r, 0, "insn_per_op"));
	assert_string_equal(j_str(json_array_get(r, 0), "clock"), "host");
	json_decref(r);
}

static void test_clocks(void **state)
{
	static const struct {
		const char *metric, *mode;
		int cpus;
		bool allowed;
	} cases[] = {
		{ "insn_per_op", "icount", 1, true },
		{ "insn_per_op", "icount", 2, true },
		{ "insn_per_op", "kvm", 1, false },
		{ "insn_per_op", "tcg", 1, false },
		{ "irqoff_insn.spill", "icount", 2, true },
		{ "irqoff_insn", "kvm", 2, false },
		{ "cyclictest_us", "icount", 1, true },
		{ "cyclictest_us", "icount", 2, false },
		{ "cyclictest_us", "tcg", 1, false },
		{ "cyclictest_us", "kvm", 4, true },
		{ "ops_per_s", "icount", 1, false },
		{ "ops_per_s", "icount", 4, false },
		{ "ops_per_s", "tcg", 2, true },
		{ "ops_per_s", "kvm", 1, true },
		{ "unheard_of", "kvm", 1, false },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
		assert_int_equal(clock_allows(cases[i].metric, cases[i].mode, cases[i].cpus),
				 cases[i].allowed);
}

static json_t *make_one(const char *workload, const char *text)
{
	json_t *plan = json_pack("{s:s,s:s,s:i,s:i,s:[{s:s,s:s,s:{}}]}", "boot", "b1", "mode",
				 "icount", "cpus", 1, "run", 1, "workloads", "name", workload,
				 "label", workload, "params");
	json_t *line = json_pack("{s:s,s:i,s:s,s:s,s:s}", "type", "text", "index", 0, "workload",
				 workload, "name", "json", "data", text);
	json_t *result = json_pack("{s:s,s:i,s:s,s:s,s:i,s:i,s:[i]}", "type", "result", "index", 0,
				   "workload", workload, "status", "ok", "ops", 0, "ns", 1,
				   "regions", 0);
	char *a = json_dumps(line, JSON_COMPACT), *c = json_dumps(result, JSON_COMPACT);
	g_autofree char *records = g_strdup_printf("%s%s\n%s\n%s", START, a, c, END);
	struct boot_result b = { .plan = plan,
				 .status = "ok",
				 .records = records,
				 .meters = REGION("0", "6400", "{\"n\":0,\"hist\":[]}") };
	json_t *r = records_make(&b);

	free(a);
	free(c);
	json_decref(plan);
	json_decref(line);
	json_decref(result);
	return r;
}

static void test_foreign(void **state)
{
	g_autofree char *cyclic = file_read(FIXTURES "/cyclictest.json", NULL);
	g_autofree char *stress = file_read(FIXTURES "/stressng.txt", NULL);
	json_t *r = make_one("cyclictest", cyclic);

	(void)state;
	assert_string_equal(status(r, 0), "ok");
	assert_int_equal(j_int(metric(r, 0, "cyclictest_us"), "n"), 200);
	json_decref(r);
	r = make_one("stressvm", stress);
	assert_true(j_num(metric(r, 0, "insn_per_op"), "value") == 100);
	json_decref(r);
	r = make_one("stressvm", "stress-ng: fail\n");
	assert_string_equal(status(r, 0), "garbage");
	assert_null(metric(r, 0, "insn_per_op"));
	json_decref(r);
}

/* The guest ran the suite, which is all that it can say; what came out is in the report. */
static void test_kunit(void **state)
{
	g_autofree char *good = file_read(FIXTURES "/ktap.txt", NULL);
	g_autofree char *bad = file_read(FIXTURES "/ktap-failed.txt", NULL);
	static const char skipped[] = "KTAP version 1\n1..1\n    KTAP version 1\n    1..1\n"
				      "    ok 1 a # SKIP why\nok 1 suite\n";
	json_t *r = make_one("kunit", good);
	const json_t *facts = json_object_get(json_array_get(r, 0), "facts");

	(void)state;
	assert_string_equal(status(r, 0), "ok");
	assert_int_equal(j_int(facts, "passed"), 15);
	assert_int_equal(j_int(facts, "skipped"), 2);
	json_decref(r);
	r = make_one("kunit", bad);
	assert_string_equal(status(r, 0), "fail");
	assert_non_null(strstr(j_str(json_array_get(r, 0), "reason"), "pcp_"));
	json_decref(r);
	r = make_one("kunit", skipped);
	assert_string_equal(status(r, 0), "skip");
	assert_string_equal(j_str(json_array_get(r, 0), "reason"), "a: why");
	json_decref(r);
	r = make_one("kunit", "KTAP version 1\n");
	assert_string_equal(status(r, 0), "garbage");
	json_decref(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kunit),
		cmocka_unit_test(test_counts),	cmocka_unit_test(test_ends),
		cmocka_unit_test(test_rates),	cmocka_unit_test(test_clocks),
		cmocka_unit_test(test_foreign), cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests_name("record", tests, NULL, NULL);
}
