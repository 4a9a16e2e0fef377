"""What the server keeps over its death besides moves: its time, offers at the board and in the lobby. A game
that cannot be read stops nobody, and a long game does not keep the journal long."""
from kit import *

with Server("--grace", "1") as server:
    def again(change=None):
        server.kill()
        if change:
            with server.database() as db:
                change(db)
            db.close()
        server.restart()

    def login(token):
        """Logs in, and remembers the token for the next time."""
        line = Lines(server.bot_port).login(token)
        line.welcome["token"] = token
        return line

    def stamps(game):
        return [m[s] for m in server.rest("GET", "/api/v1/games/%s/moves" % game)[2]["moves"] for s in ("queued", "written", "read", "accepted")]

    # a second server on the same folder
    second = server.manage("--port", "0", "--bot-port", "0")
    check("kept out: " + second.stderr, second.returncode == 1 and "another server is using" in second.stderr)

    # server time goes on: over games that have ended, over a server without any
    seen = []
    for round in range(3):
        a, b, game = pair(server)
        play_out(a, b, game, seed=round, most=6)
        a.hear("turn")
        b.say("resign game=" + game)
        b.hear("result")
        seen += stamps(game)
        again()
        if round == 1:
            again()
    check("time went back: %s" % seen, seen == sorted(seen) and len(seen) >= 60)
    a, b, game = pair(server)  # begun, and nothing else
    again()
    a = login(a.welcome["token"])
    a.hear("turn")
    a.say("move game=%s move=%s" % (game, a.legal(game)[0]))
    a.hear("moved")
    seen += stamps(game)
    check("nor over a beginning: %s" % seen[-8:], seen == sorted(seen))

    # a draw offered with a move, a takeback, a rematch
    b = login(b.welcome["token"])
    b.hear("turn")
    b.say("move game=%s draw=yes move=%s" % (game, b.legal(game)[0]))
    b.hear("moved")
    again()
    a, b = login(a.welcome["token"]), login(b.welcome["token"])
    check("the offer is told", a.hear("offer")["kind"] == "draw")
    a.say("takeback game=" + game)
    a.hear("offer")
    again()
    a, b = login(a.welcome["token"]), login(b.welcome["token"])
    check("and the other", b.hear("offer")["kind"] == "takeback")
    a.hear("turn")  # clocks run
    b.say("takeback game=" + game)
    check("granted", b.hear("tookback")["ply"] == "0")
    again()
    a, b = login(a.welcome["token"]), login(b.welcome["token"])
    a.hear("turn")
    a.say("resign game=" + game)
    a.hear("result")
    a.say("rematch game=" + game)
    a.hear("offer")
    again()
    a, b = login(a.welcome["token"]), login(b.welcome["token"])
    b.say("resume game=" + game)
    check("a rematch waits", b.hear("offer")["kind"] == "rematch")
    b.say("rematch game=" + game)
    second = b.hear("game")
    check("colours changed", second["you"] == "first" and second["id"] != game)
    again()
    a = login(a.welcome["token"])
    a.say("resume game=" + game)
    a.say("ping n=1")
    check("taken up once", a.hear("offer", "pong").verb == "pong")

    # a game with a friend, a challenge; seeks are for those who are here
    a.say("seek game=xiangqi tc=60+1 private=yes")
    private = a.hear("seeking")["id"]
    a.say("seek game=xiangqi tc=77+7")
    a.hear("seeking")
    b = login(b.welcome["token"])
    a.say("challenge to=%s game=xiangqi tc=60+1" % b.name)
    challenge = b.hear("challenge")["id"]
    again()
    b = login(b.welcome["token"])
    check("the challenge waits", b.hear("challenge")["id"] == challenge)
    check("the seek does not", server.rest("GET", "/api/v1/seeks")[2]["seeks"] == [])
    a = login(a.welcome["token"])
    own = {a.hear("seeking")["id"], a.hear("seeking")["id"]}
    check("its maker hears of both: %s" % own, own == {private, challenge})
    a.say("seek game=xiangqi tc=77+7")
    check("numbers go on", int(a.hear("seeking")["id"]) > int(challenge))
    b.say("accept id=" + private)
    check("the friend's game", b.hear("game")["game"] == "xiangqi")
    b.say("decline id=" + challenge)
    b.hear("gone")
    again()
    b = login(b.welcome["token"])
    b.say("ping n=2")
    check("gone for good", b.hear("challenge", "pong").verb == "pong")

    # a game that cannot be read: everybody else goes on, the arbiter hears of it and voids it
    ann = server.rest("POST", "/api/v1/register", {"name": "Ann", "password": "long enough"})[1]["Set-Cookie"].split(";")[0]
    server.manage("--arbiter", "Ann").check_returncode()
    c, d, broken = pair(server)
    play_out(c, d, broken, most=4)
    c.hear("turn")
    c, d, strange = pair(server)
    a, b, whole = pair(server)
    play_out(a, b, whole, most=5)
    b.hear("turn")

    def damage(db):
        db.execute("UPDATE journal SET move = 'z9-z9' WHERE game = ? AND ply = 3", (broken,))
        db.execute("UPDATE games SET rules = 'none=1' WHERE id = ?", (strange,))

    again(damage)
    page = Socket(server.port, ann)
    notice = page.hear("notice")
    check("told: %s" % notice, notice["reason"] == "aside" and {broken, strange} == set(notice["words"].split(": ")[1].split()))
    check("health", server.rest("GET", "/api/v1/health")[2]["set_aside"] == 2)
    a = login(a.welcome["token"])
    while a.hear("game")["id"] != whole:
        pass  # the others go on
    for game in (broken, strange):
        status, _, row = server.rest("POST", "/api/v1/arbiter/games/%s/void" % game, {"reason": "beyond repair"}, ann)
        check("voided: %s" % row, status == 200 and row["outcome"] == "ongoing" and row["ended"])
    check("its moves are kept", len(server.rest("GET", "/api/v1/games/%s/moves" % broken)[2]["moves"]) == 4)
    check("none left", server.rest("GET", "/api/v1/health")[2]["set_aside"] == 0)
    page.close()

    # a long game is written anew at the journal's end when it is far behind
    moves = [m["move"] for m in server.rest("GET", "/api/v1/games/%s/moves" % whole)[2]["moves"]]
    again(lambda db: db.execute("INSERT INTO journal(id, game, kind, ply) VALUES(300000, 0, 0, 0)"))
    for i in range(65):
        c, d, game = pair(server)
        c.say("resign game=" + game)
        c.hear("result")
        c.close(), d.close()

    def look(db):
        first = db.execute("SELECT min(id) FROM journal").fetchone()[0]
        check("the front is gone: %s" % first, first > 300000)

    again(look)
    # so it is where no game ends, but players offer and take back for ever
    again(lambda db: db.execute("INSERT INTO journal(id, game, kind, ply) VALUES(600000, 0, 0, 0)"))
    a, b = login(a.welcome["token"]), login(b.welcome["token"])
    c, d, game = pair(server)
    c.say("draw game=" + game)
    d.hear("offer")
    until = time.monotonic() + PATIENCE
    with server.database() as db:
        while db.execute("SELECT min(id) FROM journal").fetchone()[0] < 600000:
            check("the front is still there", time.monotonic() < until)
            time.sleep(0.1)
    c.say("resign game=" + game)
    c.hear("result")
    again(look)
    a, b = login(a.welcome["token"]), login(b.welcome["token"])
    while (m := b.hear("game"))["id"] != whole:
        pass
    check("the game is whole: %s" % m, m["moves"].split(",") == moves)
    b.say("ping n=3")
    while (m := b.hear("turn", "pong")).verb != "pong" and m["game"] != whole:
        pass
    check("and goes on: %s %s" % (m.verb, m), m.verb == "turn" and m["ply"] == "5")
