# The helpers of lib.bash themselves: an expectation that does not hold must fail the test.
source "$(dirname "$0")/lib.bash"

must_fail() {
    printf 'source "%s"\n%s\n' "$tests_dir/lib.bash" "$1" >"$scratch/inner.sh"
    if bash "$scratch/inner.sh" >/dev/null 2>&1; then fail "this passed: $1"; fi
}
must_pass() {
    printf 'source "%s"\n%s\n' "$tests_dir/lib.bash" "$1" >"$scratch/inner.sh"
    bash "$scratch/inner.sh" >/dev/null 2>&1 || fail "this failed: $1"
}
export GPRGNN TEST_SOURCE_DIR="$source_dir"

must_pass 'good --version; expect_out gprgnn; expect_silent_err; expect_no_files'
must_pass 'bad 2 "unknown command" trane'
must_fail 'good trane'
must_fail 'bad 1 "unknown command" trane'
must_fail 'bad 2 "another message" trane'
must_fail 'bad 2 "" --version'
must_fail 'touch left; bad 2 "unknown command" trane'
must_fail 'run --version; expect_status 1'
must_fail 'run --version; expect_out missing'
must_fail 'run --version; expect_out_lacks gprgnn'
must_fail 'run --version; expect_silent_out'
must_fail 'run trane; expect_silent_err'
must_fail 'run --version; expect_err missing'
must_fail 'expect_file missing'
must_fail 'echo a >a; echo b >b; expect_same a b'
must_fail 'expect_equal 1 2'
must_fail 'echo not >a; expect_json a'
must_fail 'false'
must_fail 'echo "$undefined_name"'
must_pass 'printf "{\n  \"a\": 1.5,\n  \"b\": \"text\"\n}\n" >a
    expect_equal "$(json a a)" 1.5
    expect_equal "$(json a b)" text'
