# gprgnn fetch from servers of many kinds that do what they should not (fetch_hostile_server.py has the table of them).
# Each fetch ends soon, with the right status and a message that names address and cause; it leaves no file that is not
# right, nothing beside it but a .part, and the next fetch, from a good server, makes the file whole.
source "$(dirname "$0")/lib.bash"
needs python3 # the server
run fetch computers --mirror http://127.0.0.1:1 --data-dir none
if grep -q 'this build has no downloads' "$scratch/seen/err"; then
    skip 'this build has no downloads (GPRGNN_CURL)'
fi
rm -rf none
unset http_proxy https_proxy all_proxy HTTPS_PROXY ALL_PROXY
server_script=$tests_dir/fetch_hostile_server.py

# ---- Certificates: one that nobody knows; of a test CA: a good one, an expired one, one of another host ----
pems=()
if command -v openssl >/dev/null; then
    make_certificates() {
        openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.crt -days 2 -subj /CN=gprgnn-test-ca
        openssl req -newkey rsa:2048 -nodes -keyout key -out request -subj /CN=127.0.0.1
        openssl x509 -req -in request -signkey key -days 2 -extfile <(echo subjectAltName=IP:127.0.0.1) -out unknown.crt
        for name in good expired host; do
            local days=2 subject=IP:127.0.0.1
            if [ $name = expired ]; then days=-1; fi
            if [ $name = host ]; then subject=DNS:elsewhere.example; fi
            openssl x509 -req -in request -CA ca.crt -CAkey ca.key -CAcreateserial -days $days \
                -extfile <(echo subjectAltName=$subject) -out $name.crt
        done
    }
    mkdir "$scratch/tls"
    (cd "$scratch/tls" && make_certificates) >"$scratch/seen/out" 2>"$scratch/seen/err" ||
        fail 'no certificates could be made'
    for name in good unknown expired host; do
        cat "$scratch/tls/key" "$scratch/tls/$name.crt" >"$scratch/tls/$name.pem"
        pems+=("$scratch/tls/$name.pem")
    done
fi

# ---- The server ----
mkdir "$scratch/served" "$scratch/results"
"$GPRGNN" generate csbm --phi -0.5 --n 200 --f 30 --seed 4 -o "$scratch/served/computers.npz" -q
"$GPRGNN" generate csbm --phi 0.5 --n 200 --f 30 --seed 5 -o "$scratch/served/other.npz" -q
mkfifo "$scratch/alive"
exec 9<>"$scratch/alive" # the server ends when this is closed, at the end of the test
python3 "$server_script" "$scratch/served" "${pems[@]}" <"$scratch/alive" >"$scratch/ports" 9>&- &
for _ in $(seq 100); do
    if [ -s "$scratch/ports" ]; then break; fi
    sleep 0.1
done
read -r -a ports <"$scratch/ports" || fail 'the server does not start'
server=http://127.0.0.1:${ports[0]}

limits=(--retries 1 --timeout 3)

# fetch_kind KIND DATASET ADDRESS: the results go to $scratch/results/KIND.*
fetch_kind() {
    local name=${2%!} accept=--accept began=$SECONDS code=0 most=12
    if [ "$name" != "$2" ]; then accept=; fi
    case $1 in drip*) most=4 ;; esac # they last as long as they may
    timeout -s KILL 60 "$GPRGNN" fetch "$name" --mirror "$3" --data-dir "$1" "${limits[@]}" --max-time $most $accept \
        >"$scratch/results/$1.out" 2>"$scratch/results/$1.err" </dev/null || code=$?
    echo "$code $((SECONDS - began))" >"$scratch/results/$1.code"
}

# check_kind KIND DATASET STATUS LEFT MESSAGE ADDRESS
check_kind() {
    local kind=$1 file=${2%!}.npz seconds
    called="gprgnn fetch $2 from a server of the kind '$kind'"
    cp "$scratch/results/$kind.out" "$scratch/seen/out"
    cp "$scratch/results/$kind.err" "$scratch/seen/err"
    read -r status seconds <"$scratch/results/$kind.code"
    expect_status "$3"
    [ "$seconds" -le 40 ] || fail "it took $seconds s"
    [ -z "$5" ] || grep -qE -e "$5" "$scratch/seen/err" || fail "standard error lacks: $5"
    ! LC_ALL=C grep -q '[^[:print:]]' "$scratch/seen/err" || fail 'control characters of the server reach the terminal'
    if [ "$3" -ne 0 ]; then
        grep -qF -e "$6" "$scratch/seen/err" || fail "standard error does not name $6"
        expect_equal "$(grep -c '^gprgnn: ' "$scratch/seen/err")" "$(wc -l <"$scratch/seen/err")" \
            'the lines of messages'
    fi
    local there wanted=
    there=$(ls -A "$kind" 2>/dev/null || true)
    case $4 in
    file)
        wanted=$file
        expect_same "$kind/$file" "$scratch/served/computers.npz"
        ;;
    part) wanted=$file.part ;;
    esac
    if [ "$4" != part ] || [ -n "$there" ]; then expect_equal "$there" "$wanted" 'what was left'; fi
}

