// SPDX-License-Identifier: GPL-2.0-or-later
/* Both reports of the fixture, and of runs with gaps, odd names and broken input. */
#include <math.h>
#include "pcplab.h"
#include "records.h"
#include "report.h"

#define QUICK "{\"run\":\"q-1\",\"spec\":\"quick\",\"question\":\"Is <b>it</b> & \\\"so\\\"?\",\"variants\":[\"stock\",\"batched\",\"scale0\"]}"

static char *fixture(void)
{
	return file_read(FIXTURES "/records-quick.jsonl", NULL);
}

static int stage(int (*run)(int argc, char **argv), const char *name, const char *dir)
{
	char *argv[] = { (char *)name, (char *)dir, NULL };

	return run(2, argv);
}

static char *result(const char *dir, const char *name)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);

	return file_read(path, NULL);
}

/* The 1-based number of the first line wider than 80 columns, or 0. */
static int too_wide(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (int i = 0; lines[i]; i++)
		if (g_utf8_strlen(lines[i], -1) > 80)
			return i + 1;
	return 0;
}

/* A text with every line break and indentation as one space. */
static char *unwrapped(const char *text)
{
	g_autoptr(GRegex) space = g_regex_new("\\s+", 0, 0, NULL);

	return g_regex_replace_literal(space, text, -1, 0, " ", 0, NULL);
}

/* What a page must not have, to be readable without network; NULL when it has none of it. */
static const char *reaches_out(const char *html)
{
	static const char *const marks[] = { "<script", "<link", "<img", "<iframe", "@import", " src=", "url(http", "url('http",
					     "href=\"http", "href='http", "url(//" };

	for (size_t i = 0; i < G_N_ELEMENTS(marks); i++)
		if (strstr(html, marks[i]))
			return marks[i];
	return NULL;
}

static void test_checkers_find_faults(void **state)
{
	g_autofree char *wide = g_strnfill(81, 'x'), *fits = g_strnfill(80, 'x'), *text = g_strconcat(fits, "\n", wide, NULL);

	(void)state;
	assert_int_equal(too_wide(fits), 0);
	assert_int_equal(too_wide(text), 2);
	assert_null(reaches_out("<p>xmlns=\"http://www.w3.org/2000/svg\"</p>"));
	assert_non_null(reaches_out("<img alt=x>"));
	assert_non_null(reaches_out("<a xlink:href='http://x'>"));
	assert_non_null(reaches_out("p{background:url(http://x)}"));
}

static void test_quick(void **state)
{
	g_autofree char *records = fixture();
	char *dir = make_run(records, QUICK);
	g_autofree char *txt = NULL, *html = NULL;

	(void)state;
	assert_int_equal(stage(cmd_stats, "stats", dir), RC_OK);
	assert_int_equal(stage(cmd_report, "report", dir), RC_OK);
	txt = result(dir, "report.txt");
	html = result(dir, "report.html");
	assert_int_equal(too_wide(txt), 0);
	assert_null(reaches_out(html));
	assert_says(txt, "\nrun q-1, spec quick\n");
	assert_says(html, "<title>pcplab: run q-1, spec quick</title>");
	assert_says(html, ">run q-1, spec quick</p>");
	/* Question and answer first, then what they rest on. */
	assert_says(txt, "Is <b>it</b> & \"so\"?");
	assert_says(txt, "Longest interrupts-off spill (exits): stock ");
	assert_says(txt, "times shorter, p < 0.001)");
	assert_says(txt, "Instructions per pair (pairs): stock 697");
	assert_true(strstr(txt, "Answer") < strstr(txt, "Conditions"));
	assert_true(strstr(txt, "Conditions") < strstr(txt, "Tables"));
	assert_says(txt, "(   0.00%)");
	assert_says(txt, "linux-source-6.12 6.12.117-1~deb12u1");
	assert_says(txt, "vm.min_free_kbytes");
	assert_says(txt, "boots/b0027/console");
	assert_says(txt, "positive is better");
	/* Every kind of figure is in the page, with its records. */
	assert_says(html, "<svg");
	assert_says(html, "title=\"records: b0001.0, ");
	assert_says(html, "class=\"badge\">icount on TCG, 1 cpu<");
	/* No figure that is not a number. */
	assert_false(g_regex_match_simple("\\b(nan|inf)\\b", html, G_REGEX_CASELESS, 0));
	assert_false(g_regex_match_simple("\\b(nan|inf)\\b", txt, G_REGEX_CASELESS, 0));
	remove_run(dir);
}

