# A full disk: an error, exit status 1, the old files untouched, no leftovers.
source "$(dirname "$0")/lib.bash"

# Devices that are always full.
if [ -c /dev/full ]; then
    for command in "info $tiny" "train $tiny --epochs 2" "train $tiny --epochs 2 --json -" \
        "generate csbm --phi 0 --n 50 --f 4 -o x.npz" "--help" "train --help" "--version" "help parameters"; do
        called="gprgnn $command >/dev/full"
        status=0
        "$GPRGNN" $command >/dev/full 2>"$scratch/seen/err" || status=$?
        expect_status 1
        expect_err 'cannot write standard output: No space left on device'
    done
    rm -f x.npz
    good train $tiny --epochs 2 --out run -q
    called='gprgnn predict >/dev/full'
    status=0
    "$GPRGNN" predict run $tiny >/dev/full 2>"$scratch/seen/err" || status=$?
    expect_status 1
    expect_err 'No space left on device'
    for command in "info $tiny" "train $tiny --epochs 2" "predict run $tiny -o x.csv"; do
        run $command --json /dev/full
        expect_status 1
        expect_err 'cannot write /dev/full: No space left on device'
        [ -c /dev/full ] || fail '/dev/full was replaced'
    done
    rm -rf run x.csv
fi
called='gprgnn info >&-'
status=0
"$GPRGNN" info $tiny 2>"$scratch/seen/err" >&- || status=$?
expect_status 1
expect_err 'cannot write standard output'
expect_no_files

# Files that may not grow beyond 4 blocks of 1024 bytes.
limited() {
    called="gprgnn $* (with files of at most 4 kB)"
    status=0
    (
        ulimit -f 4
        exec "$GPRGNN" "$@" 2>&1 >/dev/null
    ) | cat >"$scratch/seen/err" || status=$?
    : >"$scratch/seen/out"
}
good train $tiny --epochs 3 --out run -q
cp -r run before
limited train $tiny --epochs 5 --seed 2 --out run
expect_status 1
expect_err 'File too large'
for file in before/*; do expect_same "$file" "run/${file#before/}"; done
expect_equal "$(ls -A run | wc -l)" 12 'the number of files'
rm -rf before

mkdir empty
cd empty
limited generate csbm --phi 0 --n 400 --f 50 -o graph.npz
expect_status 1
expect_err 'graph.npz'
expect_no_files
limited predict ../run $tiny --proba -o predictions.csv
expect_status 1
expect_err 'cannot write predictions.csv: File too large (more than the process or the file system permits: see '\
'ulimit -f)'
expect_no_files
limited train $tiny --epochs 2 --K 500 --json result.json
expect_status 1
expect_err 'cannot write result.json: File too large'
expect_no_files
