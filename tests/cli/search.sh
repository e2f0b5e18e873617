# Searches: what is tried and chosen, the files, going on after a stop, and wrong calls.
source "$(dirname "$0")/lib.bash"

quick="--epochs 15 --hidden 8 --K 2"
runs_of() { wc -l <"$1/runs.jsonl"; }
expect_same_search() {
    for file in search.json search.csv preset.conf; do expect_same "$1/$file" "$2/$file"; done
}

# ---- The outcome is a preset: training with it gives the runs of the search.
good search $tiny $quick --out one --runs 4 --json all.json --grid 'lr=0.002,0.05 init=ppr,random,delta:K alpha=0.1,0.9'
expect_out '8 settings, chosen by val_accuracy'
expect_out 'test was looked at after the choice'
expect_out 'train     gprgnn train csbm:n=300,f=20,phi=-0.5,seed=3 --preset one/preset.conf --runs 4'
expect_err 'search: 8 settings of 1 model, 22 runs, ' # before it begins
expect_err ' at a time: about '
good search $tiny $quick --out silent --runs 4 --grid 'lr=0.002,0.05 init=ppr,random,delta:K alpha=0.1,0.9' -q
expect_silent_err
expect_same_search silent one # what was timed leaves nothing behind
good search $tiny $quick --out silent --runs 5 --grid 'lr=0.002,0.05 init=ppr,random,delta:K alpha=0.1,0.9'
expect_err 'search: 8 settings of 1 model, 25 runs, 22 of them are kept, '
# At most, that is more than a minute on any machine.
good search $tiny --hidden 128 --epochs 1000000 --patience 5 --runs 20 --grid 'lr=0.05'
expect_err ' if they stop early, at most '
rm -r silent
expect_err 'search: to take less time: fewer --model, a smaller --grid, --draws N, --runs N, --epochs N'
good search $tiny $quick --split 60/40/0 --runs 2 --grid 'lr=0.05' # no test nodes
expect_out ' test -  lr=0.05'
expect_out_lacks nan
expect_same all.json one/search.json
expect_json all.json
expect_equal "$(wc -l <one/search.csv)" 9 'the lines of search.csv'
# 8 settings with 2 runs, then 3 of them with 4
expect_equal "$(runs_of one)" 22 'the runs'
for word in 'model = gprgnn' 'split = 60/20/20' 'epochs = 15' 'K = 2' '# dataset: csbm' '# fingerprint: ' \
    '# chosen by: val_accuracy'; do
    grep -q "^$word" one/preset.conf || fail "the preset lacks: $word"
done
good train $tiny --preset one/preset.conf --runs 4 --json train.json -q
if command -v python3 >/dev/null; then
    python3 - <<'END' || fail 'the choice is not the best of the validation nodes, or is not what was trained'
import json
found, trained = json.load(open("one/search.json")), json.load(open("train.json"))
best, tried = found["best"], found["tried"]
assert best["test_accuracy"]["mean"] == trained["test_accuracy"], (best, trained["test_accuracy"])
assert best["val_accuracy"]["mean"] == trained["val_accuracy"]
assert [one for one in tried if "test_accuracy" in one] == [best] == tried[:1]
assert sum("init" in one["settings"] and "alpha" in one["settings"] for one in tried) == 4  # ppr alone has an alpha
assert sorted(one["settings"]["init"] for one in tried) == ["delta:2"] * 2 + ["ppr"] * 4 + ["random"] * 2
# by hand, from the kept runs
runs = {}
for line in open("one/runs.jsonl"):
    run = json.loads(line)
    runs.setdefault(run["key"], {})[run["seed"]] = run
def mean(key, what, count):
    return sum(runs[key][seed][what] for seed in range(1, count + 1)) / count
def order(key, count):
    return -mean(key, "val_accuracy", count), mean(key, "val_loss", count)
first = sorted(runs, key=lambda key: order(key, 2))
assert sorted(key for key in runs if len(runs[key]) == 4) == sorted(first[:3]), first
assert min(first[:3], key=lambda key: order(key, 4)) == best["key"]
END
fi

# ---- The same command again trains nothing, and writes the same. Any number of jobs and threads gives the same.
cp -r one before
good search $tiny $quick --out one --runs 4 -q --grid 'lr=0.002,0.05 init=ppr,random,delta:K alpha=0.1,0.9'
diff -r one before >/dev/null || fail 'the second search changed something'
for jobs in 1 3; do
    good search $tiny $quick --out "jobs$jobs" --runs 4 -q --jobs $jobs --threads 2 \
        --grid 'lr=0.002,0.05 init=ppr,random,delta:K alpha=0.1,0.9'
    expect_same_search one jobs$jobs
