# kraton tb probe, stats and verify; what the engine and the match runner make of tables.
. "$(dirname "$0")/lib.sh"
here=$(dirname "$kraton")
tables=$scratch/tables
for rules in traditional count; do
    shows '^all ' tb build --pieces 4 --rules $rules --dir "$tables" --threads 1
done

# --- probe
prints 'Black   win     1
b5xe2   win     1
b5-a4   draw    0
b5-c4   draw    0
b5-c6   draw    0
b5-a6   loss    4
b5-c5   loss    2
b5-b4   loss    2
b5-a5   loss    2
b5-b6   loss    2' tb probe '6/1b4/6/6/4w1/6 b' --dir "$tables"
shows '^Black +draw +0$' tb probe '6/1b4/6/2w3/4w1/6 b' --dir "$tables" --rules traditional
shows '^Black +draw +1$' tb probe '6/1b4/6/2w3/4w1/6 b' --dir "$tables" --rules olympiad2023
refuses 1 'no table for 3 against 2 pieces' tb probe 'bbb3/6/6/6/6/ww4 b' --dir "$tables"
refuses 1 'FEN: rank 6 has fewer than 6 points' tb probe 'bbb/6/6/6/6/ww4 b' --dir "$tables"
refuses 2 '--dir FOLDER' tb probe '6/1b4/6/6/4w1/6 b'
refuses 2 'traditional, count or a rule set' tb probe '6/1b4/6/6/4w1/6 b' --rules x --dir "$tables"
refuses 2 'no tables know' tb probe x --rules icga,no-capture-end=draw --dir "$tables"
refuses 1 'No such file' tb probe '6/1b4/6/6/4w1/6 b' --dir "$scratch/nowhere"
refuses 1 'no tables for count' tb probe '6/1b4/6/6/4w1/6 b' --dir "$scratch"
refuses 2 'no command' tb fly

# In bulk: a line each, bad ones named and passed over.
printf '%s\n' '6/1b4/6/6/4w1/6 b' 'nonsense' '' '6/6/6/6/6/w5 b 0 1' '6/1b4/6/6/4w1/6 w 7 3' >"$scratch/fens"
input=$scratch/fens
run tb probe --dir "$tables"
[ $status -eq 1 ] && [ "$(wc -l <"$scratch/out")" -eq 3 ] &&
    grep -q 'line 2: FEN' "$scratch/err" && [ "$(wc -l <"$scratch/err")" -eq 1 ] &&
    grep -q "^6/6/6/6/6/w5 b 0 1	loss	0	$" "$scratch/out" || wrong tb probe in bulk
input=/dev/null

# --- pack: a tenth of the space, the same answers, and back again byte for byte
cp -r "$tables" "$scratch/packed"
"$kraton" tb probe --dir "$tables" <"$scratch/fens" >"$scratch/probed" 2>/dev/null
shows '^12 tables: [0-9]+ bytes instead of [0-9]+, 0\.0[0-9]+ a position$' tb pack --dir "$scratch/packed"
[ ! -e "$scratch/packed/count-2v2.values" ] || wrong tb pack leaves the values
"$kraton" tb probe --dir "$scratch/packed" <"$scratch/fens" 2>/dev/null | cmp - "$scratch/probed" ||
    wrong tb probe: compressed values
shows '^0 tables' tb pack --dir "$scratch/packed"
"$kraton" tb stats --dir "$tables" --csv --show splits >"$scratch/expected"
"$kraton" tb stats --dir "$scratch/packed" --csv --show splits | diff - "$scratch/expected" ||
    wrong tb stats of compressed values
shows '^count +4 +6 +6 +6 ' tb list --dir "$scratch/packed"
refuses 1 'is compressed; kraton tb unpack --dir' tb verify --dir "$scratch/packed"
refuses 1 'count-.*.packed is compressed; kraton tb unpack --dir' tb build --pieces 4 --dir "$scratch/packed"
cp -r "$scratch/packed" "$scratch/hurt"
printf 'X' | dd of="$scratch/hurt/count-2v2.packed" bs=1 seek=200 conv=notrunc 2>/dev/null
run tb probe '6/1b2b1/6/6/ww4/6 b' --dir "$scratch/hurt"
[ $status -eq 1 ] && grep -q 'count-2v2.packed is damaged' "$scratch/err" || wrong tb probe, damaged
run tb unpack --dir "$scratch/hurt"
[ $status -eq 1 ] && grep -q 'count-2v2.packed is damaged.*; delete it: kraton tb unpack and' "$scratch/err" || wrong tb unpack, damaged
[ "$(wc -l <"$scratch/err")" -eq 1 ] || wrong tb unpack: more than one line
mkdir "$scratch/empty"
refuses 1 'no tables in' tb pack --dir "$scratch/empty"
mkdir "$scratch/packed/count-1v1.values.part" "$scratch/packed/count-2v1.values.part"
refuses 1 'count-1v1.values.part: Is a directory' tb unpack --rules count --dir "$scratch/packed"
rmdir "$scratch/packed/count-1v1.values.part" "$scratch/packed/count-2v1.values.part"
flock "$scratch/packed" "$kraton" tb unpack --dir "$scratch/packed" 2>"$scratch/err" &&
    wrong tb unpack beside a build
grep -q 'another build is at work' "$scratch/err" || wrong tb unpack beside a build
shows '^12 tables' tb unpack --dir "$scratch/packed"
diff -r "$tables" "$scratch/packed" || wrong tb unpack: other files than before
refuses 2 '--dir FOLDER' tb pack
shows '^traditional +4 +6 +0 +6 +119427 ' tb list --dir "$scratch/packed"
refuses 1 'No such file' tb list --dir "$scratch/nowhere"
refuses 1 'No such file' tb pack --dir "$scratch/nowhere"

