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

# What cannot be read is not "missing": the system's reason is told, here that of a link to itself; as another user than
# root, that of a folder or a file that is closed.
mkdir "$scratch/seen/closed"
ln -s loop "$scratch/seen/closed/loop"
cannot_read() { # REASON PATH: whatever reads it
    local path=$2 reason=$1 command
    for command in "info $path/g.npz" "info $path/g" "train $tiny --split $path/s.npz" \
        "train $tiny --split $path/split" \
        "predict $path/run $tiny" "inspect $path/run" "report $path/run" "verify $path/run" "verify $path/g.npz" \
        "compare $path/run $path/run2" "train --resume $path/run" "train $tiny --config $path/c.conf" \
        "info --edges $path/e.csv" "train $tiny --preset $path/p.conf" "info graph --data-dir $path" \
        "train $tiny --model geomgcn --embedding $path/points.csv"; do
        run $command
        if [ "$status" -ne 1 ]; then fail "the exit status is $status, not 1"; fi
        expect_err "$reason"
    done
}
cannot_read 'Too many levels of symbolic links' "$scratch/seen/closed/loop"
# A folder that permits no new ones, and the state of a training that may not be read.
mkdir -p "$scratch/seen/stopped/state"
echo here >"$scratch/seen/stopped/state/command"
chmod 755 "$scratch/seen/stopped"
closed_to_us() {
    chmod 600 "$scratch/seen/closed"
    cannot_read 'Permission denied' "$scratch/seen/closed"
    chmod 555 "$scratch/seen/closed"
    chmod 000 "$scratch/seen/stopped/state"
    run train $tiny --out "$scratch/seen/closed/run"
    expect_err 'closed/run: Permission denied'
    run train $tiny --out "$scratch/seen/closed/runs/1"
    expect_err 'closed/runs: Permission denied'
    run train --resume "$scratch/seen/stopped"
    expect_err 'state/command: Permission denied'
    expect_status 1
    chmod 700 "$scratch/seen/closed" "$scratch/seen/stopped/state"
}
# as_nobody: only root needs it, and only where nobody may run the program
if [ "$(id -u)" -ne 0 ]; then
    closed_to_us
elif command -v setpriv >/dev/null && chmod 711 "$scratch" && chmod 777 "$scratch/seen" &&
    cp "$GPRGNN" "$scratch/seen/copy" && cd / &&
    setpriv --reuid=65534 --regid=65534 --clear-groups "$scratch/seen/copy" --version >/dev/null 2>&1; then
    program=$GPRGNN
    printf '#!/bin/sh\nexec setpriv --reuid=65534 --regid=65534 --clear-groups %s "$@"\n' "$scratch/seen/copy" \
        >"$scratch/seen/as_nobody"
    chmod 755 "$scratch/seen/as_nobody"
    GPRGNN=$scratch/seen/as_nobody
    closed_to_us
    GPRGNN=$program
else
    skip_part 'nobody may not run the program here'
fi
cd "$scratch/work"

# a quantity as label: never hundreds of classes; not of a model's data
python3 - "$scratch/seen" <<'PYTHON'
import sys
folder = sys.argv[1]
def table(name, rows, label):
    with open(f"{folder}/{name}.csv", "w") as out:
        print("id,rooms,price", *(f"h{i},{i % 7},{label(i)}" for i in range(rows)), sep="\n", file=out)
    with open(f"{folder}/{name}_edges.csv", "w") as out:
        print("source,target", *(f"h{i},h{(i + 1) % rows}" for i in range(rows)), sep="\n", file=out)
table("prices", 300, lambda i: 80000 + 37 * (i % 150))
table("halves", 300, lambda i: "" if i % 9 == 0 else 1.5 + i % 3)
table("zips", 1200, lambda i: 10115 + 3 * (i % 60))
table("new", 120, lambda i: 10115 + 3 * (i % 60))
table("worth", 300, lambda i: ("low", "high")[i % 2])
with open(f"{folder}/labels.csv", "w") as out:
    print(*(f"{5 * (i % 150)}.0" for i in range(300)), sep="\n", file=out)
PYTHON
bad 1 "halves.csv:3: the label '2.5' is not a whole number, column 'price' (3 different values): for classes" \
    train --edges "$scratch/seen/halves_edges.csv" --nodes "$scratch/seen/halves.csv" --label price --task classes
expect_err "such as low, middle and high (in pandas: pd.qcut("
run search --edges "$scratch/seen/halves_edges.csv" --nodes "$scratch/seen/halves.csv" --label price
expect_status 2
expect_err "the target of halves is a number, and searches are of classes so far"
good info --edges "$scratch/seen/prices_edges.csv" --nodes "$scratch/seen/prices.csv" # the price is a feature then
good train --edges "$scratch/seen/worth_edges.csv" --nodes "$scratch/seen/worth.csv" --label price --epochs 2 -q
good train --edges "$scratch/seen/zips_edges.csv" --nodes "$scratch/seen/zips.csv" --label price --epochs 2 --out run \
    -q \
    --baselines no --refit no --smooth no
good predict run --edges "$scratch/seen/new_edges.csv" --nodes "$scratch/seen/new.csv"
rm -rf run
