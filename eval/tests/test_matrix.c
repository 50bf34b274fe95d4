// SPDX-License-Identifier: GPL-2.0-or-later
/* The matrix of suites: which result counts, what is no pass, what is missing, and the soak. */
#include "harness.h"
#include "matrix.h"
#include "pcplab.h"
#include "report.h"

static char *root;

static int setup(void **state)
{
	(void)state;
	root = make_root();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	remove_root(root);
	return 0;
}

static void put(const char *path, const char *text)
{
	g_autofree char *dir = g_path_get_dirname(path);

	g_mkdir_with_parents(dir, 0777);
	assert_true(g_file_set_contents(path, text, -1, NULL));
}

static void put_root(const char *name, const char *text)
{
	g_autofree char *path = root_path("%s", name);

	put(path, text);
}

/* Takes every run, build and refusal away. */
static void clear(void)
{
	g_autofree char *command = g_strdup_printf("rm -rf %s %s %s/variants/busted", opts.results, opts.build, root);

	assert_int_equal(system(command), 0);
	g_clear_pointer(&opts.folders, g_ptr_array_unref);
}

/* A record as text; @more are further members, each behind a comma. */
static char *record(const char *id, const char *where, const char *label, const char *status, const char *reason,
		    const char *date, const char *more)
{
	g_auto(GStrv) place = g_strsplit(where, "/", 2), name = g_strsplit(label, ":", 2);

	return g_strdup_printf("{\"id\":\"%s.0\",\"boot\":\"%s\",\"run\":1,\"flavor\":\"%s\",\"variant\":\"%s\",\"label\":\"%s\","
			       "\"workload\":\"%s\",\"status\":\"%s\",\"reason\":\"%s\",\"env\":{\"started\":\"%s\"}%s}\n"
			       "{\"boot\":\"%s\",\"type\":\"done\"}\n",
			       id, id, place[0], place[1], label, name[0], status, reason, date, more, id);
}

static void add(GString *s, const char *where, const char *label, const char *status, const char *reason, const char *date,
		const char *more)
{
	g_autofree char *id = g_strdup_printf("b%zu", s->len);
	g_autofree char *text = record(id, where, label, status, reason, date, more);

	g_string_append(s, text);
}

static void put_run(const char *dir, const char *run, const GString *records)
{
	g_autofree char *path = g_build_filename(dir, run, "records.jsonl", NULL);

	put(path, records->str);
}

/* A run of one record. */
static void put_one(const char *run, const char *where, const char *label, const char *status, const char *date)
{
	g_autoptr(GString) s = g_string_new(NULL);

	add(s, where, label, status, strcmp(status, "ok") ? "why" : "", date, "");
	put_run(opts.results, run, s);
}

static const json_t *cell(const json_t *m, const char *variant, const char *label)
{
	const json_t *c;
	size_t i;

	json_array_foreach(json_object_get(m, "cells"), i, c)
		if (!strcmp(j_str(c, "variant"), variant) && !strcmp(j_str(c, "label"), label))
			return c;
	return NULL;
}

static void expect_cell(const char *variant, const char *label, const char *result, const char *run)
{
	json_t *m = matrix_json();
	const json_t *c = cell(m, variant, label);

	assert_non_null(c);
	assert_string_equal(j_str(c, "result"), result);
	assert_string_equal(j_str(c, "run"), run);
	json_decref(m);
}

static char *text_of(const json_t *m)
{
	GString *s = g_string_new(NULL);

	matrix_txt(s, m);
	return g_string_free(s, FALSE);
}

static void assert_text(const char *part)
{
	json_t *m = matrix_json();
	g_autofree char *text = text_of(m);
	g_autoptr(GString) html = g_string_new(NULL);

	matrix_html(html, m);
	assert_says(text, part);
	for (const char *line = text, *nl; (nl = strchr(line, '\n')); line = nl + 1)
		assert_in_range(nl - line, 0, 80);
	json_decref(m);
}

