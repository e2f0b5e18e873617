# Geom-GCN's latent space: computed, from files, wrong files, and in predictions.
source "$(dirname "$0")/lib.bash"

geom="train $tiny --model geomgcn --epochs 12"
files=$scratch/seen

# Computed: it is reported in the summary, in JSON, and with -v on standard error.
for embedding in isomap poincare struc2vec; do
    good $geom --embedding $embedding --runs 2 --out run --json result.json -v
    expect_err "embedding $embedding: "
    expect_err 'latent neighbours per node'
    expect_out "embedding=$embedding"
    grep -qE '^  embedding +[0-9.e-]+ s, rho [0-9.e-]+, [0-9.]+ latent neighbours per node, [0-9.]+ in the graph$' \
        "$files/out" || fail 'the summary lacks what the embedding took'
    tr -d ' \n' <result.json |
        grep -qE "\"embedding\":\{\"name\":\"$embedding\",\"seconds\":[0-9.e-]+,\"rho\":[0-9.]+," ||
        fail 'the JSON lacks what the embedding took'
    good predict run $tiny --proba -o same.csv
    expect_same same.csv run/predictions.csv
    good predict run csbm:n=200,f=20,phi=0,seed=4 -q
    rm -rf ./*
done
good train $tiny --model gcn --epochs 2 --json -
expect_out '"embedding": null'

# It does not depend on the seed (run 1 of seed 3 is run 0 of seed 4) nor on the number of threads.
for embedding in poincare struc2vec; do
    good $geom --embedding $embedding --runs 2 --seed 3 --threads 3 --out two -q
    good $geom --embedding $embedding --seed 4 --threads 1 --out one -q
    sed -n 's/^1,//p' two/history.csv >"$files/second"
    sed -n 's/^0,//p' one/history.csv >"$files/only"
    expect_same "$files/second" "$files/only"
    rm -rf ./*
done

# Places in a file: the same places give the same training.
for ((i = 0; i < 300; i++)); do echo "$((i * 7919 % 1009)),$((i * 104729 % 997))"; done >"$files/places.csv"
gzip -c "$files/places.csv" >"$files/packed.txt"
(echo 'x y' && tr , ' ' <"$files/places.csv") >"$files/blanks.txt"
for file in places.csv packed.txt blanks.txt; do good $geom --embedding "$files/$file" --out "$file" -q; done
for file in packed.txt blanks.txt; do expect_same $file/predictions.csv places.csv/predictions.csv; done
good predict places.csv $tiny --embedding "$files/places.csv" --proba -o again.csv
expect_same again.csv places.csv/predictions.csv
run predict places.csv $tiny -o never.csv # a model does not choose which files are opened
expect_status 2
expect_err "the model was trained with the embedding file '$files/places.csv'"
expect_err 'give --embedding with that file'
[ ! -e never.csv ] || fail 'an output was left'
mv "$files/places.csv" "$files/moved.csv"
run predict places.csv $tiny --embedding "$files/places.csv"
expect_status 2
expect_err "embedding '$files/places.csv': no such file, nor isomap, poincare or struc2vec"
good predict places.csv $tiny --embedding "$files/moved.csv" --proba -o again.csv
expect_same again.csv places.csv/predictions.csv
good predict places.csv csbm:n=200,f=20,phi=0,seed=4 --embedding isomap -q
run predict places.csv csbm:n=200,f=20,phi=0,seed=4 --embedding "$files/moved.csv"
expect_status 2
expect_err 'moved.csv holds 300 x 2 numbers: expected 200 x 2, a point for every node'
good train $tiny --model mlp --epochs 2 --out mlp -q
run predict mlp $tiny --embedding isomap
expect_status 2
expect_err "the model mlp has no option 'embedding'"
rm -rf ./*

# Files that do not fit.
bad 2 "the model gprgnn has no option 'embedding'" train $tiny --embedding isomap
bad 2 "embedding 'isomp': no such file, nor isomap, poincare or struc2vec; did you mean 'isomap'?" $geom \
    --embedding isomp
bad 2 "did you mean 'struc2vec'?" $geom --embedding struct2vec
bad 2 "embedding 'none.txt': no such file" $geom --embedding none.txt
bad 2 'embedding' $geom --embedding .
head -n 299 "$files/moved.csv" >"$files/short.csv"
bad 2 'short.csv holds 299 x 2 numbers: expected 300 x 2' $geom --embedding "$files/short.csv"
sed '5s/.*/1,x/' "$files/moved.csv" >"$files/letter.csv"
bad 2 "letter.csv:5: 'x' is not a number" $geom --embedding "$files/letter.csv"
printf 'node1,node2\tspace\trelation_type\n0,1\tgraph\t0\n1,0\tgraph\t3\n' >"$files/relations.txt"
bad 2 'relations of another graph' $geom --embedding "$files/relations.txt"
printf 'node1,node2\tspace\trelation_type\n0,300\tgraph\t0\n' >"$files/beyond.txt"
bad 2 'beyond.txt:2: node 300: the graph has 300 nodes' $geom --embedding "$files/beyond.txt"
head -c 40 /dev/zero >"$files/zeros"
bad 2 'zeros' $geom --embedding "$files/zeros"
