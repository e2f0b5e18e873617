#!/usr/bin/env bash
# `make install` and `make uninstall`, with blanks in PREFIX and DESTDIR:
#     tests/install/make.sh BUILD_DIR
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "$1" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# The build is there already: -o keeps make from building it.
run_make() { make -C "$here/../.." --no-print-directory -o all "$@" BUILD="$build" >"$scratch/log" 2>&1; }
must() { run_make "$@" || { cat "$scratch/log" && fail "make $*"; }; }

for destdir in "" "$scratch/stage two"; do
    prefix="$scratch/a b/c"
    must install PREFIX="$prefix" DESTDIR="$destdir"
    [[ -x $destdir$prefix/bin/gprgnn ]] || fail "bin/gprgnn is not below '$destdir$prefix'"
    "$destdir$prefix/bin/gprgnn" --version
    for file in bash-completion/completions/gprgnn zsh/site-functions/_gprgnn; do
        [[ -f $destdir$prefix/share/$file ]] || fail "share/$file is not below '$destdir$prefix'"
    done
    pc=$(find "$destdir$prefix" -name gprgnn.pc)
    eval "flags=($(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --cflags --libs gprgnn))"
    [[ -f ${flags[0]#-I}/gprgnn.h ]] || fail "pkg-config gives ${flags[0]}"
    echo mine >"$destdir$prefix/include/mine.h"
    mkdir "$destdir$prefix/share/man/man1/gprgnn"
    must uninstall DESTDIR="$destdir"
    left=$(find "$destdir$prefix" ! -type d -printf '%P ')
    [[ $left == 'include/mine.h ' ]] || fail "uninstall leaves: $left"
    [[ -z $(find "$destdir$prefix" -path '*/cmake/gprgnn') ]] || fail "uninstall leaves the empty folder cmake/gprgnn"
    [[ -d $destdir$prefix/share/man/man1/gprgnn && -d $destdir$prefix/bin ]] ||
        fail "uninstall removes folders of others"
    ! run_make uninstall DESTDIR="$destdir" || fail "a second uninstall finds something"
    grep -qF 'nothing was installed' "$scratch/log" || fail "a second uninstall does not say why it fails"
done
must install PREFIX="$(realpath --relative-to="$here/../.." "$scratch")/near" DESTDIR= # of the source folder
[[ -x $scratch/near/bin/gprgnn ]] || fail "a relative PREFIX"
must uninstall