/* The newest run counts, whatever its folder's name and the order of reading. */
static void test_newest(void **state)
{
	(void)state;
	clear();
	put_one("r1", "perf/stock", "kunit", "fail", "2026-01-01T00:00:00Z");
	expect_cell("stock", "kunit", "fail", "r1");
	put_one("r2", "perf/stock", "kunit", "ok", "2026-01-03T00:00:00Z");
	put_one("r3", "perf/stock", "kunit", "panic", "2026-01-02T00:00:00Z");
	expect_cell("stock", "kunit", "pass", "r2");
	put_one("r0", "perf/stock", "kunit", "known", "2026-01-04T00:00:00Z");
	expect_cell("stock", "kunit", "known", "r0");
	put_one("r4", "perf/stock", "kunit", "skip", "2026-01-05T00:00:00Z");
	expect_cell("stock", "kunit", "skip", "r4");
	put_one("r5", "perf/stock", "kunit", "warn", "2026-01-06T00:00:00Z");
	expect_cell("stock", "kunit", "fail", "r5");
	/* Another label is another cell. */
	put_one("r6", "perf/stock", "kunit:suite=2", "ok", "2026-01-07T00:00:00Z");
	expect_cell("stock", "kunit", "fail", "r5");
	expect_cell("stock", "kunit:suite=2", "pass", "r6");
}

/* In one run the worst record counts; a boot that was not finished does not. */
static void test_worst(void **state)
{
	g_autoptr(GString) s = g_string_new(NULL);
	json_t *m;

	(void)state;
	clear();
	add(s, "perf/stock", "kunit", "ok", "", "2026-01-01T00:00:00Z", "");
	add(s, "perf/stock", "kunit", "oops", "BUG", "2026-01-01T00:01:00Z", "");
	add(s, "perf/stock", "kunit", "known", "waits", "2026-01-01T00:02:00Z", "");
	add(s, "perf/stock", "fault:nr=6", "ok", "", "2026-01-01T00:03:00Z", "");
	add(s, "perf/stock", "fault:nr=6", "fail", "late", "2026-01-01T00:04:00Z", "");
	/* Without the last done line. */
	g_string_truncate(s, s->len - 20);
	put_run(opts.results, "r1", s);
	m = matrix_json();
	assert_string_equal(j_str(cell(m, "stock", "kunit"), "result"), "fail");
	assert_string_equal(j_str(cell(m, "stock", "kunit"), "status"), "oops");
	assert_string_equal(j_str(cell(m, "stock", "kunit"), "reason"), "BUG");
	assert_int_equal(json_array_size(json_object_get(cell(m, "stock", "kunit"), "ids")), 3);
	assert_string_equal(j_str(cell(m, "stock", "fault:nr=6"), "result"), "pass");
	assert_string_equal(j_str(cell(m, "stock", "fault:nr=6"), "suite"), "faults");
	json_decref(m);
}

/* Workloads that are no suite are one suite, unless the run goes wrong on purpose. */
static void test_smoke(void **state)
{
	g_autoptr(GString) s = g_string_new(NULL);
	json_t *m;

	(void)state;
	clear();
	put_one("r1", "perf/stock", "pairs", "ok", "2026-01-01T00:00:00Z");
	put_one("r2", "perf/stock", "faults", "ok", "2026-01-02T00:00:00Z");
	expect_cell("stock", "smoke", "pass", "r1");
	m = matrix_json();
	assert_int_equal(json_array_size(json_object_get(cell(m, "stock", "smoke"), "workloads")), 2);
	json_decref(m);
	put_one("r3", "perf/stock", "faults", "warn", "2026-01-03T00:00:00Z");
	m = matrix_json();
	assert_string_equal(j_str(cell(m, "stock", "smoke"), "result"), "fail");
	assert_string_equal(j_str(cell(m, "stock", "smoke"), "reason"), "faults: why");
	assert_string_equal(j_str(cell(m, "stock", "smoke"), "run"), "r3");
	json_decref(m);
	clear();
	add(s, "perf/stock", "pairs", "warn", "on purpose", "2026-01-04T00:00:00Z", "");
	add(s, "perf/stock", "trouble", "warn", "on purpose", "2026-01-04T00:00:00Z", "");
	put_run(opts.results, "r4", s);
	m = matrix_json();
	assert_int_equal(json_array_size(json_object_get(m, "cells")), 0);
	json_decref(m);
}

