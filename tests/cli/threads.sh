# The same seed gives the same bits on any number of threads.
source "$(dirname "$0")/lib.bash"

results() { grep -vE '"(ms_per_epoch|seconds|peak_memory_bytes|threads)"' "$1"; }
for runs in 1 3; do
    for threads in 1 2 7; do
        good train $tiny --epochs 25 --runs $runs --threads $threads --out $threads --json $threads.json -q
        expect_equal "$(json $threads.json threads)" $threads 'the threads'
        results $threads.json >$threads.results
        expect_same 1.results $threads.results
        for file in history.csv gamma.csv gamma_history.csv predictions.csv; do expect_same 1/$file $threads/$file; done
    done
done

# Another seed gives other bits.
good train $tiny --epochs 25 --runs 3 --seed 2 --json other.json -q
results other.json >other.results
if cmp -s 1.results other.results; then fail 'the seed has no effect'; fi
