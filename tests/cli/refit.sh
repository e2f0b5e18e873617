# Tables with nodes to predict are trained once more, on all labelled nodes: what is then said about accuracy.
source "$(dirname "$0")/lib.bash"

# Neighbours are mostly alike; every sixth node is to be predicted.
awk 'BEGIN {
    srand(7); n = 300
    print "source,target" >"e.csv"; print "id,a,b,kind" >"some.csv"; print "id,a,b,kind" >"full.csv"
    for (i = 0; i < n; i++) {
        row = sprintf("c%d,%.4f,%.4f", i, rand(), rand()); kind = i % 2 ? "odd" : "even"
        print row "," (i % 6 ? kind : "") >"some.csv"; print row "," kind >"full.csv"
        for (k = 0; k < 3; k++) printf "c%d,c%d\n", i, (2 * int(rand() * n / 2) + i % 2) % n >"e.csv"
    }
}'
some="--edges e.csv --nodes some.csv --label kind" full="--edges e.csv --nodes full.csv --label kind"
quick="--epochs 30 --hidden 8 --K 3"
said='no accuracy: the model was trained once more on all 250 labelled nodes of this data (--refit)'

good train $some $quick --out some --json some.json
expect_words 'on all 250 labelled nodes'
good train $full $quick --out full --json full.json
expect_out_lacks 'trained once more'
expect_equal "$(json full.json refit)" null

# In the run folder the nodes with a label have the predictions that the figures are of.
read -r right tested < \
    <(awk -F, '$NF == "test" { n++; right += $2 == $(NF - 1) } END { print right, n }' some/predictions.csv)
awk -v a="$(json some.json test_accuracy)" -v r="$right" -v n="$tested" \
    'BEGIN { exit !(n == 50 && a - 100 * r / n < 1e-6 && 100 * r / n - a < 1e-6) }' ||
    fail "predictions.csv: $right of $tested test nodes are right, and the accuracy is $(json some.json test_accuracy)"
good train $some $quick --refit no --out once -q
for part in train val test; do
    for run in some once; do awk -F, -v p=$part '$NF == p' $run/predictions.csv >$run.$part; done
    expect_same some.$part once.$part
done

# On the data of the training no figure could be honest, whatever the model uses.
good train $some $quick --label-input no --label-counts no --smooth no --out plain -q
good train $some $quick --label-input no --label-counts yes --smooth no --out counts -q
for run in some plain counts; do
    good predict $run $some
    expect_err "$said"
    if grep -qE 'accuracy [0-9]|test [0-9]' "$scratch/seen/err"; then fail "$run: an accuracy of a refitted model"; fi
    good predict $run $some --json -
    expect_json "$scratch/seen/out"
    expect_equal "$(json "$scratch/seen/out" refit_nodes)" 250
    for what in accuracy parts metrics; do expect_equal "$(json "$scratch/seen/out" $what)" null "$what of $run"; done
    good predict $run $some -q
    expect_silent_err
done

# The model that was judged has its figures; so has a refitted one on other data, as far as it did not get their labels.
good train $some $quick --label-input no --label-counts no --smooth no --refit no --out judged -q
good predict judged $some
expect_err 'accuracy '
expect_err ', test '
good predict judged $some --json -
expect_equal "$(json "$scratch/seen/out" refit_nodes)" 0
good predict plain $full
expect_err 'accuracy '
good predict full $full
if grep -q 'trained once more' "$scratch/seen/err"; then fail 'a model that was not refitted'; fi

# Importance of columns is measured on test nodes, which such a model has seen.
warning='the model was trained once more on all 250 labelled nodes, the test nodes among them (--refit)'
good explain plain $some --importance --repeats 2
expect_err "$warning"
good explain plain $some --importance --repeats 2 -q
expect_silent_err
good explain judged $some --importance --repeats 2
if grep -q 'once more' "$scratch/seen/err"; then fail 'the model was not refitted'; fi
