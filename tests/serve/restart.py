"""SIGKILL in the middle of games: nothing is lost, nothing is doubled, no clock goes back. Rounds of it as many
as the second argument says (a thousand take some minutes); games that end are followed by others."""
from kit import *

ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 6
GAMES = 4
START_US = 300000000
chance = random.Random(7)
seen = {"moves": 0, "ended": 0}


class Player:
    """One side of a game, playing on over any number of connections; remembers what it was told."""
    def __init__(self, server):
        self.lines = Lines(server.bot_port).guest()
        self.token = self.lines.welcome["token"]
        self.moves, self.over, self.has_game = [], None, False

    def take(self, m):
        """Checks a message against what was said before the crash; returns whether it is our turn."""
        if m.verb == "game":
            told = [w for w in m["moves"].split(",") if w]
            check("moves lost: %s then %s" % (self.moves, told), told[:len(self.moves)] == self.moves)
            check("moves doubled: %s" % told, len(told) - len(self.moves) <= 2)
            self.moves = told
        elif m.verb == "moved":
            check("the next ply: %s after %d" % (m, len(self.moves)), int(m["ply"]) == len(self.moves) + 1)
            self.moves.append(m["move"])
        elif m.verb == "result":
            self.over = m
        return m.verb == "turn" and int(m["ply"]) == len(self.moves)

    def come_back(self, server):
        self.lines.close()
        self.lines = Lines(server.bot_port).login(self.token)
        check("logged in again: %s" % self.lines.welcome, self.lines.name)
        self.has_game = False
        self.lines.say("ping n=all")  # its answer comes behind the games
        while (m := self.lines.hear("game", "pong")).verb != "pong":
            self.take(m)
            self.has_game = True
        self.lines.say("games")  # once more, with the turn


def begin(server, i):
    a, b = Player(server), Player(server)
    terms = "game=%s tc=%d+0" % ("surakarta" if i % 2 else "xiangqi", START_US // 1000000)
    a.lines.say("seek side=first " + terms)
    a.lines.hear("seeking")
    b.lines.say("seek side=second " + terms)
    number = a.lines.hear("game")["id"]
    b.lines.hear("game")
    return a, b, number


def their_turn(a, b):
    """Whoever is to move and has been asked, and its question; None at the end."""
    who = (a, b)[len(a.moves) % 2]
    while not a.over and not b.over:
        m = who.lines.hear("game", "moved", "turn", "result", "clock")
        if who.take(m):
            return who, m
    a.over = b.over = a.over or b.over
    return None, None


def play(a, b, number, plies):
    for _ in range(plies):
        who, turn = their_turn(a, b) if not a.over else (None, None)
        if not who:
            return
        who.lines.say("move game=%s ply=%s move=%s" % (number, turn["ply"], chance.choice(who.lines.legal(number))))
        for each in (a, b):
            while len(each.moves) <= int(turn["ply"]):
                each.take(each.lines.hear("moved"))


def check_record(server, a, b, number):
    """A game that is over: all its moves, its stamps, its clocks."""
    status, _, full = server.rest("GET", "/api/v1/games/%s/moves" % number)
    kept = [m["move"] for m in full["moves"]]
    told = max(a.moves, b.moves, key=len)
    check("the record has them all", status == 200 and kept[:len(told)] == told)
    stamps = [s for m in full["moves"] for s in (m["queued"], m["written"], m["read"], m["accepted"])]
    check("time went back", stamps == sorted(stamps))
    left = [START_US, START_US]
    for i, m in enumerate(full["moves"]):
        check("a clock went back: %s" % m, m["remaining"] == left[i % 2] - m["used"] and m["used"] >= 0)
        left[i % 2] = m["remaining"]
    record = server.rest("GET", "/api/v1/games/%s" % number)[2]
    check("it has ended: %s" % record, record["ended"] and record["plies"] == len(kept))
    seen["moves"] += len(kept)
    seen["ended"] += 1


with Server("--grace", "1") as server:
    games = [begin(server, i) for i in range(GAMES)]
    for round in range(ROUNDS):
        for i, (a, b, number) in enumerate(games):
            play(a, b, number, chance.randrange(1, 6))
            if a.over:
                check_record(server, a, b, number)
                a.lines.close(), b.lines.close()
                games[i] = begin(server, i)
        for a, b, number in chance.sample(games, chance.randrange(GAMES + 1)):  # moves are under way when it happens
            who, _ = their_turn(a, b)
            if who:
                who.lines.say("move game=%s move=%s" % (number, chance.choice(who.lines.legal(number))))
        if round % 2:
            time.sleep(chance.random() * 0.02)
        server.kill()
        server.restart()
        for a, b, number in games:
            a.come_back(server)
            b.come_back(server)
            if not (a.has_game and b.has_game):
                a.over = b.over = True  # the move under way ended it
        if round % 100 == 99:
            print("%d kills, %d games ended, %d moves in them" % (round + 1, seen["ended"], seen["moves"]), flush=True)

    for a, b, number in games:  # the end of every game, and its record
        if not a.over:
            a.lines.say("resign game=%s" % number)
            a.lines.hear("result")
        check_record(server, a, b, number)
