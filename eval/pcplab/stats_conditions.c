// SPDX-License-Identifier: GPL-2.0-or-later
/* Collects under which conditions the records were taken, and where variants differ in them. */
#include <string.h>
#include "stats.h"
#include "util.h"

static const struct {
	const char *key, *title;
	bool env;		/* a member of "env", not of the record */
} facts[] = {
	{ "base", "Kernel source", true }, { "release", "Kernel release", true }, { "config_sha256", "Kernel config", true },
	{ "flavor", "Flavour", false }, { "compiler", "Compiler", true }, { "qemu", "QEMU", true },
	{ "host_cpu", "Host CPU", true }, { "accel", "Accelerator", false }, { "clock", "Clock", false },
	{ "cpus", "Virtual CPUs", false }, { "mem_mb", "Memory, MB", false }, { "nodes", "NUMA nodes", false },
	{ "cmdline", "Kernel arguments", false }, { "commit", "pcplab commit", true },
};

static json_t *scalar_text(const char *key, const json_t *v)
{
	/* Nothing is what most boots give the kernel. */
	if (!v && !strcmp(key, "cmdline"))
		return json_string("none of the spec's");
	if (json_is_string(v))
		return json_string(json_string_value(v));
	if (json_is_integer(v))
		return json_sprintf("%lld", (long long)json_integer_value(v));
	return json_string("not recorded");
}

/* Adds a value with the variant it was seen in to a list of {"value","variants"}; returns its entry. */
static json_t *add_value(json_t *values, json_t *value, const char *variant)
{
	json_t *o, *names;
	size_t i;

	json_array_foreach(values, i, o) {
		if (json_equal(json_object_get(o, "value"), value)) {
			names_add(json_object_get(o, "variants"), variant);
			return o;
		}
	}
	names = json_array();
	json_array_append_new(names, json_string(variant));
	o = json_pack("{s:O,s:o}", "value", value, "variants", names);
	json_array_append_new(values, o);
	return o;
}

/* All whose records there are: the floor, which is no variant of the comparison, comes last. */
static json_t *columns_of(const struct run_data *d)
{
	json_t *names = json_copy(d->variants);

	if (d->floor)
		json_array_append_new(names, json_string(d->floor));
	return names;
}

/* In the order of the variants, so that two reports of one run read alike whatever the order of boots. */
static json_t *values_of(const struct run_data *d, const char *key, bool env)
{
	json_t *values = json_array(), *names = columns_of(d);
	const json_t *name, *r;
	size_t i, k;

	json_array_foreach(names, i, name) {
		json_array_foreach(d->records, k, r) {
			const json_t *from = env ? json_object_get(r, "env") : r;
			json_t *value;

			if (strcmp(j_str(r, "variant"), json_string_value(name)))
				continue;
			value = scalar_text(key, json_object_get(from, key));
			add_value(values, value, json_string_value(name));
			json_decref(value);
		}
	}
	json_decref(names);
	return values;
}

/* Few runs give the kernel arguments of their own; the others need not say so. */
static bool any_has(const struct run_data *d, const char *key)
{
	const json_t *r;
	size_t i;

	json_array_foreach(d->records, i, r)
		if (json_object_get(r, key))
			return true;
	return false;
}

static json_t *facts_json(const struct run_data *d)
{
	json_t *list = json_array();

	for (size_t i = 0; i < G_N_ELEMENTS(facts); i++)
		if (strcmp(facts[i].key, "cmdline") || any_has(d, "cmdline"))
			json_array_append_new(list, json_pack("{s:s,s:s,s:o}", "key", facts[i].key, "title", facts[i].title, "values",
						      values_of(d, facts[i].key, facts[i].env)));
	return list;
}

/* What "high" was at the start varies from boot to boot: a range says it. */
static void widen(json_t *entry, const json_t *high)
{
	if (!json_is_integer(high))
		return;
	if (!json_object_get(entry, "least") || json_integer_value(high) < j_int(entry, "least"))
		json_object_set(entry, "least", (json_t *)high);
	if (!json_object_get(entry, "most") || json_integer_value(high) > j_int(entry, "most"))
		json_object_set(entry, "most", (json_t *)high);
}

/* Zones depend on the guest's memory and CPUs too: name them with them. */
static void add_zone(json_t *values, const json_t *r, const json_t *z)
{
	static const char *const keys[] = { "node", "zone", "batch", "high_min", "high_max" };
	json_t *zone = json_object();

	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
		json_object_set(zone, keys[i], json_object_get(z, keys[i]));
	json_object_set(zone, "mem_mb", json_object_get(r, "mem_mb"));
	json_object_set(zone, "cpus", json_object_get(r, "cpus"));
	widen(add_value(values, zone, j_str(r, "variant")), json_object_get(z, "high"));
	json_decref(zone);
}

static json_t *zones_json(const struct run_data *d)
{
	json_t *values = json_array(), *names = columns_of(d);
	const json_t *name, *r, *z;
	size_t v, i, k;

	json_array_foreach(names, v, name)
		json_array_foreach(d->records, i, r)
			json_array_foreach(json_object_get(r, "zones"), k, z)
				if (!strcmp(j_str(r, "variant"), json_string_value(name)))
					add_zone(values, r, z);
	json_decref(names);
	return values;
}

static json_t *vm_values(const struct run_data *d, const char *key)
{
	json_t *values = json_array();
	const json_t *r;
	size_t i;

	json_array_foreach(d->records, i, r) {
		json_t *value = scalar_text(key, json_object_get(json_object_get(r, "vm"), key));

		add_value(values, value, j_str(r, "variant"));
		json_decref(value);
	}
	return values;
}

/* Only where two records differ: what is equal everywhere explains no difference. */
static json_t *vm_json(const struct run_data *d)
{
	json_t *list = json_array(), *keys = json_object();
	const char *key;
	json_t *r, *ignored;
	size_t i;

	json_array_foreach(d->records, i, r)
		json_object_update_missing(keys, json_object_get(r, "vm"));
	json_object_foreach(keys, key, ignored) {
		json_t *values = vm_values(d, key);

		if (json_array_size(values) > 1)
			json_array_append_new(list, json_pack("{s:s,s:O}", "key", key, "values", values));
		json_decref(values);
	}
	json_decref(keys);
	return list;
}

static json_t *numbers_json(const struct run_data *d, const char *key)
{
	json_t *list = json_array();
	const json_t *r, *seen;
	size_t i, k;

	json_array_foreach(d->records, i, r) {
		json_t *v = json_object_get(r, key);
		bool known = false;

		json_array_foreach(list, k, seen)
			known |= json_equal(seen, v);
		if (!known && json_is_integer(v))
			json_array_append(list, v);
	}
	return list;
}

json_t *conditions_json(const struct run_data *d)
{
	return json_pack("{s:o,s:o,s:o,s:o,s:o}", "facts", facts_json(d), "zones", zones_json(d), "vm", vm_json(d),
			 "seeds", numbers_json(d, "seed"), "runs", numbers_json(d, "run"));
}
