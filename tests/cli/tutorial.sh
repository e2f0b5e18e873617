# Runs the commands of docs/tutorial.md, in order, and compares their output with the page: word for word, except for
# learned numbers (other kernels round differently), time and memory. Then the command of README.md, whose output is
# shortened there.
source "$(dirname "$0")/lib.bash"
page=$source_dir/docs/tutorial.md
[ "$(LC_ALL=C.UTF-8 locale charmap 2>/dev/null)" = UTF-8 ] || skip 'there is no locale C.UTF-8'
export LC_ALL=C.UTF-8
mkdir "$scratch/bin"
ln -s "$GPRGNN" "$scratch/bin/gprgnn"
PATH=$scratch/bin:$PATH
needs python3
mkdir -p "$scratch/work/docs/tutorial"
cp -R "$source_dir/bench" "$scratch/work/bench"
cd "$scratch/work/docs/tutorial"
cp "$source_dir"/docs/tutorial/*.csv .

# The page's console blocks as files: 01.command, 01.wanted, 02.command, ...
awk -v folder="$scratch/seen" '
    /^```/ { inside = $0 == "```console"; next }
    !inside { next }
    /^\$ / { name = sprintf("%s/%02d", folder, ++count)
        print substr($0, 3) >(name ".command"); printf "" >(name ".wanted"); next }
    { print >(name ".wanted") }' "$page"

# Learned numbers become D, numbers that never repeat become N; the bars of the chart are removed, and lines that are
# broken after a number are joined.
loosely() {
    sed -z -E 's/\n {19}([^ ])/ \1/g' "$1" | sed -E '/^  (best epoch|time|peak memory) /s/[0-9][0-9.e+-]*/N/g
        s/(labelled nodes for) [0-9]+ epochs/\1 N epochs/
        s/-?[0-9]+ %/N %/g
        /^classes /,/^compared /s/[0-9]+/N/g
        s/^(filter ).*/\1/
        s/-?[0-9]+\.[0-9]+(e-?[0-9]+)?/D/g
        s/[▏▎▍▌▋▊▉█▐│░▒▓]//g
        s/ +/ /g; s/ $//'
}

count=0
for command in "$scratch"/seen/*.command; do
    called=$(cat "$command")
    wanted=${command%.command}.wanted
    status=0
    bash -c "$called" >"$scratch/seen/out" 2>&1 </dev/null || status=$?
    printf '' >"$scratch/seen/err"
    # Lines of progress come every few seconds: how many depends on the machine.
    sed -E -i '/^gprgnn: .*[0-9]+ %  .*(epoch|ETA|runs)/d' "$scratch/seen/out"
    # A command that prints an error fails, any other does not.
    if grep '^gprgnn: ' "$wanted" | grep -qvE '^gprgnn: (warning|label use|features)'; then
        [ "$status" -ne 0 ] || fail 'it should have failed'
    else
        expect_status 0
    fi
    case $called in
    'gprgnn train '* | 'gprgnn predict '* | 'gprgnn explain '* | *predictions.csv)
        loosely "$wanted" >"$scratch/seen/a"
        loosely "$scratch/seen/out" >"$scratch/seen/b"
        cmp -s "$scratch/seen/a" "$scratch/seen/b" ||
            fail "the page has other words: $(diff "$scratch/seen/a" "$scratch/seen/b" | head -n 10)"
        ;;
    *) cmp -s "$wanted" "$scratch/seen/out" ||
        fail "the page differs: $(diff "$wanted" "$scratch/seen/out" | head -n 10)" ;;
    esac
    case $called in
    'gprgnn train '*)
        accuracy=$(sed -nE 's/^  test accuracy +([0-9.]+) .*/\1/p' "$scratch/seen/out")
        awk -v a="$accuracy" 'BEGIN { exit !(a > 85) }' || fail "the test accuracy is $accuracy"
        ;;
    esac
    count=$((count + 1))
done
[ "$count" -ge 30 ] || fail "only $count commands were found in the page"

# README.md: its lines are found in the output in this order; … stands for lines that are left out.
mkdir -p "$scratch/root/docs"
ln -s "$scratch/bin" "$scratch/root/build"
ln -s "$source_dir/docs/tutorial" "$scratch/root/docs/tutorial"
cd "$scratch/root"
awk '/^```/ { inside = $0 == "```console"; next } inside' "$source_dir/README.md" >"$scratch/seen/page"
called=$(sed -n 's/^\$ //p' "$scratch/seen/page")
[ "$(wc -l <<<"$called")" -eq 1 ] || fail 'README.md should have one command with its output'
bash -c "$called" >"$scratch/seen/out" 2>/dev/null </dev/null || fail 'it failed'
sed '1d; /^…$/d' "$scratch/seen/page" >"$scratch/seen/wanted"
loosely "$scratch/seen/wanted" | sed 's/[0-9][0-9]*/N/g' >"$scratch/seen/a" # F1 too, as after "classes" above
loosely "$scratch/seen/out" | sed 's/[0-9][0-9]*/N/g' >"$scratch/seen/b"
awk 'NR == FNR { wanted[++count] = $0; next } found < count && $0 == wanted[found + 1] { found++ }
    END { if (found < count) print "not in the output: " wanted[found + 1] }' \
    "$scratch/seen/a" "$scratch/seen/b" >"$scratch/seen/missing"
[ ! -s "$scratch/seen/missing" ] || fail "README.md has other words: $(cat "$scratch/seen/missing")"

# It is short, and names the size of the program as Debian 12's compiler makes it.
words=$(wc -w <"$source_dir/README.md")
[ "$words" -le 900 ] || fail "README.md has $words words"
if grep -aqF 'GCC: (Debian 12' "$GPRGNN"; then
    said=$(sed -nE 's/.*one file of ([0-9.]+) MB.*/\1/p' "$source_dir/README.md")
    size=$(stat -c %s "$GPRGNN")
    awk -v said="$said" -v size="$size" 'BEGIN { exit !(said - size / 1e6 < 0.1 && size / 1e6 - said < 0.1) }' ||
        fail "README.md says that the program has $said MB: it has $size bytes"
fi
