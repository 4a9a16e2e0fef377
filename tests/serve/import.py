"""kraton archive import: games of records in the archive and the explorer of a server, each once; their players
are nobody's accounts; an import that is interrupted goes on."""
from kit import *
import urllib.parse, zipfile

kraton = sys.argv[1]
folder = tempfile.mkdtemp()
data = folder + "/data"


def pgn(first, second, result, moves, date="1965.03.??", event="Spring cup", fen=None):
    tags = {"Game": "Chinese Chess", "Event": event, "Site": "Shenyang", "Date": date, "Red": first, "Black": second, "Result": result}
    if fen:
        tags["FEN"] = fen
    return "".join('[%s "%s"]\n' % tag for tag in tags.items()) + "\n" + moves + " " + result + "\n\n"


def write(name, text):
    with open(folder + "/" + name, "w", encoding="utf-8") as out:
        out.write(text)
    return folder + "/" + name


def load(*paths):
    done = subprocess.run([kraton, "archive", "import", *paths, *store_options(data)], capture_output=True, text=True, timeout=PATIENCE)
    return done.returncode, done.stdout, done.stderr


one = pgn("胡荣华", "Ann", "1-0", "1. H2-E2 {strong} H9-G7 2. H0-G2 I9-H9")
two = pgn("Ann", "Yang Guanlin", "1/2-1/2", "1. B2-E2 H9-G7", date="")
write("one.pgn", one)
if not os.environ.get(cluster.VARIABLE):  # an empty database needs no server to have been there
    status, out, err = load(folder + "/one.pgn")
    check("no folder: " + err, status == 1 and "there is no folder" in err and err.count("\n") == 1)

with Server("--bots", "0", folder=folder) as server:
    status, out, err = load(folder + "/one.pgn")
    check("a server that runs: " + err, status == 1 and "another server is using" in err and "stop it first" in err)
    ann = server.rest("POST", "/api/v1/register", {"name": "Ann", "password": "long enough"})
    check("an account: %s" % (ann,), ann[0] in (200, 201))

status, out, err = load(folder + "/one.pgn")
check("one game: " + out + err, status == 0 and out == "1 games: 1 new, 0 there already\n")
os.mkdir(folder + "/more")
write("more/both.pgn", one + two + one)
write("more/bad.pgn", two.replace("B2-E2", "B2-E9") + pgn("A", "B", "0-1", "1. C3-C4"))
with zipfile.ZipFile(folder + "/all.zip", "w") as z:
    z.write(folder + "/more/both.pgn", "both.pgn")
status, out, err = load(folder + "/all.zip", folder + "/more")
check("each once: " + out + err, status == 1 and out == "8 games: 2 new, 5 there already, 1 that cannot be read\n" and "bad.pgn:" in err)
os.mkdir(folder + "/empty")
status, out, err = load(folder + "/empty")
check("no game in a folder: " + out + err, status == 1 and out == "0 games: 0 new, 0 there already\n" and "no game in it" in err)
done = subprocess.run([kraton, "archive", "import", folder + "/one.pgn", "--data", folder + "/empty"], capture_output=True, text=True, timeout=PATIENCE)
check("no server's folder: " + done.stderr, done.returncode == 1 and "`kraton serve --new`" in done.stderr and os.listdir(folder + "/empty") == [])
check("nothing at all", load(folder + "/nowhere")[0] == 1)

