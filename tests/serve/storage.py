"""The data folder: its identity, a database that is missing, empty, damaged or another server's is refused in one line and
left as it is; a journal row that was changed on the disk is named, and the games it does not touch go on."""
from kit import *
import sqlite3

folder = tempfile.mkdtemp()
data, other = folder + "/data", folder + "/other"
database = data + "/kraton.db"


def refused(*options, data=data):
    """The line with which it is refused."""
    done = subprocess.run([sys.argv[1], "serve", "--port", "0", "--bot-port", "0", "--data", data, *options], capture_output=True,
                          text=True, timeout=PATIENCE)
    lines = [line for line in done.stderr.splitlines() if "no page" not in line]
    check("refused: %s" % done.stderr, done.returncode == 1 and len(lines) == 1)
    return lines[0]


def flip(path, at, bits=1):
    with open(path, "r+b") as file:
        file.seek(at)
        byte = file.read(1)[0]
        file.seek(at)
        file.write(bytes([byte ^ bits]))


try:
    with Server("--bots", "0", folder=folder) as server:  # the folder is made
        pass
    identity = open(data + "/identity").read()
    check("an identity: %s" % identity, re.fullmatch("[0-9a-f]{16}\n", identity))
    size = os.path.getsize(database)
    os.rename(database, folder + "/kept")
    check("missing", "is missing" in refused() and "--new" in refused() and not os.path.exists(database))
    open(database, "w").close()
    check("empty", "is empty" in refused() and os.path.getsize(database) == 0)
    open(database, "w").write("no database at all, but a file of some length" * 100)
    check("something else", "is damaged" in refused())
    os.remove(database)
    os.rename(folder + "/kept", database)
    check("--new is not for what is there", "--new is for a folder without it" in refused("--new"))
    subprocess.run([sys.argv[1], "serve", "--data", data, "--backup", folder + "/backup"], check=True, capture_output=True)

    # another server's database in this folder
    with Server("--bots", "0", folder=folder + "/second") if os.makedirs(folder + "/second") is None else None:
        pass
    os.rename(database, folder + "/kept")
    shutil.copy(folder + "/second/data/kraton.db", database)
    check("another server's", "another server's" in refused())
    shutil.copy(folder + "/backup", database)  # one's own backup is welcome
    for name in ("-wal", "-shm"):
        if os.path.exists(database + name):
            os.remove(database + name)
    with Server("--bots", "0", folder=folder) as server:
        pass

    # a folder that has lost all, and --new
    shutil.rmtree(data)
    os.mkdir(data)
    check("an empty folder may be a mount that is missing", "is missing" in refused())
    with Server("--bots", "0", "--new", folder=folder) as server:
        games = [pair(server) for i in range(3)]
        for a, b, number in games:
            play_out(a, b, number, most=6)
            a.hear("turn")  # the last one is stored
        server.kill()

        # a bit of a stored move, of a number, of a game's number: noticed and named; the other games go on
        db = sqlite3.connect(database)
        with db:
            row = db.execute("SELECT id FROM journal WHERE game = ? AND kind = 0 ORDER BY id LIMIT 1 OFFSET 3", (games[1][2],)).fetchone()[0]
            db.execute("UPDATE journal SET used = (used | 1024) - (used & 1024) WHERE id = ?", (row,))  # one bit
        db.close()
        server.options = ("--bots", "0")
        server.restart()
        log = open(server.folder + "/stderr").read()
        check("named", "journal %d is damaged" % row in log and "game %s is set aside" % games[1][2] in log)
        check("one set aside", server.rest("GET", "/api/v1/health")[2]["set_aside"] == 1)
        for i in (0, 2):
            a = Lines(server.bot_port).login(games[i][0].welcome["token"])
            game = a.hear("game")
            check("the others go on: %s" % game, game["ply"] == "6" and a.hear("turn")["ply"] == "6")
        check("nothing else was lost", server.rest("GET", "/api/v1/health")[2]["live_games"] == 2)

    # damage to the structure of the file
    good = open(database, "rb").read()
    noticed = 0
    for page in range(1, len(good) // 4096):
        flip(database, page * 4096, 0xff)  # the kind of the page
        noticed += "damaged" in refused()
        check("left as it is", len(open(database, "rb").read()) == len(good))
        flip(database, page * 4096, 0xff)
        if page > 12:
            break
    check("damage is noticed: %d of %d" % (noticed, page), noticed == page)
    with Server("--bots", "0", folder=folder) as server:
        check("and the file as it was opens", server.rest("GET", "/api/v1/health")[2]["live_games"] == 2)
        over = []
        for i in range(4):
            a, b, number = pair(server)
            play_out(a, b, number, most=4)
            a.say("resign game=" + number)
            a.hear("result")
            over.append(int(number))

    # one bit of a finished game, in its row or in a move: noticed and named, and the others are kept
    db = sqlite3.connect(database)
    with db:
        db.execute("UPDATE moves SET remaining = (remaining | 4096) - (remaining & 4096) WHERE game = ? AND ply = 3", (over[1],))
        db.execute("UPDATE games SET outcome = (outcome | 1) - (outcome & 1) WHERE id = ?", (over[2],))
    db.close()
    with Server("--bots", "0", folder=folder) as server:
        until = time.monotonic() + PATIENCE
        while server.rest("GET", "/api/v1/health")[2]["damaged"] < 2:
            check("noticed", time.monotonic() < until)
            time.sleep(0.05)
        log = open(server.folder + "/stderr").read()
        check("named: " + log, all("game %d is damaged" % n in log for n in over[1:3]) and log.count("is damaged: its checksum is wrong; a backup") == 2)
        check("the others are kept", all(server.rest("GET", "/api/v1/games/%d" % n)[0] == 200 for n in over))
finally:
    shutil.rmtree(folder)
