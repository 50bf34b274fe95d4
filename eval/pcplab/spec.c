// SPDX-License-Identifier: GPL-2.0-or-later
/* Spec files: YAML into structs (libcyaml), then the checks that YAML cannot make. */
#include <stdio.h>
#include <string.h>
#include <cyaml/cyaml.h>
#include "spec.h"
#include "specmap.h"
#include "variant.h"

static const cyaml_strval_t mode_strings[] = {
	{ "auto", MODE_AUTO }, { "icount", MODE_ICOUNT }, { "tcg", MODE_TCG }, { "kvm", MODE_KVM },
};

static const cyaml_strval_t purpose_strings[] = {
	{ "measure", PURPOSE_MEASURE }, { "test", PURPOSE_TEST },
};

static const cyaml_schema_value_t name_schema = { CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1,
								     CYAML_UNLIMITED) };

/* Filled from the workload table, so that a new parameter there is a new key here. */
static cyaml_schema_field_t workload_fields[SPEC_MAX_PARAM_NAMES + 2] = {
	CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, struct spec_workload, name, 1,
			       CYAML_UNLIMITED),
};

static const cyaml_schema_value_t workload_schema = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct spec_workload, workload_fields),
};

static const cyaml_schema_field_t boot_fields[] = {
	CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, struct spec_boot, name, 1,
			       CYAML_UNLIMITED),
	CYAML_FIELD_INT("cpus", CYAML_FLAG_OPTIONAL, struct spec_boot, cpus),
	CYAML_FIELD_INT("memory_mb", CYAML_FLAG_OPTIONAL, struct spec_boot, memory_mb),
	CYAML_FIELD_INT("nodes", CYAML_FLAG_OPTIONAL, struct spec_boot, nodes),
	CYAML_FIELD_INT("dimm_mb", CYAML_FLAG_OPTIONAL, struct spec_boot, dimm_mb),
	CYAML_FIELD_SEQUENCE("cmdline", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct spec_boot, cmdline,
			     &name_schema, 1, CYAML_UNLIMITED),
	CYAML_FIELD_SEQUENCE("workloads", CYAML_FLAG_POINTER, struct spec_boot, workloads,
			     &workload_schema, 1, CYAML_UNLIMITED),
	CYAML_FIELD_END
};

static const cyaml_schema_value_t boot_schema = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct spec_boot, boot_fields),
};

static const cyaml_schema_field_t also_fields[] = {
	CYAML_FIELD_STRING_PTR("variant", CYAML_FLAG_POINTER, struct spec_also, variant, 1,
			       CYAML_UNLIMITED),
	CYAML_FIELD_STRING_PTR("as", CYAML_FLAG_POINTER, struct spec_also, as, 1, CYAML_UNLIMITED),
	CYAML_FIELD_INT("nodes", CYAML_FLAG_DEFAULT, struct spec_also, nodes),
	CYAML_FIELD_END
};

static const cyaml_schema_value_t also_schema = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct spec_also, also_fields),
};

static const cyaml_schema_field_t spec_fields[] = {
	CYAML_FIELD_STRING_PTR("question", CYAML_FLAG_POINTER, struct spec, question, 1,
			       CYAML_UNLIMITED),
	CYAML_FIELD_ENUM("purpose", CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT, struct spec, purpose,
			 purpose_strings, CYAML_ARRAY_LEN(purpose_strings)),
	CYAML_FIELD_SEQUENCE("variants", CYAML_FLAG_POINTER, struct spec, variants, &name_schema, 1,
			     CYAML_UNLIMITED),
	CYAML_FIELD_SEQUENCE("also", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct spec, also,
			     &also_schema, 1, CYAML_UNLIMITED),
	CYAML_FIELD_STRING_PTR("floor", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct spec, floor, 1,
			       CYAML_UNLIMITED),
	CYAML_FIELD_STRING_PTR("flavor", CYAML_FLAG_POINTER, struct spec, flavor, 1,
			       CYAML_UNLIMITED),
	CYAML_FIELD_ENUM("mode", CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT, struct spec, mode,
			 mode_strings, CYAML_ARRAY_LEN(mode_strings)),
	CYAML_FIELD_SEQUENCE("boots", CYAML_FLAG_POINTER, struct spec, boots, &boot_schema, 1,
			     CYAML_UNLIMITED),
	CYAML_FIELD_INT("runs", CYAML_FLAG_DEFAULT, struct spec, runs),
	CYAML_FIELD_INT_PTR("seed", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct spec, seed),
	CYAML_FIELD_INT("deadline_s", CYAML_FLAG_OPTIONAL, struct spec, deadline_s),
	CYAML_FIELD_INT("silence_s", CYAML_FLAG_OPTIONAL, struct spec, silence_s),
	CYAML_FIELD_END
};

