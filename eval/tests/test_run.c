// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs against a QEMU that fails in every way it can, and runs that are killed. */
#define _GNU_SOURCE
#include "harness.h"
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include "boot.h"
#include "host.h"
#include "monitor.h"
#include "plan.h"
#include "stages.h"
#include "store.h"

static char *root;

static void put(const char *path, const char *text)
{
	g_autofree char *full = root_path("%s", path);
	g_autofree char *dir = g_path_get_dirname(full);

	g_mkdir_with_parents(dir, 0777);
	assert_true(g_file_set_contents(full, text, -1, NULL));
}

static int setup(void **state)
{
	static const char *const variants[] = { "stock", "batched" };
	g_autofree char *exe = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *dir = g_path_get_dirname(exe);
	g_autofree char *fake = g_build_filename(dir, "fake_qemu", NULL);

	(void)state;
	root = make_root();
	g_setenv("PCPLAB_QEMU", fake, TRUE);
	for (size_t i = 0; i < G_N_ELEMENTS(variants); i++) {
		g_autofree char *meta =
			g_strdup_printf("build/kernels/perf/%s/meta.json", variants[i]);
		g_autofree char *vmlinux =
			g_strdup_printf("build/kernels/perf/%s/vmlinux", variants[i]);

		put(meta,
		    "{\"base\":\"b\",\"release\":\"6.12\",\"config_sha256\":\"c\",\"vmlinux_sha256\":\"v\",\"compiler\":\"gcc\"}");
		put(vmlinux, "v");
	}
	put("build/guest/initramfs.cpio", "i");
	put("build/plugin/pcpmeter.so", "p");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	remove_root(root);
	return 0;
}

static char *run_of(const char *file)
{
	g_autofree char *path = root_path("%s", file);
	struct spec *spec = spec_load(path);
	json_t *plan;
	char *dir;

	assert_non_null(spec);
	plan = plan_boots(spec, MODE_ICOUNT, 3);
	dir = plan_save(spec, plan, MODE_ICOUNT, 3, NULL);
	assert_non_null(dir);
	json_decref(plan);
	spec_free(spec);
	return dir;
}

/* A run of 2 variants x 1 boot x @runs. */
static char *new_run(const char *runs, const char *more)
{
	g_autofree char *text = g_strdup_printf(
		"question: q\nvariants: [stock, batched]\nflavor: perf\nmode: icount\nseed: 3\n"
		"runs: %s\n%sboots: [{name: a, workloads: [{name: pairs}, {name: bulk}]}]\n",
		runs, more);

	put("eval/specs/t.yaml", text);
	return run_of("eval/specs/t.yaml");
}

static json_t *records_of(const char *dir)
{
	g_autofree char *path = g_build_filename(dir, "records.jsonl", NULL);
	json_t *r = jsonl_read(path, NULL);

	assert_non_null(r);
	return r;
}

/* Every record and every done line once; returns the number of records. */
static size_t whole(const char *dir)
{
	json_t *records = records_of(dir), *seen = json_object(), *r;
	size_t i, n = 0;

	json_array_foreach(records, i, r) {
		g_autofree char *key = g_strconcat(j_str(r, "id"), " ", j_str(r, "type"), " ",
						   j_str(r, "boot"), NULL);

		assert_null(json_object_get(seen, key));
		json_object_set_new(seen, key, json_true());
		n += *j_str(r, "id") != '\0';
	}
	json_decref(records);
	json_decref(seen);
	return n;
}

static void ends_as(const char *how, const char *more, const char *first, const char *second,
		    const char *reason)
{
	g_autofree char *dir = new_run("1", more);
	json_t *records, *r;

	g_setenv("FAKE_QEMU", how, TRUE);
	assert_int_equal(run_boots(dir, false), RC_OK);
	g_setenv("FAKE_QEMU", "ok", TRUE);
	records = records_of(dir);
	assert_int_equal(json_array_size(records), 6);
	r = json_array_get(records, 0);
	assert_string_equal(j_str(r, "status"), first);
	r = json_array_get(records, 1);
	assert_string_equal(j_str(r, "status"), second);
	assert_says(j_str(r, "reason"), reason);
	json_decref(records);
}

static void test_ends(void **state)
{
	(void)state;
	ends_as("ok", "", "ok", "ok", "");
	ends_as("panic", "", "panic", "panic",
		"Kernel panic - not syncing: Attempted to kill init!");
	ends_as("oops", "", "oops", "oops", "BUG: unable to handle page fault");
	ends_as("warn", "", "warn", "warn", "WARNING: CPU: 0 PID: 1");
	ends_as("hang", "silence_s: 1\n", "ok", "silent", "no end after");
	ends_as("chatter", "deadline_s: 1\n", "ok", "deadline", "no end after");
	ends_as("crash", "", "ok", "exit", "killed by signal 11");
	ends_as("garbage", "", "garbage", "garbage", "not JSON");
	ends_as("noend", "", "ok", "exit", "without its end line");
	ends_as("known", "", "ok", "known", "the design does not promise it");
}

