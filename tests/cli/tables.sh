# Tables of edges and nodes, files of features and labels: in training, models and predictions; and wrong ones.
source "$(dirname "$0")/lib.bash"
data=$scratch/seen/data # outside the working folder, which must stay empty
mkdir "$data"

# Two groups of people, red and blue, who mostly know people of their own group; the first nodes of each have no colour.
awk -v folder="$data" 'BEGIN {
    srand(3)
    print "person,age,town,team" >folder "/n.csv"
    print "who,whom" >folder "/e.csv"
    for (i = 0; i < 80; i++) {
        red = i % 2
        town = rand() < 0.5 ? "Oslo" : "Rome"
        team = i < 4 ? "" : red ? "\"red, \"\"hot\"\"\"" : "blue"
        print "p" i "," 20 + 20 * red + int(10 * rand()) "," town "," team >folder "/n.csv"
        for (k = 1; k <= 3; k++) print "p" i ",p" (i + 2 * k + (rand() < 0.1)) % 80 >folder "/e.csv"
    }
}'
tables="--edges $data/e.csv --nodes $data/n.csv"

# ---- what is in them
good info $tables --label team --json info.json
expect_json info.json
expect_out 'class 0 blue '
expect_out 'class 1 red, "hot" '
expect_out 'nodes            80'
expect_out '76 of 80 nodes labelled'
expect_silent_err
expect_out 'person  id       text          80        0'
expect_out 'town    feature  category       2        0  a feature of 0 and 1 for each value'
expect_out 'team    label    category       2        4'
grep -qF '{"name":"age","role":"feature","kind":"number",' info.json || fail 'the JSON lacks the plan of the columns'
grep -qF '"class_names": ["blue", "red, \"hot\""]' info.json || fail 'the JSON lacks the class names'
grep -qF '"feature_names": ["age", "town=Oslo", "town=Rome"]' info.json || fail 'the JSON lacks the feature names'
good info $tables --label team --drop town
expect_silent_err
expect_out 'features         1 '
good info $tables --label 4 # by its number
expect_out 'class 1 red, "hot" '

# ---- training and prediction by names
# Known labels as an input would make other data of the columns in another order: cli.labels tests them.
good train $tables --label team --split 60/20/20 --epochs 100 --label-input no --refit no --out run -q
good train $tables --label team --split 60/20/20 --epochs 100 # the whole summary
grep -qE '^  class +all +blue +red, "hot"$' "$scratch/seen/out" || fail 'the split table lacks the names'
expect_equal "$(head -n 1 run/predictions.csv)" 'node,class,p_blue,"p_red, ""hot""",label,part' 'the head'
expect_equal "$(sed -n 2p run/predictions.csv | cut -d, -f1-2)" p0,blue 'the first node'
grep -q '^p1,"red, ""hot""",' run/predictions.csv || fail 'the second node is not red'
grep -qF '"blue",' run/result.json || fail 'the result lacks the class names'
good predict run $tables --label team --proba -v
expect_same "$scratch/seen/out" run/predictions.csv
expect_err ': the model was trained on this data'
expect_err 'accuracy '
good predict run $tables --label team --json -
expect_json "$scratch/seen/out"
expect_equal "$(json "$scratch/seen/out" training_data)" true 'training_data'
expect_out '"class_names": ["blue", "red, \"hot\""]'
expect_out '"node_ids": ["p0", "p1", '
expect_out '"predictions": ["blue", "red, \"hot\"", '
awk -v accuracy="$(json "$scratch/seen/out" accuracy)" 'BEGIN { exit !(accuracy > 90) }' || fail 'the accuracy is poor'
accuracy=$(json "$scratch/seen/out" accuracy)

