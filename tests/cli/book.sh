# book and openings: making, joining and showing books, names of openings, polite refusals.
. "$(dirname "$0")/lib.sh"

# names
shows '^C44  .*Left Riverbank Horse' openings
shows '^D00  顺炮缓开车对其他  Same Direction Cannons' openings xiangqi D00
shows '^E10 ' openings xiangqi g3g4 h7g7
shows '^E10 ' openings xiangqi c3c4 b7c7
shows '^C00 .*Screen Horses' openings xiangqi C2=5 H8+7 H2+3 H2+3
shows '^  H8\+7 +B05 ' openings xiangqi h2e2 --notation wxf
shows '^C00 ' openings xiangqi r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R w
shows '^C00 ' openings xiangqi 'r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R w - - 0 3'
run openings xiangqi E1
[ $status -eq 0 ] && ! grep -q '^[A-D]' "$scratch/out" && grep -q '^E17' "$scratch/out" || wrong openings xiangqi E1
shows 'no opening has a name' openings xiangqi e3e4
shows 'no names' openings surakarta
refuses 1 "begins with B9" openings xiangqi B9
refuses 2 "no game 'go'" openings go
refuses 1 'h2e9' openings xiangqi h2e9
refuses 1 'FEN' openings xiangqi 9/9/9

# a book from lines, records and the runner's games
printf 'X01 | 一 | One | h2e2 h7e7\nX02 | | | g3g4 # comment\n' >"$scratch/lines.txt"
printf 'h2e2 h9g7 h0g2 1-0\nb2e2 b9c7 0-1\n' >"$scratch/games.moves"
book=$scratch/x.book
shows '^from 2 lines and 0 games' book build --game xiangqi --from "$scratch/lines.txt" --out "$book"
shows '^[hb]2e2 +10 +50.0%' book show "$book"
shows '^h7e7 +10 +100.0%' book show "$book" h2e2
shows '^b7e7 +10 +100.0%' book show "$book" b2e2
shows '^C8=5 ' book show "$book" h2e2 --notation wxf
shows 'no move' book show "$book" i3i4
shows '^from 2 lines and 2 games' book build --game xiangqi --from "$scratch/lines.txt" \
    --from "$scratch/games.moves" --out "$book" --plies 2
shows '^[hb]2e2 +12 .* 1 +0 +1  B00' book show "$book"
run convert moves pgn "$scratch/games.moves" -o "$scratch/games.pgn"
shows '^from 0 lines and 2 games' book build --game xiangqi --from "$scratch/games.pgn" --out "$scratch/y.book"
shows '^from 0 lines and 4 games' book build --game xiangqi --min-games 4 --out "$scratch/z.book" \
    --from "$scratch/games.pgn" "$scratch/games.moves"
shows ' 2 moves in 2 positions' book show "$scratch/z.book" # the first move and its answer
shows '^from 0 lines and 2 games' book build --game xiangqi --out "$scratch/z.book" --min-games 2 --from "$scratch/games.moves"
stub=$(dirname "$kraton")/kraton-stub
run match xiangqi --engine "cmd=$stub,name=a" --engine "cmd=$stub,name=b" --each tc=depth=1 --move-limit 10 \
    --rounds 1 --openings start --out "$scratch/run"
shows '^from 0 lines and 2 games' book build --game xiangqi --from "$scratch/run.json" --out "$scratch/m.book"
shows '^from 0 lines and 2 games' book build --game xiangqi --from "$scratch/run.pgn" --out "$scratch/n.book"
cmp -s "$scratch/m.book" "$scratch/n.book" || wrong 'book build: JSON and PGN of one match'

# its lines, mirror images and transpositions once
printf 'c3c4 g6g5 g3g4\ng3g4 c6c5 c3c4\nh2e2 h9g7 c3c4\nc3c4 h9g7 h2e2\n' >"$scratch/lines.moves"
run book build --game xiangqi --from "$scratch/lines.moves" --out "$scratch/l.book"
run book lines "$scratch/l.book"
[ $status -eq 0 ] && [ "$(wc -l <"$scratch/out")" -eq 2 ] || wrong book lines
shows '^b2e2$' book lines "$scratch/l.book" --plies 1
shows '^C8=5 H2.3' book lines "$scratch/l.book" --plies 2 --notation wxf
refuses 2 'plies takes' book lines "$scratch/l.book" --plies 13
refuses 2 'lines needs' book lines

