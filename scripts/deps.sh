#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Installs the Debian packages that pcplab needs, if any is missing.
set -eu
. "$(dirname "$0")/common.sh"

packages="
	gcc make git patch rsync xz-utils bc bison flex cpio kmod libelf-dev libssl-dev pkg-config
	linux-source-6.12 ccache sparse gcc-aarch64-linux-gnu
	qemu-system-x86 rt-tests stress-ng busybox-static
	libjansson-dev libgsl-dev libuv1-dev libcyaml-dev libyaml-dev libcmocka-dev libglib2.0-dev libncurses-dev perl
	gnuplot-nox
"

installed=$(dpkg-query -W -f '${Status} ${Package}\n' $packages 2> /dev/null | sed -n 's/^install ok installed //p')
missing=
for p in $packages; do
	echo "$installed" | grep -qxF "$p" || missing="$missing $p"
done
[ -n "$missing" ] || exit 0

sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
say "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
mkdir -p "$build/log"
{
	$sudo apt-get update &&
	$sudo apt-get install -y --no-install-recommends $missing
} > "$build/log/deps.log" 2>&1 ||
	die "installing failed (this needs Debian 12, and root or sudo): see $build/log/deps.log"
