// SPDX-License-Identifier: GPL-2.0-or-later
/* Plans: complete, paired, and the same for the same seed. */
#include "harness.h"
#include "plan.h"

static char *root;
static struct spec *spec;

static int setup(void **state)
{
	g_autofree char *path = NULL;

	(void)state;
	root = make_root();
	path = root_path("eval/specs/t.yaml");
	g_file_set_contents(
		path,
		"question: q\nvariants: [stock, batched, scale0]\nflavor: perf\nruns: 4\nmode: icount\nboots:\n"
		"  - {name: a, workloads: [{name: pairs}]}\n  - {name: b, workloads: [{name: bulk}, {name: exits}]}\n",
		-1, NULL);
	spec = spec_load(path);
	return !spec;
}

static int teardown(void **state)
{
	(void)state;
	spec_free(spec);
	remove_root(root);
	return 0;
}

static void test_repeats(void **state)
{
	json_t *a = plan_boots(spec, MODE_ICOUNT, 1), *b = plan_boots(spec, MODE_ICOUNT, 1);
	json_t *c = plan_boots(spec, MODE_ICOUNT, 2);

	(void)state;
	assert_true(json_equal(a, b));
	assert_false(json_equal(a, c));
	json_decref(a);
	json_decref(b);
	json_decref(c);
}

/* Each round has each variant with each boot once, and one seed for each boot. */
static void test_rounds(void **state)
{
	json_t *plan = plan_boots(spec, MODE_ICOUNT, 5);
	json_t *seen = json_object(), *seeds = json_object(), *b;
	size_t i;

	(void)state;
	assert_int_equal(json_array_size(plan), 24);
	json_array_foreach(plan, i, b) {
		g_autofree char *key = g_strdup_printf("%lld %s %s", j_int(b, "run"),
						       j_str(b, "variant"), j_str(b, "cell"));
		g_autofree char *pair =
			g_strdup_printf("%lld %s", j_int(b, "run"), j_str(b, "cell"));

		assert_int_equal(j_int(b, "run"), i / 6 + 1);
		assert_null(json_object_get(seen, key));
		json_object_set_new(seen, key, json_true());
		assert_true(j_int(b, "seed") > 0);
		if (json_object_get(seeds, pair))
			assert_int_equal(j_int(seeds, pair), j_int(b, "seed"));
		json_object_set(seeds, pair, json_object_get(b, "seed"));
	}
	assert_int_equal(json_object_size(seen), 24);
	json_decref(seen);
	json_decref(seeds);
	json_decref(plan);
}

static void test_resume(void **state)
{
	json_t *inputs = json_pack("{s:s}", "initramfs", "1"),
	       *other = json_pack("{s:s}", "initramfs", "2");
	json_t *plan = plan_boots(spec, MODE_ICOUNT, 9);
	g_autofree char *dir = NULL, *again = NULL, *latest = NULL, *newest = NULL, *newer = NULL;

	(void)state;
	assert_null(plan_resumable(spec, inputs, -1));
	dir = plan_save(spec, plan, MODE_ICOUNT, 9, inputs);
	assert_non_null(dir);
	again = plan_resumable(spec, inputs, -1);
	assert_string_equal(dir, again);
	assert_null(plan_resumable(spec, other, -1));
	assert_null(plan_resumable(spec, inputs, 10));
	newer = plan_save(spec, plan, MODE_ICOUNT, 9, inputs);
	assert_string_not_equal(dir, newer);
	latest = run_dir_find(NULL);
	newest = plan_resumable(spec, inputs, 9);
	assert_string_equal(newest, newer);
	assert_true(g_str_has_suffix(latest, strrchr(newer, '/')));
	spec->text[0] = 'Q';
	assert_null(plan_resumable(spec, inputs, -1));
	spec->text[0] = 'q';
	json_decref(plan);
	json_decref(inputs);
	json_decref(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_repeats),
		cmocka_unit_test(test_rounds),
		cmocka_unit_test(test_resume),
	};

	return cmocka_run_group_tests_name("plan", tests, setup, teardown);
}