done
# A grid in a file, and runs of another search in the folder.
printf '# a grid\nlr = 0.002, 0.05\n\ninit = ppr, random, delta:K # filters\nalpha = 0.1,0.9\n' >grid.txt
mkdir other
good search $tiny --epochs 3 --model mlp --out other --runs 2 --grid 'lr=0.1' -q
good search $tiny $quick --out other --runs 4 -q --grid grid.txt
expect_equal "$(runs_of other)" 24 'the runs'
sed 's/"grid": .*/"grid"/' one/search.json >"$scratch/seen/a"
sed 's/"grid": .*/"grid"/' other/search.json >"$scratch/seen/b"
expect_same "$scratch/seen/a" "$scratch/seen/b"
# More runs take those that are there.
good search $tiny $quick --out one --runs 4 --no-halving -q --grid grid.txt
expect_equal "$(runs_of one)" 32 'the runs'
rm -rf other before jobs1 jobs3 all.json train.json

# ---- Several models: each gets the options that it has, and a preset.
good search $tiny $quick --model mlp,sgc --model gprgnn --grid 'dropout=0,0.5 dprate=0,0.5' --runs 2 --out many
expect_out '7 settings'
for model in mlp sgc gprgnn; do
    grep -q "^model = $model\$" many/preset-$model.conf || fail "the preset of $model is wrong"
    good train $tiny --preset many/preset-$model.conf --epochs 2 -q
done
best=$(sed -n 's/^model = //p' many/preset.conf)
expect_same many/preset.conf "many/preset-$best.conf"
bad_preset() {
    run train $tiny "$@"
    expect_status 1
}
other=mlp
[ "$best" != mlp ] || other=sgc
bad_preset --preset many/preset.conf --model $other
expect_err "many/preset.conf is a preset for the model $best, and --model is $other: give one of them"
# A later search in the same folder takes away the presets that are not its own, and no file of somebody else.
echo 'lr = 3' >many/preset-cheby.conf
cp many/preset-sgc.conf many/preset-mine.conf
good search $tiny --epochs 5 --model mlp,gcn --grid 'lr=0.1' --runs 2 --out many -q
expect_equal "$(cd many && echo preset*)" \
    'preset-cheby.conf preset-gcn.conf preset-mine.conf preset-mlp.conf preset.conf' 'the presets'
good search $tiny --epochs 5 --model gcn --grid 'lr=0.1' --runs 2 --out many -q
expect_equal "$(cd many && echo preset*)" 'preset-cheby.conf preset-mine.conf preset.conf' 'the presets'
expect_equal "$(cat many/preset-cheby.conf)" 'lr = 3' 'the content of preset-cheby.conf'
rm -rf many

# ---- What auto tries, with a budget: told before and after; a search that was killed comes to the same.
auto="search $tiny --model auto --candidates gprgnn,gprgnn-sharp,gprdeep --epochs 30 --patience 10 --runs 4"
good $auto --budget 2s --out spent
expect_err 'budget 2s: '
expect_err ' more are left, and --budget '
expect_err ' of work were spent on '
expect_out 'gprgnn-sharp'
python3 - spent/search.json <<'END' || fail 'the budget is not what the JSON says'
import json, sys
found = json.load(open(sys.argv[1]))
assert found["budget"] == 2 and 0 < found["planned_seconds"] <= 2 < found["seconds_of_all"], found
assert found["left_out"] > 0 and found["grid"] == "auto"
assert {one["candidate"] for one in found["tried"]} == {"gprgnn", "gprgnn-sharp", "gprdeep"}
assert any(one["runs"] == 4 for one in found["tried"]) and any(one["runs"] < 4 for one in found["tried"])
END
for candidate in gprgnn gprgnn-sharp gprdeep; do
    good train $tiny --preset spent/preset-$candidate.conf --epochs 2 -q
done
cp -r spent killed
rm killed/search.json killed/search.csv killed/preset*
head -n 9 spent/runs.jsonl >killed/runs.jsonl # as after a kill
good $auto --budget 2s --out killed -q
expect_same_search spent killed
before=$(runs_of spent)
good $auto --budget 3s --out spent -q # more of the same: what is there counts
[ "$(runs_of spent)" -gt "$before" ] || fail 'a larger budget tried no more'
rm -rf spent killed
run search $tiny --budget soon
expect_status 2
expect_err "budget is 'soon': it must be a time"

