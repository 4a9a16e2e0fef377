# Help, options, and output that cannot be written.
. "$(dirname "$0")/lib.sh"

for program in kraton kraton-surakarta kraton-xiangqi; do
    "$(dirname "$kraton")/$program" --version >"$scratch/out" 2>"$scratch/err" && [ "$(wc -l <"$scratch/out")" -eq 4 ] &&
        head -n 1 "$scratch/out" | grep -qxE "$program [0-9]+\.[0-9]+\.[0-9]+" &&
        grep -qxE 'commit: ([0-9a-f]{12}|unknown)' "$scratch/out" && grep -qE '^compiler: (gcc|clang) [0-9]' "$scratch/out" &&
        grep -qE '^instruction set: .' "$scratch/out" || wrong "$program --version"
done
shows '^kraton [0-9]' version
shows '^kraton [0-9]' -V
shows '^  judge ' help
shows '^  judge ' --help
shows '^  judge ' -h
shows '^usage: kraton show' show -h
shows '^usage: kraton tb build' help tb build
shows '^usage: kraton book grow' help book grow
for command in play judge moves show convert perft bench; do
    shows "^usage: kraton $command" help $command
    shows "^usage: kraton $command" $command --help
    refuses 2 "no option '--nonsense'" $command --nonsense
done
run
[ $status -eq 2 ] && grep -q '^usage' "$scratch/err" || wrong

"$(dirname "$kraton")/kraton-xiangqi" --dpeth 3 </dev/null >"$scratch/out" 2>"$scratch/err"
status=$?
[ $status -eq 2 ] && grep -q 'did you mean --depth?' "$scratch/err" || wrong 'kraton-xiangqi --dpeth'
refuses 2 "no command 'mvoes'; did you mean moves\\?" mvoes
refuses 2 "no option '--flpi'; did you mean --flip\\?" show xiangqi --flpi
refuses 2 "no option '--notatoin=wxf'; did you mean --notation\\?" moves xiangqi --notatoin=wxf
refuses 2 "no option '--hlep'; did you mean --help\\?" moves xiangqi --hlep
refuses 2 "no game 'xianqi' .*; did you mean xiangqi\\?" moves xianqi
refuses 2 "no notation 'wfx' .*; did you mean wxf\\?" moves xiangqi --notation wfx
refuses 2 "no rule set 'icag'.*; did you mean icga\\?" judge surakarta --rules icag b5b4
refuses 2 "no rule set 'icag'.*; did you mean icga\\?" judge surakarta --rules icag,no-capture=40 b5b4
refuses 2 "no field 'no-captrue' .*; did you mean no-capture\\?" judge surakarta --rules icga,no-captrue=40 b5b4
refuses 2 "no record format 'pgm' .*; did you mean pgn\\?" judge xiangqi --format pgm --file x
refuses 2 "no record format 'jsn' .*; did you mean json\\?" convert pgn jsn x
refuses 2 "no record format 'auto' .*" convert pgn auto x
refuses 2 "no setting 'nods' .*; did you mean nodes\\?" match xiangqi --engine x --engine y --each tc=nods=5
echo 'h2e2' >"$scratch/g.moves"
refuses 2 "no notation 'wfx'; did you mean wxf\\?" convert moves pgn "$scratch/g.moves" --notation wfx
refuses 2 "no notation 'wfx' .*; did you mean wxf\\?" convert moves pgn "$scratch/g.moves" --game xiangqi --notation wfx
refuses 2 "log-level: 'inf' is none of info, warning, error; did you mean info\\?" serve --log-level inf
refuses 2 "log-format: 'jsn' is none of text, json; did you mean json\\?" serve --log-format jsn
refuses 2 "not 'sqllite:x'; did you mean sqlite\\?" serve --store sqllite:x
refuses 2 "side takes first, second, .*, not 'frst'; did you mean first\\?" play xiangqi --side frst
refuses 2 "opening-order: 'randm' is none of file, random; did you mean random\\?" match xiangqi --engine x --engine y --opening-order randm
refuses 2 "dialect: 'ucl' is none of uci, ucci, cecp, sau; did you mean uci\\?" engine-check xiangqi x --dialect ucl
refuses 1 'No such file.*; did you mean start\?' match xiangqi --engine "$kraton" --engine "cmd=$kraton,name=b" --each tc=9 --openings strat
refuses 1 'neither a file nor a FEN.*; did you mean start\?' analyse xiangqi strat
refuses 2 "flag-end takes .*, not 'dra'; did you mean draw\\?" judge xiangqi --rules wxf,flag-end=dra h2e2
refuses 2 "no command '--hlep'; did you mean --help\\?" --hlep
refuses 2 "no command '-v'; did you mean -V\\?" -v
refuses 2 "no option '--fe'; did you mean --fen\\?" judge xiangqi --fe x
refuses 2 "no command 'tb biuld'; did you mean tb build\\?" man tb biuld
refuses 1 "no program 'kraton-xianqi' .*; did you mean kraton-xiangqi\\?" engine-check xiangqi kraton-xianqi
refuses 2 "seek: 'foo' is none of game, .*" join localhost:1 --engine x --seek 'game=xiangqi foo=3'
refuses 2 "seek: 'gmae' is none of .*; did you mean game\\?" join localhost:1 --engine x --seek gmae=xiangqi
refuses 2 "seek: .*no game 'xianqi'" join localhost:1 --engine x --seek game=xianqi
refuses 2 "seek: .*" join localhost:1 --engine x --seek 'game=xiangqi tc=abc'
refuses 2 "kraton --version: one argument too many: 'x'" --version x
refuses 2 "kraton version: one argument too many: 'x'" version x
# program_refuses PATTERN PROGRAM ARGUMENT...: the same of another program.
program_refuses() {
    pattern=$1 program=$2
    shift 2
    "$(dirname "$kraton")/$program" "$@" </dev/null >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ $status -eq 2 ] && [ "$(wc -l <"$scratch/err")" -eq 1 ] && grep -qE -e "$pattern" "$scratch/err" || wrong "($program $*)"
}
program_refuses "bnech; did you mean bench\\?" kraton-xiangqi bnech
program_refuses "no rule set 'wfx' .*; did you mean wxf\\?" kraton-xiangqi --rules wfx
program_refuses "no option 'Hahs'; did you mean Hash\\?" kraton-xiangqi --option Hahs=3
for setting in EvalFile BookFile; do
    program_refuses "/nonexistent.*No such file" kraton-xiangqi --option $setting=/nonexistent
