# show and moves.
. "$(dirname "$0")/lib.sh"

shows '^Red to move$' show xiangqi
shows '^Black to move$' show surakarta
shows '^Black to move$' show xiangqi --flip --fen "$(echo "$start" | sed 's/ w / b /')"
for game in surakarta xiangqi; do
    run show $game
    LC_ALL=C grep -q '[^ -~]' "$scratch/out" && wrong show $game '(ASCII in the C locale)'
    LC_ALL=C.UTF-8 run show $game
    LC_ALL=C grep -q '[^ -~]' "$scratch/out" || wrong show $game '(Unicode in a UTF-8 locale)'
    LC_ALL=zz_ZZ.UTF-8 run show $game
    LC_ALL=C grep -q '[^ -~]' "$scratch/out" || wrong show $game '(Unicode in a locale that is not installed)'
    LC_ALL=zz_ZZ.ISO-8859-1 LANG=C.UTF-8 run show $game
    LC_ALL=C grep -q '[^ -~]' "$scratch/out" && wrong show $game '(LC_ALL goes before LANG)'
    LC_ALL=C.UTF-8 TERM=dumb run show $game
    LC_ALL=C grep -q '[^ -~]' "$scratch/out" && wrong show $game '(ASCII on a dumb terminal)'
    LC_ALL=C.UTF-8 run show $game --ascii
    LC_ALL=C grep -q '[^ -~]' "$scratch/out" && wrong show $game --ascii
    cp "$scratch/out" "$scratch/upright"
    run show $game --ascii --flip
    cmp -s "$scratch/out" "$scratch/upright" && wrong show $game --flip
done

count() {
    wanted=$1
    shift
    run "$@"
    [ $status -eq 0 ] && [ "$(wc -l <"$scratch/out")" -eq "$wanted" ] || wrong "$@"
}
count 44 moves xiangqi
count 16 moves surakarta
count 44 moves xiangqi --notation chinese
shows '^炮二平五$' moves xiangqi --notation chinese
shows '^C2=5$' moves xiangqi --notation wxf
shows '^H2-E2$' moves xiangqi --notation iccs
shows '^h3e3$' moves xiangqi --notation uci1
shows '^a5-a4$' moves surakarta
shows '^ABAC$' moves surakarta --notation sau
refuses 2 "no notation 'sau' \\(native, iccs, wxf, chinese, uci0, uci1\\)" moves xiangqi --notation sau
refuses 2 "no notation 'wxf' \\(native, sau\\)" moves surakarta --notation wxf
# a mated side has none
count 0 moves xiangqi --fen '3k5/3R5/3R5/9/9/9/9/9/9/4K4 b - - 0 1'
# the README's picture
shows '^b3xa5$' moves surakarta --fen 'b1bbbb/b1bbbb/2b1b1/1w4/w1wwww/wwwwww w 3 3'
# several routes lead there; a generator that keeps one or two loses it
shows '^c4xd3$' moves surakarta --fen '6/6/1bbb2/3w2/6/6 b 0 1'
# a window too narrow
if has_terminal; then
    script -qec "stty cols 40; $kraton show surakarta" /dev/null </dev/null >"$scratch/out"
    grep -q 'The board is 41 columns wide, this window 40' "$scratch/out" || wrong 'show in 40 columns'
    script -qec "stty cols 41; $kraton show surakarta" /dev/null </dev/null >"$scratch/out"
    grep -q 'columns' "$scratch/out" && wrong 'show in 41 columns'
    # colours on a terminal, unless somebody does not want them
    escape=$(printf '\033')
    at_terminal() { script -qec "$1" /dev/null </dev/null >"$scratch/out"; }
    at_terminal "TERM=xterm $kraton show surakarta"
    grep -q "$escape" "$scratch/out" || wrong 'show: no colours on a terminal'
    for plain in 'show surakarta --no-color' 'show surakarta --no-colour' 'play surakarta --two --no-color'; do
        at_terminal "TERM=xterm $kraton $plain"
        grep -q "$escape\[0;" "$scratch/out" && wrong "$plain: colours"
    done
    at_terminal "NO_COLOR=1 TERM=xterm $kraton show surakarta"
    grep -q "$escape" "$scratch/out" && wrong 'NO_COLOR: colours'
fi
finish
