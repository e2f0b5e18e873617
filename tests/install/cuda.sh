#!/usr/bin/env bash
# Configuring with and without nvcc: tests/install/cuda.sh CMAKE CC
set -euo pipefail
cmake=$1
cc=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

configure() { # NAME OPTIONS...
    local name=$1
    shift
    "$cmake" -S "$TEST_SOURCE_DIR" -B "$scratch/$name" -G Ninja -DCMAKE_C_COMPILER="$cc" "$@" >"$scratch/$name.log" 2>&1
}
fail() {
    echo "FAILED: $*" >&2
    tail -n 30 "$scratch"/*.log >&2
    exit 1
}

# A compiler that says nothing is not nvcc; one that knows its version and cannot compile is none either.
cat >"$scratch/nvcc" <<'TEXT'
#!/bin/sh
[ "$1" = --version ] && echo 'Cuda compilation tools, release 13.0, V13.0.48' && exit 0
echo 'nvcc fatal: no host compiler' >&2
exit 1
TEXT
chmod +x "$scratch/nvcc"
if configure no_nvcc -DGPRGNN_CUDA=ON -DGPRGNN_NVCC=/bin/false; then
    fail 'GPRGNN_CUDA=ON is configured without nvcc'; fi
tr -s ' \n' ' ' <"$scratch/no_nvcc.log" | grep -qF "12.0 or later is needed" ||
    fail 'the message does not say what is needed'
if configure broken -DGPRGNN_CUDA=ON -DGPRGNN_NVCC="$scratch/nvcc"; then fail 'a broken nvcc is taken'; fi
grep -qF 'no host compiler' "$scratch/broken.log" || fail 'the message does not say what nvcc said'
configure auto -DGPRGNN_NVCC="$scratch/nvcc" || fail 'AUTO needs nvcc'
grep -qF '✗ NVIDIA GPUs' "$scratch/auto.log" || fail 'AUTO does not say that there is no nvcc'
configure off -DGPRGNN_CUDA=OFF || fail 'OFF cannot be configured'
grep -qF '✗ NVIDIA GPUs' "$scratch/off.log" || fail 'OFF is on'
if configure word -DGPRGNN_CUDA=perhaps; then fail 'any word is taken'; fi
