/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells the few x86-64 instructions apart that pcpmeter counts or follows. */
#ifndef PCPMETER_OPCODES_H
#define PCPMETER_OPCODES_H

#include <stddef.h>
#include <stdint.h>

enum opcode_kind {
	OPCODE_PLAIN,		/* any other */
	OPCODE_CLI,
	OPCODE_STI,
	OPCODE_POPF,
	OPCODE_IRET,		/* iretq, and its narrower forms */
	OPCODE_SYSRET,
	OPCODE_SYSEXIT,
	OPCODE_REP_COUNT,	/* rep movs, stos, lods, ins, outs: ends by its count */
	OPCODE_REP_COND,	/* repz/repnz cmps, scas: ends by its count or by a comparison */
	OPCODE_RET,
	OPCODE_JMP,		/* direct near jump, short or long */
	OPCODE_PUSH_IMM,
	OPCODE_ENDBR,
};

struct opcode {
	enum opcode_kind kind;
	unsigned char locked;	/* lock prefix, or an exchange with memory, which locks by itself */
	unsigned char unlocked;	/* an atomic whose lock prefix a kernel on one CPU has overwritten (3e) */
	unsigned char xchg128;	/* cmpxchg16b, locked or not */
};

/**
 * opcode_decode() - classify one instruction of 64-bit mode
 * @code: its bytes, legacy prefixes first
 * @size: how many there are; bytes beyond the opcode and ModRM are not needed
 *
 * Return: what it is. Truncated input is OPCODE_PLAIN.
 */
struct opcode opcode_decode(const uint8_t *code, size_t size);

#endif
