# tests/fuzz/fuzz.py with targets that only pretend: executions add up over runs and logs, and a finding is an exit
# status, a line and a number in the table.
set -euo pipefail
sources=$(cd "${TEST_SOURCE_DIR:-$(dirname "$0")/../..}" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/tests" "$scratch/logs"
export GPRGNN_FUZZ_COUNT=$scratch/elsewhere.json

# pretend NAME STATUS TEXT: a target that prints TEXT, as libFuzzer does, to stderr.
pretend() {
    printf '#!/bin/sh\ncat >&2 <<END\n%s\nEND\nexit %s\n' "$3" "$2" >"$scratch/tests/fuzz_$1"
    chmod +x "$scratch/tests/fuzz_$1"
}

# fuzz STATUS PART ARGUMENT...: what fuzz.py returns, and a line that it prints.
fuzz() {
    local status=0 wanted=$1 part=$2
    shift 2
    python3 "$sources/tests/fuzz/fuzz.py" "$@" >"$scratch/out" 2>&1 || status=$?
    if [ "$status" -ne "$wanted" ] || ! tr -s ' ' <"$scratch/out" | grep -qxF -e "$part"; then
        echo "FAILED: fuzz.py $*: status $status, not $wanted, or no line '$part'"
        cat "$scratch/out"
        exit 1
    fi
}

pretend good 0 '#9 NEW cov: 4 ft: 7 corp: 2/3b
stat::number_of_executed_units: 1000'
fuzz 0 'good 1000 1000 7 0 0' run "$scratch" --seconds 1
fuzz 0 'good 1000 2000 7 0 0' run "$scratch" --seconds 1
printf '#512 pulse cov: 4 ft: 9 corp: 1/1b\n' >"$scratch/logs/good.3.log" # ended from outside
fuzz 0 'good 512 2512 9 0 0' add "$scratch" "$scratch/logs"
pretend bad 77 '#5 NEW ft: 3
SUMMARY: AddressSanitizer: heap-buffer-overflow x.c:1
Test unit written to somewhere'
fuzz 1 'bad 5 5 3 0 1' run "$scratch" --seconds 1
fuzz 1 'bad: 5 executions, 3 features, FOUND: AddressSanitizer: heap-buffer-overflow x.c:1' run "$scratch" bad
pretend bad 3 'no line that counts'
fuzz 1 'bad: 0 executions, 0 features, FOUND: exit status 3' run "$scratch" --seconds 1 bad
# its end
printf 'stat::number_of_executed_units: 8\nTest unit written to out/findings/bad-crash-12ab\n' >"$scratch/bad.4.log"
fuzz 1 'bad 8 18 3 0 1' add "$scratch" "$scratch/bad.4.log"
fuzz 0 'all 0 3530 0' table "$scratch" # 2512 and 1000, 5 and 5 and 8
test -f "$GPRGNN_FUZZ_COUNT"
