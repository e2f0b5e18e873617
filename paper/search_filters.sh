#!/usr/bin/env bash
# Finds the settings of the preset `filters`: gprgnn with other bases, with a gamma for each class, without loops, on
# the dense split of the paper's graphs, by the accuracy on validation nodes. It goes on where it was stopped.
#
#     paper/search_filters.sh DIR     # about half an hour of one core; DIR/NAME/preset.conf are the outcomes
#
# GPRGNN is the program (build/gprgnn), JOBS the number of runs at a time.
set -euo pipefail
dir=${1:?usage: paper/search_filters.sh DIR}
program=${GPRGNN:-$(dirname "$0")/../build/gprgnn}
mkdir -p "$dir"

# search NAME GRAPH DRAWS RUNS GRID [FLAGS...]
search() {
    local name=$1 graph=$2 draws=$3 runs=$4 grid=$5
    shift 5
    "$program" search "$graph" --split dense --draws "$draws" --runs "$runs" --grid "$grid" --label-input no \
        --label-counts no --smooth no ${JOBS:+--jobs "$JOBS"} --out "$dir/$name" -v "$@"
}

# Wide ranges first, then narrower ones around what was best.
jacobi='jacobi:0,1;jacobi:1,1'
drops='dropout=0.1..0.8 dprate=0.1..0.8'
search chameleon-1 chameleon 24 4 "basis=monomial;chebyshev;legendre;$jacobi;jacobi:2,2 gamma=columns loops=no
    layers=1,2 lr=0.01..0.1 K=6,10,14 init=ppr;delta:0;random alpha=0.1..1 hidden=64,128 weight-decay=1e-5..1e-3 $drops"
search chameleon-2 chameleon 16 6 "basis=legendre;jacobi:0.5,0.5;chebyshev gamma=columns loops=no layers=1,2
    lr=0.02..0.08 K=10..16 init=delta:0;ppr alpha=0.4..1 hidden=64,128,256 weight-decay=1e-6..4e-4
    dropout=0.1..0.6 dprate=0.5..0.7"
search chameleon-3 chameleon 10 5 "normalize=row,none,column basis=legendre;jacobi:0.5,0.5;chebyshev gamma=columns
    loops=no layers=1,2 lr=0.02..0.08 K=10..18 init=delta:0;ppr alpha=0.5..1 hidden=128 weight-decay=1e-6..5e-4
    dropout=0.1..0.6 dprate=0.5..0.7"
search chameleon-4 chameleon 12 6 "basis=jacobi:0.5,0.5;legendre;jacobi:1,1;jacobi:0.25,0.25 gamma=columns loops=no
    layers=1 lr=0.05..0.1 K=14..22 init=delta:0 weight-decay=1e-6..5e-5 dropout=0.45..0.7 dprate=0.58..0.68"
search chameleon-5 chameleon 71 3 "basis=jacobi:0.25,0.25;jacobi:0.5,0.5;jacobi:1,1;chebyshev;legendre;monomial
    gamma=columns loops=no layers=1,2 lr=0.005..0.1 K=6,10,14,18,22 init=delta:0;ppr alpha=0.5..1 hidden=64,128
    weight-decay=1e-6..1e-3 dropout=0.2..0.8 dprate=0.2..0.8 normalize=row,none stopping=program,none" \
    --epochs 400 --metric accuracy --no-halving
search squirrel-1 squirrel 14 2 "basis=chebyshev;legendre;$jacobi gamma=columns loops=no layers=1,2 lr=0.02..0.1 K=6,10
    init=ppr;delta:0;random alpha=0.1..1 hidden=64,128 weight-decay=1e-5..1e-3
    dropout=0.1..0.7 dprate=0.1..0.7" --epochs 500
search squirrel-2 squirrel 9 3 "basis=legendre;jacobi:0.5,0.25;chebyshev gamma=columns loops=no layers=2 lr=0.03..0.07
    K=10..18 init=delta:0;ppr alpha=0.1..1 hidden=64,128 weight-decay=1e-6..1e-4
    dropout=0.2..0.6 dprate=0.3..0.65" --epochs 600
search actor-1 actor 14 2 "basis=monomial;chebyshev;jacobi:1,1 gamma=shared,columns loops=no,yes layers=1,2
    lr=0.005..0.05 K=2,5,10 init=ppr;delta:0 alpha=0.5..1 hidden=64,128 weight-decay=1e-5..1e-3 $drops"
search actor-2 actor 14 4 "basis=monomial;jacobi:1,1;legendre gamma=columns,shared loops=yes,no layers=2 lr=0.01..0.05
    K=2,3,5 init=ppr alpha=0.7..1 hidden=64,128,256 weight-decay=2e-4..2e-3 dropout=0.3..0.8 dprate=0.4..0.9"
search actor-3 actor 80 3 "basis=monomial;jacobi:1,1;chebyshev;legendre gamma=columns,shared loops=no,yes layers=1,2
    lr=0.01..0.1 K=1,2,3,5 init=ppr alpha=0.5..1 hidden=64,128,256 weight-decay=1e-5..3e-3 dropout=0.1..0.9
    dprate=0.1..0.9" --epochs 300 --metric accuracy --no-halving
for graph in citeseer cora; do
    search $graph-1 $graph 14 3 "basis=monomial;chebyshev;legendre;jacobi:1,1 gamma=shared,columns loops=no,yes
        layers=1,2 lr=0.005..0.05 K=5,10 init=ppr alpha=0.1..0.9 hidden=64,128 weight-decay=1e-5..1e-3 $drops"
done
near='basis=monomial;jacobi:1,1;legendre gamma=columns,shared loops=yes lr=0.01..0.06 K=5,10 init=ppr alpha=0.1..0.9'
search citeseer-2 citeseer 14 5 "$near layers=1,2 hidden=64,128 weight-decay=3e-4..2e-3 dropout=0.3..0.8 dprate=0..0.7"
search cora-2 cora 12 5 "$near layers=2 hidden=64,128 weight-decay=2e-4..2e-3 dropout=0.3..0.8 dprate=0..0.7"
for graph in texas cornell; do
    search $graph $graph 30 10 "basis=monomial;chebyshev;legendre;jacobi:1,1 gamma=shared,columns loops=no,yes
        layers=1,2 lr=0.01..0.1 K=2,5,10 init=ppr;delta:0 alpha=0.5..1 hidden=64,128 weight-decay=1e-5..1e-3 $drops"
done
search pubmed pubmed 6 1 "basis=monomial;chebyshev;jacobi:1,1 gamma=shared,columns loops=yes layers=2 lr=0.02..0.05
    K=5,10 init=delta:0;ppr alpha=0.5..0.9 hidden=64 weight-decay=2e-4..1e-3 dropout=0.2..0.5
    dprate=0..0.3" --epochs 500
