"""Accounts, tokens, the WebSocket, and what strangers may not do."""
from kit import *

with Server() as server:
    def cookie_of(headers):
        return headers["Set-Cookie"].split(";")[0]

    status, headers, me = server.rest("POST", "/api/v1/register", {"name": "Ada", "password": "correct horse"})
    check("registered", status == 200 and me["name"] == "Ada" and "HttpOnly" in headers["Set-Cookie"])
    ada = cookie_of(headers)
    check("taken", server.rest("POST", "/api/v1/register", {"name": "ADA", "password": "correct horse"})[0] == 409)
    check("bad name", server.rest("POST", "/api/v1/register", {"name": "a b", "password": "correct horse"})[0] == 409)
    check("short", server.rest("POST", "/api/v1/register", {"name": "Bob", "password": "short"})[0] == 403)
    check("wrong password", server.rest("POST", "/api/v1/login", {"name": "Ada", "password": "wrong horse"})[0] == 403)
    check("nobody", server.rest("POST", "/api/v1/login", {"name": "Eve", "password": "wrong horse"})[0] == 403)
    check("logged in", server.rest("POST", "/api/v1/login", {"name": "ada", "password": "correct horse"})[0] == 200)
    check("me", server.rest("GET", "/api/v1/me", cookie=ada)[2]["name"] == "Ada")
    check("not me", server.rest("GET", "/api/v1/me")[0] == 401)

    # a program's token, used and revoked
    status, _, made = server.rest("POST", "/api/v1/tokens", {"program": "AdaBot"}, cookie=ada)
    check("token", status == 201 and made["token"].startswith("krt_"))
    bot = Lines(server.bot_port).login(made["token"])
    check("a program", bot.welcome["kind"] == "program" and bot.name == "AdaBot")
    check("listed", server.rest("GET", "/api/v1/tokens", cookie=ada)[2]["programs"][0]["tokens"] == 1)
    check("revoked", server.rest("DELETE", "/api/v1/tokens/AdaBot", cookie=ada)[2]["revoked"] == 1)
    check("thrown out", bot.hear("bye")["reason"] == "revoked")
    check("no longer", Lines(server.bot_port).login(made["token"]).welcome["code"] == "token")

    # an illegal move of a program loses
    made = server.rest("POST", "/api/v1/tokens", {"program": "AdaBot"}, cookie=ada)[2]
    bot = Lines(server.bot_port).login(made["token"])
    page = Socket(server.port, ada)
    check("the page is logged in", page.hear("welcome")["name"] == "Ada")
    page.say("challenge", to="AdaBot", game="xiangqi", side="second", tc="60+0")
    offer = bot.hear("challenge")
    bot.say("accept id=%s" % offer["id"])
    number = page.hear("game")["id"]
    bot.hear("turn")
    watcher = Socket(server.port)
    watcher.say("watch", game=number)
    check("watching", watcher.hear("game")["you"] == "none")
    bot.say("move game=%s move=h2e2 score=31 depth=5" % number)
    check("spectators see scores", watcher.hear("moved")["score"] == 31)
    moved = page.hear("moved")
    check("opponents do not", moved["move"] == "h2e2" and "score" not in moved)
    page.say("move", game=number, ply=1, move="h9g7")
    bot.hear("turn")
    bot.say("move game=%s move=e2e9" % number)
    result = watcher.hear("result")
    check("illegal", result["reason"] == "illegal move" and "e2e9" in result["words"])

    # rated: between people or between programs, not of one owner
    page.say("challenge", to="AdaBot", game="xiangqi", rated=True)
    check("people and programs apart", "between people" in page.hear("error")["words"])
    two = server.rest("POST", "/api/v1/register", {"name": "Cleo", "password": "correct horse"})
    other = server.rest("POST", "/api/v1/tokens", {"program": "CleoBot"}, cookie=cookie_of(two[1]))[2]
    cleo = Lines(server.bot_port).login(other["token"])
    bot.say("seek game=surakarta tc=60+0 rated=yes side=first")
    bot.hear("seeking")
    cleo.say("seek game=surakarta tc=60+0 rated=yes")
    number = cleo.hear("game")["id"]
    play_out(bot, cleo, number, most=10)  # fewer are not rated
    bot.hear("turn")
    bot.say("resign game=%s" % number)
    cleo.hear("result")
    table = server.rest("GET", "/api/v1/ratings/surakarta?kind=program")[2]["ratings"]
    check("the list: %s" % table, [r["player"] for r in table] == ["CleoBot", "AdaBot"] and table[0]["rating"] + table[1]["rating"] == 3000)
    check("the history", len(server.rest("GET", "/api/v1/players/adabot/ratings/surakarta")[2]["history"]) == 1)
    check("nobody else's", server.rest("GET", "/api/v1/ratings/surakarta")[2]["ratings"] == [])

    # sockets of other sites, tokens in no log, headers
    check("another site", Socket(server.port, ada, origin="http://evil.example").status == 403)
    check("this site", Socket(server.port, ada, origin="http://127.0.0.1:%d" % server.port).status == 101)
    check("a foreign form", server.rest("POST", "/api/v1/logout", {}, ada, {"Origin": "http://evil.example"})[0] == 403)
    _, headers, _ = server.rest("GET", "/api/v1/health")
    check("headers", headers["X-Content-Type-Options"] == "nosniff" and "frame-ancestors" in headers["Content-Security-Policy"] and
          "'unsafe" not in headers["Content-Security-Policy"])
    log = open(server.folder + "/stderr").read()
    check("secrets in the log", "krt_" not in log and "horse" not in log)
    data = server.stored()
    check("secrets in the file", made["token"].encode() not in data and b"correct horse" not in data)

    # logging out ends that browser's connections, no others
    second = cookie_of(server.rest("POST", "/api/v1/login", {"name": "Ada", "password": "correct horse"})[1])
    one, two = Socket(server.port, ada), Socket(server.port, second)
    one.hear("welcome"), two.hear("welcome")
    check("out", server.rest("POST", "/api/v1/logout", {}, second)[0] == 200)
    check("that one", two.hear("bye")["reason"] == "logout")
    one.say("ping", n=1)
    check("not the other", one.hear("pong", "bye").verb == "pong")

    # so many tokens, browsers and tries
    for i in range(7):
        check("another token", server.rest("POST", "/api/v1/tokens", {"program": "AdaBot"}, ada)[0] == 201)
    check("too many", server.rest("POST", "/api/v1/tokens", {"program": "AdaBot"}, ada)[0] == 409)
    tries = [server.rest("POST", "/api/v1/register", {"name": "Eve", "password": "short"})[0] for _ in range(33)]
    check("guessing ends: %s" % tries, tries[-1] == 429 and tries[0] == 403)
    check("for that name", server.rest("POST", "/api/v1/login", {"name": "Cleo", "password": "correct horse"})[0] == 200)

    # password change and the end of the account
    status, headers, _ = server.rest("POST", "/api/v1/password", {"old": "correct horse", "new": "battery staple"}, ada)
    check("changed", status == 200)
    check("and their connections", one.hear("bye")["reason"] == "password")
    check("other browsers are out", server.rest("GET", "/api/v1/me", cookie=ada)[0] == 401)
    ada = cookie_of(headers)
    check("not with the old one", server.rest("DELETE", "/api/v1/me", {"password": "correct horse"}, ada)[0] == 403)
    bot.say("ping")
    check("its program stays", bot.hear("pong", "bye").verb == "pong")
    check("closed", server.rest("DELETE", "/api/v1/me", {"password": "battery staple"}, ada)[0] == 200)
    check("its program goes with it", bot.hear("bye")["reason"] == "closed")
    check("gone", server.rest("POST", "/api/v1/login", {"name": "Ada", "password": "battery staple"})[0] == 403)
    check("its bot too", Lines(server.bot_port).login(made["token"]).welcome["code"] == "token")
