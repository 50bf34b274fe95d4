#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes build/branches: a git repository of the kernel tree with a branch for
# each design. All start at one base commit, the unpatched source; each is a
# series that 'git format-patch base..NAME' prints and checkpatch accepts, and
# each selects its design by default.
set -eu
. "$(dirname "$0")/common.sh"

repo=$build/branches

git_() {
	git -C "$repo" -c user.name="pcplab developers" -c user.email=pcplab@localhost -c gc.auto=0 "$@"
}

selects() { grep -qxF "$2" "$top/variants/$1/variant.config"; }

# The folders whose code the variant $1 is made of, stock's first.
folders_of() {
	echo stock
	for mk in "$top"/variants/*/pcp.mk; do
		v=$(basename "${mk%/pcp.mk}")
		[ "$v" != stock ] || continue
		for key in $(sed -n 's/.*\$(\(CONFIG_[A-Z_]*\)).*/\1/p' "$mk" | sort -u); do
			! selects "$1" "$key=y" || echo "$v"
		done
	done
}

# Put contract and design folders into the work tree, and only the menu entries of those.
lay_out() {
	rm -rf "$repo/mm/pcp"
	mkdir -p "$repo/mm/pcp"
	cp "$top"/include/linux/*.h "$repo/include/linux/"
	cp "$top"/mm/pcp/*.h "$top/mm/pcp/pcp.mk" "$repo/mm/pcp/"
	for v in "$@"; do
		cp -r "$top/variants/$v" "$repo/mm/pcp/"
		rm -f "$repo/mm/pcp/$v/README.md" "$repo/mm/pcp/$v/variant.config" "$repo/mm/pcp/$v/expected-report"
	done
	expand_choices "$top/mm/pcp/Kconfig" "$repo/mm/pcp" |
	awk -v repo="$repo" '
		/^source/ { file = $2; gsub(/"/, "", file); if ((getline line < (repo "/" file)) <= 0) next }
		{ print }' | cat -s > "$repo/mm/pcp/Kconfig"
	rm -f "$repo"/mm/pcp/*/Kconfig
}

# commit SUBJECT < BODY
commit() {
	git_ add -A -f mm include
	{ printf '%s\n\n' "$1"; cat; printf '\nSigned-off-by: pcplab developers <pcplab@localhost>\n'; } |
		git_ commit -q -F -
}

# The paragraph "Idea" of a design's page.
idea_of() { awk '/^## / { on = /^## Idea/; next } on' "$top/variants/$1/README.md" | sed '/./,$!d' | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'; }

# Make CONFIG_$1=$2 the default in the file $3: in its choice, or of the option itself.
set_default() {
	awk -v name="$1" -v value="$2" '
		{ line[NR] = $0 }
		/^choice/ { choice = NR; def = 0 }
		/^\tdefault / && choice && !def { def = NR }
		/^endchoice/ { choice = 0 }
		$1 == "config" { own = ($2 == name); if (own && choice) line[def] = "\tdefault " name }
		own && !choice && /^\tdefault / { line[NR] = "\tdefault " value; own = 0 }
		own && !choice && /^\thelp/ { line[NR] = "\tdefault " value "\n" $0; own = 0 }
		END { for (i = 1; i <= NR; i++) print line[i] }' "$3" > "$3.new"
	cmp -s "$3" "$3.new" && rm "$3.new" || mv "$3.new" "$3"
}

select_by_default() {
	sed -n 's/^CONFIG_\([A-Z0-9_]*\)=\(.*\)/\1 \2/p' "$top/variants/$1/variant.config" |
	while read -r key value; do
		for f in "$repo/mm/Kconfig" "$repo/mm/pcp/Kconfig" "$repo"/mm/pcp/*/Kconfig.options; do
			[ ! -f "$f" ] || ! grep -q "^config $key\$" "$f" || set_default "$key" "$value" "$f"
		done
	done
}

prepare_base() {
	say "making the base commit (about a minute)"
	rm -rf "$repo"
	cp -r "$tree" "$repo"
	rm -rf "$repo/mm/pcp" "$repo/include/linux/pcp_contract.h"
	cp -r "$build/pristine/." "$repo/"
	git -C "$repo" init -q -b base
	git_ add -A -f .
	git_ commit -q -m "$(cat "$build/base")"
	cp "$build/base" "$repo/.git/base-package"
}

# The hook of the designs that split a node, which the others do without, and the folder with its menu entries.
zones_hook=$(grep -l CONFIG_PCP_NORMAL_ZONES "$top"/mm/patches/*.patch)
zones_folder=zones2

# What every design stands on: the hooks, and in the same commit as the calls the contract and stock's bodies.
branch_contract() {
	git_ checkout -q -f -B contract base
	git_ am -q $(grep -L CONFIG_PCP_NORMAL_ZONES "$top"/mm/patches/*.patch)
	lay_out stock
	git_ add -A -f mm include
	git_ commit -q --amend --no-edit
}

branch_zones() {
	git_ am -q "$zones_hook"
	lay_out stock $zones_folder
	git_ add -A -f mm include
	git_ commit -q --amend --no-edit
}

branch_variant() {
	git_ checkout -q -f -B "$1" contract
	! grep -q CONFIG_PCP_ZONES "$top/variants/$1/variant.config" || branch_zones
	for v in $(folders_of "$1" | grep -vx stock); do
		lay_out stock "$v"
		idea_of "$v" | commit "mm/pcp: add $v per-CPU page lists"
	done
	select_by_default "$1"
	git_ diff --quiet || idea_of "$1" | commit "mm/pcp: select $1 by default"
}

"$top/scripts/tree.sh"
cmp -s "$build/base" "$repo/.git/base-package" 2> /dev/null || prepare_base
branch_contract
for config in "$top"/variants/*/variant.config; do
	name=$(basename "${config%/variant.config}")
	! selects "$name" CONFIG_PCP_REFERENCE=y || continue	# a measuring aid, no design
	! selects "$name" CONFIG_PCP_TEST_ONLY=y || continue	# broken on purpose
	branch_variant "$name"
	say "branch $name: $(git_ rev-list --count base.."$name") commits on base"
done
git_ checkout -q -f stock
