/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The part of QEMU's plugin interface, version 1, that pcpmeter uses. Debian packages no header,
 * so the binary interface is written down here: what the functions exported by the emulator take
 * and return.
 */
#ifndef PCPMETER_QEMU_PLUGIN_H
#define PCPMETER_QEMU_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PLUGIN_EXPORT	__attribute__((visibility("default")))
#define PLUGIN_API	1

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;

typedef struct {
	const char *target_name;
	struct { int min, cur; } version;
	bool system_emulation;
	struct { int smp_vcpus, max_vcpus; } system;
} qemu_info_t;

/* Opaque: a block while it is being translated, and one instruction of it. */
struct qemu_plugin_tb;
struct qemu_plugin_insn;

enum plugin_regs { PLUGIN_NO_REGS };		/* what a callback does with guest registers */
enum plugin_mem { PLUGIN_LOAD = 1, PLUGIN_STORE, PLUGIN_LOAD_STORE };
enum plugin_op { PLUGIN_ADD_U64 };

typedef void plugin_simple_fn(qemu_plugin_id_t id);
typedef void plugin_exit_fn(qemu_plugin_id_t id, void *data);
typedef void plugin_trans_fn(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
typedef void plugin_exec_fn(unsigned int vcpu, void *data);
typedef void plugin_mem_fn(unsigned int vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *data);

extern PLUGIN_EXPORT int qemu_plugin_version;
PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
				      char **argv);

/* Drops every callback and all translated code, later, with all CPUs stopped; then calls @fn. */
void qemu_plugin_reset(qemu_plugin_id_t id, plugin_simple_fn *fn);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, plugin_exit_fn *fn, void *data);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, plugin_trans_fn *fn);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);

/* Run before the instruction, callbacks first, in the order of their registration. */
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, plugin_exec_fn *fn,
					    enum plugin_regs regs, void *data);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn, enum plugin_op op,
						void *counter, uint64_t add);
/* Run after each access to memory that the instruction makes. */
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, plugin_mem_fn *fn,
				      enum plugin_regs regs, enum plugin_mem which, void *data);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info);

#endif
