# mpirun -n P gprgnn search and paper: the table and the choice of one process; a process that is killed, or has other
# data, ends all; the same command goes on in any number of processes.
source "$(dirname "$0")/lib.bash"
source "$tests_dir/lib_processes.bash"
job="--epochs 15 --hidden 8 --K 2 --runs 4 --threads 1"
grid='lr=0.002,0.05 init=ppr,random,delta:K alpha=0.1,0.9'
expect_same_search() {
    for file in search.json search.csv preset.conf; do expect_same "$1/$file" "$2/$file"; done
}

good search $tiny $job --grid "$grid" --out one -q
good_together 3 search $tiny $job --grid "$grid" --out many
expect_same_search one many
expect_out '8 settings, chosen by val_accuracy'
expect_equal "$(grep -c 'settings, chosen by' "$scratch/seen/out")" 1 'tables'
expect_equal "$(sort -u many/runs.jsonl | wc -l)" 22 'the runs' # 8 settings with 2, then 3 of them with 4
cp -r many before
good_together 2 search $tiny $job --grid "$grid" --out many -q # nothing is left to train
diff -r many before >/dev/null || fail 'the second search changed something'
good_together 2 search $tiny $job --model mlp,gprgnn --out models -q # of several models, without a grid of the user
good search $tiny $job --model mlp,gprgnn --out models1 -q
expect_same_search models1 models

# ---- one message, and all end ----
bad_together 2 2 "it must be auto, runs or none" search $tiny $job --distribute rows
mkdir foreign && echo mine >foreign/search.csv
bad_together 3 1 'was not written by a search' search $tiny $job --out foreign
bad_together 1 1 'process 1 of 2 has other data or options' search $tiny $job \
    : -q -n 1 "$GPRGNN" search csbm:n=300,f=20,phi=-0.5,seed=4 $job
bad_together 1 1 'process 1 of 2 has other kernels (ref)' search $tiny $job --cpu base \
    : -q -n 1 "$GPRGNN" search $tiny $job --cpu ref
mkdir locked && : >locked/runs.jsonl
exec 8<>locked/runs.jsonl && flock 8
bad_together 2 1 'another process adds runs to it' search $tiny $job --out locked
exec 8>&-

# ---- a process is killed ----
slow="--epochs 300 --stopping none --hidden 8 --K 2 --runs 3 --threads 1 --model gprgnn,mlp --no-halving"
graph=csbm:n=600,f=20,phi=-0.5,seed=3
lines() { cat "$1/runs.jsonl" 2>/dev/null | wc -l; }
good search $graph $slow --grid lr=0.01,0.02,0.05 --out calm -q
for victim in 0 2; do
    called="mpirun -n 3 gprgnn search, process $victim killed"
    rm -rf hurt
    # shellcheck disable=SC2086
    mpirun -n 3 "$GPRGNN" search $graph $slow --grid lr=0.01,0.02,0.05 --out hurt -q >"$scratch/seen/out" \
        2>"$scratch/seen/err" &
    background=$!
    for _ in $(seq 200); do
        [ "$(lines hurt)" -lt 3 ] || break
        sleep 0.02
    done
    mapfile -t processes < <(pgrep -P $background || true)
    if [ ${#processes[@]} -eq 3 ]; then kill -KILL "${processes[$victim]}" 2>/dev/null || true; fi
    for _ in $(seq 100); do
        kill -0 $background 2>/dev/null || break
        sleep 0.1
    done
    ! kill -0 $background 2>/dev/null || fail 'mpirun still runs 10 s after the kill'
    wait $background || expect_err 'process rank' # mpirun names it
    background=
    kept=$(lines hurt)
    [ "$kept" -ge 3 ] || fail "$kept runs are kept"
    good_together 2 search $graph $slow --grid lr=0.01,0.02,0.05 --out hurt -q
    expect_same_search calm hurt
    expect_equal "$(lines hurt)" 18 'runs, none of them trained twice'
done

# ---- the paper ----
bad_together 2 2 'table-efficiency measures the times of one process' paper table-efficiency
paper="table-csbm-sparse --datasets csbm:phi=-0.5 --models mlp,gprgnn --runs 2 --draws 2 --epochs 4 -q"
good paper $paper --out paper1
good_together 2 paper $paper --jobs 1 --out paper2
for folder in paper1 paper2; do cut -d, -f1-14 $folder/cells.csv >$folder.csv; done # the last column has times
expect_same paper1.csv paper2.csv
expect_equal "$(wc -l <paper2/runs.jsonl)" 4 'the runs of the paper'
