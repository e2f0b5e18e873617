# Checks the pages (README.md, CONTRIBUTING.md, docs/*.md, examples/README.md): every path of the source tree that a
# page names exists, and every relative link leads to a file and, after #, to a heading. README.md is short, and
# CITATION.cff has the version of CMakeLists.txt.
#     docs_paths.sh [ROOT]
set -euo pipefail
export LC_ALL=C
cd "${1:-${TEST_SOURCE_DIR:-$(dirname "$0")/../..}}"

folders='src|tests|cli|docs|bench|examples|cmake|scripts|include|python'
written_by_reader=src/layer/leaky_relu.c # the example of CONTRIBUTING.md: a file that the reader writes
checked=0
failed=0

wrong() {
    echo "$1" >&2
    failed=1
}

# Every path that is named in the page, as "line path". Words in capitals (corpus/TARGET/) stand for any name.
paths_in() {
    grep -noE "(^|[^[:alnum:]_./-])($folders)/[[:alnum:]_./*-]*" "$1" |
        sed -E "s#^([0-9]+):[^[:alnum:]]?#\1 #; s#[.-]+\$##; s#/[A-Z]+(/|\$)#/*\1#g"
}

# Every link in the page, as "line target".
links_in() {
    grep -noE '\]\([^) ]+\)' "$1" | sed -E 's#^([0-9]+):\]\((.*)\)#\1 \2#'
}

# The anchors of a page's headings, one per line.
anchors_of() {
    sed -nE 's/^#+ //p' "$1" | tr 'A-Z ' 'a-z-' | tr -d '!"#$%&'\''()*+,./:;<=>?@[]\\^`{|}~'
}

for page in README.md CONTRIBUTING.md docs/*.md examples/README.md; do
    [ -e "$page" ] || continue
    while read -r line path; do
        checked=$((checked + 1))
        if [ "$path" = "$written_by_reader" ]; then continue; fi
        compgen -G "$path" >/dev/null || wrong "$page:$line: there is no $path"
    done < <(paths_in "$page")
    while read -r line target; do
        case $target in http://* | https://*) continue ;; esac
        checked=$((checked + 1))
        file=${target%%#*}
        if [ -n "$file" ]; then file=$(dirname "$page")/$file; else file=$page; fi
        if [ ! -e "$file" ]; then
            wrong "$page:$line: the link $target leads to no file"
        elif [ "$target" != "${target#*#}" ]; then
            anchors_of "$file" | grep -qxF -e "${target#*#}" ||
                wrong "$page:$line: the link $target leads to no heading"
        fi
    done < <(links_in "$page")
done
words=$(wc -w <README.md)
if [ "$words" -gt 900 ]; then wrong "README.md has $words words, at most 900 are allowed: the rest belongs to docs/"; fi
if [ -e CITATION.cff ]; then
    version=$(sed -nE 's/^project\(gprgnn VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
    grep -qx "version: $version" CITATION.cff || wrong "CITATION.cff has another version than CMakeLists.txt, $version"
fi
if [ "$checked" -eq 0 ]; then wrong 'no path was found in any page'; fi
exit "$failed"
