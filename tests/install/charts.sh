# Building with and without Chart.js: charts.sh CMAKE COMPILER. Only configures, and makes the page.
set -euo pipefail
cmake=$1 cc=$2
: "${TEST_SOURCE_DIR:?}"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

configure() { # LOG SWITCH
    "$cmake" -S "$TEST_SOURCE_DIR" -B "$scratch/$1" -G Ninja -DCMAKE_C_COMPILER="$cc" -DGPRGNN_CUDA=OFF "$2" \
        >"$scratch/$1.log" 2>&1
}
fail() {
    echo "FAILED: $1" >&2
    exit 1
}

if configure missing -DGPRGNN_CHART_JS="$scratch/chart.min.js"; then fail 'a missing Chart.js is no error'; fi
for words in libjs-chart.js GPRGNN_CHART_JS GPRGNN_CHARTS=OFF; do
    grep -qF -e "$words" "$scratch/missing.log" || fail "the message lacks $words"
done
echo '/* Chart.js v4.4.0 */' >"$scratch/chart.min.js"
if configure other -DGPRGNN_CHART_JS="$scratch/chart.min.js"; then fail 'another version is no error'; fi
grep -q 'is not Chart.js 3' "$scratch/other.log" || fail 'another version is not named'

configure without -DGPRGNN_CHARTS=OFF || fail 'it cannot be configured without Chart.js'
"$cmake" --build "$scratch/without" --target gprgnn_page >/dev/null
bytes=$scratch/without/generated/page_bytes.c
cp "$bytes" "$scratch/first.c"
[ "$(wc -c <"$bytes")" -lt 100000 ] || fail 'a page without Chart.js is large'
sleep 1.1 # the time must not be in it
rm "$bytes"
"$cmake" --build "$scratch/without" --target gprgnn_page >/dev/null
cmp -s "$bytes" "$scratch/first.c" || fail 'the same sources give other bytes'
