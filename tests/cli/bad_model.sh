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

# Other files.
echo 'some text, which is no model at all' >"$scratch/seen/foreign"
bad 1 'foreign' predict "$scratch/seen/foreign" $tiny
header='{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}'
{ printf "\\x$(printf %x ${#header})\0\0\0\0\0\0\0%s" "$header"; printf '\0\0\0\0'; } >"$scratch/seen/other.safetensors"
bad 1 'not a model of gprgnn' predict "$scratch/seen/other.safetensors" $tiny
bad 2 'No such file' predict "$scratch/seen" $tiny # a folder without a model
bad 2 'No such file' predict "$scratch/seen/none" $tiny

# Another number of features.
bad 1 'trained on 20 features' predict "$model" csbm:n=100,f=21
expect_err 'has 21'
bad 1 'trained on 20 features' predict "$model" csbm:n=100,f=21 -o out.csv --json out.json
