# Kinds of edges in tables, by the names of the tables or by a column, and directions: in training, prediction and all
# that meets them.
source "$(dirname "$0")/lib.bash"
data=$scratch/seen/data # outside the working folder, which must stay empty
mkdir "$data"

source "$tests_dir/lib_kinds.bash"
kinds_write "$data" 120
nodes="--nodes $data/n.csv --label team --drop when"
named="--edges pay=$data/pay.csv --edges device=$data/device.csv"
column="--edges $data/all.csv --relation kind"
few="--epochs 60 --lr 0.05 --label-input no --label-counts no --smooth no --calibrate no --refit no --seed 2"

# relation FILE NAME KEY: of `relations` in the JSON of info.
relation() { grep -F "{\"name\": \"$2\"" "$1" | grep -o "\"$3\": [^,}]*" | head -n 1 | sed 's/.*: //'; }

# ---- info
good info $named $nodes --json info.json
expect_json info.json
expect_out 'relations        2 kinds of edges'
expect_out '(all edges are used in both directions, unless --direction says else)'
expect_equal "$(relation info.json pay weighted) $(relation info.json device weighted)" 'false true' 'weights'
expect_equal "$(relation info.json pay directed) $(json info.json directed)" 'true true' 'directed'
expect_equal "$(json info.json one_way_edges)" null
awk -v pay="$(relation info.json pay edge_homophily)" -v device="$(relation info.json device edge_homophily)" \
    'BEGIN { exit !(pay > 0.8 && device < 0.2) }' || fail 'the homophily of the kinds is wrong'
good info $column $nodes --json column.json
expect_err "'same device' is same_device"
expect_equal "$(relation column.json pay edges)" "$(relation info.json pay edges)" 'the edges of a kind'
expect_equal "$(relation column.json same_device edge_homophily)" "$(relation info.json device edge_homophily)"
good info --edges $data/all.csv $nodes --json union.json
expect_equal "$(sed -n 's/^  "relations": //p' union.json)" '[],' 'relations of one kind of edges'
expect_equal "$(json union.json edges)" "$(json info.json edges)" 'the edges of the union'
expect_out 'directed in the file: '
expect_out 'unless --direction says else'

# ---- a file of the whole name is that file; an empty table of a kind has no edges
mkdir named && (cd named && cp "$data/all.csv" pay=all.csv && head -n 1 "$data/pay.csv" >none.csv)
cd named
good info --edges pay=all.csv --edges other=$data/pay.csv $nodes --json info.json
expect_equal "$(relation info.json edges edges)" "$(json ../union.json edges)" 'the edges of the table without a name'
good info --edges pay=$data/pay.csv --edges none=none.csv $nodes --json info.json
expect_equal "$(relation info.json none edges)" 0 'edges of an empty kind'
cd .. && rm -r named

# ---- training and prediction: no flag for the column is needed, and the names of tables do as well
good train $named $nodes $few --out run -q
good train $column $nodes $few --out column
expect_err 'the edges of pay, same_device are directed'
expect_err 'all are used in both directions, unless --direction says else'
expect_out 'relations pay: '
grep -qF '"relations": "device,pay"' run/config.json || fail 'config.json lacks the relations'
grep -qF '"edges": "pay='"$data"'/pay.csv"' run/config.json || fail 'config.json lacks the first table'
grep -qF '"edges.2": "device='"$data"'/device.csv"' run/config.json || fail 'config.json lacks the second table'
grep -qF '"relation": "kind"' column/config.json || fail 'config.json lacks the column'
grep -qF -e '--edges pay=pay.csv' run/report.html || fail 'the command that repeats the training lacks the kind'
good predict run $named --nodes $data/n.csv
cut -d, -f1-2 "$scratch/seen/out" >predicted.csv
cut -d, -f1-2 run/predictions.csv >own.csv
expect_same predicted.csv own.csv
good predict run --edges device=$data/device.csv --edges pay=$data/pay.csv --nodes $data/n.csv # in any order
cut -d, -f1-2 "$scratch/seen/out" >predicted.csv
expect_same predicted.csv own.csv
good predict column --edges $data/all.csv --nodes $data/n.csv
if grep -q 'names of relations' "$scratch/seen/err"; then fail 'a prediction says what the model knows'; fi
good predict column --edges pay=$data/pay.csv --edges same_device=$data/device.csv --nodes $data/n.csv --weight none
gzip -c "$data/pay.csv" >pay.csv.gz
good predict run --edges pay=pay.csv.gz --edges device=$data/device.csv --nodes $data/n.csv
cut -d, -f1-2 "$scratch/seen/out" >predicted.csv
expect_same predicted.csv own.csv
called='gprgnn predict run --edges device=-'
"$GPRGNN" predict run --edges pay=pay.csv.gz --edges device=- --nodes $data/n.csv <"$data/device.csv" 2>/dev/null |
    cut -d, -f1-2 >predicted.csv
expect_same predicted.csv own.csv
# The filter tells the kinds apart, and the union does not.
good train --edges $data/all.csv $nodes $few --out union -q
awk -v apart="$(json run/result.json test_accuracy)" -v merged="$(json union/result.json test_accuracy)" \
    'BEGIN { exit !(apart > 80 && merged < 70) }' || fail 'kinds of edges do not help'

