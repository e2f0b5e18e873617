# Columns of a table of nodes: their plan, kinds and gaps; a model that needs nothing but new tables; a run repeated.
models=$(cd "$(dirname "$0")/../fuzz/corpus/model" && pwd)
source "$(dirname "$0")/lib.bash"
data=$scratch/seen/data # outside the working folder
mkdir "$data"

# 200 customers as pandas writes them: an index without a name, dates, a decimal comma, gaps, one odd cell, a free text.
awk -v folder="$data" 'BEGIN {
    srand(5)
    print ";customer_id;joined;income;brand;note;fraud" >folder "/n.csv"
    print "a;b;weight" >folder "/e.csv"
    for (i = 0; i < 200; i++) {
        income = i == 50 ? "unknown" : i % 20 == 7 ? "" : 1000 + 500 * (i % 2) + int(100 * rand()) ",5"
        printf "%d;c%d;2024-%02d-%02d 08:15;%s;brand %d;said %d;%s\n", i, i, i % 12 + 1, i % 28 + 1, income, i % 7, i,
            i % 10 ? i % 2 ? "yes" : "no" : "" >folder "/n.csv"
        for (k = 1; k <= 3; k++) print "c" i ";c" (i + 2 * k) % 200 ";" k >folder "/e.csv"
    }
}'
tables="--edges $data/e.csv --nodes $data/n.csv"

# ---- the plan
good info $tables --label fraud --json info.json
expect_json info.json
expect_out '1            dropped                             left out: an index without a name'
expect_out 'customer_id  id       text         200        0'
expect_out 'joined       feature  date'
expect_out 'days since 1970, cycles of year, week and day'
expect_out 'number with decimal comma; 11 gaps filled with '
expect_out '(the median), a feature tells where; 1 odd cell'
expect_out 'brand        feature  category       7        0  a feature of 0 and 1 for each value'
expect_out 'note         dropped  text         200        0  left out: nearly as many values as rows'
expect_out 'fraud        label    category       2       20'
expect_err "n.csv:52: column 'income' is 'unknown', not a number: 1 such cell is taken as missing"
expect_err "column 'note' is text with nearly as many values as rows (line 2: 'said 0'): it is left out; "\
"--words note makes"
expect_equal "$(wc -l <"$scratch/seen/err")" 2 'the lines on standard error'
grep -qF '"feature_names": ["joined", "joined (year sin)", "joined (year cos)", "joined (week sin)", "joined (week '\
'cos)", "joined (day sin)", "joined (day cos)", "income", "income (missing)", "brand=brand 0"' info.json ||
fail 'the features are others'
good info $tables --label fraud --drop note,1 --categorical brand --max-values 2 --numeric income --fill mean
expect_out 'the 2 most frequent of 7 values; the others ('
expect_out '(the mean)'
good info $tables --label fraud --drop note --fill -1
expect_out 'gaps filled with -1 (as asked)'
good info $tables --label fraud --categorical note --max-values 400 --drop income
expect_silent_err
expect_out 'note         feature  category     200        0  a feature of 0 and 1 for each value'

# A hostile name is printed safely.
printf 'id,\033[31mred\033[0m,y\na,1,u\nb,2,v\n' >"$data/hostile.csv"
printf 'a,b\n' >"$data/ab.csv"
good info --edges "$data/ab.csv" --nodes "$data/hostile.csv" --label y
grep -q $'\033' "$scratch/seen/out" && fail 'a control character reached the terminal'

# ---- wrong calls
rm -f info.json
bad 2 "column 'brand' is said to be a category and a date" info $tables --categorical brand --date brand
bad 2 "column 'fraud' is said to be a number, but its role is label" info $tables --label fraud --numeric fraud
bad 2 "no column 'zip' (categorical): the header has" info $tables --categorical zip
bad 2 "fill is 'most': it must be median, mean, zero or a finite number" info $tables --fill most
bad 2 "max-values is '0'" info $tables --max-values 0
bad 2 "--numeric is 'x', the column of a table: give --nodes" info $tiny --numeric x
bad 1 "column 'brand' is 'brand 0': no cell is a date" info $tables --drop income,note --date brand

