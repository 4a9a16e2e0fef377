"""kraton store copy: a server that has been used, from SQLite to PostgreSQL and back; every table is in it; refusals; what was damaged
on the way is found. Runs under cluster.py."""
from kit import *

kraton, address = sys.argv[1], os.environ[cluster.VARIABLE]
folder = tempfile.mkdtemp()


def copy(source, target):
    done = subprocess.run([kraton, "store", "copy", source, target], capture_output=True, text=True, timeout=PATIENCE)
    return done.returncode, done.stdout, done.stderr


def refused(source, target):
    status, out, err = copy(source, target)
    check("refused: " + out + err, status in (1, 2) and not out and err.count("\n") == 1)
    return err


# a server with something in most of its tables
data = folder + "/data"
address_there = os.environ.pop(cluster.VARIABLE)
with Server("--bots", "0", folder=folder) as server:
    a, b, game = pair(server)
    play_out(a, b, game, seed=3)
    c, d, live = pair(server)
    play_out(c, d, live, most=5)
    d.hear("turn")
    tokens = c.welcome["token"], d.welcome["token"]
    check("an account", server.rest("POST", "/api/v1/register", {"name": "胡荣华", "password": "long enough"})[0] in (200, 201))
    there = cluster.database_for(address, folder + "/there")
    check("a server that runs", "another server is using" in refused("sqlite:" + data, there))
source, back = sqlite3.connect(data + "/kraton.db"), folder + "/back"
for i in range(1200):  # more than a batch, with keys of several columns
    source.execute("INSERT INTO opening_moves VALUES(?, ?, 1, 2, 3)", (i // 7 - 50, i % 7))
for name in ("Bob", "bób"):
    source.execute("INSERT INTO players(name, kind, created) VALUES(?, 1, 2)", (name,))
source.execute("INSERT INTO ratings VALUES(1, 'xiangqi', 1500.1, 0.1, 1e-300, 3, 4)")
source.commit()
forget_sums(data)


def rows(db):
    names = [name for name, in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name")]
    return {name: sorted(db.execute("SELECT * FROM %s %s" % (name, "WHERE key <> 'identity'" if name == "meta" else "")), key=repr) for name in names}


check("no such place", "sqlite:DIR or postgresql://" in refused(data, there))
check("nothing there", "there is no folder" in refused("sqlite:" + folder + "/none", there))
check("no server's data", "no server's data" in refused(there, "sqlite:" + back))
status, out, err = copy("sqlite:" + data, there)
check("there: " + out + err, status == 0 and re.fullmatch(r"\d+ rows copied and compared\n", out) and not err)
check("a target that is not empty", "is not empty" in refused("sqlite:" + data, there))
count = int(cluster.query(there, "SELECT count(*) FROM opening_moves"))
check("all of them: %d" % count, count >= 1200)
again = copy(there, "sqlite:" + back)
check("and back: %s %s %s" % again, again == (0, out, ""))
check("the same", rows(source) == rows(sqlite3.connect(back + "/kraton.db")))

# the live game goes on there
os.environ[cluster.VARIABLE] = address_there
process = Server("--bots", "0", "--store", there)
turn = Lines(process.bot_port).login(tokens[1]).hear("turn")
check("the live game: %s" % turn, turn["ply"] == "5" and turn["game"] == live)
process.stop()

# every column of every table: one that a later version adds is not forgotten
REFERENCES = ("player", "game", "tournament", "first", "second", "reporter", "other", "owner")
for name in rows(source):
    columns = [(column, kind) for _, column, kind, *_ in source.execute("PRAGMA table_info(%s)" % name)]
    if name != "tournaments":
        values = [{"INTEGER": 1 if column in REFERENCES else 99, "TEXT": "x", "REAL": 0.5, "BLOB": b"\0"}[kind] for column, kind in columns]
    else:
        values = [{"INTEGER": 1, "TEXT": "x"}[kind] for column, kind in columns]
    source.execute("INSERT OR IGNORE INTO %s VALUES(%s)" % (name, ",".join("?" * len(values))), values)
source.commit()
forget_sums(data)
whole, round = cluster.database_for(address, folder + "/whole"), folder + "/round"
check("with every column", copy("sqlite:" + data, whole)[0] == 0 and copy(whole, "sqlite:" + round)[0] == 0)
check("none is forgotten", rows(source) == rows(sqlite3.connect(round + "/kraton.db")))

# interrupted, wherever it is by then: all of it or nothing
cut = cluster.database_for(address, folder + "/cut")
process = subprocess.Popen([kraton, "store", "copy", "sqlite:" + data, cut], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
while process.poll() is None and not cluster.query(cut, "SELECT to_regclass('solvers')"):
    time.sleep(0.001)
process.send_signal(signal.SIGINT)
err = process.communicate(timeout=PATIENCE)[1]
there = cluster.query(cut, "SELECT count(*) FROM opening_moves")
check("interrupted: %s, %s rows: %s" % (process.returncode, there, err), (process.returncode, there) == (130, "0") or
      (process.returncode, there) == (0, str(len(rows(source)["opening_moves"]))))

# a text that PostgreSQL cannot hold is not changed in silence, and nothing of the copy stays
source.execute("UPDATE players SET name = CAST(X'61FF62' AS TEXT) WHERE name = 'Bob'")
source.commit()
forget_sums(data)
other = cluster.database_for(address, folder + "/other")
check("named", "name of row" in refused("sqlite:" + data, other))
check("nothing was kept", cluster.query(other, "SELECT count(*) FROM players") == "0")
source.close()
shutil.rmtree(folder)
