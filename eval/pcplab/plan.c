// SPDX-License-Identifier: GPL-2.0-or-later
/* From a checked spec to the list of boots of a run. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "host.h"
#include "pcplab.h"
#include "plan.h"
#include "variant.h"

/* splitmix64: small, and the same on every machine and library. */
static uint64_t next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

/* Positive and 31 bits wide: the guest's integers. */
static long boot_seed(uint64_t seed, unsigned int run, const char *boot)
{
	uint64_t state = seed ^ ((uint64_t)run << 32);

	for (; *boot; boot++) {
		state += (unsigned char)*boot;
		state = next(&state);
	}
	return (next(&state) & 0x7fffffff) | 1;
}

static json_t *workload_json(const struct spec_workload *w)
{
	const struct workload *table = workload_find(w->name);
	g_autofree char *label = spec_label(w);
	json_t *params = json_object();

	for (int i = 0; i < WORKLOAD_MAX_PARAMS && table->params[i].name; i++)
		json_object_set_new(params, table->params[i].name,
				    json_integer(spec_param(w, &table->params[i])));
	return json_pack("{s:s,s:s,s:o}", "name", w->name, "label", label, "params", params);
}

/* A boot of the spec under one column. */
struct place {
	struct spec_column column;
	const struct spec_boot *boot;
};

static json_t *workloads_json(const struct place *p)
{
	json_t *list = json_array();

	for (unsigned int i = 0; i < p->boot->workloads_count; i++)
		if (spec_takes_part(&p->column, p->boot, &p->boot->workloads[i]))
			json_array_append_new(list, workload_json(&p->boot->workloads[i]));
	return list;
}

static json_t *boot_json(const struct spec *s, const struct place *p, enum run_mode mode,
			 unsigned int run, uint64_t seed)
{
	const struct spec_boot *b = p->boot;
	json_t *o = json_pack("{s:s,s:s,s:s,s:s,s:I,s:I,s:I,s:i,s:I,s:I,s:I,s:o}", "variant",
			      p->column.name, "flavor", s->flavor, "cell", b->name, "mode",
			      mode_name(mode), "cpus", (json_int_t)b->cpus, "mem_mb",
			      (json_int_t)b->memory_mb, "nodes",
			      (json_int_t)(p->column.nodes ? p->column.nodes : b->nodes), "run",
			      (int)run, "seed", (json_int_t)boot_seed(seed, run, b->name),
			      "deadline_s", (json_int_t)s->deadline_s, "silence_s",
			      (json_int_t)s->silence_s, "workloads", workloads_json(p));

	if (strcmp(p->column.kernel, p->column.name))
		json_object_set_new(o, "kernel", json_string(p->column.kernel));
	json_object_set_new(o, "expected_report", variant_expected_report(p->column.kernel));
	if (b->dimm_mb)
		json_object_set_new(o, "dimm_mb", json_integer(b->dimm_mb));
	if (b->cmdline_count) {
		g_autoptr(GString) words = g_string_new(b->cmdline[0]);

		for (unsigned int i = 1; i < b->cmdline_count; i++)
			g_string_append_printf(words, " %s", b->cmdline[i]);
		json_object_set_new(o, "cmdline", json_string(words->str));
	}
	return o;
}

/* Fisher and Yates. */
static void shuffle(GArray *places, uint64_t *state)
{
	struct place *p = (struct place *)places->data;

	for (unsigned int i = places->len; i > 1; i--) {
		unsigned int k = next(state) % i;
		struct place t = p[k];

		p[k] = p[i - 1];
		p[i - 1] = t;
	}
}

/* What a round makes, each once: every boot under every column that has something to do in it. */
static GArray *places_of(const struct spec *spec)
{
	GArray *places = g_array_new(FALSE, FALSE, sizeof(struct place));

	for (unsigned int b = 0; b < spec->boots_count; b++)
		for (unsigned int i = 0; i < spec_columns(spec); i++) {
			struct place p = { spec_column(spec, i), &spec->boots[b] };
			json_t *list = workloads_json(&p);

			if (json_array_size(list))
				g_array_append_val(places, p);
			json_decref(list);
		}
	return places;
}

