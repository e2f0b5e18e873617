#!/usr/bin/env bash
# GPR blocks (--model gprdeep) on the ten public splits of four graphs, github.com/yandex-research/heterophilous-graphs:
# what docs/results.md says of them. Choices are by validation nodes.
#
#     paper/search_blocks.sh FOLDER DIR
#
# FOLDER has minesweeper.npz, tolokers.npz, squirrel_filtered_directed.npz and chameleon_filtered_directed.npz. DIR gets
# a folder for each search, and NAME.json for each training; what is done is not repeated. Some hours of one core.
# GPRGNN is the program (build/gprgnn).
set -euo pipefail
folder=${1:?usage: paper/search_blocks.sh FOLDER DIR}
dir=${2:?usage: paper/search_blocks.sh FOLDER DIR}
program=${GPRGNN:-$(dirname "$0")/../build/gprgnn}
mkdir -p "$dir"
alone=(--model gprdeep --threads 1 --label-counts no --smooth no --refit no --calibrate no)

# train NAME GRAPH RUNS FLAGS...: split r has run r
train() {
    local name=$1 file=$folder/$2.npz runs=$3
    shift 3
    [ -s "$dir/$name.json" ] && return
    "$program" train "$file" --split "$file" --runs "$runs" "${alone[@]}" --label-input no --baselines no -q \
        --json "$dir/$name.part" "$@"
    mv "$dir/$name.part" "$dir/$name.json"
}

# search NAME GRAPH DRAWS RUNS GRID FLAGS...
search() {
    local name=$1 file=$folder/$2.npz draws=$3 runs=$4 grid=$5
    shift 5
    "$program" search "$file" --split "$file" --draws "$draws" --runs "$runs" --grid "$grid" --jobs 1 "${alone[@]}" \
        --metric accuracy --out "$dir/$name" -v "$@"
}

# Norms, with the defaults and with what else was tried on the first split.
for norm in layer batch none; do
    train chameleon-$norm chameleon_filtered_directed 3 --norm $norm --epochs 300
    train squirrel-$norm squirrel_filtered_directed 3 --norm $norm --epochs 300
    train minesweeper-$norm minesweeper 1 --norm $norm --epochs 150 --stopping none
    train minesweeper-8-$norm minesweeper 1 --norm $norm --layers 8 --K 1 --lr 0.01 --dropout 0.2 --weight-decay 0 \
        --metric roc_auc --epochs 150 --stopping none
    train tolokers-4-$norm tolokers 1 --norm $norm --dropout 0.2 --metric roc_auc --epochs 100 --stopping none
done

# Minesweeper and tolokers: a few settings on the first split.
mines=(--K 1 --layers 12 --norm batch --weight-decay 0 --metric roc_auc --stopping none)
train minesweeper-12-a minesweeper 1 "${mines[@]}" --lr 0.01 --dropout 0.2 --epochs 500
train minesweeper-12-b minesweeper 1 "${mines[@]}" --lr 0.005 --dropout 0.3 --epochs 400
train minesweeper-12-c minesweeper 1 "${mines[@]}" --lr 0.003 --dropout 0.5 --epochs 400
workers=(--layers 6 --metric roc_auc --epochs 250 --stopping none)
train tolokers-6-layer tolokers 1 "${workers[@]}" --norm layer --dropout 0.2
train tolokers-6-batch tolokers 1 "${workers[@]}" --norm batch --dropout 0.2
train tolokers-6-more tolokers 1 "${workers[@]}" --norm layer --dropout 0.4

# Squirrel and chameleon: draws.
wide='layers=1,2,3,4 K=1,2,3 hidden=64,128 norm=layer,none,batch dropout=0.2..0.8 dprate=0..0.6 lr=0.001..0.01
    weight-decay=1e-4..0.3 normalize=auto,row,none'
slow=(--label-input no --epochs 300 --patience 40)
search squirrel-1 squirrel_filtered_directed 20 5 "$wide" "${slow[@]}"
search squirrel-both-1 squirrel_filtered_directed 20 5 "$wide" "${slow[@]}" --direction both
search chameleon-1 chameleon_filtered_directed 24 10 "$wide direction=undirected,both" "${slow[@]}"
search squirrel-both-2 squirrel_filtered_directed 16 10 "layers=2,3,4,5 K=1,2 hidden=64 norm=layer,none dropout=0.5..0.8
    dprate=0..0.6 lr=0.002..0.01 weight-decay=1e-4..1e-2 optimizer=adam,adamw normalize=none,row label-input=yes,no" \
    --direction both --epochs 100 --patience 30

# Without residuals: a few single changes, of which the validation nodes choose.
plain=(--residual no --norm batch --layers 3 --hidden 128 --K 1 --optimizer adam --lr 0.01 --dropout 0.7
    --normalize none --metric accuracy --stopping none --epochs 60)
train squirrel-plain squirrel_filtered_directed 10 "${plain[@]}" --weight-decay 5e-4
train squirrel-plain-both squirrel_filtered_directed 10 "${plain[@]}" --weight-decay 5e-4 --direction both
for change in norm=batch norm=layer direction=both; do
    train chameleon-plain-"$change" chameleon_filtered_directed 10 "${plain[@]}" --weight-decay 1e-3 \
        --"${change%=*}" "${change#*=}"
done

# What was best, on all ten splits.
for epochs in 400 600; do
    train minesweeper-$epochs minesweeper 10 "${mines[@]}" --lr 0.003 --dropout 0.5 --epochs $epochs
done
train tolokers tolokers 10 "${workers[@]}" --norm layer --dropout 0.2 --epochs 200
for name in squirrel-1 squirrel-both-1 squirrel-both-2 chameleon-1; do
    graph=${name%%-*}_filtered_directed
    [ -s "$dir/$name.json" ] || "$program" train "$folder/$graph.npz" --preset "$dir/$name/preset.conf" --runs 10 \
        --threads 1 --baselines no -q --json "$dir/$name.json"
done
