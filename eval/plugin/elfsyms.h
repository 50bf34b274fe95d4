/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols of a 64-bit ELF kernel image, read from its symbol table. */
#ifndef PCPMETER_ELFSYMS_H
#define PCPMETER_ELFSYMS_H

#include <stddef.h>
#include <stdint.h>

struct elfsym {
	const char *name;
	uint64_t addr, size;
};

struct elfsyms {
	void *image;
	size_t image_size;
	struct elfsym *sym;	/* sorted by address */
	size_t nr;
};

/**
 * elfsyms_open() - map an ELF file and gather its named symbols
 * @syms: filled in
 * @path: file name
 * @err: receives one line of text on failure
 * @size: size of @err
 *
 * Return: 0, or -1 with @err filled in and nothing to close.
 */
int elfsyms_open(struct elfsyms *syms, const char *path, char *err, size_t size);

/**
 * elfsyms_close() - free what elfsyms_open() took
 * @syms: an opened one; its names are gone afterwards
 */
void elfsyms_close(struct elfsyms *syms);

/**
 * elfsyms_find() - look a symbol up by name
 * @syms: an opened one
 * @name: exact name
 *
 * Return: the symbol, or NULL.
 */
const struct elfsym *elfsyms_find(const struct elfsyms *syms, const char *name);

/**
 * elfsyms_at() - the symbol that an address belongs to
 * @syms: an opened one
 * @addr: virtual address
 *
 * Return: the last symbol at or below @addr, or NULL.
 */
const struct elfsym *elfsyms_at(const struct elfsyms *syms, uint64_t addr);

#endif
