// SPDX-License-Identifier: GPL-2.0-or-later
/* The parts of the plugin that need no emulator: tracker, histogram, decoder, symbol table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "elfsyms.h"
#include "opcodes.h"
#include "tracker.h"

#define PC		0xffffffff81000000ull
#define FRAME		0xffffc90000000fd8ull
#define NO_CODE		8	/* bytes from the entry's first store up to the frame */
#define WITH_CODE	16

static struct frames frames;
static struct tracker cpu0, cpu1;

static int setup(void **state)
{
	(void)state;
	frames_init(&frames);
	tracker_begin(&cpu0, &frames, IRQ_ON);
	tracker_begin(&cpu1, &frames, IRQ_UNKNOWN);
	return 0;
}

/* An exception at @index whose frame is at @frame. */
static void exception(struct tracker *t, uint64_t index, uint64_t frame)
{
	tracker_exception(t, index, PC, WITH_CODE, 0);
	tracker_store(t, frame - WITH_CODE);
}

static void interrupt(struct tracker *t, uint64_t index, uint64_t frame)
{
	tracker_irq(t, index, PC);
	tracker_store(t, frame - NO_CODE);
}

static void return_to_kernel(struct tracker *t, uint64_t index, uint64_t frame)
{
	tracker_exit_path(t, false);
	tracker_iret(t, index, PC, IRET_ENTRY);
	tracker_load(t, frame);
	/* The other words of the frame. */
	tracker_load(t, frame + 8);
}

static void return_to_user(struct tracker *t, uint64_t index)
{
	tracker_exit_path(t, true);
	tracker_iret(t, index, PC, IRET_ENTRY);
	tracker_load(t, FRAME);
}

static void expect(struct tracker *t, uint64_t end, uint64_t n, uint64_t max)
{
	tracker_end(t, end);
	assert_int_equal(t->all.n, n);
	assert_int_equal(t->all.max, max);
	assert_int_equal(t->impossible, 0);
}

/* cli, ten instructions, sti and its shadow. */
static void test_plain(void **state)
{
	(void)state;
	tracker_cli(&cpu0, 100, PC);
	tracker_sti(&cpu0, 111, PC + 4);
	expect(&cpu0, 1000, 1, 12);
	assert_int_equal(cpu0.longest[0].opener, PC);
	assert_int_equal(cpu0.longest[0].closer, PC + 4);
	assert_int_equal(cpu0.hold[HOLD_OTHER].n, 1);
}

static void test_nested(void **state)
{
	(void)state;
	tracker_cli(&cpu0, 100, PC);
	tracker_cli(&cpu0, 120, PC);
	tracker_sti(&cpu0, 150, PC);
	tracker_sti(&cpu0, 200, PC);	/* changes nothing */
	expect(&cpu0, 1000, 1, 51);
}

static void test_shadow_closed_by_cli(void **state)
{
	(void)state;
	tracker_cli(&cpu0, 100, PC);
	tracker_sti(&cpu0, 110, PC);
	tracker_cli(&cpu0, 111, PC);
	tracker_sti(&cpu0, 120, PC);
	expect(&cpu0, 1000, 1, 21);
}

static void test_cli_after_shadow(void **state)
{
	(void)state;
	tracker_cli(&cpu0, 100, PC);
	tracker_sti(&cpu0, 110, PC);
	tracker_cli(&cpu0, 112, PC);
	tracker_sti(&cpu0, 120, PC);
	expect(&cpu0, 1000, 2, 11);
}

/* sti; hlt, and the interrupt that wakes it. */
static void test_idle(void **state)
{
	(void)state;
	tracker_cli(&cpu0, 100, PC);
	tracker_sti(&cpu0, 104, PC);
	interrupt(&cpu0, 106, FRAME);
	return_to_kernel(&cpu0, 125, FRAME);
	expect(&cpu0, 1000, 2, 20);
	assert_int_equal(cpu0.all.sum, 5 + 20);
}

static void test_interrupt_while_off(void **state)
{
	(void)state;
	tracker_cli(&cpu0, 100, PC);
	interrupt(&cpu0, 106, FRAME);
	tracker_end(&cpu0, 1000);
	assert_int_equal(cpu0.impossible, 1);
}