/* A column of another kind of guest says something of the design whose kernel it boots. */
static void test_kernel(void **state)
{
	g_autoptr(GString) s = g_string_new(NULL);

	(void)state;
	clear();
	add(s, "perf/stock-2nodes", "kunit", "fail", "why", "2026-01-01T00:00:00Z", ",\"kernel\":\"stock\"");
	put_run(opts.results, "r1", s);
	expect_cell("stock", "kunit", "fail", "r1");
}

static void test_folders(void **state)
{
	g_autoptr(GString) s = g_string_new(NULL);
	g_autofree char *other = root_path("other"), *target = root_path("results/r1");
	g_autofree char *link = root_path("results/zz-named"), *test = root_path("build/test");
	json_t *m;

	(void)state;
	clear();
	put_one("r1", "perf/stock", "kunit", "ok", "2026-01-01T00:00:00Z");
	assert_int_equal(symlink(target, link), 0);
	m = matrix_json();
	assert_int_equal(json_array_size(json_object_get(cell(m, "stock", "kunit"), "ids")), 1);
	assert_string_equal(j_str(cell(m, "stock", "kunit"), "run"), "r1");
	json_decref(m);
	/* By default those of the tests too. */
	add(s, "perf/stock", "kunit", "fail", "why", "2026-01-02T00:00:00Z", "");
	put_run(test, "t1", s);
	expect_cell("stock", "kunit", "fail", "t1");
	put_run(other, "o1", s);
	opts.folders = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(opts.folders, g_strdup(other));
	expect_cell("stock", "kunit", "fail", "o1");
	g_ptr_array_add(opts.folders, g_strdup(opts.results));
	m = matrix_json();
	assert_int_equal(json_array_size(json_object_get(m, "folders")), 2);
	json_decref(m);
}

/* Two labels of one design, one of another, none of the third. */
static void put_gaps(void)
{
	clear();
	put_one("r1", "perf/stock", "fault:nr=2", "ok", "2026-01-01T00:00:00Z");
	put_one("r2", "perf/stock", "fault:nr=6", "known", "2026-01-02T00:00:00Z");
	put_one("r3", "perf/batched", "fault:nr=2", "ok", "2026-01-03T00:00:00Z");
	put_one("r4", "perf/batched", "kunit", "ok", "2026-01-03T00:00:00Z");
}

static void test_gaps(void **state)
{
	(void)state;
	put_gaps();
	assert_text("\n                           perf\n"
		    "                         faults      kunit\n"
		    "  stock               known 1/2          -\n"
		    "  batched              pass 1/2       pass\n"
		    "  scale0                      -          -\n");
	assert_text("\nWhat is no pass\n* perf/stock fault:nr=6: known: why (2026-01-02 r2 b0.0)\n");
	assert_text("\nWhat has no result\n* perf: stock: kunit (not run)\n* perf: batched: fault:nr=6 (not run)\n"
		    "* perf: scale0: every suite (not run)\n");
	put_one("r5", "perf/stock", "kunit", "stall", "2026-01-05T00:00:00Z");
	assert_text("  stock               known 1/2       FAIL\n");
	assert_text("* perf/stock kunit: fail, stall: why (2026-01-05 r5 b0.0)\n");
	put_root("build/kernels/perf/scale0/refused", "  CONFIG_A=y\n  CONFIG_B should be off\n");
	assert_text("  scale0                    n/a        n/a\n");
	assert_text("* perf: scale0: every suite (not selectable, these options did not survive:\n"
		    "  CONFIG_A=y, CONFIG_B should be off)\n");
}

static void test_silent(void **state)
{
	g_autofree char *flavor = root_path("eval/flavors/rt.config");

	(void)state;
	clear();
	assert_text("No run, and no build, has a result yet.\n");
	put_root("eval/flavors/rt.config", "# rt\n");
	put_one("r1", "perf/stock", "kunit", "ok", "2026-01-01T00:00:00Z");
	assert_text("No result at all in: rt\n");
	unlink(flavor);
}

