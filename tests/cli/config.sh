# A flag wins over the file, the file over the preset, the preset over the default.
source "$(dirname "$0")/lib.bash"

cat >"$scratch/seen/conf" <<'END'
# a comment
hidden = 12
epochs = 7      # another
weight_decay = 0.25
lr = "0.03"
END
config() { json_config result.json "$1"; }

good train $tiny --epochs 3 --json result.json -q
expect_equal "$(config hidden)" 64
expect_equal "$(config epochs)" 3

good train $tiny --config "$scratch/seen/conf" --lr 0.002 --json result.json -q
expect_equal "$(config hidden)" 12 hidden
expect_equal "$(config epochs)" 7 epochs
expect_equal "$(config weight-decay)" 0.25 weight-decay
expect_equal "$(config lr)" 0.002 lr
expect_equal "$(config K)" 10 K

# The order on the command line does not matter; the last of the same flag counts.
good train --lr 0.5 --lr 0.002 --config "$scratch/seen/conf" $tiny --hidden=5 --json result.json -q
expect_equal "$(config lr)" 0.002 lr
expect_equal "$(config hidden)" 5 hidden

# The preset is below both.
good train $tiny --preset paper --epochs 2 --json result.json -q
preset_alpha=$(config alpha)
good train $tiny --preset paper --config "$scratch/seen/conf" --epochs 2 --dprate 0.125 --json result.json -q
expect_equal "$(config lr)" 0.03 lr
expect_equal "$(config weight-decay)" 0.25 weight-decay
expect_equal "$(config dprate)" 0.125 dprate
expect_equal "$(config alpha)" "$preset_alpha" alpha

# Threads from a file too.
echo 'threads = 1' >"$scratch/seen/threads"
good train $tiny --config "$scratch/seen/threads" --epochs 2 --json result.json -q
expect_equal "$(json result.json threads)" 1 threads

mkdir empty # bad calls leave no file there
cd empty
echo 'hiden = 3' >"$scratch/seen/wrong"
bad 2 "wrong:1: unknown option 'hiden': did you mean 'hidden'?" train $tiny --config "$scratch/seen/wrong"
printf 'K = 3\n\ndropout = 1\n' >"$scratch/seen/wrong"
bad 2 'wrong:3: dropout is 1: it must be in [0, 1)' train $tiny --config "$scratch/seen/wrong"
printf 'K 3\n' >"$scratch/seen/wrong"
bad 1 "wrong:1: 'K 3' is not a setting" train $tiny --config "$scratch/seen/wrong"
bad 2 "preset 'papr' is not known" train $tiny --preset papr
bad 2 'cannot read' train $tiny --config "$scratch/seen/none"
echo '{"hidden": 4, "data": {"edges": "e.csv", "lable": "y"}}' >"$scratch/seen/wrong"
bad 2 "wrong: unknown word 'lable' under data: did you mean 'label'?" train --config "$scratch/seen/wrong"
printf 'K = 3\nnods = n.csv\n' >"$scratch/seen/wrong"
bad 2 "wrong:2: unknown option 'nods': did you mean 'nodes'?" train --config "$scratch/seen/wrong"
printf 'edge-weight = 2\nedges = e.csv\n' >"$scratch/seen/wrong"
bad 2 "wrong:1: edge-weight: give it below the --edges that it is for, once for each" train \
    --config "$scratch/seen/wrong"
cd ..

# Lines may name the data too, as flags do, and flags win. Paths are those of the current folder.
awk 'BEGIN { print "name,size,kind"; for (i = 0; i < 60; i++) print "n" i "," i % 7 "," (i % 2 ? "odd" : "even") }' \
    >n.csv
awk 'BEGIN { print "source,target"; for (i = 0; i < 60; i++) print "n" i ",n" (i + 2) % 60 }' >e.csv
awk 'BEGIN { print "source,target"; for (i = 0; i < 60; i++) print "n" i ",n" (i + 4) % 60 }' >e2.csv
fast='--epochs 3 --baselines no --refit no --smooth no --label-input no -q'
printf 'edges = e.csv\nnodes = n.csv # ours\nid = name\nlabel = "kind"\nhidden = 8\n' >data.conf
good train --config data.conf $fast --json lines.json
good train --edges e.csv --nodes n.csv --id name --label kind --hidden 8 $fast --json flags.json
same_numbers() {
    grep -v '"ms_per_epoch"\|seconds\|memory' "$1" >"$scratch/seen/one"
    grep -v '"ms_per_epoch"\|seconds\|memory' "$2" >"$scratch/seen/other"
    expect_same "$scratch/seen/one" "$scratch/seen/other"
}
same_numbers lines.json flags.json
printf 'edges = e.csv\nedges = e2.csv\nedge_weight = 3\nnodes = none.csv\nid = name\nlabel = kind\n' >data.conf
good train --config data.conf --nodes n.csv $fast --json lines.json
good train --edges e.csv --edges e2.csv --edge-weight 3 --nodes n.csv --id name --label kind $fast --json flags.json
same_numbers lines.json flags.json
good train $tiny --config data.conf $fast # other data: the graph of the file is not looked at
printf 'label = kind\nid = name\n' >data.conf # without a graph, its words are those of the call's data
good train --config data.conf --edges e.csv --nodes n.csv $fast
printf "data = $tiny\n" >data.conf
good train --config data.conf $fast --out named
good train --config named/config.json $fast
