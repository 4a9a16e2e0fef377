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
    a.hear("turn")  # both moves are stored
    server.kill()
    server.restart()
    a = Lines(server.bot_port).login(a.welcome["token"])
    check("the other is away", a.hear("away")["side"] == "second")
    while (m := claim(a, game, "win")).verb == "error":
        time.sleep(0.2)
    check("claimed", m["reason"] == "abandoned")


def account(server, name):
    status, headers, me = server.rest("POST", "/api/v1/register", {"name": name, "password": "correct horse 7"})
    check("registered: %s" % me, status == 200)
    return headers["Set-Cookie"].split(";")[0], me["recovery"]


with Server("--bots", "0") as server:
    (ann, code), (bob, _), (eve, _) = account(server, "Ann"), account(server, "Bob"), account(server, "Eve")
    check("a code", re.fullmatch("([A-Z2-9]{5}-){3}[A-Z2-9]{5}", code))
    a, b = Socket(server.port, ann), Socket(server.port, bob)

    # words between the two, off until both want them
    a.say("challenge", to="Bob", game="surakarta", tc="600", side="first")
    b.say("accept", id=b.hear("challenge")["id"])
    game = a.hear("game")["id"]
    watcher = Socket(server.port, eve)
    watcher.say("watch", game=game)
    watcher.hear("game")

    def refused(who, **fields):
        who.say("chat", game=game, **fields)
        return who.hear("error")["code"]

    check("off by default", refused(a, words="hello") == "chat")
    a.say("chat", game=game, on=True)
    check("told", b.hear("chat")["by"] == "first")
    check("the other has not agreed", refused(a, words="hello") == "chat")
    b.say("chat", game=game, on=True)
    a.hear("chat")
    a.say("chat", game=game, words="祝你好运 <b>&\"")
    said = b.hear("said")
    check("said: %s" % said, said["words"] == "祝你好运 <b>&\"" and said["by"] == "first" and a.hear("said") == said)
    check("no spectator talks", refused(watcher, words="I know") == "game")
    for words in ("", "x" * 201, "two\nlines"):
        check("not sayable: %r" % words, refused(a, words=words) in ("field", "syntax"))
    codes = []
    for i in range(30):
        a.say("chat", game=game, words="again")
    for i in range(30):
        codes.append(a.hear("said", "error").get("code"))
    check("not so fast: %s" % codes, "limit" in codes)
    b.say("chat", game=game, on=False)
    while a.hear("chat")["on"]:
        pass
    check("off again", refused(a, words="hello") == "chat")
    b.say("chat", game=game, on=True)
    b.say("resume", game=game)
    b.hear("game")
    check("known after coming back", {b.hear("chat")["by"], b.hear("chat")["by"]} == {"first", "second"})
    # offers are refused, and who made them is told
    a.say("refuse", game=game)
    check("nothing to refuse", a.hear("error")["code"] == "offer")
    for verb in ("draw", "draw", "takeback"):
        if verb == "takeback":
            a.say("move", game=game, ply=0, move="b5-b4")
            b.hear("turn")
        a.say(verb, game=game)
        b.hear("offer")
        b.say("refuse", game=game)
        told = a.hear("refused")
        check("refused: %s" % told, told["kind"] == verb and told["by"] == "second")
    b.say("draw", game=game)
    check("an offer of its own, no agreement", a.hear("offer", "result").verb == "offer")
    a.say("refuse", game=game)
    b.hear("refused")
    check("the game goes on", server.rest("GET", "/api/v1/games/%d" % game)[2]["outcome"] == "ongoing")
    # who is here
    status, _, here = server.rest("GET", "/api/v1/players")
    check("here: %s" % here, sorted(p["name"] for p in here["here"]) == ["Ann", "Bob", "Eve"] and here["guests"] == 0
          and {p["name"]: p["playing"] for p in here["here"]} == {"Ann": 1, "Bob": 1, "Eve": 0})
    # mute: neither words nor challenges
    b.say("mute", player="Ann")
    check("muted", b.hear("muted")["on"] is True)
    check("not heard", refused(a, words="hello") == "chat")
    a.say("challenge", to="Bob", game="surakarta", tc="600")
    check("declined", a.hear("gone")["reason"] == "declined")
    check("listed", server.rest("GET", "/api/v1/mutes", cookie=bob)[2]["muted"] == ["Ann"])
    b.say("mute", player="Nobody")
    check("nobody", b.hear("error")["code"] == "player")
    b.say("mute", player="ann", on=False)
    check("no longer", b.hear("muted")["on"] is False and server.rest("GET", "/api/v1/mutes", cookie=bob)[2]["muted"] == [])
    watcher.say("ping", n="all")
    while (m := watcher.hear()).verb != "pong":
        check("spectators hear nothing of it: %s" % m, m.verb not in ("said", "chat"))

    # reports go to arbiters, who may ban
    report = {"player": "Bob", "game": game, "words": "he left three games"}
    for i in range(10):
        check("reported", server.rest("POST", "/api/v1/reports", report, ann)[0] == 201)
    check("ten a day", server.rest("POST", "/api/v1/reports", report, ann)[0] == 429)
    check("says nothing", server.rest("POST", "/api/v1/reports", {"player": "Bob", "words": ""}, eve)[0] == 400)
    check("nobody", server.rest("POST", "/api/v1/reports", {"player": "Nil", "words": "who?"}, eve)[0] == 404)
    check("not for all", server.rest("GET", "/api/v1/arbiter/reports", cookie=ann)[0] == 403)
    watcher.close()
    server.manage("--arbiter", "Eve").check_returncode()
    until = time.monotonic() + PATIENCE
    while server.rest("GET", "/api/v1/arbiter/reports", cookie=eve)[0] != 200:  # its page is closed, and it is read anew
        check("an arbiter", time.monotonic() < until)
    reports = server.rest("GET", "/api/v1/arbiter/reports?limit=1", cookie=eve)[2]["reports"]
    check("read: %s" % reports, reports[0]["player"] == "Bob" and reports[0]["by"] == "Ann" and reports[0]["game"] == game)
    check("banned", server.rest("POST", "/api/v1/arbiter/players/Bob/ban", {"reason": "reported"}, eve)[0] == 200)
    check("out", b.hear("bye")["reason"] == "banned" and a.hear("result")["reason"] == "arbiter's decision")

    # everything the server knows of oneself
    status, headers, data = server.rest("GET", "/api/v1/me/data", cookie=ann)
    check("a file", status == 200 and "attachment" in headers["Content-Disposition"])
    check("all of it: %s" % data, data["name"] == "Ann" and data["games"][0]["id"] == game and len(data["reports"]) == 10 and data["sessions"])
    check("nothing secret", "argon2" not in json.dumps(data) and code not in json.dumps(data))

    # a forgotten password
    def recover(name, code, password="another horse 8"):
        return server.rest("POST", "/api/v1/recover", {"name": name, "code": code, "password": password})

    check("wrong", recover("Ann", "AAAAA-" * 3 + "AAAAA")[0] == 403 and recover("Eve", code)[0] == 403 and recover("Nil", code)[0] == 403)
    check("a poor password", recover("Ann", code, "password1")[2]["error"] == "password")
    status, headers, me = recover("ann", code.lower().replace("-", " "))
    check("in again: %s" % me, status == 200 and me["name"] == "Ann" and me["recovery"] != code)
    check("others are out", server.rest("GET", "/api/v1/me", cookie=ann)[0] == 401)
    check("the new password", server.rest("POST", "/api/v1/login", {"name": "Ann", "password": "another horse 8"})[0] == 200)
    check("a code works once", recover("Ann", code)[0] == 403)
    fresh = headers["Set-Cookie"].split(";")[0]
    another = server.rest("POST", "/api/v1/recovery", {"password": "another horse 8"}, fresh)[2]["recovery"]
    check("another code", another != me["recovery"] and recover("Ann", me["recovery"])[0] == 403 and recover("Ann", another)[0] == 200)
    check("with the password only", server.rest("POST", "/api/v1/recovery", {"password": "wrong"}, eve)[0] == 403)

