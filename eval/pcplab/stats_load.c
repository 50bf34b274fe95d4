// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads a run's folder: what was planned, what was recorded, what cannot be read. */
#include <string.h>
#include "stats.h"
#include "util.h"

/* Returns what keeps an object from being a record of ours, or NULL. */
static const char *record_fault(const json_t *r)
{
	static const char *const strings[] = { "id", "variant", "label", "workload", "flavor", "mode", "accel", "clock",
					       "status" };
	static const char *const modes[] = { "icount", "tcg", "kvm", NULL };
	const json_t *metrics = json_object_get(r, "metrics");

	if (!json_is_object(r))
		return "not a JSON object";
	for (size_t i = 0; i < G_N_ELEMENTS(strings); i++)
		if (!json_is_string(json_object_get(r, strings[i])))
			return "not a record of this version of pcplab: a text field is missing";
	if (!json_is_integer(json_object_get(r, "cpus")) || !json_is_integer(json_object_get(r, "run")))
		return "not a record of this version of pcplab: 'cpus' or 'run' is missing";
	if (!g_strv_contains(modes, j_str(r, "mode")))
		return "not a record of this version of pcplab: 'mode' is none of icount, tcg, kvm";
	if (!strcmp(j_str(r, "status"), "ok") && !json_is_array(metrics))
		return "not a record of this version of pcplab: no array 'metrics'";
	return NULL;
}

static const char *metric_fault(const json_t *m)
{
	const char *why = NULL;
	struct hist *h;

	if (!json_is_string(json_object_get(m, "metric")) || !json_is_string(json_object_get(m, "unit")))
		return "a metric has no name or no unit";
	if (json_is_number(json_object_get(m, "value")))
		return NULL;
	h = hist_parse(m, &why);
	hist_free(h);
	return h ? NULL : why;
}

static const char *metrics_fault(const json_t *r)
{
	const char *why = NULL;
	const json_t *m;
	size_t i;

	json_array_foreach(json_object_get(r, "metrics"), i, m)
		if (!why)
			why = metric_fault(m);
	return why;
}

static void problem(struct run_data *d, int line, const char *what)
{
	pl_error("%s/records.jsonl:%d: %s; this line is left out", d->dir, line, what);
	json_array_append_new(d->problems, json_pack("{s:i,s:s}", "line", line, "what", what));
}

/* The short form of a record that gives no figure. */
static void leave_out(json_t *list, const json_t *r)
{
	json_t *o = json_pack("{s:s,s:s,s:s,s:s,s:o}", "id", j_str(r, "id"), "variant", j_str(r, "variant"), "label",
			      j_str(r, "label"), "status", j_str(r, "status"), "console", json_sprintf("boots/%s/console", j_str(r, "boot")));

	json_object_set_new(o, "reason", json_string(j_str(r, "reason")));
	json_object_set(o, "run", json_object_get(r, "run"));
	json_object_set(o, "accel", json_object_get(r, "accel"));
	json_object_set(o, "clock", json_object_get(r, "clock"));
	json_array_append_new(list, o);
}

/* What the reader of one file knows of it. */
struct reader {
	struct run_data *d;
	GHashTable *done;		/* boots that were finished */
	GHashTable *ids;		/* of records read so far */
	GHashTable *places;		/* label and clock -> the conditions they were recorded under */
};

/*
 * A statistic is known by variant, label, metric and clock: the same label elsewhere would make two of that name.
 * Columns may differ in their guests: then it is the column's name that tells.
 */
static bool elsewhere(struct reader *rd, const json_t *r)
{
	char *key = g_strdup_printf("%s %s %s %s", j_str(r, "variant"), j_str(r, "label"), j_str(r, "clock"), j_str(r, "accel"));
	g_autofree char *place = g_strdup_printf("%s %s %lld %lld %lld", j_str(r, "cell"), j_str(r, "flavor"), j_int(r, "cpus"),
						 j_int(r, "mem_mb"), j_int(r, "nodes"));
	const char *before = g_hash_table_lookup(rd->places, key);
	bool differs = before && strcmp(before, place);

	if (before)
		g_free(key);
	else
		g_hash_table_insert(rd->places, key, g_steal_pointer(&place));
	return differs;
}

static void take_record(struct reader *rd, json_t *r, int line)
{
	struct run_data *d = rd->d;
	const char *why = record_fault(r);

	if (!why && !g_hash_table_contains(rd->done, j_str(r, "boot")))
		why = "its boot was not finished, and will be made again";
	if (!why && !strcmp(j_str(r, "status"), "ok"))
		why = metrics_fault(r);
	if (!why && !g_hash_table_add(rd->ids, g_strdup(j_str(r, "id"))))
		why = "a second record with the same id";
	if (!why && elsewhere(rd, r))
		why = "its workload was recorded in another boot of the spec before; give it parameters of its own";
	if (why)
		problem(d, line, why);
	else if (!strcmp(j_str(r, "status"), "known"))
		leave_out(d->known, r);
	else if (strcmp(j_str(r, "status"), "ok"))
		leave_out(d->left_out, r);
	else
		json_array_append(d->records, r);
}

