// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Boots the guest once and looks at all of its records. Needs QEMU, and in the environment
 * PCPLAB_VMLINUX and PCPLAB_INITRD.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

/* In the order of the command line. `max` 0: nothing is to be counted. */
static const struct expected {
	const char *arg, *status, *text;
	long min, max;
	bool region;
} expected[] = {
	{ "pairs:n=1000", "ok", NULL, 1000, 1000, true },
	{ "burst:order=3,size=60,n=4", "ok", NULL, 240, 240, true },
	{ "bulk:size=32,n=10", "ok", NULL, 10, 320, true },
	{ "prodcons:n=3", "ok", NULL, 1800, 1800, true },
	{ "faults:procs=2,mb=2,n=2", "ok", NULL, 2048, 2048 + 4 * 15, true },
	{ "exits:procs=2,mb=4", "ok", NULL, 2048, 2048 + 2 * 15, true },
	{ "stressvm:mb=8,ops=16", "ok", "stdout", 0, 0, true },
	{ "cyclictest:loops=20,interval=500", "ok", "json", 20, 20, false },
	{ "nosuch:n=1", "fail", NULL, 0, 0, false },
	{ "pairs:n=0", "fail", NULL, 0, 0, false },
	/* Gets no memory inside its region, which must not be open for the next. */
	{ "faults:mb=4096", "fail", NULL, 0, 0, false },
	{ "pairs:n=3", "ok", NULL, 3, 3, true },
};

#define NR_EXPECTED (sizeof(expected) / sizeof(expected[0]))

static json_t *records;		/* array of what came over the serial port */
static char directory[] = "/tmp/pcplab-guest.XXXXXX";

static const char *string_of(const json_t *record, const char *key)
{
	const char *s = json_string_value(json_object_get(record, key));

	return s ? s : "";
}

static long number_of(const json_t *record, const char *key)
{
	return json_is_integer(json_object_get(record, key)) ?
	       json_integer_value(json_object_get(record, key)) : -1;
}

static const char *check_start(const json_t *start)
{
	const json_t *zones = json_object_get(start, "zones"), *zone;
	size_t i;

	if (strcmp(string_of(start, "type"), "start") || number_of(start, "seed") != 5 ||
	    number_of(start, "cpus") != 2 || strncmp(string_of(start, "kernel"), "6.", 2) ||
	    !strstr(string_of(start, "cmdline"), "console=ttyS0"))
		return "the first record is no good start";
	if (!json_array_size(zones))
		return "no zones";
	json_array_foreach(zones, i, zone)
		if (number_of(zone, "batch") <= 0 || number_of(zone, "high_min") < 0 ||
		    number_of(zone, "high_max") < number_of(zone, "high_min"))
			return "a zone without batch and limits";
	return NULL;
}

static const char *check_result(const json_t *r, size_t i, long *last_region)
{
	const json_t *regions = json_object_get(r, "regions");
	long region;

	if (strcmp(string_of(r, "type"), "result") || number_of(r, "index") != (long)i)
		return "a result is missing or out of order";
	if (strncmp(expected[i].arg, string_of(r, "workload"), strlen(string_of(r, "workload"))))
		return "a result of another workload";
	if (strcmp(string_of(r, "status"), expected[i].status))
		return "another status than expected";
	if (!strcmp(expected[i].status, "fail") == !*string_of(r, "reason"))
		return "a failure without reason, or a reason without failure";
	if (number_of(r, "ops") < expected[i].min || number_of(r, "ops") > expected[i].max)
		return "operations miscounted";
	if (json_array_size(regions) != expected[i].region)
		return "not one region";
	if (!expected[i].region)
		return NULL;
	region = json_integer_value(json_array_get(regions, 0));
	if (region <= *last_region || number_of(r, "ns") <= 0)
		return "regions out of order, or empty";
	*last_region = region;
	return NULL;
}

static const char *check_text(const json_t *r, size_t i)
{
	if (strcmp(string_of(r, "type"), "text") || number_of(r, "index") != (long)i)
		return "the tool's text does not precede its result";
	return strcmp(string_of(r, "name"), expected[i].text) || !*string_of(r, "data") ?
	       "a text without its name or content" : NULL;
}

/* Returns what is wrong first, NULL when all is well; *@where is the workload's number then. */
static const char *check_records(const json_t *all, size_t *where)
{
	const char *wrong = check_start(json_array_get(all, 0));
	long last_region = -1;
	size_t line = 1;

	for (*where = 0; !wrong && *where < NR_EXPECTED; ++*where) {
		if (expected[*where].text)
			wrong = check_text(json_array_get(all, line++), *where);
		if (!wrong)
			wrong = check_result(json_array_get(all, line++), *where, &last_region);
		if (wrong)
			return wrong;
	}
	if (!wrong && strcmp(string_of(json_array_get(all, line), "type"), "end"))
		wrong = "no end";
	if (!wrong && json_array_size(all) != line + 1)
		wrong = "something after the end";
	return wrong;
}

