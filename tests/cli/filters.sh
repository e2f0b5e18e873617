# Filters of several relations, directions, bases and classes: what the summary, inspect, explain, the JSON, gamma.csv,
# the model file and the page say of them; texts fit the terminal.
source "$(dirname "$0")/lib.bash"
needs python3
data=$scratch/seen/data
mkdir "$data"
awk -v folder="$data" 'BEGIN {
    srand(7)
    print "id,x,y,team" >folder "/n.csv"
    print "from,to" >folder "/pay.csv"
    print "from,to" >folder "/device.csv"
    for (i = 0; i < 90; i++) {
        print "p" i "," rand() + (i % 3 == 0) "," rand() + (i % 3 == 1) "," i % 3 >folder "/n.csv"
        for (k = 0; k < 3; k++) {
            print "p" i ",p" (i + 3 * int(1 + 29 * rand())) % 90 >folder "/pay.csv"
            print "p" i ",p" (i + 1 + int(88 * rand())) % 90 >folder "/device.csv"
        }
    }
}'
given="--edges pay=$data/pay.csv --edges device=$data/device.csv --nodes $data/n.csv --label team"
few="--epochs 30 --K 3 --lr 0.05 --label-input no --label-counts no --smooth no --calibrate no --refit no"

expect_narrow() { # no line is wider than the terminal
    LC_ALL=C.UTF-8 awk 'length($0) > 80 { print FILENAME ": " $0; bad = 1 } END { exit bad }' "$scratch/seen/out" ||
        fail "a line has more than 80 columns"
}

# ---- relations and directions
good train $given $few --direction pay=both --out run
expect_out '  pay, along'
expect_out '  pay, against'
expect_out '  device'
expect_narrow
expect_equal "$(head -n 1 run/gamma.csv)" 'run,relation,direction,class,k,initial,gamma'
expect_equal "$(grep -c . run/gamma.csv)" 13
[ ! -e run/gamma_history.csv ] || fail 'there is a gamma_history.csv'
python3 - run <<'END' || fail 'result.json or gamma.csv'
import csv, json, sys
found = json.load(open(sys.argv[1] + "/result.json"))
assert found["gamma"] is None and found["gamma_initial"] is None
names = [(f["relation"], f["direction"]) for f in found["filters"]]
assert names == [("device", "undirected"), ("pay", "along"), ("pay", "against")], names
assert found["per_run"][0]["filters"] == found["filters"]
rows = list(csv.DictReader(open(sys.argv[1] + "/gamma.csv")))
flat = [(f["relation"], k, g) for f in found["filters"] for k, g in enumerate(f["gamma"])]
assert [(r["relation"], int(r["k"]), float(r["gamma"])) for r in rows] == flat
assert all(f["gamma"][0] == 0 for f in found["filters"][1:]) and found["filters"][0]["gamma"][0] != 0
page = open(sys.argv[1] + "/report.html").read()
assert "Weights: pay, along" in page and "Response: device" in page and "Response: pay" not in page
header = open(sys.argv[1] + "/model.safetensors", "rb").read(4000)
assert b'"format_version":"4"' in header and b"prop1.filters" in header
END
good inspect run $given --json inspect.json
expect_out 'device: adds '
expect_out 'no edge: adds '
expect_out 'response  a direction has none'
expect_narrow
python3 - inspect.json <<'END' || fail 'the JSON of inspect'
import json, sys
found = json.load(open(sys.argv[1]))
assert found["gamma"] is None and found["filter"] is None and len(found["filters"]) == 3
for part in found["filters"]:
    assert (part["response"] is None) == (part["direction"] != "undirected") and part["part"] > 0
    assert len(part["gamma"]) == len(part["contribution"]) == 4
END
good explain run $given --node p5 --json explain.json
expect_out 'relations what each kind of edges gave'
expect_out '  no edge '
python3 - explain.json <<'END' || fail 'the parts of a score do not add up'
import json, sys
found = json.load(open(sys.argv[1]))
e = found["explained"][0]
assert found["gamma"] is None and len(e["filters"]) == 3
for what, hops in ("score", "hops"), ("lead", "hops_lead"):
    assert abs(sum(f[what] for f in e["filters"]) + e[hops][0] - e[what]) < 1e-5 * (1 + abs(e[what]))
    assert abs(sum(e[hops]) - e[what]) < 1e-5 * (1 + abs(e[what]))
END

# ---- another basis, gamma for each class, no loops
good train $given $few --basis bernstein --gamma columns --loops no --out classes
expect_out 'filter    polynomials of the basis bernstein, weights for each class, no loops'
expect_narrow
good inspect classes $given
expect_out 'response  g('
expect_narrow
good explain classes $given --node p5
expect_out 'what the k-th polynomial of the basis gave'
good predict classes/model.safetensors $given --json one.json -q

# ---- one undirected matrix, one gamma: gamma stays, whatever the basis
good train $given $few --relations pay --basis chebyshev --out one
python3 - one <<'END' || fail 'gamma of one relation'
import json, sys
found = json.load(open(sys.argv[1] + "/result.json"))
assert len(found["gamma"]) == 4 and "filters" not in found and found["config"]["relations"] == "pay,..."
END
expect_file one/gamma_history.csv
good inspect one $given --json one.json
python3 - one.json <<'END' || fail 'the response of chebyshev'
import json, sys
found = json.load(open(sys.argv[1]))
for place, value in (0, -1), (100, 0), (200, 1):
    t = [1, value]
    while len(t) < 4: t.append(2 * value * t[-1] - t[-2])
    assert abs(found["response"][place] - sum(g * p for g, p in zip(found["gamma"], t))) < 1e-9
END
# the filter left out a relation of its data; others may be there, its own may not be missing
good predict one/model.safetensors $given -q --json predicted.json
run predict one/model.safetensors --edges device=$data/device.csv --edges phone=$data/pay.csv --nodes $data/n.csv
expect_status 1
expect_err "the relation 'pay' is missing"
