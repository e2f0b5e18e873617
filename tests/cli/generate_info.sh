# gprgnn generate and gprgnn info.
source "$(dirname "$0")/lib.bash"

good generate csbm --phi -0.5 --n 200 --f 12 --d 6 --eps 2 --seed 4 -o graph.npz
expect_out 'graph.npz'
expect_out '200 nodes'
expect_out 'homophily'
expect_silent_err
expect_equal "$(ls -A)" graph.npz 'the files'

good info graph.npz --json info.json
expect_json info.json
for key in name nodes edges features classes feature_nnz isolated self_loops node_homophily edge_homophily duplicates \
    labelled mean_degree max_degree class_sizes; do
    grep -q "^  \"$key\": " info.json || fail "the JSON lacks $key"
done
expect_equal "$(json info.json nodes)" 200
expect_equal "$(json info.json features)" 12
expect_equal "$(json info.json classes)" 2
expect_equal "$(json info.json labelled)" 200
expect_equal "$(json info.json self_loops)" 0
expect_equal "$(sed -n 's/^  "class_sizes": //p' info.json)" '[100, 100]' 'the class sizes'
awk -v h="$(json info.json edge_homophily)" 'BEGIN { exit !(h > 0 && h < 0.5) }' ||
    fail 'a graph with phi -0.5 is homophilic'
for part in 'nodes            200' 'node homophily' 'class 0  100' 'degree'; do expect_out "$part"; done
good info graph.npz --json -
expect_same "$scratch/seen/out" info.json

# The file holds the same graph as its csbm: name; and it is found by name.
good info csbm:phi=-0.5,n=200,f=12,d=6,eps=2,seed=4 --json named.json
for key in edges feature_nnz node_homophily isolated; do
    expect_equal "$(json named.json $key)" "$(json info.json $key)" $key
done
good info graph --data-dir . --json found.json
expect_equal "$(json found.json edges)" "$(json info.json edges)" 'the edges'
GPRGNN_DATA=. run info graph --json found.json
expect_status 0

good generate csbm --phi 0.5 --n 200 --f 12 -o graph.npz -q
expect_silent_out
good train graph.npz --epochs 3 -q

# a graph without edges has no homophily
good generate csbm --phi 0 --n 4 --f 1 --d 0.1 -o lone.npz
expect_out '4 nodes, 0 edges, 1 features, 2 classes'
expect_out_lacks nan
good info lone.npz
expect_out_lacks nan
