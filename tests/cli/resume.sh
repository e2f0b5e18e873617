# A training that is killed goes on with --resume, and ends with the bits of one that was never disturbed.
source "$(dirname "$0")/lib.bash"

# What may differ between two trainings that are otherwise equal: times and memory.
plain() { sed -E '/"(seconds|ms_per_epoch|peak_memory_bytes|threads)":/d' "$1"; }
expect_same_run() {
    for file in model.safetensors history.csv gamma.csv gamma_history.csv predictions.csv split.npz; do
        expect_same "$1/$file" "$2/$file"
    done
    for file in config.json result.json; do
        plain "$1/$file" >"$scratch/seen/a"
        plain "$2/$file" >"$scratch/seen/b"
        expect_same "$scratch/seen/a" "$scratch/seen/b"
    done
    expect_equal "$(ls -A "$2" | wc -l)" 12 'the number of files'
    (cd "$2" && sha256sum --quiet --strict -c run.sha256) || fail 'the manifest is wrong'
}

# killed FILE ARGUMENTS...: trains, and is killed when there is such a file.
killed() {
    local file=$1
    shift
    called="gprgnn train $* (killed)"
    "$GPRGNN" train "$@" >"$scratch/seen/out" 2>"$scratch/seen/err" </dev/null &
    background=$!
    for _ in $(seq 3000); do
        if [ -e "$file" ] || ! kill -0 "$background" 2>/dev/null; then break; fi
        sleep 0.01
    done
    if [ ! -e "$file" ]; then fail "there is no $file"; fi
    kill -KILL "$background" 2>/dev/null || true
    wait "$background" 2>/dev/null || true
    background=
}

options="--epochs 4000 --stopping none --K 4 --hidden 16"
good train $tiny $options --out whole -q

# Killed again and again; the threads may change meanwhile.
state=run/state/run-0.safetensors
killed $state $tiny $options --out run --save-every 0.03 -q
for attempt in 1 2 3; do
    before=$(stat -c %i-%Y%Z $state)
    "$GPRGNN" train --resume run --threads $attempt >/dev/null 2>&1 </dev/null &
    background=$!
    for _ in $(seq 500); do # until it has saved a state of its own
        if [ "$(stat -c %i-%Y%Z $state 2>/dev/null || true)" != "$before" ]; then break; fi
        sleep 0.01
    done
    kill -KILL "$background" 2>/dev/null || true
    wait "$background" 2>/dev/null || true
    background=
done
good train --resume run
expect_same_run whole run
good train --resume run # nothing is left to do
expect_err 'run is finished: there is nothing to resume'
good train $tiny $options --resume run
expect_err 'run is finished: there is nothing to resume'
expect_same_run whole run
good train --resume run --json again.json # a file that could not be written then, or was lost
expect_same again.json run/result.json
good train $tiny $options --resume run --json -
expect_same "$scratch/seen/out" run/result.json
rm -rf run again.json

# Several runs: finished ones are kept, the others go on or begin. Also where the data are given again.
several="$tiny --epochs 1500 --stopping none --runs 5 --hidden 16"
good train $several --out many --threads 2 -q
killed run/state/run-1.safetensors $several --out run --save-every 0.03 --threads 1 -q
good train $several --resume run --threads 2
expect_same_run many run
rm -rf run

# The same command goes on by itself; from another folder it says where it was started.
killed run/state/run-1.safetensors $several --out run --save-every 0.03 --threads 1 -q
good train $several --out run --threads 2 -q
expect_err 'run has this training, not finished: it goes on'
expect_same_run many run
rm -rf run
killed run/state/run-1.safetensors $several --out run --save-every 0.03 --threads 1 -q
mkdir elsewhere
cd elsewhere
good train --resume ../run
expect_err "was started in the folder $scratch/work"
cd ..
expect_same_run many run
rm -rf run elsewhere

# --json is written before the folder is complete: a kill between loses nothing.
killed run/state/run-1.safetensors $several --out run --save-every 0.03 --json result.json -q
good train --resume run
expect_same result.json run/result.json
rm -rf run result.json

# An interrupted training has results and states.
killed_by() {
    "$GPRGNN" train "${@:2}" >"$scratch/seen/out" 2>"$scratch/seen/err" </dev/null &
    background=$!
    for _ in $(seq 100); do
        if [ -e run/state/run-0.safetensors ]; then break; fi
        sleep 0.05
    done
    kill "-$1" "$background"
    status=0
    wait "$background" || status=$?
    background=
    called="gprgnn train ${*:2} (signal $1)"
}
killed_by TERM $tiny $options --epochs 100000 --out run --save-every 0.03 -q
expect_status 1
expect_err 'to go on: gprgnn train --resume run'
expect_equal "$(json run/result.json stopped)" true
good predict run $tiny -q
bad_run() { # STATUS PART ARGUMENTS...: the folder stays as it is
    (cd run && find . -type f | sort | xargs sha256sum) >"$scratch/seen/before"
    run "${@:3}"
    expect_status "$1"
    expect_err "$2"
    (cd run && find . -type f | sort | xargs sha256sum) >"$scratch/seen/after"
    expect_same "$scratch/seen/before" "$scratch/seen/after"
}

