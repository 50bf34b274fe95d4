// SPDX-License-Identifier: GPL-2.0-or-later
/* From what a boot left behind to its records. */
#include <stdio.h>
#include <string.h>
#include "clock.h"
#include "dist.h"
#include "foreign.h"
#include "record.h"
#include "util.h"

/* The guest's lines, sorted by workload, and the plugin's regions. */
struct parsed {
	json_t *start;
	json_t *results;	/* array by index; null where there is none */
	json_t *texts;		/* array by index of the verbatim text */
	json_t *regions;	/* object by region's number */
	json_t *warnings;	/* the plugin's */
	bool end;
	char *garbage;		/* what could not be understood first, or NULL */
};

static const char *const counters[][2] = {
	{ "insns", "insn_per_op" }, { "locked", "locked_per_op" }, { "xchg128", "xchg128_per_op" },
	{ "cli", "cli_per_op" }, { "sti", "sti_per_op" }, { "stores", "stores_per_op" },
	{ "rep_iters", "rep_iters_per_op" },
};

static const char *const counter_units[] = {
	"insn", "locked op", "xchg128", "cli", "sti", "store", "iteration",
};

static const char *const sections[] = { "all", "spill", "refill", "decay", "drain", "other" };

static void garbage(struct parsed *p, const char *what, const char *line)
{
	if (!p->garbage)
		p->garbage = g_strdup_printf("%s: %.120s", what, line);
}

static void take_guest_line(struct parsed *p, json_t *o, const char *line)
{
	const char *type = j_str(o, "type");
	json_int_t i = j_int(o, "index");
	bool indexed = json_is_integer(json_object_get(o, "index")) && i >= 0 &&
		       (size_t)i < json_array_size(p->results);

	if (!strcmp(type, "start") && !p->start)
		p->start = json_incref(o);
	else if (!strcmp(type, "end") && !p->end)
		p->end = true;
	else if (!strcmp(type, "result") && indexed && json_is_null(json_array_get(p->results, i)))
		json_array_set(p->results, i, o);
	else if (!strcmp(type, "text") && indexed)
		json_array_set(p->texts, i, json_object_get(o, "data"));
	else if (!strcmp(type, "ask") || !strcmp(type, "progress"))
		return; /* was for the host at the time, see monitor.c */
	else
		garbage(p, "unexpected line on the record port", line);
}

static void take_meter_line(struct parsed *p, json_t *o, const char *line)
{
	const char *type = j_str(o, "type");
	char key[24];

	snprintf(key, sizeof(key), "%lld", j_int(o, "region"));
	if (!strcmp(type, "region") && !json_object_get(p->regions, key))
		json_object_set(p->regions, key, o);
	else if (!strcmp(type, "end"))
		json_object_set(p->warnings, "plugin", json_object_get(o, "warnings"));
	else
		garbage(p, "unexpected line from the plugin", line);
}

/* A last line without its newline was cut off when the guest died; it is no garbage. */
static void each_line(struct parsed *p, const char *text,
		      void (*take)(struct parsed *, json_t *, const char *))
{
	const char *nl;

	for (; (nl = strchr(text, '\n')); text = nl + 1) {
		g_autofree char *line = g_strchomp(g_strndup(text, nl - text));
		json_t *o;

		if (!*line)
			continue;
		o = json_loads(line, 0, NULL);
		if (o)
			take(p, o, line);
		else
			garbage(p, "not JSON", line);
		json_decref(o);
	}
}

static void parse(struct parsed *p, const struct boot_result *b)
{
	*p = (struct parsed){ .results = json_array(),
			      .texts = json_array(),
			      .regions = json_object(),
			      .warnings = json_object() };
	for (size_t i = 0; i < json_array_size(json_object_get(b->plan, "workloads")); i++) {
		json_array_append_new(p->results, json_null());
		json_array_append_new(p->texts, json_null());
	}
	each_line(p, b->records, take_guest_line);
	if (b->meters)
		each_line(p, b->meters, take_meter_line);
}

static void parsed_free(struct parsed *p)
{
	json_decref(p->start);
	json_decref(p->results);
	json_decref(p->texts);
	json_decref(p->regions);
	json_decref(p->warnings);
	g_free(p->garbage);
}

/* One workload's metrics while they are collected. */
struct metrics {
	const json_t *plan;
	json_t *list;
	double ops;
	const char *fault;	/* why the figures cannot be used, or NULL */
	json_t *facts;		/* read from a tool's output */
	const char *status;	/* fail or skip, when the tool's output says so; or NULL */
	char *reason;		/* why */
};

static void add_metric(struct metrics *m, const char *name, const char *unit, json_t *values)
{
	const char *mode = j_str(m->plan, "mode");

	if (clock_allows(name, mode, j_int(m->plan, "cpus"))) {
		json_object_set_new(values, "metric", json_string(name));
		json_object_set_new(values, "unit", json_string(unit));
		json_array_append(m->list, values);
	}
	json_decref(values);
}

