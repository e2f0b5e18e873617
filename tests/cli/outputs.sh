# Where results go: links, open files, folders that take none; and what a killed process leaves.
source "$(dirname "$0")/lib.bash"

# A process that is killed while it writes leaves no part of a file.
mkdir killed
caught=0
for _ in $(seq 30); do # a fast machine may end before it is killed: then the file is whole
    called='gprgnn generate, killed'
    "$GPRGNN" generate csbm --phi 0 --n 20000 --f 1000 -o killed/graph.gpr >/dev/null 2>&1 &
    background=$!
    for _ in $(seq 3000); do # until it has a file open in the folder
        if ls -l "/proc/$background/fd" 2>/dev/null | grep -q killed/; then break; fi
        if ! kill -0 "$background" 2>/dev/null; then break; fi
        sleep 0.005
    done
    kill -KILL "$background" 2>/dev/null || true
    status=0
    wait "$background" 2>/dev/null || status=$?
    background=
    if [ "$status" -eq 0 ]; then
        good info killed/graph.gpr
        rm killed/graph.gpr
        continue
    fi
    case $(stat -f -c %T killed) in
    ext2/ext3 | xfs | btrfs | tmpfs) # these keep files without a name
        if [ -e killed/graph.gpr ]; then # killed after it had its name
            good info killed/graph.gpr
            rm killed/graph.gpr
        fi
        if [ -n "$(ls -A killed)" ]; then fail "left: $(ls -lA killed)"; fi ;;
    esac
    caught=$((caught + 1))
    if [ $caught -eq 3 ]; then break; fi
done
if [ $caught -lt 3 ]; then fail "it was killed only $caught times"; fi
good generate csbm --phi 0 --n 50 --f 4 -o killed/graph.gpr -q
expect_equal "$(ls -A killed)" graph.gpr 'the files'
rm -rf killed

# The target of a link is replaced or made; the link stays.
mkdir else
ln -s else/real.json link.json
for _ in 1 2; do
    good info $tiny --json link.json
    [ -L link.json ] || fail 'the link was replaced'
    expect_json else/real.json
done
ln -s else/graph.npz graph.npz
good generate csbm --phi 0 --n 50 --f 4 -o graph.npz -q
[ -L graph.npz ] || fail 'the link was replaced'
expect_file else/graph.npz
ln -s loop.json loop.json
run info $tiny --json loop.json
expect_status 1
expect_err 'Too many levels of symbolic links'
rm -rf else *.json graph.npz

# A file keeps its permissions.
good info $tiny --json private.json
chmod 600 private.json
good info $tiny --json private.json
expect_equal "$(stat -c %a private.json)" 600 'the permissions'
rm private.json

# An open file is written where it stands.
called='gprgnn info --json /dev/fd/3'
{
    echo 'before' >&3
    "$GPRGNN" info $tiny --json /dev/fd/3 >/dev/null
    echo 'after' >&3
} 3>open.txt
expect_equal "$(head -n 1 open.txt)" before 'the first line'
expect_equal "$(tail -n 1 open.txt)" after 'the last line'
sed '1d;$d' open.txt >open.json
expect_json open.json
rm open.txt open.json
called='gprgnn info --json /dev/stderr'
"$GPRGNN" info $tiny --json /dev/stderr >/dev/null 2>"$scratch/seen/err"
expect_json "$scratch/seen/err"
for path in /dev/fd/77 /dev/fd/0; do # the second one is open, but to read
    run info $tiny --json $path
    expect_status 1
    expect_err "cannot write $path: Bad file descriptor"
done
expect_no_files

# A folder that takes no new files, while the old one could be written.
if [ "$(id -u)" = 0 ]; then
    has setpriv || { skip_part 'there is no setpriv, to be another user' && exit 0; }
    chmod 755 "$scratch" "$scratch/work" "$scratch/seen"
    cp "$GPRGNN" "$scratch/gprgnn" && chmod 755 "$scratch/gprgnn"
    as_user() { setpriv --reuid=1235 --regid=1235 --clear-groups "$scratch/gprgnn" "$@"; }
else
    as_user() { "$GPRGNN" "$@"; }
fi
mkdir closed
echo old >closed/file.json
chmod 666 closed/file.json
chmod 555 closed
called='gprgnn info --json closed/file.json'
status=0
as_user info $tiny --json closed/file.json 2>"$scratch/seen/err" || status=$?
chmod 755 closed
expect_status 1
expect_err 'cannot write closed/file.json: its folder permits no new files (Permission denied)'
expect_equal "$(cat closed/file.json)" old 'the old file'
