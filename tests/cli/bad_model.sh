# Damaged model files, other files, and models that do not fit the data.
source "$(dirname "$0")/lib.bash"

good train $tiny --epochs 3 --out "$scratch/seen/run" -q
model=$scratch/seen/run/model.safetensors
size=$(wc -c <"$model")

# Cut anywhere: an error, never a crash.
for kept in 0 1 7 8 9 100 $((size / 2)) $((size - 1)); do
    head -c "$kept" "$model" >"$scratch/seen/cut.safetensors"
    bad 1 'cut.safetensors' predict "$scratch/seen/cut.safetensors" $tiny
done

# The digest: as docs/files.md says, and one changed byte is noticed wherever it is.
at=$(($(grep -abo '"sha256":"' "$model" | head -1 | cut -d: -f1) + 10))
digest=$({ head -c $at "$model"; printf '0%.0s' {1..64}; tail -c +$((at + 65)) "$model"; } | sha256sum | cut -d' ' -f1)
[ "$(tail -c +$((at + 1)) "$model" | head -c 64)" = "$digest" ] || fail 'the digest is not the SHA-256 of the file'
for place in $((at + 3)) $((at + 70)) $((size / 2)) $((size - 2)); do
    { head -c "$place" "$model"; printf '~'; tail -c +$((place + 2)) "$model"; } >"$scratch/seen/damaged.safetensors"
    bad 1 'damaged.safetensors: ' predict "$scratch/seen/damaged.safetensors" $tiny -o out.csv --json out.json
done
expect_err 'its digest (sha256) does not fit its content'
good predict "$source_dir/tests/golden/model_v1.safetensors" csbm:n=30,f=7 -v
expect_err 'without a digest: damage may go unnoticed'
good predict "$model" $tiny -v
! grep -q digest "$scratch/seen/err" || fail 'a file with a digest gives a note'

# Other files.
echo 'some text, which is no model at all' >"$scratch/seen/foreign"
bad 1 'foreign' predict "$scratch/seen/foreign" $tiny
header='{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}'
{ printf "\\x$(printf %x ${#header})\0\0\0\0\0\0\0%s" "$header"; printf '\0\0\0\0'; } >"$scratch/seen/other.safetensors"
bad 1 'not a model of gprgnn' predict "$scratch/seen/other.safetensors" $tiny
for command in predict explain inspect; do
    bad 2 'is not a run folder: it has no model.safetensors' $command "$scratch/seen" $tiny \
        $([ $command != explain ] || echo --node 0)
done
if command -v python3 >/dev/null; then # an option that no training can have had, in a file without a digest
    python3 - "$model" "$scratch/seen/split.safetensors" <<'END'
import json, sys
raw = open(sys.argv[1], "rb").read()
size = int.from_bytes(raw[:8], "little")
header = json.loads(raw[8:8 + size])
header["__metadata__"].update({"param.split": "-1", "format_version": "1"})
del header["__metadata__"]["sha256"]
text = json.dumps(header).encode()
open(sys.argv[2], "wb").write(len(text).to_bytes(8, "little") + text + raw[8 + size:])
END
    bad 1 'the model is damaged: split' predict "$scratch/seen/split.safetensors" $tiny
fi
bad 2 'No such file' predict "$scratch/seen/none" $tiny

# Another number of features.
bad 1 'trained on 20 features' predict "$model" csbm:n=100,f=21
expect_err 'has 21'
bad 1 'trained on 20 features' predict "$model" csbm:n=100,f=21 -o out.csv --json out.json

# Features so large that the scores overflow: no result, and an old output stays as it was.
good train $tiny --epochs 2 --lr 100 --out "$scratch/seen/wild" -q
row=3e38,-3e38,1,2,3e38
for ((i = 0; i < 300; i++)); do echo "$row,$row,$row,$row"; done >"$scratch/seen/huge.csv"
echo old >"$scratch/seen/old.csv"
bad 1 'scores are infinite or NaN (first at node 0): feature ' predict "$scratch/seen/wild" $tiny \
    --features "$scratch/seen/huge.csv" -o "$scratch/seen/old.csv" --json "$scratch/seen/new.json"
expect_err 'bring the features to the scale of those of the training'
expect_equal "$(cat "$scratch/seen/old.csv")" old 'the old output'
[ ! -e "$scratch/seen/new.json" ] || fail 'an output was left'

# The same in a training; the message names the input that is the cause.
bad 1 '--init gives a filter weight of size 1e+39: give smaller ones' train $tiny --K 1 --init 1e39,0 --epochs 3 \
    --out run -q
bad 1 'infinite or NaN before the first step (first at node 0): --init' train $tiny --K 1 --init 1e39,0 --epochs 3 -q
run train $tiny --epochs 2 --lr 1000
expect_status 0
expect_err 'warning: run 0: the training loss '
expect_err 'lower --lr (it is 1000)'