static void test_files(void **state)
{
	g_autofree char *dir = new_run("1", "");
	g_autofree char *cmd = g_build_filename(dir, "boots/b0001/cmd", NULL);
	g_autofree char *text = NULL;
	json_t *records, *r, *env;

	(void)state;
	assert_int_equal(run_boots(dir, false), RC_OK);
	text = file_read(cmd, NULL);
	assert_says(text, "-icount shift=0,sleep=off");
	assert_says(text, "pairs:n=20000,order=0 bulk:n=640,size=32");
	records = records_of(dir);
	r = json_array_get(records, 0);
	env = json_object_get(r, "env");
	assert_string_equal(j_str(env, "release"), "6.12");
	assert_string_equal(j_str(env, "qemu"), "7.2.0 (none)");
	assert_true(json_array_size(json_object_get(env, "command")) > 20);
	assert_string_equal(j_str(r, "clock"), "icount");
	json_decref(records);
}

/* What a spec adds to the kernel's words stands before the guest's, is recorded, and boots the column's kernel. */
static void test_cmdline(void **state)
{
	g_autofree char *text = NULL, *dir = NULL, *path = NULL;
	json_t *records, *r;
	size_t i, seen = 0;

	(void)state;
	put("eval/specs/u.yaml", "question: q\nvariants: [batched]\nalso: [{variant: stock, as: again, nodes: 1}]\n"
	    "flavor: perf\nmode: icount\nruns: 1\n"
	    "boots: [{name: a, cmdline: [cma=64M, \"isolcpus=1,3\"], workloads: [{name: pairs}]}]\n");
	dir = run_of("eval/specs/u.yaml");
	assert_int_equal(run_boots(dir, false), RC_OK);
	records = records_of(dir);
	json_array_foreach(records, i, r) {
		if (!*j_str(r, "id"))
			continue;
		assert_string_equal(j_str(r, "cmdline"), "cma=64M isolcpus=1,3");
		path = g_strdup_printf("%s/boots/%s/cmd", dir, j_str(r, "boot"));
		text = file_read(path, NULL);
		assert_says(text, " cma=64M isolcpus=1,3 -- seed=");
		assert_says(text, strcmp(j_str(r, "variant"), "again") ? "perf/batched/vmlinux" : "perf/stock/vmlinux");
		seen |= strcmp(j_str(r, "variant"), "again") ? 1 : 2;
		g_clear_pointer(&path, g_free);
		g_clear_pointer(&text, g_free);
	}
	assert_int_equal(seen, 3);
	json_decref(records);
}

static const char *const module_spec =
	"question: q\nvariants: [stock]\nflavor: perf\nmode: icount\nruns: 1\n"
	"boots: [{name: a, %s workloads: [{name: pairs}, {name: bulk}]}]\n";

/* A guest with a slot gets the module that it asks for; without one it asks in vain. */
static void test_module(void **state)
{
	for (int slot = 0; slot < 2; slot++) {
		g_autofree char *spec = g_strdup_printf(module_spec, slot ? "memory_mb: 512, dimm_mb: 256," : "");
		g_autofree char *dir = NULL, *cmd = NULL, *text = NULL;
		json_t *records;

		put("eval/specs/m.yaml", spec);
		dir = run_of("eval/specs/m.yaml");
		g_setenv("FAKE_QEMU", "ask", TRUE);
		assert_int_equal(run_boots(dir, false), RC_OK);
		g_setenv("FAKE_QEMU", "ok", TRUE);
		records = records_of(dir);
		assert_string_equal(j_str(json_array_get(records, 1), "status"), slot ? "ok" : "exit");
		assert_int_equal(j_int(json_array_get(records, 0), "dimm_mb"), slot ? 256 : 0);
		cmd = g_build_filename(dir, "boots/b0001/cmd", NULL);
		text = file_read(cmd, NULL);
		assert_int_equal(!!strstr(text, "-m 512M,slots=1,maxmem=1024M -object memory-backend-ram,id=module0,size=256M -qmp stdio"),
				 slot);
		json_decref(records);
		(void)state;
	}
}

