/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where things stand in a YAML file, and whether its keys are known. */
#ifndef PCPLAB_SPECMAP_H
#define PCPLAB_SPECMAP_H

#include <cyaml/cyaml.h>
#include "util.h"

/**
 * specmap_new() - walk a YAML text once: map paths to lines, refuse unknown and repeated keys
 * @path: file's name for messages
 * @text: the YAML text
 * @schema: what libcyaml will be told to load; its mappings say which keys are allowed
 *
 * Return: a table from paths like "boots[0].workloads[1].order" to lines (as pointers), or NULL
 * (error printed).
 */
GHashTable *specmap_new(const char *path, const char *text, const cyaml_schema_value_t *schema);

/**
 * specmap_line() - line of a path
 * @map: from specmap_new()
 * @fmt: printf format of the path
 *
 * Return: the line of the path, or of its nearest parent that is in the file; counted from 1.
 */
int specmap_line(GHashTable *map, const char *fmt, ...) G_GNUC_PRINTF(2, 3);

#endif
