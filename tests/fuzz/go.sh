#!/usr/bin/env bash
# Runs the targets of a bundle (scripts/fuzz-bundle.sh): go.sh SECONDS JOBS OUTDIR. JOBS processes run at a time. Time
# is cut into slices; all targets get equally many, and those of one target share their inputs. One in four also goes by
# the values of comparisons. OUTDIR gets
#     logs/TARGET.NUMBER.log   what libFuzzer printed, with the number of executions
#     corpus/TARGET/           new inputs that reach something new
#     findings/                inputs that show a fault; the run goes on
#     summary.txt              executions of every target, and findings
set -u
seconds=${1:?usage: go.sh SECONDS JOBS OUTDIR} jobs=${2:?} out=${3:?}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$out"/{logs,corpus,findings}
out=$(cd "$out" && pwd)
export ASAN_OPTIONS=${ASAN_OPTIONS:-quarantine_size_mb=16:allocator_may_return_null=1}
mapfile -t targets < <(cd "$here/bin" && ls)

# With the libraries of this machine, or where that fails with those of the bundle.
start=()
if ! "$here/bin/${targets[0]}" -help=1 >/dev/null 2>&1; then
    start=("$here/lib/ld-linux-x86-64.so.2" --library-path "$here/lib")
fi

# Rounds: in each, every target has one slice, of about a minute, so that reading the inputs again costs little.
count=${#targets[@]}
rounds=$((seconds * jobs / (count * 55)))
((rounds < 1)) && rounds=1
slice=$((seconds * jobs * 24 / 25 / (count * rounds)))
((slice < 5)) && slice=5
end=$((SECONDS + seconds))

fuzz() { # TARGET NUMBER
    local left=$((end - SECONDS))
    ((left < 3)) && return
    ((left > slice)) && left=$slice
    mkdir -p "$out/corpus/$1"
    timeout -s INT $((left + 30)) ${start[@]+"${start[@]}"} "$here/bin/$1" -max_total_time="$left" -timeout=20 \
        -rss_limit_mb=3000 -report_slow_units=20 -print_final_stats=1 -seed=$(($2 * 1000003 + RANDOM + 1)) \
        -use_value_profile=$(($2 % 4 == 0)) \
        -artifact_prefix="$out/findings/$1-" "$out/corpus/$1" "$here/corpus/$1" >"$out/logs/$1.$2.log" 2>&1
}

number=0
begin() { # TARGET, as soon as there is a place
    while (($(jobs -rp | wc -l) >= jobs)); do wait -n; done
    number=$((number + 1))
    fuzz "$1" $number &
}
for ((round = 0; round < rounds; round++)); do
    for ((i = 0; i < count; i++)); do # the last of a round is the first of the next
        begin "${targets[$(((count * (round + 1) - round + i) % count))]}"
    done
done
while ((end - SECONDS > 5)); do begin "${targets[$((number % count))]}"; done
wait

for target in "${targets[@]}"; do
    runs=$(cat "$out/logs/$target".*.log 2>/dev/null |
        awk '/^stat::number_of_executed_units:/ {sum += $2} END {printf "%d", sum}')
    echo "$target $runs"
done | tee "$out/summary.txt"
awk '{sum += $2} END {printf "all %d\n", sum}' "$out/summary.txt" | tee -a "$out/summary.txt"
echo "findings $(find "$out/findings" -type f | wc -l)" | tee -a "$out/summary.txt"
