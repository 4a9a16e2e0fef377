# Manual pages and completions: one page a command, every option in all of them, good syntax where the
# programs to check it are installed.
. "$(dirname "$0")/lib.sh"

run man --out "$scratch/man"
[ $status -eq 0 ] || wrong man --out
"$kraton" help | sed -n 's/^  \([a-z-]*\) .*/\1/p' | grep -vx 'help\|version' >"$scratch/commands"
[ "$(wc -l <"$scratch/commands")" -gt 15 ] || wrong 'help: no commands'
for shell in bash zsh fish; do
    "$kraton" completion $shell >"$scratch/$shell"
done
while read -r command; do
    page=$scratch/man/kraton-$command.1
    grep -q "^\.TH \"KRATON" "$page" && grep -q "^\.SH SYNOPSIS" "$page" || wrong "man $command"
    "$kraton" man "$command" </dev/null | cmp -s - "$page" || wrong "man $command and man --out differ"
    case $command in engine | tune) continue ;; esac
    "$kraton" help "$command" </dev/null | sed -n 's/^  \(-., \)\{0,1\}--\([a-z-]*\).*/\2/p' >"$scratch/options"
    for option in $(grep -vx help "$scratch/options"); do
        grep -qF -e "\\-\\-$(echo "$option" | sed 's/-/\\-/g')" "$page" || wrong "man $command: no --$option"
        for shell in bash zsh; do
            grep -qF -e "--$option" "$scratch/$shell" || wrong "completion $shell: no --$option"
        done
        grep -q -e "from $command.* -l $option " "$scratch/fish" || wrong "completion fish: no --$option of $command"
    done
done <"$scratch/commands"
[ -s "$scratch/man/kraton-tb-build.1" ] && [ -s "$scratch/man/kraton-book-grow.1" ] || wrong 'man: subcommands'
# The engines, the papers' players and kraton-tables have theirs, with every option.
folder=$(dirname "$kraton")
for program in kraton-surakarta kraton-xiangqi kraton-paper3 kraton-paper3-table kraton-paper4; do
    page=$scratch/man/$program.1
    "$folder/$program" --man >"$page" 2>"$scratch/err" || wrong "$program --man"
    grep -qi "^\.TH \"$program\" 1 " "$page" || wrong "$program --man: no head"
    "$folder/$program" --help >"$scratch/out"
    grep -q "^usage: $program " "$scratch/out" || wrong "$program --help: another name"
    {
        sed -n 's/^  \(-., \)\{0,1\}\(--[a-z-]*\).*/\2/p' "$scratch/out"
        echo uci | "$folder/$program" | sed -n 's/^option name \(.*\) type.*/\1/p' | grep -v '^UCI_'
    } >"$scratch/options"
    [ "$(wc -l <"$scratch/options")" -ge 18 ] || wrong "$program: too few options"
    while read -r option; do
        grep -qF -e "$(echo "$option" | sed 's/-/\\-/g')" "$page" || wrong "$program --man: no $option"
    done <"$scratch/options"
done
"$kraton" man tables | cmp -s - "$scratch/man/kraton-tables.1" || wrong 'man tables and man --out differ'
for part in build probe verify; do
    grep -q "^\.SS \"$part" "$scratch/man/kraton-tables.1" || wrong "man tables: no $part"
    for option in $("$kraton" help tb $part | sed -n 's/^  \(-., \)\{0,1\}--\([a-z-]*\).*/\2/p' | grep -vx help); do
        grep -qF -e "\\-\\-$(echo "$option" | sed 's/-/\\-/g')" "$scratch/man/kraton-tables.1" || wrong "man tables: no --$option"
    done
