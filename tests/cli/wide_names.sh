# Names with wide letters (Chinese, emoji) and combining marks: the columns of every table stay aligned.
source "$(dirname "$0")/lib.bash"
needs python3
[ "$(LC_ALL=C.UTF-8 locale charmap 2>/dev/null)" = UTF-8 ] || skip 'there is no locale C.UTF-8'
export LC_ALL=C.UTF-8

python3 - <<'PY'
import random
rng = random.Random(1)
classes = ["诈骗", "e\u0301te\u0301", "ok", "🙂🙂", "这是一个特别长的类别名称需要截断"]
with open("nodes.csv", "w", encoding="utf-8") as out:
    out.write("编号,金额,n\u0303ame,x,kind\n")
    for i in range(100):
        c = i % 5
        name = ("客户%d" if i % 3 else "c%d") % i
        out.write(f"{name},{c + rng.random()},{rng.random()},{rng.random()},{classes[c]}\n")
with open("edges.csv", "w", encoding="utf-8") as out:
    out.write("from,to\n")
    for i in range(100):
        for step in (5, 10):
            j = (i + step) % 100
            out.write(f"{('客户%d' if i % 3 else 'c%d') % i},{('客户%d' if j % 3 else 'c%d') % j}\n")
PY
cat >aligned.py <<'PY'
# aligned.py PATTERN LEAST: in all lines that match, the groups end in the same columns; at least LEAST lines do.
import re, sys, unicodedata

def columns(text):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)

ends = set()
lines = 0
for line in sys.stdin:
    match = re.search(sys.argv[1], line)
    if match:
        lines += 1
        ends.add(tuple(columns(line[:match.end(g)]) for g in range(1, match.re.groups + 1)))
sys.exit(lines < int(sys.argv[2]) or len(ends) != 1)
PY
aligned() { python3 aligned.py "$1" "$2" <"$scratch/seen/out" || fail "not aligned: $1"; }

data=(--edges edges.csv --nodes nodes.csv --label kind)
good info "${data[@]}"
expect_out '诈骗'
aligned '^  class \d .*?  ( *\d+)  ' 5
expect_out '这是一个特别长的类…' # two columns per letter, and one that stays free
good train "${data[@]}" --epochs 20 --out run
aligned '^  \S+ +(?:train|\d+)( +(?:val|\d+))( +(?:test|\d+))$' 6
good explain run "${data[@]}" --node c0 --top 8
aligned '^  (?:客户|c\d|itself).*? (\d)  .*?(\d\.\d{4}) ' 9
aligned '^  (?:金额|x|n.ame)  +([\d.]+) +(-?[\d.]+) ' 3
good rank "${data[@]}" --node c0 --top 10
aligned '^ +\d+  (?:客户|c)\d+ +([\d.e-]+) +([\d.]+)  ' 10
good explain run "${data[@]}" --importance --top 3 --repeats 1
aligned '^  .+?  (-?\d+\.\d\d) ± ' 3

good inspect run # the axis: -1 stands below the first column of the curve
aligned '^ +(0 │|λ  )[─●-]' 2

# A terminal without UTF-8 gets one column per letter.
LC_ALL=C good info "${data[@]}"
expect_out 'class 4 ??  '
aligned '^  class \d .*?  ( *\d+)  ' 5