# It is not overwritten by chance, and it goes on with the same options only.
bad_run 1 'run has a training that is not finished, and this is another one' train $tiny $options --out run
expect_err 'continue that one with --resume run, or begin anew with --overwrite'
bad_run 1 'epochs' train $tiny --epochs 4000 --stopping none --K 4 --hidden 16 --resume run
bad_run 1 'hidden' train --resume run --hidden 17
bad_run 1 'other data' train csbm:n=301,f=20 $options --epochs 100000 --resume run
bad_run 2 'leave --out other away' train --resume run --out other
bad_run 2 'it must be a number of seconds' train --resume run --save-every often
if command -v python3 >/dev/null; then # one wrong byte in the state
    cp -r run "$scratch/seen/copy"
    python3 - run/state/run-0.safetensors <<'END'
import sys
bytes = bytearray(open(sys.argv[1], 'rb').read())
bytes[len(bytes) // 2] ^= 16
open(sys.argv[1], 'wb').write(bytes)
END
    bad_run 1 'run/state/run-0.safetensors: its checksum is wrong' train --resume run
    expect_err 'remove that file, and its run is trained again'
    rm -rf run
    mv "$scratch/seen/copy" run
fi

# A state that cannot be read costs nothing.
mkdir run/state/run-9.safetensors
bad_run 1 'run-9.safetensors' train --resume run
bad_run 1 'run-9.safetensors' train $tiny $options --epochs 100000 --out run
rmdir run/state/run-9.safetensors

# It says so if it does not know how the training was started.
mv run/state/command "$scratch/seen/command"
bad_run 1 'give its data and options' train --resume run
mv "$scratch/seen/command" run/state/command

# --overwrite: the old training goes when the new one has something to keep, not before.
bad_run 1 'loss' train $tiny --K 2 --init 3.4e38,3.4e38,3.4e38 --overwrite --out run
bad_run 2 'give one of them' train --resume run --overwrite
bad_run 2 'give both' train $tiny --overwrite

# One training at a time.
"$GPRGNN" train $tiny --epochs 1000000 --stopping none --out busy >"$scratch/seen/out2" 2>&1 </dev/null &
background=$!
for _ in $(seq 500); do
    if [ -e busy/state/command ]; then break; fi
    sleep 0.02
done
run train --resume busy
expect_status 1
expect_err 'busy is in use: process '
run train $tiny --epochs 3 --overwrite --out busy
expect_status 1
expect_err 'busy is in use: process '
kill -KILL "$background"
wait "$background" 2>/dev/null || true
background=
rm -rf busy
good train $tiny --epochs 3 --overwrite --out run -q
expect_equal "$(json run/result.json epochs)" 3
expect_equal "$(ls -A run | wc -l)" 12 'the number of files'
rm -rf run whole many

# Nothing to resume.
bad 1 'nothing has no training to resume' train --resume nothing
bad 2 '--save-every needs a folder' train $tiny --save-every 3
good train $tiny --epochs 3 --resume new -q # for scripts: the same command begins and goes on
expect_file new/run.sha256

# never: only what is finished is saved
killed run/state/command $tiny $options --epochs 1000000 --out run --save-every never -q
expect_equal "$(ls -A run/state)" command 'the files of the state'
good train --resume run --epochs 3 -q # from the beginning
expect_equal "$(json run/result.json epochs)" 3
rm -rf run new

# Data that are damaged are not taken for a damaged state.
good convert $tiny data.gpr -q
killed run/state/run-0.safetensors data.gpr --epochs 1000000 --stopping none --out run --save-every 0.03 -q
printf 'xxxxxxxx' | dd of=data.gpr bs=1 seek=$(($(stat -c %s data.gpr) - 100)) conv=notrunc 2>/dev/null
bad_run 1 'data.gpr' train --resume run
if grep -q 'remove that file' "$scratch/seen/err"; then fail 'it says to remove the data'; fi
rm -rf run data.gpr

# Files that options name must not have changed.
printf '0.1,0.2,0.7\n' >weights.txt
killed run/state/run-0.safetensors $tiny --K 2 --init file:weights.txt --epochs 1000000 --stopping none \
    --out run --save-every 0.03 -q
printf '0.1,0.3,0.6\n' >weights.txt
bad_run 1 'the file of --embedding, --init or --class-weight, the column of --sample-weight, or the directions' train \
    --resume run
rm -rf run weights.txt

# A training that fails at once leaves no folder.
bad 2 'unknown' train $tiny --model unknown --out run
bad 1 'loss' train $tiny --K 2 --init 3.4e38,3.4e38,3.4e38 --out run
