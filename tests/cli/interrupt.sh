# Ctrl-C and SIGTERM in the middle of a long training keep the best model so far.
source "$(dirname "$0")/lib.bash"

# begin ARGUMENTS...: trains in the background; returns when the output folder exists: then signals are caught.
begin() {
    called="gprgnn train $* (in the background)"
    "$GPRGNN" train "$@" >"$scratch/seen/out" 2>"$scratch/seen/err" </dev/null &
    background=$!
    for _ in $(seq 600); do
        if [ -d run ]; then return; fi
        sleep 0.1
    done
    fail 'the training does not begin'
}
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
long="--epochs 1000000 --stopping none"

for signal in INT TERM; do
    begin $tiny $long --out run --json result.json
    sleep 0.7
    kill -$signal "$background"
    finish
    expect_status 1
    expect_err 'gprgnn: interrupted after '
    expect_err 'the best model so far is in run'
    expect_equal "$(wc -l <"$scratch/seen/err")" 1 'the lines on standard error'
    expect_out 'test accuracy'
    expect_json result.json
    expect_same result.json run/result.json
    expect_equal "$(json result.json stopped)" true
    expect_equal "$(ls -A run | wc -l)" 9 'the number of files and folders' # with the state, to go on
    epochs=$(json result.json epochs)
    if [ "$epochs" -lt 1 ] || [ "$epochs" -ge 1000000 ]; then fail "it trained $epochs epochs"; fi
    expect_equal "$(wc -l <run/history.csv)" $((epochs + 2)) 'the lines of history.csv'
    cp -r run "$scratch/seen/kept"
    good predict "$scratch/seen/kept" $tiny --proba
    expect_same "$scratch/seen/out" "$scratch/seen/kept/predictions.csv"
    rm -rf run result.json "$scratch/seen/kept"
done

# The best model so far is that of the best epoch: a training of as many epochs gives the same.
begin $tiny $long --out run
sleep 0.3
kill -INT "$background"
finish
expect_status 1
epochs=$(json run/result.json epochs)
good train $tiny --stopping none --epochs "$epochs" --out whole -q
expect_same run/predictions.csv whole/predictions.csv
expect_same run/history.csv whole/history.csv
rm -rf run whole

# Many runs: finished and unfinished runs are kept.
begin $tiny $long --runs 4 --threads 2 --out run
sleep 0.7
kill -INT "$background"
finish
expect_status 1
expect_err 'interrupted after '
runs=$(json run/result.json runs)
if [ "$runs" -lt 1 ] || [ "$runs" -gt 4 ]; then fail "there are $runs runs"; fi
good predict run $tiny -q

# While an embedding is computed there is nothing to keep, and no folder is left.
rm -rf run
begin csbm:n=20000,f=5 --model geomgcn --embedding poincare --out run
kill -INT "$background"
finish
expect_status 1
expect_err 'gprgnn: interrupted before the first epoch: nothing is kept'
if [ -e run ]; then fail 'the folder is still there'; fi
