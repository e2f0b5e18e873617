#!/usr/bin/env bash
# Packs the fuzz targets, so that they run on another x86-64 Linux machine, where nothing needs to be installed:
#     scripts/fuzz-bundle.sh OUT.tar.gz        (or OUT.tar.zst, which is smaller) builds the preset `fuzz` and packs it
# There: tar xzf OUT.tar.gz && fuzz/go.sh SECONDS JOBS OUTDIR. Then, here, with OUTDIR:
#     tests/fuzz/fuzz.py add build/fuzz OUTDIR/logs; cp -n OUTDIR/corpus/TARGET/* build/fuzz/corpus/TARGET/
set -euo pipefail
out=$(realpath "${1:?usage: scripts/fuzz-bundle.sh OUT.tar.gz}")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz -j "${JOBS:-$(nproc)}" >/dev/null
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/fuzz/{bin,lib,corpus}
for program in build/fuzz/tests/fuzz_*; do
    [[ -f $program && -x $program ]] || continue
    name=${program##*/fuzz_}
    strip -g -o "$work/fuzz/bin/$name" "$program"
    ldd "$program" | grep -o '/[^ ]*' >>"$work/libraries"
    mkdir -p "$work/fuzz/corpus/$name"
    for seeds in tests/fuzz/corpus build/fuzz/corpus; do
        [[ -d $seeds/$name ]] && cp -r "$seeds/$name/." "$work/fuzz/corpus/$name/"
    done
done
sort -u "$work/libraries" | xargs -I{} cp -L {} "$work/fuzz/lib/"
cp tests/fuzz/go.sh "$work/fuzz/go.sh"
git rev-parse HEAD >"$work/fuzz/commit"
case $out in
    *.zst) tar -C "$work" -cf - fuzz | zstd -q -f -10 --long=27 -o "$out" ;; # to unpack: zstd -dc --long=27 | tar xf -
    *) tar -C "$work" -czf "$out" fuzz ;;
esac
du -h "$out"