# The small grid over several models, and nothing that is kept.
mkdir none
cd none
good search $tiny $quick --runs 2 --json -
expect_json "$scratch/seen/out"
for model in gprgnn mlp gcn sage; do expect_out "\"model\": \"$model\""; done
good search $tiny --epochs 5 --model sgc --runs 2 --split sparse --lr 0.02
expect_out "train     gprgnn train csbm:n=300,f=20,phi=-0.5,seed=3 --model sgc --lr 0.02 --"
expect_no_files
cd ..

# ---- One run has no interval.
good search $tiny $quick --runs 1 --grid lr=0.01,0.1 --out single
expect_out_lacks '±'
expect_out_lacks '+-'
grep -qE '^best      gprgnn  val [0-9.]+ %  test [0-9.]+ %  lr=' "$scratch/seen/out" ||
    fail 'the best is not as expected'
expect_equal "$(grep -c '"ci95": null' single/search.json)" 8 'the intervals that are null'
expect_equal "$(grep -c '"ci95"' single/search.json)" 8 'the intervals'
expect_equal "$(tail -n +2 single/search.csv | cut -d, -f7,9 | sort -u)" , 'the intervals of search.csv'
grep -qE '^# val_accuracy: [0-9.]+ % in one run$' single/preset.conf || fail 'the preset has an interval'
rm -rf single

# ---- Draws: within the bounds, the same for a seed, and the first of more.
good search $tiny --epochs 3 --runs 1 --draws 4 --grid 'lr=0.001..0.1 dropout=0..0.8 hidden=4..9 init=ppr,random' \
    --out d4
good search $tiny --epochs 3 --runs 1 --draws 9 --grid 'lr=0.001..0.1 dropout=0..0.8 hidden=4..9 init=ppr,random' \
    --out d9
cut -d, -f3 d4/search.csv | tail -n +2 | sort >"$scratch/seen/four"
cut -d, -f3 d9/search.csv | tail -n +2 | sort >"$scratch/seen/nine"
expect_equal "$(wc -l <"$scratch/seen/nine")" 9 'the settings drawn'
expect_equal "$(comm -12 "$scratch/seen/four" "$scratch/seen/nine" | wc -l)" 4 'the settings drawn both times'
sed 's/[a-z]*=//g' "$scratch/seen/nine" | awk '{ if ($1 < 4 || $1 > 9 || $1 != int($1) || $3 < 0 || $3 > 0.8 ||
    $4 < 0.001 || $4 > 0.1) exit 1 }' || fail 'a draw is out of its bounds'
good search $tiny --epochs 3 --runs 1 --draws 4 --seed 2 --grid 'lr=0.001..0.1' --out d2
if [ "$(sed -n 2p d2/search.csv | cut -d, -f3)" = "$(sed -n 2p d4/search.csv | cut -d, -f3)" ]; then
    fail 'the seed plays no part'; fi
rm -rf d2 d4 d9

# ---- Without test nodes there is no test accuracy.
good search $tiny --epochs 3 --runs 2 --grid 'lr=0.01,0.02' --split 50/50/0
expect_out 'test -  lr='
expect_out_lacks nan

# ---- A kept run whose key does not fit its settings was changed: it does not count as a run of the key.
good search $tiny --epochs 3 --runs 2 --grid 'lr=0.01,0.02' --out changed
sed -i '2s/"lr":"[^"]*"/"lr":"0.7"/' changed/runs.jsonl
run search $tiny --epochs 3 --runs 2 --grid 'lr=0.01,0.02' --out changed
expect_status 1
expect_err 'changed/runs.jsonl:2: the key of this run does not fit its settings or its data: the line was changed; '\
'remove'
sed -i 2d changed/runs.jsonl
good search $tiny --epochs 3 --runs 2 --grid 'lr=0.01,0.02' --out changed
expect_equal "$(runs_of changed)" 4 'the runs'
rm -rf changed

