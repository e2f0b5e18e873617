# Options that say how a training judges and weighs: metric, class-weight, sample-weight, calibrate, refit.
source "$(dirname "$0")/lib.bash"

# refuse STATUS ARGUMENTS...: expects an error.
refuse() {
    local wanted=$1
    shift
    run "$@"
    expect_status "$wanted"
    expect_silent_out
}

quick="--epochs 40 --hidden 8 --K 3 --seed 2"
python3 - <<'PY'
import random
random.seed(4)
rare = [i % 6 == 0 for i in range(240)]
with open("n.csv", "w") as out:
    out.write("id,a,b,counts,fraud\n")
    for i, bad in enumerate(rare):
        x = random.gauss(1.2 if bad else 0, 1)
        out.write("c%d,%.3f,%.3f,%g,%s\n" % (i, x, random.gauss(0, 1), 0.5 + i % 3, "yes" if bad else "no"))
with open("e.csv", "w") as out:
    out.write("from,to\n")
    for i in range(240):
        for _ in range(2):
            j = random.randrange(240)
            while rare[j] != rare[i] and random.random() < 0.8: j = random.randrange(240)
            out.write("c%d,c%d\n" % (i, j))
PY
tables="--edges e.csv --nodes n.csv --label fraud --split 50/25/25"

# ---- The metric is in the summary, the JSON and the history; the best epoch has its highest value.
good train $tables $quick --drop counts --metric average_precision --class-weight balanced --smooth no --out run \
    --json run.json
expect_out '(validation average_precision 0.'
python3 - <<'PY' || fail 'the best epoch is not that of the metric'
import csv, json
result, rows = json.load(open("run.json")), list(csv.DictReader(open("run/history.csv")))
values = [float(row["val_metric"]) for row in rows]
assert result["metric"] == "average_precision" and result["config"]["class-weight"] == "balanced"
assert max(values[1:]) == values[result["best_epoch"]]
assert abs(result["val_metric"] - values[result["best_epoch"]]) < 1e-8
assert result["calibration"] is None and result["refit"] is None
PY
good train $tables $quick --drop counts --out plain -q
if grep -q val_metric plain/history.csv; then fail 'the history has a metric that nobody asked for'; fi

# ---- Weights of classes in a file; errors name file and line.
printf 'class,weight\nyes,5\nno,1\n' >w.csv
good train $tables $quick --drop counts --class-weight w.csv --json w.json -q
printf 'yes,5\nmaybe,1\n' >w.csv
refuse 1 train $tables $quick --class-weight w.csv
expect_err "has no class 'maybe'"
expect_err 'w.csv:2: '
printf 'yes,5\nno,much\n' >w.csv
refuse 1 train $tables $quick --class-weight w.csv
expect_err "w.csv:2: the weight 'much' is not a number of 0 or more"
printf 'yes,5\n' >w.csv
refuse 1 train $tables $quick --class-weight w.csv
expect_err "w.csv: the class 'no' has no weight"
refuse 2 train $tables $quick --class-weight missing.csv
expect_err 'missing.csv'

# ---- Weights of nodes: the column is no feature.
good train $tables $quick --sample-weight counts --out sample --json sample.json -q
python3 -c '
import json
a, b = json.load(open("sample.json")), json.load(open("plain/result.json"))
assert a["train_loss"] != b["train_loss"]
' || fail 'the weights of nodes change nothing'
python3 -c '
import json
raw = open("sample/model.safetensors", "rb").read()
meta = json.loads(raw[8:8 + int.from_bytes(raw[:8], "little")])["__metadata__"]
assert json.loads(meta["feature_names"]) == ["a", "b"] and meta["param.sample-weight"] == "counts"
' || fail 'the column of weights is a feature too'
good train $tables $quick --sample-weight counts
expect_out 'counts  weight   number                  0'
good predict sample --edges e.csv --nodes n.csv -q -o again.csv # the model's plan knows the column
expect_silent_err
rm again.csv
sed '5s/,[0-9.]*,\(yes\|no\)$/,-1,\1/' n.csv >wrong.csv
refuse 1 train --edges e.csv --nodes wrong.csv --label fraud --sample-weight counts
expect_err "wrong.csv:5: the sample-weight '-1' is not a number of 0 or more"
refuse 2 train $tables --sample-weight nothing
expect_err 'nothing'
refuse 2 train $tiny --sample-weight counts
expect_err '--sample-weight'

# ---- Calibration and the second training.
good train $tables $quick --drop counts --calibrate --refit --out both --json both.json
expect_out 'temperature'
expect_words 'on all 240 labelled nodes'
expect_words 'all figures here are of the model before that'
python3 - <<'PY' || fail 'calibration and refit in the JSON'
import json
both, plain = json.load(open("both.json")), json.load(open("plain/result.json"))
assert both["test_accuracy"] == plain["test_accuracy"]
assert both["calibration"]["val_loss_after"] < both["calibration"]["val_loss_before"]
assert both["refit"]["nodes"] == 240 and both["refit"]["epochs"] == both["best_epoch"]
PY
# the model that is kept is another one than that of the figures, which predictions.csv has for nodes with a label
good predict both --edges e.csv --nodes n.csv --proba -o again.csv
if cmp -s again.csv both/predictions.csv; then fail "the model was not trained once more"; fi
good train --calibrate $tables $quick --drop counts --split 90/5/5 --refit no
expect_out_lacks 'labelled nodes'
expect_err '--calibrate did nothing: there are fewer than 20 validation nodes'

# ---- A search by a metric.
good search $tables $quick --drop counts --grid 'lr=0.001,0.05' --runs 2 --metric roc_auc --out found
expect_out 'chosen by roc_auc'
python3 - <<'PY' || fail 'the search by a metric'
import json
found = json.load(open("found/search.json"))
values = [of["val_metric"]["mean"] for of in found["tried"]]
assert found["metric"] == "roc_auc" and values[0] == max(values) and found["best"]["settings"]["metric"] == "roc_auc"
PY
refuse 2 train $tables --metric f1
expect_err 'macro_f1'