static const cyaml_schema_value_t spec_schema = { CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER,
								      struct spec, spec_fields) };

static int param_index(const char *name)
{
	int i;

	for (i = 1; workload_fields[i].key; i++)
		if (!strcmp(workload_fields[i].key, name))
			return i - 1;
	return -1;
}

static void add_param(const char *name)
{
	int n = 1;

	if (param_index(name) >= 0)
		return;
	while (workload_fields[n].key)
		n++;
	g_assert(n <= SPEC_MAX_PARAM_NAMES);
	workload_fields[n] = (cyaml_schema_field_t) {
		.key = name,
		.value = {
			.type = CYAML_INT,
			.flags = CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL,
			.data_size = sizeof(long),
		},
		.data_offset = offsetof(struct spec_workload, param) + (n - 1) * sizeof(long *),
	};
}

static void fill_workload_fields(void)
{
	for (size_t i = 0; i < nr_workloads; i++)
		for (int p = 0; p < WORKLOAD_MAX_PARAMS && workloads[i].params[p].name; p++)
			add_param(workloads[i].params[p].name);
}

long spec_param(const struct spec_workload *w, const struct workload_param *param)
{
	int i = param_index(param->name);

	return i >= 0 && w->param[i] ? *w->param[i] : param->def;
}

char *spec_label(const struct spec_workload *w)
{
	const struct workload *table = workload_find(w->name);
	GString *s = g_string_new(w->name);
	char sep = ':';

	for (int i = 0; i < WORKLOAD_MAX_PARAMS && table->params[i].name; i++) {
		long v = spec_param(w, &table->params[i]);
		const char *word = workload_value_word(&table->params[i], v);

		if (v == table->params[i].def)
			continue;
		if (word)
			g_string_append_printf(s, "%c%s", sep, word);
		else
			g_string_append_printf(s, "%c%s=%ld", sep, table->params[i].name, v);
		sep = ',';
	}
	return g_string_free(s, FALSE);
}

const char *mode_name(enum run_mode mode)
{
	return mode_strings[mode].str;
}

unsigned int spec_columns(const struct spec *s)
{
	return s->variants_count + s->also_count + !!s->floor;
}

struct spec_column spec_column(const struct spec *s, unsigned int i)
{
	const struct spec_also *also;

	if (i < s->variants_count)
		return (struct spec_column){ .name = s->variants[i], .kernel = s->variants[i] };
	i -= s->variants_count;
	if (i == s->also_count)
		return (struct spec_column){ .name = s->floor, .kernel = s->floor, .floor = true };
	also = &s->also[i];
	return (struct spec_column){ .name = also->as, .kernel = also->variant, .nodes = also->nodes };
}

json_t *spec_kernels(const struct spec *s)
{
	json_t *list = json_array();

	for (unsigned int i = 0; i < spec_columns(s); i++)
		names_add(list, spec_column(s, i).kernel);
	return list;
}

bool spec_takes_part(const struct spec_column *c, const struct spec_boot *b, const struct spec_workload *w)
{
	return !c->floor || (b->cpus == 1 && (workload_find(w->name)->flags & WORKLOAD_KERNEL));
}

char *spec_find(const char *name)
{
	if (strchr(name, '/') || g_str_has_suffix(name, ".yaml"))
		return g_strdup(name);
	return root_path("eval/specs/%s.yaml", name);
}

/* What a check knows: the spec, where it came from, and the lines of its parts. */
struct check {
	struct spec *spec;
	const char *path;
	GHashTable *map;
};