static double sum_counter(const json_t *regions, const char *counter)
{
	const json_t *region, *vcpu;
	double sum = 0;
	size_t i, k;

	json_array_foreach(regions, i, region)
		json_array_foreach(json_object_get(region, "vcpus"), k, vcpu)
			sum += j_num(vcpu, counter);
	return sum;
}

static void add_sections(struct metrics *m, const json_t *regions, const char *section)
{
	g_autofree char *name = g_strdup_printf("irqoff_insn%s%s",
						strcmp(section, "all") ? "." : "",
						strcmp(section, "all") ? section : "");
	const json_t *region, *vcpu;
	struct dist d;
	size_t i, k;
	json_t *o;

	dist_init(&d);
	json_array_foreach(regions, i, region)
		json_array_foreach(json_object_get(region, "vcpus"), k, vcpu)
			if (dist_add(&d, json_object_get(json_object_get(vcpu, "irqoff"), section)))
				m->fault = "the plugin's irqoff is not a distribution";
	o = dist_json(&d);
	if (j_num(o, "n") > 0)
		add_metric(m, name, "insn", o);
	else
		json_decref(o);
}

/* The regions of one result; NULL (and a fault) when the plugin did not report them all. */
static json_t *regions_of(struct metrics *m, const struct parsed *p, const json_t *result)
{
	json_t *found = json_array();
	const json_t *nr;
	size_t i;

	json_array_foreach(json_object_get(result, "regions"), i, nr) {
		char key[24];
		json_t *region;

		snprintf(key, sizeof(key), "%lld", (long long)json_integer_value(nr));
		region = json_object_get(p->regions, key);
		if (!region) {
			m->fault = "the plugin did not report one of the workload's regions";
			json_decref(found);
			return NULL;
		}
		json_array_append(found, region);
	}
	return found;
}

static void add_counts(struct metrics *m, const struct parsed *p, const json_t *result)
{
	json_t *regions = regions_of(m, p, result);

	for (size_t i = 0; m->ops > 0 && json_array_size(regions) && i < G_N_ELEMENTS(counters);
	     i++)
		add_metric(m, counters[i][1], counter_units[i],
			   json_pack("{s:f}", "value",
				     sum_counter(regions, counters[i][0]) / m->ops));
	for (size_t i = 0; json_array_size(regions) && i < G_N_ELEMENTS(sections); i++)
		add_sections(m, regions, sections[i]);
	json_decref(regions);
}

/* A suite of which nothing could run is skipped; one in which anything failed has failed. */
static void add_ktap(struct metrics *m, const char *text)
{
	struct ktap k;

	if (ktap_parse(text, &k)) {
		m->fault = "cannot read KUnit's report";
		return;
	}
	m->ops = k.passed;
	m->facts = json_pack("{s:I, s:I, s:I}", "passed", (json_int_t)k.passed, "failed",
			     (json_int_t)k.failed, "skipped", (json_int_t)k.skipped);
	if (k.failed)
		m->status = "fail";
	else if (!k.passed)
		m->status = "skip";
	if (m->status)
		m->reason = g_strdup(k.failed ? k.first_failed : k.first_skipped);
	ktap_clear(&k);
}

static void add_foreign(struct metrics *m, const char *workload, const char *text)
{
	if (!strcmp(workload, "cyclictest")) {
		json_t *d = cyclictest_parse(text);

		if (d)
			add_metric(m, "cyclictest_us", "us", d);
		else
			m->fault = "cannot read cyclictest's output";
	} else if (!strcmp(workload, "stressvm")) {
		m->ops = stressng_parse(text, "vm");
		if (m->ops < 0)
			m->fault = "cannot read stress-ng's output";
	} else if (!strcmp(workload, "kunit")) {
		add_ktap(m, text);
	}
}

static bool needs_text(const char *workload)
{
	return !strcmp(workload, "cyclictest") || !strcmp(workload, "stressvm") ||
	       !strcmp(workload, "kunit");
}

static void collect(struct metrics *m, const struct boot_result *b, const struct parsed *p,
		    size_t i, const char *workload)
{
	const json_t *result = json_array_get(p->results, i);
	const char *text = json_string_value(json_array_get(p->texts, i));

	m->ops = j_num(result, "ops");
	if (text)
		add_foreign(m, workload, text);
	else if (needs_text(workload))
		m->fault = "the guest did not send the tool's output";
	if (b->meters)
		add_counts(m, p, result);
	if (m->ops > 0 && j_num(result, "ns") > 0)
		add_metric(m, "ops_per_s", "op/s",
			   json_pack("{s:f}", "value", m->ops / j_num(result, "ns") * 1e9));
}

static bool kernel_trouble(const char *status)
{
	static const char *const names[] = { "panic", "oops", "stall", "warn", NULL };

	return g_strv_contains(names, status);
}

