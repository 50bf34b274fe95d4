// SPDX-License-Identifier: GPL-2.0-or-later
/* Plans: complete, paired, and the same for the same seed. */
#include "harness.h"
#include <sys/wait.h>
#include "host.h"
#include "pcplab.h"
#include "plan.h"
#include "stages.h"

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

static struct spec *load(const char *text)
{
	g_autofree char *path = root_path("eval/specs/u.yaml");
	struct spec *s;

	g_file_set_contents(path, text, -1, NULL);
	s = spec_load(path);
	assert_non_null(s);
	return s;
}

/* The floor takes part where a workload in the kernel has the only CPU, and with those workloads only. */
static void test_floor(void **state)
{
	struct spec *s = load("question: q\nvariants: [stock, batched]\nfloor: scale0\nflavor: perf\nruns: 2\nboots:\n"
			      "  - {name: a, workloads: [{name: pairs}, {name: bulk}, {name: exits}]}\n"
			      "  - {name: b, workloads: [{name: faults}]}\n"
			      "  - {name: c, cpus: 2, workloads: [{name: burst}]}\n");
	json_t *plan = plan_boots(s, MODE_ICOUNT, 5), *b;
	size_t i, floors = 0;

	(void)state;
	assert_int_equal(json_array_size(plan), 2 * (2 * 3 + 1));
	json_array_foreach(plan, i, b) {
		json_t *list = json_object_get(b, "workloads");

		if (strcmp(j_str(b, "variant"), "scale0"))
			continue;
		floors++;
		assert_string_equal(j_str(b, "cell"), "a");
		assert_int_equal(json_array_size(list), 2);
		assert_string_equal(j_str(json_array_get(list, 1), "name"), "bulk");
	}
	assert_int_equal(floors, 2);
	json_decref(plan);
	spec_free(s);
}

/* A column of another kind of guest boots the kernel of its variant; the words for the kernel are the boot's. */
static void test_columns(void **state)
{
	struct spec *s = load("question: q\nvariants: [stock, batched+scale0]\nalso: [{variant: stock, as: two, nodes: 2}]\n"
			      "flavor: perf\nruns: 1\nboots:\n"
			      "  - {name: a, cpus: 2, cmdline: [cma=64M, x], workloads: [{name: pairs}]}\n");
	json_t *plan = plan_boots(s, MODE_ICOUNT, 5), *b;
	g_autofree char *dir = plan_save(s, plan, MODE_ICOUNT, 5, NULL);
	g_autofree char *path = g_build_filename(dir, "run.json", NULL);
	json_t *run = json_read(path), *wanted = json_pack("[s,s,s]", "stock", "batched+scale0", "two");
	json_t *kernels = json_pack("[s,s]", "stock", "batched+scale0");
	size_t i, two = 0;

	(void)state;
	assert_int_equal(json_array_size(plan), 3);
	json_array_foreach(plan, i, b) {
		bool is_two = !strcmp(j_str(b, "variant"), "two");

		two += is_two;
		assert_int_equal(j_int(b, "nodes"), is_two ? 2 : 1);
		assert_string_equal(boot_kernel(b), is_two ? "stock" : j_str(b, "variant"));
		assert_string_equal(j_str(b, "cmdline"), "cma=64M x");
	}
	assert_int_equal(two, 1);
	assert_true(json_equal(json_object_get(run, "variants"), wanted));
	assert_true(json_equal(run_kernels(run), kernels));
	json_decref(wanted);
	json_decref(kernels);
	json_decref(run);
	json_decref(plan);
	spec_free(s);
}

/* What a subcommand says to a command line that it refuses; the refusal ends the process. */
static char *refusal(int (*command)(int argc, char **argv), const char *name, const char *one, const char *two)
{
	char *argv[] = { (char *)name, (char *)one, (char *)two, NULL };
	int status = 0;
	char *said = CAUGHT({
		pid_t pid = fork();

		if (!pid) {
			command(3, argv);
			_exit(0);
		}
		waitpid(pid, &status, 0);
	});

	assert_true(WIFEXITED(status) && WEXITSTATUS(status));
	return said;
}

static void test_arguments(void **state)
{
	static const struct {
		int (*command)(int argc, char **argv);
		const char *name, *one, *two, *said;
	} cases[] = {
		{ cmd_plan, "plan", "a", "b", "pcplab plan: one spec at a time" },
		{ cmd_run, "run", "a", "b", "pcplab run: one run at a time" },
		{ cmd_build, "build", "a", "b", "pcplab build: one run at a time" },
		{ cmd_stats, "stats", "a", "b", "pcplab stats: one run at a time" },
		{ cmd_report, "report", "a", "b", "pcplab report: one run at a time" },
		{ cmd_plan, "plan", "-s", "x", "whole number, not 'x'" },
		{ cmd_plan, "plan", "-s", "-1", "whole number, not '-1'" },
		/* An option that another stage has. */
		{ cmd_plan, "plan", "--new", "t", "unrecognized option '--new'" },
		{ cmd_show, "show", "--json", "-q", "--json goes with --matrix only" },
		{ cmd_show, "show", "--matrix", "b0001.0", "neither ID nor --run" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		char *said = refusal(cases[i].command, cases[i].name, cases[i].one, cases[i].two);

		assert_says(said, cases[i].said);
		free(said);
	}
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
		cmocka_unit_test(test_floor),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_resume),
	};

	return cmocka_run_group_tests_name("plan", tests, setup, teardown);
}