/* Broken on purpose: that a checker fails is what it is for, that it passes is worth a line. */
static void test_broken(void **state)
{
	json_t *m;

	(void)state;
	clear();
	put_root("variants/busted/variant.config", "CONFIG_PCP_BUSTED=y\n");
	put_one("r1", "perf/busted", "kunit", "fail", "2026-01-01T00:00:00Z");
	put_one("r2", "perf/busted", "stress", "ok", "2026-01-01T00:00:00Z");
	put_one("r3", "perf/stock", "kunit", "ok", "2026-01-01T00:00:00Z");
	put_root("build/builds.jsonl", "{\"variant\":\"busted\",\"flavor\":\"tiny\",\"suite\":\"build\",\"status\":\"ok\","
		 "\"date\":\"2026-01-01\"}\n");
	assert_text("  busted (broken)          FAIL       pass       pass\n");
	assert_text("\nWhich checkers do not see what is broken\n"
		    "* perf/busted is broken on purpose, and passes: stress\n\nWhat has no result\n");
	m = matrix_json();
	assert_int_equal(json_array_size(json_object_get(m, "notes")), 0);
	json_decref(m);
}

static void test_long_names(void **state)
{
	(void)state;
	clear();
	put_one("r1", "perf/ipi-inhandler+batched+zones2", "kunit", "ok", "2026-01-01T00:00:00Z");
	put_root("build/builds.jsonl", "{\"variant\":\"stock\",\"flavor\":\"perf\",\"suite\":\"a suite of a long name\",\"status\":\"ok\","
		 "\"date\":\"2026-01-01\"}\n"
		 "{\"variant\":\"stock\",\"flavor\":\"perf\",\"suite\":\"another suite of a long name\",\"status\":\"ok\","
		 "\"date\":\"2026-01-01\"}\n");
	assert_text("  ipi-inhandler+batched+zones2\n                                             pass                            -\n");
	assert_text("                                            perf\n                     another suite of a long name\n");
}

static void test_builds(void **state)
{
	char *said;
	json_t *m = NULL;

	(void)state;
	clear();
	put_root("build/builds.jsonl",
		 "{\"variant\":\"stock\",\"flavor\":\"tiny\",\"suite\":\"build W=1\",\"status\":\"fail\",\"reason\":\"a warning\",\"date\":\"2026-01-01\"}\n"
		 "{\"variant\":\"stock\",\"flavor\":\"tiny\",\"suite\":\"build W=1\",\"status\":\"ok\",\"reason\":null,\"date\":\"2026-01-02\"}\n"
		 "{\"variant\":\"batched\",\"flavor\":\"tiny\",\"suite\":\"build W=1\",\"status\":\"fail\",\"reason\":\"a warning\",\"date\":\"2026-01-02\"}\n"
		 "{\"variant\":\"scale0\",\"flavor\":\"tiny\",\"suite\":\"build W=1\",\"status\":\"refused\",\"reason\":\"needs 64BIT\",\"date\":\"2026-01-02\"}\n");
	assert_text("                           tiny\n                      build W=1\n  stock                    pass\n"
		    "  batched                  FAIL\n  scale0                    n/a\n");
	assert_text("* tiny/batched build W=1: fail: a warning (2026-01-02");
	assert_text("* tiny/scale0 build W=1: n/a, refused: needs 64BIT (2026-01-02");
	put_root("build/builds.jsonl", "{\"variant\":\"stock\",\"flavor\":\"tiny\",\"status\":\"ok\",\"date\":\"2026-01-02\"}\n");
	said = CAUGHT(m = matrix_json());
	assert_says(said, "builds.jsonl:1: a build without 'suite'");
	assert_int_equal(json_array_size(json_object_get(m, "cells")), 0);
	json_decref(m);
	free(said);
}