static void test_exception_on(void **state)
{
	(void)state;
	exception(&cpu0, 100, FRAME);
	return_to_kernel(&cpu0, 109, FRAME);
	expect(&cpu0, 1000, 1, 10);
}

static void test_exception_off(void **state)
{
	(void)state;
	tracker_cli(&cpu0, 99, PC);
	exception(&cpu0, 200, FRAME);
	return_to_kernel(&cpu0, 300, FRAME);
	tracker_sti(&cpu0, 400, PC);
	expect(&cpu0, 1000, 1, 302);
}

/* Two exceptions under way, returned from in the order in which they came. */
static void test_frames_are_keyed(void **state)
{
	(void)state;
	exception(&cpu0, 100, FRAME);
	tracker_sti(&cpu0, 103, PC);
	tracker_cli(&cpu0, 200, PC);
	exception(&cpu0, 210, FRAME - 0x4000);
	return_to_kernel(&cpu0, 220, FRAME);
	tracker_cli(&cpu0, 300, PC);
	return_to_kernel(&cpu0, 310, FRAME - 0x4000);
	tracker_sti(&cpu0, 320, PC);
	expect(&cpu0, 1000, 3, 21);
	assert_int_equal(cpu0.all.sum, 5 + 20 + 21);
}

/* The handler sleeps, and its task goes on and returns on another CPU. */
static void test_return_on_other_cpu(void **state)
{
	(void)state;
	tracker_cli(&cpu0, 10, PC);
	exception(&cpu0, 20, FRAME);
	tracker_cli(&cpu1, 1000, PC);	/* what cpu1 was before is unknown: not counted */
	return_to_kernel(&cpu1, 1010, FRAME);
	tracker_sti(&cpu1, 1020, PC);
	expect(&cpu1, 2000, 0, 0);
	tracker_sti(&cpu0, 30, PC);
	expect(&cpu0, 1000, 1, 21);
}

static void test_stale_frame(void **state)
{
	(void)state;
	tracker_cli(&cpu0, 10, PC);
	exception(&cpu0, 20, FRAME);	/* never returns */
	tracker_sti(&cpu0, 30, PC);
	interrupt(&cpu0, 100, FRAME);
	return_to_kernel(&cpu0, 109, FRAME);
	expect(&cpu0, 1000, 2, 21);
	assert_int_equal(cpu0.all.sum, 21 + 10);
}

static void test_moved_frame(void **state)
{
	(void)state;
	tracker_cli(&cpu0, 99, PC);
	tracker_exception(&cpu0, 200, PC, NO_CODE, 48);
	tracker_store(&cpu0, FRAME - NO_CODE);
	return_to_kernel(&cpu0, 300, FRAME - 48);
	tracker_sti(&cpu0, 400, PC);
	expect(&cpu0, 1000, 1, 302);
}

static void test_user(void **state)
{
	(void)state;
	tracker_syscall(&cpu0, 100, PC);
	tracker_sti(&cpu0, 108, PC);
	tracker_cli(&cpu0, 200, PC);
	tracker_sysret(&cpu0, 219, PC);
	exception(&cpu0, 300, FRAME);
	return_to_user(&cpu0, 329);
	expect(&cpu0, 1000, 3, 30);
	assert_int_equal(cpu0.all.sum, 10 + 19 + 30);
}

static void test_self_serialising(void **state)
{
	(void)state;
	tracker_iret(&cpu0, 50, PC, IRET_ELSEWHERE);
	tracker_load(&cpu0, FRAME);
	tracker_cli(&cpu0, 100, PC);
	tracker_iret(&cpu0, 110, PC, IRET_ELSEWHERE);
	tracker_load(&cpu0, FRAME);
	tracker_sti(&cpu0, 120, PC);
	expect(&cpu0, 1000, 1, 21);
}

static void test_nmi(void **state)
{
	(void)state;
	tracker_nmi(&cpu0, 100, PC);
	tracker_nmi_repeat(&cpu0, 110);		/* falls into it */
	tracker_iret(&cpu0, 149, PC, IRET_NMI);
	tracker_cli(&cpu0, 200, PC);
	tracker_nmi(&cpu0, 210, PC);
	tracker_nmi_repeat(&cpu0, 220);
	tracker_iret(&cpu0, 250, PC, IRET_NMI);
	tracker_sti(&cpu0, 299, PC);
	expect(&cpu0, 1000, 2, 100);
	assert_int_equal(cpu0.all.sum, 50 + 100);
}