# ---- Trainings that diverge count as worst, and are not repeated.
huge='--K 1 --epochs 50 --lr 100 --runs 2'
good search $tiny $huge --grid 'init=3e38,3e38;random' --out bad
expect_out '(2 diverged)'
expect_equal "$(sed -n 2p bad/search.csv | cut -d, -f3)" init=random 'the best'
cp bad/runs.jsonl before
good search $tiny $huge --grid 'init=3e38,3e38;random' --out bad -q
expect_same bad/runs.jsonl before
run search $tiny $huge --grid 'init=3e38,3e38;2e38,3e38' --out bad
expect_status 1
expect_err 'the trainings of all 2 settings diverged: try smaller values of --lr'
good search $tiny $huge --model gprgnn,mlp --init 3e38,3e38 --grid 'hidden=4,8'
expect_err 'warning: all trainings of gprgnn diverged: it is left out'
rm -rf bad before

# ---- Ctrl-C keeps the finished runs; the same command goes on.
long="--epochs 400 --stopping none --runs 6 --grid lr=0.001,0.01,0.1 --threads 1 --model mlp"
good search $tiny $long --out whole -q
env --default-signal=INT "$GPRGNN" search $tiny $long --out part >"$scratch/seen/out" 2>"$scratch/seen/err" </dev/null &
background=$!
called='gprgnn search (in the background)'
for _ in $(seq 600); do
    if [ -s part/runs.jsonl ]; then break; fi
    sleep 0.02
done
kill -INT "$background"
finish
if [ "$status" -ne 0 ]; then # else it was too quick
    expect_status 1
    expect_err 'gprgnn: interrupted; '
    expect_err 'of 18 runs are kept in part/runs.jsonl: the same command goes on'
    [ ! -e part/search.json ] || fail 'there is a result of an interrupted search'
fi
good search $tiny $long --out part -q
expect_same_search whole part
expect_equal "$(runs_of part)" 18 'the runs'

# ---- The progress bar, on a terminal only.
if command -v script >/dev/null; then
    script -qec "$(printf '%q ' \
        "$GPRGNN") search $tiny --epochs 3000 --stopping none --runs 2 --threads 1 --grid hidden=4,5" \
        /dev/null >"$scratch/seen/out" </dev/null
    tr '\r' '\n' <"$scratch/seen/out" >"$scratch/seen/lines"
    grep -qE '^run [0-3]/4 \[#*\.*\] +[0-9]+ %  gprgnn hidden=[45]  ETA ([0-9:]+|\?)' "$scratch/seen/lines" ||
        fail 'there is no progress bar'
    awk '/^run / && length > 80 { exit 1 }' "$scratch/seen/lines" || fail 'the bar is wider than the terminal'
else
    skip_part 'there is no script (Debian: bsdutils), for a terminal'
fi

# ---- Files that are not of a search stay as they are.
for file in search.json search.csv preset.conf; do
    mkdir -p foreign
    echo 'lr = 5' >foreign/$file
    run search $tiny $quick --runs 1 --grid lr=0.1 --out foreign
    expect_status 1
    expect_err "foreign/$file is there already, and was not written by a search: it stays as it is"
    expect_equal "$(cat foreign/$file)" 'lr = 5' "the content of $file"
    expect_equal "$(ls -A foreign)" $file 'the files'
    rm -rf foreign
done
# Two searches in one folder, and a disk that is full.
(
    ulimit -f 1
    exec "$GPRGNN" search $tiny $quick --runs 9 --grid lr=0.1,0.2 --out full 2>&1 >/dev/null
) | cat >"$scratch/seen/err" && fail 'a full disk is not noticed'
expect_err 'cannot write full/runs.jsonl: File too large'
if [ -s full/runs.jsonl ]; then
    expect_equal "$(tail -c 1 full/runs.jsonl | od -An -c | tr -d ' ')" '\n' 'the end of the file'
fi
if command -v flock >/dev/null; then
    flock full/runs.jsonl "$GPRGNN" search $tiny $quick --runs 9 --grid lr=0.1,0.2 --out full 2>"$scratch/seen/err" &&
        fail 'two searches add to one file'
    expect_err 'full/runs.jsonl is in use: another process adds runs to it'
fi
rm -rf full part whole one grid.txt