# --- stats: the known counts
prints 'to-move,others,positions,win,draw,loss,longest-win,longest-loss
1,1,1260,844,336,80,3,2
2,1,21420,20724,576,120,7,2
1,2,21420,2108,5952,13360,3,6
3,1,235620,234676,864,80,7,2
2,2,353430,243554,80836,29040,7,8
1,3,235620,2988,13324,219308,3,6' tb stats --dir "$tables" --rules traditional --csv
prints 'to-move,others,positions,win,draw,loss,longest-win,longest-loss
1,1,1260,844,336,80,3,2
2,1,21420,21300,0,120,0,2
1,2,21420,2108,5232,14080,3,0
3,1,235620,235540,0,80,0,2
2,2,353430,249890,74500,29040,7,8
1,3,235620,2988,0,232632,3,0' tb stats --dir "$tables" --rules icga --csv
shows '^ +2 +2 +7  b1bw1w/6/6/6/6/6 b 0 1$' tb stats --dir "$tables" --rules traditional
shows '^7,[0-9]+,0,0$' tb stats --dir "$tables" --rules traditional --csv --show distances
refuses 2 '--show is' tb stats --dir "$tables" --show everything
refuses 1 'no tables for count' tb stats --dir "$scratch"
refuses 1 'No such file' tb stats --dir "$scratch/nowhere"

# --- report: material, and the longest wins with their moves
run tb report --dir "$tables" --rules traditional
[ $status -eq 0 ] && grep -q '^| 2v2 | 68.91 | 22.87 | 8.22 | 7 |$' "$scratch/out" &&
    grep -q '^### 2 against 2: 7 plies$' "$scratch/out" && [ "$(wc -w <"$scratch/out")" -gt 300 ] &&
    grep -qE '^([a-f][1-6]-[a-f][1-6] ){6}[a-f][1-6]x[a-f][1-6]$' "$scratch/out" || wrong tb report
refuses 1 'no tables for count' tb report --dir "$scratch"
shows '^all ' tb build --split 3v1 --rules count --dir "$scratch/lone"
run tb report --dir "$scratch/lone"
[ $status -eq 0 ] && ! grep -q 'A piece behind' "$scratch/out" || wrong tb report: an empty section
refuses 2 '--dir FOLDER' tb report

# --- verify
shows '^12 tables, 238854 positions checked: all right$' tb verify --dir "$tables" --threads 1
shows '^6 tables, 119427 positions checked: all right$' tb verify --dir "$tables" --rules count
refuses 2 '--threads takes a number from 1' tb verify --dir "$tables" --threads 0
run tb verify --dir "$scratch"
[ $status -eq 1 ] && grep -q 'no tables in' "$scratch/err" || wrong tb verify without tables

# A flipped byte is found by whoever comes across it, and named.
cp -r "$tables" "$scratch/bad"
printf 'X' | dd of="$scratch/bad/count-2v2.values" bs=1 seek=3000 conv=notrunc 2>/dev/null
run tb verify --dir "$scratch/bad"
[ $status -eq 1 ] && grep -q 'count-2v2.values is damaged.*; delete it: kraton tb build makes' "$scratch/err" || wrong tb verify, damaged
run tb probe '6/1b2b1/6/6/ww4/6 b' --dir "$scratch/bad"
[ $status -eq 1 ] && grep -q 'count-2v2.values is damaged' "$scratch/err" || wrong tb probe, damaged
run tb stats --dir "$scratch/bad"
[ $status -eq 1 ] && grep -q 'count-2v2.values is damaged' "$scratch/err" || wrong tb stats, damaged

# --- the engine: says what it found, plays by distance, goes on without what is damaged
talk() {
    talk_with surakarta
    tell "uci
setoption name TablePath value $1
position fen $2
go depth 2"
    hears '^bestmove'
    end_talk
}
talk "$tables" 'wb3w/6/6/6/6/6 b 0 1'
grep -q 'endgame tables of up to 4 pieces' "$scratch/out" && grep -q '^bestmove b6[abc]5' "$scratch/out" ||
    wrong engine with tables
talk "$scratch/bad" '6/1b2b1/6/6/ww4/6 b 0 1'
grep -q 'count-2v2.values is damaged' "$scratch/out" && grep -q '^bestmove' "$scratch/out" ||
    wrong engine with a damaged table
talk "$scratch/nowhere" '6/1b2b1/6/6/ww4/6 b 0 1'
grep -q 'no endgame tables in' "$scratch/out" && grep -q '^bestmove' "$scratch/out" ||
    wrong engine without tables

# --- the match runner: by endgame table, right after a capture
stub="cmd=$here/kraton-stub --game surakarta"
shows 'the endgame table has a' match surakarta --engine "$stub,name=a" --engine "$stub --seed 2,name=b" \
    --each dialect=uci,tc=60 --rounds 4 --tables "$tables" --out "$scratch/run"
grep -q '"reason":"adjudication by endgame table"' "$scratch/run.json" || wrong match --tables
refuses 1 'no endgame tables for these rules' match surakarta --engine "$stub,name=a" \
    --engine "$stub --seed 2,name=b" --each dialect=uci,tc=60 --tables "$scratch"
refuses 1 'no endgame tables for these rules' match xiangqi --engine "$stub,name=a" \
    --engine "$stub --seed 2,name=b" --each dialect=uci,tc=60 --tables "$tables"
finish
