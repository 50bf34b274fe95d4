// SPDX-License-Identifier: GPL-2.0-or-later
/* pcplab report: writes report.html and report.txt from stats.json. */
#include <stdio.h>
#include <string.h>
#include "pcplab.h"
#include "report.h"
#include "stats.h"

static const struct argp_option report_options[] = {
	{ "dry-run", 'n', NULL, 0, "Check the input, and say what would be written", 0 },
	{ 0 }
};

static const struct argp report_argp = {
	.options = report_options,
	.parser = parse_stage,
	.args_doc = "[RUN]",
	.doc = "Write report.html and report.txt of RUN (an id or a folder; default: the newest) from its stats.json. "
	       "Nothing is computed here: run pcplab stats first.",
	.children = common_children,
};

/* Figures must belong to the records beside them, else their ids would lie. */
static bool fresh(const char *dir, const json_t *stats)
{
	g_autofree char *records = g_build_filename(dir, "records.jsonl", NULL);
	g_autofree char *now = file_sha256(records);

	if (now && !strcmp(now, j_str(stats, "records_sha256")))
		return true;
	pl_error("%s/stats.json was made from other records than those beside it; make it again with: pcplab stats %s", dir,
		 dir);
	return false;
}

static json_t *load_stats(const char *dir)
{
	g_autofree char *path = g_build_filename(dir, "stats.json", NULL);
	json_t *stats;

	if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
		pl_error("%s has no stats.json yet; make it with: pcplab stats %s", dir, dir);
		return NULL;
	}
	stats = json_read(path);
	if (!stats)
		return NULL;
	if (j_int(stats, "format") != STATS_FORMAT) {
		pl_error("%s is of format %lld, this pcplab reads format %d; make it again with: pcplab stats %s", path,
			 j_int(stats, "format"), STATS_FORMAT, dir);
	} else if (fresh(dir, stats)) {
		return stats;
	}
	json_decref(stats);
	return NULL;
}

static bool write_one(const char *dir, const char *name, char *text, bool dry_run)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);
	bool ok = dry_run || file_write(path, text, -1);

	if (ok)
		pl_note("%s%s", dry_run ? "would write " : "", path);
	g_free(text);
	return ok;
}

int cmd_report(int argc, char **argv)
{
	struct stage_args a = { .what = "run" };
	g_autofree char *dir = NULL;
	json_t *stats;
	bool ok;

	parse_args(&report_argp, argc, argv, &a);
	dir = run_dir_find(a.name);
	stats = dir ? load_stats(dir) : NULL;
	if (!stats)
		return RC_USAGE;
	ok = write_one(dir, "report.txt", report_txt(stats), a.dry) &&
	     write_one(dir, "report.html", report_html(stats), a.dry);
	json_decref(stats);
	return ok ? RC_OK : RC_FAILED;
}
