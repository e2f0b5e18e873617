# Numbers in place of classes: the rule of `task` auto, train, predict, explain, files, resume, and what is refused.
source "$(dirname "$0")/lib.bash"

# A price of the size and of the neighbours' sizes, in a chain of houses; some are not known.
awk 'BEGIN {
    srand(3)
    print "id,size,rooms,price" >"nodes.csv"; print "src,dst" >"edges.csv"
    for (i = 0; i < 402; i++) size[i] = 60 + int(90 * rand())
    for (i = 1; i <= 400; i++) {
        price = 1000 * size[i] + 800 * (size[i - 1] + size[i + 1]) + 10000.5
        printf "h%d,%d,%d,%s\n", i, size[i], i % 5, i % 10 ? price : "" >"nodes.csv"
        if (i > 1) printf "h%d,h%d\n", i - 1, i >"edges.csv"
    }
}'
tables='--edges edges.csv --nodes nodes.csv --label price'
quick='--epochs 200 --dropout 0 --weight-decay 0 --K 3 --seed 2'

good train $tables $quick --out run --json result.json --runs 2
expect_err "column 'price': the labels are numbers"
expect_err 'a number is learned, not classes (--task auto); --task classes makes each a class'
expect_out 'a number to tell: mean '
expect_out 'test R2          0.9'
expect_out "neighbours' mean"
expect_json result.json
python3 - <<'PYTHON'
import json
r = json.load(open("result.json"))
assert r["r2"] > 0.9 and 0 < r["mae"] <= r["rmse"] < 20000, (r["r2"], r["rmse"], r["mae"])
assert r["headline"]["metric"] == "r2" and r["headline"]["value"] == r["r2"]
assert not [k for k in json.dumps(r).replace('"', " ").split() if "accuracy" in k and k != "accuracy"], "accuracy keys"
assert set(r["metrics"]["test"]) == {"nodes", "r2", "rmse", "mae", "median_error", "ci95"}
assert r["baselines"]["mean"]["r2"] < 0.05 and r["baselines"]["features"]["r2"] > 0.3
assert len(r["per_run"]) == 2 and r["per_run"][0]["test_r2"] > 0.9
PYTHON
expect_equal "$(head -n 1 run/predictions.csv)" node,prediction,label,part 'the head of predictions'
expect_equal "$(head -n 1 run/metrics.csv)" run,part,nodes,r2,rmse,mae,median_error 'the head of metrics'
grep -q 'How near the numbers are' run/report.html || [ "$(wc -c <run/report.html)" -gt 10000 ]
good verify run

# the same data in other files gives the same predictions, and new data too
good predict run $tables -o told.csv
good convert $tables houses.gpr
good convert $tables houses.npz
good predict run houses.gpr -o gpr.csv
good predict run houses.npz -o npz.csv
expect_same told.csv gpr.csv
expect_same told.csv npz.csv
cut -d, -f1-3 nodes.csv >new.csv
good predict run --edges edges.csv --nodes new.csv -o new_told.csv
expect_equal "$(cut -d, -f1-2 told.csv | cksum)" "$(cksum <new_told.csv)" 'without the column of prices'
good train houses.gpr $quick --runs 2 --json gpr.json -q
expect_equal "$(grep '^  "rmse"' gpr.json)" "$(grep '^  "rmse"' result.json)" 'a training on the file'
good info houses.gpr
expect_out 'a number, of 360 of 400 nodes: mean '
good info houses.gpr --json -
expect_out '"target_mean": '
expect_out '"classes": 0'

# the parts of an explanation add up, in the unit of the price
good explain run $tables --node h7 --json why.json
python3 - <<'PYTHON'
import csv, json
why = json.load(open("why.json"))["explained"][0]
told = {row["node"]: float(row["prediction"]) for row in csv.DictReader(open("told.csv"))}
parts = why["itself"]["score"] + why["others"]["score"] + sum(n["score"] for n in why["nodes"])
assert abs(why["base"] + parts - why["prediction"]) < 1e-6 * abs(why["prediction"])
assert abs(sum(why["hops"]) - why["score"]) < 1e-6 * abs(why["prediction"])
assert abs(told["h7"] - why["prediction"]) < 1e-4 * abs(why["prediction"]), (told["h7"], why["prediction"])
PYTHON
good inspect run $tables
good train $tables --epochs 50 --dropout 0 --runs 2 --seed 2 --model sage --out run2 -q
good compare run run2
expect_out test_r2

