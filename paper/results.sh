#!/usr/bin/env bash
# Makes docs/results.md and build/paper/report.html from the runs that are kept in paper/runs.jsonl.gz; trains nothing.
# paper/efficiency.md holds times, paper/filters.md and paper/blocks.md other runs: they are made by hand, as they say.
# To add runs:
#
#     zcat paper/runs.jsonl.gz > DIR/runs.jsonl
#     build/gprgnn paper table-real --runs 100 --out DIR
#     gzip -9nc DIR/runs.jsonl > paper/runs.jsonl.gz
set -euo pipefail
cd "$(dirname "$0")/.."
rm -rf build/paper
build/gprgnn paper table-real table-csbm-sparse table-csbm-dense table-dense-homophilic table-oversmoothing figures \
    --show --kept paper/runs.jsonl.gz --out build/paper -q
{
    cat paper/results-head.md
    sed 1,4d build/paper/results.md # its own head
    cat paper/efficiency.md # measured on one machine, not kept as runs
    cat paper/filters.md    # likewise: its runs are not the paper's
    cat paper/blocks.md
} >docs/results.md
