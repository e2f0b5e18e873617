#!/usr/bin/env bash
# Programs that were linked with the library of 0.1.0, whose names had no versions, run with the library of today:
#     tests/abi/old_programs.sh LIBGPRGNN_SO [CC]
# The library of 0.1.0 is played by an empty one with its soname and its names.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
library=$(cd "$(dirname "$1")" && pwd)
cc=${2:-cc}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

sed -nE '/^GPRGNN_0\.1 \{/,/^\}/s/^ *(gpr_[a-z0-9_]+);$/void \1(void);\nvoid \1(void) {}/p' \
    "$here/../../src/gprgnn.map" \
    >"$scratch/stub.c"
[[ $(grep -c '{}' "$scratch/stub.c") == 77 ]] || fail "0.1.0 had 77 functions: the node GPRGNN_0.1 has others"
"$cc" -shared -fPIC -Wl,-soname,libgprgnn.so.0 "$scratch/stub.c" -o "$scratch/libgprgnn.so"
for program in without_header.c old_program.c; do
    mkdir "$scratch/files"
    "$cc" -std=c11 -I"$here" "$here/$program" -o "$scratch/program" -L"$scratch" -lgprgnn -lm
    ! readelf -V "$scratch/program" | grep GPRGNN_ || fail "the program asks for a version: it is no old program"
    LD_BIND_NOW=1 LD_LIBRARY_PATH=$library "$scratch/program" "$scratch/files" ||
        fail "$program, linked with 0.1.0, does not run with the library of today"
    rm -r "$scratch/files"
done

# And a program of today asks for the versions, so that an older library is refused by name.
"$cc" -std=c11 -I"$here/../../include" "$here/../install/example.c" -o "$scratch/program" -L"$library" -lgprgnn
readelf -V "$scratch/program" | grep -q 'Name: GPRGNN_0\.1 ' || fail "a program of today asks for no version"
