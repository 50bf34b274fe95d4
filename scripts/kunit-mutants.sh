#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests the KUnit suites: each broken page allocator of eval/tests/kunit.mutants must be found.
# kunit-mutants.sh [NAME...]: these only. Takes one to two minutes each on two cores.
# A mutant counts as found when a case fails; one that only the kernel's own checks saw, or that died, is told apart.
set -eu
. "$(dirname "$0")/common.sh"

list=$top/eval/tests/kunit.mutants
tab=$(printf '\t')
work=$build/test/mutants
mkdir -p "$work"

boot() {
	numa="-object memory-backend-ram,id=m0,size=512M -numa node,cpus=0-1,memdev=m0
		-object memory-backend-ram,id=m1,size=512M -numa node,cpus=2-3,memdev=m1 -smp 4,sockets=2"
	case $1 in up*) numa="-smp 1" ;; esac
	append="console=ttyS0 loglevel=5 panic=-1 oops=panic noreplace-smp -- seed=1"
	for s in $(echo "$2" | tr , ' '); do append="$append kunit:suite=$s"; done
	rm -f "$work/console" "$work/records"
	timeout 240 qemu-system-x86_64 -machine pc -nodefaults -no-reboot -display none -monitor none \
		-accel tcg,thread=multi -cpu qemu64,+cx16 -m 1024M $numa \
		-serial "file:$work/console" -serial "file:$work/records" \
		-kernel "$build/obj/$1/vmlinux" -initrd "$build/guest/initramfs.cpio" -append "$append" > "$work/qemu" 2>&1 || true
}

# What the guest said, the first failed case first.
verdict() {
	failed=$(grep -o 'not ok [0-9]* pcp_[a-z0-9_]*' "$work/records" | sed 's/.* //' | tr '\n' ' ')
	trouble=$(grep -m1 -o 'BUG: .*\|WARNING: .*\|Kernel panic.*\|corruption.*' "$work/console" | cut -c1-80 || true)
	if [ -n "$failed" ]; then
		echo "found by $failed"
	elif [ -n "$trouble" ]; then
		echo "found only by the kernel: $trouble"
	elif ! grep -q '"type":"end"' "$work/records"; then
		echo "found only as a guest that did not come to its end"
	else
		echo "NOT FOUND"
	fi
}

break_and_build() {
	"$top/scripts/tree.sh"
	cp "$tree/$4" "$work/before"
	sed -i "$5" "$tree/$4"
	! cmp -s "$work/before" "$tree/$4" || { echo "nothing to change"; return 1; }
	make -C "$tree" O="$build/obj/$2" CC="ccache gcc" -j2 vmlinux > "$work/build.log" 2>&1 ||
		{ echo "does not compile: $(grep -m1 error: "$work/build.log")"; return 1; }
}

judge() {
	CONFIG_ONLY=1 "$top/scripts/kernel.sh" "$3" "$2" > /dev/null
	break_and_build "$@" || return 0
	boot "$2" "$6"
	verdict
}

export CCACHE_BASEDIR="$build" CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=time_macros
export KBUILD_BUILD_TIMESTAMP="Thu Jan  1 00:00:00 UTC 2026" KBUILD_BUILD_USER=pcplab KBUILD_BUILD_HOST=pcplab
trap '"$top/scripts/tree.sh"' EXIT
bad=0 n=0
while IFS=$tab read -r name flavor variant suites file change <&3; do
	case $name in ''|'#'*) continue ;; esac
	[ $# = 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
	answer=$(judge "$name" "$flavor" "$variant" "$file" "$change" "$suites")
	n=$((n + 1))
	printf '%-26s %s\n' "$name" "$answer"
	case $answer in found*) ;; *) bad=$((bad + 1)) ;; esac
done 3< "$list"
[ $n -gt 0 ] || die "no such mutant; there are: $(grep -v '^#' "$list" | cut -f1 | tr '\n' ' ')"
echo "mutants: $((n - bad)) found, $bad not"
[ $bad = 0 ]
