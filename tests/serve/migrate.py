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
