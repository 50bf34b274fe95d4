/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From what a boot left behind to its records. */
#ifndef PCPLAB_RECORD_H
#define PCPLAB_RECORD_H

#include <stdbool.h>
#include <jansson.h>

struct boot_result {
	const json_t *plan;	/* the boot's line in plan.jsonl */
	const char *status;	/* how the boot ended: as in struct boot_end */
	const char *reason;	/* its first telling line, or NULL */
	const char *records;	/* all that came over the guest's record port */
	const char *meters;	/* all that the plugin wrote; NULL when it was not loaded */
	const json_t *env;	/* the records' "env" */
};

/**
 * records_make() - make the records of a boot that is over, well or badly
 * @b: what the boot left behind
 *
 * Trouble in the kernel log (panic, oops, stall, warn) marks all records of the boot. Any other bad
 * end marks those without result; if all have one, the last. What cannot be understood is
 * "garbage".
 *
 * Context: pure.
 * Return: a new array, one record for each workload of the plan, in its order.
 */
json_t *records_make(const struct boot_result *b);

#endif
