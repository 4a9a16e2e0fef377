"""Tournaments under a director's and an arbiter's hands: corrections that reach pairings, standings and
ratings, games voided during a pause, withdrawals, who may play rated games, openings, a test between two
players, and what a follower is told. All of it through the server's death."""
from kit import *

with Server("--bots", "0", "--grace", "1") as server:
    def account(name):
        return server.rest("POST", "/api/v1/register", {"name": name, "password": "long enough"})[1]["Set-Cookie"].split(";")[0]

    def program(name, owner):
        return server.rest("POST", "/api/v1/tokens", {"program": name}, owner)[2]["token"]

    def new(players, **terms):
        """A tournament of programs, started."""
        body = {"name": "Trial", "game": "surakarta", "kind": "swiss", "games": 1, "tc": "600+1", "per_player": 0, **terms}
        status, _, t = server.rest("POST", "/api/v1/tournaments", body, ann)
        check("made: %s" % t, status == 201)
        for p in players:
            status, _, answer = do(t["id"], "enter", player=p)
            check("entered: %s" % answer, status == 200)
        check("started", do(t["id"], "start")[0] == 200)
        return t["id"]

    def do(number, what, **body):
        return server.rest("POST", "/api/v1/tournaments/%d/%s" % (number, what), body, ann)

    def show(number):
        return server.rest("GET", "/api/v1/tournaments/%d" % number)[2]

    def decide(what, game, **body):
        status, _, answer = server.rest("POST", "/api/v1/arbiter/games/%d/%s" % (game, what), {"reason": "for the test", **body}, ann)
        check("%s: %s" % (what, answer), status == 200)
        return answer

    def wins(game, side="first"):
        decide("forfeit", game, side={"first": "second", "second": "first"}[side])

    def live(number):
        return [p for p in show(number)["pairings"] if "points" not in p and "game" in p]

    def points(number):
        return {s["player"]: s["points"] for s in show(number)["standings"]}

    def again():
        server.kill()
        server.restart()

    ann, bob, cy = account("Ann"), account("Bob"), account("Cyd")
    server.manage("--arbiter", "Ann").check_returncode()
    owners = [ann, bob, cy] * 2
    names = ["Pro%d" % i for i in range(6)]
    tokens = [program(n, o) for n, o in zip(names, owners)]

    # one live game a player, unless its creator says otherwise; who is free plays on further down the schedule
    league = new(names[:5], kind="round-robin", games=2, per_player=1)
    played = 0
    while show(league)["state"] == "running":
        now = live(league)
        busy = [p[side] for p in now for side in ("first", "second")]
        check("one each: %s" % busy, len(busy) == len(set(busy)))
        check("as many as can be: %s" % busy, len(now) == 2 or played >= 6)
        wins(now[-1]["game"])
        played += 1
        if played == 7:
            again()
    check("all played: %d" % played, played == 20)
    check("the default", server.rest("POST", "/api/v1/tournaments", {"name": "Cup", "game": "surakarta", "kind": "knockout"}, ann)[2]["per_player"] == 1)

    # a correction counts in the standings and in the next draw, and after a restart
    swiss = new(names[:4], rounds=3)
    for p in live(swiss):
        wins(p["game"])
    # the second round is drawn: its pairings stay, the points change
    first_round, second_round = show(swiss)["pairings"][:2], show(swiss)["pairings"][2:]
    check("two rounds drawn", [p["round"] for p in first_round + second_round] == [1, 1, 2, 2])
    decide("correct", first_round[0]["game"], outcome="second wins")
    for _ in range(2):
        t = show(swiss)
        check("corrected", t["pairings"][0]["points"] == 0 and t["pairings"][0]["second_points"] == 1)
        check("the draw stays", [(p["first"], p["second"]) for p in t["pairings"][2:]] == [(p["first"], p["second"]) for p in second_round])
        check("the points: %s" % points(swiss), points(swiss)[first_round[0]["second"]] == 1 and points(swiss)[first_round[0]["first"]] == 0)
        again()
    # annulled: it is played again before the third round is drawn
    for p in live(swiss):
        decide("forfeit", p["game"], side="first")
        decide("correct", p["game"], outcome="ongoing") if p["number"] == 3 else None
    check("open again, and begun: %s" % show(swiss)["pairings"], [p["number"] for p in live(swiss)] == [3])
    again()
    wins(live(swiss)[0]["game"])
    check("the third round", len(live(swiss)) == 2 and show(swiss)["pairings"][2]["points"] == 1)
    again()
    for p in live(swiss):
        wins(p["game"])
    check("over", show(swiss)["state"] == "over" and sum(points(swiss).values()) == 6)
    last = show(swiss)["pairings"][-1]
    decide("correct", last["game"], outcome="ongoing")
    check("too late to play: nobody's point", sum(points(swiss).values()) == 5 and show(swiss)["state"] == "over")

    # a game voided during a pause is played again afterwards; other pauses stay
    league = new(names[:3], kind="round-robin", games=2)
    voided, paused = live(league)[0], live(league)[1]
    decide("pause", paused["game"])
    do(league, "pause")
    decide("void", voided["game"])
    check("open", "points" not in show(league)["pairings"][voided["number"] - 1] and "game" not in show(league)["pairings"][voided["number"] - 1])
    again()
    check("still paused and open", show(league)["state"] == "paused" and "game" not in show(league)["pairings"][voided["number"] - 1])
    do(league, "continue")
    check("begun again", show(league)["pairings"][voided["number"] - 1]["game"] != voided["game"])
    line = Lines(server.bot_port).guest()
    clocks = {}
    for p in live(league):
        line.say("watch game=%d" % p["game"])
        clocks[p["number"]] = line.hear("game")["clock"]
    check("only its own pause ended: %s" % clocks, clocks[paused["number"]] == "paused" and list(clocks.values()).count("paused") == 1)
    line.close()
    do(league, "call-off")

    # who withdraws is not drawn again; where both have, nobody has the point
    swiss = new(names, rounds=3)
    for p in live(swiss)[:2]:
        wins(p["game"])
    left = live(swiss)[0]
    check("gone", do(swiss, "withdraw", player=left["first"])[0] == 200)
    t = show(swiss)
    check("lost at once: %s" % t["pairings"], t["pairings"][left["number"] - 1]["points"] == 0)
    check("not drawn: %s" % t["pairings"], all(left["first"] not in (p["first"], p["second"]) for p in t["pairings"] if p["round"] == 2))
    check("a bye: %s" % t["standings"], sorted(s["byes"] for s in t["standings"]) == [0] * 5 + [1] and len(live(swiss)) == 2)
    again()
    do(swiss, "pause")
    for name in (live(swiss)[0]["first"], live(swiss)[0]["second"]):
        do(swiss, "withdraw", player=name) if name else None
    do(swiss, "continue")
    while live(swiss):
        wins(live(swiss)[0]["game"])
    again()
    t = show(swiss)
    check("over: %s" % t["pairings"], t["state"] == "over" and len(t["pairings"]) == 3 + 2 + 1)
    cup = new(names[:4], kind="round-robin", concurrency=1)
    do(cup, "pause")
    first = live(cup)[0]
    for name in set(names[:4]) - {first["first"], first["second"]}:
        do(cup, "withdraw", player=name)
    do(cup, "continue")
    wins(live(cup)[0]["game"])
    t = show(cup)
    nobody = [p for p in t["pairings"] if p["points"] == p["second_points"]]
    check("over: %s" % t["pairings"], t["state"] == "over" and len(t["pairings"]) == 6)
    check("both absent: 0-0", [(p["points"], p["second_points"]) for p in nobody] == [(0, 0)] and sum(points(cup).values()) == 5)

    # a ban is a withdrawal
    cup = new(names[:4], kind="knockout")
    status = server.rest("POST", "/api/v1/arbiter/players/%s/ban" % live(cup)[0]["first"], {"reason": "cheating"}, ann)[0]
    check("banned", status == 200 and [s["withdrawn"] for s in show(cup)["standings"]].count(True) == 1)
    do(cup, "call-off")
    for n in names:
        server.rest("POST", "/api/v1/arbiter/players/%s/pardon" % n, {"reason": "a test"}, ann)

    # and who is shut out before the start does not take part, nor do its programs
    def ban(name, what):
        check(what, server.rest("POST", "/api/v1/arbiter/players/%s/%s" % (name, what), {"reason": "a test"}, ann)[0] == 200)

    program("DeesOwn", account("Dee"))
    cup = server.rest("POST", "/api/v1/tournaments", {"name": "Cup", "game": "surakarta", "kind": "knockout", "tc": "60+1"}, ann)[2]["id"]
    for name in names[:2] + ["DeesOwn"]:
        check("entered", do(cup, "enter", player=name)[0] == 200)
    ban("Dee", "ban")
    check("two are left", sorted(do(cup, "start")[2]["players"]) == sorted(names[:2]))
    do(cup, "call-off")
    ban("Dee", "pardon")

    # who may play rated games
    def enter_rated(*players):
        t = server.rest("POST", "/api/v1/tournaments", {"name": "Rated", "game": "surakarta", "kind": "swiss", "tc": "60+1", "rated": True}, ann)[2]["id"]
        said = [do(t, "enter", player=p)[0] for p in players]
        do(t, "call-off")
        return said

    check("programs of one owner", enter_rated("Pro0", "Pro1", "Pro3") == [200, 200, 409])
    check("people and programs", enter_rated("Pro0", "Ann") == [200, 409] and enter_rated("Ann", "Bob", "Pro1") == [200, 200, 409])
    guest = Lines(server.bot_port).guest()

    def arbiters_game(first, second):
        return server.rest("POST", "/api/v1/arbiter/games", {"reason": "a test", "first": first, "second": second, "game": "surakarta", "tc": "60+1", "rated": True}, ann)

    check("not with a guest", arbiters_game("Bob", guest.name)[0] == 409)
    check("not with its own", arbiters_game("Pro1", "Pro4")[0] == 409)
    check("not with a program", arbiters_game("Bob", "Pro2")[0] == 409)
    guest.close()

    # ratings follow a correction
    def rating(name):
        own = server.rest("GET", "/api/v1/players/" + name)[2]["ratings"]
        return own[0]["rating"] if own else 1500

    def play_ten(game, first, second):
        """Ten plies: enough for a game to be rated."""
        both = [Lines(server.bot_port).login(tokens[i]) for i in (first, second)]
        for ply in range(10):
            who = both[ply % 2]
            while (turn := who.hear("turn"))["game"] != str(game) or turn["ply"] != str(ply):
                pass
            who.say("move game=%d ply=%d move=%s" % (game, ply, who.legal(game)[0]))
            who.hear("moved")
        [who.close() for who in both]

    status, _, game = arbiters_game("Pro0", "Pro1")
    check("rated", status == 200)
    play_ten(game["id"], 0, 1)
    wins(game["id"])
    won, lost = rating("Pro0"), rating("Pro1")
    check("points pass", won > 1500 > lost)
    other = arbiters_game("Pro0", "Pro2")[2]
    play_ten(other["id"], 0, 2)
    wins(other["id"])
    after = rating("Pro0")
    decide("correct", game["id"], outcome="second wins")
    check("mirrored: %s" % rating("Pro1"), abs(rating("Pro1") - won) < 0.01)
    check("and carried along: %s" % rating("Pro0"), abs(rating("Pro0") - (after + lost - won)) < 0.01)
    decide("correct", game["id"], outcome="ongoing")
    check("annulled", abs(rating("Pro1") - 1500) < 0.01 and server.rest("GET", "/api/v1/players/Pro1")[2]["ratings"][0]["games"] == 0)
    decide("correct", game["id"], outcome="first wins")
    check("as it was", abs(rating("Pro0") - after) < 0.01 and abs(rating("Pro1") - lost) < 0.01)

    # openings, a test between two, and its follower
    for bad in ("random:x", "no position", ["a", "b"]):
        status, _, answer = server.rest("POST", "/api/v1/tournaments", {"name": "Bad", "game": "xiangqi", "kind": "round-robin", "tc": "60+1", "openings": bad}, ann)
        check("%s: %s" % (bad, answer), status == 400 and answer["words"].startswith("openings: "))
    for bad in ("elo0=5,elo1=0", "elo0", "alpha=1", "elo1=inf", "elo1=nan"):
        status, _, answer = server.rest("POST", "/api/v1/tournaments", {"name": "Bad", "game": "xiangqi", "kind": "round-robin", "tc": "60+1", "sprt": bad}, ann)
        check("%s: %s" % (bad, answer), status == 400 and answer["words"].startswith("sprt: "))
    start = server.rest("GET", "/api/v1/position/xiangqi")[2]["fen"]
    other = server.rest("GET", "/api/v1/position/xiangqi?moves=h2e2")[2]["fen"]
    listed = new(names[:2], game="xiangqi", kind="round-robin", games=6, openings=[start, other])
    fens = [server.rest("GET", "/api/v1/games/%d" % p["game"])[2].get("fen", start) for p in live(listed)]
    check("in order, each twice: %s" % fens, fens == [start, start, other, other, start, start])
    do(listed, "call-off")

    match = new(names[:2], kind="round-robin", games=200, concurrency=2, openings="random:7", sprt="elo0=0,elo1=200")
    check("two at most", show(match)["openings"] == "random:7")
    pushed = Socket(server.port)
    pushed.say("follow", tournament=match)
    pushed.say("follow", tournament=99)
    check("no such", pushed.hear("error")["code"] == "tournament")
    fens = [server.rest("GET", "/api/v1/games/%d" % p["game"])[2]["fen"] for p in live(match)]
    check("a pair from one opening: %s" % fens, len(fens) == 2 and fens[0] == fens[1])
    number = live(match)[0]
    wins(number["game"], "first" if number["first"] == "Pro0" else "second")
    m = pushed.hear("pairing")
    check("pushed: %s" % m, m["tournament"] == match and m["game"] == number["game"] and m["result"] in ("1-0", "0-1"))
    m = pushed.hear("standings")
    check("standings: %s" % m, m["players"] == ["Pro0", "Pro1"] and m["points"] == ["1", "0"])
    rounds = 1
    while live(match):
        if rounds == 5:
            again()
        p = live(match)[0]
        wins(p["game"], "first" if p["first"] == "Pro0" else "second")
        rounds += 1
    t = show(match)["match"]
    check("decided: %s" % t, show(match)["state"] == "over" and t["verdict"] == "H1 accepted" and t["llr"] >= t["upper"])
    check("the score: %s" % t, t["wins"] == rounds and t["pairs"] == [0, 0, 0, 0, rounds // 2] and rounds < 100)
    check("beyond measure", t["elo"] is None and t["error"] is None and t["los"] > 0.99)

    # more tournaments at once than anybody will run: all are taken up, all are looked after
    template = new(names[:2], kind="round-robin")
    server.kill()
    with server.database() as db:
        columns = ("name, game, rules, control, kind, rounds, games, seed, rated, concurrency, state, owner, created, started, ended,"
                   " openings, sprt, verdict, per_player, delay")
        last = db.execute("SELECT max(id) FROM tournaments").fetchone()[0]
        copies = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) "
        db.execute(copies + "INSERT INTO tournaments(id, %s) SELECT ? + i, %s FROM tournaments, n WHERE id = ?" % (columns, columns), (last, template))
        db.execute(copies + "INSERT INTO entrants SELECT ? + i, number, player, withdrawn FROM entrants, n WHERE tournament = ?", (last, template))
    db.close()
    server.restart()
    check("as many as two may play", server.rest("GET", "/api/v1/health")[2]["live_games"] == 256)
    line = Lines(server.bot_port).login(tokens[0])
    line.say("ping n=1")
    seen = []
    while (m := line.hear("game", "pong")).verb != "pong":
        seen.append(m["id"])
    for game in seen:
        line.say("resign game=" + game)
    end = time.monotonic() + PATIENCE
    while any(t["state"] != "over" for t in server.rest("GET", "/api/v1/tournaments?limit=200")[2]["tournaments"][:100]):
        check("all of them", time.monotonic() < end)
        m = line.hear("game", "pong", "result", "turn")
        if m.verb == "game":
            line.say("resign game=" + m["id"])

# who leaves a long tournament leaves many games lost: nobody else waits for that
with Server("--bots", "0") as server:
    ann = server.rest("POST", "/api/v1/register", {"name": "Ann", "password": "long enough"})[1]["Set-Cookie"].split(";")[0]
    _, _, t = server.rest("POST", "/api/v1/tournaments", {"name": "Long", "game": "surakarta", "kind": "round-robin", "games": 2500, "tc": "600+1", "per_player": 0}, ann)
    path = "/api/v1/tournaments/%d" % t["id"]
    for name in ("Stays", "Leaves"):
        server.rest("POST", "/api/v1/tokens", {"program": name}, ann)
        server.rest("POST", path + "/enter", {"player": name}, ann)
    check("started", server.rest("POST", path + "/start", {}, ann)[0] == 200)
    check("some at a time", server.rest("POST", path + "/withdraw", {"player": "Leaves"}, ann)[2]["played"] <= 1300)
    server.kill()  # in the midst of it
    server.restart()
    end = time.monotonic() + PATIENCE
    while (shown := server.rest("GET", path)[2])["state"] != "over":
        check("all in the end: %d" % shown["played"], time.monotonic() < end)
        time.sleep(0.1)
    check("played %d" % shown["played"], shown["played"] == len(shown["pairings"]) == 2500)
    check("lost %s" % shown["standings"], [(s["player"], s["points"]) for s in shown["standings"]] == [("Stays", 2500), ("Leaves", 0)])

# --- a tournament of many games is called off over many turns, and a kill in between does not leave any behind
with Server("--bots", "0") as server:
    answer = server.rest("POST", "/api/v1/register", {"name": "Anna", "password": "long enough 1"})
    cookie = answer[1]["Set-Cookie"].split(";")[0]
    number = server.rest("POST", "/api/v1/tournaments", {"name": "large", "kind": "round-robin", "game": "surakarta", "per_player": 0,
                                                         "tc": "600+1", "games": 1}, cookie)[2]["id"]
    for i in range(40):
        guest = Lines(server.bot_port).guest()
        guest.say("enter tournament=%d" % number)
        guest.hear("entered")
        guest.close()
    live = lambda: server.rest("GET", "/api/v1/health")[2]["live_games"]

    def act(what, games):
        check(what, server.rest("POST", "/api/v1/tournaments/%d/%s" % (number, what), None, cookie)[0] == 200)
        until = time.monotonic() + PATIENCE
        while games is not None and live() != games:
            check("%s: %d games" % (what, live()), time.monotonic() < until)
            time.sleep(0.02)

    act("start", 780)
    act("pause", None)
    server.kill()
    server.restart()
    check("paused", server.rest("GET", "/api/v1/tournaments/%d" % number)[2]["state"] == "paused")
    until = time.monotonic() + PATIENCE
    check("still there", live() == 780)
    act("call-off", None)
    server.kill()
    server.restart()
    while live():
        check("called off: %d games" % live(), time.monotonic() < until)
        time.sleep(0.02)
    check("called off", server.rest("GET", "/api/v1/tournaments/%d" % number)[2]["state"] == "called off")
