# `--model auto`: the plan, the figures and the choice are told; JSON and files name what was kept; options restrict the
# candidates; a folder goes on where it was stopped, in a candidate of another model.
source "$(dirname "$0")/lib.bash"

bad 2 "candidates: 'gprnn' is not known: did you mean 'gprgnn'?" train $tiny --model auto --candidates gprnn
bad 2 "the model gprgnn has no option 'candidates' (set by a flag): it is for auto" train $tiny --candidates gprgnn
bad 2 "the model auto has no option 'heads' (set by a flag): it is for gat" train $tiny --model auto --heads 2
bad 2 '--model is auto, and no candidate has the option --norm' train $tiny --model auto --candidates sage --norm none
bad 2 "budget is '5 x': it must be a time such as 90s, 10m or 2h, or none" train $tiny --model auto --budget '5 x'
bad 2 "the model gprgnn has no option 'budget'" train $tiny --budget 5m
bad 2 "preset 'paper' has settings for one model each" train $tiny --model auto --preset paper
bad 2 'is all of its candidates: give it alone' search $tiny --model auto,gcn --grid lr=0.1

# Neighbours tell the class, and columns nothing.
awk 'BEGIN {
    srand(5); n = 600
    print "source,target" >"edges.csv"; print "id,a,b,kind" >"nodes.csv"
    for (i = 0; i < n; i++) {
        printf "c%d,%.4f,%.4f,%s\n", i, rand(), rand(), i % 5 == 4 ? "" : (i < n / 2 ? "x" : "y") >"nodes.csv"
        for (k = 0; k < 3; k++) printf "c%d,c%d\n", i, int(i / (n / 2)) * n / 2 + int(rand() * n / 2) >"edges.csv"
    }
}'
tables="--edges edges.csv --nodes nodes.csv --label kind"
common="--model auto --epochs 30 --hidden 8 --seed 2"

good train $tables $common --out run --json result.json
all='gprgnn-labels, gprgnn-counts, gprgnn, gprgnn-sharp, gprdeep, sage'
count=6 # trees have no option `hidden`
expect_equal "$(grep '^gprgnn: model: ' "$scratch/seen/err" | sed 's/estimated [0-9.]*/estimated T/')" \
    "gprgnn: model: the validation nodes choose among $count candidates: $all; at most 30 epochs each; an estimated "\
'T s on two cores at most' 'the plan'
expect_equal "$(grep -cE '^gprgnn: [a-z-]+: accuracy [0-9.]+ % on the validation nodes, [0-9]+ epochs$' \
    "$scratch/seen/err")" $count 'the figures'
expect_json result.json
kept=$(json result.json model)
chosen=$(sed -n 's/^ *"chosen": "\(.*\)",$/\1/p' result.json)
expect_out "chosen           $chosen: accuracy "
case $chosen in "$kept" | "$kept"-*) ;; *) fail "$chosen is no candidate of $kept" ;; esac
expect_equal "$(json_config result.json model)" "$kept"
expect_equal "$(grep -c '"candidate": ' result.json)" $count 'the candidates'
expect_equal "$(grep -cE '"model": "(gprgnn|gprdeep|sage|trees)"' result.json)" $((count + 2)) \
    'models, with those of the result and its options'
grep -q "\"model\": \"$kept\"" run/config.json || fail 'config.json names another model'

# What was kept can be repeated by its options, without a choice.
good train $tables --config run/config.json --json again.json -q
if grep -q '"choice"' again.json; then fail 'a choice was made again'; fi
expect_equal "$(json again.json val_accuracy)" "$(json result.json val_accuracy)"
good predict run $tables

# What is set stays, and leaves out models without it.
good train $tables $common --K 2 --gamma columns --json set.json
expect_err 'among 5 candidates'
grep -q '"sage"' set.json && fail 'sage has no K'
expect_equal "$(json_config set.json K)" 2
good train $tables $common --candidates sage,gprgnn --json two.json -q
expect_equal "$(grep -c '"candidate": ' two.json)" 2 'the candidates'

# Trees are tried where there is XGBoost; else that is said once, and all else works.
trees="--model auto --epochs 5 --candidates gprgnn,trees --json trees.json"
GPRGNN_XGBOOST=$scratch/none good train $tables $trees
expect_equal "$(grep -c 'trees is not tried: ' "$scratch/seen/err")" 1 'what is said without libxgboost'
expect_err 'among 1 candidate: gprgnn;'
if has_xgboost; then
    good train $tables $trees -v
    expect_err 'among 2 candidates: gprgnn, trees;'
    grep -q '"model": "trees"' trees.json || fail 'the JSON lacks trees'
else
    skip_part 'there is no libxgboost.so.0 (Debian: libxgboost0)'
fi

# More epochs are given to the best alone, and told before.
good train $tables $common --epochs 230 --stopping none --json rungs.json
expect_err '; 100 epochs each, the best 3 200, the best 2 at most 230; an estimated '
sed -n '/"candidates"/,/]/s/^ *"epochs": \([0-9]*\).*/\1/p' rungs.json | sort -n | uniq -c >epochs.txt
expect_equal "$(tr -s ' \n' ' ' <epochs.txt)" ' 3 100 1 200 2 230 ' 'the epochs of the candidates'
expect_equal "$(json_config rungs.json epochs)" 230 'the epochs of the chosen one'

# A budget leaves out what is expensive, before the work, and says so.
good train $tables $common --hidden 512 --epochs 1000 --patience 2 --budget 10s --json short.json
expect_err '; left out for --budget: gprdeep'
tr -d ' \n' <short.json | grep -q '"budget":10.0,' || fail 'the JSON lacks the budget'
tr -d ' \n' <short.json | grep -q '"left_out":\["gprdeep"' || fail 'the JSON does not say what was left out'
tr -d ' \n' <result.json | grep -q '"left_out":\[\],"budget_cut":false' || fail 'the JSON has no plan'

# Killed within the fifth candidate, which is another model, and gone on.
"$GPRGNN" train $tables $common --out stopped --save-every 0 \
    >/dev/null 2>"$scratch/killed" &
background=$!
for _ in $(seq 600); do
    if grep -q '^gprgnn: gprgnn-sharp: ' "$scratch/killed" || ! kill -0 "$background" 2>/dev/null; then break; fi
    sleep 0.05
done
kill -KILL "$background" 2>/dev/null || true
wait "$background" 2>/dev/null || true
background=
good train --resume stopped -q
for file in predictions.csv model.safetensors metrics.csv; do expect_same "run/$file" "stopped/$file"; done
