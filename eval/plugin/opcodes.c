// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdbool.h>
#include "opcodes.h"

struct prefixes {
	bool lock, repz, repnz, rex_w, ds;
	size_t len;
};

/* A REX byte counts only right before the opcode: any legacy prefix after it cancels it. */
static struct prefixes prefixes_decode(const uint8_t *code, size_t size)
{
	struct prefixes p = { 0 };

	for (; p.len < size; p.len++) {
		uint8_t byte = code[p.len];

		switch (byte) {
		case 0xf0:
			p.lock = true;
			break;
		case 0xf2:
			p.repnz = true;
			break;
		case 0xf3:
			p.repz = true;
			break;
		case 0x3e:
			p.ds = true;
			break;
		case 0x26: case 0x2e: case 0x36: case 0x64: case 0x65: case 0x66: case 0x67:
			break;
		default:
			if ((byte & 0xf0) != 0x40)
				return p;
			p.rex_w = byte & 8;
			continue;
		}
		p.rex_w = false;
	}
	return p;
}

static bool modrm_is_memory(uint8_t modrm)
{
	return modrm >> 6 != 3;
}

static enum opcode_kind kind_of_string(uint8_t op)
{
	switch (op) {
	case 0x6c: case 0x6d: case 0x6e: case 0x6f:	/* ins, outs */
	case 0xa4: case 0xa5: case 0xaa: case 0xab:	/* movs, stos */
	case 0xac: case 0xad:				/* lods */
		return OPCODE_REP_COUNT;
	case 0xa6: case 0xa7: case 0xae: case 0xaf:	/* cmps, scas */
		return OPCODE_REP_COND;
	}
	return OPCODE_PLAIN;
}

static enum opcode_kind kind_of_one_byte(uint8_t op)
{
	switch (op) {
	case 0xfa:
		return OPCODE_CLI;
	case 0xfb:
		return OPCODE_STI;
	case 0x9d:
		return OPCODE_POPF;
	case 0xcf:
		return OPCODE_IRET;
	case 0xc3: case 0xc2:
		return OPCODE_RET;
	case 0xe9: case 0xeb:
		return OPCODE_JMP;
	case 0x68: case 0x6a:
		return OPCODE_PUSH_IMM;
	}
	return OPCODE_PLAIN;
}

/* @op points behind the 0f escape; @left counts the bytes from there. */
static struct opcode decode_two_byte(const struct prefixes *p, const uint8_t *op, size_t left)
{
	struct opcode out = { .locked = p->lock };

	if (!left)
		return out;
	switch (op[0]) {
	case 0x07:
		out.kind = OPCODE_SYSRET;
		break;
	case 0x35:
		out.kind = OPCODE_SYSEXIT;
		break;
	case 0x1e:
		if (p->repz && left > 1 && op[1] == 0xfa)
			out.kind = OPCODE_ENDBR;
		break;
	case 0xb0: case 0xb1: case 0xc0: case 0xc1:	/* cmpxchg, xadd */
		out.unlocked = p->ds && !p->lock;
		break;
	case 0xc7:
		if (left > 1 && modrm_is_memory(op[1]) && ((op[1] >> 3) & 7) == 1)
			out.xchg128 = p->rex_w;
		break;
	}
	return out;
}

struct opcode opcode_decode(const uint8_t *code, size_t size)
{
	struct prefixes p = prefixes_decode(code, size);
	struct opcode out = { .locked = p.lock };
	uint8_t op;

	if (p.len == size)
		return (struct opcode){ 0 };
	op = code[p.len];
	if (op == 0x0f)
		return decode_two_byte(&p, code + p.len + 1, size - p.len - 1);
	out.kind = kind_of_one_byte(op);
	if (p.repz || p.repnz) {
		enum opcode_kind string = kind_of_string(op);

		if (string != OPCODE_PLAIN)
			out.kind = string;
	}
	if ((op == 0x86 || op == 0x87) && size > p.len + 1 && modrm_is_memory(code[p.len + 1]))
		out.locked = 1;
	return out;
}
