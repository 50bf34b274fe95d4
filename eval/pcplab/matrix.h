/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every run found out about every design: pass, fail, known, or why not. */
#ifndef PCPLAB_MATRIX_H
#define PCPLAB_MATRIX_H

#include "util.h"

/**
 * matrix_json() - collect the newest results of all suites
 *
 * Reads the runs in all results folders of the command line, and what scripts wrote about builds and
 * refused configurations in the build folder. A run that cannot be read is named under "unread".
 *
 * Return: a new object as in FORMATS.md.
 */
json_t *matrix_json(void);

/**
 * matrix_older() - is all that a matrix would be made of older than a file?
 * @path: the file
 */
bool matrix_older(const char *path);

/**
 * matrix_fold() - lay results out as a table
 * @m: object with "cells", gets "columns", "rows", "notes", "unseen", "absent" and "silent"
 *
 * Context: reads variants/ and eval/flavors/ of the source tree for their names and kinds.
 */
void matrix_fold(json_t *m);

/**
 * soak_json() - sum up the stress of each design
 * @cells: array of the matrix' cells
 *
 * Return: a new array, one object a variant and flavour.
 */
json_t *soak_json(const json_t *cells);

#endif