/* A fault inside the NMI lets another one in, which asks the first for another turn. */
static void test_nmi_with_several_iret(void **state)
{
	(void)state;
	tracker_nmi(&cpu0, 100, PC);
	tracker_nmi_repeat(&cpu0, 105);
	exception(&cpu0, 110, FRAME);
	return_to_kernel(&cpu0, 120, FRAME);
	tracker_nmi(&cpu0, 121, PC);
	tracker_iret(&cpu0, 125, PC, IRET_NMI);		/* back into the first */
	tracker_iret(&cpu0, 130, PC, IRET_NMI);		/* to repeat_nmi */
	tracker_nmi_repeat(&cpu0, 131);
	tracker_iret(&cpu0, 159, PC, IRET_NMI);
	expect(&cpu0, 1000, 1, 60);
}

static void test_nmi_between_exit_path_and_iret(void **state)
{
	(void)state;
	tracker_syscall(&cpu0, 100, PC);
	tracker_exit_path(&cpu0, true);
	tracker_nmi(&cpu0, 110, PC);
	exception(&cpu0, 115, FRAME);
	return_to_kernel(&cpu0, 120, FRAME);
	tracker_iret(&cpu0, 130, PC, IRET_NMI);
	tracker_iret(&cpu0, 139, PC, IRET_ENTRY);
	expect(&cpu0, 1000, 1, 40);
}

static void test_context_switch(void **state)
{
	(void)state;
	tracker_cli(&cpu0, 100, PC);	/* of the task that leaves */
	tracker_cli(&cpu0, 110, PC);	/* __schedule() */
	tracker_sti(&cpu0, 150, PC);	/* of the task that comes */
	expect(&cpu0, 1000, 1, 51);
}

static void test_popf_is_reported(void **state)
{
	(void)state;
	tracker_cli(&cpu0, 100, PC);
	tracker_popf(&cpu0, 105);
	tracker_sti(&cpu0, 110, PC);
	expect(&cpu0, 1000, 1, 11);
	assert_int_equal(cpu0.popf, 1);
}

static void test_unknown_beginning(void **state)
{
	(void)state;
	tracker_sti(&cpu1, 100, PC);
	tracker_cli(&cpu1, 200, PC);
	tracker_sti(&cpu1, 210, PC);
	expect(&cpu1, 1000, 1, 11);
}

static void test_cut_off(void **state)
{
	(void)state;
	tracker_cli(&cpu0, 100, PC);
	expect(&cpu0, 1000, 0, 0);
	assert_int_equal(cpu0.cut_max, 899);
}

static void section_with(enum hold first, enum hold second, uint64_t at)
{
	tracker_cli(&cpu0, at, PC);
	if (first != HOLD_OTHER)
		tracker_hold(&cpu0, at + 1, first);
	if (second != HOLD_OTHER)
		tracker_hold(&cpu0, at + 2, second);
	tracker_sti(&cpu0, at + 10, PC);
}

static void test_classes(void **state)
{
	(void)state;
	section_with(HOLD_DRAIN, HOLD_OTHER, 100);
	section_with(HOLD_DECAY, HOLD_REFILL, 200);
	section_with(HOLD_REFILL, HOLD_SPILL, 300);
	section_with(HOLD_OTHER, HOLD_OTHER, 400);
	tracker_hold(&cpu0, 500, HOLD_SPILL);	/* with interrupts on: no section is about it */
	section_with(HOLD_OTHER, HOLD_OTHER, 600);
	expect(&cpu0, 1000, 5, 11);
	assert_int_equal(cpu0.hold[HOLD_SPILL].n, 1);
	assert_int_equal(cpu0.hold[HOLD_REFILL].n, 1);
	assert_int_equal(cpu0.hold[HOLD_DECAY].n, 0);
	assert_int_equal(cpu0.hold[HOLD_DRAIN].n, 1);
	assert_int_equal(cpu0.hold[HOLD_OTHER].n, 2);
}

static void test_longest(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 40; i++) {
		tracker_cli(&cpu0, 1000 * i, PC);
		tracker_sti(&cpu0, 1000 * i + 10 + i * 7 % 40, PC);
	}
	tracker_end(&cpu0, 100000);
	for (unsigned int i = 0; i < LONGEST_MAX; i++)
		assert_int_equal(cpu0.longest[i].length, 50 - i);
}

