# Tables as they come: columns in any order, an index, several files, repeated and unknown edges, encodings, files of
# other kinds, standard input, and graphs without features.
source "$(dirname "$0")/lib.bash"
data=$scratch/seen/data # outside the working folder, which must stay empty
mkdir "$data"
n=$data/n.csv
printf 'id,x,label\na,1,p\nb,2,q\nc,3,p\nd,4,q\n' >"$n"

# wrong STATUS ARGUMENTS...: it fails with that status and prints no result.
wrong() {
    local wanted=$1
    shift
    run "$@"
    expect_status "$wanted"
    expect_silent_out
}

# from FILE ARGUMENTS...: runs it with FILE as standard input.
from() {
    local file=$1
    shift
    called="gprgnn $* <$file"
    status=0
    "$GPRGNN" "$@" >"$scratch/seen/out" 2>"$scratch/seen/err" <"$file" || status=$?
}

# ---- columns
printf 'when,whom,amount,who\n9,b,3,a\n9,c,4,b\n9,d,4,a\n' >"$data/order.csv"
good info --edges "$data/order.csv" --source who --target whom --nodes "$n" --label label -v
expect_err 'order.csv: edges from column who to column whom, no weights'
expect_out 'edges            3 '
good info --edges "$data/order.csv" --source 4 --target 2 --nodes "$n" --label label
expect_out 'edges            3 '
wrong 2 info --edges "$data/order.csv" --source who --nodes "$n"
expect_err '--source is given without --target'
wrong 2 info --edges "$data/order.csv" --source who --target nobody --nodes "$n"
expect_err "no column 'nobody' (target): the header has when, whom, amount, who"
wrong 2 info cora --source 1
expect_err 'give --edges'
for head in '' 'Unnamed: 0'; do
    printf '%s,who,whom\n0,a,b\n1,b,c\n2,c,d\n' "$head" >"$data/index.csv"
    good info --edges "$data/index.csv" --nodes "$n" --label label -v
    expect_err 'edges from column who to column whom, no weights; the first column is an index'
    expect_out 'edges            3 '
done

# ---- several files, and weights of repeated edges
printf 'source,target\na,b\nb,a\na,b\n' >"$data/one.csv"
printf 'source,target,weight\nc,d,2\n' >"$data/two.csv"
good convert --edges "$data/one.csv" --edges "$data/two.csv" --nodes "$n" both.gpr -q
good info both.gpr
expect_out 'edges            2 '
good convert --edges "$data/one.csv" --edge-weight 3 --edges "$data/two.csv" --edge-weight 0.5 --nodes "$n" \
    by_file.npz -q