json_t *plan_boots(const struct spec *spec, enum run_mode mode, uint64_t seed)
{
	g_autoptr(GArray) places = places_of(spec);
	json_t *plan = json_array();
	uint64_t state = seed;

	for (unsigned int run = 1; run <= spec->runs; run++) {
		shuffle(places, &state);
		for (unsigned int i = 0; i < places->len; i++) {
			json_t *b = boot_json(spec, &g_array_index(places, struct place, i), mode, run,
					      seed);

			json_object_set_new(b, "boot",
					    json_sprintf("b%04zu", json_array_size(plan) + 1));
			json_array_append_new(plan, b);
		}
	}
	return plan;
}

uint64_t plan_seed(const struct spec *spec, long given)
{
	uint32_t chance = 1;

	if (given >= 0)
		return given;
	if (spec->seed)
		return *spec->seed;
	if (getrandom(&chance, sizeof(chance), 0) != sizeof(chance))
		chance = time(NULL);
	return chance;
}

static char *text_sha256(const char *text)
{
	return g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
}

/* A folder of its own: the time, the spec's name, and a number when that is taken. */
static char *new_dir(const struct spec *spec)
{
	g_autoptr(GDateTime) now = g_date_time_new_now_utc();
	g_autofree char *stamp = g_date_time_format(now, "%Y%m%d-%H%M%S");
	g_autofree char *id = g_strdup_printf("%s-%s", stamp, spec->name);
	char *dir = g_build_filename(opts.results, id, NULL);

	if (!dir_make(opts.results)) {
		g_free(dir);
		return NULL;
	}
	for (int i = 2; mkdir(dir, 0777); i++) {
		int e = errno;

		if (e != EEXIST || i > 99) {
			pl_error("cannot make the folder %s: %s", dir, strerror(e));
			g_free(dir);
			return NULL;
		}
		g_free(dir);
		dir = g_strdup_printf("%s/%s-%d", opts.results, id, i);
	}
	return dir;
}

static bool save_boots(const char *dir, const json_t *boots)
{
	g_autofree char *path = g_build_filename(dir, "plan.jsonl", NULL);
	g_autoptr(GString) text = g_string_new(NULL);
	const json_t *b;
	size_t i;

	json_array_foreach(boots, i, b) {
		char *line = json_dumps(b, JSON_COMPACT | JSON_SORT_KEYS);

		g_string_append_printf(text, "%s\n", line);
		free(line);
	}
	return file_write(path, text->str, -1);
}

static bool save_run(const char *dir, const struct spec *spec, const json_t *boots,
		     enum run_mode mode, uint64_t seed, const json_t *inputs)
{
	g_autofree char *path = g_build_filename(dir, "run.json", NULL);
	g_autofree char *id = g_path_get_basename(dir);
	g_autofree char *sum = text_sha256(spec->text);
	g_autofree char *commit = source_commit();
	g_autoptr(GDateTime) now = g_date_time_new_now_utc();
	g_autofree char *created = g_date_time_format_iso8601(now);
	json_t *variants = json_array();
	json_t *run;
	bool ok;

	for (unsigned int i = 0; i < spec_columns(spec); i++)
		if (!spec_column(spec, i).floor)
			json_array_append_new(variants, json_string(spec_column(spec, i).name));
	run = json_pack("{s:s,s:s,s:s,s:s,s:s,s:s,s:I,s:I,s:I,s:s,s:s,s:o,s:s?,s:o,s:O?}", "run", id, "spec",
			spec->name, "spec_sha256", sum, "question", spec->question, "flavor",
			spec->flavor, "mode", mode_name(mode), "seed", (json_int_t)seed, "runs",
			(json_int_t)spec->runs, "boots", (json_int_t)json_array_size(boots),
			"created", created, "commit", commit, "variants", variants, "floor",
			spec->floor, "kernels", spec_kernels(spec), "inputs", inputs);
	ok = json_write(path, run);
	json_decref(run);
	return ok;
}

static bool point_latest(const char *dir)
{
	g_autofree char *link = g_build_filename(opts.results, "latest", NULL);
	g_autofree char *temp = g_build_filename(opts.results, ".latest.new", NULL);
	g_autofree char *id = g_path_get_basename(dir);

	unlink(temp);
	if (!symlink(id, temp) && !rename(temp, link))
		return true;
	pl_error("cannot point %s to the new run: %s", link, strerror(errno));
	return false;
}

