# mpirun -n P gprgnn with kinds of edges and directions: runs are distributed, with the bits of one process; the rows of
# a filter of several matrices are refused by name; models of one graph are trained by rows on the union.
source "$(dirname "$0")/lib.bash"
source "$tests_dir/lib_processes.bash"
source "$tests_dir/lib_kinds.bash"
data=$scratch/seen/data
mkdir "$data"
kinds_write "$data" 1600 # of several blocks
kinds=$data/kinds.gpr
directed=$data/directed.gpr
tables="--nodes $data/n.csv --label team --drop when"
good convert --edges pay=$data/pay.csv --edges device=$data/device.csv $tables $kinds -q
good convert --edges $data/pay.csv $tables $directed -q
job="--epochs 8 --threads 1 -q --label-input no --label-counts no --smooth no"

same() { # HOW PROCESSES ARGUMENTS: as one process
    rm -rf one many
    good train "${@:3}" $job --out one
    good_together $2 train "${@:3}" $job --distribute $1 --out many
    expect_same_run one many
}
same runs 2 $kinds --runs 3 --direction both
same runs 3 $kinds --runs 3 --gamma columns
same runs 2 $directed --runs 2 --direction along --refit yes
same auto 2 $kinds # one run: what cannot be dealt out is not
same runs 2 $kinds --runs 2 --label-counts yes --smooth yes
same rows 2 $kinds --model gcn # one graph: the union
same columns 2 $kinds --model appnp
same rows 3 $directed # undirected
good convert $directed $data/cut.gpr --shards 2 -q
same rows 2 $data/cut.gpr

for how in rows columns; do
    for what in "$kinds" "$kinds --relations pay" "$directed --direction both" "$directed --gamma columns"; do
        rm -rf one many
        together 2 train $what $job --distribute $how
        expect_status 2
        expect_err 'the rows of a filter with --relations, a --direction or --gamma columns cannot be'
    done
done
bad_together 1 1 'process 1 of 2 has other data' train $kinds $job \
    : -q -n 1 "$GPRGNN" train $directed $job

# ---- a search
rm -rf one many
search="--grid direction=undirected,both --runs 2 --epochs 5 --threads 1 --label-input no --label-counts no -q"
good search $kinds $search --out one
good_together 2 search $kinds $search --out many
for file in search.json search.csv preset.conf; do expect_same one/$file many/$file; done
