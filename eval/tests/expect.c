// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the boot tests demand of finished runs. Each demand exits with 0 when it
 * is met, with 1 and the reasons when not, with 2 when there is nothing to judge:
 *
 *   expect clean RUN.JSONL                       every record is ok, or known with a reason, and there are some
 *   expect status RUN.JSONL LABEL STATUS         LABEL's records are so, with a reason, their consoles saved
 *   expect variant RUN.JSONL V LABEL STATUS      the same of the records of one variant
 *   expect near STATS.JSON A B METRIC PERCENT    variants A and B agree in every workload
 *   expect same A.JSON B.JSON METRIC PERCENT     two runs agree in every variant and workload
 *   expect below STATS.JSON A B METRIC FACTOR    A's worst case is FACTOR times shorter than B's
 *
 * STATS.JSON is what `pcplab stats --json` prints.
 */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *load(const char *path)
{
	json_error_t err;
	json_t *j = json_load_file(path, 0, &err);

	if (!json_is_array(j)) {
		fprintf(stderr, "%s: %s\n", path, j ? "not an array of statistics" : err.text);
		exit(2);
	}
	return j;
}

static const char *str(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));

	return s ? s : "";
}

static double num(const json_t *o, const char *key)
{
	return json_number_value(json_object_get(o, key));
}

/* The row of a variant with workload and metric of @like, or NULL. */
static json_t *row(json_t *stats, const char *variant, const json_t *like)
{
	json_t *o;
	size_t i;

	json_array_foreach(stats, i, o)
		if (!strcmp(str(o, "variant"), variant) && !strcmp(str(o, "workload"), str(like, "workload")) &&
		    !strcmp(str(o, "metric"), str(like, "metric")) && !strcmp(str(o, "clock"), str(like, "clock")))
			return o;
	return NULL;
}

/* Does @b's @key lie within @percent of @a's? Prints either way. */
static int agree(const json_t *a, const json_t *b, const char *key, double percent)
{
	double x = num(a, key), y = b ? num(b, key) : NAN;
	double off = x ? 100 * (y - x) / x : y ? INFINITY : 0;
	int ok = b && fabs(off) <= percent;

	printf("%-4s %-10s %-24s %-14s %14.3f %14.3f %+8.3f %%\n", ok ? "ok" : "FAIL", str(a, "variant"),
	       str(a, "workload"), str(a, "metric"), x, y, off);
	return ok;
}

static int verdict(int seen, int bad)
{
	if (!seen) {
		fputs("there is nothing to judge\n", stderr);
		return 2;
	}
	return bad != 0;
}

static int near(json_t *stats, const char *a, const char *b, const char *metric, double percent)
{
	int seen = 0, bad = 0;
	json_t *o;
	size_t i;

	json_array_foreach(stats, i, o) {
		if (strcmp(str(o, "variant"), a) || strcmp(str(o, "metric"), metric))
			continue;
		seen++;
		bad += !agree(o, row(stats, b, o), "mean", percent);
	}
	return verdict(seen, bad);
}

static int same(json_t *first, json_t *second, const char *metric, double percent)
{
	int seen = 0, bad = 0;
	json_t *o;
	size_t i;

	json_array_foreach(first, i, o) {
		if (strcmp(str(o, "metric"), metric))
			continue;
		seen++;
		bad += !agree(o, row(second, str(o, "variant"), o), "mean", percent);
	}
	return verdict(seen, bad);
}

static double worst(json_t *stats, const char *variant, const char *metric)
{
	double max = 0;
	json_t *o;
	size_t i;

	json_array_foreach(stats, i, o)
		if (!strcmp(str(o, "variant"), variant) && !strcmp(str(o, "metric"), metric))
			max = fmax(max, num(o, "max"));
	return max;
}

static int below(json_t *stats, const char *a, const char *b, const char *metric, double factor)
{
	double x = worst(stats, a, metric), y = worst(stats, b, metric);

	printf("%s: %s at worst %.0f, %s %.0f: %.1f times\n", metric, a, x, b, y, x ? y / x : 0);
	return verdict(x > 0 && y > 0, !(y >= factor * x));
}

