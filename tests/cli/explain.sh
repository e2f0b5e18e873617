# gprgnn explain: parts of a score in text and JSON, importance of columns, wrong calls.
source "$(dirname "$0")/lib.bash"
needs python3
seen=$scratch/seen

good train $tiny --epochs 40 --K 4 --out run -q
good explain run $tiny --node 7
expect_silent_err
expect_out 'node 7 is predicted '
expect_out '% comes from itself'
expect_out 'hops      what walks of k steps gave to the '
expect_out 'nodes     what each gave to the '
expect_out 'columns   gradient times input'
expect_out ' others '

# The JSON adds up, and its scores are those of a prediction.
check_sums() { # MODEL: of run
    good explain run $tiny --node 7,8 --node 9 --top 4 --json all.json -q
    expect_silent_out
    expect_json all.json
    good predict run/model.safetensors $tiny --proba --json predicted.json -q
    python3 - all.json predicted.json "$1" <<'END' || fail "the parts of $1 do not add up"
import json, sys
found, predicted = json.load(open(sys.argv[1])), json.load(open(sys.argv[2]))
assert found["model"] == sys.argv[3] and [e["node"] for e in found["explained"]] == [7, 8, 9]
for e in found["explained"]:
    assert len(e["nodes"]) == 4 and e["reached"] > 4
    for what in ("score", "lead"):
        parts = sum(n[what] for n in e["nodes"])
        close = lambda x: abs(x - e[what]) < 1e-5 * (1 + abs(e[what]))
        assert close(e["bias"][what] + e["itself"][what] + parts + e["others"][what])
        assert close(e["bias"][what] + sum(e["hops" if what == "score" else "hops_lead"]))
        assert close(e["bias"][what] + sum(e["rings" if what == "score" else "rings_lead"]))
    assert (e["bias"]["score"] != 0) == (sys.argv[3] == "sgc")
    assert sum(e["ring_nodes"]) == e["reached"] + 1
    assert e["predicted"] == predicted["predictions"][e["node"]]
    assert abs(e["probability"] - max(predicted["probabilities"][e["node"]])) < 1e-6
END
}
check_sums gprgnn
good explain run $tiny --node 7,8 --node 9 --top 4 --json - --threads 1
expect_same "$seen/out" all.json
for model in appnp sgc; do
    good train $tiny --epochs 20 --K 4 --model $model --out run -q
    check_sums $model
done

# Blocks: gradients, named so, whose sums agree.
good train $tiny --model gprdeep --hidden 8 --layers 3 --K 2 --epochs 20 --out deep -q
good explain deep $tiny --node 7 --json deep.json
expect_silent_err
expect_out 'no sum over nodes and hops'
expect_out 'gradient times weight of the '
expect_out 'not exact'
expect_out '  block 3'
expect_out 'columns   gradient times input'
expect_out_lacks 'comes from itself'
expect_out_lacks 'nodes     what each gave'
python3 - deep.json <<'END' || fail 'the explanation of blocks is wrong'
import json, sys
found = json.load(open(sys.argv[1]))["explained"][0]
assert found["method"] == "gradient times input; not exact" and "nodes" not in found and "itself" not in found
assert [f["block"] for f in found["filters"]] == [1, 2, 3]
for f in found["filters"]:
    assert f["hops"][0] == 0 and abs(sum(f["hops"]) - f["score"]) < 1e-12
    assert abs(sum(f["hops_lead"]) - f["lead"]) < 1e-12
for k in (1, 2):
    assert abs(sum(f["hops"][k] for f in found["filters"]) - found["hops"][k]) < 1e-12
    assert found["hops"][k] != 0
END
good explain deep $tiny --importance --top 2
expect_out 'accuracy lost'

# Another class; a node without edges, and texts as ids, classes and columns.
python3 - <<'END'
import random
rng = random.Random(1)
with open("nodes.csv", "w") as out:
    out.write("id,size,colour,kind\n")
    for i in range(80):
        size, colour = i % 2 * 5 + rng.random(), rng.choice(["red", "green", "blue"])
        out.write(f"n{i},{size},{colour},{'good' if i % 2 else 'bad'}\n")
with open("edges.csv", "w") as out:
    out.write("from,to\n")
    for i in range(78):
        out.write(f"n{i},n{(i + 2) % 78}\n")
END
data=(--edges edges.csv --nodes nodes.csv --label kind)
good train "${data[@]}" --epochs 60 --K 2 --out tables -q
good explain tables "${data[@]}" --node n3
expect_out 'node n3 is predicted good with '
expect_out 'its label is the same'
expect_out 'size'
good explain tables "${data[@]}" --node n3 --class bad
expect_out 'node n3 is predicted good; bad has '
expect_out 'of its deficit against good'
good explain tables "${data[@]}" --node n79
expect_out '100 % comes from itself.'

