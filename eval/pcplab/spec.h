/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An experiment as the user wrote it, checked: names exist, figures are in range. */
#ifndef PCPLAB_SPEC_H
#define PCPLAB_SPEC_H

#include <stdint.h>
#include "util.h"
#include "../workloads.h"

#define SPEC_MAX_PARAM_NAMES 32

/* What a run is for: only one that measures nothing may have variants that are broken on purpose. */
enum spec_purpose { PURPOSE_MEASURE, PURPOSE_TEST };

enum run_mode { MODE_AUTO, MODE_ICOUNT, MODE_TCG, MODE_KVM };

/* param[i] belongs to spec_param_name(i); NULL when the spec does not give it. */
struct spec_workload {
	char *name;
	long *param[SPEC_MAX_PARAM_NAMES];
};

struct spec_boot {
	char *name;
	long cpus, memory_mb, nodes;
	long dimm_mb;		/* a module that the guest may have plugged; 0: none */
	char **cmdline;		/* words for the kernel, after the harness' own */
	unsigned int cmdline_count;
	struct spec_workload *workloads;
	unsigned int workloads_count;
};

/* A further column: a variant's kernel in a guest of another kind. */
struct spec_also {
	char *variant, *as;
	long nodes;
};

struct spec {
	char *question;
	enum spec_purpose purpose;
	char **variants;
	unsigned int variants_count;
	struct spec_also *also;
	unsigned int also_count;
	char *floor;		/* a variant that is no competitor; NULL: none */
	char *flavor;
	enum run_mode mode;
	struct spec_boot *boots;
	unsigned int boots_count;
	long runs;
	long *seed;		/* NULL: choose one */
	long deadline_s;	/* per boot, host seconds */
	long silence_s;		/* no output for so long: the guest hangs; host seconds */

	/* Not in the file: */
	char *name;		/* file's name without folder and .yaml */
	char *text;		/* the file, verbatim */
};

/**
 * spec_load() - read a spec and check all of it
 * @path: the YAML file
 *
 * An error names file and line, what is wrong, and what is allowed.
 *
 * Return: the spec, freed with spec_free(), or NULL (error printed).
 */
struct spec *spec_load(const char *path);

/**
 * spec_free() - free what spec_load() returned
 * @spec: the spec, may be NULL
 */
void spec_free(struct spec *spec);

/* One of the things that a run compares, or the floor below them. */
struct spec_column {
	const char *name;	/* in records and tables */
	const char *kernel;	/* variant whose kernel it boots */
	long nodes;		/* 0: as the boot says */
	bool floor;
};

/**
 * spec_columns() - how many columns a spec has
 * @s: a checked spec
 *
 * Return: the number of variants, of further columns, and of floors.
 */
unsigned int spec_columns(const struct spec *s);

/**
 * spec_column() - one of the columns
 * @s: a checked spec
 * @i: below spec_columns(); the variants come first, the floor last
 *
 * Return: the column; its strings belong to @s.
 */
struct spec_column spec_column(const struct spec *s, unsigned int i);

/**
 * spec_kernels() - the kernels that a spec needs
 * @s: a checked spec
 *
 * Return: a new array with the name of each once.
 */
json_t *spec_kernels(const struct spec *s);

/**
 * spec_takes_part() - is a workload of a boot measured under a column?
 * @c: the column
 * @b: the boot
 * @w: one of its workloads
 *
 * Return: true but for the floor, which leaves out exclusion only while a workload in the kernel has
 * the only CPU to itself.
 */
bool spec_takes_part(const struct spec_column *c, const struct spec_boot *b, const struct spec_workload *w);

/**
 * spec_find() - the file of a spec
 * @name: path of a file, or the name of one under eval/specs without ".yaml"
 *
 * Return: a new string with a path, which need not exist.
 */
char *spec_find(const char *name);

/**
 * spec_param() - a workload's parameter as given, or its default
 * @w: workload of a checked spec
 * @param: parameter of the same workload's table entry
 *
 * Return: the value.
 */
long spec_param(const struct spec_workload *w, const struct workload_param *param);

/**
 * spec_label() - the name of a workload's row in tables
 * @w: workload of a checked spec
 *
 * Return: a new string: the name, and the parameters that differ from their defaults.
 */
char *spec_label(const struct spec_workload *w);

/**
 * mode_name() - a mode as plans and records write it
 * @mode: the mode
 *
 * Return: static string.
 */
const char *mode_name(enum run_mode mode);

/**
 * names_in() - the sorted names of the folders, or of the files with a suffix, in a folder
 * @dir: the folder; one that is missing has none
 * @suffix: NULL for folders, else the files' suffix, which is cut off
 *
 * Return: a new NULL-terminated vector, freed with g_strfreev().
 */
char **names_in(const char *dir, const char *suffix);

/**
 * flavor_names() - the flavours that there are
 *
 * Return: a new NULL-terminated vector, without "base", which is only a part of the others.
 */
char **flavor_names(void);

/**
 * names_nearest() - the name that a mistyped one probably meant
 * @names: NULL-terminated vector
 * @wrong: the mistyped name
 *
 * Return: the nearest of @names, or NULL when none is near.
 */
const char *names_nearest(char **names, const char *wrong);

#endif
