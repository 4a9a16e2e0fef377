"""What a program says of its moves (score, depth, nodes) in a rated or tournament game: nobody but its owner sees it
before the game is over. Afterwards it is in the record. In casual games spectators see it at once."""
from kit import *

SECRETS = ("score", "mate", "depth", "nodes")


def has_secrets(value):
    """Whether a message or JSON answer holds what a program said of its move."""
    if isinstance(value, dict):
        return any(value.get(key) is not None for key in SECRETS) or any(has_secrets(v) for v in value.values())
    return isinstance(value, list) and any(has_secrets(v) for v in value)


def cookie_of(answer):
    return answer[1]["Set-Cookie"].split(";")[0]


with Server("--bots", "0") as server:
    owners = [cookie_of(server.rest("POST", "/api/v1/register", {"name": name, "password": "correct horse"}))
              for name in ("Ada", "Cleo")]
    programs = [Lines(server.bot_port).login(server.rest("POST", "/api/v1/tokens", {"program": name}, cookie)[2]["token"])
                for name, cookie in zip(("AdaBot", "CleoBot"), owners)]

    def begin_rated():
        for side, program in zip(("first", "second"), programs):
            program.say("seek game=surakarta tc=60+0 rated=yes side=" + side)
        return programs[0].hear("game")["id"]

    def begin_in_tournament():
        terms = {"name": "Casual cup", "game": "surakarta", "kind": "round-robin", "tc": "60+0", "games": 1}
        path = "/api/v1/tournaments/%d" % server.rest("POST", "/api/v1/tournaments", terms, owners[0])[2]["id"]
        for name, cookie in zip(("AdaBot", "CleoBot"), owners):
            check("entered", server.rest("POST", path + "/enter", {"player": name}, cookie)[0] == 200)
        check("started", server.rest("POST", path + "/start", {}, owners[0])[0] == 200)
        return programs[0].hear("game")["id"]

    def begin_casual():
        for side, program in zip(("first", "second"), programs):
            program.say("seek game=surakarta tc=60+0 side=" + side)
        return programs[0].hear("game")["id"]

    def live_answers(number):
        """Everything HTTP says of the game, to everybody."""
        answers = []
        for path in ("games/live", "games/%s", "games/%s/moves", "games/%s/record?format=json"):
            for cookie in (None, *owners):
                answers.append(server.rest("GET", "/api/v1/" + (path % number if "%" in path else path), cookie=cookie)[2])
        return answers

    def play(begin, secret):
        number = begin()
        watchers = {"anonymous": Socket(server.port), "owner": Socket(server.port, owners[0]),
                    "opponent's owner": Socket(server.port, owners[1]), "guest": Lines(server.bot_port).guest()}
        for name, watcher in watchers.items():
            watcher.say("watch game=" + number) if name == "guest" else watcher.say("watch", game=int(number))
            check(name + " is told the game without scores", not has_secrets(watcher.hear("game")))
        turns = {}
        while not turns:  # colours in the tournament are drawn
            for program in programs:
                program.say("ping n=1")
                while (m := program.hear("turn", "pong")).verb != "pong":
                    if m["game"] == number:
                        turns[program] = m
        mover, = turns
        other = programs[mover is programs[0]]
        mover.say("move game=%s ply=0 move=%s score=31 depth=5 nodes=1000" % (number, mover.legal(number)[0]))
        mine = watchers["owner" if mover is programs[0] else "opponent's owner"]
        for name, watcher in watchers.items():
            moved = watcher.hear("moved")
            sees = not secret or watcher is mine
            check("%s: %s" % (name, moved), has_secrets(moved) == sees and (not sees or int(moved["score"]) == 31))
        check("the opponent", not has_secrets(other.hear("moved")))
        late = Socket(server.port)
        late.say("watch", game=int(number))
        check("who comes late", not has_secrets(late.hear("game")))
        for answer in live_answers(number):
            check("over HTTP: %s" % answer, not has_secrets(answer) and "31" not in str(answer.get("scores", "")))
        check("in the record", b"eval" not in server.rest("GET", "/api/v1/games/%s/record" % number)[2])

        other.say("resign game=" + number)
        for name, watcher in watchers.items():
            check(name + " hears the end", not has_secrets(watcher.hear("result")))
        check("then it is there", server.rest("GET", "/api/v1/games/%s/moves" % number)[2]["moves"][0]["score"] == 31)
        check("in the record too", b"%eval" in server.rest("GET", "/api/v1/games/%s/record" % number)[2])
        for connection in (*watchers.values(), late):
            connection.close()

    play(begin_rated, True)
    play(begin_in_tournament, True)
    play(begin_casual, False)
