# For tests of several processes: read after lib.bash. Ends the test with 77 where there is no mpirun, or where the
# program was built without libgprgnn_mpi.so.
needs mpirun openmpi-bin
[ -e "$(dirname "$GPRGNN")/libgprgnn_mpi.so" ] || skip 'libgprgnn_mpi.so was not built (Debian: libopenmpi-dev)'
unset OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE PMIX_RANK PMI_RANK
# Root, fewer cores than processes, and no network; the MPI library keeps some memory to the end.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_pml=ob1 OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_MCA_odls_base_sigkill_timeout=0 # mpirun waits no second for processes that it ends
# Programs of mpirun share a folder in /tmp, and one that ends may remove it before another that starts has used it.
mkdir "$scratch/mpi"
export OMPI_MCA_orte_tmpdir_base=$scratch/mpi
export ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0

# Runs the program in P processes: together P ARGUMENTS...
together() {
    local processes=$1
    shift
    called="mpirun -n $processes gprgnn $*"
    status=0
    timeout 120 mpirun -q -n "$processes" "$GPRGNN" "$@" >"$scratch/seen/out" 2>"$scratch/seen/err" </dev/null || status=$?
}
good_together() {
    together "$@"
    expect_status 0
}
# All processes fail, and the message comes from one: bad_together P STATUS TEXT ARGUMENTS...
bad_together() {
    local processes=$1 code=$2 text=$3
    shift 3
    together "$processes" "$@"
    expect_status "$code"
    expect_err "$text"
    expect_equal "$(grep -cF -e "$text" "$scratch/seen/err")" 1 'messages'
}
# The same model, predictions and history as in another run folder.
expect_same_run() {
    for file in model.safetensors predictions.csv history.csv; do expect_same "$1/$file" "$2/$file"; done
}
