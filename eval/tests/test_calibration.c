// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Boots a kernel under the plugin, lets it make things of known size, and compares what the plugin
 * reports. PCPLAB_VMLINUX, PCPLAB_INITRD and PCPLAB_PLUGIN name other files than those under build/.
 */
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#define DEADLINE	"400"	/* seconds, for timeout(1) */

static char dir[] = "/tmp/test_calibration.XXXXXX";

static const char *file_of(const char *variable, const char *other)
{
	const char *path = getenv(variable);

	return path ? path : other;
}

static const char *vmlinux(void)
{
	return file_of("PCPLAB_VMLINUX", "build/kernels/perf/stock/vmlinux");
}

static const char *initrd(void)
{
	return file_of("PCPLAB_INITRD", "build/guest/initramfs.cpio");
}

static const char *plugin(void)
{
	return file_of("PCPLAB_PLUGIN", "build/plugin/pcpmeter.so");
}

/* One machine: number of CPUs, how they run, and a plugin option's value. */
struct machine {
	const char *name, *smp, *accel[2], *symbols;
};

static char *in_dir(char *buf, size_t size, const struct machine *m, const char *file)
{
	snprintf(buf, size, "%s/%s.%s", dir, m->name, file);
	return buf;
}

/* Returns QEMU's exit code, or 128 and its signal. */
static int boot(const struct machine *m)
{
	char console[128], records[128], serial0[160], serial1[160], out[128], option[1024], err[128];
	int status;
	pid_t pid;

	snprintf(serial0, sizeof(serial0), "file:%s", in_dir(console, sizeof(console), m, "console"));
	snprintf(serial1, sizeof(serial1), "file:%s", in_dir(records, sizeof(records), m, "records"));
	in_dir(out, sizeof(out), m, "out");
	in_dir(err, sizeof(err), m, "stderr");
	snprintf(option, sizeof(option), "%s,vmlinux=%s,out=%s", plugin(),
		 m->symbols ? m->symbols : vmlinux(), out);
	pid = fork();
	if (!pid) {
		if (!freopen(err, "w", stderr))
			_exit(126);
		execlp("timeout", "timeout", DEADLINE, "qemu-system-x86_64", "-machine", "pc",
		       "-cpu", "qemu64,+cx16", "-nodefaults", "-no-reboot", "-display", "none",
		       "-serial", serial0, "-serial", serial1, "-kernel", vmlinux(),
		       "-initrd", initrd(), "-m", "1G", "-smp", m->smp,
		       "-rtc", "base=2024-01-01,clock=vm", "-plugin", option,
		       "-append", "console=ttyS0 quiet nokaslr noreplace-smp panic=-1 -- seed=1 calibrate",
		       m->accel[0], m->accel[1], (char *)NULL);
		_exit(127);
	}
	assert_true(waitpid(pid, &status, 0) == pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* All lines of a file of JSON objects. */
static json_t *read_lines(const struct machine *m, const char *file)
{
	json_t *lines = json_array();
	char path[128], *line = NULL;
	size_t size = 0;
	FILE *f = fopen(in_dir(path, sizeof(path), m, file), "r");

	while (f && getline(&line, &size, f) > 0) {
		json_t *object = json_loads(line, 0, NULL);

		if (object)
			json_array_append_new(lines, object);
	}
	free(line);
	if (f)
		fclose(f);
	return lines;
}

static json_t *find(json_t *lines, const char *key, json_t *value)
{
	json_t *line;
	size_t i;

	json_array_foreach(lines, i, line)
		if (json_equal(json_object_get(line, key), value))
			return line;
	return NULL;
}

/* A figure of a region: irqoff_max over all CPUs, anything else summed over them. */
static json_int_t figure(json_t *region, const char *what)
{
	json_int_t total = 0, value;
	json_t *vcpu;
	size_t i;

	json_array_foreach(json_object_get(region, "vcpus"), i, vcpu) {
		if (!strcmp(what, "irqoff_max")) {
			assert_int_equal(json_unpack(vcpu, "{s:{s:{s:I}}}", "irqoff", "all", "max",
						     &value), 0);
			if (value > total)
				total = value;
		} else {
			assert_int_equal(json_unpack(vcpu, "{s:I}", what, &value), 0);
			total += value;
		}
	}
	return total;
}

/* Returns how many figures of one calibration are out of bounds; prints them. */
static unsigned int compare(json_t *regions, const char *text)
{
	json_t *said = json_loads(text, 0, NULL), *expect = json_object_get(said, "expect"), *bounds;
	const char *name = json_string_value(json_object_get(said, "name")), *what;
	json_t *region = find(regions, "region", json_object_get(said, "region"));
	unsigned int wrong = 0;

	assert_non_null(name);
	if (!region) {
		print_error("%s: the plugin has no such region\n", name);
		wrong++;
	}
	assert_true(json_object_size(expect) > 0);
	json_object_foreach(expect, what, bounds) {
		json_int_t low = json_integer_value(json_array_get(bounds, 0));
		json_int_t high = json_integer_value(json_array_get(bounds, 1));
		json_int_t got = region ? figure(region, what) : -1;

		if (got >= low && got <= high)
			continue;
		print_error("%s: %s is %lld, not in [%lld, %lld]\n", name, what, (long long)got,
			    (long long)low, (long long)high);
		wrong++;
	}
	json_decref(said);
	return wrong;
}

/* Compares everything that one boot said; @nr receives how many calibrations that was. */
static unsigned int compare_all(const struct machine *m, unsigned int *nr)
{
	json_t *records = read_lines(m, "records"), *regions = read_lines(m, "out"), *line;
	unsigned int wrong = 0;
	size_t i;

	*nr = 0;
	json_array_foreach(records, i, line) {
		const char *type = json_string_value(json_object_get(line, "type"));

		if (type && !strcmp(type, "text")) {
			wrong += compare(regions, json_string_value(json_object_get(line, "data")));
			(*nr)++;
		}
	}
	json_decref(records);
	json_decref(regions);
	return wrong;
}

/*
 * What the plugin warns of that is no fault of anybody's: where CPUs run at the same time, the other
 * one may be in an interrupt when a region ends.
 */
static bool harmless(const struct machine *m, const char *warning)
{
	return strstr(m->accel[1], "thread=multi") && strstr(warning, "vcpu 1") &&
	       strstr(warning, "was not over at the end");
}

/* Nothing doubtful may have been seen, and the guest must have ended well. */
static void check_end(const struct machine *m)
{
	json_t *records = read_lines(m, "records"), *regions = read_lines(m, "out");
	json_t *type = json_string("end"), *end = find(regions, "type", type);
	json_t *result = json_string("result"), *ok = find(records, "type", result);
	json_t *warning;
	size_t i;

	assert_non_null(end);
	json_array_foreach(json_object_get(end, "warnings"), i, warning)
		if (!harmless(m, json_string_value(warning)))
			fail_msg("the plugin warns: %s", json_string_value(warning));
	assert_non_null(ok);
	assert_string_equal(json_string_value(json_object_get(ok, "status")), "ok");
	json_decref(type);
	json_decref(result);
	json_decref(records);
	json_decref(regions);
}

/* All calibrations of mm/pcp/bench/calibrate.c; one of them needs a second CPU. */
#define ALL_CALIBRATIONS	18u

static const struct machine single = { "single", "1", { "-icount", "shift=0,sleep=off" }, NULL };
static const struct machine turns = { "turns", "2", { "-icount", "shift=0,sleep=off" }, NULL };
static const struct machine threads = { "threads", "2", { "-accel", "tcg,thread=multi" }, NULL };

static void calibrate(const struct machine *m, unsigned int expected)
{
	unsigned int nr, wrong;

	assert_int_equal(boot(m), 0);
	wrong = compare_all(m, &nr);
	assert_int_equal(wrong, 0);
	assert_int_equal(nr, expected);
	check_end(m);
}

static void test_one_cpu(void **state)
{
	(void)state;
	calibrate(&single, ALL_CALIBRATIONS - 1);
}

static void test_two_cpus_in_turns(void **state)
{
	(void)state;
	calibrate(&turns, ALL_CALIBRATIONS);
}

static void test_two_cpus_in_threads(void **state)
{
	(void)state;
	calibrate(&threads, ALL_CALIBRATIONS);
}

/* Bends each bound of what the single machine said: every one must be missed then. */
static void test_comparison_finds_mistakes(void **state)
{
	json_t *records = read_lines(&single, "records"), *regions = read_lines(&single, "out"), *line;
	unsigned int bent = 0;
	size_t i;

	(void)state;
	json_array_foreach(records, i, line) {
		const char *data = json_string_value(json_object_get(line, "data")), *what;
		json_t *said = data ? json_loads(data, 0, NULL) : NULL, *bounds;

		json_object_foreach(json_object_get(said, "expect"), what, bounds) {
			json_t *region = find(regions, "region", json_object_get(said, "region"));
			json_int_t got = figure(region, what);
			char text[256];

			snprintf(text, sizeof(text),
				 "{\"name\":\"bent\",\"region\":%lld,\"expect\":{\"%s\":[%lld,%lld]}}",
				 json_integer_value(json_object_get(said, "region")), what, got + 1,
				 got + 1000);
			assert_int_equal(compare(regions, text), 1);
			bent++;
		}
		json_decref(said);
	}
	assert_true(bent >= ALL_CALIBRATIONS - 1);
	json_decref(records);
	json_decref(regions);
}

/* A plugin without the kernel's symbols must refuse to start rather than to report nothing. */
static void test_wrong_symbols(void **state)
{
	static const struct machine wrong = {
		"wrong", "1", { "-icount", "shift=0,sleep=off" }, "/proc/self/exe"
	};

	(void)state;
	assert_int_equal(boot(&wrong), 1);
}

static int make_dir(void **state)
{
	(void)state;
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	static const struct machine none = { "wrong", "1", { NULL, NULL }, NULL };
	const struct machine *all[] = { &single, &turns, &threads, &none };
	static const char *const files[] = { "console", "records", "out", "stderr" };
	char path[128];

	(void)state;
	for (size_t i = 0; i < 4; i++)
		for (size_t j = 0; j < 4; j++)
			unlink(in_dir(path, sizeof(path), all[i], files[j]));
	return rmdir(dir);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wrong_symbols),
		cmocka_unit_test(test_one_cpu),
		cmocka_unit_test(test_comparison_finds_mistakes),
		cmocka_unit_test(test_two_cpus_in_turns),
		cmocka_unit_test(test_two_cpus_in_threads),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
