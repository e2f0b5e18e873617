# The summary that gprgnn train prints.
source "$(dirname "$0")/lib.bash"

good train $tiny --epochs 20 --K 4
expect_no_files
for part in '300 nodes' '20 features' '2 classes' homophily 'train ' 'val ' 'test ' 'K=4' 'epochs=20' 'lr=0.01' \
    'test accuracy' 'val accuracy' 'train accuracy' 'best epoch' 'ms per epoch' 'peak memory' 'filter '; do
    expect_out "$part"
done
expect_equal "$(grep -cE '^  k [0-4] +-?[0-9.]+ +[#|]' "$scratch/seen/out")" 5 'rows of the chart'
expect_out_lacks '±'
expect_silent_err # no terminal, no progress bar

# In a UTF-8 locale the chart has blocks.
if locale -a 2>/dev/null | grep -qi '^C.utf-\{0,1\}8$'; then
    LC_ALL=C.UTF-8 run train $tiny --epochs 20 --K 4 --runs 2
    expect_status 0
    expect_out '█'
    expect_out '±'
fi

# Several runs: mean, confidence interval, standard deviation.
good train $tiny --epochs 20 --runs 3
expect_out '(mean and 95 % CI of 3 runs, sd '
expect_out '+/-'

# --quiet: only the results. With JSON on standard output nothing else is there; --verbose prints the summary on
# standard error.
good train $tiny --epochs 5 -q
expect_out 'test accuracy'
expect_out_lacks 'settings'
good train $tiny --epochs 40 --json -
expect_out_lacks 'settings '
expect_silent_err
good train $tiny --epochs 5 --json - --verbose
expect_err 'settings '
expect_json "$scratch/seen/out"

# The signs of the weights. With this tiny learning rate the initial weights remain.
still="--epochs 1 --lr 1e-9 --K 3"
good train $tiny $still --init 0.4,0.3,0.2,0.1
expect_out 'all weights have one sign'
good train $tiny $still --init=-0.4,-0.3,-0.2,-0.1
expect_out 'all weights have one sign'
good train $tiny $still --init 0.4,-0.3,0.2,-0.1
expect_out 'the weights alternate in sign'
expect_out_lacks '-pass' # 0.1,-1 alternates too, and is low-pass on many graphs
good train $tiny $still --init 0.4,0.3,-0.2,-0.1
expect_out 'mixed signs'
good train $tiny $still --init delta:0
expect_out 'the graph is not used'

# Many classes and hops do not fill the terminal.
good train $tiny --epochs 1 --K 100
[ "$(wc -l <"$scratch/seen/out")" -lt 70 ] || fail 'the summary is long'

# A value that begins with a dash, --word=value, underscores, and the end of options.
good train --alpha -0.9 --init nppr --epochs=5 --weight_decay 0 -- $tiny
expect_out 'alpha=-0.9'
grep -qE 'weight-decay=0( |$)' "$scratch/seen/out" || fail 'the summary lacks the weight decay'

# A pipe that closes early is an error, not a crash.
set +o pipefail
called='gprgnn info | true'
{
    status=0
    "$GPRGNN" info $tiny 2>"$scratch/seen/err" || status=$?
    echo $status >"$scratch/seen/status"
} | true
[ "$(cat "$scratch/seen/status")" -le 1 ] || fail "the exit status is $(cat "$scratch/seen/status")"
set -o pipefail

# What is not printed is not measured.
good train $tiny --epochs 2 -v
expect_err 'its measures are taken'
for silent in '-q -v' '--json - -q -v' '--json result.json -q -v'; do
    good train $tiny --epochs 2 $silent
    grep -q 'measures' "$scratch/seen/err" && fail "train $silent measures the data"
    rm -f result.json
done
