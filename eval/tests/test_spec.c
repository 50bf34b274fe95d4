// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Specs that are right are read; each kind of wrong one is refused with its line and what is
 * allowed.
 */
#include "harness.h"
#include "spec.h"

#define HEAD "question: q\nvariants: [stock, batched]\nflavor: perf\n"
#define BOOT "boots:\n  - name: path\n    workloads:\n"

static char *root;

static struct spec *load(const char *text)
{
	g_autofree char *path = root_path("eval/specs/t.yaml");

	g_file_set_contents(path, text, -1, NULL);
	return spec_load(path);
}

/* What a parameter's value means stands in the label, where there is a word for it. */
static void test_words(void **state)
{
	struct spec *s = load(HEAD "runs: 1\n" BOOT "      - {name: kunit, suite: 2}\n"
				   "      - {name: kunit, suite: 3, msecs: 9}\n      - name: kunit\n");
	static const char *const labels[] = { "kunit:nested", "kunit:drain,msecs=9", "kunit" };

	(void)state;
	assert_non_null(s);
	for (size_t i = 0; i < G_N_ELEMENTS(labels); i++) {
		char *label = spec_label(&s->boots[0].workloads[i]);

		assert_string_equal(label, labels[i]);
		g_free(label);
	}
	spec_free(s);
}

static void refused(const char *text, const char *line, const char *what, const char *allowed)
{
	struct spec *s = NULL;
	char *said = CAUGHT(s = load(text));

	assert_null(s);
	assert_says(said, line);
	assert_says(said, what);
	assert_says(said, allowed);
	free(said);
}

static void test_right(void **state)
{
	struct spec *s = load(HEAD "runs: 3\nseed: 7\nmode: icount\n" BOOT
				   "      - {name: pairs, order: 3}\n      - name: pairs\n");
	char *label;

	(void)state;
	assert_non_null(s);
	assert_string_equal(s->name, "t");
	assert_int_equal(s->variants_count, 2);
	assert_string_equal(s->variants[1], "batched");
	assert_int_equal(s->runs, 3);
	assert_int_equal(*s->seed, 7);
	assert_int_equal(s->mode, MODE_ICOUNT);
	assert_int_equal(s->boots[0].cpus, 1);
	assert_int_equal(s->boots[0].workloads_count, 2);
	label = spec_label(&s->boots[0].workloads[0]);
	assert_string_equal(label, "pairs:order=3");
	g_free(label);
	assert_int_equal(spec_param(&s->boots[0].workloads[0], &workload_find("pairs")->params[0]),
			 3);
	assert_int_equal(spec_param(&s->boots[0].workloads[1], &workload_find("pairs")->params[1]),
			 20000);
	spec_free(s);
}

static void test_composed(void **state)
{
	struct spec *s =
		load("question: q\nvariants: [stock, batched+scale0]\nflavor: perf\nruns: 1\n" BOOT
		     "      - name: pairs\n");

	(void)state;
	assert_non_null(s);
	spec_free(s);
	refused("question: q\nvariants:\n  - stock\n  - batched+scael0\nflavor: perf\nruns: 1\n" BOOT
		"      - name: pairs\n",
		"t.yaml:4:", "unknown variant 'scael0'", "batched, scale0, stock");
}

static void test_names(void **state)
{
	(void)state;
	refused("question: q\nvariants: [stok]\nflavor: perf\nruns: 1\n" BOOT
		"      - name: pairs\n",
		"t.yaml:2:", "did you mean 'stock'?", "there are: batched, scale0, stock");
	refused("question: q\nvariants: [stock]\nflavor: pref\nruns: 1\n" BOOT
		"      - name: pairs\n",
		"t.yaml:3:", "unknown flavour 'pref'", "there are: perf");
	refused(HEAD "runs: 1\n" BOOT "      - name: pears\n",
		"t.yaml:8:", "unknown workload 'pears'", "pairs, burst");
	refused(HEAD "runz: 1\n" BOOT "      - name: pairs\n",
		"t.yaml:4:", "unknown key 'runz'; did you mean 'runs'?",
		"allowed here: question, variants");
	refused(HEAD "runs: 1\n" BOOT "      - {name: pairs, ordr: 1}\n",
		"t.yaml:8:", "unknown key 'ordr'", "order");
	refused(HEAD "runs: 1\n" BOOT "      - name: pairs\n        mb: 3\n", "t.yaml:9:",
		"workload 'pairs' has no parameter 'mb'", "it has: order n");
}