done
program_refuses "no endgame tables in /nonexistent" kraton-surakarta --option TablePath=/nonexistent
# engine_says PATTERN LINE...: what kraton-xiangqi answers to lines of a manager.
engine_says() {
    pattern=$1
    shift
    printf '%s\n' "$@" quit | "$(dirname "$kraton")/kraton-xiangqi" >"$scratch/out" 2>"$scratch/err"
    status=$?
    grep -qE -e "$pattern" "$scratch/out" || wrong "(kraton-xiangqi: $*)"
}
engine_says "no option 'Hsah'; did you mean Hash\\?" uci 'setoption name Hsah value 3'
engine_says "option 'bookfils': there is none; did you mean bookfiles\\?" ucci 'setoption bookfils x'
engine_says 'info message .*/nonexistent.*No such file' ucci 'setoption bookfiles /nonexistent'
program_refuses "^kraton-tables build: no option '--piecs'; did you mean --pieces" kraton-tables build --piecs 3
program_refuses "^kraton-tables: no command 'biuld'; did you mean build" kraton-tables biuld
"$(dirname "$kraton")/kraton-tables" build --help >"$scratch/out" 2>"$scratch/err"
grep -q '^usage: kraton-tables build ' "$scratch/out" && ! grep -q 'kraton tb' "$scratch/out" || wrong 'kraton-tables build --help'
program_refuses "no player: papre4; did you mean paper4\\?" kraton-xiangqi --player papre4
program_refuses "no command 'tnue'; did you mean tune\\?" kraton-lab tnue
for program in kraton kraton-surakarta kraton-xiangqi kraton-tables kraton-lab; do
    for option in --version -V; do
        "$(dirname "$kraton")/$program" $option </dev/null >"$scratch/out" 2>"$scratch/err"
        status=$?
        [ $status -eq 0 ] && [ "$(cut -d: -f1 "$scratch/out" | tail -n +2 | tr '\n' ,)" = 'commit,compiler,instruction set,' ] &&
            head -n 1 "$scratch/out" | grep -qE "^$program [0-9.]+$" || wrong "($program $option)"
    done
done
refuses 2 "no command 'bild'; did you mean build\\?" book bild
refuses 2 "'rule' is none of signature, .*; did you mean rules\\?" bench rule
refuses 2 "no command 'frobnicate'" frobnicate
refuses 2 "no command 'frobnicate'" help frobnicate
refuses 2 'usage: kraton perft GAME DEPTH' perft xiangqi
refuses 2 "one argument too many: 'three'" perft xiangqi 1 three
refuses 2 "a value is missing after '--fen'" moves xiangqi --fen
refuses 2 "takes no value: '--flip=yes'" show xiangqi --flip=yes
refuses 2 "no game 'chess' \\(surakarta, xiangqi\\)" moves chess
refuses 2 "no game ''" moves ''

# --opt=value, --opt value, and `--` before what looks like an option
shows '^a3a4$' moves xiangqi "--fen=$start"
shows '^a3a4$' moves --fen "$start" xiangqi
shows '^a3a4$' moves -- xiangqi

# A reader that has seen enough, as `| head` has: no complaint.
python3 -c '
import os, subprocess, sys
reader, writer = os.pipe()
os.close(reader)
for words in ("doctor",), ("openings",), ("analyse", "xiangqi", "start", "--depth", "3"):
    ended = subprocess.run([sys.argv[1], *words], stdin=subprocess.DEVNULL, stdout=writer, restore_signals=True).returncode
    if ended not in (141, -13): # what a shell shows of SIGPIPE
        sys.exit(f"{words}: {ended}")' \
    "$kraton" >"$scratch/out" 2>"$scratch/err"
status=$?
[ $status -eq 0 ] && [ ! -s "$scratch/err" ] || wrong 'doctor | head'
if [ -c /dev/full ]; then
    : >"$scratch/out"
    for command in 'moves xiangqi' 'perft xiangqi 2' 'show surakarta' 'play xiangqi' 'judge xiangqi h2e2' help; do
        "$kraton" $command </dev/null >/dev/full 2>"$scratch/err"
        status=$?
        [ $status -eq 1 ] && [ "$(cat "$scratch/err")" = 'kraton: cannot write the output: No space left on device' ] ||
            wrong "$command >/dev/full"
    done
    for option in --help --man --version; do
        "$(dirname "$kraton")/kraton-xiangqi" $option >/dev/full 2>"$scratch/err"
        status=$?
        [ $status -eq 1 ] && grep -q '^kraton-xiangqi: cannot write the output$' "$scratch/err" || wrong "kraton-xiangqi $option >/dev/full"
    done
fi
# A reader that leaves early: no hang, no crash, not a success.
{
    "$kraton" perft xiangqi 3 2>/dev/null
    echo $? >"$scratch/status"
} | true
[ "$(cat "$scratch/status")" -ne 99 ] || wrong 'perft into a closed pipe'
finish
