# Ctrl-C, SIGTERM and SIGHUP in the middle of a long training keep the best model so far; other commands leave no part
# of a file.
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

# Tables: within the second candidate the first one is kept, and the training goes on as if nothing had been.
awk 'BEGIN { srand(4); print "id,kind,size"; for (i = 0; i < 400; i++)
    print i "," (i % 6 ? (i % 2 ? "a" : "b") : "") "," rand() + i % 2 }' >nodes.csv
awk 'BEGIN { srand(5); print "source,target"
    for (i = 0; i < 900; i++) print int(400 * rand()) "," int(400 * rand()) }' >links.csv
table='--edges links.csv --nodes nodes.csv --label kind --epochs 400 --stopping none --threads 1 -q'
for attempt in $(seq 20); do # on a busy machine this test may look too late
    begin $table --save-every 0 --out run
    for _ in $(seq 3000); do
        if grep -aq 'choice.count":"1"' run/state/run-0.safetensors 2>/dev/null; then break; fi
        sleep 0.01
    done
    kill -INT "$background" 2>/dev/null || true
    finish
    if grep -q 'stopped at candidate 2' "$scratch/seen/err"; then break; fi
    if [ "$attempt" -lt 20 ]; then rm -rf run; fi
done
expect_status 1
expect_err 'stopped at candidate 2 of 3 (label-input no, label-counts yes, dropout 0.2, dprate 0), which is not '\
'compared'
expect_err 'the best finished one: label-input yes, label-counts yes, dropout 0.2, dprate 0'
expect_equal "$(json run/result.json stopped)" true
expect_equal "$(json run/result.json epochs)" 400
good train --resume run
good train $table --out whole
for file in model.safetensors predictions.csv history.csv gamma.csv metrics.csv; do
    expect_same run/$file whole/$file
done
rm -rf run whole nodes.csv links.csv

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

# While a graph is written, the first signal is noted, and the file becomes complete. Before, there is no file. Either
# way no part of one is left.
echo old >graph.gpr
for signal in INT TERM HUP; do
    for _ in $(seq 20); do # on a busy machine the file may be complete before this test looks
        called="gprgnn generate, and SIG$signal"
        env --default-signal=INT "$GPRGNN" generate csbm --phi 0 --n 20000 --f 1000 -o graph.gpr \
            >"$scratch/seen/out" 2>"$scratch/seen/err" </dev/null &
        background=$!
        while kill -0 "$background" 2>/dev/null; do # until it has a file open here
            if ls -l "/proc/$background/fd" 2>/dev/null | grep -q "$PWD/"; then break; fi
            sleep 0.02
        done
        kill -$signal "$background" 2>/dev/null || true
        finish
        if [ "$status" -ne 0 ]; then break; fi
    done
    expect_status 1
    expect_err 'gprgnn: interrupted, but the results were complete'
    expect_equal "$(ls -A)" graph.gpr 'the files'
    good info graph.gpr
done
rm graph.gpr

# Every command ends within two seconds, whatever it is doing: here in stages that take seconds. Files are whole.
# The clock is the processor time of the command's busiest thread: other programs do not change it. The graphs are as
# large as the machine is fast. So a stage is as long everywhere.
tick=$((1000 / $(getconf CLK_TCK))) # milliseconds in the unit of /proc/PID/stat

# clock FILE: notes the processor time of each thread of the command.
# busiest FILE [BEFORE]: that of the busiest thread in milliseconds, since BEFORE.
clock() {
    awk '{ id = $1; sub(/.*\) /, ""); print id, $12 + $13 }' "/proc/$background/task/"*/stat \
        >"$scratch/seen/clock" 2>"$scratch/seen/gone" || true
    if [ -s "$scratch/seen/clock" ]; then mv "$scratch/seen/clock" "$1"; fi # else it has ended: the last times stay
}
busiest() {
    awk -v tick=$tick -v last="$1" '
        FILENAME != last { before[$1] = $2; next }
        $2 - before[$1] > most { most = $2 - before[$1] }
        END { print most * tick }' ${2:+"$2"} "$1"
}

# ends_soon TIME LEFT ARGUMENTS...: SIGTERM after TIME milliseconds of work; LEFT is what the message says, or -. Where
# the command has ended by itself before, it begins again from the same files, and the signal comes in half the time.
ends_soon() {
    local time=$1 left=$2 began took worked
    shift 2
    while :; do
        called="gprgnn $* (SIGTERM after $time ms of work)"
        echo 0 0 >"$scratch/seen/struck"
        env -u GPRGNN_STOP_SECONDS "$GPRGNN" "$@" >"$scratch/seen/out" 2>"$scratch/seen/err" </dev/null &
        background=$!
        while kill -0 "$background" 2>/dev/null; do
            clock "$scratch/seen/struck"
            if [ "$(busiest "$scratch/seen/struck")" -ge "$time" ]; then break; fi
            sleep 0.01
        done
        cp "$scratch/seen/struck" "$scratch/seen/last"
        began=${EPOCHREALTIME/[.,]/}
        kill -TERM "$background" 2>/dev/null || true
        while kill -0 "$background" 2>/dev/null; do
            clock "$scratch/seen/last"
            if [ $(((${EPOCHREALTIME/[.,]/} - began) / 1000000)) -ge 60 ]; then break; fi
            sleep 0.02
        done
        took=$(((${EPOCHREALTIME/[.,]/} - began) / 1000))
        worked=$(busiest "$scratch/seen/last" "$scratch/seen/struck")
        if [ "$worked" -gt 2000 ]; then fail "it worked for $worked ms after the signal"; fi
        if [ "$took" -gt 30000 ]; then fail "it took $took ms to end, and worked for $worked of them"; fi
        finish
        if [ "$status" -ne 0 ]; then break; fi
        if [ "$time" -lt 40 ]; then fail 'it ends by itself, whenever the signal comes'; fi
        time=$((time / 2))
        rm -rf run search hops
        if [ -e kept.gpr ]; then cp large.gpr kept.gpr; fi
        echo old >small.gpr
    done
    if [ "$status" -ne 1 ] && [ "$status" -ne 143 ]; then fail "the exit status is $status"; fi
    if [ "$left" != - ] && [ "$status" -eq 1 ]; then expect_err "$left"; fi
}

