# kraton rate: the same ratings from every format, anchors, output for programs, bad input.
. "$(dirname "$0")/lib.sh"

csv() { printf '%s\n' "$@" >"$scratch/r.csv"; }
# repeat N LINE
repeat() { for _ in $(seq "$1"); do echo "$2"; done; }

# Ann scores 75 % against Bob: 190.8 Elo.
{
    echo 'first,second,result'
    repeat 15 'Ann,Bob,1-0'
    repeat 5 'Ann,Bob,0-1'
    repeat 15 'Bob,Ann,0-1'
    repeat 5 'Bob,Ann,1-0'
} >"$scratch/r.csv"
shows '^  1  Ann +95\.4 +[0-9.]+ +30\.0 +40 +75\.0% +0\.0% +99\.8%$' rate "$scratch/r.csv"
shows '^  2  Bob +-95\.4 ' rate "$scratch/r.csv"
shows '^40 games, 2 players. First-move advantage: \+0\.0 \+- ' rate "$scratch/r.csv"
shows '^  2  Bob +1809\.2 ' rate "$scratch/r.csv" --anchor Ann=2000
shows '^  1  Ann +1595\.4 ' rate "$scratch/r.csv" --average 1500
shows '\+10\.0 Elo \(given\)' rate "$scratch/r.csv" --first-move 10
shows '^Ann +Bob +40 +30 +0 +10 +75\.0% +75\.0% +\+190\.8 ' rate "$scratch/r.csv" --pairs
shows '^1,Ann,95\.42,[0-9.]+,30\.0,40,30,0,10,0\.99[0-9]+,1$' rate "$scratch/r.csv" --csv
run rate "$scratch/r.csv" --json --pairs
python3 - "$scratch/out" <<'EOF' || wrong 'rate --json'
import json, sys
found = json.load(open(sys.argv[1]))
ann, bob = found["players"]
assert ann["player"] == "Ann" and ann["wins"] == 30 and abs(ann["elo"] - 95.4243) < 1e-3, ann
assert bob["los"] is None and found["games"] == 40 and found["first_move"]["error"] > 0
assert found["pairs"][0]["opponent"] == "Bob" and found["pairs"][0]["difference"] > 190
EOF
run rate "$scratch/r.csv" -o "$scratch/table"
[ $status -eq 0 ] && grep -q '^  1  Ann' "$scratch/table" || wrong 'rate -o'
refuses 1 'table exists already \(--overwrite' rate "$scratch/r.csv" -o "$scratch/table"
cp "$scratch/r.csv" "$scratch/before"
refuses 1 'read and replaced at once' rate "$scratch/r.csv" -o "$scratch/r.csv"
refuses 1 'read and replaced at once' rate "$scratch/r.csv" -o "$scratch/r.csv" --overwrite
cmp -s "$scratch/r.csv" "$scratch/before" || wrong 'rate -o: the input is lost'
run rate "$scratch/r.csv" -o "$scratch/table" --csv --overwrite
[ $status -eq 0 ] && grep -q '^1,Ann' "$scratch/table" || wrong 'rate --overwrite'

# The same games as PGN, whatever their moves; who moved first is White, Red, or the game's first side.
awk -F, 'NR > 1 { printf "[White \"%s\"]\n[Black \"%s\"]\n[Result \"%s\"]\n\n1. e4 {[%%emt 0.1]} %s\n\n", $1, $2, $3, $3 }' \
    "$scratch/r.csv" >"$scratch/r.pgn"
shows '^  1  Ann +95\.4 ' rate "$scratch/r.pgn"
"$kraton" rate "$scratch/r.csv" >"$scratch/one"
"$kraton" rate "$scratch/r.pgn" | cmp -s - "$scratch/one" || wrong 'rate: PGN and CSV differ'
input=$scratch/r.csv
shows '^  1  Ann +95\.4 ' rate -
input=/dev/null
printf '[Game "Surakarta"]\n[White "Ann"]\n[Black "Bob"]\n[Result "1-0"]\n\nb5-b4 1-0\n' >"$scratch/s.pgn"
printf 'Bob,Ann,1-0\n' >"$scratch/s.csv"
"$kraton" rate "$scratch/s.csv" >"$scratch/one" 2>&1
"$kraton" rate "$scratch/s.pgn" 2>&1 | cmp -s - "$scratch/one" || wrong 'rate: who moves first'
shows '^1 virtual draw added' rate "$scratch/s.csv"
printf '[White "\316\367"]\n[Black "Bob"]\n[Result "1-0"]\n\n1-0\n' >"$scratch/gbk.pgn"
shows '西' rate "$scratch/gbk.pgn"

printf '[Game "Chinese Chess"]\n[Red "Ann"]\n[Black "Bob"]\n[Result "1-0"]\n\n1. H2-E2 H9-G7 1-0\n' >"$scratch/x.pgn"
run convert pgn xqf "$scratch/x.pgn" -o "$scratch/x.xqf"
"$kraton" rate "$scratch/x.pgn" >"$scratch/one"
"$kraton" rate "$scratch/x.xqf" | cmp -s - "$scratch/one" || wrong 'rate: PGN and XQF differ'

