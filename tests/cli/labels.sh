# Known labels as input: the choice on tables, predictions, and what is said about accuracy.
source "$(dirname "$0")/lib.bash"

# Rings of fraud: features say nothing, neighbours say all.
awk 'BEGIN {
    srand(5); n = 900
    print "source,target" >"edges.csv"; print "id,a,b,fraud" >"nodes.csv"; print "id,a,b,fraud" >"random.csv"
    for (i = 0; i < n; i++) {
        y = i < 90
        printf "c%d,%.4f,%.4f,%s\n", i, rand(), rand(), y ? "yes" : "no" >"nodes.csv"
        printf "c%d,%.4f,%.4f,%s\n", i, rand(), rand(), rand() < 0.5 ? "yes" : "no" >"random.csv"
        for (k = 1; y && k <= 2; k++) printf "c%d,c%d\n", i, int(i / 6) * 6 + (i + k) % 6 >"edges.csv"
        printf "c%d,c%d\n", i, int(rand() * n) >"edges.csv"
        if (!y) printf "c%d,c%d\n", i, 90 + int(rand() * (n - 90)) >"edges.csv"
    }
}'
tables="--edges edges.csv --nodes nodes.csv --label fraud"
common="--split 60/20/20 --epochs 120 --hidden 16"

# The choice: said in the summary and in JSON; the model that it names is the one of that option.
good train $tables $common --out run --json result.json
expect_out 'chosen           label-input '
tr -s ' \n' ' ' <"$scratch/seen/out" |
    grep -qE 'dprate 0: average precision 0\.[0-9]+ on the validation nodes \(2 others: 0\.[0-9]+, 0\.[0-9]+\)' ||
    fail 'the summary does not say what the others have'
expect_equal "$(grep -c 'given more than once' "$scratch/seen/err")" 1 'the warnings about the data'
expect_equal "$(grep \
    -c '^gprgnn: label use is chosen by the validation nodes: 3 trainings; --label-input no --label-counts no trains '\
'one$' \
    "$scratch/seen/err")" 1 'what the choice costs'
expect_equal "$(grep -c '^gprgnn: features: columns scaled to mean 0' "$scratch/seen/err")" 1 \
    'what is done to the features'
expect_json result.json
chosen=$(json_config result.json label-input)
grep -q "\"chosen\": \"label-input $chosen, label-counts yes" result.json ||
    fail "the JSON does not say what was chosen"
expect_equal "$(json_config result.json label-counts)" yes
grep -q '"candidate": "label-input yes, label-counts yes, dropout 0.2, dprate 0"' result.json ||
    fail 'the JSON lacks a candidate'
good train $tables $common --label-input "$chosen" --label-counts yes --dropout "$(json_config result.json dropout)" \
    --dprate "$(json_config result.json dprate)" --out yes -q
expect_same run/predictions.csv yes/predictions.csv
good train $tables $common --dropout 0.4 --dprate 0.1 --json set.json -q # what is set stays
expect_equal "$(json_config set.json dropout)" 0.4
expect_equal "$(grep -c '"candidate"' set.json)" 3 'the candidates'
good train $tables $common --runs 3 --json three.json -q
expect_equal "$(json three.json runs)" 3
grep -q '"chosen"' three.json || fail 'three runs without a choice'
good train $tables $common --label-input no --label-counts no --out no --json no.json -q
if grep -q '"choice"' no.json; then fail 'there was nothing to choose'; fi

# Accuracy of nodes alone whose label was not an input.
good train $tables $common --label-input yes --label-counts no --out shown -q
good predict shown $tables
expect_err 'on 360 labelled nodes of the training'
expect_err '; the labels of 540 others are an input'
tail -n +2 "$scratch/seen/out" | cut -d, -f2 >now
tail -n +2 shown/predictions.csv | cut -d, -f2 >then
expect_same now then
good predict shown $tables --json -
expect_equal "$(json "$scratch/seen/out" labels_as_input)" 540

# The data of the training, with fewer labels or none, in any order, or with more nodes: those of the training count.
sed '2,11s/,[a-z]*$/,/' nodes.csv >fewer.csv
good predict shown --edges edges.csv --nodes fewer.csv
expect_err 'labelled nodes; the labels of'
tail -n +2 "$scratch/seen/out" | cut -d, -f2 >now
expect_same now then
cut -d, -f1-3 nodes.csv >bare.csv
good predict shown --edges edges.csv --nodes bare.csv
expect_silent_err
tail -n +2 "$scratch/seen/out" | cut -d, -f2 >now
expect_same now then
{ head -n 1 bare.csv; sed 1d bare.csv | sort -t, -k2; echo 'new,0.5,0.5'; } >moved.csv
good predict shown --edges edges.csv --nodes moved.csv -v
expect_err 'the labels of 900 nodes are those of the training'
sed 1d "$scratch/seen/out" | grep -v ^new, | sort | cut -d, -f1,2 >now
sed 1d shown/predictions.csv | sort | cut -d, -f1,2 | diff - now >changed || true
[ "$(grep -c '^<' changed)" -le 5 ] || fail 'one more node changes the classes of others'

# Other data: all labels that it has are an input. If it has none, a warning says what that may cost.
sed 's/c\([0-9]\)/d\1/g' edges.csv >other_edges.csv
sed 's/^c/d/' fewer.csv >other.csv
good predict shown --edges other_edges.csv --nodes other.csv
expect_err 'labelled nodes'
sed 's/^c/d/; 5s/,0/,1/' fewer.csv >other.csv # other features, too
good predict shown --edges other_edges.csv --nodes other.csv
expect_err 'no accuracy: the labels of all 890 labelled nodes are an input of the model'
cut -d, -f1-3 other.csv >other_bare.csv
good predict shown --edges other_edges.csv --nodes other_bare.csv
expect_err 'the model uses known labels, and gets none here'
expect_err 'on its validation nodes average_precision was '
expect_err 'Give --label or --labels'
good explain shown --edges edges.csv --nodes bare.csv --node c3
if grep -q 'gets none' "$scratch/seen/err"; then fail 'an explanation does not know the labels'; fi
good predict no $tables
expect_err 'on 900 labelled nodes'

# Other data are trained without, and the option is an error for a model that sees no neighbours.
good train $tiny --epochs 5 --json plain.json -q
expect_equal "$(json_config plain.json label-input)" auto
if grep -q '"choice"' plain.json; then fail 'there was nothing to choose'; fi
run train $tiny --model mlp --label-input yes
expect_status 2
expect_err "the model mlp has no option 'label-input'"

# Nothing leaks: random labels stay at chance.
for model in gprgnn gcn sage; do
    good train --edges edges.csv --nodes random.csv --label fraud $common --model $model --label-input yes \
        --json random.json -q
    for part in val test; do
        awk -v accuracy="$(json random.json ${part}_accuracy)" 'BEGIN { exit !(accuracy > 34 && accuracy < 66) }' ||
            fail "$model: $part accuracy of random labels is $(json random.json ${part}_accuracy)"
    done
done

# Commands that read such a run.
good inspect run $tables
good verify run
