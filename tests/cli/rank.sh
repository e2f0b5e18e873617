# Generalised PageRank from seeds: the table, CSV, JSON, clusters, ids of tables, and wrong calls.
source "$(dirname "$0")/lib.bash"

# Two cliques of five nodes, joined by one edge; a third component; labels for the first two.
{
    echo from,to
    for side in a b; do
        for i in 1 2 3 4 5; do
            for j in 1 2 3 4 5; do if [ $j -gt $i ]; then echo "$side$i,$side$j"; fi; done
        done
    done
    echo a1,b1
    echo c1,c2
} >edges.csv
{
    echo id,x,kind
    for i in 1 2 3 4 5; do echo "a$i,1,red"; echo "b$i,2,blue"; done
    echo 'c1,3,'
    echo 'c2,3,'
    echo 'd,4,'
} >nodes.csv
tables="--edges edges.csv --nodes nodes.csv --label kind"

good rank $tables --node a2 --cluster --top 3
expect_silent_err
expect_equal "$(awk 'NR == 2 { print $1, $2, $4, $5, $6 }' "$scratch/seen/out")" '1 a2 4 red (seed)' 'the first row'
expect_equal "$(awk '$1 ~ /^[0-9]+$/' "$scratch/seen/out" | wc -l)" 3 'the rows'
expect_out 'cluster      5 nodes, conductance 0.04762  (volume 21, of which 1 leaves it)'
expect_out 'precision    100.0 % of the labelled nodes in the cluster'
expect_out 'recall       100.0 % of the 4 nodes with that label are in it'

good rank $tables --node a2 --cluster-max 3
expect_out 'cluster      3 nodes, conductance 0.5 '

# Several seeds: with commas, or the flag again; twice is once.
good rank $tables --node a2,b3 --exact -o both.csv -q
expect_silent_out
good rank $tables --node b3 -n a2,b3 --exact -o again.csv -q
expect_same both.csv again.csv
expect_equal "$(head -n 1 both.csv)" node,score,degree,label 'the head'
expect_equal "$(wc -l <both.csv)" 11 'the lines: all nodes but c1 and c2'
awk -F, 'NR > 1 { sum += $2 } END { exit !(sum > 1 - 1e-9 && sum < 1 + 1e-9) }' both.csv ||
    fail 'the scores do not add up to 1'
good rank $tables --node a2 --cluster -o - --json all.json
expect_equal "$(head -n 1 "$scratch/seen/out")" node,score,degree,label,cluster 'the head'
expect_equal "$(awk -F, '$5 == 1 { print $1 }' "$scratch/seen/out" | sort | tr '\n' ' ')" 'a1 a2 a3 a4 a5 ' \
    'the cluster'
expect_json all.json
expect_equal "$(json all.json cluster_nodes)" 5
expect_equal "$(json all.json cluster_precision)" 1
expect_equal "$(json all.json label)" red
good rank $tables --node a2 --json -
expect_json "$scratch/seen/out"
expect_out_lacks '  rank  node'
expect_out_lacks '"cluster'

# A seed without edges, a component of its own, the weights of a file.
good rank $tables --node c1 --cluster --weights 0.5,0.5
expect_out 'cluster      2 nodes, conductance 0 '
good rank $tables --node d --cluster
expect_out 'cluster      none'
expect_equal "$(awk 'NR == 2 { print $2, $3, $4 }' "$scratch/seen/out")" 'd 1 0' 'the first row'
printf '0.5\n0.5\n' >weights.txt
good rank $tables --node c1 --weights weights.txt -o file.csv -q
good rank $tables --node c1 --weights 0.5,0.5 -o list.csv -q
expect_same file.csv list.csv
expect_equal "$(sed -n 2p list.csv)" c1,0.5,1, 'a node without a label'
printf '0 1\n1 2\n' >path.txt
good rank --edges path.txt --node 1 --weights 0,1 -o path.csv -q
expect_equal "$(tr '\n' ' ' <path.csv)" 'node,score,degree 0,0.5,1 2,0.5,1 ' 'one step along a path'

# Ids with commas.
printf 'x,y\n"Doe, J",ann\nann,bob\n' >names.csv
good rank --edges names.csv --node 'Doe, J' --weights 0,1 -q -o named.csv
expect_equal "$(sed -n 2p named.csv)" ann,1,2
good rank --edges names.csv --node 'ann,bob' --weights 1 -q -o named.csv
expect_equal "$(wc -l <named.csv)" 3

# The same on any number of threads.
big=csbm:n=3000,f=2,d=40,phi=0.5,seed=3
good rank $big --node 5 --threads 1 --cluster --json one.json -q
good rank $big --node 5 --threads 4 --cluster --json four.json -q
expect_same one.json four.json

printf '' >empty.txt
printf '0.5\nnan\n' >nan.txt
printf '0.5\nhalf\n' >word.txt
printf '0.5\0\n' >binary.txt
mkdir empty
cd empty
tables="--edges ../edges.csv --nodes ../nodes.csv --label kind"
bad 2 "no node has the id 'a22': did you mean 'a2'?" rank $tables --node a22
bad 2 "no node has the id 'zebra'" rank $tables --node a1,zebra
bad 2 'there is an empty id' rank $tables --node a1,
bad 2 'the nodes are the numbers 0 to 2' rank --edges ../path.txt --node 3
bad 2 'the nodes are the numbers 0 to 2' rank --edges ../path.txt --node ann
bad 2 'no seed: give one node or more with --node' rank $tables
bad 2 'too few arguments' rank --node 3
bad 2 'must be in [0.0001, 1]' rank $tables --node a1 --weights ppr:0
bad 2 'must be in [0.0001, 1]' rank $tables --node a1 --weights ppr:1.5
bad 2 'must be in (0, 500]' rank $tables --node a1 --weights heat:-1
bad 2 'there is no such file' rank $tables --node a1 --weights none.txt
bad 1 'empty.txt has no weights' rank $tables --node a1 --weights ../empty.txt
bad 1 "weight 1 is 'nan'" rank $tables --node a1 --weights ../nan.txt
bad 1 "weight 1 is 'half'" rank $tables --node a1 --weights ../word.txt
bad 1 'not a text file' rank $tables --node a1 --weights ../binary.txt
bad 2 'K is only for ppr, heat and ipr' rank $tables --node a1 --weights 1,2 --K 3
bad 2 'K is 0' rank $tables --node a1 --K 0
bad 2 'top is 0' rank $tables --node a1 --top 0
bad 2 'cluster-max is 0' rank $tables --node a1 --cluster-max 0
bad 2 'tolerance' rank $tables --node a1 --tolerance nan
bad 2 'exclude each other' rank $tables --node a1 --tolerance 0.1 --exact
bad 2 'standard output' rank $tables --node a1 -o - --json -
bad 1 'cannot write' rank $tables --node a1 -o none/scores.csv