/* Every value lies in its bucket, buckets join without gap, and none is wide. */
static void test_hist(void **state)
{
	(void)state;
	for (unsigned int i = 0; i + 1 < HIST_BUCKETS; i++) {
		uint64_t low = hist_low(i), next = hist_low(i + 1);

		assert_true(next > low);
		assert_int_equal(hist_bucket(low), i);
		assert_int_equal(hist_bucket(next - 1), i);
		assert_true((next - low - 1) * 16 <= low);
	}
	assert_int_equal(hist_bucket(UINT64_MAX), HIST_BUCKETS - 1);
}

static void test_hist_json(void **state)
{
	static struct hist h;
	json_t *json;
	char *text;

	(void)state;
	hist_add(&h, 3);
	hist_add(&h, 3);
	hist_add(&h, 100);
	json = hist_json(&h);
	text = json_dumps(json, JSON_COMPACT);
	assert_string_equal(text, "{\"n\":3,\"sum\":106,\"max\":100,\"hist\":[[3,3,2],[100,101,1]]}");
	free(text);
	json_decref(json);
}

static void test_opcodes(void **state)
{
	static const struct {
		const char *what;
		size_t size;
		uint8_t code[12];
		enum opcode_kind kind;
		unsigned char locked, xchg128, unlocked;
	} table[] = {
		{ "cli", 1, { 0xfa }, OPCODE_CLI, 0, 0, 0 },
		{ "sti", 1, { 0xfb }, OPCODE_STI, 0, 0, 0 },
		{ "popfq", 1, { 0x9d }, OPCODE_POPF, 0, 0, 0 },
		{ "iretq", 2, { 0x48, 0xcf }, OPCODE_IRET, 0, 0, 0 },
		{ "sysretq", 3, { 0x48, 0x0f, 0x07 }, OPCODE_SYSRET, 0, 0, 0 },
		{ "sysexit", 2, { 0x0f, 0x35 }, OPCODE_SYSEXIT, 0, 0, 0 },
		{ "endbr64", 4, { 0xf3, 0x0f, 0x1e, 0xfa }, OPCODE_ENDBR, 0, 0, 0 },
		{ "rep stosq", 3, { 0xf3, 0x48, 0xab }, OPCODE_REP_COUNT, 0, 0, 0 },
		{ "stosq", 2, { 0x48, 0xab }, OPCODE_PLAIN, 0, 0, 0 },
		{ "repne scasb", 2, { 0xf2, 0xae }, OPCODE_REP_COND, 0, 0, 0 },
		{ "repz ret", 2, { 0xf3, 0xc3 }, OPCODE_RET, 0, 0, 0 },
		{ "pause", 2, { 0xf3, 0x90 }, OPCODE_PLAIN, 0, 0, 0 },
		{ "popcnt", 5, { 0xf3, 0x48, 0x0f, 0xb8, 0xc0 }, OPCODE_PLAIN, 0, 0, 0 },
		{ "lock incq (rdi)", 4, { 0xf0, 0x48, 0xff, 0x07 }, OPCODE_PLAIN, 1, 0, 0 },
		{ "lock cmpxchg gs", 6, { 0x65, 0xf0, 0x48, 0x0f, 0xb1, 0x17 }, OPCODE_PLAIN, 1, 0, 0 },
		{ "xchg (rdi)", 3, { 0x48, 0x87, 0x07 }, OPCODE_PLAIN, 1, 0, 0 },
		{ "xchg registers", 3, { 0x48, 0x87, 0xc7 }, OPCODE_PLAIN, 0, 0, 0 },
		{ "lock cmpxchg16b", 5, { 0xf0, 0x48, 0x0f, 0xc7, 0x0f }, OPCODE_PLAIN, 1, 1, 0 },
		{ "cmpxchg16b gs", 9, { 0x65, 0x48, 0x0f, 0xc7, 0x0c, 0x25 }, OPCODE_PLAIN, 0, 1, 0 },
		{ "cmpxchg8b", 4, { 0xf0, 0x0f, 0xc7, 0x0f }, OPCODE_PLAIN, 1, 0, 0 },
		{ "rdrand", 4, { 0x48, 0x0f, 0xc7, 0xf0 }, OPCODE_PLAIN, 0, 0, 0 },
		{ "REX cancelled", 3, { 0x48, 0x66, 0xcf }, OPCODE_IRET, 0, 0, 0 },
		{ "push $-1", 2, { 0x6a, 0xff }, OPCODE_PUSH_IMM, 0, 0, 0 },
		{ "patched lock cmpxchg", 5, { 0x3e, 0x48, 0x0f, 0xb1, 0x17 }, OPCODE_PLAIN, 0, 0, 1 },
		{ "notrack jmp", 3, { 0x3e, 0xff, 0xe0 }, OPCODE_PLAIN, 0, 0, 0 },
		{ "truncated", 2, { 0xf0, 0x48 }, OPCODE_PLAIN, 0, 0, 0 },
		{ "truncated escape", 1, { 0x0f }, OPCODE_PLAIN, 0, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct opcode op = opcode_decode(table[i].code, table[i].size);

		if (op.kind != table[i].kind || op.locked != table[i].locked ||
		    op.xchg128 != table[i].xchg128 || op.unlocked != table[i].unlocked)
			fail_msg("%s is taken for kind %d, locked %d, xchg128 %d", table[i].what,
				 op.kind, op.locked, op.xchg128);
	}
}

/* This program is an ELF file with symbols itself. */
static void test_symbols(void **state)
{
	struct elfsyms syms;
	const struct elfsym *sym;
	char err[256];

	(void)state;
	assert_int_equal(elfsyms_open(&syms, "/proc/self/exe", err, sizeof(err)), 0);
	sym = elfsyms_find(&syms, "tracker_cli");
	assert_non_null(sym);
	assert_true(sym->size > 0);
	assert_string_equal(elfsyms_at(&syms, sym->addr + 1)->name, "tracker_cli");
	assert_null(elfsyms_find(&syms, "no such symbol"));
	assert_null(elfsyms_at(&syms, 0));
	elfsyms_close(&syms);
}

static void test_bad_symbol_files(void **state)
{
	static const char *const bad[] = { "/nonexistent", "/dev/null", "/etc/passwd" };
	struct elfsyms syms;
	char err[256];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(elfsyms_open(&syms, bad[i], err, sizeof(err)), -1);
		assert_non_null(strstr(err, bad[i]));
	}
}

