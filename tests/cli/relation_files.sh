# Kinds of edges and directions in .gpr and .npz files: the same data as the tables, for every command.
source "$(dirname "$0")/lib.bash"
source "$tests_dir/lib_kinds.bash"
data=$scratch/seen/data # outside the working folder, which must stay empty
mkdir "$data"
kinds_write "$data" 120
tables="--nodes $data/n.csv --label team --drop when"
named="--edges pay=$data/pay.csv --edges device=$data/device.csv"
few="--epochs 60 --lr 0.05 --label-input no --label-counts no --smooth no --calibrate no --refit no --seed 2"
version() { od -An -tu4 -j12 -N4 "$1" | tr -d ' '; }
print_of() { good info "$@" --json print.json -q >/dev/null && json print.json fingerprint; }
fails() { # STATUS PART ARGUMENTS
    run "${@:3}"
    expect_status "$1"
    expect_err "$2"
}
convert() { good convert "$@" -q; }

# ---- the same data, whatever the file
wanted=$(print_of $named $tables)
for format in gpr npz; do
    convert $named $tables kinds.$format
    expect_equal "$(print_of kinds.$format)" "$wanted" "the fingerprint of kinds.$format"
    good info kinds.$format
    expect_out '2 kinds of edges'
    expect_out 'directed: '
    good verify kinds.$format
done
convert kinds.npz from_npz.gpr
expect_equal "$(print_of from_npz.gpr)" "$wanted"
convert kinds.gpr again.npz
expect_same again.npz kinds.npz
expect_equal "$(version kinds.gpr)" 2 'the version of a file with kinds'
convert --edges $data/pay.csv $tables directed.gpr # through the spill
expect_equal "$(version directed.gpr)" 2 'the version of a file with directions'
convert directed.gpr directed.npz
convert directed.npz back.gpr
good info directed.gpr
expect_out 'directed in the file: '
awk -F, 'NR == 1 || $1 != $2 { print; if (NR > 1) print $2 "," $1 }' "$data/pay.csv" >twice.csv
convert --edges twice.csv $tables symmetric.gpr
expect_equal "$(version symmetric.gpr)" 1 'the version of a file that older programs can read'
expect_equal "$(print_of symmetric.gpr)" "$(print_of directed.gpr)" 'the fingerprint without directions'

# ---- one byte of a relation
cp kinds.gpr damaged.gpr
place=$(grep -abo 'pay' damaged.gpr | head -n 1 | cut -d: -f1) # in the list
printf 'q' | dd of=damaged.gpr bs=1 seek="$place" conv=notrunc status=none
run verify damaged.gpr
expect_status 1
expect_out 'section graph.list is damaged'
fails 1 'section graph.list is damaged' info damaged.gpr

# ---- training and prediction, from and to every file; filters by direction
for direction in undirected both pay=along,device=undirected; do
    rm -rf of_gpr of_npz
    good train kinds.gpr $few --direction $direction --out of_gpr -q
    good train kinds.npz $few --direction $direction --out of_npz -q
    cut -d, -f1-4 of_gpr/predictions.csv >own.csv
    cut -d, -f1-4 of_npz/predictions.csv >other.csv
    expect_same own.csv other.csv
    for file in kinds.gpr kinds.npz from_npz.gpr; do
        good predict of_gpr $file -v --proba
        expect_err 'the model was trained on this data'
        cut -d, -f1-4 "$scratch/seen/out" >other.csv
        expect_same other.csv own.csv
    done
done
good train $named $tables $few --out tables -q # a model of tables reads files too
good train directed.gpr $few --direction both --out both -q
good train directed.npz $few --direction both --out both_npz -q
cut -d, -f1-4 both/predictions.csv >own.csv
cut -d, -f1-4 both_npz/predictions.csv >other.csv
expect_same own.csv other.csv

