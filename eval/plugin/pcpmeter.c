// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * QEMU TCG plugin: counts what each virtual CPU executes inside the regions that the guest marks,
 * and follows its interrupt flag (tracker.h). Output: eval/FORMATS.md.
 *
 *	-plugin pcpmeter.so,vmlinux=PATH,out=PATH[,trace=PATH]
 *
 * Outside regions only the markers are instrumented, so booting costs next to nothing. The arming
 * marker asks for a reset of the plugin, which throws all translated code away with every CPU
 * stopped; from then on, to the end of the boot, code is translated with full instrumentation.
 *
 * There is no way back: QEMU 7.2 may leave a CPU with a pointer to the memory callbacks of the last
 * instruction that used a helper. That does no harm (what the emulator itself writes then, such as
 * the frame of an interrupt, is counted as that instruction's) unless all translated code is thrown
 * away, and the callbacks with it. The one reset happens while no memory callback exists.
 *
 * With one virtual CPU plain counters are additions in the translated code. With several, they
 * are callbacks that count for the CPU they are called for: each CPU writes only its own counters,
 * in whatever threads the CPUs run. A CPU's tracker is under its lock; the end of a region takes
 * them all.
 *
 * An instruction is counted when it starts: one that faults and runs again counts twice.
 */
#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"
#include "opcodes.h"
#include "qemu_plugin.h"
#include "tracker.h"

int qemu_plugin_version = PLUGIN_API;

#define KERNEL_HALF	(1ull << 63)

enum counter {
	INSNS, REP_ITERS, LOCKED, XCHG128, CLI, STI, POPF, STORES, LOADS, SYSEXIT, NR_COUNTERS
};

/* The figures of a region that are plain counters, under their names in the output. */
static const char *const counter_names[NR_COUNTERS] = {
	[INSNS] = "insns", [REP_ITERS] = "rep_iters", [LOCKED] = "locked", [XCHG128] = "xchg128",
	[CLI] = "cli", [STI] = "sti", [POPF] = "popf", [STORES] = "stores", [LOADS] = "loads",
};

static const char *const hold_names[NR_HOLDS] = {
	[HOLD_SPILL] = "spill", [HOLD_REFILL] = "refill", [HOLD_DECAY] = "decay",
	[HOLD_DRAIN] = "drain", [HOLD_OTHER] = "other",
};

struct vcpu {
	uint64_t count[NR_COUNTERS];		/* written by this CPU only */
	uint64_t rep_pc, rep_at;		/* the string instruction started last, and when */
	bool rep_ends_empty;
	pthread_mutex_t lock;			/* guards what follows */
	struct tracker tracker;
	uint64_t begin[NR_COUNTERS];		/* counters at the beginning of the region */
} __attribute__((aligned(64)));

static struct {
	qemu_plugin_id_t id;
	struct kernel kernel;
	struct frames frames;
	struct vcpu *vcpus;
	unsigned int nr_vcpus;
	FILE *out, *trace;
	bool armed;		/* the reset that leads to `full` has been asked for */
	bool full;		/* what is translated now has full instrumentation */
	bool unlocked;		/* the kernel has overwritten its lock prefixes; said once */
	bool open;		/* a region is open; read by all CPUs, hence atomically */
	unsigned int regions;
	json_t *warnings;
} meter;

static void __attribute__((format(printf, 1, 2))) warn(const char *fmt, ...)
{
	char text[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	json_array_append_new(meter.warnings, json_string(text));
}

static bool region_open(void)
{
	return __atomic_load_n(&meter.open, __ATOMIC_ACQUIRE);
}

/* Of another CPU, a counter may be a few instructions old. */
static uint64_t counter(const struct vcpu *v, enum counter which)
{
	return __atomic_load_n(&v->count[which], __ATOMIC_RELAXED);
}

static void write_line(FILE *file, json_t *line)
{
	json_dumpf(line, file, JSON_COMPACT);
	fputc('\n', file);
	fflush(file);
	json_decref(line);
}

/* Regions. */

static void region_begin(struct vcpu *self)
{
	if (!meter.full)
		warn("region %u was begun without arming: its figures are too low", meter.regions);
	frames_init(&meter.frames);
	for (unsigned int i = 0; i < meter.nr_vcpus; i++) {
		struct vcpu *v = &meter.vcpus[i];

		pthread_mutex_lock(&v->lock);
		tracker_begin(&v->tracker, &meter.frames, v == self ? IRQ_ON : IRQ_UNKNOWN);
		for (unsigned int c = 0; c < NR_COUNTERS; c++)
			v->begin[c] = counter(v, c);
		/* The region starts behind this instruction, which is not counted yet. */
		if (v == self)
			v->begin[INSNS]++;
		pthread_mutex_unlock(&v->lock);
	}
	__atomic_store_n(&meter.open, true, __ATOMIC_RELEASE);
}

static json_t *irqoff_json(const struct tracker *t)
{
	json_t *out = json_pack("{s:o}", "all", hist_json(&t->all));

	for (unsigned int h = 0; h < NR_HOLDS; h++)
		json_object_set_new(out, hold_names[h], hist_json(&t->hold[h]));
	return out;
}

static json_t *vcpu_json(const struct vcpu *v, unsigned int index)
{
	json_t *out = json_pack("{s:i}", "vcpu", index);

	for (unsigned int c = 0; c < NR_COUNTERS; c++)
		if (counter_names[c])
			json_object_set_new(out, counter_names[c],
					    json_integer(counter(v, c) - v->begin[c]));
	json_object_set_new(out, "irqoff", irqoff_json(&v->tracker));
	return out;
}

static json_t *symbol_json(uint64_t addr)
{
	const struct elfsym *sym = elfsyms_at(&meter.kernel.syms, addr);

	return json_sprintf("%s+0x%" PRIx64, sym ? sym->name : "?", addr - (sym ? sym->addr : 0));
}

static void write_longest(const struct tracker *t, unsigned int index)
{
	for (unsigned int i = 0; i < LONGEST_MAX && t->longest[i].length; i++) {
		const struct section *s = &t->longest[i];

		write_line(meter.trace,
			   json_pack("{s:i,s:i,s:I,s:s,s:o,s:o}", "region", meter.regions,
				     "vcpu", index, "length", (json_int_t)s->length,
				     "hold", hold_names[s->hold], "opener", symbol_json(s->opener),
				     "closer", symbol_json(s->closer)));
	}
}

/* What makes the figures of this region doubtful. */
static void warn_about(const struct vcpu *v, unsigned int index)
{
	const struct tracker *t = &v->tracker;
	uint64_t sysexit = counter(v, SYSEXIT) - v->begin[SYSEXIT];

	if (t->popf)
		warn("region %u, vcpu %u: %" PRIu64 " popf in the kernel, whose effect is unknown",
		     meter.regions, index, t->popf);
	if (sysexit)
		warn("region %u, vcpu %u: %" PRIu64 " sysexit, which is not followed",
		     meter.regions, index, sysexit);
	if (t->impossible)
		warn("region %u, vcpu %u: %" PRIu64 " interrupts were taken that seemed to be off",
		     meter.regions, index, t->impossible);
	if (t->cut_max > t->all.max)
		warn("region %u, vcpu %u: a section longer than all others, %" PRIu64
		     " instructions so far, was not over at the end", meter.regions, index, t->cut_max);
}

static void region_end(void)
{
	json_t *vcpus = json_array();

	__atomic_store_n(&meter.open, false, __ATOMIC_RELEASE);
	for (unsigned int i = 0; i < meter.nr_vcpus; i++) {
		struct vcpu *v = &meter.vcpus[i];

		pthread_mutex_lock(&v->lock);
		tracker_end(&v->tracker, counter(v, INSNS));
		json_array_append_new(vcpus, vcpu_json(v, i));
		warn_about(v, i);
		if (meter.trace)
			write_longest(&v->tracker, i);
		pthread_mutex_unlock(&v->lock);
	}
	if (meter.frames.overflow)
		warn("region %u: more than %d exceptions under way at once", meter.regions, FRAMES_MAX);
	write_line(meter.out, json_pack("{s:s,s:i,s:o}", "type", "region",
					"region", meter.regions, "vcpus", vcpus));
	meter.regions++;
}

/*
 * Events. One function for each kind, so that the pointer that QEMU hands back can be the address
 * of the instruction.
 */

#define EVENT(name, pc, call)						\
	static void on_##name(unsigned int vcpu, void *pc)		\
	{								\
		struct vcpu *v = &meter.vcpus[vcpu];			\
		struct tracker *t = &v->tracker;			\
		uint64_t now = v->count[INSNS];				\
									\
		if (!region_open())					\
			return;						\
		(void)pc;						\
		(void)now;						\
		pthread_mutex_lock(&v->lock);				\
		call;							\
		pthread_mutex_unlock(&v->lock);				\
	}

EVENT(cli, pc, tracker_cli(t, now, (uint64_t)pc))
EVENT(sti, pc, tracker_sti(t, now, (uint64_t)pc))
EVENT(popf, pc, tracker_popf(t, now))
EVENT(irq, pc, tracker_irq(t, now, (uint64_t)pc))
EVENT(syscall, pc, tracker_syscall(t, now, (uint64_t)pc))
EVENT(nmi, pc, tracker_nmi(t, now, (uint64_t)pc))
EVENT(nmi_repeat, pc, tracker_nmi_repeat(t, now))
/* The first store is the filler in place of an error code, right below the saved rip ... */
EVENT(exception, pc, tracker_exception(t, now, (uint64_t)pc, 8, 0))
/* ... or the return address of a call, below the error code. */
EVENT(exception_code, pc, tracker_exception(t, now, (uint64_t)pc, 16, 0))
/* The breakpoint's entry leaves a gap of six words below a frame of the kernel, and copies it. */
EVENT(int3, pc, tracker_exception(t, now, (uint64_t)pc, 8, 6 * 8))
EVENT(to_user, pc, tracker_exit_path(t, true))
EVENT(to_kernel, pc, tracker_exit_path(t, false))
EVENT(iret_entry, pc, tracker_iret(t, now, (uint64_t)pc, IRET_ENTRY))
EVENT(iret_nmi, pc, tracker_iret(t, now, (uint64_t)pc, IRET_NMI))
EVENT(iret_elsewhere, pc, tracker_iret(t, now, (uint64_t)pc, IRET_ELSEWHERE))
EVENT(sysret, pc, tracker_sysret(t, now, (uint64_t)pc))
EVENT(spill, pc, tracker_hold(t, now, HOLD_SPILL))
EVENT(refill, pc, tracker_hold(t, now, HOLD_REFILL))
EVENT(decay, pc, tracker_hold(t, now, HOLD_DECAY))
EVENT(drain, pc, tracker_hold(t, now, HOLD_DRAIN))

static void on_entry_memory(unsigned int vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *data)
{
	struct vcpu *v = &meter.vcpus[vcpu];
	bool store = qemu_plugin_mem_is_store(info);

	(void)data;
	v->count[store ? STORES : LOADS]++;
	if (!region_open())
		return;
	pthread_mutex_lock(&v->lock);
	if (store)
		tracker_store(&v->tracker, vaddr);
	else
		tracker_load(&v->tracker, vaddr);
	pthread_mutex_unlock(&v->lock);
}

static void on_memory(unsigned int vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *data)
{
	(void)vaddr;
	(void)data;
	meter.vcpus[vcpu].count[qemu_plugin_mem_is_store(info) ? STORES : LOADS]++;
}

static void on_count(unsigned int vcpu, void *which)
{
	meter.vcpus[vcpu].count[(uintptr_t)which]++;
}

/*
 * The emulator starts a string instruction once for every iteration, and once more to find the
 * count at zero (@ends_empty). Only the first start is an instruction, and neither the first
 * iteration nor the last start is one beyond the first.
 */
static void on_string(struct vcpu *v, uint64_t pc, bool ends_empty)
{
	if (v->rep_pc == pc && v->rep_at == v->count[INSNS]) {
		if (v->rep_ends_empty)
			v->rep_ends_empty = false;
		else
			v->count[REP_ITERS]++;
		return;
	}
	v->rep_pc = pc;
	v->rep_at = ++v->count[INSNS];
	v->rep_ends_empty = ends_empty;
}

static void on_rep_count(unsigned int vcpu, void *pc)
{
	on_string(&meter.vcpus[vcpu], (uint64_t)pc, true);
}

/* A comparison usually ends it before the count does. */
static void on_rep_cond(unsigned int vcpu, void *pc)
{
	on_string(&meter.vcpus[vcpu], (uint64_t)pc, false);
}

/* Translation. */

static plugin_exec_fn *const place_events[] = {
	[PLACE_IRQ] = on_irq, [PLACE_SYSCALL] = on_syscall, [PLACE_NMI] = on_nmi,
	[PLACE_NMI_REPEAT] = on_nmi_repeat, [PLACE_EXCEPTION] = on_exception,
	[PLACE_EXCEPTION_CODE] = on_exception_code, [PLACE_INT3] = on_int3,
	[PLACE_TO_USER] = on_to_user, [PLACE_TO_KERNEL] = on_to_kernel,
	[PLACE_HOLD + HOLD_SPILL] = on_spill, [PLACE_HOLD + HOLD_REFILL] = on_refill,
	[PLACE_HOLD + HOLD_DECAY] = on_decay, [PLACE_HOLD + HOLD_DRAIN] = on_drain,
	[PLACE_HOLD + HOLD_OTHER] = NULL,
};

static void event(struct qemu_plugin_insn *insn, plugin_exec_fn *fn)
{
	qemu_plugin_register_vcpu_insn_exec_cb(insn, fn, PLUGIN_NO_REGS,
					       (void *)qemu_plugin_insn_vaddr(insn));
}

static void count(struct qemu_plugin_insn *insn, enum counter which)
{
	if (meter.nr_vcpus == 1)
		qemu_plugin_register_vcpu_insn_exec_inline(insn, PLUGIN_ADD_U64,
							   &meter.vcpus[0].count[which], 1);
	else
		qemu_plugin_register_vcpu_insn_exec_cb(insn, on_count, PLUGIN_NO_REGS,
						       (void *)(uintptr_t)which);
}

/* The stubs of the device interrupts have no names: eight-byte steps that begin with endbr or push. */
static bool is_stub_entry(uint64_t pc, enum opcode_kind kind)
{
	const struct kernel *k = &meter.kernel;
	uint64_t start = range_has(&k->stubs, pc) ? k->stubs.start :
			 range_has(&k->spurious, pc) ? k->spurious.start : pc + 1;

	return pc >= start && (pc - start) % 8 == 0 &&
	       (kind == OPCODE_PUSH_IMM || kind == OPCODE_ENDBR);
}

static void watch_place(struct qemu_plugin_insn *insn, uint64_t pc, enum opcode_kind kind)
{
	int place = kernel_place(&meter.kernel, pc);

	if (place == PLACE_NONE && is_stub_entry(pc, kind))
		place = PLACE_IRQ;
	if ((size_t)place < sizeof(place_events) / sizeof(place_events[0]) && place_events[place])
		event(insn, place_events[place]);
}

static void watch_kernel_opcode(struct qemu_plugin_insn *insn, uint64_t pc, enum opcode_kind kind)
{
	const struct kernel *k = &meter.kernel;

	switch (kind) {
	case OPCODE_CLI:
		event(insn, on_cli);
		count(insn, CLI);
		break;
	case OPCODE_STI:
		event(insn, on_sti);
		count(insn, STI);
		break;
	case OPCODE_POPF:
		event(insn, on_popf);
		count(insn, POPF);
		break;
	case OPCODE_IRET:
		event(insn, range_has(&k->nmi, pc) ? on_iret_nmi :
			    range_has(&k->entry, pc) ? on_iret_entry : on_iret_elsewhere);
		break;
	case OPCODE_SYSRET:
		event(insn, on_sysret);
		break;
	case OPCODE_SYSEXIT:
		count(insn, SYSEXIT);
		break;
	default:
		break;
	}
}

static void count_memory(struct qemu_plugin_insn *insn, uint64_t pc)
{
	qemu_plugin_register_vcpu_mem_cb(insn, range_has(&meter.kernel.entry, pc) ?
					 on_entry_memory : on_memory, PLUGIN_NO_REGS,
					 PLUGIN_LOAD_STORE, NULL);
}

/* A kernel that finds itself on one CPU overwrites its lock prefixes, and none is left to count. */
static void warn_of_unlocked(void)
{
	if (!__atomic_exchange_n(&meter.unlocked, true, __ATOMIC_RELAXED))
		warn("the kernel has overwritten its lock prefixes, so locked operations are not counted: boot it with noreplace-smp");
}

static void instrument(struct qemu_plugin_insn *insn)
{
	struct opcode op = opcode_decode(qemu_plugin_insn_data(insn), qemu_plugin_insn_size(insn));
	uint64_t pc = qemu_plugin_insn_vaddr(insn);

	/* Events come before the instruction is counted: their time is its own index. */
	if (pc & KERNEL_HALF) {
		watch_place(insn, pc, op.kind);
		watch_kernel_opcode(insn, pc, op.kind);
		if (op.unlocked)
			warn_of_unlocked();
	}
	if (op.kind == OPCODE_REP_COUNT)
		event(insn, on_rep_count);
	else if (op.kind == OPCODE_REP_COND)
		event(insn, on_rep_cond);
	else
		count(insn, INSNS);
	if (op.locked)
		count(insn, LOCKED);
	if (op.xchg128)
		count(insn, XCHG128);
	count_memory(insn, pc);
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
static void on_exit_of_qemu(qemu_plugin_id_t id, void *data);

static void register_for_life(qemu_plugin_id_t id)
{
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
	qemu_plugin_register_atexit_cb(id, on_exit_of_qemu, NULL);
}

/* All CPUs are stopped, no translated code is left, and no callback is registered any more. */
static void on_reset(qemu_plugin_id_t id)
{
	meter.full = true;
	register_for_life(id);
}

static void on_arm(unsigned int vcpu, void *pc)
{
	(void)vcpu;
	(void)pc;
	if (!__atomic_exchange_n(&meter.armed, true, __ATOMIC_RELAXED))
		qemu_plugin_reset(meter.id, on_reset);
}

static void on_begin(unsigned int vcpu, void *pc)
{
	(void)pc;
	if (!region_open())
		region_begin(&meter.vcpus[vcpu]);
	else
		warn("region %u was begun a second time before its end", meter.regions);
}

static void on_end(unsigned int vcpu, void *pc)
{
	(void)vcpu;
	(void)pc;
	if (region_open())
		region_end();
}

/* The way out of pcp_mark_begin(): its return, or the jump to a return thunk. */
static bool leaves_begin(struct qemu_plugin_insn *insn, uint64_t pc)
{
	enum opcode_kind kind;

	if (!range_has(&meter.kernel.begin, pc))
		return false;
	kind = opcode_decode(qemu_plugin_insn_data(insn), qemu_plugin_insn_size(insn)).kind;
	return kind == OPCODE_RET || kind == OPCODE_JMP;
}

static void watch_markers(struct qemu_plugin_insn *insn)
{
	uint64_t pc = qemu_plugin_insn_vaddr(insn);

	switch (kernel_place(&meter.kernel, pc)) {
	case PLACE_ARM:
		event(insn, on_arm);
		break;
	case PLACE_END:
		event(insn, on_end);
		break;
	default:
		if (leaves_begin(insn, pc))
			event(insn, on_begin);
	}
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb);
	uint64_t start = qemu_plugin_tb_vaddr(tb);
	/* A block of translated code lies in at most two pages. */
	bool near_markers = start + 8192 > meter.kernel.markers.start &&
			    start < meter.kernel.markers.end;

	(void)id;
	if (!near_markers && !meter.full)
		return;
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);

		if (near_markers)
			watch_markers(insn);
		if (meter.full)
			instrument(insn);
	}
}

