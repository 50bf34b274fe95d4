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

#define COMPOSED(name) "question: q\nvariants: [" name "]\nflavor: perf\nruns: 1\n" BOOT "      - name: pairs\n"

static void test_parts(void **state)
{
	(void)state;
	refused(COMPOSED("batched+"), "t.yaml:2:", "unknown variant ''", "batched, scale0, stock");
	refused(COMPOSED("+batched"), "t.yaml:2:", "unknown variant ''", "batched, scale0, stock");
	refused(COMPOSED("batched+batched"), "t.yaml:2:", "the part 'batched' twice", "keep one");
	refused(COMPOSED("batched+ipi+scale0"), "t.yaml:2:", "unknown variant 'ipi'", "batched, scale0, stock");
}

static void add_variant(const char *name, const char *config)
{
	g_autofree char *dir = root_path("variants/%s", name);
	g_autofree char *path = g_build_filename(dir, "variant.config", NULL);

	g_mkdir_with_parents(dir, 0777);
	assert_true(g_file_set_contents(path, config, -1, NULL));
}

static void remove_variant(const char *name)
{
	g_autofree char *dir = root_path("variants/%s", name);
	const char *const argv[] = { "rm", "-rf", dir, NULL };

	g_free(command_output(argv));
}

/* What is broken on purpose is never measured, under whatever name or in whatever composition. */
static void test_broken(void **state)
{
	struct spec *s;

	(void)state;
	add_variant("busted", "CONFIG_PCP_SPIN=y\nCONFIG_PCP_BUSTED=y\n");
	add_variant("slow", "CONFIG_PCP_TEST_ONLY=y\n");
	add_variant("fast", "CONFIG_PCP_TEST_ONLY=n\n");
	refused(COMPOSED("stock, busted"), "t.yaml:2:", "'busted' is for tests only (CONFIG_PCP_BUSTED=y)",
		"'purpose: test'");
	refused(COMPOSED("stock, batched+slow"), "t.yaml:2:", "(CONFIG_PCP_TEST_ONLY=y)", "'purpose: test'");
	refused("purpose: test\n" COMPOSED("busted"), "t.yaml:3:", "another flavour than perf", "trace");
	refused(COMPOSED("stock") "also: [{variant: busted, as: b, nodes: 1}]\n", "t.yaml:9:",
		"for tests only", "purpose");
	refused(COMPOSED("stock") "floor: busted\n", "t.yaml:9:", "for tests only", "purpose");
	g_autofree char *flavor = root_path("eval/flavors/debug.config");
	g_file_set_contents(flavor, "# for testing\n", -1, NULL);
	s = load("purpose: test\nquestion: q\nvariants: [busted]\nflavor: debug\nruns: 1\n" BOOT
		 "      - name: pairs\n");
	assert_non_null(s);
	spec_free(s);
	/* Of two parts the later decides. */
	s = load(COMPOSED("fast, batched+fast, slow+fast"));
	assert_non_null(s);
	spec_free(s);
	refused(COMPOSED("fast+slow"), "t.yaml:2:", "(CONFIG_PCP_TEST_ONLY=y)", "'purpose: test'");
	refused("question: q\nvariants: [busted]\nflavor: debug\nruns: 1\n" BOOT "      - name: pairs\n",
		"t.yaml:2:", "for tests only", "purpose: test");
	unlink(flavor);
	remove_variant("busted");
	remove_variant("slow");
	remove_variant("fast");
}

static void test_floor(void **state)
{
	struct spec_column c;
	struct spec *s;

	(void)state;
	add_variant("none", "CONFIG_PCP_NONE=y\n");
	s = load(COMPOSED("stock, batched") "floor: none\n");
	assert_non_null(s);
	assert_int_equal(spec_columns(s), 3);
	c = spec_column(s, 2);
	assert_string_equal(c.name, "none");
	assert_true(c.floor);
	spec_free(s);
	refused(COMPOSED("stock, none"), "t.yaml:2:", "competes with nothing", "floor: none");
	refused(COMPOSED("stock") "floor: stock\n", "t.yaml:9:", "'stock' is listed twice", "keep one");
	refused(COMPOSED("stock") "floor: nonne\n", "t.yaml:9:", "did you mean 'none'?", "batched, none");
	refused("question: q\nvariants: [stock]\nfloor: none\nflavor: perf\nruns: 1\n" BOOT "      - name: faults\n",
		"t.yaml:3:", "the spec has none", "pairs, burst, bulk");
	refused("question: q\nvariants: [stock]\nfloor: none\nflavor: perf\nruns: 1\n"
		"boots: [{name: a, cpus: 2, workloads: [{name: pairs}]}]\n", "t.yaml:3:", "the spec has none", "cpus: 1");
	remove_variant("none");
}

#define ALSO(entry) "question: q\nvariants: [stock]\nalso:\n  - " entry "\nflavor: perf\nruns: 1\n" \
	"boots: [{name: a, cpus: 2, workloads: [{name: pairs}]}]\n"

