"""Tournaments of every kind played out by themselves, through pauses, withdrawals and the server's
death."""
from kit import *
import threading

with Server("--bots", "2", "--grace", "1") as server:
    ann = server.rest("POST", "/api/v1/register", {"name": "Ann", "password": "long enough"})[1]["Set-Cookie"].split(";")[0]

    def do(path, body=None, cookie=ann):
        return server.rest("POST", "/api/v1/tournaments" + path, body or {}, cookie)

    def show(number):
        return server.rest("GET", "/api/v1/tournaments/%d" % number)[2]

    def wait(number, until, seconds=200):
        end = time.monotonic() + seconds
        while not until(t := show(number)):
            check("it takes too long: %s" % json.dumps(t)[:3000], time.monotonic() < end)
            time.sleep(0.05)
        return t

    check("no such kind", do("", {"name": "Cup", "game": "surakarta", "kind": "league"})[0] == 400)
    check("no clock", do("", {"name": "Cup", "game": "surakarta", "kind": "swiss", "tc": "inf"})[0] == 400)
    check("strangers", do("", {"name": "Cup"}, None)[0] == 401)

    # a knockout of four house bots from one command to the table
    cup = do("", {"name": "Cup", "game": "surakarta", "kind": "knockout", "games": 2, "tc": "60+1", "rated": True})[2]["id"]
    for level in (1, 2, 3, 9):
        check("entered", do("/%d/enter" % cup, {"player": "House-%d" % level})[0] == 200)
    check("twice", do("/%d/enter" % cup, {"player": "House-1"})[0] == 409)
    check("who directs it is said", show(cup)["director"] == "Ann")
    check("started", do("/%d/start" % cup)[2]["state"] == "running")
    check("too late", do("/%d/enter" % cup, {"player": "House-4"})[0] == 409)

    # a Swiss of four programs that the server's death does not stop
    tokens = [server.rest("POST", "/api/v1/tokens", {"program": "Bot%d" % i}, ann)[2]["token"] for i in range(4)]
    swiss = do("", {"name": "Swiss", "game": "xiangqi", "kind": "swiss", "rounds": 3, "games": 1, "tc": "60+1"})[2]["id"]
    stop = threading.Event()

    def program(i):
        chance = random.Random(i)
        while not stop.is_set():
            try:
                lines = Lines(server.bot_port).login(tokens[i])
                if lines.name:
                    lines.say("enter tournament=%d" % swiss)
                while True:
                    m = lines.hear("turn")
                    if int(m["ply"]) >= 12 and i < 3:
                        lines.say("resign game=" + m["game"])
                    else:
                        lines.say("move game=%s ply=%s move=%s" % (m["game"], m["ply"], chance.choice(lines.legal(m["game"]))))
            except (EOFError, OSError):
                time.sleep(0.05)

    threads = [threading.Thread(target=program, args=(i,), daemon=True) for i in range(4)]
    for t in threads:
        t.start()
    wait(swiss, lambda t: len(t["players"]) == 4)
    do("/%d/start" % swiss)
    for _ in range(3):
        time.sleep(0.1)
        server.kill()
        server.restart()
    table = wait(swiss, lambda t: t["state"] == "over")
    check("three rounds: %s" % table, [p["round"] for p in table["pairings"]] == [1, 1, 2, 2, 3, 3])
    check("everybody met once", len({frozenset((p["first"], p["second"])) for p in table["pairings"]}) == 6)
    check("the points are all there", sum(s["points"] for s in table["standings"]) == 6)
    check("places", [s["place"] for s in table["standings"]] == [1, 2, 3, 4])
    check("Bot3 never gives up", table["standings"][0]["player"] == "Bot3" and table["standings"][0]["points"] >= 2)
    for p in table["pairings"]:
        g = server.rest("GET", "/api/v1/games/%d" % p["game"])[2]
        check("its game", g["tournament"] == swiss and g["round"] == p["round"] and g["ended"])

    # pause, continue, withdraw
    league = do("", {"name": "League", "game": "xiangqi", "kind": "round-robin", "rounds": 1, "games": 2, "tc": "60+1", "concurrency": 1})[2]["id"]
    for i in range(3):
        do("/%d/enter" % league, {"player": "Bot%d" % i})
    do("/%d/start" % league)
    check("paused", do("/%d/pause" % league)[2]["state"] == "paused")
    before = show(league)["pairings"]
    time.sleep(0.2)  # shows that nothing happens; on a slow machine it shows less, and still passes
    check("it stands still", show(league)["pairings"] == before)
    check("withdrawn", do("/%d/withdraw" % league, {"player": "Bot1"})[0] == 200)
    check("goes on", do("/%d/continue" % league)[2]["state"] in ("running", "over"))
    table = wait(league, lambda t: t["state"] == "over")
    check("all six", len(table["pairings"]) == 6 and all("points" in p for p in table["pairings"]))
    check("withdrawn is said", [s["withdrawn"] for s in table["standings"] if s["player"] == "Bot1"] == [True])
    stop.set()

    table = wait(cup, lambda t: t["state"] == "over")
    check("the cup: %s" % table["standings"], table["standings"][0]["player"] == "House-9")
    check("rated", len(server.rest("GET", "/api/v1/ratings/surakarta?kind=program")[2]["ratings"]) == 4)
    off = do("", {"name": "Never", "game": "xiangqi", "kind": "gauntlet"})[2]["id"]
    check("called off", do("/%d/call-off" % off)[2]["state"] == "called off")
    check("not again", do("/%d/start" % off)[0] == 409)
    check("listed", len(server.rest("GET", "/api/v1/tournaments")[2]["tournaments"]) == 4)
