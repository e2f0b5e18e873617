#!/usr/bin/env bash
# Fuzzes every target for a while: tests/fuzz/run.sh BUILD_DIR [SECONDS_EACH]. New inputs are kept in BUILD_DIR/corpus; a
# crash leaves its input in BUILD_DIR and ends the run. Copy what it found to tests/fuzz/corpus/TARGET, then fix it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "$1" && pwd)
seconds=${2:-60}
for program in "$build"/tests/fuzz_*; do
    [[ -x $program && -f $program ]] || continue
    name=${program##*/fuzz_}
    mkdir -p "$build/corpus/$name"
    seeds=("$build/corpus/$name")
    [[ -d $here/corpus/$name ]] && seeds+=("$here/corpus/$name")
    echo "== $name: $seconds s"
    "$program" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$build/$name-" "${seeds[@]}"
done
