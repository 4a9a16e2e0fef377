# --json: one object a line with the fields of docs/json.md, and nothing else on standard output.
. "$(dirname "$0")/lib.sh"

# json EXPRESSION ARGUMENT...: `lines` are the objects; the expression holds.
json() {
    expression=$1
    shift
    run "$@" --json
    cat "$scratch/out" >>"$scratch/all.$1"
    [ $status -eq 0 ] && [ ! -s "$scratch/err" ] && python3 - "$scratch/out" "$expression" <<'EOF' || wrong "$@" --json
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
assert eval(sys.argv[2]), lines[:5]
EOF
}

json 'len(lines) == 1 and lines[0]["game"] == "xiangqi" and lines[0]["to_move"] == "Red" and len(lines[0]["moves"]) == 44' moves xiangqi
json '"C2=5" in lines[0]["moves"]' moves xiangqi --notation wxf
json 'lines[0]["fen"].startswith("bbbbbb/")' moves surakarta
json 'lines == [dict(lines[0], result="ongoing", reason="", plies=2, ended_after=None, cycle=None, to_move="Red")]' judge xiangqi h2e2 h9g7
json 'lines[0]["result"] == "draw" and lines[0]["ended_after"] == 4 and lines[0]["cycle"]["result"] == "draw"' \
    judge surakarta --rules olympiad2023 b5-b4 b2-b3 b4-b5 b3-b2
printf 'h2e2 h9g7\na0a1\n' >"$scratch/two"
json '[(l["number"], l["plies"], l["recorded"]) for l in lines] == [(1, 2, "ongoing"), (2, 1, "ongoing")]' judge xiangqi --file "$scratch/two"
json 'lines[0]["opening"]["code"] == "C00" and lines[0]["next"][0]["opening"]["english"]' openings xiangqi h2e2 h9g7 h0g2 b9c7
json 'lines[0]["opening"] is None' openings xiangqi a0a1
json 'len(lines) > 100 and all(l["code"] and l["moves"] for l in lines)' openings xiangqi
json '[l["depth"] for l in lines[:-1]] == [1, 2, 3] and lines[-1]["best"] == lines[-2]["line"][0] and "centipawns" in lines[0]["score"]' \
    analyse xiangqi start --depth 3
json '[l["variation"] for l in lines[:2]] == [1, 2]' analyse xiangqi start --depth 1 --lines 2
json 'lines == [dict(lines[0], best=None, result="second wins")] and lines[0]["reason"]' \
    analyse xiangqi '4k4/9/9/9/9/9/9/9/4r4/3K1r3 w - - 0 1'
json '"mate" in lines[-2]["score"]' analyse xiangqi '3k5/9/9/9/9/9/9/4R4/9/R3K4 w - - 0 1' --depth 4
json 'len(lines) == 2 and len(lines[0]["analysis"]) == 2 and lines[1]["analysis"][0]["move"] == "a0a1"' analyse xiangqi "$scratch/two" --depth 1
run tb build --pieces 3 --rules count --dir "$scratch/tables" --threads 1
json 'lines[0]["value"] in ("win", "draw", "loss") and lines[0]["moves"][0]["move"] and lines[0]["rules"] == "count"' \
    tb probe '6/1b4/6/6/4w1/6 b' --dir "$scratch/tables"
printf '6/1b4/6/6/4w1/6 b\n6/6/1b4/6/4w1/6 w\n' >"$scratch/fens"
input=$scratch/fens
json 'len(lines) == 2 and lines[1]["fen"].startswith("6/6/1b4/")' tb probe --dir "$scratch/tables"
input=/dev/null

json 'lines[0] == {"check": "starts and greets", "result": "ok", "detail": lines[0]["detail"]} and lines[-1]["wrong"] == 0 and lines[-1]["checks"] + lines[-1]["skipped"] == len(lines) - 1 and lines[-1]["dialect"] == "uci"' \
    engine-check xiangqi "$(dirname "$kraton")/kraton-stub"

# The schema is true: the documentation has every field that was printed at any depth, and every field of
# its tables was printed.
json 'lines[0]["explanation"] and lines[0]["cycle"]' judge xiangqi --explain \
    --fen 'c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1' h8h9 f9f8 h9h8 f8f9 h8h9 f9f8
mkdir "$scratch/folder" && cp "$scratch/two" "$scratch/folder/two.txt"
json 'len(lines) == 2 and all(l["file"].endswith("/two.txt") for l in lines)' judge xiangqi --file "$scratch/folder"
stub=$(dirname "$kraton")/kraton-stub
echo "$start" >"$scratch/start.fen"
run match xiangqi --engine "cmd=$stub,name=a" --engine "cmd=$stub,name=b,option.Seed=2" --each tc=nodes=100 --rounds 2 \
    --openings "$scratch/start.fen" --quiet --json "$scratch/all.match"
[ $status -eq 0 ] && [ -s "$scratch/all.match" ] || wrong match --json
json 'lines[0]["games"] == 4 and lines[0]["pairs"]' rate --pairs "$scratch/all.match"
python3 - "$(dirname "$0")/../../docs" "$scratch" >"$scratch/out" <<'EOF' || wrong 'docs/json.md'
import json, pathlib, re, sys
docs, scratch = map(pathlib.Path, sys.argv[1:])


def section(file, title):
    return re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", (docs / file).read_text("utf-8"), re.M | re.S)[1]


def keys(value):
    if isinstance(value, dict):
        return set(value).union(*map(keys, value.values()))
    return set().union(*map(keys, value)) if isinstance(value, list) else set()


bad = []
for command in ("moves", "judge", "analyse", "openings", "tb", "rate", "engine-check", "match"):
    text = section("match.md", "Files").split("A line of `NAME.json`")[1].split("PGN has a comment")[0] \
        if command == "match" else section("json.md", "`tb probe`" if command == "tb" else f"`{command}`")
    printed = set().union(*(keys(json.loads(line)) for line in open(scratch / f"all.{command}", encoding="utf-8")))
    words = set(re.findall(r"[`\"](\w+)[`\"]", text))
    table = {word for row in re.findall(r"^\| (`.*?) \|", text, re.M) for word in re.findall(r"`(\w+)`", row)}
    rare = {"warnings", "fen", "mate"} if command == "match" else set()
    bad += [f"{command}: {key} is not documented" for key in sorted(printed - words)]
    bad += [f"{command}: {key} is documented and not printed" for key in sorted(table - printed - rare)]
print("\n".join(bad))
sys.exit(1 if bad else 0)
EOF

# What cannot be judged: one line on standard error, the status, and no object.
refuses 1 '^move 1, ' judge xiangqi nonsense --json
finish