char *plan_save(const struct spec *spec, const json_t *boots, enum run_mode mode, uint64_t seed,
		const json_t *inputs)
{
	char *dir = new_dir(spec);
	g_autofree char *copy = dir ? g_build_filename(dir, "spec.yaml", NULL) : NULL;

	/* run.json comes last: a folder without it is no run. */
	if (dir && file_write(copy, spec->text, -1) && save_boots(dir, boots) &&
	    save_run(dir, spec, boots, mode, seed, inputs) && point_latest(dir))
		return dir;
	g_free(dir);
	return NULL;
}

static bool same_run(const struct spec *spec, const json_t *run, const json_t *inputs, long seed)
{
	const json_t *had = json_object_get(run, "inputs");

	if (spec->mode != MODE_AUTO && strcmp(j_str(run, "mode"), mode_name(spec->mode)))
		return false;
	if (seed >= 0 && j_int(run, "seed") != seed)
		return false;
	return !had || json_is_null(had) || json_equal(had, inputs);
}

char *plan_resumable(const struct spec *spec, const json_t *inputs, long seed)
{
	g_auto(GStrv) names = names_in(opts.results, NULL);
	g_autofree char *sum = text_sha256(spec->text);

	for (guint i = g_strv_length(names); i-- > 0;) {
		char *dir = g_build_filename(opts.results, names[i], NULL);
		g_autofree char *path = g_build_filename(dir, "run.json", NULL);
		json_t *run = strcmp(names[i], "latest") ? json_load_file(path, 0, NULL) : NULL;
		bool this_spec = run && !strcmp(j_str(run, "spec_sha256"), sum) &&
				 !strcmp(j_str(run, "spec"), spec->name);
		bool usable = this_spec && same_run(spec, run, inputs, seed);

		json_decref(run);
		if (usable)
			return dir;
		g_free(dir);
		if (this_spec)
			return NULL;
	}
	return NULL;
}

static void print_boots(const json_t *boots)
{
	const json_t *b, *w;
	size_t i, k;

	json_array_foreach(boots, i, b) {
		printf("%s run %lld %s on %s/%s, %s, seed %lld:", j_str(b, "boot"), j_int(b, "run"),
		       j_str(b, "cell"), j_str(b, "flavor"), j_str(b, "variant"), j_str(b, "mode"),
		       j_int(b, "seed"));
		json_array_foreach(json_object_get(b, "workloads"), k, w)
			printf(" %s", j_str(w, "label"));
		printf("\n");
	}
}

/* Tries nothing and writes nothing: mode auto stays auto. */
static int plan_dry(const struct spec *spec, uint64_t seed)
{
	json_t *boots = plan_boots(spec, spec->mode, seed);

	print_boots(boots);
	pl_note("%zu boots with seed %llu; nothing was written", json_array_size(boots),
		(unsigned long long)seed);
	json_decref(boots);
	return RC_OK;
}

static int plan_it(const struct spec *spec, uint64_t seed)
{
	enum run_mode mode = mode_resolve(spec->mode, spec->flavor, spec->variants[0]);
	g_autofree char *dir = NULL;
	json_t *boots;

	if (mode == MODE_AUTO)
		return RC_FAILED;
	boots = plan_boots(spec, mode, seed);
	dir = plan_save(spec, boots, mode, seed, NULL);
	if (dir)
		pl_note("planned %zu boots with seed %llu in %s", json_array_size(boots),
			(unsigned long long)seed, dir);
	json_decref(boots);
	return dir ? RC_OK : RC_FAILED;
}

int cmd_plan(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{ "seed", 's', "N", 0,
		  "Plan with this seed: the same spec and seed give the same boots", 0 },
		{ "dry-run", 'n', NULL, 0, "Print the boots, write nothing", 0 },
		{ 0 }
	};
	static const struct argp argp = {
		.options = options,
		.parser = parse_stage,
		.args_doc = "[SPEC]",
		.children = common_children,
		.doc = "Turn a spec into a new run's list of boots.\vSPEC is a file, or the name of one in eval/specs "
		       "(default: quick).",
	};
	struct stage_args a = { .what = "spec", .name = "quick", .seed = -1 };
	g_autofree char *path = NULL;
	struct spec *spec;
	uint64_t seed;
	int rc;

	parse_args(&argp, argc, argv, &a);
	path = spec_find(a.name);
	spec = spec_load(path);
	if (!spec)
		return RC_USAGE;
	seed = plan_seed(spec, a.seed);
	rc = a.dry ? plan_dry(spec, seed) : plan_it(spec, seed);
	spec_free(spec);
	return rc;
}
