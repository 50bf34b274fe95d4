#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# checkpatch and sparse over the kernel files that are ours. Needs a prepared
# tree (make tree); without one it says so and passes over checkpatch.
set -eu
. "$(dirname "$0")/common.sh"

[ -x "$tree/scripts/checkpatch.pl" ] || die "no kernel tree yet: run 'make tree'"
cd "$top"
ours=$(find include mm/pcp variants -name '*.[ch]')
# New files need no MAINTAINERS entry in a research tree, and each stands alone.
opts="--no-tree --terse --quiet --strict --ignore FILE_PATH_CHANGES,SPDX_LICENSE_TAG"
"$tree/scripts/checkpatch.pl" $opts -f $ours
"$tree/scripts/checkpatch.pl" $opts mm/patches/*.patch
say "checkpatch has nothing to say about $(echo $ours | wc -w) files and $(ls mm/patches | wc -l) patches"
