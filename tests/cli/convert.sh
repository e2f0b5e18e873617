# gprgnn convert: from every input to .gpr and .npz, always with the same data, and nothing is left behind.
source "$(dirname "$0")/lib.bash"

# Any data, and back.
good convert $tiny a.gpr
expect_out 'a.gpr: 300 nodes, '
expect_out ' edges, 20 features, 2 classes; '
expect_silent_err
expect_equal "$(ls -A)" a.gpr 'the files'
good info $tiny --json named.json
expect_out_lacks 'damaged'
fingerprint=$(json named.json fingerprint)
good convert a.gpr b.npz
expect_out "fingerprint $fingerprint"
good convert b.npz c.gpr -q
expect_silent_out
expect_same a.gpr c.gpr
good info c.gpr --json c.json
expect_same named.json c.json
good info c --data-dir . --json found.json
expect_same named.json found.json
good convert a.gpr plain --to npz
good info plain --json plain.json
expect_equal "$(json plain.json fingerprint)" "$fingerprint" 'the fingerprints'
good convert c.gpr c.gpr # onto itself
expect_same a.gpr c.gpr
good generate csbm --phi -0.5 --n 300 --f 20 --seed 3 -o made.gpr
good info made.gpr --json made.json
expect_equal "$(json made.json fingerprint)" "$fingerprint" 'the fingerprints'

# Training and prediction on mapped data give the same.
good train $tiny --epochs 5 --out run -q
good train a.gpr --epochs 5 --out mapped -q
expect_same run/predictions.csv mapped/predictions.csv
expect_same run/history.csv mapped/history.csv
good predict run a.gpr -o predictions.csv
good train a.gpr --preset paper --split dense --epochs 2 -q # the file holds phi

# Names of nodes, classes and features are kept.
printf 'id,size,kind\nann,1.5,x\nbob,2,y\ncy,4,x\n' >nodes.csv
printf 'from,to,weight\nann,bob,2\nbob,cy,3\ncy,bob,4\nann,ann,1\n' >edges.csv
good convert --edges edges.csv --nodes nodes.csv --label kind named.gpr
expect_out 'named.gpr: 3 nodes, 2 edges, 1 features, 2 classes'
good info --edges edges.csv --nodes nodes.csv --label kind --json before.json
good info named.gpr --json after.json
expect_equal "$(json after.json columns)" null 'the plan of the columns, which belongs to tables'
sed -i '/^  "columns": \[$/,/^  \],$/d' before.json
sed -i '/^  "columns": null,$/d' after.json
expect_same before.json after.json
grep -q '"x"' after.json || fail 'the names of the classes are lost'
good convert named.gpr named.npz -q
good convert named.npz again.gpr -q
good info again.gpr --json again.json
expect_equal "$(json again.json fingerprint)" "$(json after.json fingerprint)" 'the fingerprints'

# Features for a mapped graph.
printf '1 2\n3 4\n5 6\n' >features.txt
good info named.gpr --features features.txt --json other.json
expect_equal "$(json other.json features)" 2 'the features'
[ "$(json other.json fingerprint)" != "$(json after.json fingerprint)" ] || fail 'the old fingerprint'

# A text of edges in little memory: the same bytes; also from gzip and from a pipe.
awk 'BEGIN { s = 1; for (i = 0; i < 200000; i++) { s = (s * 16807) % 2147483647; a = s % 5000;
    s = (s * 16807) % 2147483647
    print a, s % 5000 } }' >web.txt
good convert web.txt web.gpr
expect_out 'web.gpr: 5000 nodes, '
good convert web.txt small.gpr --memory 1M -q
expect_same web.gpr small.gpr
good convert web.txt small.gpr --memory 2MiB --threads 3 -q
expect_same web.gpr small.gpr
gzip -k web.txt
good convert web.txt.gz small.gpr --memory 1024K -q
expect_same web.gpr small.gpr
good convert web.txt whole.npz -q
good info whole.npz --json whole.json
good info web.gpr --json web.json
expect_equal "$(json web.json fingerprint)" "$(json whole.json fingerprint)" 'the fingerprints'

