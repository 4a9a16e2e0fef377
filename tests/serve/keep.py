"""What the server keeps over its death besides moves: its time."""
from kit import *

with Server("--grace", "1") as server:
    def again():
        server.kill()
        server.restart()

    def stamps(game):
        return [m[s] for m in server.rest("GET", "/api/v1/games/%s/moves" % game)[2]["moves"] for s in ("queued", "written", "read", "accepted")]

    # server time goes on: over games that have ended, over a server without any
    seen = []
    for round in range(3):
        a, b, game = pair(server)
        play_out(a, b, game, seed=round, most=6)
        b.say("resign game=" + game)
        b.hear("result")
        seen += stamps(game)
        again()
        if round == 1:
            again()
    check("time went back: %s" % seen, seen == sorted(seen) and len(seen) >= 60)
    a, b, game = pair(server)  # begun, and nothing else
    again()
    token = a.welcome["token"]
    a = Lines(server.bot_port).login(token)
    a.hear("turn")
    a.say("move game=%s move=%s" % (game, a.legal(game)[0]))
    a.hear("moved")
    seen += stamps(game)
    check("nor over a beginning: %s" % seen[-8:], seen == sorted(seen))
