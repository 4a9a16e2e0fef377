"""A guest who registers becomes the account: same player, same games, live ones too, same connections."""
from kit import *


def cookie_of(headers):
    return headers["Set-Cookie"].split(";")[0]


def register(server, name, cookie=None, headers=None):
    return server.rest("POST", "/api/v1/register", {"name": name, "password": "correct horse"}, cookie, headers)


def register_at_once(server, names, cookie):
    """The answers to requests that all wait before the first is read."""
    server.process.send_signal(signal.SIGSTOP)
    lines = [http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE) for _ in names]
    for line, name in zip(lines, names):
        line.request("POST", "/api/v1/register", json.dumps({"name": name, "password": "correct horse"}), {"Cookie": cookie})
    server.process.send_signal(signal.SIGCONT)
    answers = [line.getresponse() for line in lines]
    return [(answer.status, answer.headers, json.loads(answer.read())) for answer in answers]


with Server("--bots", "0") as server:
    status, headers, guest = server.rest("POST", "/api/v1/guest")
    old = cookie_of(headers)
    page, other = Socket(server.port, old), Lines(server.bot_port).guest()
    page.hear("welcome")

    def begin():
        page.say("seek", game="surakarta", tc="60+1", side="first")
        page.hear("seeking")
        other.say("seek game=surakarta tc=60+1 side=second")
        other.hear("game")
        return page.hear("turn")["game"]

    # a finished game, a live one, an open seek
    finished = begin()
    page.say("move", game=finished, ply=0, move="b5-b4")
    other.hear("turn")
    other.say("resign game=%d" % finished)
    page.hear("result")
    live = begin()
    watcher, lobby = Socket(server.port), Socket(server.port)
    watcher.say("watch", game=live)
    watcher.hear("game")
    lobby.say("lobby", on=True)
    page.say("seek", game="xiangqi", tc="300+3")
    seek = lobby.hear("seek")
    check("by the guest", seek["from"] == guest["name"])
    page.say("challenge", to=other.welcome["name"], game="xiangqi", tc="300+3")
    challenge = other.hear("challenge")
    check("a challenge by the guest", challenge["from"] == guest["name"])

    # refused: the guest stays what it was
    check("somebody", register(server, "Taken")[0] == 200)
    status, _, answer = register(server, "TAKEN", old)
    check("the name is taken", status == 409 and answer["error"] == "name")
    check("short", server.rest("POST", "/api/v1/register", {"name": "Ada", "password": "short"}, old)[0] == 403)
    check("still the guest", server.rest("GET", "/api/v1/me", cookie=old)[2] == guest)

    # it becomes the account, in the middle of a game
    status, headers, me = register(server, "Ada", old)
    ada = cookie_of(headers)
    check("a code to recover it by", me.pop("recovery"))
    check("the same player: %s" % me, status == 200 and (me["id"], me["name"], me["kind"]) == (guest["id"], "Ada", "person"))
    news = page.hear("renamed")
    check("its page hears of it: %s" % news, news == {"id": guest["id"], "name": "Ada", "kind": "person"})
    for told in (page, other, watcher):
        news = told.hear("renamed")
        check("at the board: %s" % news, int(news["game"]) == live and news["side"] == "first" and news["name"] == "Ada")
    news = lobby.hear("seek", "gone")
    check("its seek stands under the new name: %s" % news, news.verb == "seek" and news["id"] == seek["id"] and news["from"] == "Ada")
    news = other.hear("challenge", "gone")
    check("its challenge too: %s" % news, news == {**challenge, "from": "Ada"} and news.verb == "challenge")
    check("the guest's cookie is no longer good", server.rest("GET", "/api/v1/me", cookie=old)[0] == 401)
    check("the new one is", server.rest("GET", "/api/v1/me", cookie=ada)[2] == me)
    check("nobody has the guest's name", server.rest("GET", "/api/v1/players/" + guest["name"])[0] == 404)
    page.say("move", game=live, ply=0, move="b5-b4")
    check("the game goes on, on the same connection", page.hear("moved", "error").verb == "moved")
    other.hear("turn")
    other.say("resume game=%d" % live)
    check("under the new name", other.hear("game")["first_name"] == "Ada")
    games = server.rest("GET", "/api/v1/games?player=Ada")[2]["games"]
    check("the finished game is its own: %s" % games, [g["id"] for g in games] == [finished] and games[0]["first_name"] == "Ada")
    check("in the record", b'"Ada"' in server.rest("GET", "/api/v1/games/%d/record" % finished)[2])

    # once is enough
    status, _, answer = register(server, "Ada2", ada)
    check("who has an account logs out first", status == 409 and answer["error"] == "registered")

    # over a restart
    page.close()
    server.kill()
    server.restart()
    other = Lines(server.bot_port).login(other.welcome["token"])
    other.hear("game")
    page = Socket(server.port, ada)
    check("kept", page.hear("welcome")["name"] == "Ada" and page.hear("game")["id"] == live)
    check("by its password", server.rest("POST", "/api/v1/login", {"name": "Ada", "password": "correct horse"})[2]["id"] == guest["id"])
    check("out", server.rest("POST", "/api/v1/logout", {}, ada)[0] == 200)
    check("the connection goes with the cookie", page.hear("bye")["reason"] == "logout")

    # a connection opened as the guest is the account's: logging out ends it
    status, headers, guest = server.rest("POST", "/api/v1/guest")
    page = Socket(server.port, cookie_of(headers))
    page.hear("welcome")
    bea = cookie_of(register(server, "Bea", cookie_of(headers))[1])
    page.hear("renamed")
    check("out", server.rest("POST", "/api/v1/logout", {}, bea)[0] == 200)
    check("it goes", page.hear("bye")["reason"] == "logout")

    # two tabs at once: one account, whatever they ask for
    for names in (("Cleo", "Dora"), ("Emma", "Emma")):
        status, headers, guest = server.rest("POST", "/api/v1/guest")
        cookie = cookie_of(headers)
        answers = sorted(register_at_once(server, names, cookie), key=lambda a: a[0])
        check("one of them: %s" % [a[0] for a in answers], [a[0] for a in answers] == [200, 409])
        check("the guest", answers[0][2]["id"] == guest["id"])
        check("the other is told: %s" % answers[1][2], answers[1][2]["error"] in ("registered", "name"))
        there = [name for name in set(names) if server.rest("GET", "/api/v1/players/" + name)[0] == 200]
        check("one account: %s" % there, there == [answers[0][2]["name"]])

    # a guest of the line protocol, by its token
    program = Lines(server.bot_port).guest()
    status, headers, me = register(server, "Faye", headers={"Authorization": "Bearer " + program.welcome["token"]})
    check("by Bearer", status == 200 and str(me["id"]) == program.welcome["id"])
    check("told", program.hear("renamed")["name"] == "Faye")
    program.say("seek game=surakarta rated=yes")
    check("and may play rated games", program.hear("seeking", "error").verb == "seeking")

    # a guest who logs in to an account of before stays behind, with its games
    status, headers, guest = server.rest("POST", "/api/v1/guest")
    status, _, me = server.rest("POST", "/api/v1/login", {"name": "Ada", "password": "correct horse"}, cookie_of(headers))
    check("somebody else", status == 200 and me["id"] != guest["id"])
    check("the guest is still there", server.rest("GET", "/api/v1/me", cookie=cookie_of(headers))[2] == guest)

    # a program's token makes no account
    made = server.rest("POST", "/api/v1/tokens", {"program": "AdaBot"}, cookie_of(server.rest("POST", "/api/v1/login", {"name": "Ada", "password": "correct horse"})[1]))[2]
    check("nor does a program", register(server, "Gina", headers={"Authorization": "Bearer " + made["token"]})[0] == 409)
