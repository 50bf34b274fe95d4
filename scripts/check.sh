#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs user-space tests: check.sh PROGRAM... Prints one line for each and, last,
# how many passed. TALLY=FILE adds the two counts to that file instead.
set -eu
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/tally.sh"

for t in "$@"; do
	run_test "${t##*/}" "$t"
done
run_test "contract" "$top/scripts/contract.sh"
run_test "contract: a drift is found" "$top/scripts/contract-broken.sh"
tally_end