with Server("--bots", "0", folder=folder) as server:
    def games(**asked):
        return server.rest("GET", "/api/v1/games?" + urllib.parse.urlencode(asked))[2]["games"]

    found = games(player="胡荣华")
    check("found by its player: %s" % found, len(found) == 1)
    game = found[0]
    check("what it says: %s" % game, game["outcome"] == "first wins" and game["reason"] == "record" and game["second_name"] == "Ann*"
          and game["started"] == "1965-03-01T00:00:00Z" and not game["rated"] and game["plies"] == 4)
    check("the account has none", games(player="Ann") == [] and len(games(player="Ann*")) == 2)
    check("a name that no account has", len(games(player="B")) == 1)
    check("by result", len(games(result="draw")) == 1)
    opening = server.rest("GET", "/api/v1/openings/xiangqi?moves=h2e2+h9g7+h0g2+i9h9")[2]["name"]
    check("by opening: %s" % opening, game["id"] in [g["id"] for g in games(game="xiangqi", opening=opening["code"])])
    start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
    check("by position", len(games(game="xiangqi", fen=start)) == 3)
    moves = server.rest("GET", "/api/v1/openings/xiangqi")[2]["moves"]
    cannon = [m for m in moves if m["games"] == 2]
    check("the explorer, up to mirror images: %s" % moves, len(cannon) == 1 and cannon[0]["first"] == 1 and cannon[0]["draws"] == 1)
    check("its moves", [(m["move"], "used" in m) for m in server.rest("GET", "/api/v1/games/%d/moves" % game["id"])[2]["moves"]][:2]
          == [("h2e2", False), ("h9g7", False)])
    record = server.rest("GET", "/api/v1/games?format=pgn&" + urllib.parse.urlencode({"player": "胡荣华"}))[2].decode()
    check("as a record: " + record, '[Event "Spring cup"]' in record and '[Date "1965.03.??"]' in record and '[Site "Shenyang"]' in record and "emt" not in record)
    player = server.rest("GET", "/api/v1/players/" + urllib.parse.quote("胡荣华"))
    check("a player of records: %s" % (player,), player[0] == 200 and player[2]["kind"] == "record")
    check("who cannot log in", server.rest("POST", "/api/v1/login", {"name": "胡荣华", "password": ""})[0] >= 400
          and server.rest("POST", "/api/v1/login", {"name": "Ann*", "password": "long enough"})[0] >= 400)
    check("nor be registered", server.rest("POST", "/api/v1/register", {"name": "Bert*", "password": "long enough"})[0] >= 400)

# the whole tree: kept, shown, given back; a database of before has it after the files are imported again
TREE = """[Game "Chinese Chess"]
[Event "五羊杯"]
[Site "广州"]
[Date "1999.12.09"]
[Red "许银川"]
[Black "吕钦"]
[Result "1-0"]
[ECCO "C35"]
[Annotator "Wu"]
[Opening "中炮"]
[Format "ICCS"]

{before} 1. H2-E2! $14 {[%clk 0:59:58.000] [%emt 0:00:02.000] the centre}
(1. B2-E2 {also} 1... H9-G7) 1... H9-G7 2. H0-G2 (2. B0-C2 I9-H9 (2... G6-G5
{deep}) 3. A0-B0) (2. C3-C4?!) 2... I9-H9 1-0
"""
tree = write("tree.pgn", TREE)
status, out, err = load(tree)
check("a tree: " + out + err, status == 0 and out == "1 games: 1 new, 0 there already\n")
shown = subprocess.run([kraton, "convert", "pgn", "json", tree], capture_output=True, text=True).stdout
whole = json.loads(shown)


def look_at_tree():
    with Server("--bots", "0", folder=folder) as server:
        found = server.rest("GET", "/api/v1/games?" + urllib.parse.urlencode({"player": "许银川"}))[2]["games"][0]
        one = server.rest("GET", "/api/v1/games/%d" % found["id"])[2]
        taken = {format: server.rest("GET", "/api/v1/games/%d/record?format=%s" % (found["id"], format))[2] for format in ("pgn", "json", "xqf", "moves")}
        list = server.rest("GET", "/api/v1/games?format=pgn&" + urllib.parse.urlencode({"player": "许银川"}))[2].decode()
        return one, taken, list


one, taken, list = look_at_tree()
check("PGN as it was: " + taken["pgn"].decode(), taken["pgn"].decode() == TREE and list == TREE)
check("JSON as it was: %s" % taken["json"], taken["json"] == whole)
check("the game has its tree: %s" % one, all(one[key] == whole[key] for key in ("comments", "marks", "lines", "tags", "event")))
with open(folder + "/back.xqf", "wb") as out:
    out.write(taken["xqf"])