static void test_types(void **state)
{
	(void)state;
	refused(HEAD "runs: many\n" BOOT "      - name: pairs\n",
		"t.yaml:4:", "'runs' must be a whole number", "many");
	refused(HEAD "runs: 1\nmode: fast\n" BOOT "      - name: pairs\n",
		"t.yaml:5:", "'mode' cannot be 'fast'", "auto, icount, tcg, kvm");
	refused(HEAD "runs: 1\nboots: 3\n", "t.yaml:5:", "'boots' must be a list", "single value");
	refused(HEAD "runs: 1\n", "t.yaml:", "boots", "quick.yaml");
	refused(HEAD "runs: [\n", "t.yaml:", "not YAML", "");
	refused("", "t.yaml:1:", "empty", "quick.yaml");
	refused("- a\n", "t.yaml:1:", "must be a mapping", "a list");
	refused(HEAD "runs: 1\nruns: 2\n" BOOT "      - name: pairs\n",
		"t.yaml:5:", "'runs' given twice", "keep one");
}

static void test_ranges(void **state)
{
	(void)state;
	refused(HEAD "runs: 0\n" BOOT "      - name: pairs\n", "t.yaml:4:", "runs is 0",
		"1 to 1000");
	refused(HEAD "runs: 1\n" BOOT "      - name: pairs\n        order: 10\n",
		"t.yaml:9:", "order is 10", "0 to 9");
	refused(HEAD
		"runs: 1\nboots:\n  - name: a\n    memory_mb: 1\n    workloads: [{name: pairs}]\n",
		"t.yaml:7:", "memory_mb is 1", "256 to");
	refused(HEAD "runs: 1\nboots:\n  - name: a\n    nodes: 2\n    workloads: [{name: pairs}]\n",
		"t.yaml:7:", "divide evenly", "2 nodes");
}

static void test_places(void **state)
{
	(void)state;
	refused(HEAD "runs: 1\n" BOOT "      - name: exits\n      - name: pairs\n",
		"t.yaml:8:", "'exits' disturbs", "put it last");
	refused(HEAD "runs: 1\n" BOOT "      - name: prodcons\n", "t.yaml:8:", "at least 2 cpus",
		"'path' has 1");
	refused(HEAD "runs: 1\n" BOOT "      - name: pairs\n      - {name: pairs, order: 0}\n",
		"t.yaml:9:", "twice with the same parameters", "take it out");
	/* In another boot too: a row of figures is known by its label. */
	refused(HEAD "runs: 1\n" BOOT "      - name: faults\n"
		"  - name: smp\n    cpus: 2\n    workloads:\n      - name: faults\n",
		"t.yaml:12:", "'faults' is in this spec twice", "change one");
	refused(HEAD
		"runs: 1\nboots:\n  - name: a\n    cpus: 2\n    workloads:\n      - name: cyclictest\n",
		"t.yaml:9:", "one cpu only", "cpus: 1");
	refused("question: q\nvariants: [stock, stock]\nflavor: perf\nruns: 1\n" BOOT
		"      - name: pairs\n",
		"t.yaml:2:", "listed twice", "keep one");
}

/* The spec that is shipped is right, but for the variants, which are the tree's. */
static void test_shipped(void **state)
{
	g_autofree char *text = NULL;
	struct spec *s;

	(void)state;
	assert_true(g_file_get_contents("eval/specs/quick.yaml", &text, NULL, NULL));
	s = load(text);
	assert_non_null(s);
	assert_string_equal(s->variants[0], "stock");
	spec_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_right),
		cmocka_unit_test(test_words),	cmocka_unit_test(test_composed),
		cmocka_unit_test(test_names),	cmocka_unit_test(test_types),
		cmocka_unit_test(test_ranges),	cmocka_unit_test(test_places),
		cmocka_unit_test(test_shipped),
	};
	int rc;

	root = make_root();
	rc = cmocka_run_group_tests_name("spec", tests, NULL, NULL);
	remove_root(root);
	return rc;
}
