/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The records of a run: appended boot by boot, never rewritten. */
#ifndef PCPLAB_STORE_H
#define PCPLAB_STORE_H

#include "util.h"

struct store {
	char *path;
	int fd;
	GHashTable *done;	/* names of finished boots */
};

/**
 * store_open() - open a run's records, and cut off what an interrupted writer left
 * @s: filled in
 * @dir: the run's folder
 *
 * A boot is finished when its line {"type":"done","boot":…} is there. What follows the last such
 * line belongs to a boot that is not: it is cut off and said so, and that boot will be made again.
 *
 * Context: the caller holds the lock of the results folder.
 * Return: true, or false (error printed).
 */
bool store_open(struct store *s, const char *dir);

/**
 * store_append() - add a finished boot's records and its done line
 * @s: the store
 * @boot: the boot's name
 * @records: array of its records
 *
 * All in one write, followed by fsync. When that fails (a full disk), the file is cut back to what
 * it was.
 *
 * Return: true, or false (error printed).
 */
bool store_append(struct store *s, const char *boot, const json_t *records);

/**
 * store_close() - close a store
 * @s: the store
 */
void store_close(struct store *s);

/**
 * results_lock() - keep other pcplabs out of a results folder
 * @dir: the results folder; made when missing
 *
 * Return: a file descriptor to close for unlocking (the kernel does it when the process dies), or
 * -1 (error printed, names the process that holds it).
 */
int results_lock(const char *dir);

#endif