static void note_done(struct reader *rd, json_t *r, int line)
{
	(void)line;
	if (!strcmp(j_str(r, "type"), "done"))
		g_hash_table_add(rd->done, g_strdup(j_str(r, "boot")));
}

/* Lines of another kind than records have a type and no id. */
static void note_record(struct reader *rd, json_t *r, int line)
{
	if (!json_object_get(r, "type") || json_object_get(r, "id"))
		take_record(rd, r, line);
}

static void each_line(struct reader *rd, const char *text, size_t len, bool tell,
		      void (*take)(struct reader *rd, json_t *r, int line))
{
	int line = 1;

	for (const char *p = text, *end = text + len; p < end; line++) {
		const char *nl = memchr(p, '\n', end - p);
		size_t n = nl ? (size_t)(nl - p) : (size_t)(end - p);
		json_error_t e;
		json_t *r = json_loadb(p, n, JSON_REJECT_DUPLICATES, &e);
		g_autofree char *what = r ? NULL : g_strdup_printf("not JSON (%s)", e.text);

		if (r)
			take(rd, r, line);
		else if (n && tell)
			problem(rd->d, line, nl ? what : "the last line is cut off");
		json_decref(r);
		p += n + 1;
	}
}

static bool read_records(struct run_data *d, GHashTable *ids)
{
	g_autofree char *path = g_build_filename(d->dir, "records.jsonl", NULL);
	g_autofree char *text = NULL;
	struct reader rd = { .d = d, .ids = ids };
	size_t len;

	if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
		pl_error("%s has no records.jsonl yet; make records with: pcplab run", d->dir);
		return false;
	}
	text = file_read(path, &len);
	if (!text)
		return false;
	rd.done = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	rd.places = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	d->sha256 = g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)text, len);
	each_line(&rd, text, len, false, note_done);
	each_line(&rd, text, len, true, note_record);
	g_hash_table_unref(rd.done);
	g_hash_table_unref(rd.places);
	return true;
}

static void miss_boot(struct run_data *d, GHashTable *ids, const json_t *boot)
{
	const json_t *workloads = json_object_get(boot, "workloads");

	for (size_t i = 0; i < json_array_size(workloads); i++) {
		g_autofree char *id = g_strdup_printf("%s.%zu", j_str(boot, "boot"), i);

		if (!g_hash_table_contains(ids, id))
			json_array_append_new(d->missing, json_pack("{s:s,s:s,s:s}", "id", id, "variant",
						j_str(boot, "variant"), "label",
						j_str(json_array_get(workloads, i), "label")));
	}
}

/* Without a plan, nothing can be known to be missing. */
static void read_plan(struct run_data *d, GHashTable *ids)
{
	g_autofree char *path = g_build_filename(d->dir, "plan.jsonl", NULL);
	json_t *plan, *boot;
	bool torn;
	size_t i;

	if (!g_file_test(path, G_FILE_TEST_EXISTS))
		return;
	plan = jsonl_read(path, &torn);
	json_array_foreach(plan, i, boot)
		miss_boot(d, ids, boot);
	json_decref(plan);
}

static void add_variants(struct run_data *d, const json_t *records)
{
	const json_t *r;
	size_t i;

	json_array_foreach(records, i, r)
		if (!d->floor || strcmp(j_str(r, "variant"), d->floor))
			names_add(d->variants, j_str(r, "variant"));
}

/* The spec's order first: its first variant is the baseline. Records of others come behind. */
static bool order_variants(struct run_data *d)
{
	g_autofree char *path = g_build_filename(d->dir, "run.json", NULL);
	const json_t *v;
	size_t i;

	d->info = g_file_test(path, G_FILE_TEST_EXISTS) ? json_read(path) : json_object();
	if (!d->info)
		return false;
	d->floor = json_string_value(json_object_get(d->info, "floor"));
	d->variants = json_array();
	json_array_foreach(json_object_get(d->info, "variants"), i, v)
		if (json_is_string(v))
			names_add(d->variants, json_string_value(v));
	add_variants(d, d->records);
	add_variants(d, d->left_out);
	add_variants(d, d->known);
	return true;
}

int run_data_load(const char *dir, struct run_data *d)
{
	g_autoptr(GHashTable) ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	*d = (struct run_data) { .dir = g_strdup(dir), .records = json_array(), .left_out = json_array(),
				 .known = json_array(), .problems = json_array(), .missing = json_array() };
	if (!read_records(d, ids) || !order_variants(d))
		return RC_USAGE;
	read_plan(d, ids);
	if (json_array_size(d->records) || json_array_size(d->left_out) || json_array_size(d->known))
		return RC_OK;
	pl_error("%s/records.jsonl holds no record that this version can read; run the experiment again", dir);
	return RC_USAGE;
}

void run_data_clear(struct run_data *d)
{
	g_free(d->dir);
	g_free(d->sha256);
	json_decref(d->info);
	json_decref(d->variants);
	json_decref(d->records);
	json_decref(d->left_out);
	json_decref(d->known);
	json_decref(d->problems);
	json_decref(d->missing);
	memset(d, 0, sizeof(*d));
}
