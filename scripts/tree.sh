#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Prepares the kernel tree in build/linux: unpacks the base once, then lays our
# patches and files over it. Running it again touches only what changed, so that
# a kernel build after it compiles only that.
#
#   KSRC=DIR   use a copy of this 6.12 tree instead of the Debian package
#
#   tree.sh           prepare the tree
#   tree.sh --base    print what it is, or would be, made from
#   tree.sh --hooks   check only: do the hooks apply to the tree in KSRC?
set -eu
. "$(dirname "$0")/common.sh"

tarball=/usr/src/linux-source-6.12.tar.xz
supported=6.12
patched=$(sed -n 's,^+++ b/,,p' "$top"/mm/patches/*.patch | sort -u)

version_of() {
	sed -n 's/^VERSION = //p;s/^PATCHLEVEL = /./p;s/^SUBLEVEL = /./p' "$1/Makefile" | tr -d '\n'
}

check_version() {
	[ -f "$1/Makefile" ] && [ -f "$1/mm/page_alloc.c" ] ||
		die "$1 is not a kernel source tree"
	case $(version_of "$1") in
	$supported.*) ;;
	*) die "$1 is Linux $(version_of "$1"); supported are $supported.y, any y" ;;
	esac
}

# What the prepared tree is made of; a different base starts it afresh.
base_id() {
	if [ -n "${KSRC:-}" ]; then
		(cd "$KSRC" && echo "own tree $(version_of .) $(find . -name .git -prune -o -type f -printf '%P %s %T@\n' |
			LC_ALL=C sort | sha256sum | cut -c1-12)")
	else
		dpkg-query -W -f '${Package} ${Version}\n' linux-source-6.12 2> /dev/null || echo none
	fi
}

unpack() {
	[ -n "${KSRC:-}" ] || [ -f "$tarball" ] ||
		die "$tarball is missing: run 'make deps', or give KSRC=DIR"
	rm -rf "$tree" "$build/pristine"
	mkdir -p "$tree.new" "$build/pristine"
	if [ -n "${KSRC:-}" ]; then
		say "copying $KSRC"
		# Not what a build inside it has left: our builds are outside, and refuse a used tree.
		rsync -a --exclude=.git --exclude='*.o' --exclude='.*.cmd' --exclude=/.config \
			--exclude=/include/generated --exclude=/include/config \
			--exclude='/arch/*/include/generated' "$KSRC/" "$tree.new/"
	else
		say "unpacking $tarball (about half a minute)"
		tar -C "$tree.new" --strip-components=1 -xf "$tarball"
	fi
	check_version "$tree.new"
	(cd "$tree.new" && cp --parents $patched "$build/pristine/")
	mv "$tree.new" "$tree"
	base_id > "$build/base.new"
}

# Apply the hook patches inside the directory $1, of kernel version $2.
apply_hooks() {
	for p in "$top"/mm/patches/*.patch; do
		patch -d "$1" -p1 -s -f --no-backup-if-mismatch -r - < "$p" > "$build/hook.log" 2>&1 ||
			die "Linux $2: hook ${p##*/} does not apply: $(grep -m1 -i 'failed\|no such\|can.t find' "$build/hook.log")"
	done
}

# A file that a new hook touches has not been patched before.
keep_pristine() {
	for f in $patched; do
		[ -f "$build/pristine/$f" ] || (cd "$tree" && cp --parents "$f" "$build/pristine/")
	done
}

overlay() {
	o=$build/overlay
	rm -rf "$o"
	keep_pristine
	cp -r "$build/pristine" "$o"
	mkdir -p "$o/mm/pcp/bench" "$o/include/linux"
	cp "$o/mm/page_alloc.c" "$o/mm/pcp/bench/reference.c"
	apply_hooks "$o" "$(version_of "$tree")"
	cp "$top"/include/linux/*.h "$o/include/linux/"
	cp -r "$top"/mm/pcp/. "$o/mm/pcp/"
	for v in "$top"/variants/*/; do
		cp -r "$v" "$o/mm/pcp/"
	done
	find "$o/mm/pcp" -name README.md -o -name variant.config -o -name expected-report | xargs rm -f
	expand_choices "$top/mm/pcp/Kconfig" "$o/mm/pcp" > "$o/Kconfig.new"
	mv "$o/Kconfig.new" "$o/mm/pcp/Kconfig"
	rsync -rc "$o/" "$tree/"
	rsync -rc --delete "$o/mm/pcp/" "$tree/mm/pcp/"
}

mkdir -p "$build"
[ -z "${KSRC:-}" ] || check_version "$KSRC"
case ${1:-} in
--base)
	base_id
	exit 0
	;;
--hooks)
	o=$(mktemp -d)
	trap 'rm -rf "$o"' EXIT
	(cd "$KSRC" && cp --parents $patched "$o/")
	apply_hooks "$o" "$(version_of "$KSRC")"
	say "hooks apply to Linux $(version_of "$KSRC")"
	exit 0
	;;
esac

if ! [ -d "$tree" ] || [ "$(base_id 2> /dev/null)" != "$(cat "$build/base" 2> /dev/null)" ]; then
	unpack
	mv "$build/base.new" "$build/base"
fi
overlay
