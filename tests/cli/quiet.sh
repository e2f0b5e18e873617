# Warnings with --quiet: those that only say what an option of the call has done are gone, those about the data stay.
source "$(dirname "$0")/lib.bash"

awk 'BEGIN { print "id,x,y,kind"
    for (i = 0; i < 60; i++) printf "%d,%g,%g,%s\n", i, i % 2 + i / 60, i % 7,
        i < 3 ? "c" : i % 2 ? "a" : "b" }' >nodes.csv
awk 'BEGIN { print "from,to"; for (i = 0; i < 60; i++) printf "%d,%d\n", i, (i + 2) % 60 }' >edges.csv
printf '0,2\n5,99\n' >>edges.csv # an edge again; an id that is not known
data=(--edges edges.csv --nodes nodes.csv --label kind --epochs 3 --baselines no)

echo 'split = dense' >dense.conf

# says LINES PART ARGUMENTS...: with -q standard error has so many lines; without it, one of them has PART.
says() {
    local count=$1 part=$2
    shift 2
    good train "${data[@]}" "$@"
    expect_err "warning: $part"
    good train "${data[@]}" "$@" -q
    expect_equal "$(wc -l <"$scratch/seen/err")" "$count" "the lines with -q"
    if [ "$count" -gt 0 ]; then expect_err ': 1 edge was given more than once and merged'; fi
}
says 1 '1 edge was left out' --unknown skip
says 0 'work: 1 edge was given more than once and merged' --unknown skip --duplicates max
says 0 'split: class c has no node in validation, test' --unknown skip --duplicates max --split dense
says 0 'split: class c has no node in validation, test' --unknown skip --duplicates max --config dense.conf

# The report has the warning all the same.
good train "${data[@]}" --unknown skip --duplicates max --out loud
good train "${data[@]}" --unknown skip --duplicates max --out silent -q
for run in loud silent; do
    grep -q '1 edge was given more than once and merged' $run/report.html || fail "the report of $run lacks a warning"
done

# What is wrong with the data, or with the meaning of a result, is said in any case.
sed -i '/,99$/d' edges.csv
awk -F, -v OFS=, 'NR > 1 { $4 = NR > 21 ? "" : NR % 2 ? "a" : "b" } 1' nodes.csv >few.csv
good train --edges edges.csv --nodes few.csv --label kind --epochs 3 --duplicates max -q
expect_err '40 of 60 nodes have no label'
awk -F, 'NR > 1 { print $1 "," (NR % 5 < 3 ? "train" : NR % 5 == 3 ? "val" : "test") }' nodes.csv >parts.csv
good train "${data[@]}" --duplicates max --split parts.csv --runs 2 -q
expect_err 'split: all 2 runs have the same split'
