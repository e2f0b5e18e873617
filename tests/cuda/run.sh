#!/usr/bin/env bash
# Runs the tests that need an NVIDIA GPU: run.sh BUILD. Fails where there is none.
#
# BUILD is a build folder, or one with the program, its library and the tests, packed for another machine.
# First every test; then the same ones under compute-sanitizer (memcheck and racecheck), if it is installed and
# GPRGNN_SANITIZER is not "no".
set -uo pipefail
build=$(cd "${1:?is the build folder}" && pwd)
program=$build/tests/card
[ -e "$program" ] || program=$build/card
tests=$("$program" --list) || exit 1
failed=0

"$build/gprgnn" train csbm:n=100,f=10 --device cuda --epochs 1 -q >/dev/null 2>"${TMPDIR:-/tmp}/gprgnn_cuda.$$" || {
    echo "tests/cuda: a GPU is needed to run these tests: $(tail -n 1 "${TMPDIR:-/tmp}/gprgnn_cuda.$$")" >&2
    rm -f "${TMPDIR:-/tmp}/gprgnn_cuda.$$"
    exit 1
}
rm -f "${TMPDIR:-/tmp}/gprgnn_cuda.$$"

for test in $tests; do
    echo "== $test"
    "$program" "$test" || failed=1
done

sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null)
if [ -n "$sanitizer" ] && [ "${GPRGNN_SANITIZER:-yes}" != no ]; then
    for tool in memcheck racecheck; do
        for test in $tests; do
            case $tool:$test in racecheck:models) continue ;; esac # many minutes, with the kernels of the others
            echo "== $tool: $test"
            # one test asks for more memory than there is, which is no fault
            [ "$tool" = memcheck ] && flags=(--report-api-errors no) || flags=()
            GPRGNN_SMALL=1 "$sanitizer" --tool "$tool" "${flags[@]}" --error-exitcode 9 "$program" "$test" || failed=1
        done
    done
fi
[ $failed -eq 0 ] && echo "tests/cuda: all passed" || echo "tests/cuda: there were failures" >&2
exit $failed
