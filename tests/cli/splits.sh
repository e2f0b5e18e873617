# Splits of tables: the default, a column of the table of nodes, files of ids; parts and labels in the predictions.
source "$(dirname "$0")/lib.bash"
data=$scratch/seen/data # outside the working folder, which must stay empty
mkdir "$data"

# 80 people: 10 of a rare class, the first four without a class; a part, a day and a number for each.
awk -v folder="$data" 'BEGIN {
    srand(3)
    print "person,age,team,part,day,number" >folder "/n.csv"
    print "who,whom" >folder "/e.csv"
    for (i = 0; i < 80; i++) {
        team = i < 4 ? "" : i < 14 ? "rare" : i % 2 ? "red" : "blue"
        part = i % 5 == 3 ? "Val" : i % 5 == 4 ? "test" : i % 10 == 0 ? "" : "TRAIN"
        printf "p%d,%d,%s,%s,2024-01-%02d,%d\n", i, 20 + 20 * (i % 2) + int(10 * rand()), team, part, 1 + i % 28, i \
            >folder "/n.csv"
        for (k = 1; k <= 3; k++) print "p" i ",p" (i + 2 * k) % 80 >folder "/e.csv"
    }
}'
tables="--edges $data/e.csv --nodes $data/n.csv --label team"
plain="$tables --drop part,day"

# row NAME: the row of the summary's table of the split.
row() { sed -nE "s/^  $1 +([0-9 ]+)$/\1/p" "$scratch/seen/out" | tr -s ' '; }

# ---- the default: each class alike, and what was used is said
good train $plain --epochs 20 --label-input no --refit no --out run
expect_out 'split     60/20/20'
expect_out 'split=60/20/20'
expect_equal "$(row train)" '46 20 6 20' 'the nodes that train'
expect_equal "$(row val)" '15 7 2 6' 'the nodes that validate'
expect_equal "$(row test)" '15 6 2 7' 'the nodes that test'
grep -qF '"split": "60/20/20"' run/config.json || fail 'config.json does not say which split was used'
good train $plain --split auto --epochs 20 --label-input no --refit no --out again -q
expect_same run/model.safetensors again/model.safetensors
good train $plain --split 60/20/20 --epochs 20 --label-input no --refit no --out named -q
expect_same run/predictions.csv named/predictions.csv
good train $tiny --epochs 5 --out other
expect_out 'split     60/20/20'
grep -qF '"split": "60/20/20"' other/config.json || fail 'config.json does not say which split was used'
rm -rf other
good train $tiny --preset paper --epochs 5 --out other # where the paper's comes from
expect_out 'split     dense'
rm -rf again named other

# From a converted table too.
good convert $plain t.gpr
good train t.gpr --epochs 20 --label-input no --refit no --out mapped
expect_out 'split     60/20/20'
expect_same run/predictions.csv mapped/predictions.csv
rm -rf mapped t.gpr

# ---- a split that leaves a class out: by a preset it is refused, by name it is taken
printf 'split = dense\n' >"$data/dense.preset"
mv run "$scratch/seen/run"
bad 1 "split 'dense' leaves no node of class rare for validation and test: of its 10 nodes 10 train, 0 validate and "\
"0 test; leave out --split" \
    train $plain --preset "$data/dense.preset" --epochs 5
good train $plain --split dense --epochs 5
expect_err 'warning: split: class rare has no node in validation, test'
sed '0,/rare/s/rare/lone/' "$data/n.csv" >"$data/lone.csv" # a class of one node cannot be everywhere: a warning
good train --edges "$data/e.csv" --nodes "$data/lone.csv" --label team --drop part,day --epochs 5 -q
expect_err 'warning: split: class lone has no node in validation, test'

# ---- a column with words, in any case; no feature
good train $tables --split-column part --drop day --epochs 5 --baselines no --label-input no --refit no --out words
expect_out 'split     column'
expect_equal "$(row train)" '38 13 5 20' 'the nodes that train'
expect_equal "$(row unused)" '7 6 1 0' 'the nodes that are not used'
expect_out ' 2 features'
expect_equal "$(grep -vcE '^gprgnn: (label use|features: columns scaled|warning: the network alone)' \
    "$scratch/seen/err")" 0 'the lines on standard error'
good predict words $tables --split-column part --drop day -o "$scratch/seen/p.csv"
expect_err 'of the training'"'"'s own data: train '
expect_equal "$(sed -n '1p;6p' "$scratch/seen/p.csv" | cut -d, -f1,3-4 | paste -sd' ')" 'node,label,part p4,rare,test' \
    'label and part'
rm -rf words
good train $tables --split-column part --drop day --epochs 5 --runs 2 -q
expect_err 'warning: split: all 2 runs have the same split (column): they differ in their seeds only'

# ---- a column with dates or numbers
good train $tables --split-column day --val-from 2024-01-15 --test-from 2024-01-20T00:00:01 --drop part --epochs 5
expect_equal "$(row val)" '18 9 0 9' 'the nodes that validate'
good train $tables --split-column number --val-from 40 --test-from 60 --drop part,day --epochs 5
expect_equal "$(row train)" '36 13 10 13' 'the nodes that train'
expect_equal "$(row test)" '20 10 0 10' 'the nodes that test'

