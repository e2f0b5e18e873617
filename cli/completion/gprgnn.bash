# Completion of gprgnn in bash. 'gprgnn completion bash' writes this file: do not edit it.

# _gprgnn_table COMMAND WORD: sets `options`, those of the command. WORD is one of them, or the number of an operand:
# sets `takes`, whether the option takes a value; and what can stand there: `words`, `files` (f: files, d: folders),
# `list` (several words with commas).
_gprgnn_table() {
    options= takes= words= files= list=
    case $1 in
    train)
        options='--out --resume --save-every --overwrite --json --config --preset --baselines --importance --distribute --cpu --quiet --verbose --data-dir --format --edges --relation --source --target --weight --edge-weight --duplicates --unknown --nodes --id --label --task --drop --categorical --numeric --date --words --max-values --fill --split-column --time --val-from --test-from --features --labels --delimiter --header --encoding --memory --no-map --model --candidates --budget --hidden --heads --output-heads --slope --jk-layers --K --init --alpha --dropout --dprate --layers --norm --residual --relations --direction --basis --gamma --loops --order --state --embedding --label-input --label-share --label-counts --depth --most-columns --lr --weight-decay --row-share --column-share --leaf-weight --optimizer --epochs --batch --stopping --patience --metric --loss --class-weight --calibrate --refit --sample-weight --smooth --split --normalize --seed --runs --threads --device --reorder --hops-file --predictions --help'
        case $2 in
        --out | --resume | --data-dir) takes=1 files=d ;;
        --save-every | --relation | --source | --target | --weight | --edge-weight | --id | --label | --drop | --categorical | --numeric | --date | --words | --max-values | --fill | --split-column | --time | --val-from | --test-from | --memory | --hidden | --heads | --output-heads | --slope | --jk-layers | --K | --alpha | --dropout | --dprate | --layers | --label-share | --depth | --most-columns | --lr | --weight-decay | --row-share | --column-share | --leaf-weight | --epochs | --batch | --patience | --seed | --runs | --threads) takes=1 ;;
        --json | --config | --edges | --nodes | --labels) takes=1 files=f ;;
        --preset) takes=1 words='paper filters' files=f ;;
        --baselines | --header) takes=1 words='auto yes no' ;;
        --distribute) takes=1 words='auto runs columns rows none' ;;
        --cpu) takes=1 words='auto ref base avx2 avx512' ;;
        --format) takes=1 words='auto gpr npz planetoid geom-gcn ogb mtx edges' ;;
        --duplicates) takes=1 words='max sum first count' ;;
        --unknown) takes=1 words='error skip' ;;
        --task) takes=1 words='auto classes number' ;;
        --features) takes=1 words='identity degree' files=f ;;
        --delimiter) takes=1 words='auto comma tab semicolon space' ;;
        --encoding) takes=1 words='utf-8 latin1 utf-16' ;;
        --model) takes=1 words='gprgnn appnp mlp sgc gcn sage cheby gat jknet geomgcn gprdeep trees stack auto' ;;
        --candidates) takes=1 words='all gprgnn-labels gprgnn-counts gprgnn-directed gprgnn gprgnn-sharp gprdeep sage trees stack' ;;
        --budget) takes=1 words='none 90s 10m 2h' ;;
        --init) takes=1 words='ppr nppr random' ;;
        --norm) takes=1 words='batch layer none' ;;
        --residual | --loops) takes=1 words='yes no' ;;
        --relations) takes=1 words='all' ;;
        --direction) takes=1 words='undirected along against both auto' ;;
        --basis) takes=1 words='monomial chebyshev legendre bernstein' ;;
        --gamma) takes=1 words='shared columns' ;;
        --order) takes=1 words='network-first filter-first' ;;
        --state) takes=1 words='float32 bfloat16' ;;
        --embedding) takes=1 words='isomap poincare struc2vec' files=f ;;
        --label-input | --label-counts | --calibrate | --refit | --smooth) takes=1 words='auto no yes' ;;
        --optimizer) takes=1 words='adam adamw' ;;
        --stopping) takes=1 words='program paper none' ;;
        --metric) takes=1 words='loss accuracy balanced_accuracy macro_f1 roc_auc auc average_precision r2 rmse mae' ;;
        --loss) takes=1 words='auto squared absolute huber' ;;
        --class-weight) takes=1 words='none balanced' files=f ;;
        --sample-weight) takes=1 words='none' ;;
        --split) takes=1 words='auto sparse dense planetoid column' files=f ;;
        --normalize) takes=1 words='auto row column normal none' ;;
        --device) takes=1 words='cpu cuda auto' ;;
        --reorder) takes=1 words='auto none rcm metis communities' ;;
        --hops-file) takes=1 words='none' files=f ;;
        --predictions) takes=1 words='all none' ;;
        0) words='cora citeseer pubmed computers photo chameleon squirrel actor texas cornell cornell_corrected csbm' files=f ;;
        esac
        ;;
    predict)
        options='--output --proba --adapt-prior --json --cpu --quiet --verbose --data-dir --format --edges --relation --source --target --weight --edge-weight --duplicates --unknown --nodes --id --label --task --drop --categorical --numeric --date --words --max-values --fill --split-column --time --val-from --test-from --features --labels --delimiter --header --encoding --memory --no-map --embedding --threads --device --help'
        case $2 in
        --output | -o | --json | --edges | --nodes | --labels) takes=1 files=f ;;
        --cpu) takes=1 words='auto ref base avx2 avx512' ;;
        --data-dir) takes=1 files=d ;;
        --format) takes=1 words='auto gpr npz planetoid geom-gcn ogb mtx edges' ;;
        --relation | --source | --target | --weight | --edge-weight | --id | --label | --drop | --categorical | --numeric | --date | --words | --max-values | --fill | --split-column | --time | --val-from | --test-from | --memory | --threads) takes=1 ;;
        --duplicates) takes=1 words='max sum first count' ;;
        --unknown) takes=1 words='error skip' ;;
        --task) takes=1 words='auto classes number' ;;
        --features) takes=1 words='identity degree' files=f ;;
        --delimiter) takes=1 words='auto comma tab semicolon space' ;;
        --header) takes=1 words='auto yes no' ;;
        --encoding) takes=1 words='utf-8 latin1 utf-16' ;;
        --embedding) takes=1 words='isomap poincare struc2vec' files=f ;;
        --device) takes=1 words='cpu cuda auto' ;;
        0) files=f ;;
        1) words='cora citeseer pubmed computers photo chameleon squirrel actor texas cornell cornell_corrected csbm' files=f ;;
        esac
        ;;
    search)
        options='--model --grid --draws --runs --no-halving --metric --jobs --out --json --distribute --cpu --quiet --verbose --data-dir --format --edges --relation --source --target --weight --edge-weight --duplicates --unknown --nodes --id --label --task --drop --categorical --numeric --date --words --max-values --fill --split-column --time --val-from --test-from --features --labels --delimiter --header --encoding --memory --no-map --candidates --budget --hidden --heads --output-heads --slope --jk-layers --K --init --alpha --dropout --dprate --layers --norm --residual --relations --direction --basis --gamma --loops --order --state --embedding --label-input --label-share --label-counts --depth --most-columns --lr --weight-decay --row-share --column-share --leaf-weight --optimizer --epochs --batch --stopping --patience --loss --class-weight --calibrate --refit --sample-weight --smooth --split --normalize --seed --threads --device --reorder --hops-file --predictions --help'
        case $2 in
        --model) takes=1 words='gprgnn appnp mlp sgc gcn sage cheby gat jknet geomgcn gprdeep trees stack' list=1 ;;
        --grid) takes=1 words='paper auto' files=f ;;
        --draws | --runs | --jobs | --relation | --source | --target | --weight | --edge-weight | --id | --label | --drop | --categorical | --numeric | --date | --words | --max-values | --fill | --split-column | --time | --val-from | --test-from | --memory | --hidden | --heads | --output-heads | --slope | --jk-layers | --K | --alpha | --dropout | --dprate | --layers | --label-share | --depth | --most-columns | --lr | --weight-decay | --row-share | --column-share | --leaf-weight | --epochs | --batch | --patience | --seed | --threads) takes=1 ;;
        --metric) takes=1 words='val_accuracy val_loss accuracy balanced_accuracy macro_f1 roc_auc average_precision' ;;
        --out | --data-dir) takes=1 files=d ;;
        --json | --edges | --nodes | --labels) takes=1 files=f ;;
        --distribute) takes=1 words='auto runs none' ;;
        --cpu) takes=1 words='auto ref base avx2 avx512' ;;
        --format) takes=1 words='auto gpr npz planetoid geom-gcn ogb mtx edges' ;;
        --duplicates) takes=1 words='max sum first count' ;;
        --unknown) takes=1 words='error skip' ;;
        --task) takes=1 words='auto classes number' ;;
        --features) takes=1 words='identity degree' files=f ;;
        --delimiter) takes=1 words='auto comma tab semicolon space' ;;
        --header) takes=1 words='auto yes no' ;;
        --encoding) takes=1 words='utf-8 latin1 utf-16' ;;
        --candidates) takes=1 words='all gprgnn-labels gprgnn-counts gprgnn-directed gprgnn gprgnn-sharp gprdeep sage trees stack' ;;
        --budget) takes=1 words='none 90s 10m 2h' ;;
        --init) takes=1 words='ppr nppr random' ;;
        --norm) takes=1 words='batch layer none' ;;
        --residual | --loops) takes=1 words='yes no' ;;
        --relations) takes=1 words='all' ;;
        --direction) takes=1 words='undirected along against both auto' ;;
        --basis) takes=1 words='monomial chebyshev legendre bernstein' ;;
        --gamma) takes=1 words='shared columns' ;;
        --order) takes=1 words='network-first filter-first' ;;
        --state) takes=1 words='float32 bfloat16' ;;
        --embedding) takes=1 words='isomap poincare struc2vec' files=f ;;
        --label-input | --label-counts | --calibrate | --refit | --smooth) takes=1 words='auto no yes' ;;
        --optimizer) takes=1 words='adam adamw' ;;
        --stopping) takes=1 words='program paper none' ;;
        --loss) takes=1 words='auto squared absolute huber' ;;
        --class-weight) takes=1 words='none balanced' files=f ;;
        --sample-weight) takes=1 words='none' ;;
        --split) takes=1 words='auto sparse dense planetoid column' files=f ;;
        --normalize) takes=1 words='auto row column normal none' ;;
        --device) takes=1 words='cpu cuda auto' ;;
        --reorder) takes=1 words='auto none rcm metis communities' ;;
        --hops-file) takes=1 words='none' files=f ;;
        --predictions) takes=1 words='all none' ;;
        0) words='cora citeseer pubmed computers photo chameleon squirrel actor texas cornell cornell_corrected csbm' files=f ;;
        esac
        ;;
    paper)
        options='--models --datasets --runs --draws --epochs --jobs --out --kept --show --rival --data-dir --json --cpu --device --quiet --verbose --help'
        case $2 in
        --models) takes=1 words='gprgnn appnp mlp sgc gcn sage cheby gat jknet geomgcn gprdeep trees stack gprgnn-random' list=1 ;;
        --datasets) takes=1 words='cora citeseer pubmed computers photo chameleon squirrel actor texas cornell cornell_corrected csbm' list=1 ;;
        --runs | --draws | --epochs | --jobs) takes=1 ;;
        --out | --data-dir) takes=1 files=d ;;
        --kept | --rival | --json) takes=1 files=f ;;
        --cpu) takes=1 words='auto ref base avx2 avx512' ;;
        --device) takes=1 words='cpu cuda auto' ;;
        [0-9]*) words='table-real table-csbm-sparse table-csbm-dense table-dense-homophilic table-oversmoothing figures table-efficiency table-datasets all' ;;
        esac
        ;;
    generate)
        options='--phi --n --f --d --eps --nodes --edges --features --classes --communities --exponent --inside --signal --labelled --seed --output --quiet --verbose --threads --help'
        case $2 in
        --phi | --n | --f | --d | --eps | --nodes | --edges | --features | --classes | --communities | --exponent | --inside | --signal | --labelled | --seed | --threads) takes=1 ;;
        --output | -o) takes=1 files=f ;;
        0) words='csbm powerlaw' ;;
        esac
        ;;
    info)
        options='--json --quiet --verbose --data-dir --format --edges --relation --source --target --weight --edge-weight --duplicates --unknown --nodes --id --label --task --drop --categorical --numeric --date --words --max-values --fill --split-column --time --val-from --test-from --features --labels --delimiter --header --encoding --memory --no-map --help'
        case $2 in
        --json | --edges | --nodes | --labels) takes=1 files=f ;;
        --data-dir) takes=1 files=d ;;
        --format) takes=1 words='auto gpr npz planetoid geom-gcn ogb mtx edges' ;;
        --relation | --source | --target | --weight | --edge-weight | --id | --label | --drop | --categorical | --numeric | --date | --words | --max-values | --fill | --split-column | --time | --val-from | --test-from | --memory) takes=1 ;;
        --duplicates) takes=1 words='max sum first count' ;;
        --unknown) takes=1 words='error skip' ;;
        --task) takes=1 words='auto classes number' ;;
        --features) takes=1 words='identity degree' files=f ;;
        --delimiter) takes=1 words='auto comma tab semicolon space' ;;
        --header) takes=1 words='auto yes no' ;;
        --encoding) takes=1 words='utf-8 latin1 utf-16' ;;
        0) words='cora citeseer pubmed computers photo chameleon squirrel actor texas cornell cornell_corrected csbm' files=f ;;
        esac
        ;;
    inspect)
        options='--json --cpu --quiet --verbose --data-dir --format --edges --relation --source --target --weight --edge-weight --duplicates --unknown --nodes --id --label --task --drop --categorical --numeric --date --words --max-values --fill --split-column --time --val-from --test-from --features --labels --delimiter --header --encoding --memory --no-map --threads --help'
        case $2 in
        --json | --edges | --nodes | --labels) takes=1 files=f ;;
        --cpu) takes=1 words='auto ref base avx2 avx512' ;;
        --data-dir) takes=1 files=d ;;
        --format) takes=1 words='auto gpr npz planetoid geom-gcn ogb mtx edges' ;;
        --relation | --source | --target | --weight | --edge-weight | --id | --label | --drop | --categorical | --numeric | --date | --words | --max-values | --fill | --split-column | --time | --val-from | --test-from | --memory | --threads) takes=1 ;;
        --duplicates) takes=1 words='max sum first count' ;;
        --unknown) takes=1 words='error skip' ;;
        --task) takes=1 words='auto classes number' ;;
        --features) takes=1 words='identity degree' files=f ;;
        --delimiter) takes=1 words='auto comma tab semicolon space' ;;
        --header) takes=1 words='auto yes no' ;;
        --encoding) takes=1 words='utf-8 latin1 utf-16' ;;
        0) files=f ;;
        1) words='cora citeseer pubmed computers photo chameleon squirrel actor texas cornell cornell_corrected csbm' files=f ;;
        esac
        ;;
    explain)
        options='--node --class --importance --top --repeats --seed --json --cpu --quiet --verbose --data-dir --format --edges --relation --source --target --weight --edge-weight --duplicates --unknown --nodes --id --label --task --drop --categorical --numeric --date --words --max-values --fill --split-column --time --val-from --test-from --features --labels --delimiter --header --encoding --memory --no-map --threads --help'
        case $2 in
        --node | -n | --class | --top | --repeats | --seed | --relation | --source | --target | --weight | --edge-weight | --id | --label | --drop | --categorical | --numeric | --date | --words | --max-values | --fill | --split-column | --time | --val-from | --test-from | --memory | --threads) takes=1 ;;
        --json | --edges | --nodes | --labels) takes=1 files=f ;;
        --cpu) takes=1 words='auto ref base avx2 avx512' ;;
        --data-dir) takes=1 files=d ;;
        --format) takes=1 words='auto gpr npz planetoid geom-gcn ogb mtx edges' ;;
        --duplicates) takes=1 words='max sum first count' ;;
        --unknown) takes=1 words='error skip' ;;
        --task) takes=1 words='auto classes number' ;;
        --features) takes=1 words='identity degree' files=f ;;
        --delimiter) takes=1 words='auto comma tab semicolon space' ;;
        --header) takes=1 words='auto yes no' ;;
        --encoding) takes=1 words='utf-8 latin1 utf-16' ;;
        0) files=f ;;
        1) words='cora citeseer pubmed computers photo chameleon squirrel actor texas cornell cornell_corrected csbm' files=f ;;
        esac
        ;;
    compare)
        options='--metric --against --unpaired --csv --json --quiet --verbose --help'
        case $2 in
        --metric) takes=1 ;;
        --against | --csv | -o | --json) takes=1 files=f ;;
        [0-9]*) files=f ;;
        esac
        ;;
    rank)
        options='--node --weights --K --tolerance --exact --top --cluster --cluster-max --output --json --quiet --verbose --data-dir --format --edges --relation --source --target --weight --edge-weight --duplicates --unknown --nodes --id --label --task --drop --categorical --numeric --date --words --max-values --fill --split-column --time --val-from --test-from --features --labels --delimiter --header --encoding --memory --no-map --threads --help'
        case $2 in
        --node | -n | --weights | --K | --tolerance | --top | --cluster-max | --relation | --source | --target | --weight | --edge-weight | --id | --label | --drop | --categorical | --numeric | --date | --words | --max-values | --fill | --split-column | --time | --val-from | --test-from | --memory | --threads) takes=1 ;;
        --output | -o | --json | --edges | --nodes | --labels) takes=1 files=f ;;
        --data-dir) takes=1 files=d ;;
        --format) takes=1 words='auto gpr npz planetoid geom-gcn ogb mtx edges' ;;
        --duplicates) takes=1 words='max sum first count' ;;
        --unknown) takes=1 words='error skip' ;;
        --task) takes=1 words='auto classes number' ;;
        --features) takes=1 words='identity degree' files=f ;;
        --delimiter) takes=1 words='auto comma tab semicolon space' ;;
        --header) takes=1 words='auto yes no' ;;
        --encoding) takes=1 words='utf-8 latin1 utf-16' ;;
        0) words='cora citeseer pubmed computers photo chameleon squirrel actor texas cornell cornell_corrected csbm' files=f ;;
        esac
        ;;
    report)
        options='--svg --json --quiet --verbose --help'
        case $2 in
        --svg) takes=1 files=d ;;
        --json) takes=1 files=f ;;
        0) files=f ;;
        esac
        ;;
    convert)
        options='--to --reorder --shards --memory --quiet --verbose --data-dir --format --edges --relation --source --target --weight --edge-weight --duplicates --unknown --nodes --id --label --task --drop --categorical --numeric --date --words --max-values --fill --split-column --time --val-from --test-from --features --labels --delimiter --header --encoding --no-map --threads --help'
        case $2 in
        --to) takes=1 words='gpr npz' ;;
        --reorder) takes=1 words='auto none rcm metis communities' ;;
        --shards | --memory | --relation | --source | --target | --weight | --edge-weight | --id | --label | --drop | --categorical | --numeric | --date | --words | --max-values | --fill | --split-column | --time | --val-from | --test-from | --threads) takes=1 ;;
        --data-dir) takes=1 files=d ;;
        --format) takes=1 words='auto gpr npz planetoid geom-gcn ogb mtx edges' ;;
        --edges | --nodes | --labels) takes=1 files=f ;;
        --duplicates) takes=1 words='max sum first count' ;;
        --unknown) takes=1 words='error skip' ;;
        --task) takes=1 words='auto classes number' ;;
        --features) takes=1 words='identity degree' files=f ;;
        --delimiter) takes=1 words='auto comma tab semicolon space' ;;
        --header) takes=1 words='auto yes no' ;;
        --encoding) takes=1 words='utf-8 latin1 utf-16' ;;
        0) words='cora citeseer pubmed computers photo chameleon squirrel actor texas cornell cornell_corrected csbm' files=f ;;
        1) files=f ;;
        esac
        ;;
    fetch)
        options='--list --mirror --data-dir --retries --timeout --max-time --force --accept --json --quiet --verbose --help'
        case $2 in
        --mirror | --retries | --timeout | --max-time) takes=1 ;;
        --data-dir) takes=1 files=d ;;
        --json) takes=1 files=f ;;
        [0-9]*) words='cora citeseer pubmed computers photo chameleon squirrel actor texas cornell cornell_corrected all' ;;
        esac
        ;;
    verify)
        options='--json --quiet --verbose --help'
        case $2 in
        --json) takes=1 files=f ;;
        [0-9]*) files=f ;;
        esac
        ;;
    completion)
        options='--help'
        case $2 in
        0) words='bash zsh' ;;
        esac
        ;;
    esac
}

