# gprgnn compare: tables, sentences, CSV and JSON of trainings on the same splits; what it refuses.
source "$(dirname "$0")/lib.bash"

# Wrong calls leave nothing behind.
bad 2 'needs two or more' compare one
bad 2 'there is no run folder one' compare one two
bad 2 'is given twice' compare one two one/
bad 2 'too few arguments' compare
bad 2 'cannot both be standard output' compare one two --json - --csv -

for model in gprgnn gcn mlp; do
    good train $tiny --model $model --runs 6 --epochs 40 --seed 3 --out runs/$model --json $model.json -q
done
good train $tiny --model gprgnn --runs 6 --epochs 40 --seed 3 --lr 0.02 --out more/gprgnn -q
good train $tiny --model mlp --runs 3 --epochs 5 --seed 3 --split sparse --out sparse -q
good train csbm:n=300,f=20,phi=-0.5,seed=4 --model mlp --runs 3 --epochs 5 --seed 3 --out other -q
good train $tiny --model mlp --runs 6 --epochs 5 --seed 30 --out later -q
good train $tiny --model mlp --epochs 5 --out single -q

# The tables, and one sentence per pair.
good compare runs/gprgnn runs/gcn runs/mlp --json all.json -o all.csv
expect_silent_err
for part in 'name    model   dataset' '95 % by bootstrap' 'first   second' 'wins/ties/losses' '+/-'; do
    expect_out "$part"
done
expect_equal "$(grep -cE '^(gprgnn|gcn|mlp) (is better than|has the same)|^no difference between|have the same' \
    "$scratch/seen/out")" 3
expect_json all.json
expect_equal "$(wc -l <all.csv)" 4
expect_equal "$(head -n 1 all.csv | tr ',' '\n' | wc -l)" 17 'the columns'
expect_equal "$(tail -n 1 all.csv | tr ',' '\n' | wc -l)" 17 'the columns'

# The mean is that of the training, and the difference that of the means.
good compare runs/gprgnn runs/gcn --csv -
expect_equal "$(wc -l <"$scratch/seen/out")" 2
awk -F, -v a="$(json gprgnn.json test_accuracy)" -v b="$(json gcn.json test_accuracy)" \
    'function near(x, y) { return x - y < 1e-6 && y - x < 1e-6 }
     NR == 2 { exit !($2 == "gprgnn" && $3 == "gcn" && near($4, a) && near($5, b) && near($7, a - b) && $6 == 6 &&
                      $8 < $7 && $7 < $9 && $12 >= 0 && $12 <= 1 && $15 + $16 + $17 == 6) }' "$scratch/seen/out" ||
    fail 'the numbers are not those of the trainings'
cp "$scratch/seen/out" first.csv
good compare gprgnn.json runs/gcn --csv - # the JSON of train is as good as its folder
expect_equal "$(tail -n 1 "$scratch/seen/out" | cut -d, -f4-)" "$(tail -n 1 first.csv | cut -d, -f4-)"
good compare runs/gprgnn runs/gcn --csv - # and it draws the same numbers again
expect_same "$scratch/seen/out" first.csv

# Each against one; quiet; JSON alone.
good compare runs/mlp runs/gcn --against runs/gprgnn -q
expect_equal "$(wc -l <"$scratch/seen/out")" 2
good compare runs/mlp runs/gcn --metric ms_per_epoch --json -
cp "$scratch/seen/out" ms.json
expect_json ms.json
expect_equal "$(json ms.json metric)" ms_per_epoch
# Names that are equal become paths.
good compare runs/gprgnn more/gprgnn -q
expect_out 'runs/gprgnn'
expect_out 'more/gprgnn'

# What does not fit together, and the way out.
rm -f ./*.json ./*.csv
mkdir keep && mv runs more sparse other later single keep/
bad_here() { # as bad, in a folder with the runs
    run "${@:3}"
    expect_status "$1"
    expect_err "$2"
    expect_equal "$(wc -l <"$scratch/seen/err")" 1 'the lines on standard error'
    expect_silent_out
    expect_equal "$(ls -A .)" keep 'the files'
}
bad_here 1 'different data' compare keep/runs/mlp keep/other
bad_here 1 "no split in common" compare keep/runs/mlp keep/later --json out.json
expect_err 'give --unpaired'
bad_here 1 'one run only: there is nothing to pair' compare keep/runs/mlp keep/single
expect_err 'train with --runs 10 or more'
bad_here 1 'is not a run folder: it has no result.json' compare keep/runs/mlp keep
expect_err 'a training with --out writes such folders'
bad_here 2 "did you mean 'val_loss'?" compare keep/runs/mlp keep/runs/gcn --metric val_los
run compare keep/runs/mlp keep/sparse
expect_status 1
good compare keep/runs/mlp keep/sparse keep/other keep/later --unpaired
expect_out 'not paired'
sed -i 's/"stopped": false/"stopped": true/' keep/sparse/result.json
bad_here 1 'stopped before its end' compare keep/runs/mlp keep/sparse --unpaired
head -c 300 keep/later/result.json >cut && mv cut keep/later/result.json
bad_here 1 'keep/later/result.json:' compare keep/runs/mlp keep/later
expect_err 'this is not JSON, or it is damaged'

# Names from strangers.
evil=$'\e[31m\a\u202e'
cp -r keep/runs/mlp "keep/$evil"
sed -i 's/"model": "mlp"/"model": "m\\u001b[2Jp"/' "keep/$evil/result.json"
good compare keep/runs/gcn "keep/$evil" --csv - -v
! grep -q $'\e' "$scratch/seen/out" "$scratch/seen/err" || fail 'a name reaches the terminal as it is'
good compare keep/runs/gcn "keep/$evil"
! grep -q $'\e' "$scratch/seen/out" || fail 'a name reaches the terminal as it is'
expect_out 'm\x1b[2Jp'
good compare keep/runs/gcn "keep/$evil" --json -
! grep -q $'\e' "$scratch/seen/out" || fail 'a name reaches the terminal as it is'

# Where one class is rare, who never finds it has a high accuracy: what is compared is the summary's first metric.
awk 'BEGIN { srand(3); print "id,size,kind"
    for (i = 0; i < 300; i++) print i "," rand() + (i % 10 == 0) "," (i % 10 ? "usual" : "rare") }' >rare.csv
awk 'BEGIN { srand(4); print "source,target"
    for (i = 0; i < 900; i++) print int(300 * rand()) "," int(300 * rand()) }' >links.csv
for model in mlp gcn; do
    good train --edges links.csv --nodes rare.csv --label kind --model $model --runs 3 --epochs 9 --out rare/$model -q
done
good compare rare/mlp rare/gcn --json rare.json
expect_out 'test_average_precision'
expect_equal "$(json rare.json metric)" test_average_precision 'what is compared'
good compare rare/mlp rare/gcn --metric test_accuracy --json rare.json
expect_equal "$(json rare.json metric)" test_accuracy 'what is compared'
