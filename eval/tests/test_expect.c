// SPDX-License-Identifier: GPL-2.0-or-later
/* The judge of the boot tests must find what it claims to find. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#define ROW(variant, mean, max) \
	"{\"variant\":\"" variant "\",\"workload\":\"pairs\",\"metric\":\"insn_per_op\",\"clock\":\"icount\"," \
	"\"mean\":" #mean ",\"max\":" #max "}"

static const char good[] = "[" ROW("stock", 700.0, 700) "," ROW("other", 702.0, 20) "]";
static const char off[] = "[" ROW("stock", 700.0, 700) "," ROW("other", 714.0, 70) "]";
static const char lone[] = "[" ROW("stock", 700.0, 700) "]";

static char dir[] = "/tmp/expect-XXXXXX";

static int expect(const char *args, const char *a, const char *b)
{
	char cmd[512];
	FILE *f;
	const char *text[2] = { a, b };

	for (int i = 0; i < 2; i++) {
		snprintf(cmd, sizeof(cmd), "%s/%c", dir, "ab"[i]);
		f = fopen(cmd, "w");
		assert_non_null(f);
		fputs(text[i] ? text[i] : "", f);
		fclose(f);
	}
	snprintf(cmd, sizeof(cmd), "cd %s && exec $EXPECT %s > out 2>&1", dir, args);
	return WEXITSTATUS(system(cmd));
}

static void test_near(void **state)
{
	(void)state;
	assert_int_equal(expect("near a stock other insn_per_op 0.5", good, NULL), 0);
	assert_int_equal(expect("near a stock other insn_per_op 0.5", off, NULL), 1);
	assert_int_equal(expect("near a stock other insn_per_op 0.5", lone, NULL), 1);
	assert_int_equal(expect("near a stock other cli_per_op 0.5", good, NULL), 2);
	assert_int_equal(expect("near a stock other insn_per_op 0.5", "[{", NULL), 2);
}

static void test_same(void **state)
{
	(void)state;
	assert_int_equal(expect("same a b insn_per_op 0.2", good, good), 0);
	assert_int_equal(expect("same a b insn_per_op 0.2", good, off), 1);
	assert_int_equal(expect("same a b insn_per_op 0.2", good, lone), 1);
	assert_int_equal(expect("same a b insn_per_op 0.2", "[]", good), 2);
}

static void test_below(void **state)
{
	(void)state;
	assert_int_equal(expect("below a other stock insn_per_op 20", good, NULL), 0);
	assert_int_equal(expect("below a other stock insn_per_op 20", off, NULL), 1);
	assert_int_equal(expect("below a other stock insn_per_op 20", lone, NULL), 2);
}

static void test_clean(void **state)
{
	(void)state;
	assert_int_equal(expect("clean a", "{\"id\":\"b1.0\",\"status\":\"ok\"}\n{\"done\":\"b1\"}\n", NULL), 0);
	assert_int_equal(expect("clean a", "{\"id\":\"b1.0\",\"status\":\"warn\",\"reason\":\"x\"}\n", NULL), 1);
	assert_int_equal(expect("clean a", "{\"id\":\"b1.0\",\"status\":\"known\",\"reason\":\"x\"}\n", NULL), 0);
	assert_int_equal(expect("clean a", "{\"id\":\"b1.0\",\"status\":\"known\",\"reason\":null}\n", NULL), 1);
	assert_int_equal(expect("clean a", "{\"id\":\"b1.0\",\"status\":\"skip\",\"reason\":\"x\"}\n", NULL), 1);
	assert_int_equal(expect("clean a", "{\"id\":\"b1.0\",\"status\":\"ok\"}\n{\"id\":", NULL), 1);
	assert_int_equal(expect("clean a", "", NULL), 2);
	assert_int_equal(expect("clean nowhere", "", NULL), 2);
}

/* One boot with one record, which ends the way @status says, and its console. */
static int expect_status(const char *wanted, const char *status, const char *reason, const char *console)
{
	char text[512];
	FILE *f;

	snprintf(text, sizeof(text), "rm -rf %s/boots; mkdir -p %s/boots/b1", dir, dir);
	assert_int_equal(system(text), 0);
	snprintf(text, sizeof(text), "%s/boots/b1/console", dir);
	f = console ? fopen(text, "w") : NULL;
	if (f) {
		fputs(console, f);
		fclose(f);
	}
	snprintf(text, sizeof(text), "{\"id\":\"b1.0\",\"boot\":\"b1\",\"variant\":\"v\",\"label\":\"x\",\"status\":\"%s\",\"reason\":%s}\n",
		 status, reason);
	return expect(wanted, text, NULL);
}

static void test_status(void **state)
{
	const char *console = "[ 1.0] BUG: a\n[ 1.1] Kernel panic - b\n";

	(void)state;
	assert_int_equal(expect_status("status a x ok", "ok", "null", ""), 0);
	assert_int_equal(expect_status("status a x ok", "ok", "\"why\"", ""), 1);
	assert_int_equal(expect_status("status a x ok", "ok", "null", NULL), 1);
	assert_int_equal(expect_status("status a x silent", "ok", "null", ""), 1);
	assert_int_equal(expect_status("status a x silent", "silent", "\"why\"", ""), 0);
	assert_int_equal(expect_status("status a x silent", "silent", "null", ""), 1);
	assert_int_equal(expect_status("status a x oops", "oops", "\"BUG: a\"", console), 0);
	assert_int_equal(expect_status("status a x oops", "oops", "\"BUG: a\"", "[ 1.0] BUG: b\n"), 1);
	assert_int_equal(expect_status("status a x panic", "panic", "\"BUG: a; then: Kernel panic - b\"", console), 0);
	assert_int_equal(expect_status("status a x panic", "panic", "\"BUG: a; then: Kernel panic - c\"", console), 1);
	assert_int_equal(expect_status("status a x known", "known", "\"why\"", ""), 0);
	assert_int_equal(expect_status("status a x known", "known", "null", ""), 1);
	assert_int_equal(expect_status("status a y ok", "ok", "null", ""), 2);
	assert_int_equal(expect_status("variant a v x ok", "ok", "null", ""), 0);
	assert_int_equal(expect_status("variant a v x fail", "ok", "null", ""), 1);
	assert_int_equal(expect_status("variant a w x ok", "ok", "null", ""), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_near), cmocka_unit_test(test_same),
		cmocka_unit_test(test_below), cmocka_unit_test(test_clean),
		cmocka_unit_test(test_status),
	};
	char path[4096];
	int failed;

	if (!getcwd(path, sizeof(path)) || !mkdtemp(dir))
		return 1;
	snprintf(path + strlen(path), sizeof(path) - strlen(path), "/build/tests/expect");
	setenv("EXPECT", path, 1);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	snprintf(path, sizeof(path), "rm -r %s", dir);
	return system(path) || failed;
}
