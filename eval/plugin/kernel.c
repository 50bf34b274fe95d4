// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "kernel.h"

static const struct {
	const char *symbol;
	int kind;
} named_places[] = {
	{ "pcp_mark_arm", PLACE_ARM },
	{ "pcp_mark_end", PLACE_END },
	{ "entry_SYSCALL_64", PLACE_SYSCALL },
	{ "asm_exc_nmi", PLACE_NMI },
	{ "repeat_nmi", PLACE_NMI_REPEAT },
	{ "swapgs_restore_regs_and_return_to_usermode", PLACE_TO_USER },
	{ "restore_regs_and_return_to_kernel", PLACE_TO_KERNEL },
};

/* Landmarks inside the holds; there are as many of each as the compiler made copies. */
static const struct {
	const char *prefix;
	enum hold hold;
} landmarks[] = {
	{ "$pcp_at_spill_", HOLD_SPILL },
	{ "$pcp_at_refill_", HOLD_REFILL },
	{ "$pcp_at_decay_", HOLD_DECAY },
	{ "$pcp_at_drain_", HOLD_DRAIN },
};

/* Kernels whose interrupt flag changes by ways that are not followed here. */
static const struct {
	const char *symbol, *option;
} refused[] = {
	{ "pv_native_irq_disable", "CONFIG_PARAVIRT_XXL" },
	{ "asm_fred_entrypoint_user", "CONFIG_X86_FRED" },
	{ "asm_int80_emulation", "CONFIG_IA32_EMULATION" },
	{ "entry_SYSENTER_compat", "CONFIG_IA32_EMULATION" },
};

/* Exceptions for which the CPU pushes an error code below the frame. */
static const char *const with_error_code[] = {
	"asm_exc_double_fault", "asm_exc_invalid_tss", "asm_exc_segment_not_present",
	"asm_exc_stack_segment", "asm_exc_general_protection", "asm_exc_page_fault",
	"asm_exc_alignment_check", "asm_exc_control_protection", "asm_exc_vmm_communication",
};

static int add_place(struct kernel *k, uint64_t addr, int kind)
{
	if (k->nr_places == PLACES_MAX)
		return -1;
	k->place[k->nr_places++] = (struct place){ addr, kind };
	return 0;
}

static int exception_kind(const char *name)
{
	if (!strcmp(name, "asm_exc_int3"))
		return PLACE_INT3;
	for (size_t i = 0; i < sizeof(with_error_code) / sizeof(with_error_code[0]); i++)
		if (!strcmp(name, with_error_code[i]))
			return PLACE_EXCEPTION_CODE;
	return PLACE_EXCEPTION;
}

static int add_entries(struct kernel *k)
{
	int err = 0;

	for (size_t i = 0; i < k->syms.nr; i++) {
		const struct elfsym *sym = &k->syms.sym[i];

		if (!range_has(&k->entry, sym->addr))
			continue;
		if (!strncmp(sym->name, "asm_sysvec_", 11))
			err |= add_place(k, sym->addr, PLACE_IRQ);
		else if (!strncmp(sym->name, "asm_exc_", 8) && strcmp(sym->name, "asm_exc_nmi"))
			err |= add_place(k, sym->addr, exception_kind(sym->name));
	}
	return err;
}

/* A kernel without our designs has none: then all its sections are of the other kind. */
static int add_landmarks(struct kernel *k)
{
	int err = 0;

	for (size_t i = 0; i < k->syms.nr; i++)
		for (size_t j = 0; j < sizeof(landmarks) / sizeof(landmarks[0]); j++)
			if (!strncmp(k->syms.sym[i].name, landmarks[j].prefix,
				     strlen(landmarks[j].prefix)))
				err |= add_place(k, k->syms.sym[i].addr,
						 PLACE_HOLD + landmarks[j].hold);
	return err;
}

static int add_named(struct kernel *k, char *err, size_t size)
{
	for (size_t i = 0; i < sizeof(named_places) / sizeof(named_places[0]); i++) {
		const struct elfsym *sym = elfsyms_find(&k->syms, named_places[i].symbol);

		if (sym && !add_place(k, sym->addr, named_places[i].kind))
			continue;
		snprintf(err, size, "the kernel has no symbol %s: build it with CONFIG_PCP_BENCH from this project's tree",
			 named_places[i].symbol);
		return -1;
	}
	return 0;
}

static int refuse(const struct kernel *k, char *err, size_t size)
{
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		if (!elfsyms_find(&k->syms, refused[i].symbol))
			continue;
		snprintf(err, size, "interrupts cannot be followed in a kernel with %s: switch it off",
			 refused[i].option);
		return -1;
	}
	return 0;
}

static struct range function(const struct kernel *k, const char *name)
{
	const struct elfsym *sym = elfsyms_find(&k->syms, name);

	return sym ? (struct range){ sym->addr, sym->addr + sym->size } : (struct range){ 0, 0 };
}

static struct range between(const struct kernel *k, const char *start, const char *end)
{
	const struct elfsym *a = elfsyms_find(&k->syms, start), *b = elfsyms_find(&k->syms, end);

	return a && b ? (struct range){ a->addr, b->addr } : (struct range){ 0, 0 };
}

static void range_extend(struct range *r, const struct range *other)
{
	if (other->start < r->start)
		r->start = other->start;
	if (other->end > r->end)
		r->end = other->end;
}

static int find_ranges(struct kernel *k, char *err, size_t size)
{
	struct range arm = function(k, "pcp_mark_arm"), end = function(k, "pcp_mark_end");

	k->entry = between(k, "__entry_text_start", "__entry_text_end");
	k->nmi = function(k, "asm_exc_nmi");
	k->stubs = function(k, "irq_entries_start");
	k->spurious = function(k, "spurious_entries_start");
	k->begin = function(k, "pcp_mark_begin");
	if (k->entry.end && k->nmi.end && k->stubs.end && k->begin.end && arm.end && end.end) {
		k->markers = arm;
		range_extend(&k->markers, &k->begin);
		range_extend(&k->markers, &end);
		return 0;
	}
	snprintf(err, size, "the kernel lacks pcp_mark_begin or an entry symbol: build it with CONFIG_PCP_BENCH from this project's tree");
	return -1;
}

static int by_address(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

int kernel_open(struct kernel *k, const char *path, char *err, size_t size)
{
	memset(k, 0, sizeof(*k));
	if (elfsyms_open(&k->syms, path, err, size))
		return -1;
	if (refuse(k, err, size) || find_ranges(k, err, size) || add_named(k, err, size))
		goto close;
	if (add_entries(k) || add_landmarks(k)) {
		snprintf(err, size, "more than %d entry points and landmarks in %s", PLACES_MAX, path);
		goto close;
	}
	qsort(k->place, k->nr_places, sizeof(k->place[0]), by_address);
	return 0;
close:
	elfsyms_close(&k->syms);
	return -1;
}

int kernel_place(const struct kernel *k, uint64_t addr)
{
	unsigned int low = 0, high = k->nr_places;

	while (low < high) {
		unsigned int mid = low + (high - low) / 2;

		if (k->place[mid].addr == addr)
			return k->place[mid].kind;
		if (k->place[mid].addr < addr)
			low = mid + 1;
		else
			high = mid;
	}
	return PLACE_NONE;
}