/* Life. */

static void on_exit_of_qemu(qemu_plugin_id_t id, void *data)
{
	(void)id;
	(void)data;
	if (region_open())
		warn("region %u was not ended", meter.regions);
	write_line(meter.out, json_pack("{s:s,s:i,s:O}", "type", "end", "regions", meter.regions,
					"warnings", meter.warnings));
	fclose(meter.out);
	if (meter.trace)
		fclose(meter.trace);
}

static int complain(const char *text)
{
	fprintf(stderr, "pcpmeter: %s\n", text);
	return -1;
}

static FILE *create(const char *path)
{
	FILE *file = fopen(path, "we");

	if (!file)
		fprintf(stderr, "pcpmeter: cannot create %s: %m\n", path);
	return file;
}

static int open_files(const char *vmlinux, const char *out, const char *trace)
{
	char err[512];

	if (!vmlinux || !out)
		return complain("usage: -plugin pcpmeter.so,vmlinux=PATH,out=PATH[,trace=PATH]");
	if (kernel_open(&meter.kernel, vmlinux, err, sizeof(err)))
		return complain(err);
	meter.out = create(out);
	if (!meter.out)
		return -1;
	if (trace) {
		meter.trace = create(trace);
		if (!meter.trace)
			return -1;
	}
	return 0;
}