static void test_also(void **state)
{
	struct spec *s = load(ALSO("{variant: stock, as: stock-2nodes, nodes: 2}"));
	struct spec_column c;
	json_t *kernels;

	(void)state;
	assert_non_null(s);
	c = spec_column(s, 1);
	assert_string_equal(c.name, "stock-2nodes");
	assert_string_equal(c.kernel, "stock");
	assert_int_equal(c.nodes, 2);
	kernels = spec_kernels(s);
	assert_int_equal(json_array_size(kernels), 1);
	json_decref(kernels);
	spec_free(s);
	refused(ALSO("{variant: stok, as: x, nodes: 2}"), "t.yaml:4:", "unknown variant 'stok'", "stock");
	refused(ALSO("{variant: stock, as: stock, nodes: 2}"), "t.yaml:4:", "listed twice", "keep one");
	refused(ALSO("{variant: stock, as: batched, nodes: 2}"), "t.yaml:4:", "no variant's name", "'batched'");
	refused(ALSO("{variant: stock, as: ../x, nodes: 2}"), "t.yaml:4:", "cannot name a column", "1 to 40");
	refused(ALSO("{variant: stock, as: x, nodes: 9}"), "t.yaml:4:", "nodes is 9", "1 to 8");
	refused(ALSO("{variant: stock, as: x, nodes: 4}"), "t.yaml:4:", "divide evenly", "boot 'a'");
	refused(ALSO("{variant: stock, as: x}"), "t.yaml:4:", "nodes", "quick.yaml");
}

static void test_dimm(void **state)
{
	(void)state;
	for (long mb = 0; mb <= 4096; mb += 128) {
		g_autofree char *text = g_strdup_printf(HEAD "runs: 1\nboots:\n  - name: a\n    dimm_mb: %ld\n    workloads: [{name: pairs}]\n", mb);
		struct spec *s = load(text);

		assert_non_null(s);
		assert_int_equal(s->boots[0].dimm_mb, mb);
		spec_free(s);
	}
	refused(HEAD "runs: 1\nboots:\n  - name: a\n    dimm_mb: 100\n    workloads: [{name: pairs}]\n",
		"t.yaml:7:", "dimm_mb is 100", "multiples of 128 up to 4096");
	refused(HEAD "runs: 1\nboots:\n  - name: a\n    dimm_mb: 8192\n    workloads: [{name: pairs}]\n",
		"t.yaml:7:", "dimm_mb is 8192", "up to 4096");
}

#define CMDLINE(words) HEAD "runs: 1\nboots:\n  - name: a\n    cmdline: [" words "]\n    workloads: [{name: pairs}]\n"

static void test_cmdline(void **state)
{
	struct spec *s = load(CMDLINE("pcp_busted.lose=1000, cma=64M, \"isolcpus=1,3\""));

	(void)state;
	assert_non_null(s);
	assert_int_equal(s->boots[0].cmdline_count, 3);
	assert_string_equal(s->boots[0].cmdline[2], "isolcpus=1,3");
	spec_free(s);
	refused(CMDLINE("--"), "t.yaml:7:", "'--' must be one word", "cma=64M");
	refused(CMDLINE("a b"), "t.yaml:7:", "'a b' must be one word", "cma=64M");
	refused(CMDLINE("'a\"b'"), "t.yaml:7:", "without quotes", "cma=64M");
	refused(CMDLINE("loglevel=1"), "t.yaml:7:", "'loglevel=1' is the harness' own", "take it out");
	refused(HEAD "runs: 1\nboots:\n  - name: a\n    cmdline: cma=64M\n    workloads: [{name: pairs}]\n",
		"t.yaml:7:", "must be a list", "single value");
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
		"allowed here: question, purpose, variants");
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

/* The specs that are shipped are right, with the variants and flavours that are shipped. */
static void test_shipped(void **state)
{
	char *tree = g_get_current_dir(), *before = opts.root;
	g_auto(GStrv) names = names_in("eval/specs", ".yaml");

	const char *refused = NULL;

	(void)state;
	opts.root = tree;
	for (char **n = names; *n; n++) {
		g_autofree char *path = spec_find(*n);
		struct spec *s = spec_load(path);

		refused = s ? refused : *n;
		spec_free(s);
	}
	/* A failure before this would leave the other tests to write and delete in the real tree. */
	opts.root = before;
	g_free(tree);
	assert_true(g_strv_contains((const char *const *)names, "quick"));
	assert_null(refused);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_right),
		cmocka_unit_test(test_words),	cmocka_unit_test(test_composed),
		cmocka_unit_test(test_names),	cmocka_unit_test(test_types),
		cmocka_unit_test(test_ranges),	cmocka_unit_test(test_places),
		cmocka_unit_test(test_shipped),	cmocka_unit_test(test_parts),
		cmocka_unit_test(test_broken),	cmocka_unit_test(test_floor),
		cmocka_unit_test(test_also),	cmocka_unit_test(test_cmdline),
		cmocka_unit_test(test_dimm),
	};
	int rc;

	root = make_root();
	rc = cmocka_run_group_tests_name("spec", tests, NULL, NULL);
	remove_root(root);
	return rc;
}
