# gprgnn inspect: models and run folders, with and without data.
source "$(dirname "$0")/lib.bash"
seen=$scratch/seen

good train $tiny --epochs 40 --runs 3 --K 4 --out run -q
good inspect run/model.safetensors
expect_silent_err
expect_out 'model     gprgnn'
expect_out 'filter    '
expect_out 'judged on the whole interval: no graph was given'
expect_out 'response  g(lambda)'
expect_out_lacks 'over-smoothing'
expect_out_lacks 'confidence'

# A model with data: all labelled nodes.
good inspect run/model.safetensors $tiny --json all.json
expect_silent_err
expect_out 'csbm(phi=-0.5): 300 nodes'
expect_out 'the data of the training'
expect_out 'of the eigenvalues but 1'
expect_out 'all are known'
expect_out 'dL/dgamma over 300 labelled nodes'
expect_out 'over-smoothing'
expect_json all.json
expect_equal "$(json all.json judged_on)" eigenvalues
expect_equal "$(json all.json exact_density)" true
expect_equal "$(json all.json gradient_nodes)" 300
python3 - all.json <<'END' || fail 'the JSON has wrong numbers'
import json, math, sys
found = json.load(open(sys.argv[1]))
gamma, values = found["gamma"], found["eigenvalues"]
g = lambda x: sum(c * x**k for k, c in enumerate(gamma))
assert len(gamma) == 5 and len(values) == 300 and values == sorted(values, reverse=True)
assert all(abs(g(x) - y) < 1e-12 for x, y in zip(found["lambda"], found["response"]))
assert abs(sum(found["density"]) - 1) < 1e-12
ones = sum(v > 1 - 1e-12 for v in values)
assert ones == found["components"] and found["second_eigenvalue"] == values[ones]
assert found["smallest_eigenvalue"] == values[-1]
ratios = [abs(g(v)) for v in values[ones:]]
kind = "low-pass" if max(ratios) < abs(g(1)) else "high-pass" if min(ratios) > abs(g(1)) else "neither"
assert found["filter"] == kind
assert abs(found["damped"] - sum(r < abs(g(1)) for r in ratios) / len(ratios)) < 1e-12
assert 0.5 <= found["top_share"] <= 1 and 0 <= found["smooth_share"] <= 1
assert all(len(found[s]) == 5 for s in ("norm", "distance", "contribution", "gradient"))
assert found["gamma_mean"] is None and found["runs"] == 1
END

# A run folder: mean and interval over its runs, training nodes of its split; a cSBM is named by the user.
good inspect run -v
expect_err 'name the data'
expect_out 'mean of 3 runs and 95 % confidence interval'
expect_out '+/- '
good inspect run $tiny --json - -q
expect_json "$seen/out"
expect_silent_err
expect_equal "$(json "$seen/out" runs)" 3
cp "$seen/out" run.json
python3 - run.json run <<'END' || fail 'the JSON of the run has wrong numbers'
import csv, json, statistics, sys
found, rows = json.load(open(sys.argv[1])), list(csv.DictReader(open(sys.argv[2] + "/gamma.csv")))
def turn(run): # to the sign of the model's weights
    return -1 if sum(float(r["gamma"]) * found["gamma"][int(r["k"])] for r in rows if r["run"] == run) < 0 else 1
assert found["turned_runs"] == sum(turn(r["run"]) < 0 for r in rows if r["k"] == "0")
for k, mean in enumerate(found["gamma_mean"]):
    values = [turn(r["run"]) * float(r["gamma"]) for r in rows if r["k"] == str(k)]
    assert len(values) == 3 and abs(mean - statistics.mean(values)) < 1e-12
    assert abs(found["gamma_ci95"][k] - 4.302653 * statistics.stdev(values) / 3**0.5) < 1e-6
split = json.load(open(sys.argv[2] + "/result.json"))["split"]
assert found["gradient_nodes"] == sum(split["train"]) and found["on_training_nodes"] is True
END
good inspect run $tiny --json - -q --threads 1
expect_same "$seen/out" run.json

# Other data than that of the training is said, and its split is not used.
good inspect run csbm:n=300,f=20,phi=0.5,seed=4
expect_err 'not the data that the model was trained on'
expect_out 'NOT the data'
expect_out 'over 300 labelled nodes'

cp -r run parted
rm parted/split.npz
good inspect parted $tiny
expect_out 'training nodes' # the rule draws the same split again

# gamma and -gamma are the same filter: a run is turned to agree with the best one, and that is said.
expect_no_turn() { good inspect "$1"; expect_out_lacks 'with the other sign'; }
expect_no_turn run
cp -r run turned
awk -F, -v OFS=, 'NR > 1 { $4 = ($1 == 1 ? -$4 : $4) } { print }' run/gamma.csv >turned/gamma.csv
good inspect turned
expect_out 'of them with the other sign, to agree with the best run'

