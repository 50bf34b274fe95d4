#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# checkpatch over the kernel files that are ours and over the series of every
# branch. Needs a prepared tree (make tree).
set -eu
. "$(dirname "$0")/common.sh"

[ -x "$tree/scripts/checkpatch.pl" ] || die "no kernel tree yet: run 'make tree'"
cd "$top"
ours=$(find include mm/pcp variants -name '*.[ch]')
# New files need no MAINTAINERS entry in a research tree, and each stands alone.
opts="--no-tree --terse --quiet --strict --ignore FILE_PATH_CHANGES,SPDX_LICENSE_TAG,MACRO_ARG_REUSE"
"$tree/scripts/checkpatch.pl" $opts -f $ours
"$top/scripts/branches.sh"
series=$(mktemp -d)
trap 'rm -rf "$series"' EXIT
for branch in $(git -C "$build/branches" for-each-ref --format='%(refname:short)' refs/heads); do
	git -C "$build/branches" format-patch -q -o "$series/$branch" "base..$branch"
done
# Lists of zone types are macros that checkpatch would have otherwise, and a longer one has to be like them.
zones=$(grep -l '^+.*CONFIG_PCP_NORMAL_ZONES' "$series"/*/*.patch)
"$tree/scripts/checkpatch.pl" $opts $(ls "$series"/*/*.patch | grep -vxF "$zones")
"$tree/scripts/checkpatch.pl" $opts,COMPLEX_MACRO,MACRO_ARG_UNUSED $zones
say "checkpatch has nothing to say about $(echo $ours | wc -w) files and $(ls "$series"/*/* | wc -l) patches"
