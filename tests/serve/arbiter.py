"""An arbiter's decisions and their log; a position judged for a page; what others may not do."""
from kit import *

with Server() as server:
    def account(name):
        return server.rest("POST", "/api/v1/register", {"name": name, "password": "long enough"})[1]["Set-Cookie"].split(";")[0]

    def act(path, cookie, **body):
        return server.rest("POST", "/api/v1/arbiter/" + path, body, cookie)

    ann, bob = account("Ann"), account("Bob")
    check("not yet", act("games/1/void", ann, reason="because")[0] == 403)
    made = server.manage("--arbiter", "ann")
    check("made: " + made.stderr, made.returncode == 0)
    none = server.manage("--arbiter", "nobody")
    check("nobody", none.returncode == 1)

    a, b, number = pair(server, "game=surakarta tc=5+0")
    a.hear("turn")
    check("a reason", act("games/%s/pause" % number, ann)[0] == 400)
    check("paused", act("games/%s/pause" % number, ann, reason="the roof leaks")[0] == 200)
    check("told", a.hear("clock")["state"] == "paused")
    a.say("move game=%s move=b5-b4" % number)
    check("no moves now", a.hear("error")["code"] == "paused")
    left = int(b.hear("clock")["first"])
    server.kill()
    server.restart()
    token = a.welcome["token"]
    a = Lines(server.bot_port).login(token)
    again = a.hear("game")
    check("still paused", again["clock"] == "paused" and int(again["first"]) == left)
    check("goes on", act("games/%s/continue" % number, ann, reason="it was mended")[0] == 200)
    turn = a.hear("turn")
    check("the clock stood still", left - 100000 < int(turn["first"]) <= left)
    check("forfeit", act("games/%s/forfeit" % number, ann, reason="shouting", side="second")[0] == 200)
    check("decided", a.hear("result")["reason"] == "arbiter's decision")
    check("corrected", act("games/%s/correct" % number, ann, reason="it was the other one", outcome="first wins")[2]["side"] == "second")
    fixed = act("games/%s/correct" % number, ann, reason="it was nobody", outcome="draw")[2]
    check("nobody's doing", fixed["outcome"] == "draw" and fixed["side"] == "none")
    check("over", act("games/%s/void" % number, ann, reason="too late")[0] == 404)

    # reasons in any language, and cut between characters where they are too long
    why = "棋" * 66
    for extra in ("", "x", "xx"):
        a, b, other = pair(server)
        status, _, voided = act("games/%s/void" % other, ann, reason=extra + why)
        check("in its words: %s" % voided, status == 200 and (extra + why).startswith(voided["words"].split(": ")[1][:50]))
        heard = a.hear("result")["words"]  # kit's lines are UTF-8 or an error
        check("told so", heard == voided["words"] and len(heard.encode()) > 185)
        status, _, corrected = act("games/%s/correct" % other, ann, reason=extra + why, outcome="draw")
        check("corrected: %s" % corrected, corrected["words"].endswith("棋") and len(corrected["words"].encode()) > 185)
        server.rest("GET", "/api/v1/games/%s/record" % other)[2].decode()

    b = Socket(server.port, bob)
    b.hear("welcome")
    status, _, game = act("games", ann, reason="a friendly", first="Bob", second="Ann", game="xiangqi", tc="10+0")
    check("created", status == 200 and b.hear("game")["you"] == "first")
    made = server.rest("POST", "/api/v1/tokens", {"program": "BobBot"}, bob)[2]["token"]
    bot = Lines(server.bot_port).login(made)
    other = Lines(server.bot_port).guest()
    bot.say("seek game=surakarta tc=60 side=first")
    other.say("seek game=surakarta tc=60")
    bot.hear("game")
    check("banned", act("players/Bob/ban", ann, reason="cheating")[0] == 200)
    check("with its program", bot.hear("bye")["reason"] == "banned" and other.hear("result")["side"] == "first")
    check("which stays out", Lines(server.bot_port).login(made).welcome["code"] == "token")
    check("thrown out", b.hear("bye")["reason"] == "banned")
    check("stays out", server.rest("POST", "/api/v1/login", {"name": "Bob", "password": "long enough"})[0] == 403)
    check("and has lost", server.rest("GET", "/api/v1/games/%d" % game["id"])[2]["outcome"] == "second wins")
    check("pardoned", act("players/Bob/pardon", ann, reason="a mistake")[0] == 200)
    check("back", server.rest("POST", "/api/v1/login", {"name": "Bob", "password": "long enough"})[0] == 200)
    # what somebody who was banned has left behind is nobody's to accept
    c, d, played = pair(server)
    c.say("resign game=" + played)
    d.hear("result")
    c.say("rematch game=" + played)
    d.hear("offer")
    c.say("challenge to=%s game=surakarta" % d.name)
    offered = d.hear("challenge")["id"]
    check("banned too", act("players/%s/ban" % c.name, ann, reason="棋")[0] == 200)
    d.say("rematch game=" + played)
    check("no rematch", d.hear("game", "error").get("code") == "rematch")
    d.say("accept id=" + offered)
    check("nor the other", d.hear("game", "error").get("code") == "offer")
    log = server.rest("GET", "/api/v1/audit")[2]["audit"]
    check("the log: %s" % log, [e["action"] for e in log if "棋" not in e["reason"]] == ["pardon", "ban", "create", "correct", "correct", "forfeit", "continue", "pause"])
    check("with reasons", log[-1]["reason"] == "the roof leaks" and log[-1]["arbiter"] == "Ann")

    # positions
    status, _, start = server.rest("GET", "/api/v1/position/surakarta")
    check("start", status == 200 and len(start["legal"]) == 16 and start["side"] == "first")
    _, _, later = server.rest("GET", "/api/v1/position/xiangqi?moves=h2e2+h9g7")
    check("played", later["played"] == ["h2e2", "h9g7"] and later["side"] == "first")
    capture = "/api/v1/position/surakarta?fen=" + start["fen"].replace(" ", "%20") + "&moves=f5-f4+f2-e3+b5-b4+e3-d4+e5-f5+e2-f2+f4-e5+d2-c3+e5-e4+d4-e3+a5-a4+c1-d2+e4-d4+e3-f4+a4-b3+b2-c1+c6-b5"
    routes = [m for m in server.rest("GET", capture)[2]["legal"] if m["capture"]]
    check("routes", routes and all(m["routes"][0]["points"][0] == m["from"] for m in routes))
    check("no position", server.rest("GET", "/api/v1/position/xiangqi?fen=x")[0] == 400)
    check("no game", server.rest("GET", "/api/v1/position/go")[0] == 404)
