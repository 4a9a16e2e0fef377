"""SIGKILL in the middle of games: nothing is lost, nothing is doubled, no clock goes back, and none is charged more than 50 ms for
it. Rounds of it as many as the second argument says (a thousand take some minutes); games that end are followed by others."""
from kit import *

ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 6
GAMES = 4
START_US = 300000000
GRACE_S = 1
MOST_CHARGED_US = 50000
chance = random.Random(7)
seen = {"moves": 0, "ended": 0, "charged": -START_US}


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
            self.moves, self.clocks = told, (int(m["first"]), int(m["second"]))
        elif m.verb == "moved":
            check("the next ply: %s after %d" % (m, len(self.moves)), int(m["ply"]) == len(self.moves) + 1)
            self.moves.append(m["move"])
        elif m.verb == "result":
            self.over = m
        return m.verb == "turn" and int(m["ply"]) == len(self.moves)

    def come_back(self, server):
        """Returns how many seconds the clock may have run since the login."""
        self.lines.close()
        since = time.monotonic()
        self.lines = Lines(server.bot_port).login(self.token)
        check("logged in again: %s" % self.lines.welcome, self.lines.name)
        self.has_game = False
        self.lines.say("ping n=all")  # its answer comes behind the games
        while (m := self.lines.hear("game", "pong")).verb != "pong":
            self.take(m)
            self.has_game = True
        ran = time.monotonic() - since
        self.lines.say("games")  # once more, with the turn
        return ran


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


def clocks_left(server):
    """Of a killed server: what every side to move has left at the last moment that was stored, {game: (side, left)}."""
    db = server.database()
    begun = dict(db.execute("SELECT id, begun FROM games WHERE ended IS NULL"))
    entries = db.execute("SELECT game, kind, accepted, used, remaining, read FROM journal WHERE kind IN (0, 2) ORDER BY id").fetchall()
    beat, entry = db.execute("SELECT value, (SELECT max(accepted) FROM journal) FROM meta WHERE key = 'heartbeat'").fetchone()
    stored = max(beat, entry or 0, *begun.values(), 0)
    db.close()
    left = {}
    for number, at in begun.items():
        clocks, side, since, used, runs = [START_US, START_US], 0, at, 0, True
        for game, kind, accepted, spent, remaining, read in entries:
            if game == number and kind == 0:
                clocks[side] = remaining
                side, since, used, runs = 1 - side, accepted, 0, True
            elif game == number:
                since, used, runs = accepted, spent, read != 0
        left[number] = side, clocks[side] - used - (stored - since if runs else 0)
    return left


def check_clock(player, left, ran):
    """What a kill cost the side to move: beyond the last stored moment, and beyond what its clock ran since it is back."""
    charged = left - player.clocks[len(player.moves) % 2] - ran * 1000000
    check("charged %d us for a kill" % charged, charged <= MOST_CHARGED_US)
    seen["charged"] = max(seen["charged"], charged)


with Server("--grace", str(GRACE_S)) as server:
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
        left = clocks_left(server)
        began = time.monotonic()
        server.restart()
        for a, b, number in games:
            for side, player in enumerate((a, b)):
                ran = max(player.come_back(server), time.monotonic() - began - GRACE_S)
                if player.has_game and left[int(number)][0] == side:
                    check_clock(player, left[int(number)][1], ran)
            if not (a.has_game and b.has_game):
                a.over = b.over = True  # the move under way ended it
        if round % 100 == 99:
            print("%d kills, %d games ended, %d moves in them; charged at most %d us" % (round + 1, seen["ended"], seen["moves"], seen["charged"]), flush=True)

    for a, b, number in games:  # the end of every game, and its record
        if not a.over:
            a.lines.say("resign game=%s" % number)
            a.lines.hear("result")
        check_record(server, a, b, number)
print("%d kills: no clock was charged more than %d us for one" % (ROUNDS, seen["charged"]))
