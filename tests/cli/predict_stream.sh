# Predictions of --order filter-first that go through a temporary file: the same bytes, and nothing is left.
source "$(dirname "$0")/lib.bash"
unset TMPDIR

good generate powerlaw --nodes 66000 --edges 100000 --features 16 --classes 3 --labelled 0.1 -o g.gpr
good generate powerlaw --nodes 500 --edges 1000 --features 16 --classes 3 --labelled 0.5 -o small.gpr
good train small.gpr --order filter-first --K 2 --hidden 4 --epochs 2 --out run --predictions none -q
good predict run g.gpr --proba -o memory.csv --json memory.json -v
expect_err 'take 4.2 MB of memory; computing'
expect_equal "$(wc -l <memory.csv)" 66001 'the lines'
cp "$scratch/seen/err" memory.err

mkdir out tmp
good predict run g.gpr --proba -o out/file.csv --json out/file.json --memory 16M --threads 1 -v
expect_err 'take 4.2 MB in a temporary file in out; computing them takes 13.2 MB'
expect_same out/file.csv memory.csv
expect_same out/file.json memory.json
expect_equal "$(tail -n 1 "$scratch/seen/err")" "$(tail -n 1 memory.err)" 'the last line of -v'

# TMPDIR is where the file goes; a folder that is not there is named.
export TMPDIR=tmp
good predict run g.gpr --proba --memory 8M -v --json /dev/fd/3 3>pipe.json
expect_err 'in a temporary file in tmp;'
expect_same "$scratch/seen/out" memory.csv
expect_same pipe.json memory.json
bad_keeping() {
    run "$@"
    expect_status 1
    expect_same out/file.csv memory.csv
    expect_equal "$(ls -A out tmp | tr '\n' ' ')" 'out: file.csv file.json  tmp: ' 'the files'
}
TMPDIR=nowhere bad_keeping predict run g.gpr -o out/file.csv --memory 16M
expect_err 'nowhere'
unset TMPDIR

# Too little memory, and too little disk, are known before the work.
bad_keeping predict run g.gpr -o out/file.csv --memory 2M
expect_err 'the hops of the features over 66000 nodes take 3.7 MB of memory or more'
status=0
(
    ulimit -f 4000 # kB
    exec "$GPRGNN" predict run g.gpr -o out/file.csv --memory 16M >/dev/null 2>"$scratch/seen/err"
) || status=$?
expect_status 1
expect_err 'File too large'
expect_same out/file.csv memory.csv
expect_equal "$(ls -A out | tr '\n' ' ')" 'file.csv file.json ' 'the files'