static int parse(int argc, char **argv)
{
	const char *vmlinux = NULL, *out = NULL, *trace = NULL;

	for (int i = 0; i < argc; i++) {
		if (!strncmp(argv[i], "vmlinux=", 8)) {
			vmlinux = argv[i] + 8;
		} else if (!strncmp(argv[i], "out=", 4)) {
			out = argv[i] + 4;
		} else if (!strncmp(argv[i], "trace=", 6)) {
			trace = argv[i] + 6;
		} else {
			fprintf(stderr, "pcpmeter: unknown option '%s': known are vmlinux=, out=, trace=\n",
				argv[i]);
			return -1;
		}
	}
	return open_files(vmlinux, out, trace);
}

/* The compiler may merge equal code with its marks, and then nobody can tell them apart. */
static void warn_of_folded_places(void)
{
	const struct kernel *k = &meter.kernel;

	for (unsigned int i = 1; i < k->nr_places; i++)
		if (k->place[i].addr == k->place[i - 1].addr && k->place[i].kind != k->place[i - 1].kind)
			warn("two marks in the kernel share address 0x%" PRIx64
			     ": sections cannot be told apart by them", k->place[i].addr);
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
	if (!info->system_emulation || strcmp(info->target_name, "x86_64"))
		return complain("only qemu-system-x86_64 is supported");
	meter.id = id;
	meter.nr_vcpus = info->system.max_vcpus;
	meter.warnings = json_array();
	if (parse(argc, argv))
		return -1;
	meter.vcpus = aligned_alloc(64, meter.nr_vcpus * sizeof(*meter.vcpus));
	if (!meter.vcpus)
		return complain("out of memory");
	memset(meter.vcpus, 0, meter.nr_vcpus * sizeof(*meter.vcpus));
	for (unsigned int i = 0; i < meter.nr_vcpus; i++)
		pthread_mutex_init(&meter.vcpus[i].lock, NULL);
	warn_of_folded_places();
	register_for_life(id);
	return 0;
}