# What few games do not say is not said.
shows '^  1  Bob +[0-9.]+ +- +1\.0 +1 +100\.0% +0\.0% +-$' rate "$scratch/s.csv"
shows '^1 game, 2 players. First-move advantage: unknown' rate "$scratch/s.csv"
shows '^1,Bob,[0-9.]+,,1\.0,1,1,0,0,,1$' rate "$scratch/s.csv" --csv
shows '"error":null.*"los":null' rate "$scratch/s.csv" --json

# A match: its journal, JSON and PGN hold the same games.
stub=$(dirname "$kraton")/kraton-stub
run match xiangqi --engine "cmd=$stub,name=Ann" --engine "cmd=$stub,name=Bob" --each dialect=uci,tc=10+1 \
    --rounds 2 --move-limit 5 --out "$scratch/m" --quiet
for file in journal json pgn; do
    shows '^4 games, 2 players' rate "$scratch/m.$file"
done
shows '^12 games, 2 players' rate "$scratch/m.journal" "$scratch/m.json" "$scratch/m.pgn"
# The last line of a journal may be cut off.
head -c -40 "$scratch/m.journal" >"$scratch/cut.journal"
run rate "$scratch/cut.journal"
[ $status -eq 0 ] && grep -q '^3 games' "$scratch/out" && [ "$(cat "$scratch/err")" = "kraton rate: $scratch/cut.journal: the last line is cut off; its game is left out" ] ||
    wrong 'rate: a journal that is cut off'

# A large field: 20,000 players, 200,000 games.
awk 'BEGIN { srand(1); for (i = 0; i < 200000; i++) { a = int(rand() * 20000); b = (a + 1 + int(rand() * 19999)) % 20000
    r = rand(); print "p" a ",p" b "," (r < 0.4 ? "1-0" : r < 0.7 ? "1/2" : "0-1") } }' >"$scratch/large.csv"
shows '^200000 games, 20000 players' rate "$scratch/large.csv"
refuses 2 'pairs is for at most' rate "$scratch/large.csv" --pairs

# Players who won everything, groups, players to leave out, games without a result.
csv 'A,B,1-0' 'B,A,0-1' 'C,D,1/2' 'D,C,1/2-1/2'
shows '^2 groups have no games between them' rate "$scratch/r.csv"
refuses 1 'no finite ratings.*--prior 1' rate "$scratch/r.csv" --prior 0
shows '^2 games, 2 players' rate "$scratch/r.csv" --ignore A
csv 'A,B,1/2' 'B,A,1/2'
run rate "$scratch/r.csv" --average -0.01 --first-move -0.01 --pairs
[ $status -eq 0 ] && ! grep -q -e '-0\.0' "$scratch/out" || wrong 'rate: -0.0'
csv 'A,B,1-0' 'B,A,1-0' 'A,C,1-0' 'C,A,1/2'
shows '^2 games, 2 players' rate "$scratch/r.csv" --ignore C
shows '^4 games, 3 players' rate "$scratch/r.csv" --min-games 2
refuses 1 'no games' rate "$scratch/r.csv" --min-games 5
csv 'A,B,1-0' 'A,B,*' 'A,A,1-0'
run rate "$scratch/r.csv"
[ $status -eq 0 ] && grep -q '^kraton rate: games left out, without a result or without two names: 2$' "$scratch/err" || wrong 'rate: left out'

refuses 2 'usage: kraton rate FILE' rate
refuses 1 'No such file' rate "$scratch/nowhere"
refuses 2 'no player is called .Anne.; did you mean Ann' rate "$scratch/m.json" --anchor Anne=1
refuses 2 'takes NAME=ELO' rate "$scratch/m.json" --anchor Ann
refuses 2 'no player is called' rate "$scratch/m.json" --ignore Nobody
refuses 2 '--average takes' rate "$scratch/m.json" --average high
refuses 2 '--prior takes' rate "$scratch/m.json" --prior -1
refuses 2 '--csv goes' rate "$scratch/m.json" --csv --pairs
csv 'A,B,won' 'A,B,1-0'
refuses 1 'r.csv:1: a result is written' rate "$scratch/r.csv"
csv 'A,"B,1-0' 'A,B,1-0'
refuses 1 'r.csv:1: a result is written' rate "$scratch/r.csv"
csv '# of a Sunday' 'White,Black,Result' '"Smith, A ""x""",B,1-0' ' "B" , "Smith, A ""x""",1/2' 'B,,*' 'B,C"D,"1-0"'
run rate "$scratch/r.csv"
[ $status -eq 0 ] && grep -q '  Smith, A "x" ' "$scratch/out" && grep -q '^3 games, 3 players' "$scratch/out" || wrong 'rate: quoted names'
csv 'A,B,1-0' 'A,B,won'
refuses 1 'r.csv:2: a result is written' rate "$scratch/r.csv"
printf '[White "A"]\n[Black "B"]\n[Result "2-0"]\n\n*\n' >"$scratch/bad.pgn"
refuses 1 'bad.pgn:.*no result' rate "$scratch/bad.pgn"
printf '{"first":"A","second":"B","result":"draw"}\n{"first":\n{}\n' >"$scratch/bad.json"
refuses 1 'bad.json:2: no JSON' rate "$scratch/bad.json"
: >"$scratch/empty"
refuses 1 'no games' rate "$scratch/empty"
head -c 3000 /dev/urandom >"$scratch/noise"
refuses 1 '.' rate "$scratch/noise"
finish
