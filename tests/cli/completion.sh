# Completion in bash and zsh: the scripts are of this program, and complete what they should.
source "$(dirname "$0")/lib.bash"

for shell in bash:gprgnn.bash zsh:_gprgnn; do
    good completion ${shell%:*}
    expect_silent_err
    cmp -s "$scratch/seen/out" "$source_dir/cli/completion/${shell#*:}" || fail \
        "cli/completion/${shell#*:} is not of this program: build/gprgnn completion ${shell%:*} "\
">cli/completion/${shell#*:}"
done
bad 2 "there is no completion for 'fish': it must be bash or zsh" completion fish

# Every option of a command's help is in its table, and the other way round; every word stands in the help.
good completion bash
cp "$scratch/seen/out" "$scratch/seen/script"
good --help
commands=$(sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' "$scratch/seen/out" | grep -vx help)
for command in $commands; do
    good $command --help
    sed -n '/^Options/,$p' "$scratch/seen/out" | sed -n 's/^ .\{5\}\(--[A-Za-z-]*\).*/\1/p' |
        sort >"$scratch/seen/in_help"
    sed -n "/^    $command)/,/^        ;;/p" "$scratch/seen/script" >"$scratch/seen/part"
    sed -n "s/^        options='\(.*\)'/\1/p" "$scratch/seen/part" | tr ' ' '\n' | sort >"$scratch/seen/in_script"
    [ -s "$scratch/seen/in_help" ] || fail "the help of $command has no options"
    expect_same "$scratch/seen/in_help" "$scratch/seen/in_script"
    sed -n "s/^        \(--[a-z-]*\).* words='\([^']*\)'\( files=f\)\{0,1\} ;;/\1 \2/p" "$scratch/seen/part" |
        while read -r option words; do
            sed -n "/ $option /,/^ .\{5\}--/p" "$scratch/seen/out" >"$scratch/seen/flag"
            for word in $words; do
                grep -qw -e "$word" "$scratch/seen/flag" || fail "$command: the help of $option lacks $word"
            done
        done
done

# ---- bash itself ----
touch 'a file.csv' notes.txt
mkdir runs 'runs/second one' data
# typed WORDS...: what bash offers for the last word, one per line, in order.
typed() {
    called="completion of: gprgnn $*"
    bash -c 'source "$1" && shift && COMP_WORDS=(gprgnn "$@") COMP_CWORD=$# && _gprgnn &&
        printf "%s\n" ${COMPREPLY[@]+"${COMPREPLY[@]}"}' bash "$source_dir/cli/completion/gprgnn.bash" "$@" \
        2>"$scratch/seen/err" | grep -v '^$' | sort >"$scratch/seen/out" || true
    expect_silent_err
}
offers() { # WANTED (lines with blanks between), then the words
    local wanted=$1
    shift
    typed "$@"
    expect_equal "$(tr '\n' ' ' <"$scratch/seen/out" | sed 's/ $//')" "$wanted" 'what is offered'
}
offers 'train' tra
offers '--version' --v
offers 'paper parameters' help pa
offers '' help train x
offers '--weight --weight-decay' train --weight
offers 'gat gcn geomgcn gprdeep gprgnn' train --model g
offers 'gcn' train cora --epochs 5 --model gc
offers 'gcn' train --model = gc # bash cuts --model=gc so
offers 'appnp auto cheby gat gcn geomgcn gprdeep gprgnn jknet mlp sage sgc stack trees' train --model =
# search compares them itself
offers 'appnp cheby gat gcn geomgcn gprdeep gprgnn jknet mlp sage sgc stack trees' search --model =
offers 'a file.csv auto' train --split a
offers 'data dense' train cora --split d
offers 'count' info --edges e.csv --duplicates c
offers 'skip' train --unknown s
offers 'avx2 avx512' inspect run --cpu avx
offers 'gcn,sage gcn,sgc gcn,stack' search --model gcn,s
offers 'gprgnn,texas' paper table-real --datasets gprgnn,t
offers 'table-csbm-dense table-csbm-sparse' paper figures table-c
offers 'squirrel' fetch cora sq
offers 'csbm' generate c
offers 'powerlaw' generate p
offers 'bash' completion b
offers '' train --epochs ''       # a number
offers '' train --label ''        # the name of a column
offers 'a file.csv' train --edges 'a\ f'
offers 'a file.csv' train --nodes '"a '
offers 'notes.txt' info n
offers 'data runs' train --out ''
offers 'runs/second one' train --resume 'runs/'
offers 'csbm' info cs
offers 'notes.txt' predict n
offers 'runs' predict r
offers '' predict cite             # a model comes first
offers 'citeseer' predict runs cite
offers 'citeseer' predict --cpu auto -o out.csv runs cite
offers 'citeseer' predict runs --proba cite
offers 'cora cornell cornell_corrected' train -q cor
offers '' report runs x
offers '' train csbm : n = 5 x
offers '' nonsense x


# ---- the Tab key, in a terminal ----
has python3 || { skip_part 'there is no python3, for the Tab key' && exit 0; }
printf '%s\n' '<train><--model><geomgcn>' '<train><--normalize><auto>' '<train><--edges><a file.csv>' \
    '<fetch><squirrel>' \
    '<search><--model><gcn,sage>' '<help><parameters>' '<predict><runs/><citeseer>' >expected
# press SHELL SCRIPT
press() {
    called="Tab keys in $1"
    python3 "$tests_dir/press_tab.py" "$1" "$source_dir/cli/completion/$2" 'gprgnn tra\t--mod\tgeo\t' \
        'gprgnn train --normal\tau\t' 'gprgnn train --edges a\t' 'gprgnn fet\tsq\t' 'gprgnn search --model gcn,sa\t' \
        'gprgnn help para\t' 'gprgnn predict ru\t cite\t' >"$scratch/seen/out" 2>"$scratch/seen/err" ||
        fail "$1 does not complete"
    sed 's/=/></; s|<runs>|<runs/>|' "$scratch/seen/out" >seen # zsh writes --model=geomgcn, and takes the slash back
    expect_same seen expected
}
press bash gprgnn.bash
has zsh || { skip_part 'there is no zsh' && exit 0; }
zsh -n "$source_dir/cli/completion/_gprgnn" || fail 'zsh cannot read the script'
press zsh _gprgnn
