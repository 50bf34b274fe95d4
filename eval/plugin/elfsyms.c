// SPDX-License-Identifier: GPL-2.0-or-later
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "elfsyms.h"

static int map_file(struct elfsyms *syms, const char *path, char *err, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st)) {
		snprintf(err, size, "cannot open %s: %s", path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return -1;
	}
	syms->image_size = st.st_size;
	syms->image = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (syms->image != MAP_FAILED)
		return 0;
	snprintf(err, size, "cannot map %s: %s", path, strerror(errno));
	return -1;
}

static bool inside(const struct elfsyms *syms, uint64_t offset, uint64_t len)
{
	return offset <= syms->image_size && len <= syms->image_size - offset;
}

static const Elf64_Shdr *section(const struct elfsyms *syms, unsigned int index)
{
	const Elf64_Ehdr *eh = syms->image;
	const char *table = (const char *)syms->image + eh->e_shoff;

	if (index >= eh->e_shnum || eh->e_shentsize != sizeof(Elf64_Shdr) ||
	    !inside(syms, eh->e_shoff, (uint64_t)eh->e_shnum * sizeof(Elf64_Shdr)))
		return NULL;
	return (const Elf64_Shdr *)table + index;
}

static const Elf64_Shdr *symbol_table(const struct elfsyms *syms)
{
	const Elf64_Ehdr *eh = syms->image;

	if (syms->image_size < sizeof(*eh) || memcmp(eh->e_ident, ELFMAG, SELFMAG) ||
	    eh->e_ident[EI_CLASS] != ELFCLASS64 || eh->e_machine != EM_X86_64)
		return NULL;
	for (unsigned int i = 0; i < eh->e_shnum; i++) {
		const Elf64_Shdr *sh = section(syms, i);

		if (sh && sh->sh_type == SHT_SYMTAB && inside(syms, sh->sh_offset, sh->sh_size))
			return sh;
	}
	return NULL;
}

static int by_address(const void *a, const void *b)
{
	const struct elfsym *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static int gather(struct elfsyms *syms, const Elf64_Shdr *sh)
{
	const Elf64_Sym *sym = (const void *)((const char *)syms->image + sh->sh_offset);
	const Elf64_Shdr *strtab = section(syms, sh->sh_link);
	size_t nr = sh->sh_size / sizeof(*sym);
	const char *names;

	if (!strtab || !strtab->sh_size || !inside(syms, strtab->sh_offset, strtab->sh_size))
		return -1;
	names = (const char *)syms->image + strtab->sh_offset;
	syms->sym = calloc(nr + 1, sizeof(*syms->sym));
	if (!syms->sym || names[strtab->sh_size - 1])
		return -1;
	for (size_t i = 0; i < nr; i++) {
		unsigned int type = ELF64_ST_TYPE(sym[i].st_info);

		if (sym[i].st_name >= strtab->sh_size || !names[sym[i].st_name] ||
		    sym[i].st_shndx == SHN_UNDEF || type == STT_FILE || type == STT_SECTION)
			continue;
		syms->sym[syms->nr++] = (struct elfsym){ names + sym[i].st_name, sym[i].st_value,
							 sym[i].st_size };
	}
	qsort(syms->sym, syms->nr, sizeof(*syms->sym), by_address);
	return 0;
}

int elfsyms_open(struct elfsyms *syms, const char *path, char *err, size_t size)
{
	const Elf64_Shdr *sh;

	*syms = (struct elfsyms){ 0 };
	if (map_file(syms, path, err, size))
		return -1;
	sh = symbol_table(syms);
	if (sh && !gather(syms, sh))
		return 0;
	snprintf(err, size, "%s is not an x86-64 ELF file with a symbol table: give the unstripped vmlinux", path);
	elfsyms_close(syms);
	return -1;
}

void elfsyms_close(struct elfsyms *syms)
{
	free(syms->sym);
	munmap(syms->image, syms->image_size);
	*syms = (struct elfsyms){ 0 };
}

const struct elfsym *elfsyms_find(const struct elfsyms *syms, const char *name)
{
	for (size_t i = 0; i < syms->nr; i++)
		if (!strcmp(syms->sym[i].name, name))
			return &syms->sym[i];
	return NULL;
}

const struct elfsym *elfsyms_at(const struct elfsyms *syms, uint64_t addr)
{
	size_t low = 0, high = syms->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (syms->sym[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? &syms->sym[low - 1] : NULL;
}