c="train $tables --drop part --split-column"
bad 1 "n.csv:2: column 'number' is '0': expected train, val, test or nothing; for dates or numbers give --val-from "\
"and --test-from" $c number
bad 2 '--val-from is given and --test-from is not: a split needs both' $c number --val-from 40
bad 2 "--val-from is '40' and --test-from is '2024-01-02': give two dates or two numbers" $c number --val-from 40 \
    --test-from 2024-01-02
bad 2 "--test-from is '2024-02-30': it must be a number, or a date" $c day --val-from 2024-01-02 --test-from 2024-02-30
bad 2 '--val-from is 40 and --test-from is 30: validation comes before the test' $c number --val-from 40 --test-from 30
bad 1 "n.csv:2: column 'day' is '2024-01-01': expected a number, as --val-from is 3" $c day --val-from 3 --test-from 5
bad 1 "n.csv:2: column 'number' is '0': expected a date such as 2024-12-31" $c number --val-from 2024-01-02 \
    --test-from 2024-01-03
bad 2 "column 'person' is both the id and the split" $c person
bad 2 "column 'team' is both the label and the split" $c team
bad 2 '--test-from divides a column of --nodes: give --split-column' train $tables --test-from 5
bad 2 "--split-column is 'x', the column of a table: give --nodes" train --edges "$data/e.csv" --split-column x
bad 2 "split 'column' is a column of --nodes, and data has none: give --split-column" train $plain --split column

# ---- files of ids
s=$data/s.csv
printf 'part,id\ntrain,p4\nTrain,p14\ntrain,p15\nvalidation,p6\ntest,p7\n,p8\n' >"$s"
good train $plain --split "$s" --epochs 5
expect_equal "$(row train)" '3 1 1 1' 'the nodes that train'
expect_equal "$(row val)" '1 0 1 0' 'the nodes that validate'
wrong() { # wrong STATUS MESSAGE TEXT
    printf "$3" >"$s"
    bad "$1" "$2" train $plain --split "$s"
}
wrong 1 "s.csv:3: the id 'p4' is test here, and train by line 2: a node has one part" 'id,part\np4,train\np4,test\n'
wrong 1 "s.csv:2: the id 'p4' appears twice in train: line 1 has it too" 'p4,train\np4,train\n'
wrong 1 "s.csv:3: no node of data has the id 'zz': its first is 'p0'" 'id,part\np4,train\nzz,test\n'
wrong 1 "s.csv:2: the part of 'p4' is 'trin': expected train, val, test or nothing" 'id,part\np4,trin\n'
wrong 1 's.csv: no node is in train: there is nothing to train on' 'id,part\np4,test\n'
wrong 1 's.csv: expected two columns, id and part' 'id\np4\n'
bad 2 "split 'none.csv': there is no such file" train $plain --split none.csv

mkdir "$data/ids"
printf 'id\np4\np14\np15\n' >"$data/ids/train.txt"
printf 'p6\n' >"$data/ids/val.txt"
bad 2 'neither test.csv.gz nor test.csv nor test.txt is there' train $plain --split "$data/ids"
printf 'p7\np4\n' >"$data/ids/test.txt"
bad 1 "test.txt:2: the id 'p4' is test here, and train by line 2 of that list" train $plain --split "$data/ids"
printf 'p7\n' >"$data/ids/test.txt"
good train $plain --split "$data/ids" --epochs 5
expect_equal "$(row train)" '3 1 1 1' 'the nodes that train'

# ---- predictions: the label and the part, also by the model file alone; on other data no part
run=$scratch/seen/run
expect_equal "$(head -n 1 "$run/predictions.csv")" node,class,p_blue,p_rare,p_red,label,part 'the head'
expect_equal "$(sed -n 2p "$run/predictions.csv" | cut -d, -f1,6-)" p0,, 'a node without a label'
expect_equal "$(cut -d, -f7 "$run/predictions.csv" | sort | uniq -c | tr -s ' ' | paste -sd';')" \
    ' 4 ; 1 part; 15 test; 46 train; 15 val' 'the parts'
for model in "$run" "$run/model.safetensors"; do
    good predict "$model" $plain --proba
    expect_same "$scratch/seen/out" "$run/predictions.csv"
    expect_err ' % on 76 labelled nodes of the training'"'"'s own data: train '
    expect_err ' % of 46, val '
done
good predict "$run" $plain --json - -q
expect_json "$scratch/seen/out"
expect_out '"parts": {"train": {"nodes": 46, "accuracy": '
expect_out '"labels": [null, null, null, null, "rare", '
awk -F, -v OFS=, 'NR == 12 { $2 = 77 } { print }' "$data/n.csv" >"$data/new.csv"
good predict "$run" --edges "$data/e.csv" --nodes "$data/new.csv" --label team --drop part,day
expect_equal "$(head -n 1 "$scratch/seen/out")" node,class,label 'the head'
others='on 30 labelled nodes; the model was trained on the labels of 46 others'
grep -qE "^accuracy [0-9.]+ % $others\$" "$scratch/seen/err" ||
    fail 'the accuracy does not say on which nodes'
good predict "$run" --edges "$data/e.csv" --nodes "$data/n.csv" --drop part,day,team
expect_equal "$(head -n 1 "$scratch/seen/out")" node,class 'the head'