static bool check_name(struct check *c, int line, const char *what, const char *name, char **names)
{
	g_autofree char *all = g_strjoinv(", ", names);
	const char *near;

	if (g_strv_contains((const char *const *)names, name))
		return true;
	near = names_nearest(names, name);
	pl_error("%s:%d: unknown %s '%s'%s%s%s; there are: %s", c->path, line, what, name,
		 near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "",
		 *all ? all : "none");
	return false;
}

static bool check_range(struct check *c, int line, const char *what, long v, long min, long max)
{
	if (v >= min && v <= max)
		return true;
	pl_error("%s:%d: %s is %ld; allowed are %ld to %ld", c->path, line, what, v, min, max);
	return false;
}

/* All parts of a variant that is composed exist, and each is there once. */
static bool check_parts(struct check *c, int line, const char *variant)
{
	g_autofree char *dir = root_path("variants");
	g_auto(GStrv) names = names_in(dir, NULL), parts = g_strsplit(variant, "+", -1);

	for (char **p = parts; *p; p++) {
		if (!check_name(c, line, "variant", *p, names))
			return false;
		for (char **q = parts; q < p; q++)
			if (!strcmp(*p, *q)) {
				pl_error("%s:%d: variant '%s' has the part '%s' twice; keep one",
					 c->path, line, variant, *p);
				return false;
			}
	}
	return true;
}

/* What is broken on purpose has no figures: it would be slow or fast for no reason that matters. */
static bool check_broken(struct check *c, int line, const char *variant)
{
	static const char *const measuring[] = { "perf", "trace", NULL };
	const struct spec *s = c->spec;

	if (variant_kind(variant) != VARIANT_BROKEN ||
	    (s->purpose == PURPOSE_TEST && !g_strv_contains(measuring, s->flavor)))
		return true;
	pl_error("%s:%d: variant '%s' is for tests only (%s=y), and its figures mean nothing; "
		 "it needs 'purpose: test' and another flavour than perf and trace", c->path, line, variant,
		 variant_option(variant));
	return false;
}

/* A measuring aid without exclusion would win every comparison, and is wrong with two CPUs. */
static bool check_bare(struct check *c, int line, const char *variant)
{
	const char *option = variant_option(variant);

	if (c->spec->purpose == PURPOSE_TEST || !option || strcmp(option, "CONFIG_PCP_NONE"))
		return true;
	pl_error("%s:%d: variant '%s' has no exclusion (%s=y) and competes with nothing; give it as 'floor: %s'",
		 c->path, line, variant, option, variant);
	return false;
}

static bool check_unlike(struct check *c, int line, unsigned int i)
{
	const char *name = spec_column(c->spec, i).name;

	for (unsigned int j = 0; j < i; j++)
		if (!strcmp(name, spec_column(c->spec, j).name)) {
			pl_error("%s:%d: variant '%s' is listed twice; keep one", c->path, line, name);
			return false;
		}
	return true;
}

static bool check_variants(struct check *c)
{
	for (unsigned int i = 0; i < c->spec->variants_count; i++) {
		const char *name = c->spec->variants[i];
		int line = specmap_line(c->map, "variants[%u]", i);

		if (!check_parts(c, line, name) || !check_broken(c, line, name) ||
		    !check_bare(c, line, name) || !check_unlike(c, line, i))
			return false;
	}
	return true;
}

/* Guests of another kind must be possible for every boot. */
static bool check_spread(struct check *c, int line, const struct spec_also *a)
{
	for (unsigned int i = 0; i < c->spec->boots_count; i++) {
		const struct spec_boot *b = &c->spec->boots[i];

		if (b->cpus % a->nodes || b->memory_mb % a->nodes) {
			pl_error("%s:%d: '%s' has %ld nodes, and the cpus (%ld) and memory_mb (%ld) of boot '%s' do not divide evenly among them",
				 c->path, line, a->as, a->nodes, b->cpus, b->memory_mb, b->name);
			return false;
		}
	}
	return true;
}

