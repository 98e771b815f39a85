# Completions of hamcnf, which the program itself computes. Install as completions/hamcnf, or: source <(hamcnf completions bash)

_hamcnf() {
    # Bash ends a word at a colon or an equals sign; here, pieces without a blank between them are joined to one word.
    local rest=${COMP_LINE:0:COMP_POINT} words=() piece glued whole before line i
    for ((i = 0; i <= COMP_CWORD; i++)); do
        piece=${COMP_WORDS[i]}
        if ((i == COMP_CWORD)) && [[ $piece != [:=]* ]]; then
            piece=$2
        fi
        if [[ -z $piece ]]; then
            [[ $rest == "" && ${COMP_LINE:COMP_POINT-1:1} != [[:blank:]] ]] && glued=yes || glued=
        else
            [[ $rest == "$piece"* ]] && glued=yes || glued=
            rest=${rest#*"$piece"}
        fi
        if ((i > 0)) && [[ -n $glued ]]; then
            words[${#words[@]} - 1]+=$piece
        else
            words+=("$piece")
        fi
    done
    whole=${words[${#words[@]} - 1]}
    before=${whole%"$2"}
    COMPREPLY=()
    while IFS= read -r line; do
        [[ -n $line ]] && COMPREPLY+=("${line#"$before"}")
    done < <(
        _CLAP_IFS=$'\n' _CLAP_COMPLETE_INDEX=$((${#words[@]} - 1)) HAMCNF_COMPLETE=bash \
            "$1" -- "${words[@]}" 2>/dev/null
        echo
    )
    # The word may continue, so add no blank.
    if ((${#COMPREPLY[@]} == 1)) && [[ ${COMPREPLY[0]} == *[:=+/] ]]; then
        compopt -o nospace 2>/dev/null
    fi
}

complete -o bashdefault -F _hamcnf hamcnf
