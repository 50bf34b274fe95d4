#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The contract and its users must not drift apart:
#  - the call sites use only what the contract names, and all of it is used, by
#    them or by another part of the design;
#  - each implementation provides its whole half of the contract;
#  - no call site looks at the selected design or at the lists' lock.
# contract.sh [REPOSITORY], so that a test can point it at a broken copy.
set -eu
. "$(dirname "$0")/common.sh"

repo=${1:-$top}
contract=$repo/include/linux/pcp_contract.h
hooks=$(cat "$repo"/mm/patches/*.patch)
bad=0

complain() { printf 'contract: %s\n' "$*" >&2; bad=1; }

# Names that the contract declares between two of its headings.
names() {
	awk -v from="$1" -v to="$2" 'index($0, "---- " from) { on = 1 } index($0, "---- " to) { on = 0 } on' "$contract" |
		grep -v '^ \*' |
		grep -o '\<pcp_[a-z_]*(' | tr -d '(' | sort -u
}

exclusion=$(names "What a design's exclusion" "What a design's bound")
bound=$(names "What a design's bound" "What mm/page_alloc.c")
[ -n "$exclusion" ] && [ -n "$bound" ] || die "$contract has lost its headings"

added=$(printf '%s\n' "$hooks" | sed -n 's/^+\([^+]\)/\1/p')
calls() { grep -v '^[[:space:]/]*\*' | grep -o '\<pcp_[a-z_]*(' | tr -d '(' | sort -u; }
used=$(printf '%s\n' "$added" | calls)
inner=$(grep -h '^	' "$repo"/variants/*/bound.h "$repo"/mm/pcp/*side.h | calls)

for n in $used; do
	grep -q "\<$n(" "$contract" || grep -q "\<$n(" "$repo/mm/pcp/hold.h" ||
		complain "mm/page_alloc.c calls $n(), which the contract does not name"
done
for n in $exclusion $bound; do
	printf '%s\n' "$used" "$inner" | grep -qx "$n" || complain "nobody calls $n() of the contract"
done

# A half may include the part of it that it shares with other designs.
provides() {
	shared=$(sed -n 's,^#include "\.\./\(.*side\.h\)",\1,p' "$1")
	for n in $2; do
		cat "$1" ${shared:+"$repo/mm/pcp/$shared"} | grep -q "^[^ *].*\<$n(\|^$n(" ||
			complain "${1#"$repo/"} lacks $n()"
	done
}
for f in "$repo"/variants/*/exclusion.h; do provides "$f" "$exclusion"; done
for f in "$repo"/variants/*/bound.h; do provides "$f" "$bound"; done

# How many zones a node has is no design's secret: structures depend on it.
behind=$(printf '%s\n' "$added" | grep 'CONFIG_PCP_\|pcp->lock' | grep -v 'CONFIG_PCP_BATCH_SCALE_MAX\|CONFIG_PCP_NORMAL_ZONES') || true
switches=$(sed -n 's/^+\([^+]\)/\1/p' $(grep -l '^+.*pcp_contract.h' "$repo"/mm/patches/*.patch) | grep '#if') || true
[ -z "$behind$switches" ] ||
	complain "a call site looks behind the contract"

[ $bad = 0 ] && say "the contract and its users agree"
exit $bad
