# mpirun -n P gprgnn train: the bits of one process, whatever is dealt out; and what is said where it is not possible.
source "$(dirname "$0")/lib.bash"
source "$tests_dir/lib_processes.bash"
graph=csbm:n=2000,f=20,phi=0.4,seed=3 # of 8 blocks
job="--epochs 6 --threads 1 -q"

# ---- a process that is alone ----
bad 2 'this one is alone' train $tiny $job --distribute rows
SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=4 bad 2 'srun has started 4 tasks without MPI' train $tiny $job

# ---- runs ----
for model in gprgnn gprdeep; do # its running moments, too
    rm -rf one
    good train $tiny --runs 3 $job --model $model --out one
    for p in 1 2; do
        rm -rf many
        good_together $p train $tiny --runs 3 $job --model $model --distribute runs --out many
        expect_same_run one many
        expect_equal "$(ls many | sort | tr '\n' ' ')" "$(ls one | sort | tr '\n' ' ')" 'the files'
    done
done

# ---- rows and columns ----
check() { # MODEL HOW PROCESSES
    [ -e "$1" ] || good train $graph --model $1 $job --out $1
    rm -rf many
    good_together $3 train $graph --model $1 $job --distribute $2 --out many
    expect_same_run $1 many
}
check gprgnn rows 4
check gprgnn columns 3
check gcn rows 2
check sage rows 3
check cheby rows 2
check appnp columns 2
rm -rf one many
good train $graph --model sgc $job --metric roc_auc --calibrate yes --out one
good_together 2 train $graph --model sgc $job --metric roc_auc --calibrate yes -v --out many # auto
expect_same_run one many
expect_err '2 processes: rows are distributed'

# ---- known labels: a pass without them, of rows that each process has, says what they are worth; the file keeps it --
for how in rows columns; do
    for labels in '--label-input yes --label-counts no --smooth yes' \
        '--label-input no --label-counts yes --refit yes'; do
        labels+=' --normalize column'
        rm -rf one many
        good train $graph $job $labels --out one
        grep -aq known_worth one/model.safetensors || fail 'the model does not say what labels are worth'
        good_together 3 train $graph $job $labels --distribute $how --out many
        expect_same_run one many
    done
done

# ---- one message ----
bad_together 3 2 'nothing.gpr' train nothing.gpr $job
bad_together 2 2 "'sideways': it must be auto, runs, columns, rows or none" train $graph $job --distribute sideways
bad_together 2 2 'the rows of the model gat cannot be distributed' train $graph $job --model gat --distribute rows
for how in rows columns; do
    bad_together 2 2 'the rows of the model gprdeep cannot be distributed' \
        train $graph $job --model gprdeep --distribute $how
done
bad_together 2 2 'has no filter whose columns could be distributed' train $graph $job --model gcn --distribute columns
bad_together 3 2 '3 processes are too many for a graph of 300 nodes' train $tiny $job --distribute rows
bad_together 1 1 'process 1 of 2 has other data' train csbm:n=300,f=20,phi=-0.5,seed=3 $job \
    : -q -n 1 "$GPRGNN" train csbm:n=300,f=20,phi=-0.5,seed=4 $job
bad_together 1 1 'process 1 of 2 has another --lr (0.3)' train $tiny $job : -q -n 1 "$GPRGNN" train $tiny $job --lr 0.3
bad_together 1 1 'process 1 of 2 has another --model (gcn)' train $graph $job --distribute rows --normalize column \
    : -q -n 1 "$GPRGNN" train $graph $job --distribute rows --model gcn
bad_together 1 1 'process 1 of 2 has other kernels (ref)' train $tiny $job --cpu base \
    : -q -n 1 "$GPRGNN" train $tiny $job --cpu ref
together 1 train $tiny $job : -q -n 1 "$GPRGNN" train nothing.gpr $job # one alone fails: it says so, and both end
[ "$status" -ne 0 ] || fail 'a process failed, and all is well'
expect_err 'process 1 of 2: '

# ---- without MPI ----
good train $tiny $job --distribute auto
export GPRGNN_MPI_LIBRARY=$scratch/nothing.so
bad_together 2 1 "GPRGNN_MPI_LIBRARY names $scratch/nothing.so, which is not a file" train $tiny $job
good_together 2 train $tiny $job --distribute none
expect_equal "$(grep -c '^  test accuracy' "$scratch/seen/out")" 2 'summaries'
unset GPRGNN_MPI_LIBRARY
if ! ldd "$GPRGNN" 2>/dev/null | grep -q libgprgnn; then
    mkdir "$scratch/bin" && cp "$GPRGNN" "$scratch/bin/gprgnn"
    GPRGNN=$scratch/bin/gprgnn bad_together 2 1 'libgprgnn_mpi.so is not installed' train $tiny $job
fi
SLURM_NTASKS=4 good train $tiny $job # a batch script is one process