# ---- Wrong calls, before any work.
rm -rf none
bad 2 "grid: unknown option 'lrr': did you mean 'lr'?" search $tiny --grid lrr=1
bad 2 'grid: lr is -1: it must be in (0, 1000]' search $tiny --grid 'lr=0.1,-1'
bad 2 'grid: --lr has an empty value' search $tiny --grid 'lr='
bad 2 'the grid is empty' search $tiny --grid ''
bad 2 "grid: '0.2' has no values: write word=a,b,c" search $tiny --grid 'lr=0.1 0.2'
bad 2 "grid: 'lr' comes twice" search $tiny --grid 'lr=0.1 lr=0.2'
bad 2 "grid 'papper' is not known: did you mean 'paper'?" search $tiny --grid papper
bad 2 'grid: lr is 0.1..0.2: with a range, give --draws' search $tiny --grid lr=0.1..0.2
bad 2 'grid: lr is 0.2..0.1: the smaller bound comes first' search $tiny --grid lr=0.2..0.1 --draws 2
bad 2 'grid: weight-decay is 0..0.1: it is drawn on a log scale' search $tiny --grid weight-decay=0..0.1 --draws 2
bad 2 'grid: dropout is 1: it must be in [0, 1)' search $tiny --grid dropout=0..1 --draws 2
bad 2 "grid: the model of the search has no option 'init': it is for gprgnn" search $tiny --model mlp --grid init=ppr
bad 2 "none of the models of the search has the option 'init'" search $tiny --model mlp,gcn --init ppr
bad 2 '--lr is fixed, and it is in the grid' search $tiny --lr 0.1 --grid lr=0.1,0.2
bad 2 "'split' is no word of a grid" search $tiny --grid split=dense,sparse
bad 2 "'seed' is no word of a grid" search $tiny --grid seed=1,2
bad 2 'give the models with --model' search $tiny --grid model=gcn,mlp
bad 2 "init: 'foo' is not known" search $tiny --grid init=ppr,foo
bad 2 "init 'delta:12': the place must be" search $tiny --grid init=delta:12
bad 2 "model 'mpl' is not known: did you mean 'mlp'?" search $tiny --model gcn,mpl
good search $tiny --model mlp --grid lr=0.01 --runs 1 --epochs 3 --metric roc_auc --json by.json --out by_auc -q
expect_equal "$(json by.json metric)" 'roc_auc' 'the metric of a search'
good search $tiny --model mlp --grid lr=0.01 --runs 1 --epochs 3 --metric auc --out by_auc -q # another word for it
rm -r by.json by_auc
# A class of one in ten: who never finds it has a high accuracy. The metric is that of a training's choice.
awk 'BEGIN { srand(3); print "id,size,kind"
    for (i = 0; i < 300; i++) print i "," rand() + (i % 10 == 0) "," (i % 10 ? "usual" : "rare") }' >rare.csv
awk 'BEGIN { srand(4); print "source,target"
    for (i = 0; i < 900; i++) print int(300 * rand()) "," int(300 * rand()) }' >links.csv
rare='--edges links.csv --nodes rare.csv --label kind --model mlp --grid lr=0.01,0.1 --runs 1 --epochs 9'
good search $rare --json by.json --out by_rare
expect_out '2 settings, chosen by average_precision'
grep -q '^metric = average_precision$' by_rare/preset.conf || fail 'a training would not choose as the search did'
expect_equal "$(json by.json metric)" average_precision 'the metric of a search'
good search $rare --metric val_accuracy --out by_accuracy
expect_out '2 settings, chosen by val_accuracy'
rm -r by.json by_rare by_accuracy rare.csv links.csv
bad 2 "metric 'val_acuracy' is not known: did you mean 'val_accuracy'?" search $tiny --metric val_acuracy
bad 2 'test nodes must not choose' search $tiny --metric test_accuracy
bad 2 'draws is 0: it must be 1 or more' search $tiny --draws 0
bad 2 'jobs is 0: it must be in [1, 1024]' search $tiny --jobs 0
bad 2 "draws is 'x': it must be a whole number" search $tiny --draws x
bad 2 'runs is 0: it must be in [1, ' search $tiny --runs 0
bad 2 'there is no val_accuracy to choose by: --split leaves no nodes for validation' search $tiny --split 60/0/40 \
    --out no
bad 2 "split 'nonsense' is not known" search $tiny --split nonsense
bad 2 'the grid has more than 10000 settings' search $tiny --model mlp \
    --grid "hidden=$(seq -s, 1 200) patience=$(seq -s, 1 200)"
bad 2 "a preset cannot hold '#'" search $tiny --grid 'init=file:a#b'
printf 'lr = 0.1\nhiden = 3\n' >"$scratch/seen/grid"
bad 2 "grid:2: unknown option 'hiden': did you mean 'hidden'?" search $tiny --grid "$scratch/seen/grid"
printf 'lr = 0.1\0\n' >"$scratch/seen/grid"
bad 1 'not a text file (it holds a NUL byte)' search $tiny --grid "$scratch/seen/grid"
