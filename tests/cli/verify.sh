# gprgnn verify: every kind of file, whole and damaged. It changes nothing.
source "$(dirname "$0")/lib.bash"

# flip FILE PLACE: changes one byte. A negative place counts from the end.
flip() {
    python3 - "$1" "$2" <<'PY'
import sys
with open(sys.argv[1], "r+b") as file:
    file.seek(int(sys.argv[2]), 2 if int(sys.argv[2]) < 0 else 0)
    byte = file.read(1)
    file.seek(-1, 1)
    file.write(bytes([byte[0] ^ 0x10]))
PY
}
# wrong LINE PATH...: exit status 1, and a line with these words.
wrong() {
    local line=$1
    shift
    run verify "$@"
    expect_status 1
    expect_out "$line"
    expect_silent_err
}
right() {
    good verify "$@"
    expect_silent_err
    expect_out_lacks DAMAGED
    expect_out_lacks missing
}
needs python3

# ---- a run folder ----
good train $tiny --epochs 5 --out run -q
right run
expect_equal "$(grep -c '^ok  ' "$scratch/seen/out")" 12 'the lines that are right'
expect_out 'ok      run/model.safetensors   model: gprgnn, its SHA-256 matches the manifest'
cp -r run whole
for file in config.json model.safetensors split.npz history.csv gamma.csv gamma_history.csv metrics.csv \
    class_metrics.csv predictions.csv \
    result.json report.html; do
    flip run/$file 20
    wrong "DAMAGED run/$file   its SHA-256 is " run
    expect_equal "$(grep -c '^ok  ' "$scratch/seen/out")" 11 'the lines that are right'
    rm run/$file
    wrong "missing run/$file" run
    cp whole/$file run/$file
done
right run
truncate -s -1 run/history.csv
wrong 'DAMAGED run/history.csv' run
cp whole/history.csv run
echo mine >run/notes.txt # not damage
right run
expect_out 'unknown run/notes.txt   it is not part of the run'
rm run/notes.txt

# The manifest is read strictly.
sum=$(printf '%064d' 0)
for line in "$sum  ../secret" "$sum  sub/model.safetensors" "$sum  /etc/passwd" "$sum  notes.txt" "$sum *gamma.csv" \
    "$sum  gamma.csv" "${sum%0}g  gamma.csv" "$sum  run.sha256" "$sum" "" "${sum}0  gamma.csv"; do
    cp whole/run.sha256 run/run.sha256
    echo "$line" >>run/run.sha256
    wrong 'DAMAGED run/run.sha256   manifest: line 12' run
done
grep -v ' gamma.csv' whole/run.sha256 >run/run.sha256
wrong 'DAMAGED run/run.sha256   manifest: it does not list gamma.csv' run
grep -v gamma_history.csv whole/run.sha256 >run/run.sha256 # a run may have none, but this one has
wrong 'DAMAGED run/gamma_history.csv   the manifest does not list it' run
rm run/gamma_history.csv
right run
cp whole/gamma_history.csv run
head -c -1 whole/run.sha256 >run/run.sha256
wrong 'DAMAGED run/run.sha256   manifest: line 11 has no end' run
: >run/run.sha256
wrong 'DAMAGED run/run.sha256   manifest: it does not list config.json' run
rm run/run.sha256
wrong 'missing run/run.sha256   manifest' run

# A run of gprgnn 0.1 has no manifest, and no page: its files are opened.
sed -i 's/"version": "[^"]*"/"version": "0.1.0"/' run/result.json
right run
expect_out 'run/report.html   page: it was read to its end'
rm run/report.html
right run
expect_out 'run/split.npz   split: the CRC-32 of each array matches (written by an older version: no manifest)'
expect_out 'run/history.csv   csv: it has no checksum (written by an older version: no manifest)'
expect_equal "$(grep -c '^ok  ' "$scratch/seen/out")" 10 'the lines that are right'
for file in config.json result.json history.csv split.npz model.safetensors; do
    cp run/$file kept
    head -c 300 kept >run/$file
    [ $file = config.json ] && printf '{"a": ' >run/$file
    [ $file = history.csv ] && printf 'run,epoch\n0,' >run/$file
    wrong "DAMAGED run/$file" run
    mv kept run/$file
done
rm -r run