/* Lines cut anywhere, and what looks like one. */
static void test_monitor(void **state)
{
	static const char text[] = "{\"type\":\"result\",\"reason\":\"no \\\"progress\\\"\"}\n"
				   "{\"type\":\"progress\",\"text\":\"1 of 2 s\"}\n\"progress\"\n{\"progress\":\n";
	json_t *plan = json_object();

	(void)state;
	for (size_t step = 1; step < sizeof(text); step++) {
		struct monitor m;
		unsigned int told = 0;

		assert_true(monitor_open(&m, plan));
		for (size_t at = 0; at < sizeof(text) - 1; at += step)
			told += monitor_feed(&m, text + at, MIN(step, sizeof(text) - 1 - at));
		assert_int_equal(told, 1);
		assert_string_equal(m.progress, "1 of 2 s");
		monitor_close(&m);
	}
	json_decref(plan);
}

/*
 * QEMU that does not start the guest is no fact about the guest: no record, and the next start
 * tries again.
 */
static void test_refuses(void **state)
{
	g_autofree char *dir = new_run("1", "");
	char *said;
	int rc = 0;

	(void)state;
	g_setenv("FAKE_QEMU", "refuse", TRUE);
	said = CAUGHT(rc = run_boots(dir, false));
	g_setenv("FAKE_QEMU", "ok", TRUE);
	assert_int_equal(rc, RC_FAILED);
	assert_says(said, "invalid accelerator kvm");
	assert_int_equal(whole(dir), 0);
	free(said);
	assert_int_equal(run_boots(dir, false), RC_OK);
	assert_int_equal(whole(dir), 4);
}

static void test_versions(void **state)
{
	g_autofree char *dir = new_run("1", "");
	g_autofree char *good = g_strdup(g_getenv("PCPLAB_QEMU"));
	char *said;
	int rc = 0;

	(void)state;
	g_setenv("FAKE_VERSION", "6.2.0", TRUE);
	said = CAUGHT(rc = run_boots(dir, false));
	g_unsetenv("FAKE_VERSION");
	assert_int_equal(rc, RC_FAILED);
	assert_says(said, "7.0 or newer");
	free(said);
	g_setenv("PCPLAB_QEMU", "/nonexistent/qemu", TRUE);
	said = CAUGHT(rc = run_boots(dir, false));
	g_setenv("PCPLAB_QEMU", good, TRUE);
	assert_int_equal(rc, RC_FAILED);
	assert_says(said, "make deps");
	free(said);
}

/*
 * Killed with SIGKILL again and again: the rest is made, nothing twice, and no QEMU outlives its
 * pcplab.
 */
static void test_killed(void **state)
{
	g_autofree char *dir = new_run("4", "");

	(void)state;
	g_setenv("FAKE_QEMU", "slow", TRUE);
	for (int i = 0; i < 5; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(run_boots(dir, false));
		usleep(500000 + 70000 * i);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	g_setenv("FAKE_QEMU", "ok", TRUE);
	assert_int_equal(run_boots(dir, false), RC_OK);
	assert_int_equal(whole(dir), 16);
}

/* Is there a process, other than this one, with @word in its command line? */
static bool runs(const char *word)
{
	GDir *proc = g_dir_open("/proc", 0, NULL);
	const char *pid;
	bool found = false;

	while (!found && (pid = g_dir_read_name(proc))) {
		g_autofree char *path = g_build_filename("/proc", pid, "cmdline", NULL);
		g_autofree char *text = NULL;
		gsize len;

		if (g_ascii_isdigit(*pid) && atoi(pid) != getpid() &&
		    g_file_get_contents(path, &text, &len, NULL))
			found = memmem(text, len, word, strlen(word));
	}
	g_dir_close(proc);
	return found;
}

static void test_orphan(void **state)
{
	g_autofree char *dir = new_run("1", "");
	g_autofree char *word = g_path_get_basename(dir);
	pid_t pid;

	(void)state;
	g_setenv("FAKE_QEMU", "hang", TRUE);
	pid = fork();
	if (!pid)
		_exit(run_boots(dir, false));
	for (int i = 0; i < 100 && !runs(word); i++)
		usleep(50000);
	assert_true(runs(word));
	usleep(200000);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	for (int i = 0; i < 100 && runs(word); i++)
		usleep(50000);
	assert_false(runs(word));
	g_setenv("FAKE_QEMU", "ok", TRUE);
}

static void test_interrupted(void **state)
{
	g_autofree char *dir = new_run("1", "");
	int status;
	pid_t pid;

	(void)state;
	g_setenv("FAKE_QEMU", "hang", TRUE);
	pid = fork();
	if (!pid) {
		char *said;
		int rc = 0;

		said = CAUGHT(rc = run_boots(dir, false));
		_exit(rc == RC_FAILED && strstr(said, "interrupted with 0 of 2") ? 42 : 1);
	}
	sleep(1);
	kill(pid, SIGINT);
	waitpid(pid, &status, 0);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 42);
	assert_int_equal(whole(dir), 0);
	g_setenv("FAKE_QEMU", "ok", TRUE);
}

