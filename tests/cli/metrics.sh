# Metrics and baselines: the summary, the files, the JSON, the warnings.
source "$(dirname "$0")/lib.bash"

# A rare class that features do not show, and that hangs together: the model finds none of it, the neighbours do.
awk 'BEGIN {
    print "id,a,kind" >"nodes.csv"; print "src,dst" >"edges.csv"
    for (i = 0; i < 400; i++) {
        printf "u%d,%d,%s\n", i, (i * 7919) % 13, i % 20 ? "ok" : "fraud" >"nodes.csv"
        printf "u%d,u%d\nu%d,u%d\n", i, (i + 20) % 400, i, (i * 31 + 7) % 400 >"edges.csv"
    }
}'
tables='--edges edges.csv --nodes nodes.csv --label kind --split 60/20/20 --epochs 5 --label-input no --label-counts '\
'no --smooth no'
good train $tables --out run --json result.json
expect_out 'test metrics     macro F1 '
expect_out 'test avg. prec.  0.' # the headline: 95 % accuracy finds no fraud
expect_out '(average precision of class fraud; by chance 0.050)'
expect_out 'test accuracy    95.00 %  (largest class: 95.00 % of the test nodes)'
expect_equal "$(grep -A 1 '^result' "$scratch/seen/out" | tail -n 1 | cut -c 3-17)" 'test avg. prec.' 'what comes first'
expect_out 'classes   nodes predicted precision recall    F1'
expect_out 'confusion: one row per true class'
expect_out 'majority class'
expect_out "neighbours' vote"
expect_err "warning: the model predicts one class only on the test nodes, 'ok'; they have 2"
expect_err 'warning: the model is no better on the test nodes (average precision'
expect_json result.json
expect_same result.json run/result.json
expect_equal "$(head -n 1 run/metrics.csv)" \
    run,part,nodes,accuracy,balanced_accuracy,macro_f1,weighted_f1,roc_auc,average_precision,log_loss,calibration_error
expect_equal "$(cut -d, -f1-5 run/metrics.csv | tail -n 1)" 0,test,80,0.95,0.5 'the test nodes'
expect_equal "$(grep '^0,test,fraud' run/class_metrics.csv | cut -d, -f4-8)" 4,0,,0,0 'precision is not defined'
good verify run
python3 - <<'PY' || fail 'the headline is wrong'
import json
result = json.load(open("result.json"))
assert result["headline"]["metric"] == "average_precision" and result["headline"]["largest_class"] == 0.95
assert result["headline"]["value"] == result["metrics"]["test"]["average_precision"]
page = open("run/report.html").read()
assert '"label":"Average precision on test nodes"' in page and '"Test accuracy","value":"95.00 %"' in page
PY
# The metric that somebody asked for; balanced classes; more than two classes, of which one has nearly all nodes.
headline() { python3 -c 'import json; print(json.load(open("result.json"))["headline"]["metric"])'; }
good train $tables --metric roc_auc --json result.json -q
expect_out 'test ROC-AUC     0.'
expect_equal "$(headline)" roc_auc
good train $tiny --epochs 5 --json result.json -q
expect_equal "$(headline)" accuracy
expect_out_lacks 'avg. prec.'
awk -F, -v OFS=, 'NR > 1 && $3 == "ok" && NR % 40 == 3 { $3 = "error" } 1' nodes.csv >three.csv
good train ${tables/nodes.csv/three.csv} --json result.json
expect_out 'test macro F1    0.'
expect_equal "$(headline)" macro_f1
good train ${tables/nodes.csv/three.csv} --runs 2 --json result.json -q
expect_words 'mean and 95 % CI of 2 runs)'

# No test nodes, or none of the rare class: the accuracy, and never a NaN.
good train $tables --split 60/40/0 --out blind --json result.json
expect_out 'test accuracy    -  (there are no such nodes)'
grep -i nan "$scratch/seen/out" && fail 'the summary has a NaN'
grep -iE '[^a-z]nan[^a-z]' result.json && fail 'the JSON has a NaN'
expect_equal "$(headline)" accuracy
awk -F, 'BEGIN { print "id,part" } NR > 1 {
    print $1 "," ((NR - 2) % 20 == 0 ? "train" : NR % 3 == 0 ? "train" : NR % 3 == 1 ? "val" : "test") }' \
    nodes.csv >parts.csv
good train ${tables/60\/20\/20/parts.csv} --json result.json
expect_equal "$(headline)" accuracy
grep -i nan "$scratch/seen/out" && fail 'the summary has a NaN'

# A network that says nothing, and labels of neighbours that say all.
awk 'BEGIN {
    print "id,a,kind" >"noise.csv"; print "src,dst" >"ring.csv"
    for (i = 0; i < 300; i++) {
        printf "u%d,%d,%s\n", i, (i * 7919) % 13, substr("xyz", int(i / 100) + 1, 1) >"noise.csv"
        for (j = 1; j < 5; j++) printf "u%d,u%d\n", i, int(i / 100) * 100 + (i + j) % 100 >"ring.csv"
    }
}'
good train --edges ring.csv --nodes noise.csv --label kind --model mlp --epochs 20 --smooth yes --out saved
expect_err 'warning: the network alone has accuracy '
expect_err ' on the validation nodes; known labels of their neighbours (smoothing) bring it to '
expect_out '(before smoothing)'
grep -qF 'The network alone has accuracy ' saved/report.html || fail 'the page does not say what the smoothing does'
grep -qF 'the network alone has accuracy ' saved/result.json || fail 'the JSON does not say what the smoothing does'

# Lines fit 80 columns, with wide names and many classes too.
awk -F, -v OFS=, 'NR > 1 { $3 = "a class with quite a long name " ($3 == "x" ? "x" : NR % 11) } 1' noise.csv >many.csv
for table in noise many; do
    for runs in 1 2; do
        good train --edges ring.csv --nodes $table.csv --label kind --split 60/20/20 --epochs 3 --runs $runs
        awk 'length > 80 && !/^settings/ { exit 1 }' "$scratch/seen/out" ||
            fail "the summary is wider than 80 columns: $(awk 'length > 80' "$scratch/seen/out" | head -n 1)"
    done
done

# No baselines where they are not wanted, and for published data only if they are. The classes are shown for all data.
good train $tables --baselines no
expect_out_lacks 'majority class'
good train $tiny --epochs 3 --runs 2
expect_out 'test metrics     macro F1 '
expect_out_lacks 'majority class'
expect_out 'confusion'
good train $tiny --epochs 3 --baselines yes
expect_out 'majority class'
mkdir empty && cd empty
bad 2 "--baselines is 'perhaps': it must be auto, yes or no" train $tiny --baselines perhaps
bad 2 "--baselines is 'perhaps'" train no-such-file.npz --baselines perhaps # before anything is read
cd ..

# A prediction with labels has them too.
good predict run --edges edges.csv --nodes nodes.csv --label kind -o predictions.csv --json predicted.json
expect_err 'average precision'
expect_json predicted.json
grep -q '"balanced_accuracy": 0.5' predicted.json || fail 'the JSON of predict has no metrics'
