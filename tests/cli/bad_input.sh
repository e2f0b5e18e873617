# Wrong calls: the exit status and the message; no output and no files.
source "$(dirname "$0")/lib.bash"

hint="see 'gprgnn train --help'"

# flags
bad 2 "unknown option '--hiden': did you mean '--hidden'? $hint" train $tiny --hiden 3
bad 2 "unknown option '--xyzzyplugh'; $hint" train $tiny --xyzzyplugh
bad 2 "unknown option '--hiden'" train $tiny --hiden=3
bad 2 "unknown option '-hidden': did you mean '--hidden'?" train $tiny -hidden 3
bad 2 "unknown option '-z'" train $tiny -z
bad 2 "option '--K' needs a value" train $tiny --K
bad 2 "option '--out' needs a value" train $tiny --out --json -
bad 2 "option '--quiet' takes no value" train $tiny --quiet=yes
bad 2 "too few arguments; usage: gprgnn train [DATA], or --edges FILE" train
bad 2 "too many arguments: 'extra'" train $tiny extra
bad 2 "too many arguments: '--K'; usage: gprgnn train [DATA]" train $tiny -- --K

# values
bad 2 "model 'gprgn' is not known: did you mean 'gprgnn'?" train $tiny --model gprgn
bad 2 'K is -1: it must be in [0, ' train $tiny --K -1
bad 2 "K is 'three': it must be a whole number" train $tiny --K three
bad 2 'dropout is 1: it must be in [0, 1)' train $tiny --dropout 1
bad 2 'dprate is 1.5: it must be in [0, 1)' train $tiny --dprate 1.5
bad 2 'dropout is -0.1' train $tiny --dropout -0.1
bad 2 'lr is 0: it must be in (0, ' train $tiny --lr 0
bad 2 'lr is ' train $tiny --lr nan
bad 2 'epochs is 0' train $tiny --epochs 0
bad 2 'runs is 0' train $tiny --runs 0
bad 2 'seed is -1' train $tiny --seed -1
bad 2 'threads is 99999' train $tiny --threads 99999
bad 2 "device 'gpu'" train $tiny --device gpu
bad 2 "cpu 'pentium'" train $tiny --cpu pentium
bad 2 'init' train $tiny --init nonsense
bad 2 'split' train $tiny --split nonsense
bad 2 "split 'nonsense' is not known" train ./no_such_data.npz --split nonsense # said before the data is read
bad 2 "split '-1/50/50' has the share -1: a share must be 0 or more" train $tiny --split -1/50/50
bad 2 "split 'masks.npz': there is no such file" train ./no_such_data.npz --split masks.npz
bad 2 "split './masks': there is no such folder" train ./no_such_data.npz --split ./masks
bad 2 'split' train $tiny --split nonsense --out folder
bad 2 'split' train $tiny --split nonsense --json file.json

# data
bad 2 'phi is 1.5: it must be in [-1, 1]' train csbm:phi=1.5
bad 2 'phi is -2: it must be in [-1, 1]' generate csbm --phi -2 -o x.npz
bad 2 'n is 0' train csbm:n=0
bad 2 'n is 0' generate csbm --phi 0 --n 0 -o x.npz
bad 2 "unknown key 'nodes'" train csbm:nodes=3
bad 2 "no dataset 'coraa': did you mean 'cora'?" train coraa
bad 2 "; 'gprgnn fetch cora' downloads it" train cora
bad 2 "$scratch/seen" info cora --data-dir "$scratch/seen"
bad 2 'none.npz' info ./none.npz
echo 'not a zip archive' >"$scratch/seen/foreign.npz"
bad 1 'foreign.npz' info "$scratch/seen/foreign.npz"
bad 2 "did you mean 'csbm'?" generate sbm --phi 0 -o x.npz
bad 2 '--phi is missing' generate csbm -o x.npz
bad 2 '-o is missing' generate csbm --phi 0
bad 2 'must end with .npz' generate csbm --phi 0 -o x.txt
bad 2 'must end with .gpr' generate powerlaw -o x.npz
bad 2 '--phi is for csbm, not for powerlaw' generate powerlaw --phi 0 -o x.gpr
bad 2 '--nodes is for powerlaw, not for csbm' generate csbm --phi 0 --nodes 7 -o x.gpr
bad 2 "did you mean 'powerlaw'?" generate powerlow -o x.gpr
bad 2 'it must be above 2' generate powerlaw --exponent 1.5 -o x.gpr
bad 2 "phi is 'abc': it must be a number" generate csbm --phi abc -o x.npz
bad 2 "n is '3.5': it must be a whole number" generate csbm --phi 0 --n 3.5 -o x.npz

# outputs that cannot be written: a path through a file, a folder, a missing folder
echo text >"$scratch/seen/file"
bad 1 'Not a directory' train $tiny --out "$scratch/seen/file/run"
bad 1 'Not a directory' train $tiny --json "$scratch/seen/file/x.json"
bad 1 'Not a directory' generate csbm --phi 0 -o "$scratch/seen/file/x.npz"
bad 1 'it is a folder' train $tiny --json "$scratch/seen"
bad 1 'No such file or directory' info $tiny --json "$scratch/seen/none/x.json"
expect_equal "$(cat "$scratch/seen/file")" text 'the file in the way'
if [ "$(id -u)" -ne 0 ]; then # root may write everywhere
    mkdir -m 555 "$scratch/seen/locked"
    bad 1 'Permission denied' train $tiny --out "$scratch/seen/locked/run"
    bad 1 'Permission denied' train $tiny --json "$scratch/seen/locked/x.json"
fi
