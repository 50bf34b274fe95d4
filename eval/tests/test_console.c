// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Consoles of guests that went wrong, each with the status and the line that must be found in it.
 */
#include "harness.h"
#include "klog.h"

static char **lines_of(const char *name)
{
	g_autofree char *path = g_build_filename(FIXTURES, "console", name, NULL);
	g_autofree char *text = file_read(path, NULL);

	assert_non_null(text);
	return g_strsplit(text, "\n", -1);
}

static void feed(struct klog *k, const char *name, size_t chunk)
{
	g_autofree char *path = g_build_filename(FIXTURES, "console", name, NULL);
	size_t len;
	g_autofree char *text = file_read(path, &len);

	memset(k, 0, sizeof(*k));
	for (size_t i = 0; i < len; i += chunk)
		klog_feed(k, text + i, MIN(chunk, len - i));
	klog_end(k);
}

static void each(size_t chunk)
{
	g_auto(GStrv) lines = lines_of("expected.txt");
	size_t n = 0;

	for (char **l = lines; *l && **l; l++, n++) {
		g_auto(GStrv) f = g_strsplit(*l, " ", 3);
		struct klog k;

		feed(&k, f[0], chunk);
		assert_string_equal(klog_status_name(k.status), f[1]);
		assert_string_equal(k.reason, f[2]);
	}
	assert_int_equal(n, 15);
}

static void test_whole(void **state)
{
	(void)state;
	each(65536);
}

/* The console is read as it grows: lines may be cut anywhere. */
static void test_pieces(void **state)
{
	(void)state;
	each(1);
	each(7);
}

/* Without its telling line, no fixture may still be found to be what it is. */
static void test_blind(void **state)
{
	g_auto(GStrv) lines = lines_of("expected.txt");

	(void)state;
	for (char **l = lines; *l && **l; l++) {
		g_auto(GStrv) f = g_strsplit(*l, " ", 3);
		g_auto(GStrv) text = lines_of(f[0]);
		g_auto(GStrv) parts = g_strsplit(f[2], "; then: ", 2);
		struct klog k = { 0 };

		for (char **t = text; *t; t++)
			if (!*f[2] || !strstr(*t, parts[0])) {
				klog_feed(&k, *t, strlen(*t));
				klog_feed(&k, "\n", 1);
			}
		assert_true(!*f[2] || strcmp(k.reason, f[2]));
	}
}

static struct klog after(const char *function, const char *text)
{
	struct klog k = { .expected_headline = function ? "[ BUG: Invalid wait context ]" : NULL,
			  .expected_function = function };

	klog_feed(&k, text, strlen(text));
	klog_end(&k);
	return k;
}

/* A report that the design is expected to cause is no warning; any other is, and so is the same from elsewhere. */
static void test_expected(void **state)
{
	g_autofree char *path = g_build_filename(FIXTURES, "console", "wait-context.txt", NULL);
	g_autofree char *text = file_read(path, NULL);
	g_autofree char *worse = g_strconcat(text, "WARNING: CPU: 0\n", NULL);
	g_autofree char *twice = g_strconcat(text, "[ BUG: Invalid wait context ]\n", NULL);
	struct klog k = after("pcp_ipi_handler", text);

	(void)state;
	assert_int_equal(k.status, KLOG_KNOWN);
	assert_string_equal(k.reason,
			    "expected of this design: [ BUG: Invalid wait context ] in pcp_ipi_handler");
	assert_int_equal(after(NULL, text).status, KLOG_WARN);
	assert_int_equal(after("no_such_function", text).status, KLOG_WARN);
	assert_int_equal(after("pcp_ipi_handler", worse).status, KLOG_WARN);
	k = after("pcp_ipi_handler", twice);
	assert_int_equal(k.status, KLOG_WARN);
	assert_string_equal(k.reason, "[ BUG: Invalid wait context ]");
}

/* The worst counts, wherever it stands, and longest lines do no harm. */
static void test_worst(void **state)
{
	struct klog k = { 0 };
	g_autofree char *wide = g_strnfill(100000, 'x');
	const char *text = "\r\nWARNING: CPU: 0\r\nKernel panic - not syncing: a\r\nOops: b\r\n";

	(void)state;
	klog_feed(&k, wide, strlen(wide));
	klog_feed(&k, text, strlen(text));
	assert_int_equal(k.status, KLOG_PANIC);
	assert_string_equal(k.reason, "Kernel panic - not syncing: a");
}

/* A panic hides what it was about, unless the reason goes back to it; what is older does not count. */
static void test_led_to(void **state)
{
	struct klog k = { 0 };
	const char *text = "WARNING: CPU: 0\nBUG: unable to handle page fault\nOops: 0000\n"
			   "Kernel panic - not syncing: Fatal exception\n";

	(void)state;
	klog_feed(&k, text, strlen(text));
	assert_int_equal(k.status, KLOG_PANIC);
	assert_string_equal(k.reason, "BUG: unable to handle page fault; then: "
				      "Kernel panic - not syncing: Fatal exception");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_blind),
		cmocka_unit_test(test_expected),
		cmocka_unit_test(test_worst),
		cmocka_unit_test(test_led_to),
	};

	return cmocka_run_group_tests_name("console", tests, NULL, NULL);
}
