"""Two programs play whole games; what goes wrong at the board has its answer."""
from kit import *

with Server() as server:
    # a whole game of each kind, its record in every format
    for game in ("surakarta", "xiangqi"):
        a, b, number = pair(server, "game=%s tc=60+1" % game)
        result = play_out(a, b, number, seed=game)
        check("that game", result["game"] == number)
        status, _, kept = server.rest("GET", "/api/v1/games/%s" % number)
        check("the archive has it", status == 200 and kept["outcome"] == result["outcome"])
        for kind in ("pgn", "json", "moves") + (("contest",) if game == "surakarta" else ()):
            status, _, record = server.rest("GET", "/api/v1/games/%s/record?format=%s" % (number, kind))
            check("record as " + kind, status == 200 and record)
        status, _, full = server.rest("GET", "/api/v1/games/%s/moves" % number)
        check("every move is kept", len(full["moves"]) == kept["plies"] == len(kept["moves"]))
        last = full["begun"]
        for m in full["moves"]:
            stamps = [m["queued"], m["written"], m["read"], m["accepted"]]
            check("stamps in order: %s" % m, stamps == sorted(stamps) and m["queued"] >= last)
            check("the clock charged what was used", m["used"] == max(0, m["read"] - m["written"] - m["lag"] - m["late"]))
            last = m["accepted"]
        path = server.folder + "/game.pgn"
        open(path, "w").write(server.rest("GET", "/api/v1/games/%s/record" % number)[2].decode())
        judged = subprocess.run([server.kraton, "judge", game, "--file", path], capture_output=True, text=True)
        check("the record is legal: " + judged.stderr, judged.returncode == 0)

        # found by player, by opening or result, by a position of it
        def ids(query):
            return [g["id"] for g in server.rest("GET", "/api/v1/games?" + query)[2]["games"]]
        check("by player", ids("player=%s" % a.name) == [int(number)] and ids("player=%s&opponent=%s" % (b.name, a.name)) == [int(number)])
        check("by result", int(number) in ids("game=%s&result=%s" % (game, kept["outcome"].replace(" ", "+"))))
        fen = server.rest("GET", "/api/v1/position/%s?moves=%s" % (game, "+".join(kept["moves"][:9])))[2]["fen"]
        check("by position", ids("game=%s&fen=%s" % (game, fen.replace(" ", "+"))) == [int(number)])
        check("as records", server.rest("GET", "/api/v1/games?format=pgn&player=" + a.name)[2].count(b"[Result ") == 1)
    check("and where to go on", server.rest("GET", "/api/v1/games?format=pgn&limit=1")[1]["Kraton-Before"] == number)
    check("by opening", server.rest("GET", "/api/v1/games?opening=nothing")[2]["games"] == [])
    for query in ("player=" + "x" * 99, "opening=" + "x" * 999, "fen=" + "x" * 999, "format=contest", "format=x"):
        check("not as if nothing had been asked: " + query, server.rest("GET", "/api/v1/games?" + query)[0] == 400)
    metrics = server.rest("GET", "/metrics")[2].decode()
    check("a whole histogram", all("kraton_pass_on_seconds_" + part in metrics for part in ('bucket{le="+Inf"}', "sum ", "count ")))
    check("by nobody", server.rest("GET", "/api/v1/games?player=nobody")[0] == 404)

    # out of turn, wrong ply, nonsense, somebody else's game: answers, and the game goes on
    a, b, number = pair(server)
    a.hear("turn")
    b.say("move game=%s move=b2-b3" % number)
    check("out of turn", b.hear("error")["code"] == "turn")
    a.say("move game=%s ply=3 move=b5-b4" % number)
    check("wrong ply", a.hear("error")["code"] == "ply")
    a.say("move game=999999 move=b5-b4")
    check("no such game", a.hear("error")["code"] == "game")
    a.say("move game=%s" % number)
    check("no move", a.hear("error")["code"] == "field")
    a.say("jump game=%s ref=x1" % number)
    error = a.hear("error")
    check("no such verb", error["code"] == "verb" and error["ref"] == "x1")
    a.say("move game=%s ply=0 move=a1-f6" % number)
    check("people may try again", a.hear("error")["code"] == "illegal")
    a.say("move game=%s ply=0 move=b5-b4" % number)
    check("the game goes on", b.hear("turn")["ply"] == "1")

    # a lost connection: the token brings the whole game back
    token = b.welcome["token"]
    b.close()
    b = Lines(server.bot_port).login(token)
    again = b.hear("game")
    check("replayed", again["id"] == number and again["moves"] == "b5-b4" and again["you"] == "second")
    check("asked again", b.hear("turn")["ply"] == "1")

    # draw, takeback, resignation, rematch
    a.say("draw game=%s" % number)
    check("offered", b.hear("offer")["kind"] == "draw")
    a.say("takeback game=%s" % number)
    check("asked for", b.hear("offer")["kind"] == "takeback")
    b.say("takeback game=%s" % number)
    check("granted", a.hear("tookback")["ply"] == "0" and a.hear("turn")["ply"] == "0")
    a.say("move game=%s move=c5-c4" % number)
    b.hear("turn")
    b.say("resign game=%s" % number)
    result = a.hear("result")
    check("resigned", result["reason"] == "resignation" and result["outcome"] == "first wins")
    a.say("rematch game=%s" % number)
    b.hear("offer")
    b.say("rematch game=%s" % number)
    check("colours change", b.hear("game")["you"] == "first")

    # a flag falls by timer
    a, b, number = pair(server, "game=surakarta tc=0.2+0")
    result = b.hear("result")
    check("flag", result["reason"] == "time" and result["side"] == "first")
    check("and is counted", "\nkraton_flags_total 1\n" in server.rest("GET", "/metrics")[2].decode())

    # a game with a friend, by the number of a private seek
    a, b = Lines(server.bot_port).guest(), Lines(server.bot_port).guest()
    a.say("seek game=xiangqi tc=60+0 private=yes")
    secret = a.hear("seeking")["id"]
    check("listed nowhere", server.rest("GET", "/api/v1/seeks")[2]["seeks"] == [])
    check("shown to whoever has its number", server.rest("GET", "/api/v1/seeks/" + secret)[2]["game"] == "xiangqi")
    b.say("seek game=xiangqi tc=60+0")
    b.say("unseek id=%s" % b.hear("seeking")["id"])
    b.hear("gone")
    b.say("accept id=%s" % secret)
    check("friends", b.hear("game")["id"] == a.hear("game")["id"])
    check("and then no longer", server.rest("GET", "/api/v1/seeks/" + secret)[0] == 404)