/* What a writer that was killed left: half a line, or whole records without their done line. */
static void test_torn(void **state)
{
	static const char *const tails[] = {
		"{\"id\":\"b0001.0\",\"boo", "{\"id\":\"b0009.0\",\"boot\":\"b0009\"}\n",
		"{\"id\":\"b0009.0\",\"boot\":\"b0009\"}\n{\"boot\":\"b0009\",\"type\":\"do"
	};
	g_autofree char *dir = new_run("2", "");
	g_autofree char *path = g_build_filename(dir, "records.jsonl", NULL);

	(void)state;
	assert_int_equal(run_boots(dir, false), RC_OK);
	assert_int_equal(whole(dir), 8);
	for (size_t i = 0; i < G_N_ELEMENTS(tails); i++) {
		g_autofree char *before = file_read(path, NULL), *after = NULL;
		g_autofree char *torn = g_strconcat(before, tails[i], NULL);

		assert_true(file_write(path, torn, -1));
		assert_int_equal(run_boots(dir, false), RC_OK);
		after = file_read(path, NULL);
		assert_string_equal(before, after);
	}
}

/* A write that fails part of the way, as on a full disk, leaves what was there. */
static void test_full(void **state)
{
	g_autofree char *dir = new_run("1", "");
	json_t *records = json_pack("[{s:s}]", "id", "b0001.0");
	struct rlimit old, small;
	struct store s;
	char *said;
	bool ok = true;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	assert_true(store_open(&s, dir));
	assert_true(store_append(&s, "b0001", records));
	small = (struct rlimit) { lseek(s.fd, 0, SEEK_END) + 10, old.rlim_max };
	said = CAUGHT(setrlimit(RLIMIT_FSIZE, &small); ok = store_append(&s, "b0002", records);
		      setrlimit(RLIMIT_FSIZE, &old));
	assert_false(ok);
	assert_says(said, "finished ones are safe");
	free(said);
	store_close(&s);
	assert_int_equal(whole(dir), 1);
	json_decref(records);
}

static void test_lock(void **state)
{
	g_autofree char *self = g_strdup_printf("process %d ", getpid());
	int first = results_lock(opts.results), second = 0;
	char *said;

	(void)state;
	assert_true(first >= 0);
	said = CAUGHT(second = results_lock(opts.results));
	assert_int_equal(second, -1);
	assert_says(said, self);
	free(said);
	close(first);
	first = results_lock(opts.results);
	assert_true(first >= 0);
	close(first);
}

static void test_changed(void **state)
{
	g_autofree char *dir = new_run("1", "");
	char *said;
	int rc = 0;

	(void)state;
	g_setenv("FAKE_QEMU", "refuse", TRUE);
	said = CAUGHT(rc = run_boots(dir, false));
	g_setenv("FAKE_QEMU", "ok", TRUE);
	free(said);
	put("build/guest/initramfs.cpio", "another");
	said = CAUGHT(rc = run_boots(dir, false));
	put("build/guest/initramfs.cpio", "i");
	assert_int_equal(rc, RC_USAGE);
	assert_says(said, "start a new run");
	free(said);
}

static void test_builds(void **state)
{
	json_t *variants = json_pack("[s]", "stock");
	g_autofree char *script = root_path("scripts/kernel.sh");
	char *said;
	int rc = 0;

	(void)state;
	put("scripts/kernel.sh", "#!/bin/sh\necho no compiler for $1 on $2 >&2\nexit 1\n");
	chmod(script, 0755);
	said = CAUGHT(rc = build_kernels("perf", variants, false));
	assert_int_equal(rc, RC_FAILED);
	assert_says(said, "no compiler for stock on perf");
	assert_says(said, "perf/stock could not be built");
	free(said);
	put("scripts/kernel.sh", "#!/bin/sh\nexit 0\n");
	chmod(script, 0755);
	assert_int_equal(build_kernels("perf", variants, false), RC_OK);
	json_decref(variants);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ends),	    cmocka_unit_test(test_files),	    cmocka_unit_test(test_cmdline), cmocka_unit_test(test_module),
		cmocka_unit_test(test_monitor),
		cmocka_unit_test(test_refuses),	    cmocka_unit_test(test_versions),
		cmocka_unit_test(test_killed),	    cmocka_unit_test(test_orphan),
		cmocka_unit_test(test_interrupted), cmocka_unit_test(test_torn),
		cmocka_unit_test(test_full),	    cmocka_unit_test(test_lock),
		cmocka_unit_test(test_changed),	    cmocka_unit_test(test_builds),
	};

	return cmocka_run_group_tests_name("run", tests, setup, teardown);
}