# joining
shows 'moves' book merge "$book" "$scratch/y.book" --out "$scratch/both.book"
shows '^[hb]2e2 +14 ' book show "$scratch/both.book"

# out of an engine's opinions: its positions, lines and all
engine=$(dirname "$kraton")/kraton-xiangqi
shows '^7 positions asked about, 200 nodes each' book grow --game xiangqi --from "$scratch/lines.txt" --positions 7 \
    --nodes 200 --lines 3 --out "$scratch/g.book"
shows '^[bh]7e7 ' book show "$scratch/g.book" h2e2
cp "$scratch/g.book" "$scratch/g1.book"
run book grow --game xiangqi --from "$scratch/lines.txt" --positions 7 --nodes 200 --lines 3 --out "$scratch/g.book" \
    --engine "cmd=$engine,dialect=uci"
cmp -s "$scratch/g.book" "$scratch/g1.book" || wrong 'book grow: the same again'
refuses 2 'grow needs' book grow --game xiangqi
refuses 2 'at least 1' book grow --game xiangqi --nodes 0 --out "$scratch/none"
refuses 1 '.' book grow --game xiangqi --engine "$scratch/nowhere" --out "$scratch/none"

# the books that come with the program
shows 'a book of xiangqi' book show xiangqi
shows 'a book of surakarta' book show surakarta

# refusals
refuses 2 'no command .burn.' book burn
refuses 2 'needs --game' book build --out "$scratch/none"
refuses 2 "no game 'go'" book build --game go --from "$scratch/lines.txt" --out "$scratch/none"
refuses 1 'No such file' book build --game xiangqi --from "$scratch/nowhere" --out "$scratch/none"
refuses 2 'plies takes' book build --game xiangqi --from "$scratch/lines.txt" --out "$scratch/none" --plies many
refuses 2 'never be played' book build --game xiangqi --from "$scratch/lines.txt" --out "$scratch/none" --weight 0
printf 'X01 | 一 | One | h2e2 h7e8\n' >"$scratch/bad.txt"
refuses 1 'bad.txt: line 1: .*h7e8' book build --game xiangqi --from "$scratch/bad.txt" --out "$scratch/none"
printf '# one\n\nX01 | 一 | | h2e2\n' >"$scratch/bad.txt"
refuses 1 'bad.txt: line 3: not CODE' book build --game xiangqi --from "$scratch/bad.txt" --out "$scratch/none"
printf 'h2e2\nh2e9\n' >"$scratch/bad.moves"
run book build --game xiangqi --from "$scratch/bad.moves" --out "$scratch/part.book"
[ $status -eq 1 ] && grep -q 'bad.moves:2: ' "$scratch/err" && grep -q '1 game that cannot be read left out' "$scratch/err" &&
    grep -q '^from 1 lines' "$scratch/out" && [ -s "$scratch/part.book" ] || wrong 'book build: past a bad game'
printf 'h2e9\n' >"$scratch/bad.moves"
refuses 1 'bad.moves:1: ' book build --game xiangqi --from "$scratch/bad.moves" --out "$scratch/none"
refuses 1 'No such file' book build --game xiangqi --from "$scratch/lines.txt" --out "$scratch/no/such"
[ ! -e "$scratch/none" ] || wrong 'book build: a file after a refusal'
refuses 1 'not an opening book' book show "$scratch/lines.txt"
refuses 1 'No such file' book show "$scratch/nowhere"
refuses 1 'a directory, not a book' book show "$scratch"
head -c 50 "$book" >"$scratch/cut.book"
refuses 1 'cut.book: a damaged book' book show "$scratch/cut.book"
refuses 1 'a book of surakarta, not of xiangqi' book merge "$book" surakarta --out "$scratch/none"
refuses 2 'merge needs' book merge "$book"
refuses 2 'show needs' book show
refuses 2 'no notation' book show "$book" --notation sau
finish