# Columns and classes in another order, a town and a team that the model does not know.
sed -E 's/^([^,]*),([^,]*),([^,]*),(.*)$/\4,\3,\1,\2/' "$data/n.csv" >"$data/turned.csv"
good predict run --edges "$data/e.csv" --nodes "$data/turned.csv" --id person --label team --proba
expect_same "$scratch/seen/out" run/predictions.csv # read by the model's plan it is the same data, with its split
sed -E 's/^p3,([^,]*),[^,]*,$/p3,\1,Bergen,green/' "$data/n.csv" >"$data/more.csv"
good predict run --edges "$data/e.csv" --nodes "$data/more.csv" --label team --json other.json
expect_err "column 'town' has 1 cell with a text that the model does not know (line 5: 'Bergen'): taken as none of "\
"its values"
expect_err "the model does not know the class 'green' of 1 node"
expect_equal "$(json other.json training_data)" false 'training_data'
expect_equal "$(json other.json labelled)" 77 'the labelled nodes'
# The model knows the columns of ids and labels; a column that it does not know is left out.
good predict run $tables -q
expect_silent_err
good predict run $tables
expect_err 'on 76 labelled nodes'
sed -E '1s/$/,shoe/; 2,$s/$/,42/' "$data/n.csv" >"$data/shoe.csv"
good predict run --edges "$data/e.csv" --nodes "$data/shoe.csv" -q
expect_err "a column that the model does not know is left out: 'shoe'"
expect_equal "$(wc -l <"$scratch/seen/err")" 1 'the lines on standard error'
# A column is read as it was for the model: numbers as text, but never text as numbers.
sed -E '2,$s/^([^,]*,[^,]*),[^,]*,/\1,7,/' "$data/n.csv" >"$data/sevens.csv"
good predict run --edges "$data/e.csv" --nodes "$data/sevens.csv" --label team
expect_err "column 'town' has 80 cells with a text that the model does not know (line 2: '7')"
sed -E '2s/^([^,]*),[^,]*,/\1,old,/' "$data/n.csv" >"$data/old.csv"
bad_line() { # like bad, if the folder holds files
    local wanted=$1 part=$2
    shift 2
    run "$@"
    expect_status "$wanted"
    expect_err "$part"
    expect_silent_out
}
good predict run --edges "$data/e.csv" --nodes "$data/old.csv"
expect_err "old.csv:2: column 'age' is 'old', not a number: 1 such cell is taken as missing"
sed -E '2,$s/^([^,]*),[^,]*,/\1,old,/' "$data/n.csv" >"$data/old.csv"
bad_line 1 "old.csv:2: column 'age' is 'old': expected a number, as for the model (80 of 80 cells are not)" predict \
    run \
    --edges "$data/e.csv" --nodes "$data/old.csv" --label team
# A model that was trained on towns needs them.
sed -E 's/^([^,]*,[^,]*),[^,]*,/\1,/' "$data/n.csv" >"$data/less.csv"
bad_line 1 "less.csv lacks a column that the model was trained on: 'town'" predict run --edges "$data/e.csv" \
    --nodes "$data/less.csv"

# ---- the same tables in other forms give the same data
fingerprint=$(json info.json fingerprint)
same_data() {
    good info "$@" --json again.json
    expect_equal "$(json again.json fingerprint)" "$fingerprint" 'the fingerprints'
}
gzip -k "$data/n.csv" "$data/e.csv"
same_data --edges "$data/e.csv.gz" --nodes "$data/n.csv.gz" --label team
sed 's/,/\t/g; s/red\t ""hot""/red, ""hot""/' "$data/n.csv" >"$data/n.tsv"
sed 1d "$data/e.csv" | tr , ' ' >"$data/e.txt"
same_data --edges "$data/e.txt" --nodes "$data/n.tsv" --label team
sed 's/$/\r/' "$data/n.csv" >"$data/windows.csv"
same_data --edges "$data/e.csv" --nodes "$data/windows.csv" --label team
sed 1d "$data/n.csv" >"$data/headless.csv"
same_data --edges "$data/e.csv" --nodes "$data/headless.csv" --label 4
same_data --edges "$data/e.csv" --nodes <(cat "$data/n.csv") --label team

# ---- a graph without features and labels, completed
mkdir "$data/lone"
awk 'BEGIN { for (i = 0; i < 30; i++) print i, (i + 1) % 30 }' >"$data/lone/g.txt"
awk 'BEGIN { for (i = 0; i < 30; i++) print i % 2 ? "+1" : "-1", i % 2 + 1 ":1 5:" i / 30 }' >"$data/lone/x.svm"
awk 'BEGIN { print "label"; for (i = 0; i < 30; i++) print i % 2 ? "odd" : "even" }' >"$data/lone/y.csv"
gzip -k "$data/lone/x.svm"
good train "$data/lone/g.txt" --features "$data/lone/x.svm.gz" --split 60/20/20 --epochs 20 --out lone -q
grep -q '^0,-1,' lone/predictions.csv || fail 'the labels of svmlight are lost'
good train --edges "$data/lone/g.txt" --features "$data/lone/x.svm" --labels "$data/lone/y.csv" --split 60/20/20 \
    --label-input no --epochs 20 --out lone -q
grep -q '^1,odd,' lone/predictions.csv || fail 'the labels are lost'
sed 's/5:[0-9.e-]*//' "$data/lone/x.svm" >"$data/lone/short.svm" # fewer columns: the last ones are missing
good predict lone "$data/lone/g.txt" --features "$data/lone/short.svm" --labels "$data/lone/y.csv"
expect_err 'on 30 labelled nodes'

