/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the fragments of a variant say of it. */
#ifndef PCPLAB_VARIANT_H
#define PCPLAB_VARIANT_H

#include <stdbool.h>

enum variant_kind {
	VARIANT_DESIGN,
	VARIANT_AID,		/* measures the others: nothing to use it for, and nothing to judge */
	VARIANT_BROKEN,		/* on purpose, to test the tests */
};

/**
 * variant_option() - the option that makes a variant what it is, where it is no design
 * @name: variant, or several joined by '+'
 *
 * Return: a static string, as "CONFIG_PCP_BUSTED"; NULL for a design.
 */
const char *variant_option(const char *name);

/**
 * variant_kind() - what a variant is for
 * @name: variant, or several joined by '+'
 *
 * Return: the kind; a variant that does not exist (any more) counts as a design.
 */
enum variant_kind variant_kind(const char *name);

/**
 * variant_kind_name() - what a variant is for, in a word
 * @name: variant, or several joined by '+'
 *
 * Return: "design", "aid" or "broken".
 */
const char *variant_kind_name(const char *name);

#endif