printf 'source,target,weight\na,b,3\nc,d,1\n' >"$data/same.csv"
good convert --edges "$data/same.csv" --nodes "$n" same.npz -q
fingerprint() {
    good info "$1" --json info.json
    json info.json fingerprint
}
expect_equal "$(fingerprint by_file.npz)" "$(fingerprint same.npz)" 'weights by file'
good convert --edges "$data/one.csv" --edges "$data/two.csv" --nodes "$n" --duplicates count count.gpr -q
printf 'source,target,weight\na,b,3\nc,d,1\n' >"$data/same.csv"
expect_equal "$(fingerprint count.gpr)" "$(fingerprint same.npz)" 'counts'
good convert --edges "$data/one.csv" --edges "$data/two.csv" --nodes "$n" --duplicates sum sum.gpr -q
printf 'source,target,weight\na,b,3\nc,d,2\n' >"$data/same.csv"
good convert --edges "$data/same.csv" --nodes "$n" same.npz -q
expect_equal "$(fingerprint sum.gpr)" "$(fingerprint same.npz)" 'sums'
rm ./*.gpr ./*.npz info.json
wrong 2 info --edge-weight 2 --edges "$data/one.csv"
expect_err '--edge-weight 2: give it after the --edges that it is for'
wrong 2 info --edges "$data/one.csv" --edge-weight none
expect_err "edge-weight is 'none': it must be a number above 0"
wrong 2 info --edges "$data/one.csv" --duplicates mean
expect_err 'give max, sum, first or count'

# ---- ids that the nodes lack
printf 'source,target\na,b\nx,b\nb,c\na,y\nx,y\nx,z\n' >"$data/unknown.csv"
wrong 1 info --edges "$data/unknown.csv" --nodes "$n"
expect_err "unknown.csv:3: node 'x' is not among the nodes of $n, and 3 more edges are so: lines 5, 6, ...; correct "\
"them, or give --unknown skip"
good info --edges "$data/unknown.csv" --nodes "$n" --label label --unknown skip
expect_err "4 edges were left out: they have an id that is not among the nodes of $n"
expect_out 'edges            2 '
printf 'day,source,target\n1,a,b\n2,x,b\n' >"$data/third.csv" # one edge is known: these are the columns
wrong 1 info --edges "$data/third.csv" --nodes "$n"
expect_err "third.csv:3: node 'x' is not among the nodes of $n; correct it, or give --unknown skip"
printf 'day,payer,payee\n1,a,b\n2,b,c\n' >"$data/third.csv" # none is: the ids are in other columns
wrong 1 info --edges "$data/third.csv" --nodes "$n"
expect_err 'name the columns with ids by --source and --target, or correct them'
wrong 2 info --edges "$data/unknown.csv" --unknown skip
expect_err 'give --nodes'

# ---- ids that begin with #, and comments
printf 'source,target\n#1,#2\n# not an edge\n#2,#3\n' >"$data/tags.csv"
good info --edges "$data/tags.csv" -v
expect_out 'nodes            3'
expect_out 'edges            2 '
expect_err 'tags.csv: 1 line was skipped as comment, the first is line 3'

# ---- encodings
printf 'source,target\nJos\xe9,b\nb,c\n' >"$data/latin.csv"
wrong 1 info --edges "$data/latin.csv"
expect_err "latin.csv:2: the byte 0xe9 after 'Jos' is not UTF-8: give --encoding latin1"
good info --edges "$data/latin.csv" --encoding latin1
expect_out 'nodes            3'
printf 's\0o\0u\0r\0c\0e\0,\0t\0a\0r\0g\0e\0t\0\n\0a\0,\0b\0\n\0' >"$data/wide"
wrong 1 info --edges "$data/wide"
expect_err 'give --encoding utf-16'
good info --edges "$data/wide" --encoding utf-16
{ printf '\xff\xfe' && cat "$data/wide"; } >"$data/marked"
good info --edges "$data/marked"
expect_out 'nodes            2'
wrong 2 info --edges "$data/wide" --encoding ebcdic
expect_err 'give utf-8, latin1 or utf-16'

# ---- files of other kinds
printf 'PAR1\0\0\0\0' >"$data/t.parquet"
printf ' {"nodes": [1, 2]}' >"$data/t.json"
printf '<!DOCTYPE html>\n<html>' >"$data/t.html"
for kind in 'parquet:a parquet file' 'json:a JSON file' 'html:an HTML page'; do
    file=$data/t.${kind%%:*}
    for call in "--edges $file" "--edges $data/one.csv --nodes $file" "$file"; do
        wrong 1 info $call
        expect_err "$file is ${kind#*:}: "
    done
done

# ---- standard input
from "$data/one.csv" info --edges - --nodes "$n" --label label
expect_status 0
expect_out 'edges            1 '
from "$data/latin.csv" info --edges -
expect_status 1
expect_err 'standard input:2: the byte 0xe9'
for several in '--edges - --nodes -' '--edges - --edges -' "--edges $n --nodes - --labels -"; do
    wrong 2 info $several
    expect_err 'standard input (-) is given for several files'
done
printf 'a,b\nb,c\nc,d\n' >"$data/three.csv"
from "$n" info --edges "$data/three.csv" --nodes - --label label
expect_status 0
expect_out 'edges            3 '
expect_out '(4 of 4 nodes labelled)'
# Messages name it: of the table of edges, of nodes, of labels.
# says STATUS PART FILE ARGUMENTS...
says() {
    local wanted=$1 part=$2
    shift 2
    from "$@"
    expect_status "$wanted"
    expect_err "$part"
    ! grep -qE '(^| )-(:|;|$)' "$scratch/seen/err" || fail 'a message says - for standard input'
}
printf 'a,b\nb,x\n' >"$data/stranger.csv"
printf 'a,b\nb\n' >"$data/short.csv"
printf 'p\nq\n' >"$data/two.csv"
printf 'id,x,label\na,1,0\nb,2,-1\nc,3,1\nd,4,2\n' >"$data/minus.csv"
says 1 'standard input:2: 1 field' "$data/short.csv" info --edges -
says 1 "standard input:2: node 'x' is not among the nodes of $n" "$data/stranger.csv" info --edges - --nodes "$n"
says 1 "stranger.csv:2: node 'x' is not among the nodes of standard input" "$n" info --edges "$data/stranger.csv" \
    --nodes -
says 0 'it has an id that is not among the nodes of standard input' "$n" info --edges "$data/stranger.csv" --nodes - \
    --unknown skip --label label
says 2 "standard input: no column 'nobody' (label)" "$n" info --edges "$data/three.csv" --nodes - --label nobody
says 0 'standard input: the label -1 of 1 node is taken as none' "$data/minus.csv" info --edges "$data/three.csv" \
    --nodes - --label label
says 1 'standard input: 2 labels, but three has 4 nodes' "$data/two.csv" info --edges "$data/three.csv" --labels -
says 1 'standard input: no edges' /dev/null info --edges -

# ---- ids among the features, two columns of one name, columns that tell the label
awk -v folder="$data" 'BEGIN {
    print "id,customer_id,crmId,store_id,income,price,label,price,Price,told" >folder "/ids_n.csv"
    print "source,target,weight,weight" >folder "/ids_e.csv"
    for (i = 0; i < 60; i++) {
        y = i % 2
        printf "a%d,%d,x%d,%d,%g,%g,%s,%d,0,%d\n", i, 100000001 + i, i, i % 7, i * 1.7, i * 37 % 61,
            y ? "odd" : "even", y, y + 2 >folder "/ids_n.csv"
        for (k = 1; k <= 3; k++) print "a" i ",a" (i + 2 * k) % 60 ",1,2" >folder "/ids_e.csv"
    }
}'
ids="--edges $data/ids_e.csv --nodes $data/ids_n.csv"
roles() { # of the columns, as a line
    good info $ids "$@" --json "$scratch/info.json" -q
    python3 -c "import json; print(*(c['role'][0] for c in json.load(open('$scratch/info.json'))['columns']))"
}
expect_equal "$(roles --label label)" 'i d d f f f l f f f' 'the roles' # unique numbers that no id has stay
good info $ids --label label
expect_err "column 'customer_id' is an id, by its name and as every row has another value: it is left out; "\
'--id customer_id takes it as the ids of the nodes, '
expect_err "column 'crmId' is an id"
expect_err "ids_n.csv: columns 6 and 8 are both named 'price'"
expect_err "ids_e.csv: columns 3 and 4 are both named 'weight': column 3 is taken as the weight"
expect_err "column 'told' tells the label exactly: each of its 2 values goes with one class"
expect_out 'left out: an id, every row has another value'
grep -q "column 'store_id'\|column 'income'\|column 'Price' tells" "$scratch/seen/err" && fail 'a false alarm'
expect_equal "$(roles --label label --numeric customer_id --categorical crmId --drop 6,8,Price,told)" \
    'i f f f f d l d d d' 'the roles'
for option in 'label price' 'label label --drop price' 'label label --numeric price'; do
    wrong 2 info $ids --$option
    expect_err "ids_n.csv: columns 6 and 8 are both named 'price'"
    expect_err 'rename one, or give the number'
done
wrong 2 info $ids --weight weight --label label
expect_err "ids_e.csv: columns 3 and 4 are both named 'weight' (weight): rename one, or give the number"
good info $ids --label Price # the exact name
good info $ids --label 8
expect_err "columns 6 and 8 are both named 'price': one is the label, and the other may tell it"
expect_err "column 'label' tells the label exactly"
# The model reads a table as its own: the same label of two, and an id that is none in a small table stays out.
good train $ids --label 8 --drop label,told --epochs 5 --out twins -q
good predict twins $ids --proba
expect_same "$scratch/seen/out" twins/predictions.csv
good train $ids --label label --drop 6,8,told --epochs 5 --out ids -q
sed 's/^\(a[0-9]*\),[0-9]*,/\1,7,/' "$data/ids_n.csv" >"$data/ids_same.csv"
good predict ids --edges "$data/ids_e.csv" --nodes "$data/ids_same.csv" --proba
expect_same "$scratch/seen/out" ids/predictions.csv
rm -r twins ids

# ---- graphs without features
awk -v folder="$data" 'BEGIN {
    print "id,label" >folder "/bare_n.csv"
    print "source,target" >folder "/bare_e.csv"
    for (i = 0; i < 60; i++) {
        print i "," (i % 2 ? "odd" : "even") >folder "/bare_n.csv"
        for (k = 1; k <= 3; k++) print i "," (i + 2 * k) % 60 >folder "/bare_e.csv"
    }
}'
bare="--edges $data/bare_e.csv --nodes $data/bare_n.csv --label label"
good train $bare --split 60/20/20 --epochs 60 --out run -q
expect_err 'has no features: --features identity are made from the graph'
good predict run $bare --proba -v
expect_same "$scratch/seen/out" run/predictions.csv
expect_err ': the model was trained on this data'
for kind in degree spectral:4; do
    good train $bare --split 60/20/20 --epochs 20 --features $kind --out run.$kind -q
    good predict run.$kind $bare --proba
    expect_same "$scratch/seen/out" run.$kind/predictions.csv
done
sed '$d' "$data/bare_e.csv" >"$data/fewer.csv"
good predict run.degree --edges "$data/fewer.csv" --nodes "$data/bare_n.csv" --label label
for kind in '' .spectral:4; do
    wrong 1 predict run$kind --edges "$data/fewer.csv" --nodes "$data/bare_n.csv" --label label
    expect_err 'made from its own graph, and bare is another one'
done
wrong 2 train $bare --features spectral:1000
expect_err 'give spectral:N with a number N of eigenvectors from 1 to 60'
rm -r run run.*