# ---- All kinds of the table, a few at once ----
python3 "$server_script" --table >"$scratch/table"
while read -r kind dataset _; do
    while [ "$(jobs -rp | wc -l)" -gt 16 ]; do wait -n || true; done # the server is one of them
    fetch_kind "$kind" "$dataset" "$server/$kind" 9>&- &
done <"$scratch/table"
background_jobs=$(jobs -rp | tail -n +2)
for job in $background_jobs; do wait "$job" || true; done
while read -r kind dataset wanted left message; do
    check_kind "$kind" "$dataset" "$wanted" "$left" "$message" "127.0.0.1:${ports[0]}"
done <"$scratch/table"

# ---- The next fetch goes on from what was left ----
count=0
while read -r kind dataset _; do
    if [ "$dataset" = chameleon ]; then continue; fi
    good fetch computers --mirror "$server/ok" --data-dir "$kind" --accept
    expect_equal "$(ls -A "$kind")" computers.npz 'the files'
    expect_same "$kind/computers.npz" "$scratch/served/computers.npz"
    rm -r "$kind"
    count=$((count + 1))
done < <(grep -E ' part |^(other|noise|empty|length-below|page|changed-untold) ' "$scratch/table")
[ "$count" -ge 10 ] || fail "only $count kinds leave a part"
rm -rf ./*

# ---- An answer before the request ----
fetch_kind early computers "http://127.0.0.1:${ports[-1]}/ok"
check_kind early computers 0 file '' ''

# ---- Names and passwords do not reach the terminal ----
fetch_kind password computers "http://name:secret@127.0.0.1:${ports[0]}/status-403"
check_kind password computers 1 nothing 'HTTP 403' "$server/status-403/computers.npz"
! grep -q secret "$scratch/seen/err" || fail 'the password is shown'
rm -rf ./*

# ---- https ----
if [ ${#pems[@]} -eq 0 ]; then
    skip_part 'there is no openssl, for certificates'
    exit 0
fi
good_port=${ports[1]}
for name in good unknown expired host; do
    port=${ports[1]}
    case $name in
    unknown) port=${ports[2]} ;;
    expired) port=${ports[3]} ;;
    host) port=${ports[4]} ;;
    esac
    fetch_kind "tls-$name" computers "https://127.0.0.1:$port/ok"
    check_kind "tls-$name" computers 1 nothing "certificate cannot be trusted: SSL" \
        "https://127.0.0.1:$port/ok/computers.npz"
done
fetch_kind tls-on-http computers "https://127.0.0.1:${ports[0]}/ok"
check_kind tls-on-http computers 1 nothing 'SSL|TLS' "https://127.0.0.1:${ports[0]}/ok"
fetch_kind http-on-tls computers "http://127.0.0.1:$good_port/ok"
check_kind http-on-tls computers 1 nothing 'cannot load' "http://127.0.0.1:$good_port/ok"
fetch_kind up-untrusted computers "$server/up"
check_kind up-untrusted computers 1 nothing 'certificate cannot be trusted' "redirected to https://127.0.0.1:$good_port"

# With the test CA as the only one that is trusted: a libcurl in between sets it, as no variable can.
real=$(ldconfig -p 2>/dev/null | sed -n 's/^[[:space:]]*libcurl\.so\.4 .*=> //p' | head -n 1)
if ! command -v cc >/dev/null || [ -z "$real" ]; then
    skip_part 'trust in the test CA needs cc and ldconfig'
    exit 0
fi
mkdir "$scratch/libraries"
cc -shared -fPIC -o "$scratch/libraries/libcurl.so.4" "$tests_dir/fetch_trust.c" -ldl 2>"$scratch/seen/err" ||
    fail 'the libcurl in between does not compile'
export LD_LIBRARY_PATH=$scratch/libraries GPRGNN_TEST_CURL=$real GPRGNN_TEST_CA=$scratch/tls/ca.crt
secure=https://127.0.0.1:$good_port
for how in ok beside; do
    kind=trusted-$how
    fetch_kind "$kind" computers "$secure/$how"
    check_kind "$kind" computers 0 file '' ''
done
fetch_kind tls-expired-too computers "https://127.0.0.1:${ports[3]}/ok"
check_kind tls-expired-too computers 1 nothing 'certificate has expired' "https://127.0.0.1:${ports[3]}/ok"
fetch_kind tls-host-too computers "https://127.0.0.1:${ports[4]}/ok"
check_kind tls-host-too computers 1 nothing "cannot be trusted: .*127.0.0.1" "https://127.0.0.1:${ports[4]}/ok"
fetch_kind up computers "$server/up"
check_kind up computers 0 file '' ''
for how in down-0 down-1 down-2 down-3 down-4 down-5 down-late; do
    for scheme in https HTTPS; do # however it is spelled
        fetch_kind "$how-$scheme" computers "$scheme://127.0.0.1:$good_port/$how"
        check_kind "$how-$scheme" computers 1 nothing 'from https to http is not followed|only http and https' \
            "://127.0.0.1:$good_port/$how"
    done
done
fetch_kind up-and-down computers "$server/up-and-down"
check_kind up-and-down computers 1 nothing 'from https to http is not followed' "$server/up-and-down/computers.npz"
