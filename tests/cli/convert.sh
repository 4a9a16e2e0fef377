# convert: every format to every other and back, and polite refusals.
. "$(dirname "$0")/lib.sh"

printf 'h2e2 h9g7 h0g2 i9h9\nc3c4 c6c5\n' >"$scratch/x.moves"
printf 'b5-b4 b2-b3 b4-c3\n' >"$scratch/s.moves"

# there and back: the moves stay the same
there_and_back() {
    from=$1 format=$2
    run convert moves "$format" "$from" -o "$scratch/there"
    [ $status -eq 0 ] && [ ! -s "$scratch/err" ] && [ ! -s "$scratch/out" ] || wrong convert moves "$format" "$from"
    for name in "$format" auto; do
        run convert "$name" moves "$scratch/there"
        [ $status -eq 0 ] && cmp -s "$scratch/out" "$from" || wrong convert "$name" moves "($format)"
    done
}
there_and_back "$scratch/x.moves" pgn
there_and_back "$scratch/x.moves" json
there_and_back "$scratch/x.moves" moves
there_and_back "$scratch/s.moves" contest
there_and_back "$scratch/s.moves" json
there_and_back "$scratch/s.moves" pgn

# standard input, standard output
input=$scratch/x.moves
shows '\[Game "Chinese Chess"\]' convert moves pgn -
input=/dev/null

input=$scratch/x.moves
prints 'h3e3 h10g8 h1g3 i10h10
c4c5 c7c6' convert moves moves - --notation uci1
refuses 1 'no notation' convert moves moves - --notation sau
# in that dialect: seen by its rank of 10, or asked for
printf 'h3e3 h10g8\nc3c4\n' >"$scratch/from1.moves"
input=$scratch/from1.moves
prints 'h2e2 h9g7
c3c4' convert moves moves -
printf 'c4c5\n' >"$scratch/from1.moves"
prints 'c3c4' convert moves moves - --game xiangqi --read-as uci1
refuses 2 'needs --game' convert moves moves - --read-as uci1
refuses 2 'no notation' convert moves moves - --game xiangqi --read-as sau
input=/dev/null

# DhtmlXQ in
printf '[DhtmlXQ]\n[DhtmlXQ_binit]0919293949596979891777062646668600102030405060708012720323436383[/DhtmlXQ_binit]\n[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]\n[/DhtmlXQ]\n' >"$scratch/game.dhtmlxq"
prints 'h2e2 h9g7' convert dhtmlxq moves "$scratch/game.dhtmlxq"
prints 'h2e2 h9g7' convert auto moves "$scratch/game.dhtmlxq"

# a folder gets a file a game
mkdir "$scratch/folder"
run convert moves pgn "$scratch/x.moves" -o "$scratch/folder"
[ $status -eq 0 ] && [ "$(ls "$scratch/folder" | wc -l)" -eq 2 ] || wrong 'convert -o FOLDER'
ls "$scratch" | grep -q '\.......$' && wrong 'convert left a temporary file behind'

