# gprgnn train --json: every result as JSON.
source "$(dirname "$0")/lib.bash"

good train $tiny --epochs 30 --K 4 --json one.json
expect_json one.json
for key in model dataset seed runs epochs best_epoch train_accuracy val_accuracy test_accuracy ci95 sd \
    ms_per_epoch seconds peak_memory_bytes threads gamma gamma_initial initial_accuracy train_loss val_loss split \
    config version stopped per_run; do
    grep -q "^  \"$key\": " one.json || fail "the JSON lacks $key"
done
for key in seed epochs best_epoch train_accuracy val_accuracy test_accuracy initial_accuracy val_loss \
    ms_per_epoch seconds gamma split_hash; do
    grep -q "^      \"$key\": " one.json || fail "per_run lacks $key"
done
expect_equal "$(json one.json model)" gprgnn
expect_equal "$(json one.json runs)" 1
expect_equal "$(json one.json seed)" 1
expect_equal "$(json one.json epochs)" 30
expect_equal "$(json one.json ci95)" 0.0
expect_equal "$(json one.json ci95_normal)" null
expect_equal "$(json one.json ci95_bootstrap)" null
expect_equal "$(json one.json stopped)" false
expect_equal "$(json_config one.json epochs)" 30
expect_equal "$(json_config one.json lr)" 0.01
expect_equal "$(json_config one.json split)" 60/20/20
expect_equal "$(sed -n '/^  "gamma": \[/,/^  \]/p' one.json | grep -cE '^    -?[0-9.e-]+,?$')" 5 'weights in gamma'
expect_equal "$(sed -n '/^  "gamma_initial": \[/,/^  \]/p' one.json | sed -n 2p)" '    0.1,' 'the first initial weight'
awk -v best="$(json one.json best_epoch)" 'BEGIN { exit !(best >= 1 && best <= 30) }' ||
    fail 'best_epoch is out of bounds'

# JSON on standard output is the same, except for times.
good train $tiny --epochs 30 --K 4 --json -
same_but_times() {
    grep -vE '"(ms_per_epoch|seconds|peak_memory_bytes)"' "$1" >"$scratch/seen/a"
    grep -vE '"(ms_per_epoch|seconds|peak_memory_bytes)"' "$2" >"$scratch/seen/b"
    expect_same "$scratch/seen/a" "$scratch/seen/b"
}
same_but_times one.json "$scratch/seen/out"

# Several runs: means, and the half width of the interval, t sd / sqrt(n).
check_mean() { # RUNS T
    good train csbm:n=200,f=10,phi=0.3 --epochs 8 --runs "$1" --json many.json -q
    expect_json many.json
    expect_equal "$(json many.json runs)" "$1"
    sed -n 's/^      "test_accuracy": \([0-9.]*\),$/\1/p' many.json >"$scratch/seen/values"
    expect_equal "$(wc -l <"$scratch/seen/values")" "$1" 'the number of single runs'
    awk -v t="$2" -v mean="$(json many.json test_accuracy)" -v sd="$(json many.json sd)" \
        -v ci="$(json many.json ci95)" '
        function near(a, b) { return (a - b) ^ 2 <= (1e-3 * (1 + b)) ^ 2 }
        { sum += $1; squares += $1 * $1 }
        END {
            m = sum / NR; s = sqrt((squares - NR * m * m) / (NR - 1))
            exit !(s > 0 && near(mean, m) && near(sd, s) && near(ci, t * s / sqrt(NR)))
        }' "$scratch/seen/values" || fail "mean, sd or ci95 of $1 runs is wrong"
}
check_mean 2 12.7062
check_mean 5 2.77645
check_mean 40 2.02269 # beyond the table of 30 degrees of freedom
seeds=$(sed -n 's/^      "seed": \([0-9]*\),$/\1/p' many.json | paste -sd' ')
expect_equal "$seeds" "$(seq -s' ' 1 40)" 'the seeds of the runs'

# A part without nodes has no accuracy: null, not NaN.
good train $tiny --epochs 3 --split 50/50/0 --json empty.json -q
expect_json empty.json
expect_equal "$(json empty.json test_accuracy)" null

# A symbolic link stays a link; a device is written to, not replaced.
echo old >real.json
ln -s real.json link.json
good train $tiny --epochs 2 --json link.json -q
[ -L link.json ] || fail 'the link was replaced'
expect_json real.json
good train $tiny --epochs 2 --json /dev/null -q
[ -c /dev/null ] || fail '/dev/null was replaced'

# The other intervals of several runs: 1.96 standard errors around the mean; the bootstrap is between the runs.
good train $tiny --epochs 20 --runs 8 --json several.json
bounds() { sed -n "/^  \"$1\": \[/,/^  \]/p" several.json | grep -oE '[0-9.]+,?$' | tr -d ',' | tr '\n' ' '; }
awk -v mean="$(json several.json test_accuracy)" -v sd="$(json several.json sd)" -v normal="$(bounds ci95_normal)" \
    -v drawn="$(bounds ci95_bootstrap)" 'BEGIN {
        split(normal, n, " "); split(drawn, b, " "); width = 1.959964 * sd / sqrt(8)
        near = n[1] - (mean - width) < 1e-4 && (mean - width) - n[1] < 1e-4 && n[2] - (mean + width) < 1e-4 &&
               (mean + width) - n[2] < 1e-4
        exit !(sd > 0 && near && b[1] < mean && mean < b[2] && b[2] - b[1] < 2.2 * width && b[2] - b[1] > width)
    }' || fail 'the intervals are not those of the runs'