static void test_escaping(void **state)
{
	g_autofree char *records = fixture();
	char *dir = make_run(records, QUICK);
	g_autofree char *html = NULL;

	(void)state;
	assert_int_equal(stage(cmd_stats, "stats", dir), RC_OK);
	assert_int_equal(stage(cmd_report, "report", dir), RC_OK);
	html = result(dir, "report.html");
	assert_says(html, "Is &lt;b&gt;it&lt;/b&gt; &amp; &quot;so&quot;?");
	assert_says(html, "&lt;hung&gt; &amp; &quot;dead&quot;");
	assert_says(html, "Example CPU &lt;E&amp;5&gt;");
	assert_null(strstr(html, "<hung>"));
	assert_null(strstr(html, "<E&5>"));
	remove_run(dir);
}

static json_t *two_kinds(const char *info)
{
	g_autofree char *m = scalar_text("insn_per_op", 700);
	g_autofree char *a = record_text("stock", 1, "icount", "pairs", m);
	g_autofree char *b = record_text("it's \\\"<i>odd</i>", 1, "icount", "bulk", m);
	g_autofree char *text = g_strconcat(a, b, NULL);

	return stats_of(text, info);
}

static void test_missing(void **state)
{
	json_t *stats = two_kinds("{\"variants\":[\"stock\",\"never-run\"]}");
	g_autofree char *txt = report_txt(stats), *html = report_html(stats);

	(void)state;
	assert_says(txt, "run not recorded");
	assert_says(txt, "never-run missing");
	assert_says(txt, "missing");
	assert_says(html, ">missing");
	assert_null(strstr(html, "<i>odd"));
	assert_says(html, "&lt;i&gt;odd");
	/* Missing is not nothing. */
	assert_null(strstr(txt, "never-run 0"));
	assert_int_equal(too_wide(txt), 0);
	json_decref(stats);
}

static void test_many_variants(void **state)
{
	static const char *const names[] = { "stock", "one", "two", "three", "four", "a-variant-with-quite-a-long-name" };
	g_autoptr(GString) s = g_string_new(NULL);
	g_autofree char *txt = NULL;
	json_t *stats;

	(void)state;
	for (size_t v = 0; v < G_N_ELEMENTS(names); v++)
		for (int run = 1; run <= 2; run++)
			add_scalar_record(s, names[v], run, "insn_per_op", 1234567.25 * (double)(v + 1) + run);
	stats = stats_of(s->str, NULL);
	txt = report_txt(stats);
	assert_int_equal(too_wide(txt), 0);
	assert_says(txt, "stock                    one                    two\n");
	assert_says(txt, "stock                  three                   four\n");
	assert_says(txt, "7,407,405");
	json_decref(stats);
}

/* Names of compositions are long, and differ at any place: none is cut. */
static void test_composed_names(void **state)
{
	static const char *const names[] = { "stock", "ipi+batched+zones2", "ipi-inhandler+batched+zones2",
					     "ipi-inhandler+batched+zones3", "one-part-of-more-than-twenty-two-columns" };
	g_autoptr(GString) s = g_string_new(NULL);
	g_autofree char *txt = NULL, *html = NULL;
	json_t *stats;

	(void)state;
	for (size_t v = 0; v < G_N_ELEMENTS(names); v++)
		for (int run = 1; run <= 2; run++)
			add_scalar_record(s, names[v], run, "insn_per_op", 700 + (double)v);
	stats = stats_of(s->str, NULL);
	txt = report_txt(stats);
	html = report_html(stats);
	assert_int_equal(too_wide(txt), 0);
	/* Over the columns; in the table of costs; before its records. */
	assert_says(txt, "stock     ipi+batched+zones2 ipi-inhandler+batched+\n"
		    "                                                                        zones2\n");
	assert_says(txt, " one-part-of-more-than-\n");
	assert_says(txt, "twenty-two-columns\n");
	assert_says(txt, "  ipi-inhandler+batched+zones2\n                   702.00");
	assert_says(txt, "  ipi-inhandler+batched+zones3 ipi-inhandler+batched+zones3-1-icount.0,");
	assert_says(html, ">ipi-inhandler+<wbr>batched+<wbr>zones3<");
	json_decref(stats);
}

