// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes the boots of a run, one at a time, and records each when it is over. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include "boot.h"
#include "clock.h"
#include "host.h"
#include "pcplab.h"
#include "record.h"
#include "stages.h"
#include "store.h"

#define ROOM_MB 64	/* a boot's console and meters, and a large margin */

/* What stays the same over a run. */
struct session {
	const char *dir;
	json_t *plan;
	struct store store;
	struct progress progress;
	char *qemu, *cpu, *commit;
	size_t bad, known;
};

json_t *run_json(const char *dir)
{
	g_autofree char *path = g_build_filename(dir, "run.json", NULL);

	if (g_file_test(path, G_FILE_TEST_EXISTS))
		return json_read(path);
	pl_error("%s is no run: it has no run.json", dir);
	return NULL;
}

/* Boots of one run must be of the same make; the first start writes down which. */
static int check_inputs(const char *dir)
{
	g_autofree char *path = g_build_filename(dir, "run.json", NULL);
	json_t *run = run_json(dir), *had = json_object_get(run, "inputs");
	json_t *now = run ? inputs_now(j_str(run, "flavor"), run_kernels(run)) :
			    NULL;
	int rc = RC_FAILED;

	if (!now) {
		json_decref(run);
		return rc;
	}
	if (had && !json_is_null(had)) {
		rc = json_equal(had, now) ? RC_OK : RC_USAGE;
		if (rc)
			pl_error(
				"kernels, guest or plugin are not those that %s began with; start a new run: pcplab eval --new",
				dir);
	} else {
		json_object_set(run, "inputs", now);
		rc = json_write(path, run) ? RC_OK : RC_FAILED;
	}
	json_decref(now);
	json_decref(run);
	return rc;
}

static bool enough_room(const char *dir)
{
	struct statvfs v;

	if (statvfs(dir, &v) || (unsigned long long)v.f_bavail * v.f_frsize >= (ROOM_MB << 20))
		return true;
	pl_error(
		"less than %d MB left on the disk of %s; finished boots are safe: make room and run again",
		ROOM_MB, dir);
	return false;
}

static json_t *env_json(const struct session *s, const json_t *boot, char **argv,
			const char *started, double seconds)
{
	g_autofree char *meta =
		kernel_path(j_str(boot, "flavor"), boot_kernel(boot), "meta.json");
	json_t *m = json_load_file(meta, 0, NULL), *command = json_array();
	json_t *env = json_object();
	static const char *const copied[] = { "base", "release", "config_sha256", "vmlinux_sha256",
					      "compiler" };

	for (char **a = argv; *a; a++)
		json_array_append_new(command, json_string(*a));
	for (size_t i = 0; i < G_N_ELEMENTS(copied); i++)
		json_object_set(env, copied[i], json_object_get(m, copied[i]));
	json_object_set_new(env, "qemu", json_string(s->qemu));
	json_object_set_new(env, "command", command);
	json_object_set_new(env, "host_cpu", json_string(s->cpu));
	json_object_set_new(env, "commit", json_string(s->commit));
	json_object_set_new(env, "started", json_string(started));
	json_object_set_new(env, "host_seconds", json_real(seconds));
	json_decref(m);
	return env;
}

static char *left_behind(const char *dir, const char *name)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);
	char *text;

	/*
	 * A NUL byte on the record port would hide what follows; let it be seen as garbage instead.
	 */
	gsize len;

	if (!g_file_get_contents(path, &text, &len, NULL))
		return g_strdup("");
	for (gsize i = 0; i < len; i++)
		if (!text[i])
			text[i] = '?';
	return text;
}

/* Counts what is not ok. Returns the first record that went wrong, or else the first that is known to be so. */
static json_t *worst_record(struct session *s, json_t *list)
{
	json_t *wrong = NULL, *known = NULL, *r;
	size_t i;

	json_array_foreach(list, i, r) {
		if (!strcmp(j_str(r, "status"), "ok"))
			continue;
		if (!strcmp(j_str(r, "status"), "known")) {
			s->known++;
			known = known ? known : r;
		} else {
			s->bad++;
			wrong = wrong ? wrong : r;
		}
	}
	return wrong ? wrong : known;
}

static bool record_boot(struct session *s, const json_t *boot, const char *dir, const json_t *env,
			const struct boot_end *end)
{
	g_autofree char *records = left_behind(dir, "records");
	g_autofree char *meters = clock_counts(j_str(boot, "mode")) ? left_behind(dir, "meters") :
								      NULL;
	struct boot_result b = { .plan = boot,
				 .status = end->status,
				 .reason = end->reason,
				 .records = records,
				 .meters = meters,
				 .env = env };
	json_t *list = records_make(&b), *worst = worst_record(s, list);
	bool ok;

	ok = store_append(&s->store, j_str(boot, "boot"), list);
	progress_end(&s->progress, boot, worst ? j_str(worst, "status") : end->status,
		     worst ? j_str(worst, "reason") : end->reason, end->seconds);
	json_decref(list);
	return ok;
}

struct telling {
	struct session *s;
	const json_t *boot;
};

static void told(void *arg, const char *text)
{
	const struct telling *t = arg;

	progress_tell(&t->s->progress, t->boot, text);
}

