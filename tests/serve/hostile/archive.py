"""The archive: searches that find nothing, records of 200 games, one's own data, positions after two thousand moves, the whole
of a long game again and again; in an archive of some thousand games that one account has played."""
from bystander import *
import sqlite3, threading, urllib.parse

GAMES = 3000
SHUFFLE = "+".join(["b5-b4", "b2-b3", "b4-b5", "b3-b2"] * 500)


def fill(folder):
    subprocess.run([sys.argv[1], "bench", "archive", "--games", str(GAMES), "--data", folder + "/data"], check=True, capture_output=True)


def prepare(server):
    """The cookie of an account that gets all the games."""
    answer = ask(server, "198.51.100.1", "POST", "/api/v1/register", {"name": "Hoarder", "password": "long enough 1"})
    check("registered: %s" % (answer,), answer[0] == 200)
    db = sqlite3.connect(server.folder + "/data/kraton.db", timeout=PATIENCE)
    db.execute("UPDATE games SET first = (SELECT id FROM players WHERE name = 'Hoarder'), sum = NULL")
    db.commit()
    db.close()
    return answer[1]["Set-Cookie"].split(";")[0]


def paths(number):
    start = "game=surakarta&fen=" + urllib.parse.quote("bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0 1")
    for i in range(6):
        yield "/api/v1/games?%s&reason=nothing%d" % (start, 10 * number + i)
        yield "/api/v1/games?opening=zz%d" % (10 * number + i)
        yield "/api/v1/games?player=Hoarder&limit=200&format=pgn&before=%d" % (GAMES - i)
        yield "/api/v1/games?limit=200&before=%d" % (GAMES - i)
        yield "/api/v1/me/data"
        yield "/api/v1/position/surakarta?moves=" + SHUFFLE
        yield "/api/v1/openings/surakarta?moves=" + SHUFFLE
        yield "/api/v1/players/Hoarder"
        yield "/api/v1/games/%d/record?format=pgn" % (GAMES - i)
        yield "/api/v1/games/%d/analysis" % (GAMES - i)


def get(server, cookie, wanted, statuses):
    for path in wanted:
        statuses.append((path.split("?")[0], ask(server, "198.51.100.1", "GET", path, None, cookie)[0]))


def attack(server, cookie, number):
    statuses, wanted = [], list(paths(number))
    threads = [threading.Thread(target=get, args=(server, cookie, wanted[i::8], statuses)) for i in range(8)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    print("  answers: %s" % sorted({s for s in statuses}))


scratch = tempfile.mkdtemp()
fill(scratch)
under_attack("searches, records and one's own data out of %d games" % GAMES, prepare, attack, folder=scratch)
shutil.rmtree(scratch)