# ---- data whose kinds are missing, extra or renamed, through every door
all_doors() { # PART FLAGS OF THE DATA
    local part=$1
    shift
    for door in predict inspect 'explain --node p3'; do
        run ${door%% *} run "$@" --nodes $data/n.csv $(cut -s -d' ' -f2- <<<"$door")
        expect_status 1
        expect_err "$part"
    done
}
all_doors "the relation 'device' is missing: the data has one kind of edges" --edges pay=$data/pay.csv
all_doors "the relation 'pay' is missing: the data has device, payments" \
    --edges payments=$data/pay.csv --edges device=$data/device.csv
all_doors "the model has no relation 'more' of the data: it was trained with device,pay" \
    $named --edges more=$data/pay.csv
all_doors "the relation 'device' is missing" --edges $data/pay.csv
run predict union $named --nodes $data/n.csv
expect_status 1
expect_err 'the data has the relations device, pay, and the model was trained on one kind of edges'
run predict column --edges $data/pay.csv --nodes $data/n.csv
expect_status 1
expect_err "no column 'kind' (relation)"
expect_err 'it was trained with --relation kind'

# ---- directions: a model that goes by them needs them
good train $named $nodes $few --direction both --out directed
if grep -q 'are used in both directions' "$scratch/seen/err"; then fail 'the directions are said not to be used'; fi
good predict directed $named --nodes $data/n.csv
awk -F, 'NR == 1 || $1 != $2 { print; if (NR > 1) print $2 "," $1 }' "$data/pay.csv" >twice.csv
for door in predict inspect 'explain --node p3'; do
    run ${door%% *} directed --edges pay=twice.csv --edges device=$data/device.csv --nodes $data/n.csv \
        $(cut -s -d' ' -f2- <<<"$door")
    expect_status 1
    expect_err 'the edges of the relation pay of the data have no direction, and the model goes along them'
done
good train $named $nodes $few --direction pay=both,device=undirected --out mixed -q
good predict mixed --edges pay=$data/pay.csv --edges device=$data/device.csv --nodes $data/n.csv
good train --edges twice.csv $nodes $few --out symmetric
if grep -q 'directed' "$scratch/seen/err"; then fail 'a symmetric table is said to be directed'; fi
good train --edges twice.csv $nodes $few --model gcn --out gcn -q
good train --edges $data/pay.csv $nodes --epochs 3 --model gcn --out gcn2
expect_err 'all are used in both directions'
if grep -q -e '--direction' "$scratch/seen/err"; then fail 'gcn has no --direction'; fi

