"""Positions of finished games: found by index and before they are in it; short unrated games are forgotten after a while,
others stay. With a second argument: a database of so many games is made and searched, and the times are printed."""
from kit import *
import sqlite3, struct, urllib.parse


def search(server, **terms):
    status, _, answer = server.rest("GET", "/api/v1/games?" + urllib.parse.urlencode(terms))
    check("found: %s" % answer, status == 200)
    return [g["id"] for g in answer["games"]]


def fen_after(server, *moves):
    return server.rest("GET", "/api/v1/position/surakarta?moves=" + "+".join(moves))[2]["fen"]


def play(server, moves, rated=None):
    a, b, game = pair(server)
    for ply, move in enumerate(moves):
        (a, b)[ply % 2].hear("turn")
        (a, b)[ply % 2].say("move game=%s ply=%d move=%s" % (game, ply, move))
    (a, b)[len(moves) % 2].hear("turn")
    a.say("resign game=" + game)
    a.hear("result")
    a.close()
    b.close()
    return int(game)


def database(server):
    return server.database()


def value(server, query, *arguments):
    """Of a query with one answer."""
    db = database(server)
    found = db.execute(query, arguments).fetchone()[0]
    db.close()
    return found


def wait_for(what, truth):
    until = time.monotonic() + PATIENCE
    while not truth():
        check(what, time.monotonic() < until)
        time.sleep(0.05)


SHUFFLE = ["b5-b4", "b2-b3", "b4-b5", "b3-b2"]
LINE = SHUFFLE + ["c5-c4", "c2-c3", "d5-d4", "d2-d3", "e5-e4", "e2-e3"]


def fill(db, games, keys):
    """Games of 40 positions: all have the first of the keys, half of them the second, and so on."""
    chance = random.Random(1)
    ended = 1700000000000000
    db.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; BEGIN;")
    db.executemany("INSERT INTO games(id, game, rules, first, second, control, rated, started, begun, ended, outcome, reason, side, words, plies)"
                   " VALUES(?, 'surakarta', 'default', 1, 2, '60+1', 1, ?, 1, ?, ?, 'resignation', 0, '', 40)",
                   ((n, ended + n, ended + n, 1 + n % 3) for n in range(1000, 1000 + games)))
    for part in range(64):  # sorted by key within each part of the range, so that the table is written in order
        low = -2**63 + part * 2**58
        rows = [(low + chance.getrandbits(58), chance.randrange(1000, 1000 + games)) for i in range(games * 32 // 64)]
        for i, key in enumerate(keys[:8]):
            if low <= key < low + 2**58:
                rows += [(key, n) for n in range(1000, 1000 + games, 2**i)]
        rows.sort()
        db.executemany("INSERT OR IGNORE INTO position_games VALUES(?, ?)", rows)
    db.commit()
    db.close()


def measure(count):
    with Server("--bots", "0") as server:
        line = LINE
        game = play(server, line)
        wait_for("indexed", lambda: value(server, "SELECT count(*) FROM unplaced") == 0)
        keys = struct.unpack("<11q", value(server, "SELECT keys FROM game_keys"))
        distinct = [0] + list(range(4, 11))
        server.kill()
        began = time.monotonic()
        fill(database(server), count, [keys[i] if i else keys[0] for i in distinct])
        print("%d games, %d MB, made in %d s" % (count, os.path.getsize(server.folder + "/data/kraton.db") >> 20, time.monotonic() - began), flush=True)
        server.restart()
        for name, terms in (("in all games", {"fen": fen_after(server)}), ("in one of two", {"fen": fen_after(server, *line[:5])}),
                            ("in one of 64", {"fen": fen_after(server, *line[:10])}),
                            ("nowhere", {"fen": fen_after(server, "a5-a4", "a2-a3", "f5-f4")}),
                            ("of a player, in all", {"fen": fen_after(server), "player": "guest"}),
                            ("in one of 64, drawn", {"fen": fen_after(server, *line[:10]), "result": "draw"})):
            terms["game"] = "surakarta"
            if terms.get("player"):
                terms["player"] = server.rest("GET", "/api/v1/games/%d" % game)[2]["first_name"]
            took = []
            for i in range(9):
                began = time.perf_counter()
                found = search(server, **terms)
                took.append(time.perf_counter() - began)
            print("a position %-22s %3d found, %.1f ms at first, %.1f ms then (median)" % (name + ":", len(found), took[0] * 1000, sorted(took[1:])[4] * 1000), flush=True)


if len(sys.argv) > 2:
    measure(int(sys.argv[2]))
    sys.exit()

with Server("--bots", "0") as server:
    short, longer = play(server, SHUFFLE[:2]), play(server, LINE)
    after_two = fen_after(server, *SHUFFLE[:2])
    found = search(server, game="surakarta", fen=after_two)
    check("found at once: %s" % found, found == [longer, short])
    wait_for("indexed", lambda: value(server, "SELECT count(*) FROM unplaced") == 0)
    check("once a game and position", value(server, "SELECT count(*) FROM position_games WHERE game = ?", longer) == 10)
    name = server.rest("GET", "/api/v1/games/%d" % short)[2]["first_name"]
    for terms, found in (({}, [longer, short]), ({"before": longer}, [short]), ({"limit": 1}, [longer]), ({"player": name}, [short]),
                         ({"result": "draw"}, []), ({"result": "second wins"}, [longer, short])):
        check("found by index: %s" % terms, search(server, game="surakarta", fen=after_two, **terms) == found)
    check("elsewhere", search(server, game="surakarta", fen=fen_after(server, "a5-a4")) == [])

    def figures():
        return server.rest("GET", "/api/v1/openings/surakarta")[2]["games"]

    check("counted: %s" % figures(), figures() == 3)
    # eight days later
    server.kill()
    db = database(server)
    db.execute("UPDATE games SET ended = ended - 8 * 86400000000, started = started - 8 * 86400000000")
    db.commit()
    db.close()
    server.restart()
    wait_for("the short one is forgotten", lambda: server.rest("GET", "/api/v1/games/%d" % short)[0] == 404)
    check("the other stays", server.rest("GET", "/api/v1/games/%d" % longer)[0] == 200)
    check("out of the archive", search(server, game="surakarta", fen=after_two) == [longer])
    wait_for("out of the explorer", lambda: figures() == 2)
    left = [value(server, "SELECT count(*) FROM %s WHERE game = ?" % t, short) for t in ("moves", "game_keys", "position_games", "unplaced")]
    check("nothing is left: %s" % left, left == [0, 0, 0, 0])
