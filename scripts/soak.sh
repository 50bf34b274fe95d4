#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The stress for a long time: soak.sh MINUTES FLAVOR VARIANT...
# One guest per design, one after the other. Interrupt it whenever you like: called again with the same arguments it goes
# on with the design that was interrupted. The records stay in results/.
set -eu
. "$(dirname "$0")/common.sh"

[ $# -ge 3 ] || die "usage: soak.sh MINUTES FLAVOR VARIANT..."
minutes=$1
flavor=$2
shift 2
case $minutes in
''|*[!0-9]*|0*) die "MINUTES must be a whole number from 1 to 1440, not '$minutes': make soak MINUTES=30" ;;
esac
[ "${#minutes}" -le 4 ] && [ "$minutes" -le 1440 ] ||
	die "MINUTES must be a whole number from 1 to 1440, not '$minutes': make soak MINUTES=30"

mkdir -p "$build/soak"
spec=$build/soak/soak.yaml
# What stands there is what was asked for: the same arguments are the same experiment.
cat > "$spec" <<Y
question: Do the designs keep every page, and the kernel log clean, over $minutes minutes of all that can happen to the lists?
purpose: test
variants: [$(echo "$@" | sed 's/ /, /g')]
flavor: $flavor
mode: tcg
runs: 1
deadline_s: $((minutes * 60 + 1200))
silence_s: 300
boots:
  - name: soak
    cpus: 4
    memory_mb: 384
    dimm_mb: 128
    cmdline: [cma=64M@256M]
    workloads: [{name: stress, secs: $((minutes * 60))}]
Y
say "$minutes minutes for each of: $*"
"$build/pcplab" plan --dry-run "$spec" > /dev/null
exec "$build/pcplab" eval "$spec"
