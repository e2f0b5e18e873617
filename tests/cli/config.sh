# A flag wins over the file, the file over the preset, the preset over the default.
source "$(dirname "$0")/lib.bash"

cat >"$scratch/seen/conf" <<'END'
# a comment
hidden = 12
epochs = 7      # another
weight_decay = 0.25
lr = "0.03"
END
config() { json_config result.json "$1"; }

good train $tiny --epochs 3 --json result.json -q
expect_equal "$(config hidden)" 64
expect_equal "$(config epochs)" 3

good train $tiny --config "$scratch/seen/conf" --lr 0.002 --json result.json -q
expect_equal "$(config hidden)" 12 hidden
expect_equal "$(config epochs)" 7 epochs
expect_equal "$(config weight-decay)" 0.25 weight-decay
expect_equal "$(config lr)" 0.002 lr
expect_equal "$(config K)" 10 K

# The order on the command line does not matter; the last of the same flag counts.
good train --lr 0.5 --lr 0.002 --config "$scratch/seen/conf" $tiny --hidden=5 --json result.json -q
expect_equal "$(config lr)" 0.002 lr
expect_equal "$(config hidden)" 5 hidden

# The preset is below both.
good train $tiny --preset paper --epochs 2 --json result.json -q
preset_alpha=$(config alpha)
good train $tiny --preset paper --config "$scratch/seen/conf" --epochs 2 --dprate 0.125 --json result.json -q
expect_equal "$(config lr)" 0.03 lr
expect_equal "$(config weight-decay)" 0.25 weight-decay
expect_equal "$(config dprate)" 0.125 dprate
expect_equal "$(config alpha)" "$preset_alpha" alpha

# Threads from a file too.
echo 'threads = 1' >"$scratch/seen/threads"
good train $tiny --config "$scratch/seen/threads" --epochs 2 --json result.json -q
expect_equal "$(json result.json threads)" 1 threads

mkdir empty
cd empty
echo 'hiden = 3' >"$scratch/seen/wrong"
bad 2 "wrong:1: unknown option 'hiden': did you mean 'hidden'?" train $tiny --config "$scratch/seen/wrong"
printf 'K = 3\n\ndropout = 1\n' >"$scratch/seen/wrong"
bad 2 'wrong:3: dropout is 1: it must be in [0, 1)' train $tiny --config "$scratch/seen/wrong"
printf 'K 3\n' >"$scratch/seen/wrong"
bad 1 "wrong:1: 'K 3' is not a setting" train $tiny --config "$scratch/seen/wrong"
bad 2 "preset 'papr' is not known" train $tiny --preset papr
bad 2 'cannot read' train $tiny --config "$scratch/seen/none"