# ---- directions that the validation nodes choose
good train --edges $data/pay.csv $nodes $few --direction auto --json auto.json --out auto
expect_err '--direction is chosen by the validation nodes: 2 trainings; --direction undirected trains one'
if grep -q 'are used in both directions' "$scratch/seen/err"; then fail 'directions are chosen, not left out'; fi
expect_equal "$(grep -o '"candidate": "[^"]*"' auto.json | tr '\n' ' ')" \
    '"candidate": "direction undirected" "candidate": "direction both" '
chosen=$(grep -o '"chosen": "direction [a-z]*' auto.json | sed 's/.* //')
good train --edges $data/pay.csv $nodes $few --direction "$chosen" --out alone -q
expect_same auto/predictions.csv alone/predictions.csv
awk -F, '{ print } NR % 4 == 2 { print $2 "," $1 }' "$data/pay.csv" >pairs.csv # a quarter of them in both directions
good train --edges pairs.csv $nodes --epochs 20 --out pairs --json pairs.json
expect_err 'label use and --direction are chosen by the validation nodes: 4 trainings; --label-input no '
grep -qF '"label-input no, label-counts yes, dropout 0.2, dprate 0, direction both"' pairs.json ||
    fail 'no candidate has directions'
good train --edges pairs.csv $nodes --epochs 20 --direction undirected -q --json three.json
expect_equal "$(grep -c '"candidate"' three.json)" 3 'the candidates without directions'
good train --edges $data/pay.csv $nodes --epochs 20 -q --json three.json # hardly any edge has a reverse
expect_equal "$(grep -c '"candidate"' three.json)" 3 'the candidates of a table that may be undirected'
called='gprgnn train, which is killed'
slow="$few --epochs 1500 --stopping none --threads 1 --direction auto"
good train --edges $data/pay.csv $nodes $slow --out whole2 -q
"$GPRGNN" train --edges $data/pay.csv $nodes $slow --save-every 0.02 --out stopped2 -q 2>/dev/null &
background=$!
for _ in $(seq 600); do if [ -e stopped2/state/run-0.safetensors ]; then break; else sleep 0.02; fi; done
kill -KILL $background
finish 2>/dev/null
good train --resume stopped2 -q
expect_same stopped2/model.safetensors whole2/model.safetensors

# ---- weights, factors and duplicates, within each kind
good info $named $nodes --duplicates sum --json sum.json
expect_equal "$(relation sum.json pay weighted)" true 'the sums of pay'
good train $named $nodes $few --duplicates sum --out sum -q
good predict sum $named --nodes $data/n.csv
cut -d, -f1-2 "$scratch/seen/out" >predicted.csv
cut -d, -f1-2 sum/predictions.csv >own.csv
expect_same predicted.csv own.csv
good train --edges pay=$data/pay.csv --edge-weight 3 --edges device=$data/device.csv $nodes $few --out factor -q
good predict factor --edges device=$data/device.csv --edges pay=$data/pay.csv --nodes $data/n.csv -v # by name
cut -d, -f1-2 "$scratch/seen/out" >predicted.csv
cut -d, -f1-2 factor/predictions.csv >own.csv
expect_same predicted.csv own.csv
expect_err 'the model was trained on this data'

# ---- ids that the nodes lack
{ cat "$data/pay.csv" && echo 'p1,nobody'; } >strange.csv
run info --edges pay=strange.csv --edges device=$data/device.csv $nodes
expect_status 1
expect_err "node 'nobody' is not among the nodes"
good train --edges pay=strange.csv --edges device=$data/device.csv --unknown skip $nodes $few --out skip -q
{ cat "$data/all.csv" && echo 'p1,nobody,strange kind'; } >strange.csv # of an edge that is left out
good info --edges strange.csv --relation kind --unknown skip $nodes --json info.json
expect_equal "$(grep -c '{"name": "' info.json)" "$(grep -c '{"name": "' column.json)" 'kinds of edges'

# ---- a config, stop and resume, labels of neighbours, a search
printf 'edges = pay=%s\nedges = device=%s\nnodes = %s\nlabel = team\ndrop = when\n' \
    "$data/pay.csv" "$data/device.csv" "$data/n.csv" >run.conf
good train --config run.conf $few --out config -q
expect_same config/model.safetensors run/model.safetensors
good train --config column/config.json --out again -q
expect_same again/model.safetensors column/model.safetensors
long="$few --epochs 1500 --stopping none --threads 1"
good train $named $nodes $long --out whole -q
called='gprgnn train, which is killed'
"$GPRGNN" train $named $nodes $long --save-every 0.02 --out stopped -q 2>/dev/null &
background=$!
for _ in $(seq 600); do if [ -e stopped/state/run-0.safetensors ]; then break; else sleep 0.02; fi; done
kill -KILL $background
finish 2>/dev/null
good train --resume stopped -q # it opens the same tables
expect_same stopped/model.safetensors whole/model.safetensors
good predict stopped $named --nodes $data/n.csv
good train $named $nodes --epochs 30 --seed 2 --label-counts yes --smooth yes --out labels -q
good predict labels $named --nodes $data/n.csv
good search $named $nodes --grid 'K=2,4' --runs 2 --epochs 10 --label-input no --label-counts no --out found -q
good search $column $nodes --grid 'direction=undirected,both' --runs 2 --epochs 10 --label-input no --label-counts no \
    --out found2 -q

# ---- wrong calls
rm -rf ./*
bad 2 "every table of --edges is given with the name of its kind" info $named --relation kind
bad 2 "is the kind 'edges' beside tables that have one" info --edges edges=$data/pay.csv --edges $data/device.csv
bad 2 "--edges is 'pay='" info --edges pay=
bad 2 "pay=$data/gone.csv: cannot read $data/gone.csv: No such file" info --edges pay=$data/gone.csv
bad 2 "no column 'colour' (relation): the header has from, to, kind" info --edges $data/all.csv --relation colour
bad 2 "column 'to' (relation) holds the ids" info --edges $data/all.csv --relation to
bad 2 "--relation is 'kind', the column of a table" info csbm --relation kind
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n' >"$data/m.mtx"
bad 2 'm.mtx is a Matrix Market file: it cannot be one of several' info --edges a=$data/m.mtx --edges b=$data/pay.csv
bad 2 'm.mtx is a Matrix Market file: it cannot be one of several' info --edges a=$data/pay.csv --edges b=$data/m.mtx
bad 2 "--direction of pay is 'auto': expected undirected, along, against or both" train $named --nodes $data/n.csv \
    --label team --direction pay=auto
bad 2 '--relation is for tables' info --edges $data/m.mtx --relation 3
sed '3s/,pay$/,/' "$data/all.csv" >"$data/hole.csv"
sed '3s/,.*/&/; 4s/,[^,]*$/,same_device/' "$data/all.csv" >"$data/clash.csv"
awk 'NR == 1 || NR > 66 { print; next } { sub(/,[^,]*$/, ",k" NR); print }' "$data/all.csv" >"$data/many.csv"
sed '2s/,[^,]*$/,pay/; 3s/,[^,]*$/,/' "$data/all.csv" >"$data/hole.csv"
bad 1 'hole.csv:3: the cell of --relation is empty' info --edges $data/hole.csv --relation kind
bad 1 "would both be called 'same_device'" info --edges $data/clash.csv --relation kind
bad 1 'is one kind of edges more than 64' info --edges $data/many.csv --relation kind
