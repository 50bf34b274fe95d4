/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stages as functions, for the subcommands and for `eval`, which calls several. */
#ifndef PCPLAB_STAGES_H
#define PCPLAB_STAGES_H

#include "util.h"

/**
 * build_kernels() - build kernels, or find them up to date
 * @flavor: their flavour
 * @variants: array of strings: their variants
 * @dry: only print what would be called
 *
 * The log of each goes to build/log.
 *
 * Return: RC_OK, or RC_FAILED (error printed, with the log's end).
 */
int build_kernels(const char *flavor, const json_t *variants, bool dry);

/**
 * run_kernels() - the kernels that a run needs
 * @run: from run_json()
 *
 * Return: array of variants, owned by @run.
 */
json_t *run_kernels(const json_t *run);

/**
 * run_boots() - make the boots of a run that are not finished
 * @dir: the run's folder
 * @dry: only print what would be started
 *
 * Context: the caller holds the lock of the results folder, unless @dry.
 * Return: RC_OK when every boot is finished (well or badly: see the records), RC_FAILED when
 * interrupted or stopped by an error (printed), RC_USAGE when the run's inputs have changed (error
 * printed).
 */
int run_boots(const char *dir, bool dry);

/**
 * run_json() - read a run's run.json
 * @dir: the run's folder
 *
 * Return: a new reference, or NULL (error printed).
 */
json_t *run_json(const char *dir);

/* How far a run is, for the line that says so. */
struct progress {
	size_t total, done, at_start;
	GHashTable *seconds;	/* cell -> struct cell_time, what a boot of that name took */
	bool tty;
};

/**
 * progress_init() - start counting
 * @p: filled in
 * @total: number of boots in the run
 * @done: number of those that were finished before
 */
void progress_init(struct progress *p, size_t total, size_t done);

/**
 * progress_boot() - say which boot begins
 * @p: the progress
 * @plan: all boots of the run
 * @i: index of the boot that begins; those after it that are not in @finished are still to come
 * @finished: set of the names of finished boots
 */
void progress_boot(struct progress *p, const json_t *plan, size_t i, GHashTable *finished);

/**
 * progress_tell() - pass on what the guest says of a long workload
 * @p: the progress
 * @boot: the boot's line in the plan
 * @text: one line
 */
void progress_tell(struct progress *p, const json_t *boot, const char *text);

/**
 * progress_end() - note that a boot is over
 * @p: the progress
 * @boot: its line in the plan
 * @status: how it ended
 * @reason: why, NULL when well
 * @seconds: host time it took
 */
void progress_end(struct progress *p, const json_t *boot, const char *status, const char *reason,
		  double seconds);

/**
 * progress_free() - end the line, free what progress_init() made
 * @p: the progress
 */
void progress_free(struct progress *p);

#endif