# a tournament that is broadcast with a delay: spectators see moves later, players at once
with Server("--bots", "0", "--grace", "1") as server:
    (ann, _), (bob, _) = account(server, "Ann"), account(server, "Bob")
    path = "/api/v1/tournaments/%d" % server.rest("POST", "/api/v1/tournaments", {
        "name": "Cup", "kind": "round-robin", "game": "surakarta", "tc": "600", "games": 1, "delay": 3600}, ann)[2]["id"]
    check("entered", [server.rest("POST", path + "/enter", {}, c)[0] for c in (ann, bob)] == [200, 200])
    players = [Socket(server.port, c) for c in (ann, bob)]
    check("started", server.rest("POST", path + "/start", None, ann)[0] == 200)
    begun = players[0].hear("game")
    game = begun["id"]
    if begun["you"] == "second":
        players.reverse()
    watcher = Lines(server.bot_port)

    def seen():
        watcher.say("watch game=%d" % game)
        return [m for m in watcher.hear("game")["moves"].split(",") if m]

    check("nothing yet", seen() == [])
    players[0].hear("turn")
    players[0].say("move", game=game, move="b5-b4")
    check("the other player sees it", players[1].hear("turn")["move"] == "b5-b4")
    watcher.say("ping n=1")
    check("a spectator does not", watcher.hear("moved", "pong").verb == "pong" and seen() == [])
    watcher.say("legal game=%d" % game)
    check("not by other ways", watcher.hear("error", "legal").verb == "error")
    check("nor over HTTP", server.rest("GET", "/api/v1/games/%d" % game)[2]["moves"] == [] and server.rest("GET", "/api/v1/games/%d/moves" % game)[2]["moves"] == [])
    live = server.rest("GET", "/api/v1/games/live")[2]["games"][0]
    check("nor when", live["idle"] == 0)
    check("nor in the list: %s" % live, live["plies"] == 0 and live["position"] == server.rest("GET", "/api/v1/position/surakarta")[2]["fen"])
    server.kill()
    db = server.database()
    with db:
        db.execute("UPDATE tournaments SET delay = 1")
    db.close()
    server.restart()
    watcher = Lines(server.bot_port)
    until = time.monotonic() + PATIENCE
    while seen() != ["b5-b4"]:
        check("seen at last", time.monotonic() < until)
        time.sleep(0.1)
    players = [Socket(server.port, c) for c in (ann, bob)]
    page = players[1] if begun["you"] == "first" or players[0].hear("game")["you"] == "first" else players[0]
    page.say("resign", game=game)
    check("the end at once", watcher.hear("result")["reason"] == "resignation")
