#!/usr/bin/env bash
# BUILD_SHARED_LIBS: ON builds and installs the shared library only, OFF the static one only. The objects are compiled
# once, without optimisation and without a warning. ctest lets clang compile them, so that its warnings are seen too:
#     tests/install/one_library.sh [CMAKE [CC [CC_OF_THE_LIBRARY]]]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cmake=${1:-cmake}
cc=${2:-cc}
library_cc=${3:-$cc}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

check() { # BUILD_SHARED_LIBS LIBRARIES
    echo "==== BUILD_SHARED_LIBS=$1"
    { "$cmake" -S "$here/../.." -B "$scratch/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 \
        -DGPRGNN_CUDA=OFF -DGPRGNN_WERROR=ON \
        -DCMAKE_C_COMPILER="$library_cc" -DBUILD_SHARED_LIBS="$1" &&
        "$cmake" --build "$scratch/build"; } >"$scratch/log" 2>&1 ||
        { tail -n 40 "$scratch/log" && exit 1; }
    bash "$here/run.sh" "$scratch/build" "$cmake" "$cc" "$2"
}

check ON shared
rm "$scratch/build/"libgprgnn.so*
check OFF static
