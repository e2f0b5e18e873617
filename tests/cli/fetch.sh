# gprgnn fetch, from a local server that can also misbehave (see fetch_server.py).
data=${GPRGNN_DATA:-}
source "$(dirname "$0")/lib.bash"
data=${data:-$source_dir/../shared/data}
cache=$XDG_CACHE_HOME/gprgnn
unset http_proxy https_proxy all_proxy HTTPS_PROXY ALL_PROXY

names='cora citeseer pubmed computers photo chameleon squirrel actor texas cornell cornell_corrected'
expect_no_part() { [ -z "$(find "$cache" -name '*.part')" ] || fail "left behind: $(find "$cache" -name '*.part')"; }
expect_no_data() { [ -z "$(find "$cache" -type f 2>/dev/null)" ] || fail "left behind: $(find "$cache" -type f)"; }

# ---- What can be fetched ----
good fetch --list
expect_silent_err
expect_out "folder: $cache"
for name in $names; do
    grep -q "^$name  *[0-9]* .*  no  .*github.com/" "$scratch/seen/out" || fail "the list lacks $name"
    grep -q "^| \`$name\` " "$source_dir/docs/datasets.md" || fail "docs/datasets.md lacks $name"
done
good fetch --list cora -l actor
expect_out 'planetoid/ind.cora.test.index'
expect_out '5000 bytes, SHA-256 297ce89af2b51a6a194181c7dbe1796c6a1cf9cd9349a88383b1b1e227867875'
expect_out '/new_data/film/out1_graph_edges.txt'
expect_out_lacks 'citeseer'
good fetch --list --json list.json --data-dir elsewhere
expect_out 'folder: elsewhere'
expect_json list.json
expect_equal "$(json list.json folder)" elsewhere
for name in $names; do grep -q "\"name\": \"$name\"" list.json || fail "the JSON lacks $name"; done
expect_equal "$(grep -c '"sha256": null' list.json)" 2 'the files without checksum'
rm list.json

# ---- Wrong calls ----
bad 2 "no dataset given: name some, or 'all'" fetch
bad 2 "did you mean 'cora'?" fetch kora
bad 2 "did you mean 'cornell'?" fetch computers cornel # all names are checked before anything is fetched
bad 2 'retries is -1: it must be in [0, 100]' fetch cora --retries -1
bad 2 "timeout is 'long'" fetch cora --timeout long
bad 2 'timeout is 0' fetch cora --timeout 0
bad 2 'max-time is -1: it must be in [0, 31536000] seconds' fetch cora --max-time -5
bad 2 "max-time is 'soon'" fetch cora --max-time soon
bad 2 "mirror is 'ftp://host': it must begin with http:// or https://" fetch cora --mirror ftp://host
bad 1 'cannot write' fetch cora --json nowhere/x.json
env -u HOME -u XDG_CACHE_HOME "$GPRGNN" fetch cora 2>"$scratch/seen/err" && fail 'it fetched to nowhere'
expect_err 'name a folder with --data-dir'
expect_no_data

# ---- Without network ----
export https_proxy=http://127.0.0.1:1 # nobody listens there
run fetch cora
expect_status 1
if grep -q 'this build has no downloads' "$scratch/seen/err"; then
    expect_err 'GPRGNN_CURL'
    expect_no_data
    exit 0
fi
bad 1 'cora: cannot reach raw.githubusercontent.com: ' fetch cora
expect_err '--mirror URL'
expect_err "'gprgnn fetch --list"
expect_err "$cache by hand"
bad 1 'cannot reach' fetch all # one line, not eleven
unset https_proxy
expect_no_data

# ---- The server ----
needs python3 # the server
mkdir "$scratch/served"
log=$scratch/log
mkfifo "$scratch/alive"
exec 9<>"$scratch/alive" # the servers end when this is closed, at the end of the test
start_server() { # PORT_FILE [PEM]
    python3 "$tests_dir/fetch_server.py" "$scratch/served" "$log" "${@:2}" <"$scratch/alive" >"$1" 9>&- &
    for _ in $(seq 100); do
        [ ! -s "$1" ] || return 0
        sleep 0.1
    done
    fail 'the server does not start'
}
start_server "$scratch/port"
server=http://127.0.0.1:$(cat "$scratch/port")
cd "$scratch/served"
"$GPRGNN" generate csbm --phi -0.5 --n 300 --f 200 --seed 4 -o computers.npz -q
cp computers.npz photo.npz
cd "$scratch/work"

