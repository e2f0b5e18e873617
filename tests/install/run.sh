#!/usr/bin/env bash
# Installs a build into a scratch folder and uses it as another project would:
#     tests/install/run.sh BUILD_DIR [CMAKE [CC]]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "$1" && pwd)
cmake=${2:-cmake}
cc=${3:-cc}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/a/prefix

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

"$cmake" --install "$build" --prefix "$prefix" >"$scratch/install.log"
mkdir "$scratch/moved" && mv "$prefix" "$scratch/moved" # nothing may depend on the folder of the installation
prefix=$scratch/moved/prefix
lib=$(dirname "$(find "$prefix" -name libgprgnn.a)")
version=$(sed -n 's/^Version: //p' "$lib/pkgconfig/gprgnn.pc")

echo "== what is there"
for file in bin/gprgnn include/gprgnn.h; do [[ -f $prefix/$file ]] || fail "$file is not installed"; done
if [[ -f $here/../../docs/gprgnn.1 ]]; then
    [[ -f $prefix/share/man/man1/gprgnn.1 ]] || fail "the man page is not installed"
fi
"$prefix/bin/gprgnn" --version | grep -F "$version" || fail "gprgnn --version does not say $version"
readelf -d "$lib/libgprgnn.so" | grep -F 'soname: [libgprgnn.so.0]' || fail "the soname is not libgprgnn.so.0"
[[ $(readlink "$lib/libgprgnn.so.0") == "libgprgnn.so.$version" ]] ||
    fail "libgprgnn.so.0 does not lead to libgprgnn.so.$version"
! grep -rlF "$build" "$prefix/include" "$lib/pkgconfig" "$lib/cmake" || fail "a path of the build is in an installed file"

echo "== exported names"
nm -D --defined-only "$lib/libgprgnn.so" | sed 's/.* //; s/@.*//' | LC_ALL=C sort >"$scratch/exports.txt"
diff -u "$here/exports.txt" "$scratch/exports.txt" || fail "the exported names are not those of tests/install/exports.txt"

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
read -ra cflags <<<"$(pkg-config --cflags gprgnn)"
read -ra libs <<<"$(pkg-config --libs gprgnn)"
"$cc" -std=c11 "${cflags[@]}" "$here/example.c" -o "$scratch/shared" "${libs[@]}"
"$cc" -std=c11 "${cflags[@]}" "$here/../../examples/train.c" -o "$scratch/documented" "${libs[@]}" # what docs/c-api.md shows
LD_LIBRARY_PATH=$lib "$scratch/shared" "$scratch/model.safetensors"
read -ra libs <<<"$(pkg-config --static --libs gprgnn)"
"$cc" -std=c11 "${cflags[@]}" "$here/example.c" -o "$scratch/static" "${libs[@]/#-lgprgnn/-l:libgprgnn.a}"
! readelf -d "$scratch/static" | grep -F libgprgnn || fail "the program with the static library needs the shared one"
"$scratch/static" "$scratch/model.safetensors"

echo "== find_package"
"$cmake" -S "$here" -B "$scratch/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" >"$scratch/configure.log" ||
    { cat "$scratch/configure.log" && fail "find_package"; }
"$cmake" --build "$scratch/build" >"$scratch/build.log" ||
    { cat "$scratch/build.log" && fail "building with find_package"; }
"$scratch/build/with_gprgnn" "$scratch/model.safetensors"
"$scratch/build/with_gprgnn_static" "$scratch/model.safetensors"
! readelf -d "$scratch/build/with_gprgnn_static" | grep -F libgprgnn || fail "gprgnn_static needs the shared library"