static void test_floor(void **state)
{
	g_autoptr(GString) s = g_string_new(NULL);
	g_autofree char *txt = NULL, *flat = NULL, *html = NULL;
	json_t *stats;

	(void)state;
	for (int run = 1; run <= 5; run++) {
		add_scalar_record(s, "none", run, "insn_per_op", 637);
		add_scalar_record(s, "stock", run, "insn_per_op", 697);
		add_scalar_record(s, "ipi", run, "insn_per_op", 652);
	}
	stats = stats_of(s->str, "{\"variants\":[\"stock\",\"ipi\"],\"floor\":\"none\"}");
	txt = report_txt(stats);
	flat = unwrapped(txt);
	html = report_html(stats);
	assert_int_equal(too_wide(txt), 0);
	assert_says(flat, "stock 697 instructions; ipi 652 (6.46% fewer, repeats exactly) - the floor, none, is 637, "
		    "and of stock's distance from it there is left: ipi 25%. [");
	assert_says(txt, "\nAbove the floor\n");
	assert_says(txt, "pairs, instructions: floor (none) 637 [icount on TCG, 1 cpu; 5 runs each]\n");
	assert_says(txt, "  ipi                     652      15.00 above   25.0% (25.0..25.0)\n");
	assert_says(txt, "  (floor) none     637.00");
	assert_says(html, "floor: none</th>\n<td>637</td>");
	assert_says(html, ">652</td>\n<td>15.00</td>\n<td>25.0%</td>\n<td class=\"text dim\"> (25.0..25.0)</td>");
	assert_null(strstr(flat, "none against"));
	assert_null(strstr(flat, "none beside"));
	json_decref(stats);
}

static void test_long_words_wrap(void **state)
{
	g_autofree char *word = g_strnfill(300, 'w');
	g_autofree char *info = g_strdup_printf("{\"question\":\"%s \303\274\303\274%s\",\"variants\":[\"stock\"]}", word, word);
	json_t *stats = two_kinds(info);
	g_autofree char *txt = report_txt(stats);

	(void)state;
	assert_int_equal(too_wide(txt), 0);
	assert_true(g_utf8_validate(txt, -1, NULL));
	json_decref(stats);
}

static void test_refuses_other_stats(void **state)
{
	g_autofree char *records = fixture();
	char *dir = make_run(records, QUICK), *said;
	g_autofree char *stats = g_build_filename(dir, "stats.json", NULL);
	g_autofree char *path = g_build_filename(dir, "records.jsonl", NULL);
	int rc = 0;

	(void)state;
	said = CAUGHT(rc = stage(cmd_report, "report", dir));
	assert_int_equal(rc, RC_USAGE);
	assert_says(said, "no stats.json yet; make it with: pcplab stats");
	free(said);
	assert_int_equal(stage(cmd_stats, "stats", dir), RC_OK);
	/* One record fewer than the figures were made from. */
	*g_strrstr(records, "{\"id\"") = '\0';
	assert_true(g_file_set_contents(path, records, -1, NULL));
	said = CAUGHT(rc = stage(cmd_report, "report", dir));
	assert_int_equal(rc, RC_USAGE);
	assert_says(said, "made from other records");
	free(said);
	assert_true(g_file_set_contents(stats, "{\"format\":99}", -1, NULL));
	said = CAUGHT(rc = stage(cmd_report, "report", dir));
	assert_int_equal(rc, RC_USAGE);
	assert_says(said, "is of format 99");
	free(said);
	remove_run(dir);
}

static void assert_text(char *got, const char *expected)
{
	assert_string_equal(got, expected);
	g_free(got);
}

