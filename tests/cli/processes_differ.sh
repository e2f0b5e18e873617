# Processes that do not fit together: other files, other versions, no MPI library in one of them. One message comes from
# one process, and no process ends with status 0.
source "$(dirname "$0")/lib.bash"
source "$tests_dir/lib_processes.bash"
job="--epochs 4 --threads 1 -q"
program=$GPRGNN

# Each process starts the program by this script, which keeps its exit status. Process 1 has another world: what
# other.sh says.
cat >each.sh <<'END_OF_SCRIPT'
#!/bin/bash
rank=$OMPI_COMM_WORLD_RANK
program=$PROGRAM data=$rank.gpr
[ "$rank" != 1 ] || [ ! -e other.sh ] || source ./other.sh
arguments=()
for word in "$@"; do arguments+=("${word/DATA/$data}"); done
"$program" "${arguments[@]}"
status=$?
echo $status >status.$rank
exit $status
END_OF_SCRIPT
chmod +x each.sh
export PROGRAM=$program
export GPRGNN=$PWD/each.sh

# differ TEXT ARGUMENTS...: fails everywhere, with one message
differ() {
    local text=$1
    shift
    rm -f status.*
    together 2 "$@"
    [ "$status" -ne 0 ] || fail 'all is well'
    expect_err "$text"
    expect_equal "$(grep -c '^gprgnn: ' "$scratch/seen/err")" 1 'messages'
    for file in status.*; do [ ! -e "$file" ] || [ "$(<"$file")" != 0 ] || fail "$file is 0"; done
}

# ---- files ----
"$program" generate csbm --n 600 --f 8 --phi 0.4 -q --seed 1 -o 0.gpr
cp 0.gpr 1.gpr
good_together 2 train DATA $job --distribute rows
"$program" generate csbm --n 600 --f 8 --phi 0.4 -q --seed 2 -o 1.gpr
for how in rows runs; do differ 'process 1 of 2 has other data' train DATA $job --distribute $how; done
"$program" generate csbm --n 700 --f 8 --phi 0.4 -q --seed 1 -o 1.gpr # other sizes, other blocks
for how in columns auto; do differ 'process 1 of 2 has other data' train DATA $job --distribute $how; done
differ 'process 1 of 2 has other data' search DATA $job
head -c 2000 0.gpr >1.gpr # cut
differ 'process 1 of 2: ' train DATA $job --distribute rows
rm 1.gpr
differ 'process 1 of 2: ' search DATA $job
"$program" generate csbm --n 600 --f 8 --phi 0.2 -q -o other.npz # one maps its file, the other reads all
cat >other.sh <<<'data=other.npz'
differ 'process 1 of 2 has other data' train DATA $job --distribute rows
cp 0.gpr 1.gpr

# ---- options: those of process 1 come last, and win ----
for option in 'distribute runs' 'runs 3' 'model mlp' 'hidden 16' 'K 3' 'lr 0.1' 'epochs 5' 'seed 7' 'stopping none' \
    'split 50/25/25' 'normalize row' 'metric accuracy' 'refit yes' 'label-input yes' 'smooth yes' 'calibrate yes' \
    'order filter-first' 'batch 100' 'class-weight balanced' 'predictions none' 'reorder rcm' 'init random'; do
    cat >other.sh <<<"set -- \"\$@\" --$option"
    differ "process 1 of 2 has another --${option% *} (" train 0.gpr --distribute rows --runs 2 $job
done
for option in 'runs 3' 'grid lr=0.1' 'draws 3' 'metric accuracy' 'no-halving' 'epochs 5' 'seed 7' 'distribute auto'; do
    cat >other.sh <<<"set -- \"\$@\" --$option"
    differ 'process 1 of 2 has ' search 0.gpr --grid lr=0.01,0.02 --runs 2 --distribute runs $job
done
# Another command, or one that reads other files together.
cat >other.sh <<<'set -- search 0.gpr --grid lr=0.1 -q'
differ "another process does not do 'gprgnn train'" train 0.gpr $job
cat >other.sh <<<'set -- "$@" --show --out kept'
differ "another process does not do 'gprgnn paper'" \
    paper table-csbm-dense --datasets csbm:phi=0 --models mlp --runs 1 --draws 1 --epochs 2 -q
# One that trains for itself, and takes long: it does not join. (If it ends soon, mpirun ends the other one.)
cat >other.sh <<<'exec sleep 60'
timeout 60 mpirun -q -n 2 "$GPRGNN" train 0.gpr --distribute rows $job >/dev/null 2>"$scratch/seen/err" </dev/null &
waiting=$!
for _ in $(seq 500); do # it is told after five seconds; a busy machine starts late
    if grep -q 'does not join the others' "$scratch/seen/err" || ! kill -0 "$waiting" 2>/dev/null; then break; fi
    sleep 0.1
done
kill "$waiting" 2>/dev/null || true
wait "$waiting" 2>/dev/null || true
expect_err 'one with --distribute none does not join the others'
rm other.sh

# ---- versions: copies of the program and its library that say another one ----
version=$("$program" --version | sed 's/gprgnn //')
other=9${version:1}
mkdir both plain
cp "$program" "$(dirname "$program")/libgprgnn_mpi.so" both
cp "$program" "$(dirname "$program")/libgprgnn_mpi.so" plain
linked=$(ldd "$program" 2>/dev/null | sed -n 's/.* => \(.*libgprgnn\.so[^ ]*\) .*/\1/p')
if [ -z "$linked" ]; then
    LC_ALL=C sed -i "s/${version//./\\.}/$other/g" both/*
    expect_equal "$(both/gprgnn --version)" "gprgnn $other" 'the version of the copy'
    cat >other.sh <<<'program=both/gprgnn'
    differ "process 1 of 2 has another version ($other) than process 0 ($version)" train DATA $job
    LC_ALL=C sed -i "s/${version//./\\.}/$other/g" plain/libgprgnn_mpi.so
    cat >other.sh <<<'program=plain/gprgnn'
    differ "libgprgnn_mpi.so is of version $other and does not fit the program" train DATA $job
fi

# ---- no library, in one process ----
cat >other.sh <<<'export GPRGNN_MPI_LIBRARY=nothing.so'
differ 'process 1 of 2: --distribute: GPRGNN_MPI_LIBRARY names nothing.so' train DATA $job
cat >other.sh <<<'set -- "$@" --no-such-flag'
differ 'process 1 of 2: ' train DATA $job
