# The model stack: what belongs to it alone. What all models share is in models.sh, its arithmetic in unit.stack.
source "$(dirname "$0")/lib.bash"

# Without the library the message says how to get it, before any work.
GPRGNN_XGBOOST=$scratch/none run train $tiny --model stack --out none
expect_status 1
expect_err 'libxgboost0'
expect_no_files
has_xgboost || skip 'there is no libxgboost.so.0 (Debian: libxgboost0)'

# A table in which the edges tell one thing and a column another: the class is that both agree.
awk 'BEGIN {
    srand(1); print "id,x,label" >"nodes.csv"; print "a,b" >"edges.csv"
    for (i = 0; i < 400; i++) {
        x = rand() - 0.5; group = i % 2
        printf "n%d,%.4f,%s\n", i, x, i == 399 ? "" : (x > 0) == group ? "yes" : "no" >"nodes.csv"
        for (k = 0; k < 3; k++) printf "n%d,n%d\n", i, group + 2 * int(200 * rand()) >"edges.csv"
    }
}'
table='--edges edges.csv --nodes nodes.csv --id id --label label'
short="$table --model stack --epochs 30"

good train $short --out run --json run.json
expect_equal "$(json run.json model)" stack 'the model'
for name in trees.split network.lin1.weight; do
    grep -q $name run/model.safetensors || fail "the model has no $name"
done
expect_file run/report.html

# Predictions need no XGBoost: not of the same data, nor of other data.
export GPRGNN_XGBOOST=$scratch/none
good predict run $table -o same.csv --proba
good predict run/model.safetensors $table -o again.csv --proba
expect_same same.csv again.csv
for file in edges nodes; do sed 's/^n/m/; s/,n/,m/' $file.csv >${file}2.csv; done
good predict run --edges edges2.csv --nodes nodes2.csv -o other.csv
expect_equal "$(grep -c '^m' other.csv)" 400 'predictions'
good inspect run
expect_out 'network   a gprgnn: a score begins with its score'
good explain run $table --node n7 --top 100 --json why.json
expect_out "the network's score of"
grep -q '"method": "exact shares of the columns of trees (SHAP)"' why.json || fail 'the JSON lacks the method'
good explain run $table --importance
unset GPRGNN_XGBOOST

# The same bits for any threads, and once more on all labelled nodes.
for threads in 1 3; do good train $short --refit yes --threads $threads --out t$threads -q; done
expect_same t1/model.safetensors t3/model.safetensors


# One of the candidates of model auto.
good train $table --model auto --candidates gprgnn,stack --epochs 20 --budget none --json auto.json -q
expect_equal "$(grep -c '"candidate": ' auto.json)" 2 'the candidates'
