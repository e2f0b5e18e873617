# Progress where there is no terminal: a whole line on standard error every 5 seconds; none with --quiet, none in a
# short run. A clock that goes fast stands for long runs.
source "$(dirname "$0")/lib.bash"

needs cc gcc # for the fast clock
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
fast 1000000 search $tiny --grid 'lr=0.01,0.02 weight-decay=0 init=ppr alpha=0.1 dropout=0.5' --runs 1 --epochs 30
expect_status 0
[ "$(lines "run [0-9]+/[0-9]+ [0-9]+ %  gprgnn init=ppr alpha=0.1 dropout=0.5 lr=0.0[12] weight-decay=0  $eta")" -ge 1 \
    ] ||
    fail 'a line of a search cuts its setting'
good generate csbm --phi 0.5 --n 200 --f 20 -o texas.npz -q
fast 1000000 paper table-real --datasets texas --models mlp --runs 4 --epochs 30 --data-dir .
expect_status 0
[ "$(lines "[0-9]+/4 runs [0-9]+ %  mlp on .*  $eta")" -ge 2 ] || fail 'the paper prints no lines'

# Tables: each candidate is named, and the refit has no validation nodes. The ETA counts what is still to come; before a
# run has ended, early stopping makes it an upper bound.
awk 'BEGIN { srand(4); print "id,kind,size"; for (i = 0; i < 90; i++)
    print i "," (i % 9 ? (i % 2 ? "a" : "b") : "") "," rand() + i % 2 }' >nodes.csv
awk 'BEGIN { srand(5); print "source,target"; for (i = 0; i < 200; i++) print int(90 * rand()) "," int(90 * rand()) }' \
    >links.csv
table="--edges links.csv --nodes nodes.csv --label kind --hidden 8 --K 3 --threads 1"
val='  val [0-9.]+ %'
fast 1000000 train $table --epochs 60 --patience 20
expect_status 0
! grep -qi 'nan' "$scratch/seen/err" || fail 'nan is printed'
for name in '1 of 3: label-input yes, label-counts yes, dropout 0.2, dprate 0' \
    '2 of 3: label-input no, label-counts yes, dropout 0.2, dprate 0' '3 of 3: label-input no, label-counts no'; do
    [ "$(lines "candidate $name +[0-9]+ %  epoch [0-9]+/60$val  ETA [0-9:]+( at most)?")" -ge 5 ] ||
        fail "candidate $name is not named"
done
[ "$(lines "candidate [23].* at most")" -eq 0 ] || fail 'the ETA is an upper bound where a run has ended'
[ "$(lines "refit on all labels +[0-9]+ %  epoch [0-9]+/[0-9]+  $eta")" -ge 1 ] || fail 'the refit is not told'
awk '/ %  epoch / { for (i = 1; i <= NF; i++) if ($i == "%" && $(i + 1) == "epoch") share = $(i - 1)
    if (share + 0 < last) exit 1; last = share } END { exit !(last == 100) }' "$scratch/seen/err" ||
    fail 'the share of the work that is done goes back, or does not end with 100 %'
fast 1000000 train $table --epochs 30 --runs 3 --refit no
expect_status 0
[ "$(lines "run 3/3 +[0-9]+ %  epoch [0-9]+/30$val  $eta")" -ge 5 ] || fail 'no line is about the last run'
[ "$(lines "run 1/3 .*")" -eq 0 ] || fail 'the run of the chosen candidate is trained twice'

# On a terminal reading has a bar, and it is gone when the next line comes.
has script || { skip_part 'there is no script (Debian: bsdutils), for a terminal' && exit 0; }
quick=(env ASAN_OPTIONS="${ASAN_OPTIONS:-}:verify_asan_link_order=0" GPRGNN_TEST_SPEED=1000
    LD_PRELOAD="$scratch/fast_clock.so")
script -qec "$(printf '%q ' "${quick[@]}" "$GPRGNN" info --edges edges.csv)" /dev/null \
    >"$scratch/seen/out" 2>"$scratch/seen/err" </dev/null || true
tr '\r' '\n' <"$scratch/seen/out" >"$scratch/seen/lines"
grep -qE "^reading edges.csv \[#*\.*\] +[0-9]+ %  $eta" "$scratch/seen/lines" ||
    fail 'there is no bar while a table is read'
! grep -q 'reading.*gprgnn:\|reading.*name' "$scratch/seen/lines" || fail 'the bar is not wiped'