# ---- One dataset ----
bad 1 'not the expected one: its fingerprint is ' fetch computers --mirror "$server/ok"
expect_err ', not eb160f96dca71761e0f2f2cfb49ef411; give --mirror URL, or --accept to take it all the same'
expect_no_data
good fetch computers --accept --mirror "$server/ok"
expect_out "computers: 1 file, 244.7 kB, fetched to $cache"
expect_err "warning: computers: accepted the file from $server/ok/computers.npz, which is not the expected one: its "\
"finger"
expect_same "$cache/computers.npz" "$scratch/served/computers.npz"
good info computers
expect_out 'nodes            300'
good fetch computers --accept --mirror "$server/404"
expect_out "computers: already in $cache"
expect_err "warning: computers: accepted $cache/computers.npz, which is not the expected one: its fingerprint is"
good fetch computers --accept --mirror "$server/404" -q
expect_silent_out
bad 1 'not the expected one' fetch computers --mirror "$server/404"
expect_err '--force replaces it, --accept keeps it'
bad 1 'computers: cannot load' fetch computers --accept --mirror "$server/404" --force
expect_err 'no such file (HTTP 404)'
good fetch computers --accept --mirror "$server/ok/" --force --json -
expect_json "$scratch/seen/out"
expect_out '"name": "computers", "state": "fetched", "files": 1, "loaded": 1,'
expect_no_part
expect_equal "$(cat "$log")" 'ok computers.npz -
ok computers.npz -
404 computers.npz -
ok computers.npz -' 'the requests'

# ---- What is here is verified ----
good fetch --list computers --accept
expect_silent_err
grep -q '^computers .*  other  ' "$scratch/seen/out" || fail 'the list does not say that it is another dataset'
expect_out 'a dataset with the fingerprint eb160f96dca71761e0f2f2cfb49ef411'
run fetch --list --json list.json
expect_status 1
expect_err "computers.npz is a dataset, but not the expected one: its fingerprint is"
expect_err "'gprgnn fetch --force computers' replaces it, --accept keeps it"
expect_out 'chameleon' # the list is complete
expect_json list.json
expect_equal "$(grep -c '"state": "other"' list.json)" 1
expect_equal "$(grep -c '"fingerprint": "eb160f96dca71761e0f2f2cfb49ef411"' list.json)" 1
expect_equal "$(grep -c '"present": true' list.json)" 0
good fetch --list --json list.json --accept
expect_equal "$(grep -c '"present": true' list.json)" 1
rm list.json
truncate -s -500 "$cache/computers.npz" # the end of a file that a full disk or a copy cut off
mkdir -p "$cache/planetoid"
echo spoilt >"$cache/planetoid/ind.cora.tx"
run fetch --list
expect_status 1
expect_err "$cache/computers.npz is damaged: it is not a dataset: "
expect_err "; 'gprgnn fetch computers' loads it again"
expect_err "$cache/planetoid/ind.cora.tx is damaged: it has 7 bytes, not 148025; 'gprgnn fetch cora' loads it again"
expect_equal "$(wc -l <"$scratch/seen/err")" 2 'the lines on standard error'
grep -q '^computers .*  damaged  ' "$scratch/seen/out" || fail 'the list does not say that it is damaged'
grep -q '^photo .*  no  ' "$scratch/seen/out" || fail 'the list lacks photo'
good fetch computers --accept --mirror "$server/ok"
expect_err "warning: $cache/computers.npz is damaged: it is not a dataset"
expect_same "$cache/computers.npz" "$scratch/served/computers.npz"
rm -r "$cache"

# ---- Temporary failures ----
for how in cut stall 500; do
    good fetch computers --accept --mirror "$server/once-$how" --data-dir here --timeout 1 --max-time 60
    expect_err 'trying again in 1 s (1 of 3)'
    expect_same here/computers.npz "$scratch/served/computers.npz"
    expect_equal "$(ls here)" computers.npz
    rm -r here
done
grep -q '^once-cut computers.npz bytes=[1-9][0-9]*-$' "$log" || fail 'what was cut off was not continued'

