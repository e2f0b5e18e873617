#!/usr/bin/env bash
# Installs a build into a scratch folder and uses it as a stranger would; the folder's name has a blank:
#     tests/install/run.sh BUILD_DIR [CMAKE [CC [LIBRARIES]]]
# LIBRARIES: which ones must be there, "shared static" by default.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "$1" && pwd)
cmake=${2:-cmake}
cc=${3:-cc}
libraries=${4:-shared static}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
has() { [[ " $libraries " == *" $1 "* ]]; }

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

"$cmake" --install "$build" --prefix "$scratch/a b/prefix" >"$scratch/install.log"
mkdir "$scratch/moved to" && mv "$scratch/a b/prefix" "$scratch/moved to" # nothing may depend on where it was installed to
prefix="$scratch/moved to/prefix"
lib=$(dirname "$(dirname "$(find "$prefix" -name gprgnn.pc)")")
version=$(sed -n 's/^Version: //p' "$lib/pkgconfig/gprgnn.pc")

echo "== what is there"
for file in bin/gprgnn include/gprgnn.h; do [[ -f $prefix/$file ]] || fail "$file is not installed"; done
if [[ -f $here/../../docs/gprgnn.1 ]]; then
    [[ -f $prefix/share/man/man1/gprgnn.1 ]] || fail "the man page is not installed"
fi
"$prefix/bin/gprgnn" --version | grep -F "$version" || fail "gprgnn --version does not say $version"
if has static; then [[ -f $lib/libgprgnn.a ]]; else [[ ! -e $lib/libgprgnn.a ]]; fi || fail "libgprgnn.a: expected $libraries"
if has shared; then [[ -f $lib/libgprgnn.so ]]; else [[ ! -e $lib/libgprgnn.so ]]; fi || fail "libgprgnn.so: expected $libraries"
! grep -rlF "$build" "$prefix/include" "$lib/pkgconfig" "$lib/cmake" || fail "a path of the build is in an installed file"
if has shared; then
    readelf -d "$lib/libgprgnn.so" | grep -F 'soname: [libgprgnn.so.0]' || fail "the soname is not libgprgnn.so.0"
    [[ $(readlink "$lib/libgprgnn.so.0") == "libgprgnn.so.$version" ]] ||
        fail "libgprgnn.so.0 does not lead to libgprgnn.so.$version"
    echo "== exported names"
    bash "$here/../abi/exports.sh" "$lib/libgprgnn.so" "$cc"
fi

echo "== the header alone"
printf '#include <gprgnn.h>\n' >"$scratch/header.c"
"$cc" -std=c11 -Wall -Wextra -Wpedantic -Wstrict-prototypes -Werror -I"$prefix/include" -fsyntax-only "$scratch/header.c"
for cxx in g++ clang++; do
    command -v $cxx >/dev/null || continue
    $cxx -std=c++11 -Wall -Wextra -Wpedantic -Werror -I"$prefix/include" -fsyntax-only -x c++ "$scratch/header.c"
    echo "$cxx takes it too"
done

echo "== pkg-config"
export PKG_CONFIG_PATH=$lib/pkgconfig
eval "cflags=($(pkg-config --cflags gprgnn))" # it quotes blanks for a shell
eval "libs=($(pkg-config --libs gprgnn))"
eval "static_libs=($(pkg-config --static --libs gprgnn))"
"$cc" -std=c11 "${cflags[@]}" "$here/example.c" -o "$scratch/plain" "${libs[@]}"
"$cc" -std=c11 "${cflags[@]}" "$here/../../examples/train.c" -o "$scratch/documented" "${libs[@]}" # what docs/c-api.md shows
LD_LIBRARY_PATH=$lib "$scratch/plain" "$scratch/model.safetensors"
if has static; then
    "$cc" -std=c11 "${cflags[@]}" "$here/example.c" -o "$scratch/static" "${static_libs[@]/#-lgprgnn/-l:libgprgnn.a}"
    ! readelf -d "$scratch/static" | grep -F libgprgnn || fail "the program with the static library needs the shared one"
    "$scratch/static" "$scratch/model.safetensors"
fi

echo "== find_package"
configure() { # folder components
    "$cmake" -S "$here" -B "$1" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" -DCOMPONENTS="$2" \
        >"$scratch/configure.log" 2>&1
}
configure "$scratch/build" "${libraries// /;}" || { cat "$scratch/configure.log" && fail "find_package"; }
"$cmake" --build "$scratch/build" >"$scratch/build.log" ||
    { cat "$scratch/build.log" && fail "building with find_package"; }
"$scratch/build/with_gprgnn" "$scratch/model.safetensors"
if has static; then
    "$scratch/build/with_gprgnn_static" "$scratch/model.safetensors"
    ! readelf -d "$scratch/build/with_gprgnn_static" | grep -F libgprgnn || fail "gprgnn_static needs the shared library"
fi
for kind in shared static; do
    if has $kind; then continue; fi
    ! configure "$scratch/build_$kind" $kind || fail "the component $kind is found, but not installed"
done

echo "== without ARPACK"
mkdir "$scratch/empty" && "$cc" -shared -x c /dev/null -o "$scratch/empty/libarpack.so.2"
! LD_LIBRARY_PATH=$scratch/empty "$prefix/bin/gprgnn" train csbm:n=60,f=10 --model geomgcn --epochs 2 -q \
    2>"$scratch/arpack.log" || fail "geomgcn trains without ARPACK"
grep -F 'libarpack2' "$scratch/arpack.log" || fail "the message does not name libarpack2: $(cat "$scratch/arpack.log")"
