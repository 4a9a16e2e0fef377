"""One bit of a data folder is changed on the disk, anywhere: a server that takes it up refuses it or names it in its log, or nothing that
it keeps is different. As many bits as the second argument says, in folders of a server that was stopped and of one that was killed."""
from kit import *
import sqlite3

COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 6  # of each folder
TABLES = ("players", "tokens", "ratings", "rating_history", "games", "moves", "tournaments", "entrants", "pairings", "audit", "game_keys",
          "opening_moves", "position_games", "mutes", "reports", "offers")
chance = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
scratch = tempfile.mkdtemp()
seen = {"refused": 0, "named": 0, "harmless": 0}


def fill(server):
    for i in range(8):
        status, headers, answer = server.rest("POST", "/api/v1/register", {"name": "Player-%d" % i, "password": "long enough %d" % i})
        check("registered: %s" % (answer,), status == 200)
    cookie = headers["Set-Cookie"].split(";")[0]
    server.rest("POST", "/api/v1/tournaments", {"name": "cup", "kind": "swiss", "game": "surakarta", "tc": "60+1", "rounds": 3}, cookie)
    for i in range(4):  # finished games,
        a, b, number = pair(server)
        play_out(a, b, number, seed=i, most=30)
        a.say("resign game=" + number)
        a.hear("result")
    for i in range(2):  # and live ones
        a, b, number = pair(server)
        play_out(a, b, number, seed=i, most=12)


def content(folder):
    """What the database says, read from a copy."""
    copy = tempfile.mkdtemp(dir=scratch)
    for name in os.listdir(folder):
        if name.startswith("kraton.db"):
            shutil.copy(folder + "/" + name, copy)
    db = sqlite3.connect(copy + "/kraton.db")
    try:
        return {t: db.execute("SELECT * FROM %s" % t).fetchall() for t in TABLES}
    finally:
        db.close()
        shutil.rmtree(copy)


def flip(folder):
    """Changes one bit, more often in the larger files; returns where."""
    files = [(name, os.path.getsize(folder + "/" + name)) for name in sorted(os.listdir(folder)) if name != "lock"]
    files = [(name, size) for name, size in files if size]
    name, size = chance.choices(files, [size for name, size in files])[0]
    at, bit = chance.randrange(size), chance.randrange(8)
    with open(folder + "/" + name, "r+b") as file:
        file.seek(at)
        byte = file.read(1)[0]
        file.seek(at)
        file.write(bytes([byte ^ 1 << bit]))
    return "bit %d of byte %d of %s" % (bit, at, name)


def try_once(kept, expected, flips=True):
    folder = tempfile.mkdtemp(dir=scratch)
    shutil.copytree(kept, folder + "/data")
    where = flip(folder + "/data") if flips else "nothing"
    try:
        server = Server("--bots", "0", folder=folder)
    except AssertionError as refusal:
        check("%s: refused with its reason: %s" % (where, refusal), re.search("damaged|another server's|later version", str(refusal)))
        seen["refused"] += 1
        return
    server.kill()
    log = open(folder + "/stderr").read()
    if re.search("damaged|breaks off|set aside", log):
        seen["named"] += 1
    else:
        found = content(folder + "/data")
        for table in TABLES:
            check("%s: %s differs, and nobody says so: %s" % (where, table, log), found[table] == expected[table])
        seen["harmless"] += 1
    shutil.rmtree(folder)


for is_stopped in (True, False):
    folder = tempfile.mkdtemp(dir=scratch)
    server = Server("--bots", "0", folder=folder)
    fill(server)
    if is_stopped:
        server.stop()
    else:
        server.kill()
    expected = content(folder + "/data")
    try_once(folder + "/data", expected, flips=False)
    check("nothing is named where nothing is changed: %s" % seen, seen["harmless"] > 0 and not seen["named"] * is_stopped)
    seen["harmless"] -= 1
    for i in range(COUNT):
        try_once(folder + "/data", expected)
print("%d bits changed: %s" % (2 * COUNT, ", ".join("%d %s" % (n, what) for what, n in seen.items())))
shutil.rmtree(scratch)