# What a killed program left is said, and stays.
cp -r whole run
mkdir run/.run-moving
mv run/run.sha256 run/result.json run/.run-moving
wrong 'DAMAGED run/.run-moving   run: a program was killed while it replaced the results' run
expect_file run/.run-moving/result.json
good predict run $tiny -o /dev/null -q
right run
rm -r run

# ---- the state of a training ----
called='gprgnn train, killed'
"$GPRGNN" train $tiny --epochs 1000000 --stopping none --save-every 0 --out run -q >/dev/null 2>&1 </dev/null &
background=$!
for _ in $(seq 600); do
    if [ -s run/state/run-0.safetensors ]; then break; fi
    sleep 0.05
done
kill -KILL "$background"
wait "$background" 2>/dev/null || true
background=
right run
grep -q '^ok      run/state/run-0.safetensors   state: run 0 after [0-9]* epochs, its checksum matches$' \
    "$scratch/seen/out" || fail 'the state is not said to be right'
expect_out 'run/state/command   command: the arguments of the training; it has no checksum'
cp run/state/run-0.safetensors state.safetensors
right state.safetensors
for place in 3 100 2000 -2000 -3; do
    cp state.safetensors run/state/run-0.safetensors
    flip run/state/run-0.safetensors $place
    wrong 'DAMAGED run/state/run-0.safetensors' run
done
rm -r run state.safetensors

# ---- single files ----
cp whole/model.safetensors whole/split.npz whole/result.json .
right model.safetensors split.npz result.json
expect_out 'ok      model.safetensors   model: gprgnn, '
head -c 5000 whole/model.safetensors >model.safetensors
wrong 'DAMAGED model.safetensors   model: ' model.safetensors
flip split.npz 200
wrong 'DAMAGED split.npz   arrays: member ' split.npz
rm model.safetensors split.npz result.json
for name in graph.gpr graph.npz; do
    good generate csbm --phi 0 --n 200 --f 10 -o $name -q
    right $name
    flip $name 2000
    wrong "DAMAGED $name" $name
    rm $name
done
printf '0 1\n1 2\n' >edges.txt
right edges.txt
expect_out 'it has no checksum of its own'
printf '0 1\n1 two\n' >edges.txt
wrong 'unknown edges.txt' edges.txt
gzip -c "$source_dir/CHANGELOG.md" >text.gz
wrong 'unknown text.gz' text.gz
wrong 'missing nothing' nothing
mkdir empty
wrong 'unknown empty' empty
mkfifo pipe.npz
wrong 'unknown pipe.npz   it is not a regular file' pipe.npz
rm -r edges.txt text.gz empty pipe.npz

# ---- fetched datasets ----
mkdir -p cache/planetoid
echo cut >cache/planetoid/ind.cora.x
echo cut >cache/planetoid/ind.cora.graph
wrong "DAMAGED cache/planetoid/ind.cora.graph   dataset: cora: it has 4 bytes, not 59847; 'gprgnn fetch cora' loads "\
"it again" cache
expect_out "missing cache/planetoid/ind.cora.allx   dataset: a file of cora: 'gprgnn fetch cora' loads it"
rm -r cache

# ---- several at once, --quiet, --json ----
cp -r whole run
flip run/gamma.csv 5
run verify whole run --quiet --json verdicts.json
expect_status 1
expect_equal "$(wc -l <"$scratch/seen/out")" 1 'the lines'
expect_out 'DAMAGED run/gamma.csv'
expect_json verdicts.json
expect_equal "$(json verdicts.json right)" false
expect_equal "$(json verdicts.json ok)" 23
expect_equal "$(json verdicts.json damaged)" 1
expect_equal "$(grep -c '"path": ' verdicts.json)" 24 'the files'
run verify whole --json -
expect_status 0
cp "$scratch/seen/out" verdicts.json
expect_json verdicts.json
expect_equal "$(json verdicts.json right)" true
rm -r run verdicts.json

# It changes nothing, and needs no right to write.
before=$(find whole -printf '%p %s %T@ %m\n' | sort)
chmod -R a-w whole
right whole
chmod -R u+w whole
expect_equal "$(find whole -printf '%p %s %T@ %m\n' | sort)" "$before" 'the folder'
rm -r whole

bad 2 'too few arguments' verify
