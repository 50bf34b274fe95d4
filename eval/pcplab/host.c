// SPDX-License-Identifier: GPL-2.0-or-later
/* What the host offers: QEMU, KVM, and the files a boot needs. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "boot.h"
#include "host.h"

#define OLDEST_QEMU	7
#define KVM_DEADLINE_S	8

char *kernel_path(const char *flavor, const char *variant, const char *file)
{
	return build_path("kernels/%s/%s/%s", flavor, variant, file);
}

const char *boot_kernel(const json_t *boot)
{
	return *j_str(boot, "kernel") ? j_str(boot, "kernel") : j_str(boot, "variant");
}

static bool add_kernel(json_t *kernels, const char *flavor, const char *variant)
{
	g_autofree char *meta = kernel_path(flavor, variant, "meta.json");
	g_autofree char *vmlinux = kernel_path(flavor, variant, "vmlinux");
	g_autofree char *key = g_strdup_printf("%s/%s", flavor, variant);
	json_t *m;

	if (!g_file_test(meta, G_FILE_TEST_EXISTS) || !g_file_test(vmlinux, G_FILE_TEST_EXISTS)) {
		pl_error("the kernel %s is not built; run: make kernel VARIANT=%s FLAVOR=%s", key,
			 variant, flavor);
		return false;
	}
	m = json_read(meta);
	if (!m)
		return false;
	json_object_set_new(kernels, key,
			    json_sprintf("%s %s", j_str(m, "config_sha256"),
					 j_str(m, "vmlinux_sha256")));
	json_decref(m);
	return true;
}

static bool add_file(json_t *inputs, const char *name, char *path)
{
	g_autofree char *owned = path;
	g_autofree char *sum = file_sha256(owned);

	if (!sum) {
		pl_error("%s is missing; run: make", owned);
		return false;
	}
	json_object_set_new(inputs, name, json_string(sum));
	return true;
}

json_t *inputs_now(const char *flavor, const json_t *variants)
{
	json_t *inputs = json_object(), *kernels = json_object();
	const json_t *v;
	bool ok = true;
	size_t i;

	json_object_set_new(inputs, "kernels", kernels);
	json_array_foreach(variants, i, v)
		ok = ok && add_kernel(kernels, flavor, json_string_value(v));
	ok = ok && add_file(inputs, "initramfs", build_path("guest/initramfs.cpio"));
	ok = ok && add_file(inputs, "plugin", build_path("plugin/pcpmeter.so"));
	if (ok)
		return inputs;
	json_decref(inputs);
	return NULL;
}

const char *qemu_binary(void)
{
	const char *env = g_getenv("PCPLAB_QEMU");

	return env ? env : "qemu-system-x86_64";
}

char *qemu_version(void)
{
	const char *const argv[] = { qemu_binary(), "--version", NULL };
	g_autofree char *out = command_output(argv);
	char *at = out ? strstr(out, "version ") : NULL;
	char *version;

	if (!at) {
		pl_error(
			"%s does not run; install it with: make deps (Debian package qemu-system-x86)",
			qemu_binary());
		return NULL;
	}
	version = g_strndup(at + 8, strcspn(at + 8, "\n"));
	if (g_ascii_strtoll(version, NULL, 10) >= OLDEST_QEMU)
		return version;
	pl_error("%s is version %s; needed is %d.0 or newer", qemu_binary(), version, OLDEST_QEMU);
	g_free(version);
	return NULL;
}

char *host_cpu(void)
{
	g_autofree char *text = NULL;
	char *at;

	if (!g_file_get_contents("/proc/cpuinfo", &text, NULL, NULL))
		return g_strdup("unknown");
	at = strstr(text, "model name");
	at = at ? strchr(at, ':') : NULL;
	if (!at)
		return g_strdup("unknown");
	at[strcspn(at, "\n")] = '\0';
	return g_strdup(g_strstrip(at + 1));
}

char *source_commit(void)
{
	const char *const argv[] = { "git",	    "-C",	   opts.root,
				     "describe",    "--always",	   "--dirty",
				     "--abbrev=40", "--exclude=*", NULL };
	char *out = command_output(argv);

	return out && *out ? out : g_strdup("unknown");
}

static char *host_boot_id(void)
{
	char *id;

	if (!g_file_get_contents("/proc/sys/kernel/random/boot_id", &id, NULL, NULL))
		return g_strdup("");
	return g_strchomp(id);
}

/* Does a guest come up under KVM? -1 when the trial itself failed. */
static int kvm_trial(const char *flavor, const char *variant)
{
	g_autofree char *dir = build_path("accel-trial");
	g_autofree char *records = g_build_filename(dir, "records", NULL);
	g_autofree char *text = NULL;
	json_t *plan = json_pack("{s:s,s:s,s:s,s:i,s:i,s:i,s:i,s:i,s:[]}", "variant", variant,
				 "flavor", flavor, "mode", "kvm", "cpus", 1, "mem_mb", 1024,
				 "nodes", 1, "seed", 1, "deadline_s", KVM_DEADLINE_S, "workloads");
	char **argv = boot_command(plan, dir);
	struct boot_end end;
	bool ran = boot_run(plan, argv, dir, NULL, &end);

	json_decref(plan);
	g_strfreev(argv);
	g_free(end.reason);
	if (!ran || end.interrupted)
		return -1;
	return g_file_get_contents(records, &text, NULL, NULL) && strstr(text, "\"end\"");
}

static json_t *kvm_cached(const char *path, const char *boot_id)
{
	json_t *o = json_load_file(path, 0, NULL);

	if (o && !strcmp(j_str(o, "host_boot"), boot_id) &&
	    json_is_boolean(json_object_get(o, "kvm")))
		return o;
	json_decref(o);
	return NULL;
}

static int kvm_works(const char *flavor, const char *variant)
{
	g_autofree char *path = build_path("accel.json");
	g_autofree char *id = host_boot_id();
	json_t *answer = kvm_cached(path, id);
	int works;

	if (!answer) {
		works = kvm_trial(flavor, variant);
		if (works < 0)
			return works;
		answer = json_pack("{s:s,s:b}", "host_boot", id, "kvm", works);
		json_write(path, answer);
	}
	works = json_is_true(json_object_get(answer, "kvm"));
	json_decref(answer);
	return works;
}

enum run_mode mode_resolve(enum run_mode mode, const char *flavor, const char *variant)
{
	g_autofree char *vmlinux = kernel_path(flavor, variant, "vmlinux");
	int works;

	if (mode != MODE_AUTO)
		return mode;
	if (access("/dev/kvm", R_OK | W_OK)) {
		pl_note("accelerator: /dev/kvm cannot be used, so counting instructions instead (mode icount)");
		return MODE_ICOUNT;
	}
	if (access(vmlinux, R_OK)) {
		pl_error(
			"mode auto needs a kernel to try KVM with: run `make kernel VARIANT=%s FLAVOR=%s` first, or give the spec another mode",
			variant, flavor);
		return MODE_AUTO;
	}
	works = kvm_works(flavor, variant);
	if (works < 0)
		return MODE_AUTO;
	if (works)
		pl_note("accelerator: a guest came up under KVM (mode kvm)");
	else
		pl_note("accelerator: no guest came up under KVM within %d s, so counting instructions instead (mode icount)",
			KVM_DEADLINE_S);
	return works ? MODE_KVM : MODE_ICOUNT;
}
