#!/usr/bin/env bash
# The same functions are in the header, in tests/install/exports.txt, in the version script, and in the library with
# the versions of the script:
#     tests/abi/exports.sh LIBGPRGNN_SO [CC]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$here/../..
library=$1
cc=${2:-cc}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C

# Every declaration that begins with GPR_API, from a header (comments removed).
header_names() {
    "$cc" -w -fpreprocessed -dD -E -P -x c "$1" | tr '\n' ' ' | grep -oE 'GPR_API[^(]*\(' | sed 's/($//; s/.*[ *]//' |
        grep '^gpr_' | sort
}

# "name@@NODE" for every name of a version script.
script_names() {
    sed -E '/^\/\*/,/\*\//d' "$1" |
        awk '/^[A-Z]+_[0-9.]+ *\{/ { node = $1 } /^ *gpr_[a-z0-9_]+;$/ { sub(/;/, ""); print $1 "@@" node }' | sort
}

differ() { # what LEFT RIGHT
    if ! diff -u "$2" "$3"; then
        echo "FAILED: $1" >&2
        return 1
    fi
}

compare() { # header exports script library
    header_names "$1" >"$scratch/header"
    sort "$2" >"$scratch/list"
    script_names "$3" >"$scratch/script"
    sed 's/@@.*//' "$scratch/script" | sort >"$scratch/script_names"
    nm -D --defined-only "$4" | awk '$2 != "A" { print $3 }' | sort >"$scratch/library"
    differ "a name is in gprgnn.h or in exports.txt (+) only" "$scratch/header" "$scratch/list" &&
        differ "a name is in exports.txt or in gprgnn.map (+) only: add 'name;' to the last node of gprgnn.map" \
            "$scratch/list" "$scratch/script_names" &&
        differ "a name has another version in gprgnn.map than in the library (+)" "$scratch/script" "$scratch/library"
}

header=$root/include/gprgnn.h
list=$root/tests/install/exports.txt
script=$root/src/gprgnn.map
compare "$header" "$list" "$script" "$library"
[[ $(wc -l <"$scratch/header") -ge 77 ]] || { echo "FAILED: gprgnn.h has fewer functions than in 0.1.0" >&2 && exit 1; }

# A name that is missing in one of them, or in another node, is seen.
sees() { # what header list script
    if compare "$2" "$3" "$4" "$library" >/dev/null 2>&1; then
        echo "FAILED: $1 is not seen" >&2
        exit 1
    fi
}
sed 's/^GPR_API gpr_status gpr_train(/GPR_API gpr_status gpr_trian(/' "$header" >"$scratch/other.h"
grep -v '^gpr_train$' "$list" >"$scratch/other.txt"
grep -v ' gpr_train;$' "$script" >"$scratch/fewer.map"
{ cat "$scratch/fewer.map" && printf 'GPRGNN_9.9 {\n    gpr_train;\n} GPRGNN_0.1;\n'; } >"$scratch/moved.map"
sees "a name that only the header has" "$scratch/other.h" "$list" "$script"
sees "a name that the list lacks" "$header" "$scratch/other.txt" "$script"
sees "a name that the script lacks" "$header" "$list" "$scratch/fewer.map"
sees "a name in another version" "$header" "$list" "$scratch/moved.map"
echo "$(wc -l <"$scratch/library") names, with their versions"