# a bad game is reported and the others are converted
printf 'h2e2\nh2e9\nc3c4\n' >"$scratch/mixed"
run convert moves moves "$scratch/mixed"
[ $status -eq 1 ] && [ "$(cat "$scratch/out")" = 'h2e2
c3c4' ] && grep -q 'mixed:2: ' "$scratch/err" || wrong 'convert: one bad game of three'

printf 'b5-b4\nb5-c4\n' >"$scratch/two"
refuses 1 'contest' convert moves contest "$scratch/two"
refuses 2 "no record format 'xml'" convert xml pgn "$scratch/x.moves"
refuses 2 "no record format 'xml'" convert pgn xml "$scratch/x.moves"
refuses 1 '.' convert moves contest "$scratch/x.moves"
shows '^.DhtmlXQ_movelist.26252324' convert moves dhtmlxq "$scratch/x.moves"
# Folders, and archives of many files; what is no record is left out.
mkdir -p "$scratch/many/in"
printf '1. h2e2 *\n1. b2e2 *\n' >"$scratch/many/a.pgn"
printf 'h2e2 h9g7\n' >"$scratch/many/in/b.moves"
printf 'read me\n' >"$scratch/many/README"
many='h2e2
b2e2
h2e2 h9g7'
prints "$many" convert auto moves "$scratch/many"
(cd "$scratch" && tar cf many.tar many && tar czf many.tar.gz many)
prints "$many" convert auto moves "$scratch/many.tar"
prints "$many" convert auto moves "$scratch/many.tar.gz"
if command -v python3 >/dev/null; then
    (cd "$scratch" && python3 -c 'import shutil; shutil.make_archive("many", "zip", ".", "many")')
    prints "$many" convert auto moves "$scratch/many.zip"
fi
mkdir "$scratch/apart"
run convert auto pgn "$scratch/many" -o "$scratch/apart"
[ "$(ls "$scratch/apart" | wc -l)" -eq 3 ] || wrong convert auto pgn "$scratch/many" -o "$scratch/apart"
shows '^game: 1$' judge xiangqi -f "$scratch/many"
shows 'from 2 lines and 0 games|from [0-9]+ lines' book build --game xiangqi --out "$scratch/x.book" --from "$scratch/many"
# Openings of a match: a folder and an archive of records in several formats.
mkdir "$scratch/lines"
printf '1. h2e2 h9g7 *\n' >"$scratch/lines/a.pgn"
printf '1. b2e2 b9c7 *\n' >"$scratch/b.pgn"
run convert pgn xqf "$scratch/b.pgn" -o "$scratch/lines/b.xqf"
printf 'read me\n' >"$scratch/lines/README"
(cd "$scratch" && tar czf lines.tar.gz lines)
stub=$(dirname "$kraton")/kraton-stub
for from in lines lines.tar.gz; do
    rm -f "$scratch"/run.*
    run match xiangqi --engine "cmd=$stub,name=one" --engine "cmd=$stub --seed 2,name=two" --each tc=60 --rounds 2 --move-limit 4 \
        --openings "$scratch/$from" --out "$scratch/run"
    [ $status -eq 0 ] && [ "$(grep -c '"fen":"rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w' "$scratch/run.json")" -eq 2 ] &&
        [ "$(grep -c '"fen":"r1bakabnr/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/4C2C1/9/RNBAKABNR w' "$scratch/run.json")" -eq 2 ] ||
        wrong match --openings "$from"
done
# Openings of a collection, counted.
for from in lines lines.tar.gz "lines lines.tar.gz"; do
    (cd "$scratch" && "$kraton" openings $from >out 2>err)
    [ $? -eq 0 ] && [ ! -s "$scratch/err" ] && grep -qE '^ +[24] +0 +0 +0  [A-E][0-9][0-9]  [^ ]+  ' "$scratch/out" || wrong openings "$from"
done
shows '"opening": *{"code": *"[A-E]' openings xiangqi "$scratch/lines" --json
refuses 1 'which game these moves are of' openings "$scratch/lines/README"
mkdir "$scratch/none"
refuses 1 "no game in it" match xiangqi --engine "cmd=$stub,name=one" --engine "cmd=$stub,name=two" --openings "$scratch/none"
# A library of the first CCBridge, packed or merely stored.
seeds=$(dirname "$0")/../../fuzz/seeds/record_cbl
for library in old old_stored; do
    run convert auto json "$seeds/$library"
    [ $status -eq 0 ] && [ "$(wc -l <"$scratch/out")" -eq 2 ] &&
        grep -q '"tags":{"Title":"单车胜将"},"result":"first wins","moves":\["a0a7","d9e9","f0f1"\],"comments":{"0":"红先","1":"占肋"}' "$scratch/out" &&
        grep -q '"lines":\[{"of":0,"at":2,"moves":\["d9d8"\],"comments":{"2":"变化"}},{"of":0,"at":1,"moves":\["a0a9"\],"comments":{"1":"照将"}}\]' "$scratch/out" ||
        wrong convert auto json "$library"
done
head -c 60 "$seeds/old" >"$scratch/cut.cbl"
refuses 1 'the library is damaged or cut off' convert auto json "$scratch/cut.cbl"
# Known formats that are not read say so.
printf '<?xml version="1.0"?>\n<n version="2" m="0000"></n>\n' >"$scratch/a.pfc"
printf '<?xml version="1.0"?>\n<ChineseChessRecord Version="1.0"></ChineseChessRecord>\n' >"$scratch/a.cbf"
printf '\001\000\005abc' >"$scratch/a.ccm"
for name in pfc cbf ccm; do
    refuses 1 "looks like $(echo $name | tr a-z A-Z)[ ,].*not read" convert auto json "$scratch/a.$name"
    refuses 1 "looks like $(echo $name | tr a-z A-Z)[ ,].*not read" judge xiangqi --file "$scratch/a.$name"
done
mkdir "$scratch/with" && cp "$scratch/a.pfc" "$scratch/b.pgn" "$scratch/with"
run convert auto moves "$scratch/with"
[ $status -eq 1 ] && grep -q 'a.pfc:1: the file looks like PFC' "$scratch/err" && grep -qx 'b2e2 b9c7' "$scratch/out" ||
    wrong convert of a folder with a PFC
mkdir "$scratch/damaged" && cp "$scratch/b.pgn" "$scratch/damaged" && echo words >"$scratch/damaged/readme.txt"
printf '12\n' >"$scratch/damaged/readme-numbers.txt" # is no game either
refuses 1 "no move in '12'" convert auto moves "$scratch/damaged/readme-numbers.txt" --game xiangqi
: >"$scratch/damaged/empty.xqf" && printf 'x\201\377' | tee "$scratch/damaged/noise.XQF" >"$scratch/damaged/noise.pgn"
run convert auto moves "$scratch/damaged"
[ $status -eq 1 ] && [ "$(grep -c 'empty.xqf\|noise.XQF\|noise.pgn' "$scratch/err")" -eq 3 ] &&
    ! grep -q readme "$scratch/err" && grep -qx 'b2e2 b9c7' "$scratch/out" || wrong convert of a folder with damaged records
# Every remark on a game gets a line, up to eight; games with the same remarks share them.
printf '1. h2e2 (1. a0a9) (1. a0a8) h9g7 *\n' >"$scratch/two.pgn"
run convert pgn moves "$scratch/two.pgn"
[ "$(grep -c 'game 1: line 1: the rest of a variation is left out' "$scratch/err")" -eq 2 ] || wrong remarks "$scratch/two.pgn"
for i in 1 2 3 4 5 6 7 8 9 10; do printf '(1. a0a9) '; done | sed 's/^/1. h2e2 /; s/$/ */' >"$scratch/ten.pgn"
run convert pgn pgn "$scratch/ten.pgn"
[ "$(wc -l <"$scratch/err")" -eq 9 ] && grep -q 'game 1: and 2 more remarks' "$scratch/err" || wrong remarks "$scratch/ten.pgn"
for i in 1 2 3; do printf '[Result "good"]\n\n1. h2e2\n\n'; done >"$scratch/same.pgn"
run convert pgn moves "$scratch/same.pgn"
[ "$(wc -l <"$scratch/err")" -eq 2 ] && grep -q 'the same of the next 2 games' "$scratch/err" || wrong remarks "$scratch/same.pgn"
i=0
while [ $i -lt 300 ]; do printf '12\nh2e2\n'; i=$((i + 1)); done >"$scratch/numbers"
run convert moves pgn "$scratch/numbers" --game xiangqi
[ $status -eq 1 ] && [ "$(wc -l <"$scratch/err")" -eq 100 ] && grep -q "numbers:1: no move in '12'" "$scratch/err" &&
    grep -q 'and 201 more games that cannot be read' "$scratch/err" || wrong convert of numbers
printf 'PK\003\004 nothing' >"$scratch/bad.zip"
refuses 1 'zip file that is damaged' convert auto moves "$scratch/bad.zip"
# Links that lead back are not followed; archives in a folder are opened.
mkdir "$scratch/round" && cp "$scratch/b.pgn" "$scratch/round"
ln -s . "$scratch/round/a" && ln -s . "$scratch/round/c"
prints 'b2e2 b9c7' convert auto moves "$scratch/round"
printf '1. c3c4 *\n' | gzip >"$scratch/round/d.pgn.gz"
(cd "$scratch" && tar cf round/e.tar lines/b.xqf && tar czf round/f.tar.gz lines/a.pgn &&
    python3 -m zipfile -c round/g.zip lines/a.pgn lines/b.xqf lines/README)
prints 'b2e2 b9c7
c3c4
b2e2 b9c7
h2e2 h9g7
h2e2 h9g7
b2e2 b9c7' convert auto moves "$scratch/round"
cp "$scratch/bad.zip" "$scratch/round/h.zip"
run convert auto moves "$scratch/round"
[ $status -eq 1 ] && [ "$(wc -l <"$scratch/out")" -eq 6 ] && grep -q 'h.zip: a zip file that is damaged' "$scratch/err" ||
    wrong convert of a folder with a damaged archive
# A contest record's file name says what its heading does not.
name="$scratch/SU-甲队 vs 乙队-先手胜-202611151405.txt"
printf '!BBBBBB\n!BBBBBB\n!000000\n!000000\n!RRRRRR\n!RRRRRR\nB2E-3E\n' >"$name"
shows '"first":"甲队","second":"乙队","date":"2026-11-15 14:05","result":"first wins"' convert contest json "$name"
# A word that looks like a file is none of a game.
refuses 1 'there is no file nofile.pgn' openings nofile.pgn
refuses 1 'there is no file some/where' openings some/where
refuses 1 'there is no file nofile.pgn' openings xiangqi nofile.pgn
refuses 2 "no game 'go'" openings go
# A format without variations and comments says what it drops.
printf '1. h2e2 {a} (1. b2e2) h9g7 *\n' >"$scratch/tree.pgn"
run convert pgn moves "$scratch/tree.pgn"
grep -q 'game 1: 1 variation, 1 comment dropped' "$scratch/err" && grep -qx 'h2e2 h9g7' "$scratch/out" ||
    wrong convert pgn moves "$scratch/tree.pgn"
refuses 1 'game 1: 1 variation, 1 comment dropped' convert pgn moves "$scratch/tree.pgn" --strict
for i in 1 2 3; do printf '[Sponsor "x"]\n\n1. h2e2 *\n\n'; done >"$scratch/tags.pgn"
run convert pgn wxf "$scratch/tags.pgn"
[ $status -eq 0 ] && grep -q 'game 1: Sponsor dropped' "$scratch/err" && grep -q 'the same of the next 2 games' "$scratch/err" &&
    [ "$(wc -l <"$scratch/err")" -eq 2 ] || wrong convert pgn wxf "$scratch/tags.pgn"
shows '^1. H2-E2 .a. .1. B2-E2. 1... H9-G7 .$' convert pgn pgn "$scratch/tree.pgn"
refuses 1 'No such file' convert moves pgn "$scratch/nowhere"
refuses 1 'No such file' convert moves pgn "$scratch/x.moves" -o "$scratch/no/such"
refuses 2 "no game 'go'" convert moves pgn "$scratch/x.moves" --game go
shows '^  XQF, a file a game +[0-9.]+ ' bench records
finish