/* The records of a run; lines that are no JSON are counted in @broken. */
static json_t *load_records(const char *path, int *broken)
{
	static char line[1 << 22];
	json_t *all = json_array();
	FILE *f = fopen(path, "r");

	if (!f) {
		perror(path);
		exit(2);
	}
	while (fgets(line, sizeof(line), f)) {
		json_t *o = json_loads(line, 0, NULL);

		if (json_object_get(o, "status"))
			json_array_append(all, o);
		if (!o) {
			++*broken;
			printf("a line that is not JSON: %.60s\n", line);
		}
		json_decref(o);
	}
	fclose(f);
	return all;
}

/* Is it ok, or what the design is known to lack? Some status alone would not say what that is. */
static int passes(const json_t *record)
{
	const char *status = str(record, "status");

	return !strcmp(status, "ok") || (!strcmp(status, "known") && *str(record, "reason"));
}

static int clean(const char *path)
{
	int bad = 0, known = 0;
	json_t *all = load_records(path, &bad), *o;
	size_t i;

	json_array_foreach(all, i, o) {
		if (!strcmp(str(o, "status"), "ok"))
			continue;
		known += passes(o);
		bad += !passes(o);
		printf("%s %s %s: %s: %s\n", str(o, "id"), str(o, "variant"), str(o, "label"), str(o, "status"),
		       str(o, "reason"));
	}
	printf("%zu records, %d not ok, %d known\n", i, bad, known);
	return verdict(i, bad);
}

/* The console of a record's boot, which is in a folder beside the records; NULL when there is none. */
static char *console_of(const char *path, const json_t *record)
{
	static char text[1 << 22];
	const char *slash = strrchr(path, '/');
	char name[4096];
	FILE *f;

	snprintf(name, sizeof(name), "%.*sboots/%s/console", slash ? (int)(slash + 1 - path) : 0, path,
		 str(record, "boot"));
	f = fopen(name, "r");
	if (!f)
		return NULL;
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	return text;
}

/* What the kernel complained of is quoted from the console, and may go on with what came of it. */
static int quoted(const char *console, const char *reason)
{
	const char *then = strstr(reason, "; then: ");
	char first[512];

	snprintf(first, sizeof(first), "%.*s", then ? (int)(then - reason) : 511, reason);
	return strstr(console, first) && (!then || strstr(console, then + strlen("; then: ")));
}

static const char *flaw(const char *path, const json_t *record, const char *wanted)
{
	static const char *const kernels[] = { "panic", "oops", "stall", "warn" };
	const char *console = console_of(path, record), *reason = str(record, "reason");

	if (strcmp(str(record, "status"), wanted))
		return "another status";
	if (!console)
		return "no console";
	if (!strcmp(wanted, "ok") != !*reason)
		return "a reason where none is due, or none where one is";
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++)
		if (!strcmp(wanted, kernels[i]) && !quoted(console, reason))
			return "its reason is not on its console";
	return NULL;
}

/* @variant is NULL for all. */
static int status(const char *path, const char *variant, const char *label, const char *wanted)
{
	int seen = 0, bad = 0;
	json_t *all = load_records(path, &bad), *o;
	size_t i;

	json_array_foreach(all, i, o) {
		const char *wrong;

		if (strcmp(str(o, "label"), label) || (variant && strcmp(str(o, "variant"), variant)))
			continue;
		wrong = flaw(path, o, wanted);
		seen++;
		bad += wrong != NULL;
		printf("%s %s: %s: %s%s%s\n", str(o, "id"), label, str(o, "status"), str(o, "reason"),
		       wrong ? ": " : "", wrong ? wrong : "");
	}
	return verdict(seen, bad);
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "clean"))
		return clean(argv[2]);
	if (argc == 5 && !strcmp(argv[1], "status"))
		return status(argv[2], NULL, argv[3], argv[4]);
	if (argc == 6 && !strcmp(argv[1], "variant"))
		return status(argv[2], argv[3], argv[4], argv[5]);
	if (argc == 7 && !strcmp(argv[1], "near"))
		return near(load(argv[2]), argv[3], argv[4], argv[5], atof(argv[6]));
	if (argc == 6 && !strcmp(argv[1], "same"))
		return same(load(argv[2]), load(argv[3]), argv[4], atof(argv[5]));
	if (argc == 7 && !strcmp(argv[1], "below"))
		return below(load(argv[2]), argv[3], argv[4], argv[5], atof(argv[6]));
	fputs("usage: see the comment at the top of eval/tests/expect.c\n", stderr);
	return 2;
}