static bool check_also(struct check *c, unsigned int i)
{
	const struct spec_also *a = &c->spec->also[i];
	g_autofree char *folder = root_path("variants/%s", a->as);
	int line = specmap_line(c->map, "also[%u]", i);

	if (!check_parts(c, line, a->variant) || !check_broken(c, line, a->variant) ||
	    !check_bare(c, line, a->variant) ||
	    !check_range(c, specmap_line(c->map, "also[%u].nodes", i), "nodes", a->nodes, 1, 8) ||
	    !check_unlike(c, line, c->spec->variants_count + i))
		return false;
	if (g_regex_match_simple("^[a-z0-9][a-z0-9_+-]{0,39}$", a->as, 0, 0) &&
	    !g_file_test(folder, G_FILE_TEST_IS_DIR))
		return check_spread(c, line, a);
	pl_error("%s:%d: '%s' cannot name a column: it must be 1 to 40 of a-z 0-9 _ + -, and no variant's name",
		 c->path, line, a->as);
	return false;
}

static bool check_floor(struct check *c)
{
	const struct spec *s = c->spec;
	unsigned int last = spec_columns(s) - 1;
	struct spec_column floor = spec_column(s, last);
	int line = specmap_line(c->map, "floor");

	if (!s->floor)
		return true;
	if (!check_parts(c, line, s->floor) || !check_broken(c, line, s->floor) || !check_unlike(c, line, last))
		return false;
	for (unsigned int i = 0; i < s->boots_count; i++)
		for (unsigned int k = 0; k < s->boots[i].workloads_count; k++)
			if (spec_takes_part(&floor, &s->boots[i], &s->boots[i].workloads[k]))
				return true;
	pl_error("%s:%d: the floor '%s' is measured in boots with cpus: 1 and workloads that run in the kernel (pairs, burst, bulk), and the spec has none",
		 c->path, line, s->floor);
	return false;
}

static bool check_flavor(struct check *c)
{
	g_auto(GStrv) names = flavor_names();

	return check_name(c, specmap_line(c->map, "flavor"), "flavour", c->spec->flavor, names);
}

/* A parameter that the workload does not have, though another has one of that name. */
static bool check_params(struct check *c, const struct spec_workload *w,
			 const struct workload *table, const char *at)
{
	for (int i = 0; workload_fields[i + 1].key; i++) {
		const char *name = workload_fields[i + 1].key;
		int p = workload_param_find(table, name);
		int line = specmap_line(c->map, "%s.%s", at, name);
		g_autoptr(GString) all = g_string_new(NULL);

		if (!w->param[i])
			continue;
		if (p >= 0) {
			if (!check_range(c, line, name, *w->param[i], table->params[p].min,
					 table->params[p].max))
				return false;
			continue;
		}
		for (int k = 0; k < WORKLOAD_MAX_PARAMS && table->params[k].name; k++)
			g_string_append_printf(all, " %s", table->params[k].name);
		pl_error("%s:%d: workload '%s' has no parameter '%s'; it has:%s", c->path, line,
			 w->name, name, all->str);
		return false;
	}
	return true;
}

static bool check_place(struct check *c, const struct spec_boot *b, unsigned int i,
			const struct workload *table, int line)
{
	bool slow_clock = c->spec->mode == MODE_ICOUNT || c->spec->mode == MODE_AUTO;

	if (b->cpus < (long)table->min_cpus) {
		pl_error("%s:%d: workload '%s' needs at least %u cpus; boot '%s' has %ld", c->path,
			 line, table->name, table->min_cpus, b->name, b->cpus);
		return false;
	}
	if ((table->flags & WORKLOAD_SOLO) && i + 1 < b->workloads_count) {
		pl_error(
			"%s:%d: workload '%s' disturbs what follows it: put it last in boot '%s', or in a boot of its own",
			c->path, line, table->name, b->name);
		return false;
	}
	if ((table->flags & WORKLOAD_LATENCY) && slow_clock && b->cpus != 1) {
		pl_error(
			"%s:%d: workload '%s' measures time, which is true under icount with one cpu only: set cpus: 1 in boot '%s', or mode: kvm",
			c->path, line, table->name, b->name);
		return false;
	}
	return true;
}

