# One of four processes is killed at a random moment, KILLS times (3): all end within seconds, no file is half written,
# and what was saved goes on in another number of processes and ends with the bits of a training that nobody disturbed.
source "$(dirname "$0")/lib.bash"
source "$tests_dir/lib_processes.bash"
RANDOM=${SEED:-7}
graph=csbm:n=1100,f=12,phi=0.4,seed=3 # of 4 blocks
job="--epochs 40 --stopping none --threads 1 -q --save-every 0"
hows=(rows columns runs)

# The processes of the program that a launcher has started.
processes_of() { pgrep -P "$1" 2>/dev/null || true; }

kill_one() { # HOW DELAY RANK FOLDER RUNS
    local launcher victims
    called="mpirun -n 4 gprgnn train --distribute $1, process $3 killed after $2 s"
    # shellcheck disable=SC2086
    mpirun -q -n 4 "$GPRGNN" train $graph $job --runs $5 --distribute $1 --out $4 >"$scratch/seen/out" \
        2>"$scratch/seen/err" &
    launcher=$!
    background=$launcher
    sleep "$2"
    mapfile -t victims < <(processes_of $launcher)
    if [ ${#victims[@]} -gt "$3" ]; then kill -KILL "${victims[$3]}" 2>/dev/null || true; fi
    for _ in $(seq 150); do
        kill -0 $launcher 2>/dev/null || break
        sleep 0.1
    done
    ! kill -0 $launcher 2>/dev/null || fail 'mpirun still runs 15 s after the kill'
    background=
    status=0
    wait $launcher || status=$?
}

good train $graph $job --out one
good train $graph $job --runs 3 --out three
for ((k = 0; k < ${KILLS:-3}; k++)); do
    how=${hows[k % 3]} runs=1 want=one
    if [ $how = runs ]; then runs=3 want=three; fi
    rm -rf many
    kill_one $how "0.$((20 + RANDOM % 75))" $((RANDOM % 4)) many $runs
    if [ -e many/.run-finished ] || [ -e many/.run-moving ]; then # the new results count, and were on their way
        good train --resume many
        expect_file many/run.sha256
    fi
    if [ -e many/run.sha256 ]; then
        good verify many # it was finished before the kill
    elif [ -d many ]; then
        for file in many/*; do [ "$file" = many/state ] || fail "there is $file, and no run.sha256"; done
        for file in many/state/*.safetensors; do [ ! -e "$file" ] || good verify "$file"; done
    fi
    rest=$((1 + RANDOM % 4))
    if [ $how != runs ] &&
        [ $rest -gt 1 ]; then good_together $rest train $graph $job --runs $runs --distribute $how --out many
    else good train $graph $job --runs $runs --out many; fi
    expect_same_run $want many
done

# Tables: killed within the choice among candidates, or after it.
awk 'BEGIN { srand(4); print "id,kind,size"; for (i = 0; i < 1100; i++)
    print i "," (i % 6 ? (i % 2 ? "a" : "b") : "") "," rand() + i % 2 }' >nodes.csv
awk 'BEGIN { srand(5); print "source,target"
    for (i = 0; i < 3000; i++) print int(1100 * rand()) "," int(1100 * rand()) }' >links.csv
graph="--edges links.csv --nodes nodes.csv --label kind --hidden 16 --baselines no"
for how in rows runs; do
    runs=1
    [ $how = rows ] || runs=3
    rm -rf one many
    good train $graph $job --runs $runs --out one
    kill_one $how "0.$((40 + RANDOM % 55))" $((RANDOM % 4)) many $runs
    good_together 2 train $graph $job --runs $runs --distribute $how --out many
    expect_same_run one many
    expect_same one/gamma.csv many/gamma.csv
done