# ---- Permanent failures ----
bad 1 'HTTP 500' fetch computers --accept --mirror "$server/500" --retries 0
bad 1 'it stalls' fetch computers --accept --mirror "$server/stall" --retries 0 --timeout 1
find "$cache" -name '*.part' -delete
bad 1 'it is not a dataset' fetch computers --accept --mirror "$server/wrong"
expect_no_part
head -c 177840 /dev/zero >"$scratch/served/chameleon.npz" # of the right size
bad 1 'SHA-256' fetch chameleon --mirror "$server/ok"
expect_err "chameleon: the file from $server/ok/chameleon.npz is not the expected one"
expect_err "is $(sha256sum <"$scratch/served/chameleon.npz" | head -c 64), not 4c640bd2877fc4f9f101531e2f977bc1"
bad 1 'it has 25 bytes of text/html, not 177840' fetch chameleon --mirror "$server/page"
expect_no_data

# ---- A server without a trusted certificate ----
if command -v openssl >/dev/null; then
    openssl req -x509 -newkey rsa:2048 -nodes -keyout "$scratch/key" -out "$scratch/cert" -days 2 -subj /CN=127.0.0.1 \
        -addext subjectAltName=IP:127.0.0.1 2>"$scratch/seen/err" || fail 'no certificate could be made'
    cat "$scratch/key" "$scratch/cert" >"$scratch/pem"
    start_server "$scratch/secure_port" "$scratch/pem"
    bad 1 'certificate' fetch computers --mirror "https://127.0.0.1:$(cat "$scratch/secure_port")/ok"
    expect_no_data
fi

# ---- Without libcurl, which is loaded only when needed ----
mkdir "$scratch/libraries"
touch "$scratch/libraries/libcurl.so.4" "$scratch/libraries/libcurl-gnutls.so.4"
LD_LIBRARY_PATH=$scratch/libraries bad 1 'libcurl is needed and cannot be loaded' fetch computers --accept \
    --mirror "$server/ok"
expect_no_data

# ---- Several datasets: one that fails does not stop the others ----
run fetch all --accept --mirror "$server/ok" --json done.json
expect_status 1
expect_equal "$(grep -c 'HTTP 404' "$scratch/seen/err")" 8 'the complaints of missing files'
expect_out 'computers: 1 file'
expect_out 'photo: 1 file'
expect_equal "$(wc -l <"$scratch/seen/out")" 2 'the lines on standard output'
expect_json done.json
expect_equal "$(grep -c '"state": "fetched"' done.json)" 2
expect_equal "$(grep -c '"state": "failed"' done.json)" 9
expect_equal "$(cd "$cache" && find . -type f | sort)" './computers.npz
./photo.npz' 'the files'
rm -r "$cache" done.json

# ---- Ctrl-C keeps the partial files ----
for signal in INT TERM HUP; do
    called="gprgnn fetch computers (in the background)"
    env --default-signal=INT "$GPRGNN" fetch computers --accept --mirror "$server/slow" \
        >"$scratch/seen/out" 2>"$scratch/seen/err" </dev/null 9>&- &
    background=$!
    for _ in $(seq 600); do
        if [ -s "$cache/computers.npz.part" ]; then break; fi
        sleep 0.1
    done
    kill -$signal "$background"
    status=0
    wait "$background" || status=$?
    background=
    expect_status 1
    expect_err 'gprgnn: interrupted; the partial files of computers are kept'
    expect_equal "$(wc -l <"$scratch/seen/err")" 1 'the lines on standard error'
    expect_file "$cache/computers.npz.part"
    [ ! -e "$cache/computers.npz" ] || fail 'a part was moved into place'
    size=$(stat -c %s "$cache/computers.npz.part")
    good fetch computers --accept --mirror "$server/ok"
    expect_equal "$(tail -n 1 "$log")" "ok computers.npz bytes=$size-" 'the request'
    expect_same "$cache/computers.npz" "$scratch/served/computers.npz"
    expect_no_part
    rm -r "$cache"
done

# ---- So does a fetch that is killed: it leaves its partial file alone, and the next one goes on ----
called='gprgnn fetch computers (killed)'
"$GPRGNN" fetch computers --accept --mirror "$server/slow" >"$scratch/seen/out" 2>"$scratch/seen/err" </dev/null 9>&- &
background=$!
for _ in $(seq 600); do
    if [ -s "$cache/computers.npz.part" ]; then break; fi
    sleep 0.1
