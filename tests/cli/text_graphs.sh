# Graphs as text: edge lists and Matrix Market files, plain, gzip and from a pipe.
source "$(dirname "$0")/lib.bash"

printf '# a comment\nsrc,dst\n0,1\n1,2\n2,0\n2,3\n3,3\n0,1\n' >square.csv
good info square.csv --json square.json
expect_json square.json
expect_equal "$(json square.json name)" square
expect_equal "$(json square.json nodes)" 4
expect_equal "$(json square.json edges)" 4
expect_equal "$(json square.json self_loops)" 1
expect_equal "$(json square.json duplicates)" 1
expect_equal "$(json square.json features)" 0
expect_equal "$(json square.json classes)" 0
expect_equal "$(json square.json feature_density)" null
expect_out 'features         none'
expect_err 'square: 1 edge was given more than once and merged'
fingerprint=$(json square.json fingerprint)

same_graph() { expect_equal "$(json "$1" fingerprint)" "$fingerprint" "the fingerprint of $2"; }
gzip -c square.csv >packed # the name does not matter
good info packed --json out.json
same_graph out.json packed
printf '0 1\r\n1\t2\r\n2 0\r\n2 3' >windows.txt
good info windows.txt --json out.json
same_graph out.json windows.txt
printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n4 4 4\n2 1\n3 2\n3 1\n4 3\n' >square.mtx
good info square.mtx --json out.json
same_graph out.json square.mtx
good info ./square.mtx --format mtx --json out.json
same_graph out.json square.mtx

# a pipe
"$GPRGNN" info /dev/stdin --json out.json <square.csv >/dev/null 2>&1 || fail 'a file as standard input'
same_graph out.json 'standard input'
cat square.csv | "$GPRGNN" info /dev/stdin --format edges --json out.json >/dev/null 2>&1 || fail 'a pipe'
same_graph out.json 'a pipe'
"$GPRGNN" info <(gzip -c square.csv) --json out.json >/dev/null 2>&1 || fail 'a pipe with a name'
same_graph out.json 'a packed pipe'

# names, and weights
printf 'Source;Target;Weight\nann;bob;2\nbob;eve;0.5\n' >people.csv
good info people.csv
expect_out 'nodes            3'
expect_out 'weighted'

# a graph without labels cannot be trained on, whether it has features or not
rm -f -- *
printf '0,1\n1,2\n' >"$scratch/seen/small.csv"
for data in "$scratch/seen/small.csv" "--edges=$scratch/seen/small.csv" "$scratch/seen/small.csv --features=degree"; do
    for command in train search; do
        bad 2 "small has no labelled node: there is nothing to train on; give --label" $command $data --split 60/20/20
    done
done

# messages say what is wrong, and where
wrong() {
    printf "$1" >"$scratch/seen/wrong.edges"
    bad 1 "$2" info "$scratch/seen/wrong.edges"
}
wrong '0,1\n1.5,2\n' "wrong.edges:2: '1.5' is not a whole number"
wrong '0,1\n\n-2,2\n' 'wrong.edges:3: node -2'
wrong '0,1\n1\n' 'wrong.edges:2: 1 field'
wrong '0 1 1\n1 2 0\n' 'wrong.edges:2: weight 0'
wrong '' 'wrong.edges: no edges'
printf '0,1\n1,2\n' | gzip -c | head -c 20 >"$scratch/seen/cut.edges.gz"
bad 1 'cut.edges.gz: the gzip data breaks off' info "$scratch/seen/cut.edges.gz"
head -c 15 "$scratch/seen/cut.edges.gz" >"$scratch/seen/early.gz" # not even one line to recognise the format by
bad 1 'early.gz: the gzip data breaks off' info "$scratch/seen/early.gz"
printf '0,1\n\0\n' >"$scratch/seen/nul.edges"
bad 1 'nul.edges:2: a NUL byte' info "$scratch/seen/nul.edges"
bad 2 'unknown format' info "$scratch/seen/small.csv" --format edge
