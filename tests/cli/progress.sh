# The progress bar: only on a terminal, removed at the end, not with --quiet.
source "$(dirname "$0")/lib.bash"

needs script bsdutils # it provides the terminal
# A very long training, in a terminal, interrupted after some seconds.
in_terminal() {
    called="gprgnn $* (in a terminal)"
    status=0
    script -qec "timeout --foreground --signal=INT 2 $(printf '%q ' "$GPRGNN" "$@")" /dev/null \
        >"$scratch/seen/out" 2>"$scratch/seen/err" </dev/null || status=$?
    expect_status 124 # the status of timeout
    tr '\r' '\n' <"$scratch/seen/out" >"$scratch/seen/lines"
    expect_out 'test accuracy'
    expect_out 'interrupted after'
}

in_terminal train $tiny --epochs 1000000 --stopping none --runs 2 --threads 1
grep -qE '^run 1/2 \[#*\.*\] +[0-9]+ %  epoch [0-9]+/1000000  val [0-9.]+ %  ETA [0-9]+:[0-9]+' "$scratch/seen/lines" ||
    fail 'there is no progress bar'
awk '/^run / { bars++; last = NR } /^ +$/ { wiped = NR } END { exit !(bars > 0 && bars < 40 && wiped > last) }' \
    "$scratch/seen/lines" || fail 'the bar is drawn too often, or not wiped'
awk '/^run / && length > 80 { exit 1 }' "$scratch/seen/lines" || fail 'the bar is wider than the terminal'

in_terminal train $tiny --epochs 1000000 --stopping none --quiet
if grep -q 'ETA' "$scratch/seen/lines"; then fail 'there is a progress bar with --quiet'; fi

# A candidate is named, with as many of its settings as there is room for.
awk 'BEGIN { srand(4); print "id,kind,size"; for (i = 0; i < 90; i++) print i "," (i % 2 ? "a" : "b") "," rand() }' \
    >nodes.csv
awk 'BEGIN { srand(5); print "source,target"; for (i = 0; i < 200; i++) print int(90 * rand()) "," int(90 * rand()) }' \
    >links.csv
in_terminal train --edges links.csv --nodes nodes.csv --label kind --epochs 1000000 --stopping none --threads 1
grep -qE '^candidate 1 of 3 \[#*\.*\] +[0-9]+ %  epoch [0-9]+/1000000  val [0-9.]+ %  ETA [0-9]+:[0-9]+' \
    "$scratch/seen/lines" ||
    fail 'the bar does not name the candidate'
awk '/^candidate / && length > 80 { exit 1 }' "$scratch/seen/lines" || fail 'the bar is wider than the terminal'

# An embedding, which comes before the first epoch, has its own bar.
script -qec "timeout --foreground --signal=INT 2 $(printf '%q ' \
    "$GPRGNN") train csbm:n=40000,f=5 --model geomgcn --embedding poincare" \
    /dev/null >"$scratch/seen/out" 2>"$scratch/seen/err" </dev/null || true
tr '\r' '\n' <"$scratch/seen/out" >"$scratch/seen/lines"
grep -qE '^embedding \[#*\.*\] +[0-9]+ %  before training  ETA ([0-9]+:[0-9]+|\?)' "$scratch/seen/lines" ||
    fail 'there is no bar for an embedding'
grep -q 'interrupted before the first epoch' "$scratch/seen/lines" || fail 'the embedding is not interrupted'