back = json.loads(subprocess.run([kraton, "convert", "xqf", "json", folder + "/back.xqf"], capture_output=True, text=True).stdout)
check("XQF with all it can hold: %s" % back, all(back[key] == whole[key] for key in ("moves", "comments", "event", "first"))
      and sorted(line["moves"] for line in back["lines"]) == sorted(line["moves"] for line in whole["lines"]))
check("moves", taken["moves"] == b"h2e2 h9g7 h0g2 i9h9\n")

with open_database(data) as db:
    db.execute("UPDATE imported SET record = NULL")
forget_sums(data)
one, taken, list = look_at_tree()
check("of before: its main line: %s" % taken["json"], taken["json"]["moves"] == whole["moves"] and "lines" not in one)
status, out, err = load(tree)
check("imported again: " + out + err, status == 0 and out == "1 games: 0 new, 1 there already\n")
one, taken, list = look_at_tree()
check("it is whole: %s" % taken["pgn"], taken["pgn"].decode() == TREE and one["lines"] == whole["lines"])

# the same game with other words is another record; the same words are none
rich = TREE.replace("{deep}", "{deeper} 3. A0-B0")
titled = TREE.replace("[Event \"五羊杯\"]", "[Event \"elsewhere\"]")
status, out, err = load(write("rich.pgn", TREE + "\n" + rich + "\n" + titled))
check("other words: " + out + err, status == 0 and out == "3 games: 2 new, 1 there already\n")
status, out, err = load(folder + "/rich.pgn", tree)
check("the same words: " + out + err, status == 0 and out == "4 games: 0 new, 4 there already\n")
with Server("--bots", "0", folder=folder) as server:
    list = server.rest("GET", "/api/v1/games?format=pgn&" + urllib.parse.urlencode({"player": "许银川"}))[2].decode()
    bare = server.rest("GET", "/api/v1/games?format=moves&" + urllib.parse.urlencode({"player": "许银川"}))
    check("all of them in a poorer format: %s" % (bare,), bare[2].decode().count("\n") == 3 and "dropped" in str(bare[1]))
    check("all are kept: " + list, list.count("[Red ") == 3 and "{deep}" in list and "{deeper}" in list and "elsewhere" in list)

# a position without moves keeps its words
study = '[Game "Chinese Chess"]\n[Event "残局"]\n[Red "Study"]\n[FEN "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1"]\n[Format "ICCS"]\n\n{Red to win?} *\n'
status, out, err = load(write("study.pgn", study))
check("no moves: " + out + err, status == 0 and out.startswith("1 games: 1 new"))
with Server("--bots", "0", folder=folder) as server:
    found = server.rest("GET", "/api/v1/games?player=Study*")[2]["games"][0]
    shown = server.rest("GET", "/api/v1/games/%d" % found["id"])[2]
    taken = server.rest("GET", "/api/v1/games/%d/record?format=pgn" % found["id"])[2].decode()
    list = server.rest("GET", "/api/v1/games?format=pgn&player=Study*")[2].decode()
    check("its words: %s %s" % (shown, taken), shown["comments"] == {"0": "Red to win?"} and "{Red to win?}" in taken and "{Red to win?}" in list)

# interrupted as soon as something is kept, and gone on with
many = "".join(pgn("P %d" % i, "Q", "1-0", "1. H2-E2 H9-G7 2. H0-G2 I9-H9 3. I0-H0 C6-C5") for i in range(6000))
many = write("many.pgn", many)
before = open_database(data).execute("SELECT count(*) FROM imported").fetchone()[0]
process = subprocess.Popen([kraton, "archive", "import", many, *store_options(data)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
while process.poll() is None and open_database(data).execute("SELECT count(*) FROM imported").fetchone()[0] == before:
    time.sleep(0.001)
process.send_signal(signal.SIGINT)
out, err = process.communicate(timeout=PATIENCE)
first = int(re.search(r"(\d+) new", out)[1])
check("interrupted: %s%s" % (out, err), process.returncode == 130 and "the same command goes on" in err if first < 6000 else process.returncode in (0, 130))
status, out, err = load(many)
check("gone on: " + out + err, status == 0 and out == "6000 games: %d new, %d there already\n" % (6000 - first, first))
shutil.rmtree(folder)