# Little address space: reading all at once does not fit, the conversion does. (Sanitizers need all address space.)
limited() {
    called="gprgnn $* (with little memory)"
    status=0
    (
        ulimit -v "$space"
        exec "$GPRGNN" "$@" --threads 1 >"$scratch/seen/out" 2>"$scratch/seen/err"
    ) || status=$?
}
awk 'BEGIN { s = 7; for (i = 0; i < 3000000; i++) { s = (s * 16807) % 2147483647; a = s % 1000;
    s = (s * 16807) % 2147483647
    print a, s % 1000 } }' >many.txt
space=60000 # kB
limited info csbm:n=10,f=2,phi=0
if [ "$status" -eq 0 ]; then
    limited convert many.txt many.gpr --memory 4M -q
    expect_status 0
    limited convert many.txt many.npz -q
    expect_status 1
    expect_err 'out of memory'
    [ ! -e many.npz ] || fail 'a file was left'
    good convert many.txt roomy.gpr -q
    expect_same many.gpr roomy.gpr
fi

# A damaged file gives an error in every command.
head -c 2000 a.gpr >cut.gpr
for command in "info cut.gpr" "train cut.gpr" "predict run cut.gpr" "convert cut.gpr x.npz"; do
    run $command
    expect_status 1
    expect_err 'cut.gpr: the file has 2000 bytes, its header says '
done
cp a.gpr flipped.gpr
printf '\377' | dd of=flipped.gpr bs=1 seek=1501 conv=notrunc status=none
for command in "info flipped.gpr" "train flipped.gpr" "predict run flipped.gpr" "convert flipped.gpr x.gpr"; do
    run $command
    expect_status 1
    expect_err 'flipped.gpr: section '
    expect_err ' is damaged: its checksum is '
done
[ ! -e x.gpr ] && [ ! -e x.npz ] || fail 'a file was left'

# Ctrl-C, SIGTERM and SIGHUP during the conversion: nothing is left behind.
cp many.txt "$scratch/seen/many.txt"
rm -rf ./*
for signal in INT TERM HUP; do
    for pause in 0.02 0.2 0.5; do
        called="gprgnn convert, and SIG$signal after $pause s"
        env --default-signal=INT "$GPRGNN" convert "$scratch/seen/many.txt" out.gpr --memory 1M --threads 1 \
            >"$scratch/seen/out" 2>"$scratch/seen/err" &
        background=$!
        # until the shell has become the program: before, it would take the signal itself, and clean up
        while [ "$(cat "/proc/$background/comm" 2>/dev/null || true)" = bash ]; do sleep 0.005; done
        sleep $pause
        kill -$signal "$background" 2>/dev/null || true
        status=0
        wait "$background" || status=$?
        background=
        # it was faster
        if [ "$status" -eq 0 ] || grep -q 'results were complete' "$scratch/seen/err"; then rm out.gpr; fi
        expect_no_files
    done
done

# A full disk.
called='gprgnn convert (with files of at most 100 kB)'
status=0
(
    ulimit -f 100
    exec "$GPRGNN" convert "$scratch/seen/many.txt" out.gpr --memory 1M >"$scratch/seen/out" 2>"$scratch/seen/err"
) || status=$?
expect_status 1
expect_err 'cannot write out.gpr: File too large'
expect_no_files

# Wrong calls.
bad 2 'too few arguments; usage: gprgnn convert IN OUT' convert $tiny
bad 2 'too few arguments' convert
bad 2 "its name must end in .npz or .gpr" convert $tiny out.txt
bad 2 "unknown format 'gprr' to write: did you mean 'gpr'?" convert $tiny out.gpr --to gprr
bad 2 "memory is 'much': it must be a size such as 512M or 4G" convert $tiny out.gpr --memory much
bad 2 'memory is 1000 bytes: it must be at least 1048576' convert $tiny out.gpr --memory 1000
bad 2 'memory is ' convert $tiny out.gpr --memory 0
bad 2 'memory is ' convert $tiny out.gpr --memory 1Q
bad 2 'memory is ' convert $tiny out.gpr --memory 99999999999G
bad 2 'none.txt' convert none.txt out.gpr
bad 1 'cannot write none/out.gpr: No such file or directory' convert $tiny none/out.gpr
bad 2 'data and --edges are both given' convert $tiny out.gpr --edges x
