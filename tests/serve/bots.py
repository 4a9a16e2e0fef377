"""House bots answer at once, grant what is asked, survive the server's death; analysis streams in."""
from kit import *

with Server("--bots", "2", "--grace", "1") as server:
    page = Socket(server.port)
    page.say("login", guest=True)
    token = page.hear("welcome")["token"]
    for game, level, first in (("surakarta", 1, "b5-b4"), ("xiangqi", 3, "h2e2")):
        page.say("challenge", to="House-%d" % level, game=game, side="first", tc="60+1")
        number = page.hear("game")["id"]
        page.hear("turn")
        page.say("move", game=number, move=first)
        check("it answers", page.hear("turn")["ply"] == 2)
        page.say("takeback", game=number)
        check("granted", page.hear("tookback")["ply"] == 0)
        page.hear("turn")
        page.say("move", game=number, move=first)
        page.hear("turn")
        # the server dies while the bot is thinking, or just about
        page.say("legal", game=number)
        page.say("move", game=number, move=page.hear("legal")["moves"][0])
        page.hear("moved")
        server.kill()
        server.restart()
        page = Socket(server.port)
        page.say("login", token=token)
        check("the bot is back", page.hear("turn")["ply"] == 4)
        page.say("resign", game=number)
        page.hear("result")
        page.say("rematch", game=number)
        again = page.hear("game")
        check("rematch", again["you"] == "second")
        check("it begins", page.hear("turn")["ply"] == 1)
        page.say("resign", game=again["id"])
        page.hear("result")
    for game in ("xiangqi", "surakarta"):  # without a clock it answers all the same
        page.say("challenge", to="House-10", game=game, side="second", tc="inf")
        free = page.hear("game")["id"]
        check("it moves", page.hear("turn", "result")["game"] == free)
        page.say("resign", game=free)
        check("in time", page.hear("result")["reason"] == "resignation")
    for i in range(9):  # as many as by challenges, and no more
        page.say("rematch", game=number)
    page.say("ping", n="all")
    begun = []
    while (m := page.hear("game", "pong")).verb == "game":
        begun.append(m["id"])
    check("so many at once: %s" % begun, len(begun) == 4)
    for number in begun:
        page.say("resign", game=number)
        page.hear("result")

    page.say("analyse", game="xiangqi", moves="h2e2 h9g7", ms=300, lines=2)
    number = page.hear("analysing")["id"]
    seen = set()
    while (m := page.hear("line", "analysed")).verb == "line":
        check("a line of this one", m["id"] == number and m["pv"] and "depth" in m)
        seen.add(m["n"])
    check("two variations: %s" % seen, seen == {1, 2})
    page.say("analyse", game="xiangqi", moves="h2e2 h2e2")
    check("illegal moves", page.hear("error")["code"] == "position")
    page.say("analyse", game="chess")
    check("no such game", page.hear("error")["code"] == "field")

# a rated game is nobody's to analyse beyond its opening
with Server("--bots", "2") as server:
    cookies = [server.rest("POST", "/api/v1/register", {"name": n, "password": "long enough"})[1]["Set-Cookie"].split(";")[0]
               for n in ("Ann", "Bob")]
    ann, bob = [Socket(server.port, c) for c in cookies]
    ann.say("seek", game="xiangqi", tc="60+1", rated=True, side="first")
    ann.hear("seeking")
    bob.say("seek", game="xiangqi", tc="60+1", rated=True)
    number = ann.hear("game")["id"]
    line = "h2e2 h9g7 h0g2 i9h9 i0h0 g6g5 h0h6 b9c7 h6g6 c9e7 b0a2 c6c5 a0b0".split()
    for ply, move in enumerate(line):
        (ann, bob)[ply % 2].hear("turn")
        (ann, bob)[ply % 2].say("move", game=number, ply=ply, move=move)
    bob.hear("turn")
    ann.say("analyse", game="xiangqi", ms=100)
    check("its player", ann.hear("error")["code"] == "analysis")
    stranger = Socket(server.port)
    for moves in (line, line + ["a9b9"], line + ["a9b9", "b2b6"]):
        stranger.say("analyse", game="xiangqi", moves=" ".join(moves), ms=100)
        check("nor others", stranger.hear("error", "analysing").get("code") == "analysis")
    flipped = ["".join("ihgfedcba"["abcdefghi".index(c)] if c.isalpha() else c for c in m) for m in line]
    stranger.say("analyse", game="xiangqi", moves=" ".join(flipped), ms=100)
    check("nor in a mirror", stranger.hear("error", "analysing").get("code") == "analysis")
    stranger.say("analyse", game="xiangqi", moves=" ".join(line[:6]), ms=100)
    check("other positions are free", stranger.hear("error", "analysing").verb == "analysing")
    stranger.hear("analysed")
