/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the fragments of a variant say of it. */
#ifndef PCPLAB_VARIANT_H
#define PCPLAB_VARIANT_H

#include <jansson.h>
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

/**
 * variant_expected_report() - what a variant makes the kernel complain about
 * @name: name of a variant, of several parts or one
 *
 * A design may be expected to break one of the kernel's rules: then the file expected-report in its folder
 * has the headline of the report and, in a second line, the function that must be named further down in it.
 *
 * Return: new array of the two strings, or NULL.
 */
json_t *variant_expected_report(const char *name);

#endif
