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
mkdir "$scratch/moved to" && mv "$scratch/a b/prefix" "$scratch/moved to" # nothing may depend on where it was
prefix="$scratch/moved to/prefix"
lib=$(dirname "$(dirname "$(find "$prefix" -name gprgnn.pc)")")
version=$(sed -n 's/^Version: //p' "$lib/pkgconfig/gprgnn.pc")

echo "== what is there"
for file in bin/gprgnn include/gprgnn.h; do [[ -f $prefix/$file ]] || fail "$file is not installed"; done
for file in share/bash-completion/completions/gprgnn share/zsh/site-functions/_gprgnn; do
    [[ -f $prefix/$file ]] || fail "$file is not installed"
done
"$prefix/bin/gprgnn" completion bash | cmp - "$prefix/share/bash-completion/completions/gprgnn" ||
    fail "the installed completion is not that of the installed program"
if [[ -f $here/../../docs/gprgnn.1 ]]; then
    [[ -f $prefix/share/man/man1/gprgnn.1 ]] || fail "the man page is not installed"
fi
"$prefix/bin/gprgnn" --version | grep -F "$version" || fail "gprgnn --version does not say $version"
if has static; then [[ -f $lib/libgprgnn.a ]]; else [[ ! -e $lib/libgprgnn.a ]]; fi ||
    fail "libgprgnn.a: expected $libraries"
if has shared; then [[ -f $lib/libgprgnn.so ]]; else [[ ! -e $lib/libgprgnn.so ]]; fi ||
    fail "libgprgnn.so: expected $libraries"
! grep -rlF "$build" "$prefix/include" "$lib/pkgconfig" "$lib/cmake" ||
    fail "a path of the build is in an installed file"
if has shared; then
    readelf -d "$lib/libgprgnn.so" | grep -F 'soname: [libgprgnn.so.0]' || fail "the soname is not libgprgnn.so.0"
    [[ $(readlink "$lib/libgprgnn.so.0") == "libgprgnn.so.$version" ]] ||
        fail "libgprgnn.so.0 does not lead to libgprgnn.so.$version"
    echo "== exported names"
    bash "$here/../abi/exports.sh" "$lib/libgprgnn.so" "$cc"
fi

echo "== the header alone"
printf '#include <gprgnn.h>\n' >"$scratch/header.c"
strict=(-Wall -Wextra -Wpedantic -Wshadow -Werror "-I$prefix/include" -fsyntax-only)
for standard in c89 c99 c11 c17 c2x; do # c2x: C23, by the name that older compilers know too
    "$cc" -std=$standard -Wstrict-prototypes "${strict[@]}" "$scratch/header.c" || fail "the header is not $standard"
done
for cxx in g++ clang++; do
    command -v $cxx >/dev/null || continue
    for standard in c++98 c++11 c++14 c++17 c++20; do
        $cxx -std=$standard "${strict[@]}" -x c++ "$scratch/header.c" || fail "the header is not $standard for $cxx"
    done
    echo "$cxx takes it too"
done

echo "== what is deprecated says so, and can be silenced"
printf '#include <gprgnn.h>\nvoid f(gpr_csbm_options *o);\nvoid f(gpr_csbm_options *o) { gpr_csbm_defaults(o); }\n' \
    >"$scratch/old.c"
! "$cc" -std=c11 "${strict[@]}" "$scratch/old.c" 2>"$scratch/old.log" || fail "no warning about gpr_csbm_defaults"
grep -q 'use gpr_csbm_options_init' "$scratch/old.log" || fail "the warning does not say what to use"
"$cc" -std=c11 "${strict[@]}" -DGPR_NO_DEPRECATION_WARNINGS "$scratch/old.c" || fail "the warning cannot be silenced"

echo "== pkg-config"
export PKG_CONFIG_PATH=$lib/pkgconfig
eval "cflags=($(pkg-config --cflags gprgnn))" # it quotes blanks for a shell
eval "libs=($(pkg-config --libs gprgnn))"
"$cc" -std=c11 "${cflags[@]}" "$here/example.c" -o "$scratch/plain" "${libs[@]}"
for example in "$here"/../../examples/*.c; do # as their comments say, without a warning
    "$cc" -std=c11 -Wall -Wextra -Werror "${cflags[@]}" "$example" -o "$scratch/documented" "${libs[@]}" -pthread
done
LD_LIBRARY_PATH=$lib "$scratch/plain" "$scratch/model.safetensors"
if has static; then
    cp -r "$prefix" "$scratch/alone" && find "$scratch/alone" -name 'lib*.so*' -delete
    alone=${lib/#"$prefix"/"$scratch/alone"}/pkgconfig
    # gprgnn-static also beside the shared library; gprgnn with --static where the static one is alone
    for flags in "$(pkg-config --libs gprgnn-static)" "$(PKG_CONFIG_PATH=$alone pkg-config --static --libs gprgnn)"; do
        eval "static_libs=($flags)"
        "$cc" -std=c11 "${cflags[@]}" "$here/../../examples/train.c" -o "$scratch/static" "${static_libs[@]}"
        "$cc" -std=c11 "${cflags[@]}" "$here/example.c" -o "$scratch/static" "${static_libs[@]}"
        ! readelf -d "$scratch/static" | grep -F libgprgnn || fail "$flags: the program needs the shared library"
        "$scratch/static" "$scratch/model.safetensors"
    done
    rm -r "$scratch/alone"
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
    ! readelf -d "$scratch/build/with_gprgnn_static" | grep -F libgprgnn ||
        fail "gprgnn_static needs the shared library"
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

if [[ -e $build/libgprgnn_cuda.so ]]; then
    echo "== the library for GPUs"
    [[ -f $lib/libgprgnn_cuda.so ]] || fail "libgprgnn_cuda.so is not installed"
    # Without a GPU the library itself says what is missing; so it has been found.
    "$prefix/bin/gprgnn" train csbm:n=60,f=10 --device cuda --epochs 1 -q >"$scratch/cuda.log" 2>&1 ||
        grep -F 'NVIDIA' "$scratch/cuda.log" || fail "the program does not find the library: $(cat "$scratch/cuda.log")"
fi
