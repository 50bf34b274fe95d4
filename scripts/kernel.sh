#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Builds one kernel: kernel.sh VARIANT FLAVOR, e.g. kernel.sh batched perf.
# VARIANT is one folder under variants/, or several joined by '+'; the later win.
# The result is build/kernels/FLAVOR/VARIANT/{vmlinux,config,meta.json}.
#
#   CONFIG_ONLY=1  stop when the configuration is made and checked
set -eu
. "$(dirname "$0")/common.sh"

[ $# -eq 2 ] || die "usage: kernel.sh VARIANT FLAVOR"
variant=$1
flavor=$2
out=$build/kernels/$flavor/$variant

known() { ls "$1" | sed -n "s/$2//p" | tr '\n' ' '; }

# The fragments of a flavour, those it includes first.
flavor_fragments() {
	f=$top/eval/flavors/$1.config
	[ -f "$f" ] || die "no flavour '$1'; there are: $(known "$top/eval/flavors" '\.config$' | sed 's/base //')"
	for i in $(sed -n 's/^#include //p' "$f"); do
		flavor_fragments "$i"
	done
	echo "$top/eval/flavors/$1.config"
}

variant_fragments() {
	for v in $(echo "$variant" | tr + ' '); do
		[ -f "$top/variants/$v/variant.config" ] ||
			die "no variant '$v'; there are: $(known "$top/variants" '$')"
		echo "$top/variants/$v/variant.config"
	done
}

flavor_list=$(flavor_fragments "$flavor")
# What a flavour asks of make itself: an architecture, its compiler, more warnings.
make_args=$(sed -n 's/^#make //p' "$top/eval/flavors/$flavor.config")
cross=$(printf '%s\n' "$make_args" | tr ' ' '\n' | sed -n 's/^CROSS_COMPILE=//p')
variant_list=$(variant_fragments)
fragments="$flavor_list $variant_list"

# The number of zones is in structures that every file knows: such kernels get objects of their own.
zones=$(sed -n 's/^CONFIG_PCP_ZONES_\([2-9]\)=y/-zones\1/p' $variant_list | tail -1)
obj=$build/obj/$flavor$zones

# A requested option that did not survive means that we would measure something else.
check_config() {
	sed -n 's/^\(CONFIG_[A-Z0-9_]*\)=\(.*\)/\1 \2/p' $fragments |
	awk '{ want[$1] = $2 } END { for (k in want) print k, want[k] }' | sort |
	while read -r key value; do
		if [ "$value" = n ]; then
			! grep -q "^$key=" .config || echo "  $key should be off"
		else
			grep -qxF "$key=$value" .config || echo "  $key=$value"
		fi
	done > lost
	rm -f "$out/refused"
	# The matrix of suites tells why there is no such kernel.
	[ ! -s lost ] || { cp lost "$out/refused"; cat lost >&2; die "$flavor/$variant: these requested options did not survive"; }
}

configure() {
	"$tree/scripts/kconfig/merge_config.sh" -m -Q -O . $fragments > merge.log 2>&1 ||
		die "merging the fragments failed: see $obj/merge.log"
	mv .config requested
	make -s -C "$tree" O="$obj" $make_args KCONFIG_ALLCONFIG="$obj/requested" allnoconfig > merge.log 2>&1 ||
		die "allnoconfig failed: see $obj/merge.log"
	check_config
}

inputs() {
	"$top/scripts/tree.sh" --base
	"${cross}gcc" --version | head -1
	cat $fragments
	cd "$top" && find mm include variants -type f ! -name README.md | LC_ALL=C sort | xargs sha256sum
}

# Sets cc. Paths are hashed relative to build/, so that another clone finds what this one compiled.
choose_compiler() {
	cc=${cross}gcc
	command -v ccache > /dev/null || return 0
	cc="ccache $cc"
	export CCACHE_BASEDIR="$build" CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=time_macros
}

write_meta() {
	cat > "$out/meta.json" <<-E
	{"variant":"$variant","flavor":"$flavor","base":"$(cat "$build/base")",
	 "release":"$(cat include/config/kernel.release)","config_sha256":"$(sha256sum < .config | cut -d' ' -f1)",
	 "compiler":"$("${cross}gcc" --version | head -1)","vmlinux_sha256":"$(sha256sum < vmlinux | cut -d' ' -f1)"}
	E
}

# A build takes minutes: say how far it is. The sleep must hold neither the lock nor anybody's pipe.
watch_build() {
	while sleep 30 9>&- > /dev/null 2>&1; do
		say "$flavor/$variant: $(grep -c '^  CC ' "$log") files compiled in $(($(date +%s) - start)) s (about 1,100 from scratch)"
	done
}

mkdir -p "$build/log" "$obj" "$out"
exec 9> "$build/obj/lock"
flock -n 9 || { say "waiting for another kernel build"; flock 9; }

id=$(inputs | sha256sum)
if [ -z "${CONFIG_ONLY:-}" ] && [ "$id" = "$(cat "$out/inputs" 2> /dev/null)" ]; then
	say "$flavor/$variant is up to date"
	exit 0
fi
rm -f "$out/inputs"

"$top/scripts/tree.sh"
cd "$obj"
configure
[ -z "${CONFIG_ONLY:-}" ] || exit 0

log=$build/log/kernel-$flavor-$variant.log
say "building $flavor/$variant, log in ${log#"$top"/}"
export KBUILD_BUILD_TIMESTAMP="Thu Jan  1 00:00:00 UTC 2026" KBUILD_BUILD_USER=pcplab KBUILD_BUILD_HOST=pcplab
choose_compiler
start=$(date +%s)
watch_build &
watcher=$!
trap 'kill $watcher' EXIT
make -C "$tree" O="$obj" $make_args CC="$cc" -j"$(nproc)" vmlinux > "$log" 2>&1 ||
	die "the build failed: $(grep -m1 -E 'error:|undefined reference|\*\*\*' "$log") (whole log: $log)"

cp vmlinux "$out/vmlinux"
cp .config "$out/config"
write_meta
echo "$id" > "$out/inputs"
say "$flavor/$variant built in $(($(date +%s) - start)) s"
