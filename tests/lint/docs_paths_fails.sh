# The lint docs_paths.sh itself: it must find a wrong path, a wrong link, a wrong anchor, a long README and
# another version, and accept right ones.
set -euo pipefail
lint=$(cd "$(dirname "$0")" && pwd)/docs_paths.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/src/base" "$scratch/docs"
touch "$scratch/src/base/text.c"
printf '# A page\n\n## Two `words`, here\n' >"$scratch/docs/page.md"

# check WANTED TEXT [PART]: the status of the lint with TEXT as README.md, and what its message holds.
check() {
    local status=0
    printf '%s\n' "$2" >"$scratch/README.md"
    bash "$lint" "$scratch" 2>"$scratch/message" || status=$?
    if [ "$status" -ne "$1" ] || ! grep -qF -e "${3:-}" <<<"$(cat "$scratch/message")"; then
        echo "FAILED with status $status, not $1: $2"
        cat "$scratch/message"
        exit 1
    fi
}

check 0 'See `src/base/text.c`, src/base/, (`src/base/*.c`) and `src/NAME/text.c`.'
check 0 'See [a page](docs/page.md), [a part](docs/page.md#two-words-here) and [all](https://example.org/src/none.c).'
check 1 'See `src/base/gone.c`.' 'README.md:1: there is no src/base/gone.c'
check 1 'See `src/gone/*.c`.' 'src/gone/*.c'
check 1 'Run bash src/base/gone.sh.' 'there is no src/base/gone.sh'
check 1 'See [a page](docs/gone.md).' 'docs/gone.md leads to no file'
check 1 'See [a part](docs/page.md#three-words).' 'leads to no heading'
check 1 'See [a part](#gone).' 'leads to no heading'
check 1 'Nothing to check.' 'no path was found'
check 1 "See src/base/. $(yes word | head -n 900)" 'README.md has 902 words'
printf 'project(gprgnn VERSION 1.2.3 LANGUAGES C)\n' >"$scratch/CMakeLists.txt"
printf 'version: 1.2.3\n' >"$scratch/CITATION.cff"
check 0 'See src/base/.'
printf 'version: 1.2\n' >"$scratch/CITATION.cff"
check 1 'See src/base/.' 'CITATION.cff has another version than CMakeLists.txt, 1.2.3'
