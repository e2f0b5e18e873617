# Ctrl-C, SIGTERM and SIGHUP in the middle of a long training keep the best model so far; other commands leave no part of
# a file.
source "$(dirname "$0")/lib.bash"

# begin ARGUMENTS...: trains in the background; returns when the output folder exists: then signals are caught. A shell
# lets what it starts with '&' ignore SIGINT.
starting='env --default-signal=INT'
begin() {
    called="gprgnn train $* (in the background)"
    $starting "$GPRGNN" train "$@" >"$scratch/seen/out" 2>"$scratch/seen/err" </dev/null &
    background=$!
    for _ in $(seq 600); do
        if [ -d run ]; then return; fi
        sleep 0.1
    done
    fail 'the training does not begin'
}
long="--epochs 1000000 --stopping none"

for signal in INT TERM HUP; do
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
    expect_equal "$(ls -A run | wc -l)" 13 'the number of files and folders' # with the state, to go on
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

# Signals that are ignored when the program starts stay ignored: after 'nohup', or after '&' in a script.
for signal in INT HUP TERM; do
    starting="env --ignore-signal=$signal"
    begin $tiny $long --out run
    sleep 0.3
    kill -$signal "$background"
    sleep 0.5
    kill -0 "$background" 2>/dev/null || fail "SIG$signal was ignored, and ended it"
    other=TERM
    if [ $signal = TERM ]; then other=HUP; fi
    kill -$other "$background"
    finish
    expect_status 1
    expect_err 'the best model so far is in run'
    rm -rf run
done
starting='env --default-signal=INT'

# A second signal ends the program at once.
begin $tiny $long --out run
kill -STOP "$background" # so that both arrive before it can end by itself
kill -TERM "$background"
kill -CONT "$background"
kill -TERM "$background" 2>/dev/null || true
finish
if [ "$status" -ne 1 ] && [ "$status" -ne 143 ]; then fail "the exit status is $status"; fi
rm -rf run

# While a graph is written, the first signal is noted, and the file becomes complete. Before, there is no file. Either way
# no part of one is left.
echo old >graph.gpr
for signal in INT TERM HUP; do
    called="gprgnn generate, and SIG$signal"
    env --default-signal=INT "$GPRGNN" generate csbm --phi 0 --n 20000 --f 1000 -o graph.gpr \
        >"$scratch/seen/out" 2>"$scratch/seen/err" </dev/null &
    background=$!
    for _ in $(seq 600); do # until it has a file open here
        if ls -l "/proc/$background/fd" 2>/dev/null | grep -q "$PWD/"; then break; fi
        sleep 0.02
    done
    kill -$signal "$background"
    finish
    expect_status 1
    expect_err 'gprgnn: interrupted, but the results were complete'
    expect_equal "$(ls -A)" graph.gpr 'the files'
    good info graph.gpr
done
rm graph.gpr

# A closed pipe: an error, and no signal.
called='gprgnn help parameters | true'
{
    sleep 0.2
    "$GPRGNN" help parameters 2>"$scratch/seen/err" || echo $? >"$scratch/seen/status"
} | true
status=$(cat "$scratch/seen/status")
expect_status 1
expect_err 'gprgnn: cannot write standard output: Broken pipe'
