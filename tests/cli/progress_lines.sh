# Progress where there is no terminal: a whole line on standard error every 5 seconds; none with --quiet, none in a short
# run. A clock that goes fast stands for long runs.
source "$(dirname "$0")/lib.bash"

command -v cc >/dev/null || { echo 'skipped: the fast clock needs cc'; exit 77; }
cc -shared -fPIC -o "$scratch/fast_clock.so" "$tests_dir/fast_clock.c" -ldl 2>"$scratch/seen/err" ||
    fail 'the fast clock does not compile'

# fast SPEED ARGUMENTS...: runs the program with a clock so many times as fast.
fast() {
    local speed=$1
    shift
    called="gprgnn $* (with a clock $speed times as fast)"
    status=0
    ASAN_OPTIONS=${ASAN_OPTIONS:-}:verify_asan_link_order=0 GPRGNN_TEST_SPEED=$speed LD_PRELOAD=$scratch/fast_clock.so \
        timeout --foreground --signal=INT "${limit:-60}" "$GPRGNN" "$@" \
        >"$scratch/seen/out" 2>"$scratch/seen/err" </dev/null || status=$?
    ! grep -q $'\r' "$scratch/seen/err" || fail 'a line has a carriage return'
    ! grep -q ' ETA ' "$scratch/seen/out" || fail 'progress is on standard output'
}
# lines PATTERN: how many lines of standard error match it as a whole.
lines() { grep -cE "^gprgnn: $1\$" "$scratch/seen/err" || true; }
eta='ETA ([0-9:]+|\?|days)'

# The clock reaches 40 seconds: at most 8 lines, and the first does not come at once.
limit=2 fast 20 train $tiny --epochs 1000000 --stopping none --runs 2 --threads 1
expect_err 'interrupted after'
expect_out 'test accuracy'
count=$(lines "run 1/2 +[0-9]+ %  epoch [0-9]+/1000000  val [0-9.]+ %  $eta")
[ "$count" -ge 3 ] && [ "$count" -le 9 ] || fail "there are $count lines in 40 seconds"
limit=2 fast 20 train $tiny --epochs 1000000 --stopping none -q
expect_err 'interrupted after'
expect_equal "$(wc -l <"$scratch/seen/err")" 1 'lines with --quiet'
good train $tiny --epochs 20
expect_silent_err

# Other long work. With this clock every report is a line.
seq 1 1500000 | awk '{ print $1 "," $1 + 1 }' >edges.csv
fast 1000000 info --edges edges.csv
expect_status 0
[ "$(lines "reading edges.csv [0-9]+ %  $eta")" -ge 2 ] || fail 'no line says how far reading is'
fast 1000000 info --edges edges.csv -q
expect_status 0
expect_equal "$(lines 'reading .*')" 0 'lines with --quiet'
fast 1000000 convert --edges edges.csv edges.gpr --memory 16M
expect_status 0
for stage in 'reading edges.csv' sorting; do
    [ "$(lines "$stage [0-9]+ %  $eta")" -ge 1 ] || fail "no line is about $stage"
done
fast 1000000 search $tiny --grid 'lr=0.01,0.02' --runs 3 --epochs 30
expect_status 0
[ "$(lines "run [0-9]+/[0-9]+ [0-9]+ %  gprgnn lr=.*  $eta")" -ge 2 ] || fail 'a search prints no lines'
good generate csbm --phi 0.5 --n 200 --f 20 -o texas.npz -q
fast 1000000 paper table-real --datasets texas --models mlp --runs 4 --epochs 30 --data-dir .
expect_status 0
[ "$(lines "[0-9]+/4 runs [0-9]+ %  mlp on .*  $eta")" -ge 2 ] || fail 'the paper prints no lines'

# On a terminal reading has a bar, and it is gone when the next line comes.
command -v script >/dev/null || exit 0
quick=(env ASAN_OPTIONS="${ASAN_OPTIONS:-}:verify_asan_link_order=0" GPRGNN_TEST_SPEED=1000
    LD_PRELOAD="$scratch/fast_clock.so")
script -qec "$(printf '%q ' "${quick[@]}" "$GPRGNN" info --edges edges.csv)" /dev/null \
    >"$scratch/seen/out" 2>"$scratch/seen/err" </dev/null || true
tr '\r' '\n' <"$scratch/seen/out" >"$scratch/seen/lines"
grep -qE "^reading edges.csv \[#*\.*\] +[0-9]+ %  $eta" "$scratch/seen/lines" || fail 'there is no bar while a table is read'
! grep -q 'reading.*gprgnn:\|reading.*name' "$scratch/seen/lines" || fail 'the bar is not wiped'