_gprgnn_commands='train predict search paper generate info inspect explain compare rank report convert fetch verify completion'

# _gprgnn_reply TYPED: what can stand there and begins so.
_gprgnn_reply() {
    local before= typed=$1 line
    typed=${typed//\\/} # as the name of a file is
    typed=${typed#[\"\']}
    if [[ $list && $typed == *,* ]]; then
        before=${typed%,*},
        typed=${typed##*,}
    fi
    while IFS= read -r line; do COMPREPLY+=("$before$line"); done < <(compgen -W "$words" -- "$typed")
    [[ $files ]] || return 0
    compopt -o filenames 2>/dev/null
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -"$files" -- "$typed")
}

_gprgnn() {
    local current=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} options takes words files list
    local -i at value operand=0
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        words="$_gprgnn_commands help --help --version"
        _gprgnn_reply "$current"
        return
    fi
    if [[ $command == help ]]; then
        words="$_gprgnn_commands parameters"
        if ((COMP_CWORD == 2)); then _gprgnn_reply "$current"; fi
        return
    fi
    for ((at = 2; at < COMP_CWORD; at++)); do
        case ${COMP_WORDS[at]} in
        : | =) at+=1 ;; # bash cuts 'csbm:n=5' into words
        -?*)
            _gprgnn_table "$command" "${COMP_WORDS[at]}"
            [[ $takes ]] || continue
            value=at+1
            if [[ ${COMP_WORDS[value]} == = ]]; then # --name=value is cut, too
                if ((value == COMP_CWORD)); then current=; else value+=1; fi
            fi
            if ((value == COMP_CWORD)); then
                _gprgnn_reply "$current"
                return
            fi
            at=value
            ;;
        *) operand+=1 ;;
        esac
    done
    _gprgnn_table "$command" "$operand"
    if [[ $current == -* ]]; then
        words=$options files=
    fi
    _gprgnn_reply "$current"
}

complete -F _gprgnn gprgnn
