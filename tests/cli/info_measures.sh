# What gprgnn info prints about classes, in the table and in JSON, and its warnings.
data=${GPRGNN_DATA:-}
source "$(dirname "$0")/lib.bash"
data=${data:-$source_dir/../shared/data}

good generate csbm --phi -0.5 --n 200 --f 12 --d 6 --eps 2 --seed 4 -o graph.npz -q
good info graph.npz --json info.json
expect_silent_err
expect_json info.json
for key in fingerprint zero_feature_rows components largest_component min_degree median_degree feature_density \
    class_homophily adjusted_homophily label_informativeness chernoff_hellinger closest_classes class_edges; do
    grep -q "^  \"$key\": " info.json || fail "the JSON lacks $key"
done
fingerprint=$(json info.json fingerprint)
for part in 'median' 'components' 'class homophily' 'adj. homophily' 'informativeness' 'divergence' \
    'classes 0 and 1 are the closest' "fingerprint      $fingerprint" 'class 0  100   ++'; do
    expect_out "$part"
done
expect_equal "$(json info.json zero_feature_rows)" 0
expect_equal "$(sed -n 's/^  "closest_classes": //p' info.json)" '[0, 1],' 'the closest classes'
# The matrix counts every edge twice.
sum=$(sed -n '/^  "class_edges"/,/^  ]/p' info.json | grep -o '[0-9]*' | awk '{ s += $1 } END { print s }')
expect_equal "$sum" $((2 * $(json info.json edges))) 'the ends of edges'
awk -v a="$(json info.json adjusted_homophily)" -v l="$(json info.json label_informativeness)" \
    'BEGIN { exit !(a < 0 && l > 0 && l < 1) }' || fail 'a graph with phi -0.5 is homophilic'

# Shades in UTF-8 if the terminal has it.
for locale in C.UTF-8 C.utf8 en_US.UTF-8; do
    [ "$(LC_ALL=$locale locale charmap 2>/dev/null)" = UTF-8 ] || continue
    LC_ALL=$locale run info graph.npz
    expect_status 0
    expect_out '▓▓'
    break
done

# The fingerprint depends on the data, not on the file's name.
cp graph.npz copy.npz
good info copy.npz --json copy.json
expect_equal "$(json copy.json fingerprint)" "$fingerprint" 'the fingerprints'
good info csbm:phi=-0.5,n=200,f=12,d=6,eps=2,seed=5 --json other.json
[ "$(json other.json fingerprint)" != "$fingerprint" ] || fail 'another graph has the same fingerprint'

# A result holds the fingerprint of its data.
good train graph.npz --epochs 2 -q --out run --json result.json
expect_equal "$(json result.json fingerprint)" "$fingerprint" 'the fingerprints'
grep -aqF "\"fingerprint\":\"$fingerprint\"" run/model.safetensors || fail 'the model lacks the fingerprint'

# What cannot be measured is null: this graph of two nodes has no edge.
good info csbm:n=2,f=3,d=0.001,phi=0 --json empty.json
expect_json empty.json
expect_equal "$(json empty.json edges)" 0
for key in node_homophily adjusted_homophily label_informativeness; do
    expect_equal "$(json empty.json $key)" null $key
done
expect_out 'unknown'
expect_err 'warning'
expect_err 'no edges'

# ring CLASSES: a ring of two nodes of each class, in Geom-GCN's form; the first edge appears twice.
ring() {
    mkdir "ring$1"
    awk -v n=$((2 * $1)) 'BEGIN {
        print "node_id\tnode_id\n0\t1"
        for (i = 0; i < n; i++) print i "\t" (i + 1) % n
    }' >"ring$1/out1_graph_edges.txt"
    awk -v c="$1" 'BEGIN {
        print "node_id\tfeature\tlabel"
        for (i = 0; i < 2 * c; i++) print i "\t1,0\t" i % c
    }' >"ring$1/out1_node_feature_label.txt"
}
ring 25 # shades without numbers
good info ring25
expect_err '1 edge was given more than once'
expect_out '.. up to 6, :: up to 25, ++ up to 56, ## above'
expect_out 'class 3   2      ++  ++  '
ring 60 # not even shades
good info ring60 --json ring.json
expect_out 'class 49  2'
expect_out_lacks 'class 50'
expect_out 'and 10 more classes: see the JSON'
expect_json ring.json
expect_equal "$(json ring.json median_degree)" 2
ring 300 # no matrix
good info ring300 --json ring.json
expect_out 'divergence       unknown'
expect_equal "$(json ring.json class_edges)" null
expect_equal "$(json ring.json chernoff_hellinger)" null
expect_equal "$(json ring.json components)" 1

