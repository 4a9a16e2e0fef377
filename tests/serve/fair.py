"""Nobody gains what is not theirs: ratings out of games that were none, somebody else's account, a password that is known."""
from kit import *
import threading


def account(server, name, password="correct horse 7", address=None):
    headers = {"X-Forwarded-For": address} if address else None
    answer = server.rest("POST", "/api/v1/register", {"name": name, "password": password}, headers=headers)
    check("%s registers: %s" % (name, answer[2]), answer[0] == 200)
    return answer[1]["Set-Cookie"].split(";")[0]


with Server("--bots", "0", "--trusted-proxy", "127.0.0.1") as server:
    pages = {}
    for name in ("Ann", "Bob"):
        pages[name] = Socket(server.port, account(server, name))
        pages[name].hear("welcome")
    ann, bob = pages["Ann"], pages["Bob"]

    def begin(rated=True):
        ann.say("seek", game="surakarta", tc="60+1", rated=rated, side="first")
        ann.hear("seeking")
        bob.say("seek", game="surakarta", tc="60+1", rated=rated, side="second")
        return ann.hear("game")["id"]

    def play(game, plies):
        for ply in range(plies):
            who = (ann, bob)[ply % 2]
            who.hear("turn")
            who.say("legal", game=game)
            who.say("move", game=game, ply=ply, move=who.hear("legal")["moves"][ply % 3])

    def lose(game, who):
        who.say("resign", game=game)
        return ann.hear("result"), bob.hear("result")

    def rating(name):
        own = server.rest("GET", "/api/v1/players/" + name)[2]["ratings"]
        return own[0]["rating"] if own else None

    # games that were hardly begun bring nothing
    for plies in (0, 1, 9):
        game = begin()
        play(game, plies)
        lose(game, bob)
    check("not rated: %s" % rating("Ann"), rating("Ann") is None and rating("Bob") is None)

    # one more win over the same opponent brings less than the last
    gains, last = [], 1500
    for i in range(7):
        game = begin()
        play(game, 10)
        lose(game, bob)
        gains.append(rating("Ann") - last)
        last = rating("Ann")
    check("less and less: %s" % gains, all(a > b for a, b in zip(gains, gains[1:])) and gains[6] < gains[2] / 3)
    before = rating("Ann")
    account(server, "Vera")
    server.manage("--arbiter", "Vera").check_returncode()
    cookie = server.rest("POST", "/api/v1/login", {"name": "Vera", "password": "correct horse 7"})[1]["Set-Cookie"].split(";")[0]
    for outcome in ("draw", "first wins"):
        answer = server.rest("POST", "/api/v1/arbiter/games/%d/correct" % game, {"reason": "a test", "outcome": outcome}, cookie)
        check("corrected: %s" % (answer[2],), answer[0] == 200)
    check("a correction takes back what was given: %f, %f" % (before, rating("Ann")), abs(before - rating("Ann")) < 0.01)

    # a game nobody has begun can be called off by either, not later
    game = begin()
    play(game, 1)
    ann.say("abort", game=game)
    result = ann.hear("result")
    check("aborted: %s" % result, result["outcome"] == "ongoing" and result["reason"] == "aborted" and "Ann" in result["words"])
    bob.hear("result")
    game = begin()
    play(game, 2)
    bob.say("abort", game=game)
    check("too late", bob.hear("error")["code"] == "abort")
    lose(game, ann)
    bob.say("abort", game=game)
    check("over", bob.hear("error")["code"] == "game")

    # who guesses is locked out, not whose name it is
    def log_in(name, password, address):
        return server.rest("POST", "/api/v1/login", {"name": name, "password": password}, headers={"X-Forwarded-For": address})[0]

    def guess(statuses):
        """Many at once: one more is free every 5 s, and on a slow machine each takes longer than that."""
        threads = [threading.Thread(target=lambda i=i: statuses.append(log_in("Bob", "wrong guess %d" % i, "198.51.100.66"))) for i in range(45)]
        [t.start() for t in threads]
        return threads

    until, took = time.monotonic() + PATIENCE, 5
    while took >= 5:
        statuses, began = [], time.monotonic()
        threads = guess(statuses)
        while 429 not in statuses:
            check("the guesser is locked out: %s" % statuses, any(t.is_alive() for t in threads) and time.monotonic() < until)
            time.sleep(0.01)
            began = time.monotonic()
        right = log_in("bob", "correct horse 7", "198.51.100.66")
        took = time.monotonic() - began
        [t.join() for t in threads]
    check("even with the right one", right == 429)
    check("others of that address are not", log_in("Ann", "correct horse 7", "198.51.100.66") == 200)
    check("nor is Bob", log_in("Bob", "correct horse 7", "203.0.113.5") == 200)

    # passwords everybody tries first
    for bad in ("password", "Passw0rd", "12345678", "qwertyuiop", "iloveyou", "aaaaaaaaaa", "abababababab", "Carolina", "carolina1",
                "xiangqi123", "woaini1314"):
        answer = server.rest("POST", "/api/v1/register", {"name": "Carolina", "password": bad})
        check("%s: %s" % (bad, answer[2]), answer[0] == 403 and answer[2]["error"] == "password")
    account(server, "Carolina", "correct horse 8")