static void every_workload_says_what_it_did(void **state)
{
	size_t where;
	const char *wrong = check_records(records, &where);

	(void)state;
	if (wrong)
		fail_msg("%s, at %s; the records are in %s", wrong,
			 where < NR_EXPECTED ? expected[where].arg : "the end", directory);
}

/* The checker itself: each of these damages must be noticed. */
static void damaged_records_are_noticed(void **state)
{
	size_t n = json_array_size(records), where;

	(void)state;
	for (size_t i = 0; i < n; i++) {
		json_t *copy = json_deep_copy(records);

		json_array_remove(copy, i);
		assert_non_null(check_records(copy, &where));
		json_decref(copy);
	}
	for (size_t i = 0; i < n; i++) {
		json_t *copy = json_deep_copy(records), *r = json_array_get(copy, i);

		if (!strcmp(string_of(r, "type"), "result")) {
			json_object_set_new(r, "ops", json_integer(-7));
			assert_non_null(check_records(copy, &where));
		}
		json_decref(copy);
	}
}

static bool console_has(const char *needle)
{
	char path[64], line[512];
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), "%s/console", directory);
	f = fopen(path, "r");
	assert_non_null(f);
	while (!found && fgets(line, sizeof(line), f))
		found = strstr(line, needle);
	fclose(f);
	return found;
}

static void the_kernel_does_not_complain(void **state)
{
	static const char *const complaints[] = { "WARNING", "BUG", "Oops", "panic", "INFO:" };

	(void)state;
	for (size_t i = 0; i < sizeof(complaints) / sizeof(complaints[0]); i++)
		assert_false(console_has(complaints[i]));
	/* What must be there shows that the console was read at all. */
	assert_true(console_has("reboot: "));
}

static int boot(const char *vmlinux, const char *initrd)
{
	char console[64], serial[64], append[1024];
	char *argv[] = { "timeout", "300", "qemu-system-x86_64", "-machine", "pc", "-cpu",
		"qemu64,+cx16", "-nodefaults", "-no-reboot", "-display", "none", "-monitor", "none",
		"-serial", console, "-serial", serial, "-kernel", (char *)vmlinux, "-initrd",
		(char *)initrd, "-append", append, "-m", "1G", "-smp", "2", "-icount",
		"shift=0,sleep=off", "-rtc", "base=2024-01-01T00:00:00,clock=vm", NULL };
	int len = snprintf(append, sizeof(append), "console=ttyS0 quiet nokaslr panic=-1 "
			   "nolapic_timer tsc=reliable no_timer_check lpj=4000000 -- seed=5");
	int status;
	pid_t pid;

	for (size_t i = 0; i < NR_EXPECTED; i++)
		len += snprintf(append + len, sizeof(append) - len, " %s", expected[i].arg);
	snprintf(console, sizeof(console), "file:%s/console", directory);
	snprintf(serial, sizeof(serial), "file:%s/records", directory);
	pid = fork();
	if (!pid) {
		execvp(argv[0], argv);
		_exit(127);
	}
	return pid < 0 || waitpid(pid, &status, 0) < 0 || status ? -1 : 0;
}

static int boot_once(void **state)
{
	const char *vmlinux = getenv("PCPLAB_VMLINUX"), *initrd = getenv("PCPLAB_INITRD");
	char path[64], *line = NULL;
	size_t size = 0;
	FILE *f;

	(void)state;
	if (!vmlinux || !initrd) {
		fprintf(stderr, "set PCPLAB_VMLINUX and PCPLAB_INITRD to a kernel and an initramfs\n");
		return -1;
	}
	if (!mkdtemp(directory) || boot(vmlinux, initrd)) {
		fprintf(stderr, "the guest did not power off by itself: see %s\n", directory);
		return -1;
	}
	snprintf(path, sizeof(path), "%s/records", directory);
	f = fopen(path, "r");
	if (!f)
		return -1;
	records = json_array();
	/* What is no JSON becomes null, which no check takes for a record. */
	while (getline(&line, &size, f) > 0) {
		json_t *record = json_loads(line, 0, NULL);

		json_array_append_new(records, record ? record : json_null());
	}
	free(line);
	fclose(f);
	return 0;
}

/* What a failure left is kept for whoever looks for its cause. */
static int clean_up(void **state)
{
	static const char *const names[] = { "console", "records" };
	char path[64];
	size_t where;

	(void)state;
	for (size_t i = 0; !check_records(records, &where) && i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s", directory, names[i]);
		unlink(path);
	}
	rmdir(directory);
	json_decref(records);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_workload_says_what_it_did),
		cmocka_unit_test(damaged_records_are_noticed),
		cmocka_unit_test(the_kernel_does_not_complain),
	};

	return cmocka_run_group_tests(tests, boot_once, clean_up);
}
