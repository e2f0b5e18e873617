# gprgnn paper: its tables beside the published values, kept runs, wrong calls.
graphs=${GPRGNN_DATA:-}
source "$(dirname "$0")/lib.bash"
graphs=${graphs:-$source_dir/../shared/data}/graphs
needs python3

# Small graphs with the names of the paper's datasets.
mkdir "$scratch/data"
seed=3
for name in texas cornell cora; do
    seed=$((seed + 1))
    good generate csbm --phi 0.5 --n 120 --f 20 --seed $seed -o "$scratch/data/$name.npz"
done
paper() { good paper "$@" --data-dir "$scratch/data" --epochs 5; }
number_of() { python3 \
    -c "import json,sys; print([c for c in json.load(open('$1'))['cells'] if c['dataset']=='$2' and "\
"c['model']=='$3'][0]['$4'])"; }

# ---- a table ----
paper table-real --datasets texas,cornell --models gprgnn,mlp --runs 3 --out here
expect_err 'warning: this texas has 120 nodes'
expect_out 'table-real: accuracy on real graphs, in percent'
expect_out '92.92'
expect_out 'texas           gprgnn'
for file in runs.jsonl cells.csv results.json results.md; do expect_file here/$file; done
expect_equal "$(wc -l <here/runs.jsonl)" 12 'kept runs'
expect_equal "$(number_of here/results.json texas mlp runs)" 3
expect_equal "$(number_of here/results.json texas gprgnn published)" 92.92
python3 - <<'PY'
import json
for line in open("here/runs.jsonl"):
    run = json.loads(line)
    for key in ("key", "seed", "settings", "split_hash", "fingerprint", "device", "test_accuracy"):
        assert key in run, key
PY

# The numbers are those of `train`.
good train "$scratch/data/texas.npz" --model mlp --split dense --preset paper --epochs 5 --runs 3 --json - -q
python3 - "$scratch/seen/out" <<'PY' || fail 'paper and train differ'
import json, sys
train = json.load(open(sys.argv[1]))
cell = [c for c in json.load(open("here/results.json"))["cells"] if c["dataset"] == "texas" and c["model"] == "mlp"][0]
assert abs(train["test_accuracy"] - cell["test_accuracy"]) < 1e-9, (train["test_accuracy"], cell["test_accuracy"])
assert abs(train["ci95"] - cell["ci95"]) < 1e-9
PY

# ---- nothing is trained twice; more runs add to what is there ----
cp -r here before
paper table-real --datasets texas,cornell --models gprgnn,mlp --runs 3 --out here -q
expect_same here/runs.jsonl before/runs.jsonl
expect_same here/cells.csv before/cells.csv
paper table-real --datasets texas,cornell --models gprgnn,mlp --runs 4 --out here -q
expect_equal "$(wc -l <here/runs.jsonl)" 16 'kept runs'

# ---- a file that is cut in the middle of a line: everything before stays, the same numbers come out ----
cp here/cells.csv whole.csv
truncate -s -100 here/runs.jsonl
paper table-real --datasets texas,cornell --models gprgnn,mlp --runs 4 --out here -q
expect_err 'the last line is cut, because a program was killed: it is removed'
expect_equal "$(wc -l <here/runs.jsonl)" 16 'kept runs'
cut -d, -f1-14 here/cells.csv >a.csv
cut -d, -f1-14 whole.csv >b.csv
expect_same a.csv b.csv

# ---- any number of jobs gives the same numbers ----
paper table-real --datasets texas,cornell --models gprgnn,mlp --runs 4 --out other --jobs 1 -q
cut -d, -f1-14 other/cells.csv >b.csv
expect_same a.csv b.csv

# ---- --show and --kept: from kept runs alone, packed too ----
gzip -k here/runs.jsonl
paper table-real --datasets texas,cornell --models gprgnn,mlp --runs 4 --kept here/runs.jsonl.gz --show --json -
python3 - "$scratch/seen/out" <<'PY' || fail 'kept runs are not found'
import json, sys
assert all(c["runs"] == 4 for c in json.load(open(sys.argv[1]))["cells"])
PY