/* Returns false when the run must stop (error printed). */
static bool one_boot(struct session *s, const json_t *boot)
{
	g_autofree char *dir = g_build_filename(s->dir, "boots", j_str(boot, "boot"), NULL);
	g_auto(GStrv) argv = boot_command(boot, dir);
	g_autoptr(GDateTime) now = g_date_time_new_now_utc();
	g_autofree char *started = g_date_time_format_iso8601(now);
	struct telling telling = { s, boot };
	const struct boot_listener listener = { told, &telling };
	struct boot_end end;
	bool ok = false;
	json_t *env;

	if (!enough_room(s->dir) || !boot_run(boot, argv, dir, &listener, &end))
		return false;
	if (end.interrupted) {
		g_free(end.reason);
		return false;
	}
	if (end.no_guest) {
		pl_error("%s; the guest did not start: see %s/cmd for the command", end.reason,
			 dir);
	} else {
		env = env_json(s, boot, argv, started, end.seconds);
		ok = record_boot(s, boot, dir, env, &end);
		json_decref(env);
	}
	g_free(end.reason);
	return ok;
}

static int make_boots(struct session *s)
{
	const json_t *boot;
	size_t i;

	boot_catch_signals();
	json_array_foreach(s->plan, i, boot) {
		if (g_hash_table_contains(s->store.done, j_str(boot, "boot")))
			continue;
		progress_boot(&s->progress, s->plan, i, s->store.done);
		if (boot_stopped() || !one_boot(s, boot))
			break;
	}
	progress_free(&s->progress);
	if (s->progress.done == s->progress.total)
		return RC_OK;
	if (boot_stopped()) {
		g_autofree char *id = g_path_get_basename(s->dir);

		pl_error(
			"interrupted with %zu of %zu boots finished and recorded; go on with: make eval (or pcplab run %s)",
			s->progress.done, s->progress.total, id);
	}
	return RC_FAILED;
}

static json_t *plan_read(const char *dir)
{
	g_autofree char *path = g_build_filename(dir, "plan.jsonl", NULL);

	return jsonl_read(path, NULL);
}

static size_t count_done(const struct session *s)
{
	const json_t *boot;
	size_t i, n = 0;

	json_array_foreach(s->plan, i, boot)
		n += g_hash_table_contains(s->store.done, j_str(boot, "boot"));
	return n;
}

static int run_session(struct session *s)
{
	size_t done = count_done(s), total = json_array_size(s->plan);
	int rc;

	if (done == total) {
		pl_note("all %zu boots of %s are finished", total, s->dir);
		return RC_OK;
	}
	rc = check_inputs(s->dir);
	if (rc)
		return rc;
	s->qemu = qemu_version();
	if (!s->qemu)
		return RC_FAILED;
	s->cpu = host_cpu();
	s->commit = source_commit();
	progress_init(&s->progress, total, done);
	rc = make_boots(s);
	if (s->known)
		pl_note("%zu records of this start show that a design lacks what it does not promise (status known)",
			s->known);
	if (s->bad)
		pl_note("%zu records of this start are not ok; `pcplab show` lists them with their reasons",
			s->bad);
	return rc;
}

static int run_dry(const char *dir, const json_t *plan)
{
	const json_t *boot;
	size_t i;

	json_array_foreach(plan, i, boot) {
		g_autofree char *boot_dir =
			g_build_filename(dir, "boots", j_str(boot, "boot"), NULL);
		g_auto(GStrv) argv = boot_command(boot, boot_dir);
		g_autofree char *line = g_strjoinv(" ", argv);

		printf("%s: %s\n", j_str(boot, "boot"), line);
	}
	return RC_OK;
}

int run_boots(const char *dir, bool dry)
{
	struct session s = { .dir = dir, .plan = plan_read(dir) };
	int rc = RC_FAILED;

	if (s.plan && dry) {
		rc = run_dry(dir, s.plan);
	} else if (s.plan && store_open(&s.store, dir)) {
		rc = run_session(&s);
		store_close(&s.store);
	}
	json_decref(s.plan);
	g_free(s.qemu);
	g_free(s.cpu);
	g_free(s.commit);
	return rc;
}

int cmd_run(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{ "dry-run", 'n', NULL, 0, "Print the commands of all boots, start nothing", 0 },
		{ 0 }
	};
	static const struct argp argp = {
		.options = options,
		.parser = parse_stage,
		.args_doc = "[RUN]",
		.children = common_children,
		.doc = "Boot what is left of a run, and record the results.\vRUN is a run's id or folder (default: the "
		       "newest). It may be interrupted at any moment, and goes on where it was when called again.",
	};
	struct stage_args a = { .what = "run" };
	g_autofree char *dir = NULL;
	g_autofree char *parent = NULL;
	int lock = -1, rc;

	parse_args(&argp, argc, argv, &a);
	dir = run_dir_find(a.name);
	if (!dir)
		return RC_USAGE;
	parent = g_path_get_dirname(dir);
	if (!a.dry) {
		lock = results_lock(parent);
		if (lock < 0)
			return RC_FAILED;
	}
	rc = run_boots(dir, a.dry);
	if (lock >= 0)
		close(lock);
	return rc;
}