# --- the lobby comes in pages
with Server("--bots", "0") as server:
    makers = [Lines(server.bot_port).guest() for i in range(3)]
    for i, maker in enumerate(makers):
        for j in range(50):
            maker.say("seek game=surakarta tc=%d+%d side=first" % (60 + i, j))
        [maker.hear("seeking") for j in range(50)]
    reader, found, after, pages = Lines(server.bot_port), [], 0, 0
    while after is not None:
        reader.say("lobby after=%d limit=40" % after)
        reader.say("ping n=%d" % pages)
        after, pages = None, pages + 1
        while (said := reader.hear("seek", "lobby", "pong")).verb != "pong":
            if said.verb == "seek":
                found.append(int(said["id"]))
            else:
                check("in all: %s" % said, said["seeks"] == "150")
                after = int(said["after"])
    check("all of them in order, once: %d in %d pages" % (len(found), pages), found == sorted(set(found)) and len(found) == 150 and pages == 4)
    first = server.rest("GET", "/api/v1/seeks?limit=100")[2]
    check("over HTTP", len(first["seeks"]) == 100 and first["more"] and first["open"] == 150)
    rest = server.rest("GET", "/api/v1/seeks?after=%d" % first["seeks"][-1]["id"])[2]
    check("and the rest", len(rest["seeks"]) == 50 and not rest["more"])
    # the oldest that fits is taken, whichever side was left open
    taker = Lines(server.bot_port).guest()
    taker.say("seek game=surakarta tc=61+7")
    check("found by its terms", taker.hear("game")["first_name"] == makers[1].name)
    makers[2].close()
    while int(server.rest("GET", "/api/v1/seeks")[2]["open"]) != 99:
        time.sleep(0.02)
