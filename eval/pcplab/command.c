// SPDX-License-Identifier: GPL-2.0-or-later
/* QEMU's command line for a boot. */
#include <stdarg.h>
#include <string.h>
#include "boot.h"
#include "clock.h"
#include "host.h"

static void add(GPtrArray *argv, const char *arg)
{
	g_ptr_array_add(argv, g_strdup(arg));
}

static void addf(GPtrArray *argv, const char *fmt, ...) G_GNUC_PRINTF(2, 3);

static void addf(GPtrArray *argv, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	g_ptr_array_add(argv, g_strdup_vprintf(fmt, ap));
	va_end(ap);
}

/* QEMU's options take a doubled comma for one in a value. */
static char *escaped(const char *path)
{
	g_auto(GStrv) parts = g_strsplit(path, ",", -1);

	return g_strjoinv(",,", parts);
}

static void add_file(GPtrArray *argv, const char *option, const char *prefix, const char *dir,
		     const char *name)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);
	g_autofree char *e = escaped(path);

	add(argv, option);
	addf(argv, "%s%s", prefix, e);
}

static void add_mode(GPtrArray *argv, const char *mode)
{
	if (!strcmp(mode, "icount")) {
		add(argv, "-icount");
		add(argv, "shift=0,sleep=off");
		add(argv, "-rtc");
		add(argv, "base=2024-01-01T00:00:00,clock=vm");
	} else {
		add(argv, "-accel");
		add(argv, strcmp(mode, "kvm") ? "tcg,thread=multi" : "kvm");
	}
	add(argv, "-cpu");
	add(argv, strcmp(mode, "kvm") ? "qemu64,+cx16" : "host");
}

static void add_nodes(GPtrArray *argv, const json_t *plan)
{
	long long nodes = j_int(plan, "nodes"), cpus = j_int(plan, "cpus") / nodes,
		  mem = j_int(plan, "mem_mb") / nodes;

	for (long long i = 0; nodes > 1 && i < nodes; i++) {
		add(argv, "-object");
		addf(argv, "memory-backend-ram,id=m%lld,size=%lldM", i, mem);
		add(argv, "-numa");
		addf(argv, "node,nodeid=%lld,cpus=%lld-%lld,memdev=m%lld", i, i * cpus,
		     (i + 1) * cpus - 1, i);
	}
}

/* A module for the slot, and a control port to plug it with. */
static void add_dimm(GPtrArray *argv, const json_t *plan)
{
	if (!j_int(plan, "dimm_mb"))
		return;
	add(argv, "-object");
	addf(argv, "memory-backend-ram,id=module0,size=%lldM", j_int(plan, "dimm_mb"));
	add(argv, "-qmp");
	add(argv, "stdio");
}

/*
 * Warnings must reach the console, or nobody would see them. Lock prefixes must
 * stay where they are: with one CPU the kernel overwrites them otherwise.
 */
#define ARGS_ALWAYS "console=ttyS0 loglevel=5 panic=-1 noreplace-smp"

/*
 * Under icount a calibration loop made of rdtsc and pause is 20 s of host time.
 * What it would find is known: the TSC counts nanoseconds, and every flavour
 * has HZ=250. The HPET serves as timer.
 */
#define ARGS_ICOUNT " nolapic_timer tsc=reliable no_timer_check lpj=4000000"

/*
 * The kernel finds the emulated TSC unstable as soon as there is a second CPU, and
 * patches its scheduler clock while both run it. Emulated in threads, one may
 * then run the breakpoint of a patch that is over, and die. Said beforehand,
 * nothing is left to patch.
 */
#define ARGS_TCG " tsc=unstable"

static char *kernel_args(const json_t *plan)
{
	GString *s = g_string_new(ARGS_ALWAYS);
	json_t *w, *value;
	const char *key;
	size_t i;

	if (!strcmp(j_str(plan, "mode"), "icount"))
		g_string_append(s, ARGS_ICOUNT);
	else if (!strcmp(j_str(plan, "mode"), "tcg"))
		g_string_append(s, ARGS_TCG);
	if (*j_str(plan, "cmdline"))
		g_string_append_printf(s, " %s", j_str(plan, "cmdline"));
	g_string_append_printf(s, " -- seed=%lld", j_int(plan, "seed"));
	json_array_foreach(json_object_get(plan, "workloads"), i, w) {
		char sep = ':';

		g_string_append_printf(s, " %s", j_str(w, "name"));
		json_object_foreach(json_object_get(w, "params"), key, value) {
			g_string_append_printf(s, "%c%s=%lld", sep, key,
					       (long long)json_integer_value(value));
			sep = ',';
		}
	}
	return g_string_free(s, FALSE);
}

static void add_plugin(GPtrArray *argv, const json_t *plan, const char *vmlinux, const char *dir)
{
	g_autofree char *so = build_path("plugin/pcpmeter.so");
	g_autofree char *out = g_build_filename(dir, "meters", NULL);
	g_autofree char *eso = escaped(so), *eout = escaped(out), *evm = escaped(vmlinux);

	if (!clock_counts(j_str(plan, "mode")))
		return;
	add(argv, "-plugin");
	addf(argv, "%s,vmlinux=%s,out=%s", eso, evm, eout);
}

char **boot_command(const json_t *plan, const char *dir)
{
	g_autofree char *vmlinux =
		kernel_path(j_str(plan, "flavor"), boot_kernel(plan), "vmlinux");
	g_autofree char *initramfs = build_path("guest/initramfs.cpio");
	g_autofree char *append = kernel_args(plan);
	static const char *const fixed[] = { "-machine", "pc",	 "-nodefaults", "-no-reboot",
					     "-display", "none", "-monitor",	"none" };
	GPtrArray *argv = g_ptr_array_new();

	add(argv, qemu_binary());
	for (size_t i = 0; i < G_N_ELEMENTS(fixed); i++)
		add(argv, fixed[i]);
	add_mode(argv, j_str(plan, "mode"));
	add(argv, "-smp");
	/* A socket of its own for each node: the kernel warns of CPUs that share a cache across nodes. */
	addf(argv, "%lld,sockets=%lld", j_int(plan, "cpus"), j_int(plan, "nodes"));
	add(argv, "-m");
	if (j_int(plan, "dimm_mb"))
		addf(argv, "%lldM,slots=1,maxmem=%lldM", j_int(plan, "mem_mb"),
		     j_int(plan, "mem_mb") + 2 * j_int(plan, "dimm_mb"));
	else
		addf(argv, "%lldM", j_int(plan, "mem_mb"));
	add_nodes(argv, plan);
	add_dimm(argv, plan);
	add_file(argv, "-serial", "file:", dir, "console");
	add_file(argv, "-serial", "file:", dir, "records");
	add_plugin(argv, plan, vmlinux, dir);
	add(argv, "-kernel");
	add(argv, vmlinux);
	add(argv, "-initrd");
	add(argv, initramfs);
	add(argv, "-append");
	add(argv, append);
	g_ptr_array_add(argv, NULL);
	return (char **)g_ptr_array_free(argv, FALSE);
}