static void test_numbers(void **state)
{
	json_t *minus = json_real(-0.001), *big = json_real(-26559.4), *x = json_real(4.854);

	(void)state;
	assert_text(fmt_number(280805, 0), "280,805");
	assert_text(fmt_number(-1234567.891, 2), "-1,234,567.89");
	assert_text(fmt_number(999, 0), "999");
	assert_text(fmt_number(-0.0001, 2), "0.00");
	assert_text(fmt_percent(minus), "0.00%");
	assert_text(fmt_percent(big), "-26559%");
	assert_text(fmt_percent(x), "4.85%");
	assert_text(fmt_percent(NULL), "-");
	json_decref(minus);
	json_decref(big);
	json_decref(x);
}

/* The same rules speak of a variant that loses. */
static void test_words(void **state)
{
	g_autoptr(GString) s = g_string_new(NULL);
	g_autofree char *said = NULL;
	json_t *stats;

	(void)state;
	for (int run = 1; run <= 5; run++) {
		add_scalar_record(s, "stock", run, "insn_per_op", 700);
		add_scalar_record(s, "slow", run, "insn_per_op", 2100);
		add_scalar_record(s, "equal", run, "insn_per_op", 700);
		add_scalar_record(s, "near", run, "insn_per_op", 702.1);
	}
	stats = stats_of(s->str, "{\"variants\":[\"stock\",\"slow\",\"equal\",\"near\"]}");
	said = words_answer(json_array_get(json_object_get(stats, "answers"), 0), json_object_get(stats, "variants"));
	assert_string_equal(said, "Instructions per pair (pairs): stock 700 instructions; "
			    "slow 2,100 (3.0 times more, repeats exactly); equal 700 (equal, repeats exactly); "
			    "near 702.10 (0.30% more, repeats exactly: the same). [icount on TCG, 1 cpu; 5 runs each]");
	json_decref(stats);
}

/* A record with sections: of any kind up to @all, and spills up to @spill, @n of them (0: none). */
static void add_sections(GString *s, const char *variant, int run, const char *label, int all, int spill, int n)
{
	g_autofree char *whole = g_strdup_printf("{\"metric\":\"irqoff_insn\",\"unit\":\"insn\",\"n\":%d,\"sum\":%d,\"max\":%d,"
						 "\"hist\":[[%d,%d,%d]]}", n + 1, (n + 1) * all, all, all, all, n + 1);
	g_autofree char *part = g_strdup_printf(",{\"metric\":\"irqoff_insn.spill\",\"unit\":\"insn\",\"n\":%d,\"sum\":%d,"
						"\"max\":%d,\"hist\":[[%d,%d,%d]]}", n, n * spill, spill, spill, spill, n);
	g_autofree char *metrics = g_strconcat(whole, n ? part : "", NULL);
	g_autofree char *record = record_text(variant, run, "icount", label, metrics);

	g_string_append(s, record);
}

static json_t *sections_stats(int last)
{
	static const char *const names[] = { "stock", "short", "shorter", "shortest" };
	g_autoptr(GString) s = g_string_new(NULL), info = g_string_new("{\"variants\":[");

	for (int v = 0; v <= last; v++) {
		g_string_append_printf(info, "%s\"%s\"", v ? "," : "", names[v]);
		for (int run = 1; run <= 5; run++)
			add_sections(s, names[v], run, "exits", 6400 >> v, 6400 >> v, 2 << v);
	}
	g_string_append(info, "]}");
	return stats_of(s->str, info->str);
}

static void test_holds(void **state)
{
	json_t *stats = sections_stats(2);
	g_autofree char *wrapped = report_txt(stats), *txt = unwrapped(wrapped);

	(void)state;
	assert_says(txt, "Spills in exits: stock 10; short 20 (2.0 times as many); shorter 40 (4.0 times as many).");
	assert_says(txt, "cannot be decided under icount.");
	json_decref(stats);
}

static void test_beside(void **state)
{
	json_t *three = sections_stats(2), *four = sections_stats(3);
	g_autofree char *a = report_txt(three), *b = report_txt(four), *html = report_html(four);

	(void)state;
	assert_says(a, "The others beside each other\n");
	assert_says(a, "* short beside shorter: wins: nothing beyond 1%; loses: longest interrupts-off");
	assert_says(a, "* shorter beside short: wins: longest interrupts-off spill 2.0 times shorter");
	assert_says(b, "The others beside short only, the second of the spec's list\n");
	assert_says(b, "* shortest beside short: wins: longest interrupts-off spill 4.0 times shorter");
	assert_null(strstr(b, "* short beside"));
	assert_null(strstr(b, "shortest beside shorter"));
	assert_says(html, "<b>shortest beside short</b>: wins: ");
	/* One badge for all rows: told once, not in a column. */
	assert_null(strstr(html, "measured under"));
	json_decref(three);
	json_decref(four);
}