/* Cuts this program's file at many places: none may be read beyond its end. */
static void test_truncated_symbol_file(void **state)
{
	FILE *self = fopen("/proc/self/exe", "r");
	char path[] = "/tmp/test_tracker.XXXXXX", err[256];
	int fd = mkstemp(path);
	struct elfsyms syms;
	size_t size;
	char *data;

	(void)state;
	assert_non_null(self);
	assert_true(fd >= 0);
	fseek(self, 0, SEEK_END);
	size = ftell(self);
	rewind(self);
	data = malloc(size);
	assert_int_equal(fread(data, 1, size, self), size);
	assert_int_equal(write(fd, data, size), size);
	for (size_t len = size - 1; len > 0; len = len * 9 / 10) {
		assert_int_equal(ftruncate(fd, len), 0);
		assert_int_equal(elfsyms_open(&syms, path, err, sizeof(err)), -1);
	}
	free(data);
	fclose(self);
	close(fd);
	unlink(path);
}

#define TEST(fn) cmocka_unit_test_setup(fn, setup)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_plain), TEST(test_nested), TEST(test_shadow_closed_by_cli),
		TEST(test_cli_after_shadow), TEST(test_idle), TEST(test_interrupt_while_off),
		TEST(test_exception_on), TEST(test_exception_off), TEST(test_frames_are_keyed),
		TEST(test_return_on_other_cpu), TEST(test_stale_frame), TEST(test_moved_frame),
		TEST(test_user), TEST(test_self_serialising), TEST(test_nmi),
		TEST(test_nmi_with_several_iret), TEST(test_nmi_between_exit_path_and_iret),
		TEST(test_context_switch), TEST(test_popf_is_reported),
		TEST(test_unknown_beginning), TEST(test_cut_off), TEST(test_classes),
		TEST(test_longest), TEST(test_hist), TEST(test_hist_json), TEST(test_opcodes),
		TEST(test_symbols), TEST(test_bad_symbol_files), TEST(test_truncated_symbol_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