static bool check_workloads(struct check *c, unsigned int nr, GHashTable *labels)
{
	const struct spec_boot *b = &c->spec->boots[nr];
	g_auto(GStrv) names = g_new0(char *, nr_workloads + 1);

	for (size_t i = 0; i < nr_workloads; i++)
		names[i] = g_strdup(workloads[i].name);
	for (unsigned int i = 0; i < b->workloads_count; i++) {
		const struct spec_workload *w = &b->workloads[i];
		g_autofree char *at = g_strdup_printf("boots[%u].workloads[%u]", nr, i);
		int line = specmap_line(c->map, "%s.name", at);
		char *label;

		if (!check_name(c, line, "workload", w->name, names) ||
		    !check_params(c, w, workload_find(w->name), at) ||
		    !check_place(c, b, i, workload_find(w->name), line))
			return false;
		label = spec_label(w);
		if (!g_hash_table_add(labels, label)) {
			pl_error(
				"%s:%d: workload '%s' is in this spec twice with the same parameters; change one or take it out",
				c->path, line, label);
			return false;
		}
	}
	return true;
}

/* Words for the kernel go between the harness' own and "--", where the guest's begin. */
static bool check_cmdline(struct check *c, unsigned int nr)
{
	const struct spec_boot *b = &c->spec->boots[nr];

	for (unsigned int i = 0; i < b->cmdline_count; i++) {
		const char *word = b->cmdline[i];
		int line = specmap_line(c->map, "boots[%u].cmdline[%u]", nr, i);

		if (!g_regex_match_simple("^[A-Za-z0-9_][!-~]*$", word, 0, 0) || strpbrk(word, "\"'\\")) {
			pl_error("%s:%d: cmdline: '%s' must be one word without quotes that begins with a letter or digit, as cma=64M",
				 c->path, line, word);
			return false;
		}
		if (g_regex_match_simple("^(console|loglevel|panic|init|rdinit|lpj|quiet)(=|$)", word, 0, 0)) {
			pl_error("%s:%d: cmdline: '%s' is the harness' own business; take it out", c->path,
				 line, word);
			return false;
		}
	}
	return true;
}

/* The guest can plug whole memory blocks only. */
#define BLOCK_MB 128

static bool check_dimm(struct check *c, unsigned int i)
{
	long mb = c->spec->boots[i].dimm_mb;

	if (mb >= 0 && mb <= 4096 && !(mb % BLOCK_MB))
		return true;
	pl_error("%s:%d: dimm_mb is %ld; allowed are multiples of %d up to 4096, the guest's memory blocks",
		 c->path, specmap_line(c->map, "boots[%u].dimm_mb", i), mb, BLOCK_MB);
	return false;
}

static bool check_boot(struct check *c, unsigned int i)
{
	struct spec_boot *b = &c->spec->boots[i];
	int line = specmap_line(c->map, "boots[%u].name", i);

	if (!g_regex_match_simple("^[a-z0-9_-]{1,32}$", b->name, 0, 0)) {
		pl_error("%s:%d: boot name '%s' must be 1 to 32 of a-z 0-9 _ -", c->path, line,
			 b->name);
		return false;
	}
	for (unsigned int j = 0; j < i; j++)
		if (!strcmp(b->name, c->spec->boots[j].name)) {
			pl_error("%s:%d: two boots are named '%s'; rename one", c->path, line,
				 b->name);
			return false;
		}
	if (!check_range(c, specmap_line(c->map, "boots[%u].cpus", i), "cpus", b->cpus, 1, 64) ||
	    !check_range(c, specmap_line(c->map, "boots[%u].memory_mb", i), "memory_mb",
			 b->memory_mb, 256, 1 << 20) ||
	    !check_range(c, specmap_line(c->map, "boots[%u].nodes", i), "nodes", b->nodes, 1, 8))
		return false;
	if (b->cpus % b->nodes || b->memory_mb % b->nodes) {
		pl_error("%s:%d: cpus (%ld) and memory_mb (%ld) must divide evenly among %ld nodes",
			 c->path, specmap_line(c->map, "boots[%u].nodes", i), b->cpus, b->memory_mb,
			 b->nodes);
		return false;
	}
	return check_dimm(c, i) && check_cmdline(c, i);
}