# Without any data: the runs that the project keeps are found by the published graphs' fingerprints, and those of
# Geom-GCN by its authors' neighbourhoods. The file of all runs is long; some are enough here.
mkdir "$scratch/none"
zcat "$source_dir/paper/runs.jsonl.gz" | grep -E '"dataset":"(cora|squirrel)","model":"(gprgnn|geomgcn)"' >some.jsonl
for data in none data; do # data: another graph has the name cora
    good paper table-real figures table-oversmoothing --datasets cora,squirrel --models gprgnn,gprgnn-random,geomgcn \
        --show --kept some.jsonl --data-dir "$scratch/$data" --json shown.json
    expect_out 'cora            geomgcn        48.22 +- 1.06'
    expect_out 'squirrel        geomgcn'
    [ $data = data ] || expect_silent_err
    python3 - <<'PY' || fail "kept runs are not found without their data ($data)"
import json
for cell in json.load(open("shown.json"))["cells"]:
    assert cell["runs"] >= 20 and "skipped" not in cell and cell["settings"], cell
    assert cell["model"] == "geomgcn" or len(cell["gamma"]) == 11, cell
PY
done
# All of them, and docs/results.md has what they say: no line is refused, although defaults were others when it was
# written.
good paper table-real table-csbm-sparse table-csbm-dense table-dense-homophilic table-oversmoothing figures --show \
    --kept "$source_dir/paper/runs.jsonl.gz" --data-dir "$scratch/none" --out all -q
{
    cat "$source_dir/paper/results-head.md"
    sed 1,4d all/results.md
    cat "$source_dir/paper/efficiency.md" "$source_dir/paper/filters.md" "$source_dir/paper/blocks.md"
} >results.md
expect_same results.md "$source_dir/docs/results.md"
rm -r all results.md
run paper table-datasets --datasets cora --show --kept some.jsonl --data-dir "$scratch/none"
expect_status 0
expect_err 'cora is skipped'
rm some.jsonl shown.json

# Of all kept runs one per setting, as it was written: the key of each fits its settings.
python3 - "$source_dir/paper/runs.jsonl.gz" >each.jsonl <<'PY'
import gzip, json, sys
seen = set()
for line in gzip.open(sys.argv[1], "rt"):
    run = json.loads(line)
    setting = run["key"], tuple(sorted(run["settings"].items())), "gamma_history" in run
    if setting not in seen:
        seen.add(setting)
        print(line, end="")
PY
good paper table-real table-dense-homophilic table-oversmoothing figures --show --kept each.jsonl \
    --data-dir "$scratch/none" --json shown.json
python3 - <<'PY' || fail 'kept runs are not found'
import json
assert all(cell["runs"] > 0 for cell in json.load(open("shown.json"))["cells"])
PY
sed 's/"lr":"0.05"/"lr":"0.5"/' each.jsonl >changed.jsonl
run paper table-real --show --kept changed.jsonl --data-dir "$scratch/none"
expect_status 1
expect_err 'the key of this run does not fit its settings'
rm each.jsonl changed.jsonl shown.json

# What the project keeps comes out again, bit for bit: where the graphs are, and a CPU has the kernels of that time.
if [ -e "$graphs/texas.npz" ] && [ -e "$graphs/cora.npz" ]; then
    good paper table-real --datasets texas,cora --models gprgnn,appnp,mlp,gcn,gat --runs 2 --data-dir "$graphs" \
        --out again -q
    python3 - "$source_dir/paper/runs.jsonl.gz" <<'PY' || fail 'the numbers of the paper are others'
import gzip, json, sys
mine = [json.loads(line) for line in open("again/runs.jsonl")]
keys = {(run["key"], run["seed"]): run for run in mine}
found = 0
for line in gzip.open(sys.argv[1], "rt"):
    kept = json.loads(line)
    run = keys.get((kept["key"], kept["seed"]))
    if run and run["kernels"] == kept["kernels"]:
        found += 1
        for word in ("train_accuracy", "val_accuracy", "test_accuracy", "train_loss", "val_loss", "epochs",
                     "best_epoch", "gamma", "fingerprint", "split_hash"):
            assert run.get(word) == kept.get(word), (run["dataset"], run["model"], word, run.get(word), kept.get(word))
assert len(mine) == 20 and (found >= 20 or mine[0]["kernels"] != "avx512"), (len(mine), found)
PY
    rm -r again
else
    skip_part "no graphs of the paper in $graphs"
fi

