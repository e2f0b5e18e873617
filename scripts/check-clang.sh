#!/usr/bin/env bash
# clang builds the libraries and the program too, without a warning (in build/clang), and the program runs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cmake -S . -B build/clang -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug -DGPRGNN_WERROR=ON -DGPRGNN_CUDA=OFF # nvcc has a compiler of its own
cmake --build build/clang -j "${JOBS:-$(nproc)}"
build/clang/gprgnn --version
