# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by the other scripts: where things are, and one style of message.

top=$(cd "$(dirname "$0")/.." && pwd)
build=$top/build
tree=$build/linux

say() { printf '%s: %s\n' "${0##*/}" "$*"; }
die() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }

# Kconfig takes no 'source' inside a choice: put the designs' entries there.
# expand_choices KCONFIG DIR prints it with mm/pcp/ standing for DIR; a folder that is not there is left out.
expand_choices() {
	awk -v dir="$2" '
		/^choice/ { inside = 1 }
		/^endchoice/ { inside = 0 }
		inside && /^source "mm\/pcp\// {
			file = $2; gsub(/"/, "", file); sub(/^mm\/pcp/, dir, file)
			while ((got = (getline line < file)) > 0) print line
			next
		}
		{ print }' "$1"
}
