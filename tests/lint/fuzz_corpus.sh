# Checks the stored inputs of the fuzz targets: each target has some, no folder is without a target, and all together
# are small.
#     fuzz_corpus.sh [ROOT]
set -euo pipefail
cd "${1:-${TEST_SOURCE_DIR:-$(dirname "$0")/../..}}/tests/fuzz"
most=131072 # bytes
failed=0

for target in *.c; do
    [[ $target == replay.c || -n $(find "corpus/${target%.c}" -type f -size +0 2>/dev/null) ]] && continue
    echo "tests/fuzz/$target: no input in tests/fuzz/corpus/${target%.c}" >&2
    failed=1
done
for folder in corpus/*; do
    [[ -f ${folder#corpus/}.c ]] && continue
    echo "tests/fuzz/$folder: there is no target of that name" >&2
    failed=1
done
bytes=$(find corpus -type f -printf '%s\n' | awk '{sum += $1} END {print sum}')
if ((bytes > most)); then
    echo "tests/fuzz/corpus has $bytes bytes: at most $most; fuzz.py minimise takes out what adds nothing" >&2
    failed=1
fi
exit $failed