# Scores are those before smoothing: said once, for nodes with and without a label.
sed 's/^\(n[46],.*,\).*/\1/' nodes.csv >some.csv
good train --edges edges.csv --nodes some.csv --label kind --smooth yes --label-counts yes --epochs 20 --K 2 \
    --out smoothed -q
good explain smoothed --edges edges.csv --nodes some.csv --label kind --node n3,n4
expect_equal "$(grep -c 'smoothed over the graph' "$seen/err")" 1 'warnings about smoothing'

# Importance: the column that tells the class comes first, and the values of a text column are one column.
good explain tables "${data[@]}" --importance --json importance.json
expect_out ' test nodes: accuracy '
expect_out 'accuracy lost'
python3 - importance.json <<'END' || fail 'the importance is wrong'
import json, sys
found = json.load(open(sys.argv[1]))
assert found["on_test_nodes"] and found["repeats"] == 5 and found["tried"] == found["columns_in_all"]
names = [c["column"] for c in found["columns"]]
assert names[0] == "size" and names.count("colour") == 1, names
assert found["columns"][0]["accuracy_drop"] > 10 and found["columns"][0]["loss_rise"] > 0.1
assert next(c for c in found["columns"] if c["column"] == "colour")["features"] == 3
END
# The same at the end of a training, in its JSON and its page; nothing of it without.
good train "${data[@]}" --epochs 40 --importance --out asked -q
good explain asked "${data[@]}" --importance --json again.json
python3 - asked/result.json again.json asked/report.html <<'END' || fail 'the importance of the training is another'
import json, sys
kept, told = (json.load(open(name)) for name in sys.argv[1:3])
kept = kept["importance"]
assert [c["column"] for c in kept["columns"]] == [c["column"] for c in told["columns"]] and kept["columns"]
assert all(a["accuracy_drop"] == b["accuracy_drop"] and a["loss_rise"] == b["loss_rise"]
           for a, b in zip(kept["columns"], told["columns"]))
assert kept["nodes"] == told["nodes"]
page = open(sys.argv[3]).read()
assert "Which columns matter" in page and kept["columns"][0]["column"] in page
END
good train "${data[@]}" --epochs 3 --out plain -q
if grep -q '"importance"' plain/result.json || grep -q 'Which columns matter' plain/report.html; then
    fail 'nobody asked for the importance'
fi
rm -r asked plain again.json
good explain tables/model.safetensors "${data[@]}" --importance --top 1 --repeats 2 -v
expect_err '2 passes, about '
expect_out ' test nodes: accuracy ' # the split is drawn again
sed "2s/,[0-9][^,]*,/,77,/" nodes.csv >others.csv # other data
good explain tables/model.safetensors --edges edges.csv --nodes others.csv --label kind --importance --top 1 --repeats 2
expect_out ' labelled nodes: accuracy '
expect_out 'were not tried: --top N tries more'
for model in gcn mlp gat; do
    good train $tiny --model $model --epochs 5 --out other -q
    good explain other $tiny --importance --top 2
done
good explain run $tiny --importance --seed 1 --top 2 --json - --threads 1
cp "$seen/out" one.json
good explain run $tiny --importance --seed 1 --top 2 --json -
expect_same "$seen/out" one.json

# Names of any kind.
evil=$'\e[31m\a'
sed "s/n3,/n3$evil,/" nodes.csv >evil_nodes.csv
sed "s/n3,/n3$evil,/; s/,n3\$/,n3$evil/" edges.csv >evil_edges.csv
good explain tables --edges evil_edges.csv --nodes evil_nodes.csv --label kind --node "n3$evil" --node n5
! grep -q $'\e\|\a' "$seen/out" || fail 'control characters were printed'

mkdir empty
cd empty
bad 2 'the scores of gat are no sum' explain ../other $tiny --node 1
bad 2 'either --node ID or --importance' explain ../run $tiny
bad 2 'either --node ID or --importance' explain ../run $tiny --node 1 --importance
bad 2 'there is no node' explain ../run $tiny --node 300
bad 2 "did you mean 'n79'" explain ../tables --edges ../edges.csv --nodes ../nodes.csv --label kind --node n79x
bad 2 "did you mean 'good'" explain ../tables --edges ../edges.csv --nodes ../nodes.csv --label kind --node n3 \
    --class goood
bad 2 'the classes are the numbers 0 to 1' explain ../run $tiny --node 1 --class 2
bad 2 'top is 0' explain ../run $tiny --node 1 --top 0
bad 2 'belong to --importance' explain ../run $tiny --node 1 --repeats 3
bad 2 'belongs to --node' explain ../run $tiny --importance --class 1
bad 2 'name the data too' explain ../run --node 1
bad 1 'cannot write' explain ../run $tiny --node 1 --json none/all.json
