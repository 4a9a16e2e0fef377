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
    line = "h2e2 h9g7 h0g2 i9h9 i0h0 g6g5 h0h6 b9c7 h6g6 c9e7 b0a2 c6c5 a0b0 a9b9 g3g4 g5g4 g6g4".split()

    def play(moves, ply):
        for move in moves:
            (ann, bob)[ply % 2].say("move", game=number, ply=ply, move=move)
            ply += 1
            (ann, bob)[ply % 2].hear("turn")

    ann.hear("turn")
    play(line[:16], 0)
    ann.say("analyse", game="xiangqi", ms=100)
    check("its player", ann.hear("error")["code"] == "analysis")
    stranger = Socket(server.port)

    def asked(**position):
        """What a stranger is told."""
        stranger.say("analyse", game="xiangqi", ms=100, **position)
        m = stranger.hear("error", "analysing")
        if m.verb == "analysing":
            stranger.hear("analysed")
        return m.get("code", m.verb)

    def fen(moves):
        return server.rest("GET", "/api/v1/position/xiangqi?moves=" + "+".join(moves))[2]["fen"]

    def mirrored(moves):
        return ["".join("ihgfedcba"["abcdefghi".index(c)] if c.isalpha() else c for c in m) for m in moves]

    check("openings are free", asked(moves=" ".join(line[:16])) == "analysing")
    play(line[16:], 16)
    beyond = [["i6i5"], ["i6i5", "i3i4"]]
    for moves in (line, line + beyond[0], line + beyond[1], mirrored(line)):
        check("nobody else: %s" % moves[17:], asked(moves=" ".join(moves)) == "analysis")
    for moves in (line, line + beyond[0], mirrored(line + beyond[0])):
        check("nor by FEN: %s" % moves[17:], asked(fen=fen(moves)) == "analysis")
    check("other positions are free", asked(moves=" ".join(line[:6])) == "analysing")
    check("far from it too", asked(fen=fen(line + ["i6i5", "i3i4", "i5i4"])) == "analysing")
    # nor by way of a bot
    stranger.say("login", guest=True)
    stranger.say("challenge", to="House-1", game="xiangqi", tc="60+1", fen=fen(line), side="first")
    check("no bot plays it: ", "rated game" in stranger.hear("result")["words"])
    server.kill()
    server.restart()
    stranger = Socket(server.port)
    check("after a restart", asked(fen=fen(line)) == "analysis")
    check("earlier positions too", asked(fen=fen(line[:17])) == "analysis")
    ann, bob = [Socket(server.port, c) for c in cookies]
    bob.hear("turn")
    bob.say("move", game=number, move="i6i5")
    ann.hear("turn")
    ann.say("resign", game=number)
    ann.hear("result")
    check("afterwards it is free", asked(fen=fen(line)) == "analysing")
    # the explorer knows the position now
    ann.say("seek", game="xiangqi", tc="60+1", rated=True, side="first")
    ann.hear("seeking")
    bob.say("seek", game="xiangqi", tc="60+1", rated=True)
    number = bob.hear("game")["id"]
    ann.hear("turn")
    play(line, 0)
    check("known", asked(fen=fen(line)) == "analysing")
