# Every test of this folder reads this file. It runs the program ($GPRGNN) in an empty scratch folder and checks the result.
# The first expectation that does not hold ends the test with status 1.
set -euo pipefail

: "${GPRGNN:?is the program to test}"
tests_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source_dir=${TEST_SOURCE_DIR:-$tests_dir/../..}
GPRGNN=$(realpath "$GPRGNN")
export LC_ALL=C
unset GPRGNN_DATA
export GPRGNN_STOP_SECONDS=60 # on a busy machine a clean stop takes longer than the program usually gives it
tiny=csbm:n=300,f=20,phi=-0.5,seed=3 # a small graph

scratch=$(mktemp -d)
background= # a process that ends with the test
clean_up() {
    if [ -n "$background" ]; then kill -KILL "$background" 2>/dev/null || true; fi
    rm -rf "$scratch"
}
trap clean_up EXIT
mkdir "$scratch/work" "$scratch/seen" # the program works in one, its output is kept in the other
export HOME=$scratch/home XDG_CACHE_HOME=$scratch/home
cd "$scratch/work"

called='(nothing was run)'
status=-1

fail() {
    {
        echo "FAILED: $1"
        echo "  after: $called"
        echo "  exit status: $status"
        if [ -e "$scratch/seen/out" ]; then sed 's/^/  stdout: /' "$scratch/seen/out" | head -n 60; fi
        if [ -e "$scratch/seen/err" ]; then sed 's/^/  stderr: /' "$scratch/seen/err" | head -n 60; fi
    } >&2
    exit 1
}

# A test, or a part of it, that cannot run here says why; tests/run.py gathers what was said.
skip() { echo "skipped: $1" && exit 77; }
skip_part() { echo "skipped in part: $1"; }
has() { command -v "$1" >/dev/null; }
needs() { has "$1" || skip "there is no $1 (Debian: ${2:-$1})"; }

has_xgboost() { [[ $(/sbin/ldconfig -p) == *libxgboost.so.0* ]]; } # no pipe: grep -q would break it

# Runs the program; what it printed is in $scratch/seen/out and err, its exit status in $status.
run() {
    called="gprgnn $*"
    status=0
    "$GPRGNN" "$@" >"$scratch/seen/out" 2>"$scratch/seen/err" </dev/null || status=$?
}

expect_status() { [ "$status" -eq "$1" ] || fail "the exit status is $status, not $1"; }
expect_out() { grep -qF -e "$1" "$scratch/seen/out" || fail "standard output lacks: $1"; }
expect_words() { tr -s ' \n' ' ' <"$scratch/seen/out" | grep -qF -e "$1" || fail "standard output lacks, in whatever lines: $1"; }
expect_err() { grep -qF -e "$1" "$scratch/seen/err" || fail "standard error lacks: $1"; }
expect_out_lacks() { ! grep -qF -e "$1" "$scratch/seen/out" || fail "standard output has: $1"; }
expect_silent_out() { [ ! -s "$scratch/seen/out" ] || fail "standard output is not empty"; }
expect_silent_err() { [ ! -s "$scratch/seen/err" ] || fail "standard error is not empty"; }
expect_file() { [ -s "$1" ] || fail "there is no file $1"; }
expect_no_files() { [ -z "$(ls -A .)" ] || fail "files were left: $(ls -A .)"; }
expect_same() { cmp -s "$1" "$2" || fail "$1 and $2 differ: $(diff "$1" "$2" | head -n 10)"; }
expect_equal() { [ "$1" = "$2" ] || fail "${3:-the values} differ: '$1' is not '$2'"; }

# Runs it, expecting success.
good() {
    run "$@"
    expect_status 0
}

# bad STATUS PART ARGUMENTS...: expects one error line that contains PART, no standard output, and no file left.
bad() {
    local wanted=$1 part=$2
    shift 2
    run "$@"
    expect_status "$wanted"
    expect_err "$part"
    expect_equal "$(wc -l <"$scratch/seen/err")" 1 'the lines on standard error'
    expect_equal "$(head -c 8 "$scratch/seen/err")" 'gprgnn: ' 'the beginning of the message'
    expect_silent_out
    expect_no_files
}

# Waits for the training in the background to end; its exit status is in $status.
finish() {
    for _ in $(seq 600); do
        if ! kill -0 "$background" 2>/dev/null; then break; fi
        sleep 0.1
    done
    if kill -0 "$background" 2>/dev/null; then fail 'the training does not end'; fi
    status=0
    wait "$background" || status=$?
    background=
}

# json FILE KEY: a number or text at the top level of the program's JSON.
json() {
    sed -n "s/^  \"$2\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" "$1" | head -n 1
}

# json_config FILE WORD: an option in the result's "config".
json_config() {
    sed -n '/^  "config": {/,/^  }/p' "$1" | sed -n "s/^    \"$2\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p"
}

# expect_json FILE: it is complete JSON. Checked with python3 if there is one.
expect_json() {
    expect_equal "$(head -c 1 "$1")" '{' "the first letter of $1"
    if command -v python3 >/dev/null; then
        python3 -c 'import json, sys; json.load(open(sys.argv[1]), parse_constant=int)' "$1" 2>/dev/null ||
            fail "$1 is not JSON"
    fi
}
