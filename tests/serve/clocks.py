"""Time the server itself loses is charged to no player: a long start after a kill, a process that is stopped."""
from kit import *
import sqlite3

START_US = 300000000
ROWS = 400000  # of the journal: enough for a start of half a second and more

# --- a start that takes long: nothing after the last heartbeat is charged
with Server("--bots", "0") as server:
    begun = time.monotonic()
    a, b, number = pair(server, "game=surakarta tc=%d+0" % (START_US // 1000000))
    a.hear("turn")
    a.say("move game=%s ply=0 move=%s" % (number, a.legal(number)[0]))
    b.hear("turn")
    server.kill()
    thought = (time.monotonic() - begun) * 1e6  # no clock can have run longer
    db = sqlite3.connect(server.folder + "/data/kraton.db")
    with db:
        db.execute("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
                   "INSERT INTO journal(game, kind, ply, move, accepted) SELECT 1000000, 0, i, 'b5-b4', 0 FROM n", (ROWS,))
    db.close()
    began = time.monotonic()
    server.restart()
    took = (time.monotonic() - began) * 1e6
    game = Lines(server.bot_port).login(a.welcome["token"]).hear("game")
    for side in ("first", "second"):
        charged = START_US - int(game[side])
        check("%s is charged %d us of a start of %d us" % (side, charged, took), 0 <= charged <= thought)
    check("the clock waits for its player", game["clock"] == "waiting")
    back = Lines(server.bot_port).login(b.welcome["token"])
    turn = back.hear("turn")
    charged = START_US - int(turn["second"])
    check("nor is it afterwards: %d us" % charged, charged <= thought)
