"""The data of a server of schema version 1 (version_1.sql: killed in mid-game and in the second round of a
Swiss that one of five has withdrawn from) taken over by today's: the game goes on, so does the Swiss."""
from kit import *
import sqlite3

folder = tempfile.mkdtemp()
os.mkdir(folder + "/data", 0o700)
script = open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "version_1.sql")).read()
tokens = re.search(r"live game: (\S+) (\S+)", script)
db = sqlite3.connect(folder + "/data/kraton.db")
db.executescript(script)
db.executescript("PRAGMA user_version = 1; UPDATE tokens SET expires = NULL;")
db.close()

with Server("--bots", "0", "--grace", "1", folder=folder) as server:
    ann = server.rest("POST", "/api/v1/login", {"name": "Ann", "password": "long enough"})[1]["Set-Cookie"].split(";")[0]
    a, b = Lines(server.bot_port).login(tokens[1]), Lines(server.bot_port).login(tokens[2])
    game = a.hear("game")
    check("all its moves: %s" % game, game["id"] == "6" and len(game["moves"].split(",")) == 9)
    b.hear("game")
    play_out(b, a, "6", seed=5, most=4)
    a.say("resign game=6")
    check("to its end", a.hear("result")["outcome"] == "second wins")
    check("the record", len(server.rest("GET", "/api/v1/games/6/moves")[2]["moves"]) >= 12)

    def show():
        return server.rest("GET", "/api/v1/tournaments/1")[2]

    def decide():
        for p in show()["pairings"]:
            if "points" not in p:
                path = "/api/v1/arbiter/games/%d/forfeit" % p["game"]
                check("decided", server.rest("POST", path, {"reason": "for the test", "side": "second"}, ann)[0] == 200)

    table = show()
    check("as it was: %s" % table["pairings"], table["state"] == "running" and [p.get("points") for p in table["pairings"]] == [1, 1, 0, None])
    decide()
    third = [p for p in show()["pairings"] if p["round"] == 3]
    check("who withdrew is not drawn: %s" % third, len(third) == 2 and all("Bot4" not in (p["first"], p["second"]) for p in third))
    decide()
    check("over", show()["state"] == "over")
    check("ratings", server.rest("GET", "/api/v1/players/Bot0")[2]["ratings"][0]["games"] == 1)
shutil.rmtree(folder)

# the data of a server of commit a0d7884, killed with live games: every one of them goes on
folder = tempfile.mkdtemp()
os.mkdir(folder + "/data", 0o700)
script = open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "version_a0d7884.sql")).read()
db = sqlite3.connect(folder + "/data/kraton.db")
db.executescript(script)
db.executescript("UPDATE tokens SET expires = NULL;")
moves = {n: [m for m, in db.execute("SELECT move FROM journal WHERE game = ? AND kind = 0 ORDER BY id", (n,))] for n in (2, 3)}
db.close()
with Server("--bots", "0", "--grace", "1", "--keep-short", "0", folder=folder) as server:
    for number in (2, 3):
        a, b = [Lines(server.bot_port).login(t) for t in re.search(r"game %d: (\S+) (\S+)" % number, script).groups()]
        game = a.hear("game")
        check("all its moves: %s" % game, game["id"] == str(number) and game["moves"].split(",") == moves[number] and len(moves[number]) == 11)
        play_out(b, a, str(number), seed=6, most=4)
        a.say("resign game=%d" % number)
        check("to its end", a.hear("result")["reason"] == "resignation")
        check("the record", [m["move"] for m in server.rest("GET", "/api/v1/games/%d/moves" % number)[2]["moves"]][:11] == moves[number])
    check("what was over", len(server.rest("GET", "/api/v1/games/1/moves")[2]["moves"]) == 9)
    bots = [Lines(server.bot_port).login(t) for t in re.search(r"bots: (\S+) (\S+)", script).groups()]
    for number in (4, 5):
        bots[0].say("resign game=%d" % number)
    until = time.monotonic() + PATIENCE
    while server.rest("GET", "/api/v1/tournaments/1")[2]["state"] != "over":
        check("the tournament ends", time.monotonic() < until)
        time.sleep(0.05)
    check("nothing is damaged", server.rest("GET", "/api/v1/health")[2]["damaged"] == 0)

# a folder of a later version is refused in one line and left as it is
db = sqlite3.connect(folder + "/data/kraton.db")
db.executescript("PRAGMA user_version = 1000")
db.close()
later = subprocess.run([sys.argv[1], "serve", "--port", "0", "--bot-port", "0", "--data", folder + "/data"], capture_output=True, text=True)
lines = [line for line in later.stderr.splitlines() if "no page" not in line]
check("one line: %s" % later.stderr, later.returncode == 1 and len(lines) == 1 and "later version" in lines[0])
shutil.rmtree(folder)
