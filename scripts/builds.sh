#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Builds designs where they cannot be booted here: builds.sh [VARIANT...]
# Every flavour of ours with W=1 and an architecture or size of its own, no
# warning that the unpatched source does not give; then sparse, likewise.
# One line a build goes to build/builds.jsonl, for 'pcplab show --matrix'.
set -eu
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/tally.sh"

flavors="tiny i386 arm64"
variants=${*:-"stock batched follow pin refill localtry localtry+refill ipi ipi-inhandler ipi+refill zones2"}
patched=$(sed -n 's,^+++ b/,,p' "$top"/mm/patches/*.patch | sort -u | tr '\n' '|')
ours="mm/pcp/|include/linux/pcp_contract|include/linux/local_trylock|${patched%|}"

# Warnings about files that are ours, in part or whole, without the lines they are in.
warnings() {
	grep -E "($ours)[^ ]*:[0-9]+:[0-9]+: (warning|error)" "$1" |
		sed -E 's,^([^ ]*/)?(mm/|include/|kernel/|arch/)([^:]*):[0-9]+:[0-9]+,\2\3,; s,mm/pcp/bench/reference\.c,mm/page_alloc.c,' | sort -u
}

record() {
	printf '{"variant":"%s","flavor":"%s","suite":"%s","status":"%s","reason":%s,"date":"%s"}\n' \
		"$1" "$2" "$3" "$4" "$5" "$(date -u +%Y-%m-%dT%H:%M:%SZ)" >> "$build/builds.jsonl"
}

# judge VARIANT FLAVOR SUITE NEW-WARNINGS: pass when that file is empty.
judge() {
	if [ -s "$4" ]; then
		record "$1" "$2" "$3" fail "\"$(head -1 "$4" | sed 's/[\\"]/\\&/g')\""
		sed 's/^/    /' "$4"
		return 1
	fi
	record "$1" "$2" "$3" ok null
}

# The log of a build names only what was compiled: the warnings of the rest are in the first one.
builds() {
	log=$build/log/kernel-$2-$1.log
	rm -f "$log"
	if ! "$top/scripts/kernel.sh" "$1" "$2" > "$build/log/builds.out" 2>&1; then
		[ ! -f "$build/kernels/$2/$1/refused" ] || return 0	# Kconfig offers it not here: no failure
		tail -1 "$build/log/builds.out"
		record "$1" "$2" "build W=1" fail "\"$(tail -1 "$build/log/builds.out" | sed 's/[\\"]/\\&/g')\""
		return 1
	fi
	[ -f "$log" ] || return 0	# nothing changed since it was judged
	warnings "$log" > "$build/log/builds.new" || true
	judge "$1" "$2" "build W=1" "$build/log/builds.new"
}

# Conditional locking is beyond sparse, also in the unpatched file: only what is new counts.
sparse() {
	(cd "$build/obj/perf" && touch "$tree/mm/page_alloc.c" &&
	 make -C "$tree" O="$build/obj/perf" C=1 CHECK=sparse mm/page_alloc.o $3) > "$2" 2>&1
}

sparse_base() {
	"$top/scripts/kernel.sh" unpatched perf &&
		touch "$tree/mm/pcp/bench/reference.c" &&
		sparse unpatched "$build/log/sparse-unpatched.log" mm/pcp/bench/reference.o
	warnings "$build/log/sparse-unpatched.log" > "$build/log/sparse.base" || true
}

sparse_variant() {
	"$top/scripts/kernel.sh" "$1" perf > /dev/null || return 1
	find "$tree/mm/pcp" -name '*.c' -exec touch {} +
	sparse "$1" "$build/log/sparse-$1.log" mm/pcp/ || { tail -3 "$build/log/sparse-$1.log"; return 1; }
	warnings "$build/log/sparse-$1.log" | grep -vxFf "$build/log/sparse.base" > "$build/log/sparse.new" || true
	judge "$1" perf sparse "$build/log/sparse.new"
}

cd "$top"
mkdir -p "$build/log"
for f in $flavors; do
	for v in $variants; do
		run_test "$f/$v: builds with W=1 and no new warning" builds "$v" "$f"
	done
done
run_test "sparse: the unpatched source" sparse_base
for v in $variants; do
	run_test "sparse: $v has no new warning" sparse_variant "$v"
done
tally_end
