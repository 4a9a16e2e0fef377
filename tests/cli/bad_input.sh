# Bad input: one clear line, a status that is not 0, never a sanitizer's report.
. "$(dirname "$0")/lib.sh"

# every command that takes a FEN
refuse_fen() {
    game=$1 pattern=$2 fen=$3
    refuses 1 "$pattern" moves "$game" --fen "$fen"
    refuses 1 "$pattern" show "$game" --fen "$fen"
    refuses 1 "$pattern" perft "$game" 2 --fen "$fen"
    refuses 1 "$pattern" judge "$game" --fen "$fen"
    refuses 1 "$pattern" play "$game" --fen "$fen"
}
refuse_fen surakarta '13' 'bbbbbb/bbbbbb/b5/6/wwwwww/wwwwww b 0 1'
refuse_fen surakarta '.' 'bbbbbb/bbbbbb/6/6/wwwwww/wwwwwx b 0 1'
refuse_fen surakarta '.' 'bbbbbb/bbbbbb/6/6/wwwwww b 0 1'
refuse_fen surakarta '.' ''
refuse_fen xiangqi 'general|king' 'rnbakabnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1'
refuse_fen xiangqi 'general|king' 'rnba1abnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1'
refuse_fen xiangqi '.' 'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNRR w - - 0 1'
refuse_fen xiangqi '.' "$(head -c 100000 /dev/zero | tr '\0' k)"
refuse_fen xiangqi '.' "$(printf '\377\376\033[2J')"

# files
printf '#2016-08-10|place\n#\317\310\312\326\267\275:A|\272\363\312\326\267\275:B|\317' >"$scratch/cut.txt"
refuses 1 'cut.txt' judge surakarta --file "$scratch/cut.txt"
refuses 1 'cut.txt' judge surakarta --file "$scratch/cut.txt" --format contest
refuses 1 'cut.txt' convert contest json "$scratch/cut.txt"
printf '#2016-08-10|place\n#A|B\n' >"$scratch/cut.txt"
refuses 1 'cut.txt:2: a record without moves' judge surakarta --file "$scratch/cut.txt"
: >"$scratch/empty"
refuses 1 'no game in it' judge xiangqi --file "$scratch/empty"
refuses 1 'no game in it' convert pgn json "$scratch/empty"
mkdir "$scratch/nothing"
refuses 1 'nothing: no game in it' judge xiangqi --file "$scratch/nothing"

# 10 MB of noise: random bytes, one long line, NUL bytes, text without sense
head -c 10000000 /dev/urandom >"$scratch/random"
head -c 10000000 /dev/zero >"$scratch/zeros"
head -c 10000000 /dev/zero | tr '\0' 'x' >"$scratch/line"
base64 "$scratch/random" >"$scratch/base64"
formats=$("$kraton" judge xiangqi --format no-such - 2>&1 </dev/null | sed 's/.*(//; s/).*//; s/,//g')
yes '[Event "x"]' | head -c 10000000 >"$scratch/tags"
yes '[DhtmlXQ]' | head -c 10000000 >"$scratch/dhtmlxq"
yes '{' | head -c 10000000 >"$scratch/braces"
yes '!BBBBBB' | head -c 10000000 >"$scratch/boards"
for noise in random zeros line base64 tags dhtmlxq braces boards; do
    input=$scratch/$noise
    refuses 1 '^standard input' judge xiangqi
    refuses 1 '^standard input' convert auto json -
    head -c 1000000 "$scratch/$noise" >"$scratch/less"
    input=$scratch/less
    for game in surakarta xiangqi; do
        for format in $formats; do
            refuses 1 '^standard input' judge $game --format $format -
        done
    done
    run play xiangqi
    [ $status -eq 1 ] && [ "$(wc -l <"$scratch/err")" -eq 1 ] || wrong "play xiangqi <$noise"
done
input=/dev/null

# 10 MB of noise behind the sign of every format, and without it
sign() { printf "$2" >"$scratch/signed" && cat "$scratch/$1" >>"$scratch/signed"; }
for noise in random base64; do
    for pair in 'contest #2026-11-15|x\n!' 'pgn [Event "x"]\n\n1. ' 'dhtmlxq [DhtmlXQ]\n[DhtmlXQ_movelist]' 'json {"game":"xiangqi","moves":["' \
        'xqf XQ\12' 'xqf XQ\22' 'cbr CCBridge Record\0\0\0\0\2' 'cbl CCBridgeLibrary' 'wxf FORMAT WXF\nSTART{\n' 'dpxq 标题: x\n' 'moves h2e2 '; do
        format=${pair%% *} game=xiangqi
        [ $format != contest ] || game=surakarta
        sign $noise "${pair#* }"
        input=$scratch/signed
        refuses 1 '^standard input' convert auto json - --game $game
        input=$scratch/$noise
        refuses 1 '^standard input' convert $format json - --game $game
    done
done
input=/dev/null

# 10 MB of blanks
head -c 10000000 /dev/zero | tr '\0' '\n' >"$scratch/newlines"
head -c 10000000 /dev/zero | tr '\0' ' ' >"$scratch/blanks"
for noise in newlines blanks; do
    input=$scratch/$noise
    refuses 1 '^standard input: no game in it$' judge xiangqi
    refuses 1 '^standard input: no game in it$' judge xiangqi --fen "$start"
    run play xiangqi
    [ $status -eq 1 ] && [ "$(wc -l <"$scratch/err")" -eq 1 ] || wrong "play xiangqi <$noise"
done
input=/dev/null

# more than is read at all
head -c 68000000 /dev/zero >"$scratch/huge"
refuses 1 'more than 64 MiB' judge xiangqi --file "$scratch/huge"

# a line of moves without end, and bytes that would upset a terminal
refuses 1 '^move 1, ' judge xiangqi "$(printf '\033[2Jx\377')"
grep -q "$(printf '[\033\377]')" "$scratch/err" && wrong 'judge: control characters came through'
finish
