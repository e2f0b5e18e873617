# A .gpr file that changes during a training: the program says so, whatever the change does, and reports no result.
source "$(dirname "$0")/lib.bash"

good convert csbm:n=3000,f=400,phi=0.5 data.gpr
size=$(stat -c %s data.gpr)
long="--epochs 1000000 --stopping none"

# begin FLAGS...: trains on a copy in the background; returns when the training runs.
begin() {
    rm -rf run used.gpr
    cp data.gpr used.gpr
    called="gprgnn train used.gpr $* (in the background)"
    env --default-signal=INT "$GPRGNN" train used.gpr $long --out run "$@" \
        >"$scratch/seen/out" 2>"$scratch/seen/err" </dev/null &
    background=$!
    for _ in $(seq 600); do
        if [ -d run ]; then break; fi
        sleep 0.1
    done
    sleep 0.5
}
expect_nothing() {
    expect_status 1
    expect_err 'used.gpr changed while it was in use'
    expect_err '--no-map'
    expect_silent_out
    [ ! -e run/model.safetensors ] || fail 'there is a model'
}

begin # cut short: SIGBUS
truncate -s 2000 used.gpr
finish
expect_nothing

begin # other bytes: ids of nodes that do not exist, SIGSEGV
head -c $((size - 1024)) /dev/zero | tr '\0' '\177' | dd of=used.gpr bs=1024 seek=1 conv=notrunc 2>/dev/null
finish
expect_nothing

begin # one byte at the end, where it does no harm
printf x | dd of=used.gpr bs=1 seek=$((size - 1)) conv=notrunc 2>/dev/null
kill -INT "$background"
finish
expect_nothing

begin --no-map # the copy in memory does not change
truncate -s 2000 used.gpr
sleep 0.3
kill -INT "$background"
finish
expect_status 1
expect_err 'the best model so far is in run'
expect_file run/model.safetensors

begin # a signal of another process has its usual effect
kill -SEGV "$background"
finish
[ "$status" -ne 0 ] || fail 'the signal has no effect'
! grep -q 'changed while' "$scratch/seen/err" || fail 'the file has not changed'

# The result is that of the mapped file.
good info data.gpr --json mapped.json
good info data.gpr --no-map --json read.json
expect_same mapped.json read.json
good convert data.gpr again.gpr --no-map
expect_same data.gpr again.gpr

# The budget of memory: for what is read, and for the model.
mkdir empty
cd empty
bad 1 'reading has taken' info ../data.gpr --no-map --memory 1M
bad 1 'give --memory' info ../data.gpr --no-map --memory 1M
bad 1 'training would take' train ../data.gpr --hidden 65536 --memory 64M
bad 2 "memory is 'much': it must be a size such as 512M or 4G" train ../data.gpr --memory much
bad 2 'it must be at least 1048576' info ../data.gpr --memory 1K
