# A split by the time of the nodes: what is said of it, the run again, predictions on tables without the times.
source "$(dirname "$0")/lib.bash"
data=$scratch/seen/data
mkdir "$data"
awk -v folder="$data" 'BEGIN {
    srand(3)
    print "id,created_at,x,tags,label" >folder "/n.csv"
    print "a,b" >folder "/e.csv"
    split("red blue green old new", word, " ")
    for (i = 0; i < 300; i++) {
        # ids are in another order than times
        day = (i * 7) % 300
        printf "p%d,2024-%02d-%02d,%.3f,%s|%s,%s\n", i, int(day / 25) % 12 + 1, day % 25 + 1, rand() + i % 2,
            word[int(5 * rand()) + 1], word[i % 2 + 1], i % 2 ? "u" : "v" >folder "/n.csv"
        for (k = 1; k <= 2; k++) print "p" i ",p" (i + 2 * k) % 300 >folder "/e.csv"
    }
}'
tables="--edges $data/e.csv --nodes $data/n.csv --label label"

# ---- wrong calls
bad 2 "--split is 'sparse', and the split is by the column --time created_at: give shares" train $tables \
    --time created_at --split sparse --model gprgnn
bad 2 '--val-from and --test-from divide the column --time created_at: leave one of both out' train $tables \
    --time created_at --val-from 2024-06-01 --test-from 2024-09-01 --split 60/20/20 --model gprgnn
bad 2 '--time and --split-column both divide the nodes' train $tables --time created_at --split-column x
bad 2 "--time is 'x', the column of a table: give --nodes" train $tiny --time x

# ---- advice, and none where it is followed
good train $tables --epochs 3 --model gprgnn -q
good train $tables --epochs 3 --model gprgnn
expect_err "column 'created_at' looks like a time: if the model is for later nodes than those of the training, --time"
good train $tables --time created_at --epochs 20 --model gprgnn --refit no --out run
grep -q 'looks like a time' "$scratch/seen/err" && fail 'the advice was followed already'
expect_out 'created_at  split    date                    0  the time of each node: the oldest train, the newest test'
expect_out 'tags        feature  words'
expect_out 'split     time:60/20/20'
grep -q '"spec": "time:60/20/20"' run/result.json || fail 'the JSON lacks the split'

# ---- the oldest 180 train, the newest 60 test: 25 times of 12 days each month, so parts end between two days
sort -t, -k1,1 "$data/n.csv" | cut -d, -f1,2 >"$scratch/seen/times"
part() { awk -F, -v part="$1" '$NF == part { print $1 }' run/predictions.csv | sort | join -t, - "$scratch/seen/times" |
    cut -d, -f2 | sort; }
expect_equal "$(part train | wc -l) $(part val | wc -l) $(part test | wc -l)" '180 60 60' 'the parts'
[[ $(part train | tail -n 1) < $(part val | head -n 1) ]] || fail 'a node that validates is older than one that trains'
[[ $(part val | tail -n 1) < $(part test | head -n 1) ]] || fail 'a node that tests is older than one that validates'

# ---- the same run again; other shares; several runs have one split
good train --config run/config.json --out again -q
expect_same run/model.safetensors again/model.safetensors
expect_same run/split.npz again/split.npz
good train $tables --time created_at --split 80/10/10 --runs 2 --epochs 3 --model gprgnn
expect_err 'all 2 runs have the same split (time:80/10/10)'

# ---- predictions need no time
good predict run --edges "$data/e.csv" --nodes "$data/n.csv" --proba
expect_same "$scratch/seen/out" run/predictions.csv
cut -d, -f1,3,4 "$data/n.csv" >"$data/new.csv"
good predict run --edges "$data/e.csv" --nodes "$data/new.csv" -q
expect_equal "$(wc -l <"$scratch/seen/out")" 301 'the lines of predictions'

# ---- no file keeps the times, and that is said
good convert $tables --time created_at "$scratch/seen/kept.gpr"
expect_err "kept.gpr: the split by column 'created_at' is not kept: only trainings on the tables themselves have it"
good convert $tables "$scratch/seen/kept.npz"
grep -q 'is not kept' "$scratch/seen/err" && fail 'there was no split by a column'
true