# A public dataset is found by the name that the run has; a name that is a path is not followed.
make_cora() { # $1: a number that the features depend on
    awk 'BEGIN { print "a,b"; for (i = 0; i < 120; i++) print i "," (i + 1) % 120 "\n" i "," (i * 7 + 2) % 120 }' \
        >cora.csv
    awk -v a="$1" 'BEGIN { print "id,x,y,label"
        for (i = 0; i < 120; i++) print i "," i * a % 13 "," i % 5 "," i % 2 }' >nodes.csv
    good convert --edges cora.csv --nodes nodes.csv --label label cora.npz
    rm cora.csv nodes.csv
}
make_cora 3
good train cora --data-dir . --epochs 5 --out known -q
good inspect known --data-dir .
expect_out 'data      cora: 120 nodes'
expect_out 'training nodes'
good inspect known --data-dir . --json - -q
expect_equal "$(json "$seen/out" training_data)" true
make_cora 4
good inspect known --data-dir .
expect_err 'what is here is other data'
expect_out_lacks 'over-smoothing'

# Models without a filter: what can be said.
for model in gcn mlp; do
    good train $tiny --model $model --epochs 5 --out other -q
    good inspect other $tiny
    expect_out 'filter    none'
    expect_out 'over-smoothing'
    expect_out 'spectrum  eigenvalue 1'
    expect_out_lacks 'response'
    good inspect other
    expect_out 'filter    none'
done
good train $tiny --model appnp --epochs 5 --out fixed -q
good inspect fixed $tiny
expect_out 'low-pass (fixed by the model)'

# Blocks: gamma of each, what each part gives, and no response.
good train $tiny --model gprdeep --hidden 8 --layers 3 --K 2 --epochs 5 --out deep
expect_out 'blocks    each has weights gamma of its hops'
good inspect deep/model.safetensors
expect_out 'no graph was given'
good inspect deep $tiny --json deep.json
expect_out 'there is no g(lambda)'
expect_out '  block 3'
expect_out 'the node itself'
expect_out 'both signs: '
expect_out_lacks 'response'
python3 - deep.json deep/result.json <<'END' || fail 'the JSON of blocks has wrong numbers'
import json, statistics, sys
found, result = json.load(open(sys.argv[1])), json.load(open(sys.argv[2]))
assert found["response"] is None and found["filter"] is None and len(found["filters"]) == 3
for i, (part, kept) in enumerate(zip(found["filters"], result["filters"])):
    assert part["block"] == kept["block"] == i + 1 and part["response"] is None
    assert part["relation"] is None and part["direction"] == "undirected" and part["basis"] == "monomial"
    assert [len(row) for row in part["gamma"]] == [8, 8, 8] and part["gamma"][0] == [0] * 8
    assert all(abs(a - b) < 1e-6 for x, y in zip(part["gamma"], kept["gamma"]) for a, b in zip(x, y))
    for k in (1, 2):
        want = statistics.quantiles(part["gamma"][k], n=4, method="inclusive")
        assert all(abs(a - b) < 1e-12 for a, b in zip(part["quartiles"][k], want)), (part["quartiles"][k], want)
    assert all(x > 0 for x in part["contribution"] + part["weights"]) and part["part"] > 0
    signs = sum(min(a, b) < 0 < max(a, b) for a, b in zip(*part["gamma"][1:])) / 8
    assert abs(part["mixed_signs"] - signs) < 1e-12
assert "filters" not in result["per_run"][0]
END
grep -q 'Weights by block' deep/report.html || fail 'the report has no chart of blocks'

# Without LAPACK: estimated, and said.
mkdir "$scratch/lib"
echo 'no library' >"$scratch/lib/liblapack.so.3"
LD_LIBRARY_PATH=$scratch/lib run inspect run $tiny
expect_status 0
expect_err 'LAPACK is not installed'
expect_out 'their density is estimated'

cp -r run broken
mkdir empty
cd empty
bad 2 'cannot read' inspect ../none.safetensors
bad 2 'too few arguments' inspect
bad 1 'cannot write' inspect ../run --json none/all.json
echo 'run,k,initial,gamma' >../broken/gamma.csv
echo '0,0,1,much' >>../broken/gamma.csv
bad 1 'gamma.csv:2' inspect ../broken
rm ../broken/gamma.csv
good inspect ../broken
expect_err 'gamma.csv is missing'
rm ../broken/model.safetensors
bad 2 'model.safetensors' inspect ../broken
mkdir ../nothing
bad 2 'model.safetensors' inspect ../nothing