# ---- relations that are missing, extra, renamed or reversed, in every file and through every door
good train kinds.gpr $few --direction both --out model -q
convert --edges pay=$data/pay.csv --edges phone=$data/device.csv $tables renamed.gpr
convert $named --edges more=$data/pay.csv $tables extra.gpr
convert --edges pay=twice.csv --edges device=$data/device.csv $tables undirected.gpr
refused() { # DATA PART
    for file in $1.gpr $1.npz; do
        [ -e $file ] || convert $1.gpr $file
        for door in predict inspect 'explain --node p3' 'explain --importance'; do
            fails 1 "$2" ${door%% *} model $file $(cut -s -d' ' -f2- <<<"$door")
        done
    done
}
refused directed "the relation 'device' is missing: the data has one kind of edges, without a name"
refused renamed "the relation 'device' is missing: the data has pay, phone"
refused extra "the model has no relation 'more' of the data: it was trained with device,pay"
refused undirected 'the edges of the relation pay of the data have no direction, and the model goes along them'
mv model kinds_model && mv both model
refused kinds 'the data has the relations device, pay, and the model was trained on one kind of edges'
refused symmetric 'the edges of the data have no direction, and the model goes along them'
mv model both && mv kinds_model model

# ---- another order of the nodes
convert kinds.gpr moved.gpr --reorder rcm
convert moved.gpr back.gpr --reorder none
expect_equal "$(print_of back.gpr)" "$wanted" 'the fingerprint after another order and back'
good predict model moved.gpr
cut -d, -f1-2 "$scratch/seen/out" | sort >other.csv
good predict model kinds.gpr
cut -d, -f1-2 "$scratch/seen/out" | sort >own.csv
expect_same other.csv own.csv
good train kinds.gpr $few --direction both --reorder communities --out moved -q
cut -d, -f1 moved/predictions.csv >other.csv
cut -d, -f1 model/predictions.csv >own.csv
expect_same other.csv own.csv # the data's order

# ---- what is refused by name
fails 2 'data with several kinds of edges is not cut into shards' convert kinds.gpr cut.gpr --shards 2
fails 2 'filter-first has one filter in powers of the undirected graph, and the data has 2 kinds' \
    train kinds.gpr --order filter-first
fails 2 'filter-first has one filter in powers of the undirected graph: leave out --direction' \
    train directed.gpr --order filter-first --direction along

# ---- a training goes on with the same kinds and directions alone
long="$few --epochs 1500 --stopping none --threads 1"
stop() { # DATA OPTIONS: a training into `stopped` that is killed
    rm -rf stopped
    called="gprgnn train $1, which is killed"
    "$GPRGNN" train "$@" $long --save-every 0.02 --out stopped -q 2>/dev/null &
    background=$!
    for _ in $(seq 600); do if [ -e stopped/state/run-0.safetensors ]; then break; else sleep 0.02; fi; done
    kill -KILL $background
    finish 2>/dev/null
}
convert --edges pay=$data/device.csv --edges device=$data/pay.csv $tables swapped.gpr # the same union
cp kinds.gpr it.gpr
stop it.gpr
cp swapped.gpr it.gpr
fails 1 'is of a training on other data' train --resume stopped
cp kinds.gpr it.gpr
good train --resume stopped -q
convert --edges pay=$data/pay.csv --source 2 --target 1 $tables turned.gpr
expect_equal "$(print_of turned.gpr)" "$(print_of directed.gpr)" 'the fingerprint of reversed edges'
cp directed.gpr it.gpr
stop it.gpr --direction along
cp turned.gpr it.gpr
fails 1 'directions' train --resume stopped
cp directed.gpr it.gpr
good train --resume stopped -q

# ---- a search does not take the runs of other directions for its own
search="--grid direction=along,against --runs 2 --epochs 5 --label-input no --label-counts no --out found -q"
good search directed.gpr $search
lines=$(wc -l <found/runs.jsonl)
cp turned.gpr directed.gpr
good search directed.gpr $search
expect_equal "$(wc -l <found/runs.jsonl)" $((2 * lines)) 'the runs of both'
