#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Breaks a copy of the contract and its users in each way that contract.sh
# claims to find, and fails if one is not found.
set -eu
. "$(dirname "$0")/common.sh"

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

# must_find WHAT FILE SED-EXPRESSION
must_find() {
	rm -rf "$copy"/*
	cp -r "$top/include" "$top/mm" "$top/variants" "$copy/"
	sed -i "$3" "$copy"/$2
	! "$top/scripts/contract.sh" "$copy" > "$copy/out" 2>&1 || die "not found: $1"
	say "found: $1"
	sed 's/^/    /' "$copy/out"
}

must_find "a design lacks a function" variants/stock/bound.h 's/pcp_drain_max/pcp_drain_most/'
must_find "a call site uses what is not in the contract" 'mm/patches/*.patch' 's/^+\(.*\)pcp_decay(/+\1pcp_decay_it(/'
must_find "a design lacks what it should share" variants/ipi/exclusion.h '/outside\.h"/d'
must_find "nobody uses part of the contract" 'mm/patches/*.patch' 's/^+\(.*\)pcp_expire(/+\1pcp_decay(/'
must_find "a call site asks which design it is" 'mm/patches/*.patch' 's/^+\(.*\)pcp_decay(zone, pcp,/+\1pcp_decay(zone, IS_ENABLED(CONFIG_PCP_SPIN) ? pcp : NULL,/'
must_find "a call site takes the lock itself" 'mm/patches/*.patch' 's/^+\(.*\)pcp_decay(zone, pcp,/+\1pcp_decay(zone, spin_trylock(\&pcp->lock) ? pcp : NULL,/'