/* What cannot be read is said, and does not hide the rest. */
static void test_unread(void **state)
{
	json_t *m = NULL;
	char *said;

	(void)state;
	clear();
	put_one("r1", "perf/stock", "kunit", "ok", "2026-01-01T00:00:00Z");
	put_root("results/r2/records.jsonl", "{\"id\":\nnot JSON\n{}\n");
	put_root("results/r3/notes.txt", "no run\n");
	said = CAUGHT(m = matrix_json());
	assert_says(said, "r2/records.jsonl");
	assert_int_equal(json_array_size(json_object_get(m, "unread")), 1);
	assert_string_equal(j_str(cell(m, "stock", "kunit"), "result"), "pass");
	json_decref(m);
	free(said);
}

#define SECS(n) ",\"params\":{\"secs\":" #n "},\"facts\":{\"drains\":500,\"offlines\":2,\"free_before\":9}"

static void test_soak(void **state)
{
	g_autoptr(GString) s = g_string_new(NULL);
	const json_t *k;
	json_t *m;

	(void)state;
	clear();
	add(s, "debug/stock", "stress:secs=600", "ok", "", "2026-01-01T00:00:00Z", SECS(600));
	add(s, "debug/stock", "stress:secs=600", "ok", "", "2026-01-01T00:10:00Z", SECS(600));
	add(s, "debug/stock", "stress", "ok", "", "2026-01-01T00:20:00Z",
	    ",\"params\":{\"secs\":120},\"facts\":{\"seconds\":150,\"drains\":1}");
	add(s, "debug/batched", "stress:secs=600", "warn", "WARNING: here", "2026-01-01T00:20:00Z", SECS(600));
	put_run(opts.results, "r1", s);
	m = matrix_json();
	assert_int_equal(json_array_size(json_object_get(m, "soak")), 2);
	k = json_array_get(json_object_get(m, "soak"), 1);
	assert_string_equal(j_str(k, "variant"), "stock");
	assert_true(j_num(k, "minutes") == 22.5);
	assert_true(j_num(json_object_get(k, "counts"), "drains") == 1001);
	assert_null(json_object_get(json_object_get(k, "counts"), "free_before"));
	assert_int_equal(j_int(k, "warnings"), 0);
	assert_string_equal(j_str(k, "result"), "pass");
	assert_int_equal(json_array_size(json_object_get(k, "ids")), 3);
	/* How long one lasted that the kernel complained in is not known. */
	k = json_array_get(json_object_get(m, "soak"), 0);
	assert_true(j_num(k, "minutes") == 0);
	assert_int_equal(j_int(k, "warnings"), 1);
	assert_string_equal(j_str(k, "result"), "fail");
	assert_string_equal(j_str(k, "reason"), "WARNING: here");
	json_decref(m);
	assert_text("* debug/stock: 22.5 minutes, pass, 0 records with kernel warnings. Done\n"
		    "  meanwhile: drains 1,001, offlines 4.\n");
	assert_text("* debug/batched: 0.0 minutes, fail (WARNING: here), 1 record with kernel");
}

/* An older soak that failed is not forgotten, but no longer the newest of its label. */
static void test_soak_again(void **state)
{
	(void)state;
	clear();
	put_one("r1", "debug/stock", "stress", "fail", "2026-01-01T00:00:00Z");
	put_one("r2", "debug/stock", "stress", "ok", "2026-01-02T00:00:00Z");
	assert_text("* debug/stock: 0.0 minutes, pass, 0 records with kernel warnings.");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_newest),	  cmocka_unit_test(test_worst),
		cmocka_unit_test(test_smoke),	  cmocka_unit_test(test_kernel),
		cmocka_unit_test(test_folders),	  cmocka_unit_test(test_gaps),
		cmocka_unit_test(test_silent),	  cmocka_unit_test(test_broken),
		cmocka_unit_test(test_long_names), cmocka_unit_test(test_builds),
		cmocka_unit_test(test_unread),	  cmocka_unit_test(test_soak),
		cmocka_unit_test(test_soak_again),
	};

	return cmocka_run_group_tests_name("matrix", tests, setup, teardown);
}
