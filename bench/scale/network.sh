#!/bin/bash
# Measures epochs in 2 and 4 processes over a network with a delay and a bandwidth, beside the model (model.py). Each
# process has a network namespace of its own; wire.c is the switch between them. Linux, as root, with Open MPI.
#
#     bench/scale/network.sh DELAY_MS MBIT_PER_S [PROGRAM]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
delay=$1 rate=$2 program=$(realpath "${3:-build/gprgnn}")
work=$(mktemp -d)
spaces=(gprgnn1 gprgnn2 gprgnn3 gprgnn4)
wire=
end() {
    [ -z "$wire" ] || kill "$wire" 2>/dev/null || true
    sleep 0.3
    for space in "${spaces[@]}"; do ip netns del "$space" 2>/dev/null || true; done
    rm -rf "$work"
}
trap end EXIT
cc -O2 -o "$work/wire" "$here/wire.c"
mpicc -O2 -o "$work/exchange" "$here/exchange.c"
for space in "${spaces[@]}"; do
    ip netns add "$space"
    ip -n "$space" link set lo up
    ip netns exec "$space" sysctl -qw net.ipv4.tcp_slow_start_after_idle=0
done
"$work/wire" "$delay" "$rate" "${spaces[@]}" >/dev/null &
wire=$!
sleep 1

# mpirun starts the processes of host 10.77.0.i in namespace i
printf '#!/bin/bash\nhost=$1\nshift\nexec ip netns exec gprgnn${host##*.} bash -c "$*"\n' >"$work/agent"
chmod +x "$work/agent"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm_rsh_agent=$work/agent OMPI_MCA_pml=ob1
export OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=eth0 OMPI_MCA_oob_tcp_if_include=eth0
export OMPI_MCA_orte_keep_fqdn_hostnames=1 # addresses as they are
# A large message goes out at once: docs/scale.md
export OMPI_MCA_btl_tcp_eager_limit=4194304 OMPI_MCA_btl_tcp_rndv_eager_limit=4194304 \
    OMPI_MCA_btl_tcp_max_send_size=4194304
together() { # PROCESSES COMMAND...
    local hosts
    hosts=$(seq -f '10.77.0.%g:1' -s, "$1")
    ip netns exec gprgnn1 mpirun -q --host "$hosts" -n "$@"
}
# Seconds of an epoch, from the JSON of a training.
seconds() { python3 -c 'import json, sys; print(json.load(sys.stdin)["ms_per_epoch"] / 1000)'; }

"$program" generate powerlaw --nodes 30000 --edges 150000 --features 16 --classes 7 --communities 64 --inside 0.97 \
    --labelled 0.5 -q -o "$work/rows.gpr"
"$program" generate powerlaw --nodes 30000 --edges 150000 --features 16 --classes 47 --communities 470 --labelled 0.5 \
    -q \
    -o "$work/columns.gpr"
job="--epochs 10 --stopping none --threads 1 --split 60/20/20 --normalize none --smooth no --json -"
for p in 2 4; do together $p "$work/exchange" 200 60000 250000 960000; done >"$work/exchanges"
echo "delay $delay ms, $rate Mbit/s; processes, bytes, seconds of an exchange:"
cat "$work/exchanges"
for how in rows columns; do
    classes=$([ $how = rows ] && echo 7 || echo 47)
    # shellcheck disable=SC2086
    alone=$("$program" train "$work/$how.gpr" $job -q | seconds)
    for p in 2 4; do
        # shellcheck disable=SC2086
        measured=$(together $p "$program" train "$work/$how.gpr" $job --distribute $how -v 2>"$work/log" | seconds)
        rows=$(sed -n 's/.*times the \([0-9]*\) rows that others need.*/\1/p' "$work/log" | head -n 1)
        model=$(python3 "$here/model.py" --nodes 30000 --edges 150000 --features 16 --classes "$classes" \
            --processes $p \
            --mode $how --epoch-s "$alone" --filter-share 0.6 --exchanges "$work/exchanges" --rows-sent "${rows:-0}" |
            tail -n 1 | cut -d'|' -f7)
        echo "$how, $p processes: model $model s, measured $measured s"
    done
done
