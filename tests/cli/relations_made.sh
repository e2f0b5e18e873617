# Three made graphs (docs/figures/relations.py): the filter with kinds or directions of edges learns what the graph
# without them hides, and its weights say which of them tells what.
source "$(dirname "$0")/lib.bash"
needs python3
made=$scratch/seen/made.txt
called='docs/figures/relations.py'
python3 "$source_dir/docs/figures/relations.py" "$GPRGNN" "$scratch/seen/made.svg" >"$made" || fail 'it did not work'

# check GRAPH LEAST MOST: the accuracy in percent with kinds is at least LEAST, without them at most MOST.
check() {
    awk -v graph="$1" -v least="$2" -v most="$3" '$1 == graph { found = $3 >= least && $8 <= most }
        END { exit !found }' "$made" || fail "accuracies of $1: $(grep "^$1 " "$made")"
}
check opposite 97 80
check noise 90 80
check one-each 95 70

# gamma KIND: the weights of its hops, and of the classes of each hop, without brackets
gamma() { sed -n "s/^ *$1  *(//p" "$made" | tr -d '()'; }
tells() { awk "BEGIN { exit !($1) }" || fail "gamma: $1, where the weights are: $(cat "$made")"; }
along=$(gamma along) against=$(gamma against)
tells "($along) * ($against) < 0"
tells "-($along) / ($against) > 0.5 && -($along) / ($against) < 2"
read -r friend1 friend2 <<<"$(gamma friend)"
for weight in $(gamma advert); do # less than a fifth of what the kind has that tells
    tells "25 * ($weight) ^ 2 < ($friend1) ^ 2 + ($friend2) ^ 2"
done
# The weight of a kind is above 0 for the class that it joins, and below for the others.
read -r aa ab ac <<<"$(gamma kind_a)"
read -r ba bb bc <<<"$(gamma kind_b)"
read -r ca cb cc <<<"$(gamma kind_c)"
tells "($aa) * ($ba) < 0 && ($aa) * ($ca) < 0"
tells "($bb) * ($ab) < 0 && ($bb) * ($cb) < 0"
tells "($cc) * ($ac) < 0 && ($cc) * ($bc) < 0"
expect_file "$scratch/seen/made.svg"
