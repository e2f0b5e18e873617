# Names with control characters, marks of direction or broken UTF-8: no output holds them raw.
source "$(dirname "$0")/lib.bash"
export LC_ALL=C.UTF-8

# expect_clean FILE...: only printable UTF-8, line ends and tabs.
expect_clean() {
    local file
    for file in "$@"; do
        python3 - "$file" <<'PY' || fail "$file holds control characters: $(head -c 2000 "$file" | cat -v)"
import sys
text = open(sys.argv[1], "rb").read().decode("utf-8")
marks = {0x61C, 0x200E, 0x200F, 0xFEFF, *range(0x2028, 0x202F), *range(0x2066, 0x206A), *range(0x7F, 0xA0)}
sys.exit(any(ord(c) in marks or (ord(c) < 32 and c not in "\t\r\n") for c in text))
PY
    done
}
needs python3

evil=$'\e[31m\a\x7f\u009b\u202e'
python3 - "$evil" <<'PY'
import random, sys
evil = sys.argv[1]
rng = random.Random(1)
with open("nodes.csv", "w") as out:
    out.write(f"id,x{evil},y,kind\n")
    for i in range(60):
        out.write(f"n{i}{evil},{rng.random()},{rng.random()},{'ab'[i % 2]}{evil}\n")
with open("edges.csv", "w") as out:
    out.write("from,to\n")
    for i in range(60):
        out.write(f"n{i}{evil},n{(i + 2) % 60}{evil}\n")
PY
name="folder$evil"
mkdir "$name"
mv nodes.csv "$name"
mv edges.csv "$name/edges$evil.csv"
data=(--edges "$name/edges$evil.csv" --nodes "$name/nodes.csv" --label kind)
seen=("$scratch/seen/out" "$scratch/seen/err")

good info "${data[@]}" --verbose --json info.json
expect_clean "${seen[@]}" info.json
expect_out 'name             edges\x1b[31m\x07\x7f\u009b\u202e'
expect_out 'class 0 a\x1b[31m\x07\x7f'
good train "${data[@]}" --verbose --epochs 3 --out "$name/run" --json result.json
expect_clean "${seen[@]}" result.json "$name"/run/*.csv "$name"/run/*.json
good predict "$name/run" "${data[@]}" --verbose --proba
expect_clean "${seen[@]}"
expect_same "$scratch/seen/out" "$name/run/predictions.csv"
expect_out 'n0\x1b[31m\x07\x7f\u009b\u202e,'
good predict "$name/run" "${data[@]}" --proba --json prediction.json -o predictions.csv
expect_clean "${seen[@]}" prediction.json predictions.csv
python3 - "$evil" prediction.json info.json <<'PY' || fail 'the JSON has other names'
import json, sys
made, info = (json.load(open(path)) for path in sys.argv[2:])
sys.exit(made["node_ids"][0] != "n0" + sys.argv[1] or info["class_names"][1] != "b" + sys.argv[1])
PY
printf '0.5,0.5\n' >"$name/weights"
good rank "${data[@]}" --node "n0$evil" --weights "$name/weights" --cluster --json rank.json
expect_clean "${seen[@]}" rank.json
expect_out 'n0\x1b[31m\x07\x7f\u009b\u202e '
good rank "${data[@]}" --node "n0$evil" -o -
expect_clean "${seen[@]}"
good convert "${data[@]}" "$name/graph.gpr" --verbose
expect_clean "${seen[@]}"
good generate csbm --phi 0 --n 50 --f 4 -o "$name/graph.npz"
expect_clean "${seen[@]}"
good fetch --list --data-dir "$name"
expect_clean "${seen[@]}"

# Messages: of the library, of the program, and names that are no UTF-8.
broken=$'\xff\xc3(\x9b'
for word in "$evil" "$broken"; do
    for call in "info $word" "train $word" "info --format $word $tiny" "predict $word $tiny" "$word" "info --$word" \
        "train $tiny --model $word" "train $tiny --lr $word" "train $tiny --epochs 1 --out /dev/null/$word" \
        "convert $tiny $word" "generate csbm --phi $word -o x.npz" "help $word" "fetch $word" \
        "info $tiny --json $word/x" \
        "rank $tiny --node $word" "rank $tiny --node 1 --weights $word"; do
        run $call
        if [ "$status" -ne 1 ] && [ "$status" -ne 2 ]; then fail "the exit status is $status"; fi
        expect_clean "${seen[@]}"
        grep -q '\\x' "$scratch/seen/err" || fail 'the message does not show the name'
    done
done