# ---- over-smoothing and the cSBM ----
paper table-oversmoothing --datasets texas,cora --runs 2 --json - -q
python3 - "$scratch/seen/out" <<'PY' || fail 'no share of over-smoothed runs'
import json, sys
for cell in json.load(open(sys.argv[1]))["cells"]:
    assert 0 <= cell["oversmoothed_percent"] <= 100 and cell["initial_accuracy"] >= 0, cell
PY
# What no kept run tells yet is left empty.
good paper table-oversmoothing --datasets texas --runs 2 --data-dir "$scratch/data" --epochs 5 --out smoothing -q
grep -v top_share smoothing/runs.jsonl >kept.jsonl
good paper table-oversmoothing --datasets texas --runs 2 --data-dir "$scratch/data" --epochs 5 --show \
    --kept kept.jsonl \
    --out shown -q
grep -q '^| texas | .* |  *| ' shown/results.md || fail 'the table lacks its empty cell'
if grep -qw nan shown/results.md || grep -qF '"nan"' shown/report.html; then fail 'a table has nan'; fi
rm -r smoothing shown kept.jsonl
paper table-datasets --datasets texas
expect_out 'other sizes'

# ---- a dataset that is missing is skipped, the rest goes on ----
run paper table-real --datasets texas,chameleon --models mlp --runs 2 --data-dir "$scratch/data" --epochs 5
expect_status 1
expect_err "gprgnn fetch chameleon"
expect_err '1 cells were skipped'
expect_out 'skipped'
expect_out 'texas           mlp'

# ---- speed, beside another program's ----
printf 'model,dataset,ms_per_epoch\nmlp,texas,1000\n' >"$scratch/rival.csv"
good paper table-efficiency --datasets texas --models mlp --data-dir "$scratch/data" --rival "$scratch/rival.csv" \
    --json -
python3 - "$scratch/seen/out" <<'PY' || fail 'no times'
import json, sys
(row,) = json.load(open(sys.argv[1]))["efficiency"]
assert row["ms_per_epoch"] > 0 and row["rival_ms_per_epoch"] == 1000 and row["published_ms_per_epoch"] == 3.81, row
PY
echo 'mlp,texas,fast' >"$scratch/rival.csv"

# ---- one run has no interval, and no verdict ----
paper table-real --datasets texas --models mlp --runs 1 --json - -q
python3 - "$scratch/seen/out" <<'PY' || fail 'one run is judged'
import json, sys
(cell,) = json.load(open(sys.argv[1]))["cells"]
assert cell["ci95"] is None and cell["verdict"] == "" and cell["runs"] == 1, cell
PY

# ---- nothing of another kind is replaced; --show makes no folder out of nothing ----
good train $tiny --epochs 2 --out run -q
cp -r run untouched
run paper table-real --datasets texas --models mlp --runs 1 --data-dir "$scratch/data" --out run
expect_status 1
expect_err "run has a report.html that is not of 'gprgnn paper'"
diff -r run untouched || fail 'the run folder was changed'
run paper table-real --show --out nowhere --data-dir "$scratch/data"
expect_status 2
[ ! -e nowhere ] || fail '--show made a folder'
good generate csbm --phi 0.5 --n 120 --f 20 --seed 9 -o "$scratch/data/squirrel.npz"
paper figures table-real --datasets squirrel --models gprgnn-random --runs 2 --out figures -q
expect_equal "$(wc -l <figures/runs.jsonl)" 2 'kept runs'
bad_ids=$(grep -o 'id="svg-[^"]*"' figures/report.html | sort | uniq -d)
expect_equal "$bad_ids" '' 'figures with the same id'

# ---- wrong calls ----
rm -rf "$scratch/work/"*
bad 2 "the paper has no part 'table-rael': did you mean 'table-real'?" paper table-rael
bad 2 "'gprgn' is not in the paper: did you mean 'gprgnn'?" paper table-real --models gprgn
bad 2 "'corra' is not in the paper: did you mean 'cora'?" paper table-real --datasets corra
bad 2 'runs is 0: it must be in [1, 1000000]' paper table-real --runs 0
bad 2 '--show makes tables from kept runs: give --out DIR or --kept FILE' paper table-real --show
bad 2 'other --models or --datasets are needed' paper table-real --models geomgcn --datasets csbm
bad 1 'rival.csv:1: this is not model,dataset,ms_per_epoch' paper table-efficiency --rival "$scratch/rival.csv"
