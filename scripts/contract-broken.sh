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
must_find "a call site uses what is not in the contract" 'mm/patches/*.patch' 's/^+\(.*\)pcp_leave_of(/+\1pcp_leave_it(/'
must_find "nobody uses part of the contract" 'mm/patches/*.patch' 's/^+\(.*\)pcp_drain_max(zone, pcp)/+\1pcp->batch/'
must_find "a call site asks which design it is" 'mm/patches/*.patch' 's/^+\(.*\)pcp_drain_max(zone, pcp)/+\1pcp_drain_max(zone, pcp) + IS_ENABLED(CONFIG_PCP_SPIN)/'
must_find "a call site takes the lock itself" 'mm/patches/*.patch' 's/^+\(.*\)pcp_drain_max(zone, pcp)/+\1pcp_drain_max(zone, pcp) + spin_trylock(\&pcp->lock)/'
