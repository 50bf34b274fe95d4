#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests the test of the tracker: it must fail for each tracker with a mistake (tracker.mutants).
# Runs in the top folder. Fails too when a mistake cannot be made any more or does not compile.
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
tab=$(printf '\t')
passed=0 failed=0

judge() {
	sed "$2" eval/plugin/tracker.c > "$dir/tracker.c"
	cmp -s eval/plugin/tracker.c "$dir/tracker.c" && { echo "$1: nothing to change"; return 1; }
	${CC:-gcc} -std=gnu11 -w -Ieval/plugin -c -o "$dir/tracker.o" "$dir/tracker.c" || return 1
	${CC:-gcc} -o "$dir/test" "$dir/tracker.o" "$dir/rest.o" -lcmocka -ljansson -pthread || return 1
	timeout 20 "$dir/test" > /dev/null 2>&1 && { echo "$1: the test did not notice"; return 1; }
	return 0
}

for src in eval/tests/test_tracker.c eval/plugin/hist.c eval/plugin/opcodes.c eval/plugin/elfsyms.c; do
	${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -Ieval/plugin -c -o "$dir/$(basename $src .c).o" $src || exit 1
done
ld -r -o "$dir/rest.o" "$dir"/*.o || exit 1

while IFS=$tab read -r name change; do
	case $name in ''|'#'*) continue ;; esac
	if judge "$name" "$change"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done < eval/tests/tracker.mutants

# The unchanged tracker must pass, or the failures above say nothing.
cp eval/plugin/tracker.c "$dir/tracker.c"
${CC:-gcc} -std=gnu11 -w -Ieval/plugin -c -o "$dir/tracker.o" "$dir/tracker.c" &&
	${CC:-gcc} -o "$dir/test" "$dir/tracker.o" "$dir/rest.o" -lcmocka -ljansson -pthread &&
	"$dir/test" > /dev/null 2>&1 || { echo "the unchanged tracker fails"; failed=$((failed + 1)); }

echo "mutants: $passed found, $failed not"
[ "$failed" = 0 ]