static void fill_defaults(struct spec *s)
{
	if (!s->deadline_s)
		s->deadline_s = 300;
	if (!s->silence_s)
		s->silence_s = 120;
	for (unsigned int i = 0; i < s->boots_count; i++) {
		struct spec_boot *b = &s->boots[i];

		b->cpus = b->cpus ? b->cpus : 1;
		b->memory_mb = b->memory_mb ? b->memory_mb : 1024;
		b->nodes = b->nodes ? b->nodes : 1;
	}
}

static bool check_spec(struct check *c)
{
	g_autoptr(GHashTable) labels = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	struct spec *s = c->spec;

	if (!check_flavor(c) || !check_variants(c) ||
	    !check_range(c, specmap_line(c->map, "runs"), "runs", s->runs, 1, 1000) ||
	    !check_range(c, specmap_line(c->map, "deadline_s"), "deadline_s", s->deadline_s, 1,
			 86400) ||
	    !check_range(c, specmap_line(c->map, "silence_s"), "silence_s", s->silence_s, 1,
			 86400) ||
	    (s->seed &&
	     !check_range(c, specmap_line(c->map, "seed"), "seed", *s->seed, 0, 1L << 53)))
		return false;
	for (unsigned int i = 0; i < s->boots_count; i++)
		if (!check_boot(c, i) || !check_workloads(c, i, labels))
			return false;
	for (unsigned int i = 0; i < s->also_count; i++)
		if (!check_also(c, i))
			return false;
	return check_floor(c);
}

/* libcyaml reports in several lines; the first names the fault, a later one the place. */
static void collect_log(cyaml_log_t level, void *ctx, const char *fmt, va_list args)
{
	GString *s = ctx;

	if (level >= CYAML_LOG_ERROR)
		g_string_append_vprintf(s, fmt, args);
}

static void report_cyaml(const char *path, cyaml_err_t e, GString *log)
{
	char *first = log->str, *nl = strchr(first, '\n');
	char *at = strstr(first, "line: ");
	int line = 1;

	if (at)
		line = g_ascii_strtoll(at + 6, NULL, 10);
	if (nl)
		*nl = '\0';
	if (g_str_has_prefix(first, "Load: "))
		first += 6;
	pl_error("%s:%d: %s (%s); see eval/specs/quick.yaml for a spec that is right", path, line,
		 first, cyaml_strerror(e));
}

static struct spec *load_structs(const char *path, const char *text)
{
	g_autoptr(GString) log = g_string_new(NULL);
	cyaml_config_t config = { .log_fn = collect_log, .log_ctx = log, .mem_fn = cyaml_mem,
				  .log_level = CYAML_LOG_ERROR };
	struct spec *s = NULL;
	cyaml_err_t e;

	e = cyaml_load_data((const uint8_t *)text, strlen(text), &config, &spec_schema,
			    (cyaml_data_t **)&s, NULL);
	if (e == CYAML_OK)
		return s;
	report_cyaml(path, e, log);
	return NULL;
}

struct spec *spec_load(const char *path)
{
	g_autofree char *text = file_read(path, NULL);
	g_autoptr(GHashTable) map = NULL;
	struct check c = { .path = path };
	char *base;

	if (!text)
		return NULL;
	fill_workload_fields();
	c.map = map = specmap_new(path, text, &spec_schema);
	if (!map)
		return NULL;
	c.spec = load_structs(path, text);
	if (!c.spec)
		return NULL;
	fill_defaults(c.spec);
	base = g_path_get_basename(path);
	if (g_str_has_suffix(base, ".yaml"))
		base[strlen(base) - 5] = '\0';
	c.spec->name = base;
	c.spec->text = g_steal_pointer(&text);
	if (check_spec(&c))
		return c.spec;
	spec_free(c.spec);
	return NULL;
}

void spec_free(struct spec *spec)
{
	cyaml_config_t config = { .log_fn = cyaml_log,
				  .mem_fn = cyaml_mem,
				  .log_level = CYAML_LOG_ERROR };

	if (!spec)
		return;
	g_free(spec->name);
	g_free(spec->text);
	cyaml_free(&config, &spec_schema, spec, 0);
}
