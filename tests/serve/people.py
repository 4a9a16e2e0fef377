"""What players have with each other besides moves: an opponent who has gone."""
from kit import *


def claim(who, game, result):
    who.say("claim game=%s result=%s" % (game, result))
    return who.hear("error", "result")


with Server("--bots", "0", "--away", "1") as server:
    for result, outcome in (("win", "first wins"), ("draw", "draw")):
        a, b, game = pair(server, "game=surakarta tc=600")
        watcher = Lines(server.bot_port)
        watcher.say("watch game=" + game)
        watcher.hear("game")
        play_out(a, b, game, most=2)
        check("it is there", claim(a, game, result)["code"] == "claim")
        token = b.welcome["token"]
        b.close()
        told = a.hear("away")
        check("told, with the time to wait: %s" % told, told["game"] == game and told["side"] == "second" and 0 < int(told["after"]) <= 1000000)
        check("others are told too", watcher.hear("away")["side"] == "second")
        # it comes back in time
        b = Lines(server.bot_port).login(token)
        check("here again", a.hear("back")["side"] == "second")
        check("not any more", claim(a, game, result)["code"] == "claim")
        b.close()
        a.hear("away")
        check("win or draw", claim(a, game, "all")["code"] == "field")
        while (m := claim(a, game, result)).verb == "error":  # too early at first
            check("wait: %s" % m, m["code"] == "claim" and "may come back" in m["words"])
            a.say("resume game=" + game)
            check("how long: %s" % m, int(a.hear("away")["after"]) <= 1000000)
            time.sleep(0.2)
        check("ended: %s" % m, m["outcome"] == outcome and m["reason"] == "abandoned")
        watcher.close()
        a.close()

    # before the second move there is nothing to win
    a, b, game = pair(server, "game=surakarta tc=600")
    b.close()
    a.hear("away")
    check("abort it", "abort" in claim(a, game, "win")["words"])
    a.close()

    # after a restart both are away, and whoever comes first may claim
    a, b, game = pair(server, "game=surakarta tc=600")
    play_out(a, b, game, most=2)
    server.kill()
    server.restart()
    a = Lines(server.bot_port).login(a.welcome["token"])
    check("the other is away", a.hear("away")["side"] == "second")
    while (m := claim(a, game, "win")).verb == "error":
        time.sleep(0.2)
    check("claimed", m["reason"] == "abandoned")
