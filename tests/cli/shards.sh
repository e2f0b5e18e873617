# gprgnn convert --reorder and --shards, and trainings in several processes on shards.
source "$(dirname "$0")/lib.bash"
source "$tests_dir/lib_processes.bash"
graph=csbm:n=2000,f=20,phi=0.4,seed=3 # of 8 blocks
job="--epochs 5 --threads 1 --distribute rows -q"

bad 2 "'comunities': did you mean 'communities'?" convert $graph no.gpr --reorder comunities
bad 2 "'alphabet': expected auto, none, rcm" train $graph --reorder alphabet
bad 2 'only a .gpr file keeps another order' convert $graph no.npz --reorder rcm
bad 2 'it must be 1 or more' convert $graph no.gpr --shards 0
bad 2 'only a .gpr file is cut into shards' convert $graph no.npz --shards 2

# ---- orders ----
good convert $graph whole.gpr --reorder communities -v
expect_err 'order of nodes: communities; of the neighbours'
good train whole.gpr --epochs 2 --reorder rcm -v
expect_err 'order of nodes: reverse Cuthill-McKee'

# ---- shards ----
good convert whole.gpr cut.gpr --shards 3
expect_equal "$(ls cut.gpr* | tr '\n' ' ')" 'cut.gpr cut.gpr.1 cut.gpr.2 cut.gpr.3 ' 'the files'
good verify cut.gpr
good convert cut.gpr again.gpr
expect_same whole.gpr again.gpr

# ---- in several processes ----
good train whole.gpr --epochs 5 --threads 1 -q --out one
for p in 2 3 4; do
    rm -rf many
    good_together $p train cut.gpr $job --out many
    expect_same_run one many
done
bad_together 2 2 'the data to a .gpr file' train cut.gpr $job --reorder rcm

# ---- shards that their own process alone can see: the run folder needs no others ----
without_times() { sed -E 's/"value":"[0-9.e+]+ (ms|s|min|MB)"//g' "$1/report.html" >"$1/words"; }
for p in 1 2 3; do mkdir at$p && cp cut.gpr cut.gpr.$p at$p; done
rm -rf many
together 1 train at1/cut.gpr $job --out many : -q -n 1 "$GPRGNN" train at2/cut.gpr $job --out many \
    : -q -n 1 "$GPRGNN" train at3/cut.gpr $job --out many
expect_status 0
expect_same_run one many
for file in metrics.csv class_metrics.csv split.npz gamma_history.csv; do expect_same one/$file many/$file; done
without_times one && without_times many
expect_same one/words many/words

# ---- and of a table with nodes to be predicted, weights of edges and several runs: trained once more ----
awk 'BEGIN { print "id,x,y,class"; for (i = 0; i < 900; i++)
    printf "n%d,%.3f,%.3f,%s\n", i, i % 7 / 7 + i % 2, i % 5 / 5, i % 9 ? (i % 2 ? "odd" : "even") : "" }' >nodes.csv
awk 'BEGIN { for (i = 0; i < 900; i++) for (k = 2; k < 7; k += 2)
    printf "n%d,n%d,%.2f\n", i, (i + k * k) % 900, 1 + i % 3 / 4 }' >edges.csv
good convert --edges edges.csv --nodes nodes.csv --label class table.gpr
good convert table.gpr tcut.gpr --shards 2
job="--epochs 5 --threads 1 --smooth no --normalize row --label-input no --label-counts no --runs 2"
rm -rf one many
good train table.gpr $job -q --out one
for p in 1 2; do cp tcut.gpr tcut.gpr.$p at$p; done
together 1 train at1/tcut.gpr $job --distribute rows -q --out many \
    : -q -n 1 "$GPRGNN" train at2/tcut.gpr $job --distribute rows -q --out many
expect_status 0
expect_same_run one many
without_times one && without_times many
expect_same one/words many/words
job="--epochs 5 --threads 1 --distribute rows -q"

mv cut.gpr.2 away
together 3 train cut.gpr $job
[ "$status" -ne 0 ] || fail 'a shard is missing, and all is well'
expect_err 'cut.gpr.2'
good convert csbm:n=2000,f=20,phi=0.4,seed=4 other.gpr --shards 3
cp other.gpr.2 cut.gpr.2
together 3 train cut.gpr $job
[ "$status" -ne 0 ] || fail 'a shard is of other data, and all is well'
expect_err 'cut.gpr.2 is a shard of other data than cut.gpr'
