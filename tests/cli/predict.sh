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