# ---- training says it, the model keeps it
good train $tables --label fraud --drop note --split 60/20/20 --epochs 30 --refit no --out run
expect_out 'joined       feature  date'
good train $tables --label fraud --drop note --split 60/20/20 --epochs 30 --refit no -q
grep -q 'joined ' "$scratch/seen/out" && fail '-q prints the columns'
grep -qF '"role": "label"' run/result.json || fail 'the result lacks the columns'
good predict run $tables --proba
expect_same "$scratch/seen/out" run/predictions.csv
expect_err " labelled nodes of the training's own data"

# New tables: comma separated, columns in another order, one more, no label, a new brand, another date, gaps.
printf 'brand,income,extra,joined,customer_id\nbrand 1,1000.5,x,2024-05-01,n1\nbrand 9,,y,,n2\n' >"$data/new_n.csv"
printf 'n1,n2\n' >"$data/new_e.csv"
good predict run --edges "$data/new_e.csv" --nodes "$data/new_n.csv"
expect_equal "$(wc -l <"$scratch/seen/out")" 3 'the lines of predictions'
expect_out 'n1,'
expect_err "a column that the model does not know is left out: 'extra'"
expect_err "column 'brand' has 1 cell with a text that the model does not know (line 3: 'brand 9')"
expect_err "column 'joined' has 1 gap, and had none in training"
expect_err 'new_e.csv has no weights, but the edges that the model was trained on had them'
printf 'income,joined,customer_id\n1000.5,2024-05-01,n1\n5,2024-05-01,n2\n' >"$data/new_n.csv"
run predict run --edges "$data/new_e.csv" --nodes "$data/new_n.csv"
expect_status 1
expect_err "new_n.csv lacks a column that the model was trained on: 'brand'"

# ---- the run again, from its config.json
expect_equal "$(json run/config.json data | head -c 1)" '{' 'the data in config.json'
good train --config run/config.json --out again
expect_out 'compared ' # with the baselines, as of any table
expect_same run/model.safetensors again/model.safetensors
expect_same run/predictions.csv again/predictions.csv
good train --config run/config.json --fill zero --out other -q # a flag wins
cmp -s run/model.safetensors other/model.safetensors && fail '--fill is lost'
good train $tiny --config run/config.json --epochs 2 -q # other data: nothing of the file's

# ---- and with several files of edges, a split by dates, and the options of edges
printf 'from_id;to_id\nc1;c9\nc3;c1\nc5;nobody\n' >"$data/more.csv"
odd="--edges $data/e.csv --edge-weight 0.25 --edges $data/more.csv --edge-weight 3 --source 2 --target 1 --weight none
    --duplicates sum --unknown skip --nodes $data/n.csv --label fraud --drop note --encoding latin1
    --split-column joined --val-from 2024-08-01 --test-from 2024-11-05T08:00:30"
good train $odd --epochs 5 --out several
expect_out 'joined       split    date                    0  119 train, 51 val, 30 test'
good train --config several/config.json --out again -q
expect_same several/config.json again/config.json
expect_same several/model.safetensors again/model.safetensors
expect_same several/split.npz again/split.npz
printf '{"epochs": 5, "data": {"edges": [1]}}' >bad.json
run train --config bad.json
expect_status 1
expect_err "bad.json: data 'edges' is not a text"
printf '{"epochs": ' >bad.json
run train $tiny --config bad.json
expect_status 1
expect_err "bad.json:1: not the JSON of a run's config.json"

# ---- a model file whose plan cannot be is refused
refused() {
    run predict "$models/$1" $tables
    expect_status 1
    expect_err "$1: metadata 'columns'$2"
    expect_silent_out
}
refused table_less ' has 7 features, and the model 9'
