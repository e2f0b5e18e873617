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
tables='--edges edges.csv --nodes nodes.csv --label kind --split 60/20/20 --epochs 5 --label-input no --label-counts no --smooth no'
good train $tables --out run --json result.json
expect_out 'test metrics     macro F1 '
expect_out '(class fraud)'
expect_out 'classes      nodes  predicted  precision  recall     F1'
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

# No baselines where they are not wanted, and for other data only if they are.
good train $tables --baselines no
expect_out_lacks 'majority class'
good train $tiny --epochs 3 --runs 2
expect_out 'test metrics     macro F1 '
expect_out_lacks 'majority class'
expect_out_lacks 'confusion'
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
