# --device: what is said where no GPU can be used, and with which status the program ends.
source "$(dirname "$0")/lib.bash"
unset GPRGNN_CUDA_LIBRARY CUDA_VISIBLE_DEVICES
job="train $tiny --epochs 2"

bad 2 "did you mean 'cpu'" $job --device cpi
bad 2 'it must be one of cpu|cuda[:N]|auto' $job --device cuda:first

# ---- the library ----
export GPRGNN_CUDA_LIBRARY=$scratch/nothing.so
bad 1 "--device cuda: GPRGNN_CUDA_LIBRARY names $scratch/nothing.so, which is not a file" $job --device cuda
echo 'no library' >"$scratch/text.so"
GPRGNN_CUDA_LIBRARY=$scratch/text.so bad 1 'libgprgnn_cuda.so cannot be loaded' $job --device cuda
unset GPRGNN_CUDA_LIBRARY

# A program that was copied to another place, without the library.
built=$GPRGNN
if ! ldd "$GPRGNN" 2>/dev/null | grep -q libgprgnn; then
    mkdir "$scratch/bin"
    cp "$built" "$scratch/bin/gprgnn"
    GPRGNN=$scratch/bin/gprgnn
    bad 1 'libgprgnn_cuda.so is not installed' $job --device cuda
    expect_err 'use --device cpu'
    # It is found beside the program, and in the library folder of its tree.
    echo 'no library' >"$scratch/bin/libgprgnn_cuda.so"
    bad 1 "$scratch/bin/libgprgnn_cuda.so" $job --device cuda
    rm "$scratch/bin/libgprgnn_cuda.so"
    for folder in lib lib64 "lib/$(uname -m)-linux-gnu"; do
        mkdir -p "$scratch/$folder" && echo 'no library' >"$scratch/$folder/libgprgnn_cuda.so"
    done
    bad 1 'libgprgnn_cuda.so cannot be loaded' $job --device cuda
    GPRGNN=$built
fi

# ---- other commands, and a config file ----
good $job --out run -q
export GPRGNN_CUDA_LIBRARY=$scratch/nothing.so
printf 'device = cuda\n' >"$scratch/config"
run $job --config "$scratch/config"
expect_status 1
expect_err 'is not a file'
run predict run $tiny --device cuda
expect_status 1
expect_err 'is not a file'
run search $tiny --model mlp --runs 1 --device cuda:1
expect_status 1
expect_err 'is not a file'
run paper table-real --datasets texas --runs 1 --device cuda --out paper
expect_status 1
expect_err 'is not a file'
[ ! -e paper ] || fail 'paper has left a folder'

# auto takes the CPU, with the bits of the CPU, and says so once if it is asked to say more.
good $job --device auto --out auto -q -v
expect_equal "$(grep -c 'computing on the CPU: --device cuda' "$scratch/seen/err")" 1 'the lines that say so'
expect_same run/model.safetensors auto/model.safetensors
good $job --device auto -q
! grep -q 'computing' "$scratch/seen/err" || fail 'it is said without -v'
unset GPRGNN_CUDA_LIBRARY
rm -r run auto

# ---- the driver: the real library with a driver that is not there, or a fake one ----
library=${TEST_CUDA_LIBRARY:-}
[ -n "$library" ] && [ -e "$library" ] || exit 0
export GPRGNN_CUDA_LIBRARY=$library
if ! ldconfig -p 2>/dev/null | grep -q libcuda.so.1; then
    bad 1 '--device cuda: there is no NVIDIA driver on this machine (libcuda.so.1): install one' $job --device cuda
fi
export LD_LIBRARY_PATH=$TEST_FAKE_DRIVER${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export FAKE_DRIVER=11040
bad 1 'the NVIDIA driver is too old: it knows CUDA 11.4' $job --device cuda
expect_err 'update the driver'
export FAKE_DRIVER=99000 FAKE_INIT=100
bad 1 'there is no NVIDIA GPU that can be used' $job --device cuda:0
export FAKE_INIT=999
bad 1 'the NVIDIA driver does not work: unknown error' $job --device cuda:0
expect_err 'nvidia-smi'
