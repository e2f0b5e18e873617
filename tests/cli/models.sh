# Every model: training, its file, prediction, the options that it has.
source "$(dirname "$0")/lib.bash"

good help parameters
models=$(sed -n 's/^| model | choice | gprgnn | \([^ ]*\) |.*/\1/p' "$scratch/seen/out" | tr -s '\\|' ' ')
models=${models% auto} # which is none: cli.auto
[ "$(wc -w <<<"$models")" -ge 7 ] || fail "the table names few models: $models"

for model in $models; do
    if [ $model = trees ] && ! has_xgboost; then
        skip_part 'the model trees: there is no libxgboost.so.0 (Debian: libxgboost0)'
        continue
    fi
    good train $tiny --model $model --epochs 40 --out $model --json $model.json
    expect_silent_err
    expect_out "model=$model"
    expect_equal "$(json $model.json model)" $model 'the model'
    expect_json $model.json
    expect_json $model/result.json
    expect_file $model/history.csv
    grep -q "\"param.model\":\"$model\"" $model/model.safetensors || fail "the model file of $model lacks its name"
    good predict $model $tiny --proba -o $model.csv
    expect_same $model.csv $model/predictions.csv
    expect_equal "$(wc -l <$model.csv)" 301 'the lines of predictions'
    for threads in 1 7; do
        good train $tiny --model $model --epochs 10 --runs 2 --threads $threads --out $model.$threads -q
    done
    for file in history.csv predictions.csv; do expect_same $model.1/$file $model.7/$file; done

    # Help and settings show the options that the model has.
    good train --help --model $model
    expect_silent_err
    grep -q "^usage: gprgnn train .*--model $model " "$scratch/seen/out" || fail "the usage line lacks $model"
    sed '1,/^Options of the model/d' "$scratch/seen/out" | sed -n 's/^      --\([A-Za-z-]*\) .*/\1/p' |
        sort >"$scratch/seen/in_help"
    sed -n '/^  "config": {/,/^  }/p' $model.json | sed -n 's/^    "\([A-Za-z-]*\)":.*/\1/p' |
        sort >"$scratch/seen/in_config"
    expect_same "$scratch/seen/in_help" "$scratch/seen/in_config"
done
rm -rf ./*

# If the model has a filter, learned or fixed, it is printed.
good train $tiny --model appnp --K 4 --alpha 0.5 --epochs 5
expect_out '(fixed by the model)'
expect_equal "$(grep -cE '^  k [0-4] ' "$scratch/seen/out")" 5 'rows of the chart'
good train $tiny --model gcn --epochs 5
expect_out_lacks 'filter '
good train $tiny --model gcn --epochs 5 --json gcn.json -q
grep -q '"gamma": null' gcn.json || fail 'gcn has a gamma'
good train $tiny --model sgc --epochs 5 --json sgc.json -q
tr -d ' \n' <sgc.json | grep -q '"gamma":\[0.0,0.0,1.0\]' || fail "sgc's gamma is not 0, 0, 1"
rm -rf ./*

# Each model has its own defaults, in any order of flags; an option that it does not have is an error, also in a file.
good train $tiny --hidden 5 --model cheby --epochs 2 --json -
expect_out '"hidden": 5'
good train $tiny --model cheby --epochs 2 --json -
expect_out '"hidden": 32'
good train --help --model cheby
expect_out 'default 32'
bad 2 "the model gcn has no option 'alpha' (set by a flag): it is for gprgnn appnp" train $tiny --alpha 0.2 --model gcn
bad 2 "the model sgc has no option 'hidden'" train $tiny --model sgc --hidden 8
echo 'K = 3' >"$scratch/seen/config"
bad 2 "the model sage has no option 'K' (set by a file)" train $tiny --model sage --config "$scratch/seen/config"
bad 2 'the model appnp needs it in [0, 1]' train $tiny --model appnp --alpha -0.5
for model in gcn sage cheby mlp appnp gat jknet gprdeep; do
    bad 2 'hidden is 0: it must be in [1, ' train $tiny --model $model --hidden 0
done
for option in heads output-heads; do
    bad 2 "$option is 0: it must be in [1, 1024]" train $tiny --model gat --$option 0
    bad 2 "$option is 'two': it must be a whole number in [1, 1024]" train $tiny --model gat --$option two
    bad 2 "the model gcn has no option '$option' (set by a flag): it is for gat" train $tiny --model gcn --$option 2
done
bad 2 'jk-layers is 0: it must be in [1, 1024]' train $tiny --model jknet --jk-layers 0
bad 2 'the LSTM would have 0 units: take a larger hidden, or larger jk-layers' \
    train $tiny --model jknet --hidden 1 --jk-layers 1
bad 2 '--K is 0, and a block of the model gprdeep is made of hops' train $tiny --model gprdeep --K 0
bad 2 '--basis bernstein has K + 1 polynomials, and a block of the model gprdeep has weights for K' \
    train $tiny --model gprdeep --basis bernstein
bad 2 "norm 'group' is not known: it must be one of batch|layer|none" train $tiny --model gprdeep --norm group
bad 2 "residual 'half' is not known: it must be one of yes|no" train $tiny --model gprdeep --residual half
bad 2 "the model gcn has no option 'norm' (set by a flag): it is for gprdeep" train $tiny --model gcn --norm batch
bad 2 'slope is -0.1: it must be in [0, 1]' train $tiny --model gat --slope -0.1
bad 2 "model 'gcm' is not known: did you mean 'gcn'?" train $tiny --model gcm
bad 2 "model 'gcm' is not known: did you mean 'gcn'?" train --help --model gcm

# A model that the preset has no settings for gets the split, with a warning. The paper has no Geom-GCN on a cSBM.
good train $tiny --model geomgcn --preset paper --epochs 2 --json -
expect_err "preset 'paper' has no settings for geomgcn on this data: it gets the split (dense) and keeps its own "\
"defaults"
