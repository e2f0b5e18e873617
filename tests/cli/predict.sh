# Prediction on the same and on other graphs.
source "$(dirname "$0")/lib.bash"

good train $tiny --epochs 60 --out run -q
good predict run $tiny
expect_equal "$(head -n 1 "$scratch/seen/out")" node,class,label,part 'the head'
expect_equal "$(wc -l <"$scratch/seen/out")" 301 'the lines'
expect_err 'accuracy '
expect_err "on 300 labelled nodes of the training's own data: train "
cp "$scratch/seen/out" same.csv

good predict run $tiny -q
expect_silent_err
expect_same "$scratch/seen/out" same.csv
good predict run $tiny -q -o out.csv
expect_silent_out
expect_same out.csv same.csv
good predict run $tiny -q --cpu auto
expect_same "$scratch/seen/out" same.csv
good predict run $tiny -q --cpu ref # rounds differently: a node near the border may change its class
differing=$(diff "$scratch/seen/out" same.csv | grep -c '^<' || true)
[ "$differing" -le 3 ] || fail "the kernels disagree on $differing nodes"

# Another graph: other nodes, another seed, the same features.
good generate csbm --phi -0.5 --n 140 --f 20 --seed 9 -o other.npz
good predict run other.npz
expect_equal "$(wc -l <"$scratch/seen/out")" 141 'the lines'
expect_err 'on 140 labelled nodes'

good predict run $tiny --json -
expect_json "$scratch/seen/out"
expect_out_lacks 'node,class'
expect_equal "$(json "$scratch/seen/out" nodes)" 300
expect_equal "$(json "$scratch/seen/out" labelled)" 300
good predict run $tiny --json all.json --proba -o all.csv
expect_json all.json
grep -q '"probabilities"' all.json || fail 'the JSON lacks the probabilities'
awk -v accuracy="$(json all.json accuracy)" 'BEGIN { exit !(accuracy > 50 && accuracy <= 100) }' ||
    fail 'the accuracy is poor'

mkdir empty
cd empty
bad 2 'standard output' predict ../run $tiny -o - --json -
bad 2 'too few arguments' predict ../run
bad 2 '--proba' predict ../run $tiny --probab
bad 2 'cannot read' predict ../none.safetensors $tiny
bad 1 'cannot write' predict ../run $tiny -o none/out.csv
cd ..

# The model is all that a prediction needs: tables are read as in its training, whatever options that had.
awk 'BEGIN { # the edges are in columns 3 and 4; some are there twice; w1 is unknown to the nodes
    print "day,amount,payer,payee"
    for (i = 0; i < 60; i++) for (k = 1; k < 5; k++) {
        row = i % 7 "," 1 + (i * k) % 5 ",u" (i * 7) % 60 ",u" ((i + 2 * k * k) * 7) % 60
        print row
        if (i % 6 == 0) print row
    }
}' >edges.csv
awk -v OFS=, 'BEGIN {
    print "x,uid,part,city,level,since,w,kind"
    for (i = 0; i < 60; i++) print i % 9 ? i * 37 % 11 / 4 : "", "u" i,
        i % 5 < 3 ? "train" : i % 5 == 3 ? "val" : "test",
        "city" i % 6, i % 4, "2024-0" 1 + i % 9 "-11", 1 + i % 3, i % 2 ? "odd" : "even"
}' >nodes.csv
sed 's/,/;/g' nodes.csv >semicolon.csv
sed 1d edges.csv | sed 's/,u0,/,né,/; s/,u0$/,né/' | iconv -f utf-8 -t latin1 >latin_edges.csv
sed 1d nodes.csv | sed 's/,u0,/,né,/' | iconv -f utf-8 -t latin1 >latin_nodes.csv
sed 's/^day,amount/day,weight/' edges.csv >weights.csv
{ cat edges.csv; echo '1,1,u1,w1'; } >unknown.csv
{ echo '"n",m'; sed 1d nodes.csv | cut -d, -f2,8; } >labels.csv
quickly='--epochs 4 --lr 0.1 --split 60/20/20 --label-input no --label-counts no --smooth no --refit no -q'
edges='--edges edges.csv' nodes='--nodes nodes.csv' ends='--source payer --target payee' id='--id uid' \
    label='--label kind'

# same TABLES OPTIONS...: the options, given to the training alone, count in a prediction on the tables.
same() {
    local tables=$1
    shift
    good train $tables "$@" $quickly --out run # shellcheck disable=SC2086
    good predict run $tables "$@" --proba -q -o with.csv
    good predict run $tables --proba -q -o without.csv
    expect_same with.csv without.csv
    rm -r run
}
same "$edges $nodes" $ends $id $label
same "$edges $nodes" --source 3 --target 4 $id $label
same "$edges $nodes" $ends $id $label --weight amount
same "$edges $nodes" $ends $id $label --weight 2 --duplicates sum
same "--edges weights.csv $nodes" $ends $id $label --weight none
same "$edges $nodes" $ends $id $label --duplicates count
same "--edges unknown.csv $nodes" $ends $id $label --unknown skip
same "$edges --nodes semicolon.csv" $ends $id $label --weight none
same '--edges latin_edges.csv --nodes latin_nodes.csv' --source 3 --target 4 --id 2 --label 8 --encoding latin1 \
    --header no