/* A reason may quote any bytes, and JSON takes text only; nor should it steer a terminal. */
static void set_status(json_t *record, const char *status, const char *reason)
{
	g_autofree char *text = reason ? g_strescape(reason, "\"\\") : NULL;

	json_object_set_new(record, "status", json_string(status));
	json_object_set_new(record, "reason", text && *text ? json_string(text) : json_null());
}

/* A guest's word for how it went; one that nobody knows, or that gives no reason, is garbage. */
static void set_guests_status(json_t *record, const json_t *result)
{
	static const char *const words[] = { "fail", "skip", "known", NULL };
	const char *status = j_str(result, "status"), *reason = j_str(result, "reason");
	g_autofree char *bad = g_strdup_printf("a result with status '%.20s'%s", status,
					       *reason ? "" : " and no reason");

	if (g_strv_contains(words, status) && *reason)
		set_status(record, status, reason);
	else
		set_status(record, "garbage", bad);
}

/* What a workload found out stands only if its boot went on to a good end. */
static bool found_out(const json_t *result)
{
	return !strcmp(j_str(result, "status"), "ok") || !strcmp(j_str(result, "status"), "known");
}

/* Also when the design did what it is known to do. */
static bool ended_well(const char *status)
{
	return !strcmp(status, "ok") || !strcmp(status, "known");
}

static void judge(json_t *record, const struct boot_result *b, const struct parsed *p, size_t i,
		  struct metrics *m)
{
	const json_t *result = json_array_get(p->results, i);
	bool last = i + 1 == json_array_size(p->results);

	if (kernel_trouble(b->status))
		set_status(record, b->status, b->reason);
	else if (p->garbage)
		set_status(record, "garbage", p->garbage);
	else if (json_is_null(result) && !ended_well(b->status))
		set_status(record, b->status, b->reason);
	else if (json_is_null(result))
		set_status(record, "exit", "the guest ended without a result of this workload");
	else if (!found_out(result))
		set_guests_status(record, result);
	else if (m->fault)
		set_status(record, "garbage", m->fault);
	else if (m->status)
		set_status(record, m->status, m->reason);
	else if (last && !ended_well(b->status))
		set_status(record, b->status, b->reason);
	else if (last && !p->end)
		set_status(record, "exit", "the guest ended without its end line");
	else if (strcmp(j_str(result, "status"), "ok"))
		set_guests_status(record, result);
	else if (!strcmp(b->status, "known"))
		set_status(record, b->status, b->reason);
	else
		set_status(record, "ok", NULL);
}

static json_t *record_base(const struct boot_result *b, const struct parsed *p, size_t i)
{
	static const char *const copied[] = { "boot", "run",  "seed",	"variant", "flavor",
					      "mode", "cpus", "mem_mb", "nodes",   "cell", "dimm_mb",
					      "kernel", "cmdline" };
	const json_t *w = json_array_get(json_object_get(b->plan, "workloads"), i);
	const char *mode = j_str(b->plan, "mode");
	json_t *r = json_object();

	for (size_t k = 0; k < G_N_ELEMENTS(copied); k++)
		json_object_set(r, copied[k], json_object_get(b->plan, copied[k]));
	json_object_set_new(r, "id", json_sprintf("%s.%zu", j_str(b->plan, "boot"), i));
	json_object_set(r, "label", json_object_get(w, "label"));
	json_object_set(r, "workload", json_object_get(w, "name"));
	json_object_set(r, "params", json_object_get(w, "params"));
	json_object_set_new(r, "accel", json_string(clock_accel(mode)));
	json_object_set_new(r, "clock", json_string(clock_name(mode)));
	json_object_set(r, "zones", json_object_get(p->start, "zones"));
	json_object_set(r, "vm", json_object_get(p->start, "vm"));
	json_object_set(r, "facts", json_object_get(json_array_get(p->results, i), "metrics"));
	json_object_set(r, "plugin_warnings", json_object_get(p->warnings, "plugin"));
	json_object_set(r, "env", (json_t *)b->env);
	return r;
}

json_t *records_make(const struct boot_result *b)
{
	json_t *records = json_array();
	struct parsed p;

	parse(&p, b);
	for (size_t i = 0; i < json_array_size(p.results); i++) {
		json_t *r = record_base(b, &p, i);
		struct metrics m = { .plan = b->plan, .list = json_array() };

		if (!json_is_null(json_array_get(p.results, i)) &&
		    !strcmp(j_str(json_array_get(p.results, i), "status"), "ok"))
			collect(&m, b, &p, i, j_str(r, "workload"));
		if (m.fault)
			json_array_clear(m.list);
		judge(r, b, &p, i, &m);
		if (m.facts)
			json_object_set_new(r, "facts", m.facts);
		g_free(m.reason);
		json_object_set_new(r, "metrics", m.list);
		json_array_append_new(records, r);
	}
	parsed_free(&p);
	return records;
}
