"""SIGKILL in the middle of games: nothing is lost, nothing is doubled, no clock goes back. Rounds of
it as many as the second argument says."""
from kit import *

ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 6
GAMES = 4
chance = random.Random(7)


class Player:
    """One side of a game, playing on over any number of connections; remembers what it was told."""
    def __init__(self, server):
        self.lines = Lines(server.bot_port).guest()
        self.token = self.lines.welcome["token"]
        self.moves, self.sent, self.clock, self.over, self.has_game = [], None, {}, None, False

    def take(self, m):
        """Checks a message against what was said before the crash; returns whether it is our turn."""
        if m.verb == "game":
            told = [w for w in m["moves"].split(",") if w]
            check("moves lost: %s then %s" % (self.moves, told), told[:len(self.moves)] == self.moves)
            extra = told[len(self.moves):]
            check("moves doubled: %s" % told, len(extra) <= 2)
            self.moves = told
        elif m.verb == "moved":
            check("the next ply: %s after %d" % (m, len(self.moves)), int(m["ply"]) == len(self.moves) + 1)
            self.moves.append(m["move"])
        elif m.verb == "result":
            self.over = m
        if m.verb in ("game", "moved", "turn", "clock") and "first" in m:
            for side in ("first", "second"):
                self.clock.setdefault(side, []).append((len(self.moves), int(m[side])))
        return m.verb == "turn"


with Server("--grace", "1") as server:
    games = []
    for i in range(GAMES):
        a, b = Player(server), Player(server)
        terms = "game=%s tc=300+0" % ("surakarta" if i % 2 else "xiangqi")
        a.lines.say("seek side=first " + terms)
        a.lines.hear("seeking")
        b.lines.say("seek side=second " + terms)
        games.append((a, b, a.lines.hear("game")["id"]))
        b.lines.hear("game")

    def play(a, b, number, plies):
        """So many plies, then perhaps one more that nobody waits for."""
        for _ in range(plies):
            who = (a, b)[len(a.moves) % 2] if not a.over else None
            if not who:
                return
            while not who.over and not who.take(m := who.lines.hear("game", "moved", "turn", "result", "clock")):
                pass
            if who.over:
                (a if who is b else b).over = who.over
                return
            who.lines.say("move game=%s ply=%s move=%s" % (number, m["ply"], chance.choice(who.lines.legal(number))))
            for each in (a, b):
                while len(each.moves) <= int(m["ply"]):
                    each.take(each.lines.hear("moved"))

    for round in range(ROUNDS):
        for a, b, number in games:
            play(a, b, number, chance.randrange(1, 6))
        a, b, number = games[round % GAMES]
        if not a.over:  # a move is under way when it happens
            who = (a, b)[len(a.moves) % 2]
            while not who.take(who.lines.hear("turn", "clock", "result")) and not who.over:
                pass
            if not who.over:
                who.lines.say("move game=%s move=%s" % (number, who.lines.legal(number)[0]))
        if round % 2:
            time.sleep(chance.random() * 0.02)
        server.kill()
        server.restart()
        for a, b, number in games:
            for each in (a, b):
                each.lines.close()
                each.lines = Lines(server.bot_port).login(each.token)
                check("logged in again: %s" % each.lines.welcome, each.lines.name)
                each.lines.say("ping n=all")  # its answer comes behind the games
                while (m := each.lines.hear("game", "pong")).verb != "pong":
                    each.take(m)
                    each.has_game = True
                each.lines.say("games")  # once more, with the turn
            if not (a.has_game and b.has_game):
                a.over = b.over = True  # the move under way ended it
            a.has_game = b.has_game = False

    # the end of every game, and its record
    for a, b, number in games:
        if not a.over:
            a.lines.say("resign game=%s" % number)
            a.lines.hear("result")
        status, _, full = server.rest("GET", "/api/v1/games/%s/moves" % number)
        kept = [m["move"] for m in full["moves"]]
        told = max(a.moves, b.moves, key=len)
        check("the record has them all", status == 200 and kept[:len(told)] == told)
        stamps = [s for m in full["moves"] for s in (m["queued"], m["written"], m["read"], m["accepted"])]
        check("time went back", stamps == sorted(stamps))
        left = {0: 300000000, 1: 300000000}
        for i, m in enumerate(full["moves"]):
            check("a clock went back: %s" % m, m["remaining"] == left[i % 2] - m["used"] and m["used"] >= 0)
            left[i % 2] = m["remaining"]
