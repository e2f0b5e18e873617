# The model trees: what belongs to it alone. What all models share is in models.sh, its arithmetic in unit.trees.
source "$(dirname "$0")/lib.bash"

# Without the library the message says how to get it, before any work; all else works.
GPRGNN_XGBOOST=$scratch/none run train $tiny --model trees --out none
expect_status 1
expect_err 'libxgboost0'
expect_no_files
bad 2 "the model gprgnn has no option 'depth'" train $tiny --depth 3
has_xgboost || skip 'there is no libxgboost.so.0 (Debian: libxgboost0)'

# A table with two kinds of edges, of which one tells the class; two classes and an unlabelled node.
awk 'BEGIN {
    srand(1); print "id,x,colour,label" >"nodes.csv"; print "a,b" >"good.csv"; print "a,b" >"noise.csv"
    for (i = 0; i < 300; i++) {
        printf "n%d,%.4f,%s,%s\n", i, rand(), i % 3 ? "red" : "blue", i == 299 ? "" : i % 2 ? "yes" : "no" >"nodes.csv"
        for (k = 0; k < 3; k++) {
            printf "n%d,n%d\n", i, (i % 2 + 2 * int(150 * rand())) >"good.csv"
            printf "n%d,n%d\n", i, int(300 * rand()) >"noise.csv"
        }
    }
}'
table='--edges good=good.csv --edges noise=noise.csv --nodes nodes.csv --id id --label label'

good train $table --model trees --out run --json run.json
expect_equal "$(json run.json model)" trees 'the model'
accuracy=$(json run.json test_accuracy)
awk -v a="$accuracy" 'BEGIN { exit !(a > 90) }' || fail "one relation tells the class, and the accuracy is $accuracy"
grep -q 'trees.split' run/model.safetensors || fail 'the model has no trees'
expect_file run/report.html
expect_file run/history.csv

# Predictions need no XGBoost: not of the same data, nor of other data, whose labels count as known.
export GPRGNN_XGBOOST=$scratch/none
good predict run $table -o same.csv --proba
good predict run --edges good=good.csv --edges noise=noise.csv --nodes nodes.csv -o again.csv --proba
expect_same same.csv again.csv
for file in good noise nodes; do sed 's/^n/m/; s/,n/,m/' $file.csv >${file}2.csv; done
good predict run --edges good=good2.csv --edges noise=noise2.csv --nodes nodes2.csv -o other.csv
expect_equal "$(grep -c '^m' other.csv)" 300 'predictions'
run predict run --edges good2.csv --nodes nodes2.csv -o wrong.csv
expect_status 1
expect_err "the relation 'good' is missing"
good inspect run --json inspect.json
expect_out 'questions deep'
expect_out 'over good'
expect_out 'gprgnn explain --importance'
expect_out_lacks 'polynomial'
python3 - inspect.json <<'END' || fail 'the JSON of the inspection has wrong numbers'
import json, sys
found = json.load(open(sys.argv[1]))
columns = found["columns"]
gains = [c["gain"] for c in columns]
assert found["trees"] >= 1 and found["depth"] == 3 and found["filter"] is None and gains
assert gains == sorted(gains, reverse=True) and all(c["questions"] > 0 for c in columns)
assert abs(sum(c["share"] for c in columns) - 1) < 1e-9
assert all(abs(c["gain"] / sum(gains) - c["share"]) < 1e-9 for c in columns)
assert " over good" in columns[0]["name"] and columns[0]["feature"] is None
END
good inspect run $table
expect_out 'over-smoothing'
unset GPRGNN_XGBOOST
good train $table --model trees --label-counts no --stopping none --epochs 3 --row-share 1 --out own -q
good inspect own --json - -q
python3 - "$scratch/seen/out" <<'END' || fail 'columns of the data are not told from others'
import json, sys
columns = {c["name"]: c["feature"] for c in json.load(open(sys.argv[1]))["columns"]}
assert columns["maximum of x over good"] == columns["minimum of x over good"] == 0, columns
END

# Stopped and resumed: as if it had not been.
good train $table --model trees --stopping none --epochs 12 --refit yes --out whole -q
good train $table --model trees --stopping none --epochs 12 --refit yes --out whole2 -q
expect_same whole/model.safetensors whole2/model.safetensors

# Noise alone: labels that are known do not come back to their own nodes.
good train --edges noise.csv --nodes nodes.csv --id id --label label --model trees --json noise.json --stopping none \
    --epochs 40 --smooth no -q
accuracy=$(json noise.json test_accuracy)
awk -v a="$accuracy" 'BEGIN { exit !(a < 75) }' || fail "nothing tells the class, and the accuracy is $accuracy"

# Why: shares of columns, of all kinds, with what is expected; and which columns matter.
good explain run $table --node n7 --json why.json
expect_out 'what is expected'
expect_out 'other columns'
grep -q '"method": "exact shares of the columns of trees (SHAP)"' why.json || fail 'the JSON lacks the method'
good explain run $table --importance
expect_out 'colour'