# losses, metrics and models
for loss in squared absolute huber huber:0.5; do good train $tables $quick --loss $loss --json - -q --epochs 20; done
for metric in r2 rmse mae; do good train $tables $quick --metric $metric -q --epochs 20; done
for model in appnp mlp sgc gcn sage cheby gat jknet gprdeep; do
    good train $tables --model $model --epochs 5 --json "$model.json" -q
    expect_json "$model.json"
done
good train $tables --order filter-first --batch 50 --epochs 20 -q

# stopped and resumed: the same model
long="$tables $quick --epochs 3000 --stopping none --threads 1"
good train $long --out whole -q
rm -rf part
"$GPRGNN" train $long --out part -q --save-every 0 >/dev/null 2>&1 </dev/null &
background=$!
while [ ! -f part/state/run-0.safetensors ] && kill -0 $background 2>/dev/null; do sleep 0.02; done
kill -KILL $background 2>/dev/null || true
wait $background 2>/dev/null || true
background=
[ -f part/result.json ] || good train --resume part -q
expect_same whole/predictions.csv part/predictions.csv
expect_equal "$(grep '"rmse"' whole/result.json)" "$(grep '"rmse"' part/result.json)" 'the errors'

# what a number has not is refused by name; nothing is left behind
refused() {
    run train $tables --epochs 2 "${@:2}"
    [ "$status" -ne 0 ] || fail "it is not refused"
    expect_err "$1"
}
refused '--metric is accuracy, and the target of' --metric accuracy
refused '--label-input is yes, and the target of' --label-input yes
refused '--label-counts is yes' --label-counts yes
refused '--smooth is yes' --smooth yes
refused '--calibrate is yes' --calibrate yes
refused '--class-weight is balanced' --class-weight balanced
refused '--model is trees' --model trees
refused '--model is auto' --model auto
refused "D of huber:D must be a number above 0" --loss huber:-1
run train $tiny --loss huber --epochs 2
expect_err '--loss is huber, of numbers, and the labels of csbm(phi=-0.5) are classes'
run train $tiny --metric r2 --epochs 2
expect_err '--metric is r2, and the target of csbm(phi=-0.5) is a class'
run train $tiny --task number --epochs 2
expect_err '--task is number, and what csbm(phi=-0.5) has to tell of a node is a class'
run explain run $tables --importance
expect_err 'the importance of columns is of classes so far'
! grep -q 'losses of accuracy below' "$scratch/seen/err" || fail 'a note on figures that do not come'

# targets that tell nothing
sed 's/,[0-9.]*$/,5.5/; 1s/.*/id,size,rooms,price/' nodes.csv >constant.csv
run train --edges edges.csv --nodes constant.csv --label price --task number --epochs 2
expect_err 'the target is 5.5 for all labelled nodes: there is nothing to learn'
sed 's/,[0-9.]*$/,inf/; 1s/.*/id,size,rooms,price/; 3s/inf/1.5/' nodes.csv >infinite.csv
run train --edges edges.csv --nodes infinite.csv --label price --epochs 2
expect_err "the label 'inf', column 'price', is not a finite number"
awk -F, -v OFS=, 'NR > 1 { $4 = NR + 100 } 1' nodes.csv >ids.csv
run train --edges edges.csv --nodes ids.csv --label price --epochs 2
expect_err "the labels are the numbers from 102 to 501, each once: they look like ids of the nodes"
good train --edges edges.csv --nodes ids.csv --label price --task number --epochs 2 -q
run predict run $tables --adapt-prior
expect_err '--adapt-prior is about shares of classes, and the model tells a number'
run predict run $tables --proba
expect_status 2
expect_err '--proba is of classes, and the model tells a number'
run train $tables --importance --out none
expect_status 2
expect_err '--importance is of classes so far, and the target is a number'