done
kill -KILL "$background"
wait "$background" 2>/dev/null || true
background=
expect_equal "$(ls -A "$cache")" computers.npz.part 'what is left of it'
size=$(stat -c %s "$cache/computers.npz.part")
good fetch computers --accept --mirror "$server/ok"
expect_equal "$(tail -n 1 "$log")" "ok computers.npz bytes=$size-" 'the request'
expect_equal "$(ls -A "$cache")" computers.npz 'the files'
expect_same "$cache/computers.npz" "$scratch/served/computers.npz"
head -c 1000 "$cache/computers.npz" >"$cache/computers.npz.part" # of no use any more
good fetch computers --accept --mirror "$server/ok"
expect_equal "$(ls -A "$cache")" computers.npz 'the files'
rm -r "$cache"

# ---- Two at once ----
called='two of gprgnn fetch computers at once'
"$GPRGNN" fetch computers --accept --mirror "$server/slow" >"$scratch/seen/first" 2>&1 </dev/null 9>&- &
background=$!
run fetch computers --accept --mirror "$server/slow"
expect_status 0
wait "$background" || fail 'the other one failed'
cat "$scratch/seen/first" "$scratch/seen/err" | grep -q 'another fetch is loading .*: waiting for it' ||
    fail 'none says that it waits'
background=
expect_same "$cache/computers.npz" "$scratch/served/computers.npz"
expect_equal "$(tail -n 2 "$log" | grep -c slow)" 1 'the requests'
expect_no_part
rm -r "$cache"

# ---- The progress bar: on a terminal only ----
if command -v script >/dev/null; then
    called='gprgnn fetch computers (in a terminal)'
    script -qec "$(printf '%q ' "$GPRGNN" fetch computers --accept --mirror "$server/slow")" /dev/null \
        >"$scratch/seen/out" 2>"$scratch/seen/err" </dev/null || fail 'it failed'
    tr '\r' '\n' <"$scratch/seen/out" >"$scratch/seen/lines"
    grep -qE '^computers 1/1 \[#*\.*\] +[0-9]+ %  [0-9.]+ kB of [0-9.]+ kB  ETA [0-9]+:[0-9]+' "$scratch/seen/lines" ||
        fail 'there is no progress bar'
    expect_out 'fetched to'
    rm -r "$cache"
else
    skip_part 'there is no script (Debian: bsdutils), for a terminal'
fi

# ---- All of them, from the real files ----
for file in planetoid/ind.pubmed.allx geom-gcn/film/out1_graph_edges.txt npz/yandex/cornell.npz graphs/photo.npz; do
    if [ ! -e "$data/$file" ]; then
        skip_part "no data ($data/$file)"
        exit 0
    fi
done
rm "$scratch"/served/*
ln -s "$data/planetoid" "$data/geom-gcn" "$data"/graphs/computers.npz "$data"/graphs/photo.npz \
    "$data"/npz/yandex/chameleon.npz "$data"/npz/yandex/squirrel.npz "$scratch/served"
ln -s "$data/npz/yandex/cornell.npz" "$scratch/served/cornell_corrected.npz"
good fetch all --mirror "$server/ok"
expect_silent_err
expect_out 'cora: 6 files, 546.3 kB, fetched to'
expect_equal "$(wc -l <"$scratch/seen/out")" 11 'the lines on standard output'
expect_no_part
good fetch --list
expect_equal "$(grep -c '  yes  ' "$scratch/seen/out")" 11 'the datasets that are there'
good verify "$cache"
expect_equal "$(grep -c '^ok  ' "$scratch/seen/out")" "$(wc -l <"$scratch/seen/out")" 'the files that are right'
for name in $names; do
    good info "$name" --json got.json
    good info "$data/graphs/$name.npz" --json wanted.json
    expect_equal "$(json got.json fingerprint)" "$(json wanted.json fingerprint)" "the fingerprints of $name"
    expect_equal "$(json got.json name)" "$name" 'the name'
done
good train texas --epochs 2 -q
rm "$cache"/planetoid/ind.cora.t*
good fetch all --mirror "$server/ok"
expect_out 'cora: 3 of 6 files, '
expect_equal "$(grep -c 'already in' "$scratch/seen/out")" 10 'the datasets that were there'