# Whether the file was directed: some of its edges have a reverse, and others have none.
for rows in '1,2 2,1 2,3' '1,2 2,1 2,3 3,2' '1,2 2,3'; do
    printf 'source,target\n%s\n' "$rows" | tr ' ' '\n' >arrows.csv
    { printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 %s\n' "$(wc -w <<<"$rows")" &&
        tr ', ' ' \n' <<<"$rows"; } >arrows.mtx
    case $rows in
    '1,2 2,1 2,3') directed=true one_way=1 ;;
    '1,2 2,3') directed=null one_way=null ;;
    *) directed=false one_way=0 ;;
    esac
    for file in '--edges arrows.csv' arrows.mtx; do
        good info $file --json info.json
        expect_equal "$(json info.json directed) $(json info.json one_way_edges)" "$directed $one_way" \
            "directed, $file, $rows"
        if [ $directed = true ]; then
            expect_out 'directed in the file: 1 of 2 edges have no reverse; all are used in both directions'
        else expect_out_lacks 'directed'; fi
    done
    good convert --edges arrows.csv arrows.gpr -q # a .gpr file remembers a directed one
    good info arrows.gpr --json info.json
    expect_equal "$(json info.json directed)" "${directed/false/null}" "directed, .gpr, $rows"
done
good train csbm:n=40,f=4 --epochs 1 -v
! grep -q 'directed' "$scratch/seen/err" || fail 'an undirected graph is called directed'
printf 'source,target\n' >arrows.csv
for i in $(seq 0 39); do printf '%d,%d\n%d,%d\n' $i $(((i + 1) % 40)) $i $(((i + 39) % 40)); done >>arrows.csv
echo 0,7 >>arrows.csv
for i in $(seq 0 39); do echo $((i % 2)); done >arrows.labels
good train --edges arrows.csv --labels arrows.labels --features degree --epochs 1
expect_equal "$(grep -c 'the edges are directed: 1 of 41 have no reverse; all are used in both directions' \
    "$scratch/seen/err")" 1

# Known faults of public data, by the content of the file. A warning is printed once, a note is part of the table.
good info graph.npz --json info.json
grep -q '^  "known_faults": \[\],$' info.json || fail 'the JSON lacks known_faults'
if [ -e "$data/graphs/cornell.npz" ] && [ -e "$data/graphs/citeseer.npz" ]; then
    cp "$data/graphs/cornell.npz" renamed.npz
    good info renamed.npz --json info.json -v
    expect_equal "$(grep -c "its labels are those of texas.*'gprgnn fetch cornell_corrected'" "$scratch/seen/err")" 1
    expect_out_lacks 'texas'
    expect_json info.json
    grep -q '{"warning": true, "text": "its labels are those of texas' info.json || fail 'the JSON lacks the fault'
    good train renamed.npz --epochs 1 -q
    expect_equal "$(grep -c 'its labels are those of texas' "$scratch/seen/err")" 1
    good info "$data/graphs/citeseer.npz" --json info.json
    expect_out 'note             15 nodes have neither features nor a label'
    ! grep -q '15 nodes' "$scratch/seen/err" || fail 'a note is printed as a warning'
    grep -q '{"warning": false, "text": "15 nodes' info.json || fail 'the JSON lacks the note'
else
    skip_part "no data ($data has no graphs/cornell.npz and citeseer.npz)"
fi