/* The longest section of any kind counts where it is the lists'; a timer interrupt is nobody's loss. */
static void test_other_sections(void **state)
{
	g_autoptr(GString) s = g_string_new(NULL);
	const json_t *worse;
	json_t *stats;

	(void)state;
	for (int run = 1; run <= 5; run++) {
		add_sections(s, "stock", run, "exits", 2400, 700, 1);
		add_sections(s, "other", run, "exits", 2900, 700, 1);
	}
	stats = stats_of(s->str, "{\"variants\":[\"stock\",\"other\"]}");
	worse = json_object_get(json_array_get(json_object_get(stats, "tallies"), 0), "worse");
	assert_int_equal(json_array_size(worse), 0);
	json_decref(stats);
	/* The other's longest is a spill, stock's is not: that is the other's doing. */
	g_string_truncate(s, 0);
	for (int run = 1; run <= 5; run++) {
		add_sections(s, "stock", run, "exits", 2400, 700, 1);
		add_sections(s, "other", run, "exits", 2900, 2900, 1);
	}
	stats = stats_of(s->str, "{\"variants\":[\"stock\",\"other\"]}");
	worse = json_object_get(json_array_get(json_object_get(stats, "tallies"), 0), "worse");
	assert_int_equal(json_array_size(worse), 2);
	json_decref(stats);
}

/* Noise around one mean, and the same claim of a second workload. */
static void test_near_and_likewise(void **state)
{
	g_autoptr(GString) s = g_string_new(NULL);
	g_autofree char *txt = NULL, *wrapped = NULL;
	json_t *stats;

	(void)state;
	for (int run = 1; run <= 5; run++) {
		add_scalar_record(s, "stock", run, "insn_per_op", 700 + 50 * run);
		add_scalar_record(s, "near", run, "insn_per_op", 701 + 50 * run);
		add_scalar_record(s, "even", run, "insn_per_op", 1000 - 50 * run);
	}
	/* Boots of other runs, so that ids differ. */
	for (int run = 6; run <= 10; run++) {
		g_autofree char *m = scalar_text("insn_per_op", 300);
		g_autofree char *a = record_text("stock", run, "icount", "pairs:n=9", m);
		g_autofree char *b = record_text("near", run, "icount", "pairs:n=9", m);
		g_autofree char *c = record_text("even", run, "icount", "pairs:n=9", m);

		g_string_append_printf(s, "%s%s%s", a, b, c);
	}
	stats = stats_of(s->str, "{\"variants\":[\"stock\",\"near\",\"even\"]}");
	wrapped = report_txt(stats);
	assert_null(strstr(wrapped, "  unclear:\n"));
	txt = unwrapped(wrapped);
	assert_says(txt, "unclear in 1 (1 of them less than 1% apart)");
	assert_null(strstr(txt, "equal, within"));
	assert_int_equal(json_array_size(json_object_get(stats, "answers")), 1);
	assert_says(txt, "* Instructions per pair (pairs:n=9): stock 300");
	assert_says(txt, "Likewise (pairs): near 0.12% more, within the noise; even equal.");
	json_decref(stats);
}

static int setup(void **state)
{
	(void)state;
	opts.root = g_get_current_dir();
	opts.quiet = true;
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_checkers_find_faults), cmocka_unit_test(test_quick),
		cmocka_unit_test(test_escaping), cmocka_unit_test(test_missing),
		cmocka_unit_test(test_many_variants), cmocka_unit_test(test_long_words_wrap),
		cmocka_unit_test(test_composed_names), cmocka_unit_test(test_floor),
		cmocka_unit_test(test_refuses_other_stats), cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_words), cmocka_unit_test(test_holds), cmocka_unit_test(test_beside),
		cmocka_unit_test(test_other_sections), cmocka_unit_test(test_near_and_likewise),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