same "$edges $nodes" $ends $id $label --drop x,part
same "$edges $nodes" $ends $id $label --categorical level --fill zero
same "$edges $nodes" $ends $id $label --numeric level --date since --max-values 3 --fill mean
same "$edges $nodes" $ends $id $label --delimiter comma --header yes
same "$edges $nodes" $ends $id $label --features degree
same "$edges --labels labels.csv" $ends --features degree --labels labels.csv --id n --label m

# Columns of the split and of weights are no features; a prediction needs neither.
good train $edges $nodes $ends $id $label --split-column part --sample-weight w ${quickly/60\/20\/20/column} --out run
good predict run $edges $nodes --proba -q -o with.csv
cut -d, -f1,2,4,5,6,8 nodes.csv >narrow.csv
good predict run $edges --nodes narrow.csv --proba -q -o without.csv
expect_same <(cut -d, -f1-4 with.csv) <(cut -d, -f1-4 without.csv)
rm -r run

# Several tables of edges, each with its weight: in the order of the training.
good train $edges --edge-weight 3 --edges weights.csv --edge-weight 2 $nodes $ends $id $label --weight none $quickly \
    --out run
good predict run $edges --edge-weight 3 --edges weights.csv --edge-weight 2 $nodes --proba -q -o with.csv
good predict run $edges --edges weights.csv $nodes --proba -q -o without.csv
expect_same with.csv without.csv
run predict run $edges $nodes
expect_status 1
expect_err 'the model was trained on 2 tables of edges, each with its --edge-weight, and here is 1'
good predict run $edges --edge-weight 1 $nodes -q -o one.csv
rm -r run

# A flag counts more than the model. A file without the column says whose wish it is, and what to do.
good train $edges $nodes $ends $id $label $quickly --out run
good predict run $edges $nodes --proba -q -o with.csv
sed '1s/payer/from_a/; 1s/payee/to_a/' edges.csv >renamed.csv
good predict run --edges renamed.csv --source from_a --target to_a $nodes --proba -q -o without.csv
expect_same with.csv without.csv
good explain run $edges $nodes --node u3
good inspect run/model.safetensors $edges $nodes
mkdir none
cd none
bad 1 "../renamed.csv: no column 'payer' (source): the header has day, amount, from_a, to_a; the model asks for it: "\
"it was \
trained with --source payer; give --source for another one" predict ../run --edges ../renamed.csv --nodes ../nodes.csv
cd ..

# Other base rates: estimated, told, and used for all that is printed.
good predict run $edges $nodes --adapt-prior --json adapted.json --proba -o adapted.csv
expect_err 'base rates estimated from the probabilities of '
cp with.csv plain.csv
good predict run $edges $nodes --json plain.json --proba -o plain.csv
expect_equal "$(json plain.json base_rates)" null
python3 - adapted.json adapted.csv plain.csv <<'END' || fail 'the base rates are not what corrects the probabilities'
import csv, json, sys
found = json.load(open(sys.argv[1]))
rates = found["base_rates"]
assert all(abs(sum(rates[key]) - 1) < 1e-6 for key in ("training", "data")), rates
table, plain = ([[float(cell) for name, cell in row.items() if name.startswith("p_")] for row in
                 csv.DictReader(open(name))] for name in sys.argv[2:])
assert table != plain and len(table) == len(plain) == found["nodes"]
assert all(abs(a - b) < 1e-6 for a, b in zip(sum(table, []), sum(found["probabilities"], [])))
factor = [new / old for new, old in zip(rates["data"], rates["training"])]
for new, old in zip(table, plain): # the same factors for all nodes
    whole = sum(p * f for p, f in zip(old, factor))
    assert all(abs(p * f / whole - q) < 1e-5 for p, f, q in zip(old, factor, new))
END

# The accuracy is of nodes that the model was not trained on: in another order, and with more labels.
{ head -n 1 nodes.csv; tail -n +2 nodes.csv | tac; } >turned.csv
awk -F, -v OFS=, 'NR > 1 && $2 ~ /[05]$/ { $8 = "" } 1' nodes.csv >some.csv # 48 of 60 have a label
for refit in no yes; do
    good train $edges --nodes some.csv $ends $id $label --label-input no --label-counts yes --epochs 4 --lr 0.1 \
        --split 60/20/20 --smooth no --refit $refit -q --out run
    good predict run $edges --nodes turned.csv -o turned_classes.csv --json learned.json
    learned=$(json learned.json labels_learned)
    expect_equal "$(json learned.json labelled)" 60
    if [ $refit = yes ]; then expect_equal "$learned" 48; fi
    if [ "$learned" -lt 24 ]; then fail "only $learned nodes are those of the training"; fi
    expect_err " on $((60 - learned)) labelled nodes; the model was trained on the labels of $learned others"
    { head -n 1 some.csv; tail -n +2 some.csv | tac; } >turned_some.csv
    good predict run $edges --nodes turned_some.csv --json learned.json -o turned_classes.csv
    if [ $refit = yes ]; then
        expect_err 'no accuracy: the model was trained on the labels of all 48 labelled nodes'
        expect_equal "$(json learned.json accuracy)" null
    else
        expect_err " on $((48 - learned)) labelled nodes; the model was trained on the labels of $learned others"
    fi
    good predict run $edges --nodes some.csv --json learned.json -o turned_classes.csv # its own data: by parts, as ever
    expect_equal "$(json learned.json labels_learned)" 0
    rm -r run
done