# SIZE is 100 where this graph takes 0.22 s of work, and more on faster machines.
TIMEFORMAT='%U %S'
{ time good generate powerlaw --nodes 150000 --edges 1500000 --features 32 --classes 20 --threads 1 -o small.gpr -q; } \
    2>"$scratch/seen/spent"
size=$(awk 'END { size = 22 / ($1 + $2 + 0.001); print int(size < 100 ? 100 : size > 400 ? 400 : size) }' \
    "$scratch/seen/spent")
good generate powerlaw --nodes $((3000 * size)) --edges $((30000 * size)) --features 32 --classes 20 -o large.gpr -q
good generate powerlaw --nodes $((40000 * size)) --edges $((320000 * size)) --features 4 --classes 4 -o huge.gpr -q
awk -v size="$size" 'BEGIN { print "source,target"
    for (i = 0; i < 40000 * size; i++) print "a" i * 7919 % 1500007 ",a" i * 104729 % 1500007 }' >e.csv
echo old >small.gpr
cp large.gpr kept.gpr
ends_soon 900 'gprgnn: interrupted: ' train large.gpr --hidden 512 --epochs 3 --out run # an epoch of seconds
if [ "$status" -eq 1 ]; then # it had begun to train: what is told is what there is
    if [ -e run/state/run-0.safetensors ]; then # the folder itself has the command from the beginning
        expect_err 'the state that was saved last is in run'
    else
        expect_err 'nothing is kept'
    fi
fi
rm -rf run
ends_soon 900 'gprgnn: interrupted: no file is left half written' convert huge.gpr kept.gpr --reorder communities
expect_same large.gpr kept.gpr
ends_soon 900 'interrupted' train huge.gpr --reorder communities --hidden 512
ends_soon 900 'the finished runs are kept in search/runs.jsonl: the same command goes on' \
    search large.gpr --model gprgnn --out search --hidden 512
# What other commands do on such graphs; each takes three seconds or more. First a model.
good train large.gpr --epochs 1 --hidden 256 --label-input no --label-counts no --predictions none --out model -q
cp model/model.safetensors trained
rm -rf model
ends_soon 400 - info --edges e.csv # reading a table
ends_soon 400 - convert --edges e.csv kept.gpr
expect_same large.gpr kept.gpr
ends_soon 1500 - info huge.gpr # its measures
ends_soon 400 - predict trained large.gpr --proba -o out.csv
ends_soon 600 - explain trained large.gpr --importance
ends_soon 900 - inspect trained large.gpr # the graph's spectrum
ends_soon 150 - verify huge.gpr
ends_soon 900 'interrupted' train huge.gpr --order filter-first --hops-file hops # the hops
ends_soon 1800 'interrupted' train large.gpr --model gat --hidden 64 # an epoch with attention
ends_soon 3500 'interrupted' train large.gpr --epochs 2 --hidden 64 --smooth yes --refit yes --baselines yes
rm -rf e.csv trained hops
ends_soon 600 'interrupted' train csbm:n=40000,f=5 --model geomgcn --embedding struc2vec --out run
ends_soon 400 - generate powerlaw --nodes 30000000 --edges 300000000 -o small.gpr
expect_equal "$(cat small.gpr)" old
rm -rf run search
expect_equal "$(ls -A | tr '\n' ' ')" 'huge.gpr kept.gpr large.gpr small.gpr ' 'the files'
rm ./*.gpr

# A state that was saved goes on, although the program had no time to stop cleanly.
good generate powerlaw --nodes 50000 --edges 500000 -o graph.gpr -q
for _ in $(seq 20); do # on a busy machine it may be complete before this test looks
    rm -rf run
    GPRGNN_STOP_SECONDS=0.001 begin graph.gpr --stopping none --epochs 12 --save-every 0 --out run
    for _ in $(seq 600); do
        if [ -e run/state/run-0.safetensors ]; then break; fi
        sleep 0.05
    done
    kill -TERM "$background" 2>/dev/null || true
    finish
    if [ "$status" -ne 0 ]; then break; fi
done
expect_status 1
if ! grep -q 'interrupted after' "$scratch/seen/err"; then
    expect_err 'interrupted: the state that was saved last is in run; to go on: gprgnn train --resume run'
fi
good train --resume run -q
good train graph.gpr --stopping none --epochs 12 --out whole -q
expect_same run/predictions.csv whole/predictions.csv
rm -rf run whole graph.gpr

# A closed pipe: an error, and no signal.
called='gprgnn help parameters | true'
{
    sleep 0.2
    "$GPRGNN" help parameters 2>"$scratch/seen/err" || echo $? >"$scratch/seen/status"
} | true
status=$(cat "$scratch/seen/status")
expect_status 1
expect_err 'gprgnn: cannot write standard output: Broken pipe'
