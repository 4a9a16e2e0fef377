"""PostgreSQL as the store: what is refused in one line, a game that outlives the server and the connection, names and odd texts.
Runs under cluster.py; the other tests of the server run there too."""
from kit import *

kraton, address = sys.argv[1], os.environ[cluster.VARIABLE]
folder = tempfile.mkdtemp()


def refused(*options):
    done = subprocess.run([kraton, "serve", "--port", "0", "--bot-port", "0", "--data", folder + "/data", *options], capture_output=True,
                          text=True, timeout=PATIENCE)
    lines = [line for line in done.stderr.splitlines() if "no page" not in line]
    check("refused: %s" % done.stderr, done.returncode in (1, 2) and len(lines) == 1)
    return lines[0]


empty = cluster.database_for(address, folder + "/empty")
os.environ["KRATON_LIBPQ"] = folder + "/libpq.so"
check("no library", "install it (Debian: libpq5)" in refused("--store", empty))
os.environ["KRATON_LIBPQ"] = "libsqlite3.so.0"
check("another library", "it has no PQconnectdbParams" in refused("--store", empty))
del os.environ["KRATON_LIBPQ"]
check("no such kind", "sqlite:DIR or postgresql://" in refused("--store", "mysql://localhost/x"))
check("nor without a folder", "sqlite:DIR or postgresql://" in refused("--store", "sqlite:"))
check("nobody there", "cannot reach the database" in refused("--store", "postgresql://kraton@/x?host=" + folder))
check("no such database", "does not exist" in refused("--store", address.replace("/postgres?", "/none?")))
check("no data in it", "no server's data" in refused("--store", empty, "--arbiter", "ann"))
check("no file", "pg_dump" in refused("--store", empty, "--backup", folder + "/copy"))
cluster.query(address, "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'")
check("letters", "createdb -E UTF8" in refused("--store", address.replace("/postgres?", "/latin?")))

with Server("--bots", "0") as server:
    place = store_options(server.folder + "/data")[-1]
    check("no folder is made", not os.path.exists(server.folder + "/data"))
    check("one server at a time", "another server is using" in refused("--store", place))

    # a game goes on over a kill, and over an end of the connection
    a, b, game = pair(server)
    tokens = a.welcome["token"], b.welcome["token"]
    play_out(a, b, game, most=6)
    a.hear("turn")  # the last move is kept
    server.kill()
    server.restart()
    a, b = (Lines(server.bot_port).login(token) for token in tokens)
    check("its moves", a.hear("turn")["ply"] == "6")
    cluster.query(address, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'kraton'")
    check("it stops with the next heartbeat", server.process.wait(PATIENCE) == 1)
    log = open(server.folder + "/stderr").read()
    check("and says why: " + log, "see to the database, then start it again" in log)
    server.process.stdout.close(), server.errors.close()
    server.restart()
    a, b = (Lines(server.bot_port).login(token) for token in tokens)
    check("what was told is kept", int(a.hear("turn")["ply"]) == 6)
    a.say("resign game=%s" % game)
    check("the end", b.hear("result")["reason"] == "resignation")
    check("in the archive", server.rest("GET", "/api/v1/games")[2]["games"][0]["plies"] == 6)

    # names are the same but for the case of ASCII letters
    def register(name):
        return server.rest("POST", "/api/v1/register", {"name": name, "password": "long enough"})[0]

    check("a name", register("Ada") in (200, 201) and register("ADA") == 409)
    check("found", server.rest("GET", "/api/v1/players/aDA")[2]["name"] == "Ada")
    check("made an arbiter", server.manage("--arbiter", "ada").stdout.startswith("Ada is an arbiter"))

# plans follow the size of the tables: an archive of a few games grows
def load(first, count):
    game = '[Game "Chinese Chess"]\n[Red "P %d"]\n[Black "Q"]\n[Result "1-0"]\n\n1. H2-E2 H9-G7 2. H0-G2 I9-H9 1-0\n\n'
    with open(folder + "/games.pgn", "w") as file:
        file.write("".join(game % i for i in range(first, first + count)))
    done = subprocess.run([kraton, "archive", "import", folder + "/games.pgn", "--store", place], capture_output=True, text=True, timeout=PATIENCE)
    check("imported: " + done.stdout + done.stderr, done.stdout == "%d games: %d new, 0 there already\n" % (count, count))


load(0, 3)
cluster.query(place, "VACUUM ANALYZE")
cluster.query(place, "SELECT pg_stat_reset()")
load(3, 1000)
whole, found = map(int, cluster.query(place, "SELECT seq_scan, idx_scan FROM pg_stat_user_tables WHERE relname = 'games'").split("|"))
check("games: %d times read from end to end, %d times by an index" % (whole, found), whole < found)

# what a later program has made is left alone
version = cluster.query(place, "SELECT version FROM schema_version")
cluster.query(place, "UPDATE schema_version SET version = 1000")
check("a later version", "later version" in refused("--store", place))
cluster.query(place, "UPDATE schema_version SET version = %s" % version)
check("--new is not for what is there", "--new is for an empty one" in refused("--store", place, "--new"))
shutil.rmtree(folder)
