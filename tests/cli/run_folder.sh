# The run folder, and predictions from it.
source "$(dirname "$0")/lib.bash"

good train $tiny --epochs 12 --K 3 --runs 2 --out run --json result.json
expect_equal "$(ls -A run | sort | paste -sd' ')" \
    'config.json gamma.csv history.csv model.safetensors predictions.csv report.html result.json run.sha256 split.npz' \
    'the files'
expect_same result.json run/result.json
expect_json run/config.json
expect_equal "$(json run/config.json K)" 3
expect_equal "$(json run/config.json runs)" 2
expect_equal "$(json run/config.json normalize)" auto

expect_equal "$(head -n 1 run/history.csv)" \
    run,epoch,train_loss,val_loss,test_loss,train_accuracy,val_accuracy,test_accuracy 'the head of history.csv'
expect_equal "$(wc -l <run/history.csv)" 27 'lines of history.csv' # 2 runs from epoch 0 to 12, and the header
expect_equal "$(head -n 1 run/gamma.csv)" run,k,initial,gamma 'the head of gamma.csv'
expect_equal "$(wc -l <run/gamma.csv)" 9 'lines of gamma.csv'
expect_equal "$(sed -n 2p run/gamma.csv | cut -d, -f1-3)" 0,0,0.1 'the first initial weight'
expect_equal "$(head -n 1 run/predictions.csv)" node,class,p0,p1 'the head of predictions.csv'
expect_equal "$(wc -l <run/predictions.csv)" 301 'lines of predictions.csv'
awk -F, 'NR > 1 && (($3 + $4 - 1) ^ 2 > 1e-10 || $1 != NR - 2) { exit 1 }' run/predictions.csv ||
    fail 'the probabilities of a node do not add up to 1'

# The history agrees with the result: the accuracy of the best epoch of the first run.
best=$(sed -n 's/^      "best_epoch": \([0-9]*\),$/\1/p' result.json | head -n 1)
told=$(sed -n 's/^      "test_accuracy": \([0-9.]*\),$/\1/p' result.json | head -n 1)
awk -F, -v best="$best" -v told="$told" '$1 == 0 && $2 == best { found = ($8 - told) ^ 2 < 1e-8 } END { exit !found }' \
    run/history.csv || fail 'history.csv and result.json disagree'

# The model in the folder gives the folder's predictions, bit for bit, named by file or by folder.
good predict run/model.safetensors $tiny --proba
expect_same "$scratch/seen/out" run/predictions.csv
good predict run $tiny --proba -o again.csv --threads 3
expect_silent_out
expect_same again.csv run/predictions.csv

# The split of the folder can be used again.
good train $tiny --epochs 2 --split run/split.npz --json again.json -q
sed -n '/^    "train": \[/,/^    \]/p' run/result.json >"$scratch/seen/before"
sed -n '/^    "train": \[/,/^    \]/p' again.json >"$scratch/seen/after"
[ -s "$scratch/seen/before" ] || fail 'the result holds no split'
expect_same "$scratch/seen/before" "$scratch/seen/after"

# A second training into the same folder replaces the files.
good train $tiny --epochs 3 --out run -q
expect_equal "$(json run/result.json epochs)" 3
expect_equal "$(ls -A run | wc -l)" 9 'the number of files'
