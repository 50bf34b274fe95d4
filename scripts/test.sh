#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The project's tests: user-space tests, then kernels built, booted and measured.
# test.sh [all]: with 'all', every design and suite in every flavour, which takes hours.
set -eu
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/tally.sh"

cd "$top"
runs=$build/test
pcplab="$build/pcplab -R $runs"
expect=$build/tests/expect
mkdir -p "$runs"

# counted COMMAND...: it prints its tests itself, and leaves the two counts in $TALLY.
counted() {
	: > "$runs/tally"
	TALLY=$runs/tally "$@" || true
	read -r p f < "$runs/tally" || { p=0 f=1; }
	passed=$((passed + p)) failed=$((failed + f))
}

# measured NAME SPEC [SEED]: a new run, its statistics in $runs/NAME.json, its folder in $runs/NAME.
# What an earlier test left under that name goes first, or a run that never started would be judged by it.
measured() {
	rm -f "$runs/$1" "$runs/$1.json"
	$pcplab eval "$2" --new ${3:+--seed "$3"} || return 1
	ln -sfn "$(readlink -f "$runs/latest")" "$runs/$1"
	$pcplab -q stats --json > "$runs/$1.json"
}

clean() {
	measured "$1" "$2" || true
	$expect clean "$runs/$1/records.jsonl"
}

# A flavour is built and booted in every design, and the kernel logs are clean.
boots() {
	spec=$runs/smoke-$1.yaml
	sed "s/^flavor: .*/flavor: $1/" "$2" > "$spec"
	run_test "$1: built, booted, kernel logs clean" clean "smoke-$1" "$spec"
}

# suites SPEC FLAVOR VARIANTS [SECS]: a spec's suites in some designs, its stress so long.
suites() {
	spec=$runs/$1-$2.yaml
	sed "s/^flavor: .*/flavor: $2/; s/^variants: .*/variants: [$3]/; s/{name: stress}/{name: stress, secs: ${4:-60}}/" \
		"eval/specs/$1.yaml" > "$spec"
	run_test "$2: suites of $1: $3" clean "$1-$2" "$spec"
}

# Checkers that find nothing are found out first.
broken() {
	run_test "broken: kernels that lose pages and sections" measured broken eval/specs/broken.yaml
	while read -r variant label status; do
		run_test "broken: $label of $variant is recorded as $status" \
			"$expect" variant "$runs/broken/records.jsonl" "$variant" "$label" "$status"
	done <<-E
	busted stress:secs=20,hotplug=0 fail
	blind f2 warn
	E
}

counted make --no-print-directory check
boot_checks=$(make -s boot-checks)
make -s --no-print-directory -j2 programs $boot_checks
export PCPLAB_VMLINUX=$build/kernels/perf/stock/vmlinux PCPLAB_INITRD=$build/guest/initramfs.cpio

for v in unpatched stock batched scale0; do
	run_test "perf/$v: built" scripts/kernel.sh $v perf
done
run_test "checkpatch" scripts/style.sh
for t in $boot_checks; do
	run_test "${t##*/}" "$t"
done

run_test "neutral: measured" measured neutral eval/specs/neutral.yaml 1
for metric in insn_per_op locked_per_op stores_per_op; do
	run_test "neutral: $metric of stock within 0.5 % of unpatched" \
		"$expect" near "$runs/neutral.json" unpatched stock $metric 0.5
done
run_test "neutral: measured again" measured again eval/specs/neutral.yaml 1
run_test "repeatable: insn_per_op within 0.2 %" "$expect" same "$runs/neutral.json" "$runs/again.json" insn_per_op 0.2

run_test "trouble: guests that go wrong, one after the other" measured trouble eval/specs/trouble.yaml
while read -r label status; do
	run_test "trouble: $label is recorded as $status" "$expect" status "$runs/trouble/records.jsonl" "$label" "$status"
done <<E
pairs:n=100 ok
trouble ok
trouble:kind=1 warn
trouble:kind=2 oops
trouble:kind=3 panic
trouble:kind=9 panic
trouble:kind=4 stall
pairs:n=200 ok
trouble:kind=5 silent
trouble:kind=6 garbage
pairs:n=300 ok
trouble:kind=7 exit
pairs:n=400 ok
trouble:kind=8 silent
E

run_test "zones: as they should lie, each preferred, memory hotplug" clean split eval/specs/split.yaml

boots debug eval/specs/smoke.yaml
boots up eval/specs/smoke-up.yaml
boots up-debug eval/specs/smoke-up.yaml

# One design for each way to exclude and to bound; all of them, and what takes long, in test-all.
suites kunit debug "stock, localtry, ipi+refill"
suites kunit-up up "stock, ipi+refill"
if [ "${1:-}" = all ]; then
	all="stock, batched, follow, pin, refill, localtry, localtry+refill, ipi, ipi+refill, zones2"
	smp="$all, ipi-inhandler, ipi+follow+refill, ipi+pin+refill, ipi+batched+zones2"
	broken
	suites kunit debug "$smp"
	suites stress debug "$smp" 120
	suites faults debug "$smp"
	suites kunit-up up "$all"
	suites kunit-up up-debug "$all"
	suites kunit rt "$all"
	suites stress rt "$all" 60
	suites faults rt "$all"
	counted scripts/builds.sh
	boots rt eval/specs/smoke.yaml
	boots trace eval/specs/smoke.yaml
	run_test "zones: under every checker, with CMA and faked nodes" clean split-debug eval/specs/split-debug.yaml
	sed 's/^variants: .*/variants: [zones3, zones4]/' eval/specs/split.yaml > "$runs/split-more.yaml"
	run_test "zones: three and four of them" clean split-more "$runs/split-more.yaml"
fi

tally_end
