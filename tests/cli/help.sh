# Help, version, and the documents that must agree with them.
source "$(dirname "$0")/lib.bash"

good --version
expect_equal "$(grep -cE '^gprgnn [0-9]+\.[0-9]+\.[0-9]+$' "$scratch/seen/out")" 1 'lines with a version'
expect_silent_err

good --help
commands=$(sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' "$scratch/seen/out" | grep -vx help)
[ "$(wc -w <<<"$commands")" -ge 8 ] || fail 'the help lists few commands'

for words in --help -h help; do
    good $words
    expect_silent_err
    for command in train predict report search paper generate info explain convert fetch verify; do
        expect_out "  $command "
    done
    for later in bench; do ! grep -qx "$later" <<<"$commands" || fail "the help lists $later"; done
done
run
expect_status 2
expect_silent_out
expect_err 'usage: gprgnn'

for command in $commands; do
    good $command --help
    expect_silent_err
    expect_out "usage: gprgnn $command"
    cp "$scratch/seen/out" "$scratch/seen/$command.help"
    good help $command
    expect_same "$scratch/seen/out" "$scratch/seen/$command.help"
    awk 'length > 100 { exit 1 }' "$scratch/seen/$command.help" || fail "the help of $command has long lines"
done

# Every option of the help is in the manual page, and the other way round.
good --help
cat "$scratch/seen/out" "$scratch"/seen/*.help | grep -oE -- '--[A-Za-z][A-Za-z-]*' | sort -u >"$scratch/seen/in_help"
sed 's/\\-/-/g; s/\\f[A-Z]//g' "$source_dir/docs/gprgnn.1" |
    grep -oE -- '--[A-Za-z][A-Za-z-]*' | sort -u >"$scratch/seen/in_page"
grep -vx -e '--word' "$scratch/seen/in_page" >"$scratch/seen/in_page_only_real"
[ -s "$scratch/seen/in_help" ] || fail 'no option was found in the help'
expect_same "$scratch/seen/in_help" "$scratch/seen/in_page_only_real"
good --version
grep -qF "$(cat "$scratch/seen/out")" "$source_dir/docs/gprgnn.1" || fail 'the manual page is of another version'

# Every option of the library is a flag, and in the table.
good help parameters
expect_same "$scratch/seen/out" "$source_dir/docs/parameters.md"
sed -n 's/^| \([A-Za-z-]*\) | .*/\1/p' "$scratch/seen/out" | grep -vx word >"$scratch/seen/words"
[ "$(wc -l <"$scratch/seen/words")" -ge 18 ] || fail 'the table of parameters is short'
while read -r word; do
    grep -q -- "--$word " "$scratch/seen/train.help" || fail "train --help lacks --$word"
done <"$scratch/seen/words"

bad 2 "did you mean 'train'" trian
bad 2 "did you mean 'predict'" predikt data
for later in bench; do bad 2 "unknown command '$later'" $later x; done
bad 2 'unknown command' help nonsense
bad 2 "see 'gprgnn --help'" --frobnicate
