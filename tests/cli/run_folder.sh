# The run folder, and predictions from it.
source "$(dirname "$0")/lib.bash"

good train $tiny --epochs 12 --K 3 --runs 2 --out run --json result.json
expect_equal "$(ls -A run | sort | paste -sd' ')" \
    'class_metrics.csv config.json gamma.csv gamma_history.csv history.csv metrics.csv model.safetensors '\
'predictions.csv report.html result.json run.sha256 split.npz' \
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
expect_equal "$(head -n 1 run/gamma_history.csv)" run,epoch,gamma_0,gamma_1,gamma_2,gamma_3 \
    'the head of gamma_history.csv'
expect_equal "$(wc -l <run/gamma_history.csv)" 27 'lines of gamma_history.csv'
for run in 0 1; do # its row of the best epoch is the gamma of gamma.csv, and its first row the initial one
    best=$(sed -n 's/^      "best_epoch": \([0-9]*\),$/\1/p' result.json | sed -n "$((run + 1))p")
    for column in 0,3 "$best,4"; do
        expect_equal "$(awk -F, -v run=$run -v c="${column#*,}" '$1 == run { print $c }' run/gamma.csv | paste -sd,)" \
            "$(sed -n "s/^$run,${column%,*},//p" run/gamma_history.csv)" 'gamma in both files'
    done
done
expect_equal "$(grep -cE '^      "split_hash": "[0-9a-f]{16}"$' result.json)" 2 'the hashes of the splits'
hash=$(grep -aoE '"split_hash":"[0-9a-f]{16}"' run/model.safetensors | cut -d'"' -f4)
best=$(($(json result.json best_run) + 1))
expect_equal "$(sed -n 's/^      "split_hash": "\(.*\)"$/\1/p' result.json | sed -n "${best}p")" "$hash" \
    'the hash of the split of the best run'
expect_equal "$(head -n 1 run/predictions.csv)" node,class,p0,p1,label,part 'the head of predictions.csv'
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
expect_equal "$(ls -A run | wc -l)" 12 'the number of files'

# A model that learns no filter has no history of it, and the old one goes.
good train $tiny --model appnp --epochs 3 --out run -q
expect_equal "$(ls -A run | wc -l)" 11 'the number of files'
if [ -e run/gamma_history.csv ]; then fail 'a fixed filter has a history'; fi
good verify run

# At most 100 rows per run and the last one: of epochs 0 to 99 all, of more every 2nd, 4th, ...
expect_epochs() { # EPOCHS ROWS LAST_BUT_ONE
    good train $tiny --epochs "$1" --stopping none --K 2 --hidden 4 --out run -q
    expect_equal "$(wc -l <run/gamma_history.csv)" $(($2 + 1)) "the lines of gamma_history.csv after $1 epochs"
    expect_equal "$(tail -n 2 run/gamma_history.csv | cut -d, -f2 | paste -sd' ')" "$3 $1" 'the last epochs'
    expect_equal "$(sed -n 2p run/gamma_history.csv)" 0,0,0.1,0.09,0.81 'the initial weights'
}
expect_epochs 99 100 98
expect_epochs 100 51 98
expect_epochs 199 101 198
expect_epochs 250 64 248

# A part of the split that has no nodes has no numbers: empty cells, and no "nan" in any file or table.
good train $tiny --epochs 3 --split 100/0/0 --out run
expect_out_lacks nan
if grep -lw nan run/*.csv run/*.json; then fail 'a file has nan'; fi
expect_equal "$(sed -n 2p run/history.csv | cut -d, -f4,5,7,8)" ,,, 'numbers of no nodes'

# Links inside the folder are not followed: a run that someone sent could read other files, or have them written. The
# folder itself may be a link.
good train $tiny --epochs 3 --out real -q
ln -s real linked
good predict linked $tiny -q
good verify linked
echo secret >secret
for file in model.safetensors result.json split.npz; do
    mv "real/$file" kept
    ln -s ../kept "real/$file"
    for command in "predict real $tiny" 'inspect real' "explain real $tiny --importance" 'report real' 'verify real' \
        'compare real run'; do
        run $command
        expect_status 1
        cat "$scratch/seen/out" >>"$scratch/seen/err"
        expect_err "real/$file"
        expect_err 'it is a link, and no link in a run folder is followed: put the file itself there'
    done
    rm "real/$file"
    mv kept "real/$file"
done
good verify real
for link in state state/run-0.safetensors state/command .run-moving; do # a training would write there, or read it
    rm -rf other
    mkdir other
    if [ "${link%/*}" = state ] && [ $link != state ]; then mkdir -p other/state; fi
    ln -s "$PWD/secret" "other/$link"
    run train --resume other
    expect_status 1
    expect_err "other/$link: it is a link"
    run train $tiny --epochs 3 --save-every 0 --out other
    expect_status 1
    expect_err "other/$link: it is a link"
    expect_equal "$(cat secret)" secret 'the file behind the link'
done
rm -rf real linked other secret
