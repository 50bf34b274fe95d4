# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced after common.sh: run tests, keep their output, count.

logs=$build/log/test
mkdir -p "$logs"
passed=0
failed=0

# run_test NAME COMMAND...: the output goes to a log, which is shown when it fails.
run_test() {
	name=$1
	shift
	log=$logs/$(echo "$name" | tr -c 'A-Za-z0-9_\n' -).log
	start=$(date +%s)
	if "$@" > "$log" 2>&1; then
		passed=$((passed + 1))
		printf 'ok   %-56s %4d s\n' "$name" $(($(date +%s) - start))
	else
		failed=$((failed + 1))
		printf 'FAIL %-56s %4d s\n' "$name" $(($(date +%s) - start))
		tail -n 15 "$log" | sed 's/^/     | /'
		printf '     whole log: %s\n' "${log#"$top"/}"
	fi
}

# The last line is what CI reads. With TALLY=FILE somebody else prints it.
tally_end() {
	if [ -n "${TALLY:-}" ]; then
		echo "$passed $failed" >> "$TALLY"
	else
		echo "$passed passed, $failed failed"
	fi
	[ $failed = 0 ]
}
