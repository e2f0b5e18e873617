# The page of a run, and gprgnn report.
source "$(dirname "$0")/lib.bash"

good train $tiny --epochs 12 --K 3 --runs 2 --out run
expect_out 'report    run/report.html  (open it in a browser)'
good train $tiny --epochs 3 --out quiet -q
expect_out_lacks report.html
good train $tiny --epochs 3 --out quiet --json -
expect_out_lacks '(open it in a browser)'

good report run
expect_equal "$(cat "$scratch/seen/out")" run/report.html 'where the page is'
good report run --svg figures --json page.json
expect_out 'run/report.html: 10 figures in figures'
expect_json page.json
grep -qF '"kind":"run"' page.json || fail 'the kind of the page is wrong'
expect_equal "$(ls figures | paste -sd' ')" \
    'accuracy-by-degree.svg accuracy-by-homophily.svg accuracy.svg confusion.svg '\
'gamma-dynamics.svg gamma-history.svg gamma.svg loss.svg response.svg spectrum.svg'
good report run/report.html --json - -q
expect_same "$scratch/seen/out" page.json

# The page says how to repeat the training, with all that is not the default.
grep -qF 'gprgnn train csbm:phi=-0.5,n=300,f=20 --K 3 --epochs 12 --runs 2' page.json || fail 'the command is wrong'
grep -qF "$(json run/result.json fingerprint)" page.json || fail 'the fingerprint is missing'

# A model without a filter has no figures of one; a stopped or partial one says so elsewhere.
good train $tiny --model mlp --epochs 3 --out mlp -q
good report mlp --svg other -q
expect_silent_out
[ ! -e other/gamma.svg ] || fail 'an MLP has no filter'
[ -e other/loss.svg ] || fail 'the figures are missing'

# The kind of the filter is that of its response, as inspect has it; the signs do not tell.
says() { grep -qF "$1" "$2/report.html" || fail "the page of $2 does not say: $1"; }
still="--epochs 1 --lr 1e-9 -q"
good train $tiny $still --K 1 --init 1,-0.1 --out high
says 'The weights alternate in sign. A high-pass filter' high
good inspect high
expect_out 'filter    high-pass'
good train $tiny $still --K 1 --init 0.1,-1 --out both
says 'The weights alternate in sign. Judged on the whole interval' both
says 'neither low-pass nor high-pass: |g(λ)| \u003c |g(1)| for 90.0 %' both
good inspect both
expect_out 'neither low-pass nor high-pass'
good train $tiny $still --K 2 --init=-0.1,-1,-1 --out low
says 'All weights have one sign. A low-pass filter' low
good inspect low
expect_out 'filter    low-pass'

# Which split the runs have.
says 'The runs differ in their splits' run
good train $tiny --epochs 3 --split run/split.npz --runs 2 --out same -q
says 'All runs have the same split' same
says 'The split of all runs.' same
says 'it has the lowest validation loss' same

# Without validation nodes the last epoch decides, and what is not known is a dash.
good train $tiny --epochs 3 --split 60/0/40 --runs 2 --out blind -q
says 'the weights of the last epoch are kept' blind
says 'the last one: there are no validation nodes' blind
says 'without validation nodes it is the first one' blind
good report blind --json blind.json -q
grep -qiE '"-?nan"|lowest validation' blind.json && fail 'the page tells of validation nodes'
grep -qF '"–","–"' blind.json || fail 'there is no dash for what is not known'

# refused STATUS PART ARGUMENTS...
refused() {
    run "${@:3}"
    expect_status "$1"
    expect_err "$2"
    expect_silent_out
}
refused 1 'has no report.html' report figures
refused 2 'No such file' report nowhere
refused 1 'is no page of gprgnn' report run/result.json
refused 2 'usage' report
: >file
refused 1 'file' report run --svg file