# ---- wrong ones: one line each, with the file, the place, what was found, what was expected
rm -rf run lone ./*.json
put() { printf "$2" >"$data/$1"; }
n=$data/n.csv e=$data/e.csv b=$data/b.csv
bad 2 "cannot read $data/none.csv" info --edges "$e" --nodes "$data/none.csv"
bad 2 "cannot read $data/none.csv" info --edges "$data/none.csv" --nodes "$n"
bad 1 "$data is a folder" info "$data"
bad 1 'is a folder' info --edges "$data" --nodes "$n"
head -c 300 "$data/e.csv.gz" >"$data/cut.gz"
bad 1 'cut.gz: the gzip data breaks off' info --edges "$data/cut.gz" --nodes "$n" --drop town --label team
put b.csv 'person,x\np0,1\np1,2,3\n'
bad 1 'b.csv:3: 3 fields' info --edges "$e" --nodes "$b"
put b.csv 'p0,p1\np1,nobody\n'
bad 1 "b.csv:2: " info --edges "$b" --nodes "$n" --label team --drop town
bad 1 "'nobody'" info --edges "$b" --nodes "$n" --label team --drop town
put b.csv 'who,whom,weight\np0,p1,-2\n'
bad 1 'b.csv:2: ' info --edges "$b" --nodes "$n" --label team --drop town
bad 1 "-2" info --edges "$b" --nodes "$n" --label team --drop town
put b.csv 'person,x\np0,1\np1,-inf\n'
bad 1 "b.csv:3: column 'x' is '-inf': expected a finite number" info --edges "$e" --nodes "$b"
put b.csv 'person,x,y\np0,1,\np1,2,\n'
bad 1 'b.csv: no label in 2 rows' train --edges "$e" --nodes "$b" --label y
bad 2 "no column 'z' (label): the header has person, x, y" train --edges "$e" --nodes "$b" --label z
put b.csv 'person,x\np0,1\np0,2\n'
bad 1 "b.csv:3: the id 'p0' appears twice" info --edges "$e" --nodes "$b"
put b.csv '0,a\n30,b\n'
bad 1 "b.csv:2: the node is '30': nodes of g are whole numbers from 0 to 29" info "$data/lone/g.txt" --labels "$b"
put b.csv '0,a\n-1,b\n'
bad 1 "b.csv:2: the node is '-1'" info "$data/lone/g.txt" --labels "$b"
put b.csv '0,a\n1.5,b\n'
bad 1 "b.csv:2: the node is '1.5'" info "$data/lone/g.txt" --labels "$b"
put b.csv 'a\nb\n'
bad 1 'b.csv: 2 labels, but g has 30 nodes' info "$data/lone/g.txt" --labels "$b"
put b.svm '1 1:1\n2 1:1\n'
bad 1 'g.txt:2: node 2: ids must be from 0 to 1' info "$data/lone/g.txt" --features "$data/b.svm"
bad 1 "(without a table of nodes, ids are the 2 rows of $data/b.svm, from 0)" info "$data/lone/g.txt" \
    --features "$data/b.svm"
bad 1 'b.svm: 2 rows of features, but csbm(phi=-0.5) has 300 nodes' info $tiny --features "$data/b.svm"
put b.svm '1 1:1\n2 1:inf\n'
bad 1 "b.svm:2: '1:inf' has no value" info "$data/lone/g.txt" --features "$data/b.svm"
put b.npy '\x93NUMPY\x01\x00\x76\x00{'
bad 1 'b.npy: ' info "$data/lone/g.txt" --features "$data/b.npy"
header="{'descr': '<f4', 'fortran_order': False, 'shape': (30, 2), }"
printf '\x93NUMPY\x01\x00\x3d\x00%s\n0123' "$header" >"$data/b.npy"
bad 1 'b.npy: the header announces 60 numbers of 4 bytes, but 4 bytes follow it' info "$data/lone/g.txt" \
    --features "$data/b.npy"

# ---- wrong calls
bad 2 'both given' train $tiny $tables
bad 2 'too few arguments' info --nodes "$n"
bad 2 "--label is 'team', the column of a table: give --nodes or --labels" train $tiny --label team
bad 2 '--nodes is for a table of edges: to csbm' train $tiny --nodes "$n"
bad 2 "delimiter 'dot' is not known" info $tables --delimiter dot
bad 2 'give --label' train $tables --drop town,team
