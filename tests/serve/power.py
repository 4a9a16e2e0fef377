"""Loss of power, tried: an LD_PRELOAD layer keeps of every file what was last synced; the server is killed in mid-game, the
folder becomes that, and a new server takes it up. Every move that was told before the last completed sync of the log began
is there, and with --durable every move that was told. Where syncs do nothing, moves are lost: so the test can fail."""
from kit import *

ROUNDS = 100 if os.environ.get("KRATON_FULL") else 4  # of each kind; 200 losses of power in all
scratch = tempfile.mkdtemp()
layer = scratch + "/power.so"
source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "power.c")
subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", layer, source, "-ldl", "-lpthread"], check=True)
if b"__asan_init" in open(sys.argv[1], "rb").read():
    print("a sanitizer's build does not bear the layer: not tried")
    shutil.rmtree(scratch)
    sys.exit(0)


class Powered(Server):
    """A server whose disk forgets what was not synced."""
    def __init__(self, *options, folder, broken=False):
        self.image = folder + "/image"
        os.mkdir(self.image)
        self.environment = {"LD_PRELOAD": layer, "KRATON_POWER_FOLDER": os.path.realpath(folder) + "/data",
                            "KRATON_POWER_IMAGE": self.image}
        if broken:
            self.environment["KRATON_POWER_BROKEN"] = "1"
        super().__init__(*options, folder=folder)

    def start(self, ports=("0", "0")):
        os.environ.update(self.environment)
        try:
            super().start(ports)
        finally:
            for name in self.environment:
                del os.environ[name]

    def lose_power(self):
        """Returns the moment since when nothing is sure to be kept: the beginning of the log's last whole sync."""
        self.kill()
        log = self.image + "/log"
        synced = [line.split() for line in open(log)] if os.path.exists(log) else []
        shutil.rmtree(self.folder + "/data")
        os.mkdir(self.folder + "/data")
        for name in os.listdir(self.image):
            if name[0] != "." and name != "log":
                shutil.copy(self.image + "/" + name, self.folder + "/data/" + name)
        return max([int(at) for at, name in synced if name == "kraton.db-wal"] or [0])


def play(server, chance, told):
    """Moves in two games, until as many as chance says; told has (game, ply, moment) of each that was told."""
    games = [pair(server, "game=surakarta tc=600+1") for i in range(2)]
    for ply in range(chance.randrange(10, 40)):
        for a, b, number in games:
            who, other = (a, b) if ply % 2 == 0 else (b, a)
            who.hear("turn")
            moves = who.legal(number)
            who.say("move game=%s ply=%d move=%s" % (number, ply, moves[chance.randrange(len(moves))]))
            if who.hear("moved", "result").verb == "result":
                return games
            told.append((number, ply + 1, time.monotonic_ns() // 1000))
    return games


def lost_moves(server, told):
    """Those of the moves told that the server does not have."""
    have = {}
    for number in {number for number, ply, at in told}:
        status, _, game = server.rest("GET", "/api/v1/games/%s" % number)
        have[number] = len(game["moves"]) if status == 200 else -1
    return [(number, ply, at) for number, ply, at in told if ply > have[number]]


def try_once(seed, *options, broken=False):
    """(moves told, those lost, those lost that had to be there)"""
    chance, told = random.Random(seed), []
    folder = tempfile.mkdtemp(dir=scratch)
    server = Powered("--bots", "0", *options, folder=folder, broken=broken)
    play(server, chance, told)
    sure = server.lose_power()
    if broken and not os.path.exists(folder + "/data/kraton.db"):
        return len(told), told, told
    server.start()
    lost = lost_moves(server, told)
    server.stop()
    return len(told), lost, lost if "--durable" in options else [move for move in lost if move[2] < sure]


all_told = all_lost = 0
for seed in range(ROUNDS):
    told, lost, wrong = try_once(seed)
    check("told before the last sync and lost: %s of %d" % (wrong, told), not wrong)
    all_told, all_lost = all_told + told, all_lost + len(lost)
print("%d losses of power: %d moves told, %d lost, none told before the last sync began" % (ROUNDS, all_told, all_lost))
for seed in range(ROUNDS):
    told, lost, wrong = try_once(1000 + seed, "--durable")
    check("--durable lost %s of %d" % (lost, told), not lost)
print("%d with --durable: none lost" % ROUNDS)
told, lost, wrong = try_once(5, "--durable", broken=True)
check("where syncs do nothing moves are lost, or this test shows nothing", lost)
shutil.rmtree(scratch)