done
shows '^\.TH "KRATON"' man
shows '^\.TH "KRATON-TB-BUILD"' man tb build
refuses 2 "no command 'plya'; did you mean play" man plya
refuses 2 "'fihs' is none of bash, zsh, fish; did you mean fish" completion fihs
refuses 2 'usage' completion
if command -v groff >/dev/null; then
    for page in "$scratch"/man/* "$(dirname "$0")/../../packaging/kraton-guard.1"; do
        groff -man -Tutf8 -ww -z "$page" >"$scratch/out" 2>"$scratch/err"
        [ ! -s "$scratch/err" ] || wrong "groff $(basename "$page")"
    done
fi
for shell in bash zsh fish; do
    if command -v $shell >/dev/null; then
        $shell -n "$scratch/$shell" >"$scratch/out" 2>"$scratch/err" || wrong "$shell -n"
    fi
done

# bash: what is offered for a line, the last word being completed.
offers() {
    wanted=$1
    shift
    offered=$(bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _kraton; echo "${COMPREPLY[@]}"' \
        "$scratch/bash" kraton "$@")
    [ "$offered" = "$wanted" ] || {
        echo "$offered" >"$scratch/out"
        wrong "bash completion of $*: not $wanted"
    }
}
if command -v bash >/dev/null; then
    cd "$scratch/man" || exit 1
    offers 'play' pl
    offers 'analyse' ana
    offers '--notation' moves xiangqi --no
    offers 'xiangqi' moves xi
    offers 'first' play xiangqi --side f
    offers 'build' tb b
    offers 'wxf' judge xiangqi --rules w
    offers 'chinese' moves xiangqi --notation ch
    offers 'warning' serve --log-level w
    offers 'ccgc' tb build --rules cc
    offers 'count' tb build --rules co
    offers '' tb build --rules wx
    offers '--version' --v
    offers 'pgn' convert pg
    offers 'dhtmlxq' convert pgn dh
    offers 'bash zsh fish' completion ''
    offers 'papers' bench pa
    offers '--pieces' tb build --p
    offers 'kraton-tb-build.1' judge xiangqi --file kraton-tb-b
    offers '' perft xiangqi 3 --fen x
fi
if command -v fish >/dev/null; then
    for line in 'tb build --pi>--pieces' 'pl>play' 'moves xi>xiangqi' 'play xiangqi --side f>first' 'completion z>zsh' \
        'judge xiangqi --rules wx>wxf' 'serve --log-level w>warning' 'bench pap>papers' 'convert pgn dht>dhtmlxq'; do
        HOME=$scratch fish -c "source $scratch/fish; complete -C 'kraton ${line%>*}'" 2>/dev/null | cut -f 1 |
            grep -qx -- "${line#*>}" || wrong "fish completion of ${line%>*}"
    done
fi
# zsh at a terminal of its own: each line, a Tab, and what the line is then.
if command -v zsh >/dev/null && has_terminal; then
    mkdir "$scratch/zsh.d" && cp "$scratch/zsh" "$scratch/zsh.d/_kraton"
    cat >"$scratch/tab.zsh" <<'END'
zmodload zsh/zpty
zpty terminal "HOME=$1 zsh -f -i"
zpty -w terminal "stty -echo; PROMPT=; fpath=($1 \$fpath); autoload -U compinit; compinit -u -D
show() { print -r -- \"<<\$BUFFER>>\"; BUFFER=; zle accept-line }; zle -N show; bindkey '^X' show; print '<<rea''dy>>'"
zpty -r terminal said '*<<ready>>*'
shift
for line; do
    zpty -n -w terminal "$line"$'\t\x18'
    zpty -r terminal said '*<<*>>*'
    print -r -- "${${said#*<<}%%>>*}"
done
END
    timeout 600 zsh -f "$scratch/tab.zsh" "$scratch/zsh.d" 'kraton pl' 'kraton tb build --pi' 'kraton moves xi' \
        'kraton play xiangqi --side f' 'kraton completion z' 'kraton judge xiangqi --rules wx' >"$scratch/out" 2>"$scratch/err"
    status=$?
    printf '%s \n' 'kraton play' 'kraton tb build --pieces' 'kraton moves xiangqi' 'kraton play xiangqi --side first' \
        'kraton completion zsh' 'kraton judge xiangqi --rules wxf' |
        cmp -s - "$scratch/out" || wrong 'zsh completion'
fi
finish
