"""What the page studies with: endgame tables as `kraton tb probe` has them, openings with how they
did here, whole games looked through by the engine, moves with clocks and scores."""
import math, os, subprocess, urllib.parse
from kit import *


def ask(server, path, **fields):
    return server.rest("GET", "/api/v1" + path + "?" + urllib.parse.urlencode(fields))


def play(server, line, terms, ending="resign"):
    """A game of these moves, after which whoever is to move resigns; its number."""
    a, b, game = pair(server, terms)
    players = [a, b]
    for ply, move in enumerate(line.split()):
        players[ply % 2].hear("turn")
        players[ply % 2].say("move game=%s move=%s score=%d depth=3 nodes=70" % (game, move, 10 + ply))
    loser = players[len(line.split()) % 2]
    loser.hear("turn")
    status, _, body = server.rest("GET", "/api/v1/games/%s/moves" % game)
    check("no scores while it lives", status == 200 and not any("score" in m for m in body["moves"]))
    status, _, body = server.rest("POST", "/api/v1/games/%s/analysis" % game)
    check("not while it lives: %s" % body, status == 409 and body["error"] == "live")
    loser.say("resign game=" + game)
    for p in players:
        p.hear("result")
        p.close()
    return game


def tables(server):
    where = server.folder + "/data/tables"
    os.makedirs(server.folder + "/data", exist_ok=True)
    status, _, body = ask(server, "/tables/surakarta", fen="6/1b4/6/6/4w1/6 b")
    check("no tables yet: %s" % body, status == 404 and body["error"] == "tables")
    for rules in "count", "traditional":
        subprocess.run([server.kraton, "tb", "build", "--pieces", "3", "--dir", where, "--rules", rules,
                        "--threads", "1"], check=True, stdout=subprocess.DEVNULL)
    as_the_prober_says(server, where)
    status, _, body = ask(server, "/tables")
    check("what there is: %s" % body, status == 200 and [(t["rules"], t["pieces"], t["tables"], t["distances"])
          for t in body["tables"]] == [("traditional", 3, 3, 3), ("count", 3, 3, 3)] and body["tables"][0]["positions"] == 6534)
    # Compressed, then without distances: the server reads what is there now.
    subprocess.run([server.kraton, "tb", "pack", "--dir", where], check=True, stdout=subprocess.DEVNULL)
    as_the_prober_says(server, where)
    for name in os.listdir(where):
        if name.endswith(".distances"):
            os.remove(os.path.join(where, name))
    as_the_prober_says(server, where)
    status, _, body = ask(server, "/tables/surakarta", fen="wb3w/6/6/6/6/6 b 0 1")
    check("a value without a distance: %s" % body, body["value"] == "win" and body["distance"] is None)
    status, _, body = ask(server, "/tables")
    check("values alone: %s" % body, [t["distances"] for t in body["tables"]] == [0, 0])
    for status, code, fields in ((404, "tables", dict(fen="bbb3/6/6/6/6/ww4 b")), (400, "position", dict(fen="x")),
                                 (400, "position", {}), (400, "rules", dict(fen="6/1b4/6/6/4w1/6 b", rules="x")),
                                 (404, "tables", dict(fen="6/1b4/6/6/4w1/6 b", rules="icga,no-capture-end=draw"))):
        got, _, body = ask(server, "/tables/surakarta", **fields)
        check("refused: %s" % body, (got, body["error"]) == (status, code))
    check("only Surakarta's", ask(server, "/tables/xiangqi", fen="x")[0] == 404)


def as_the_prober_says(server, where):
    for fen in "6/1b4/6/6/4w1/6 b", "wb3w/6/6/6/6/6 b 0 1", "6/6/6/6/6/w5 b 0 1", "b5/6/2w3/6/6/5w w":
        for rules in "icga", "traditional", "count":
            status, _, body = ask(server, "/tables/surakarta", fen=fen, rules=rules)
            check("found: %s" % body, status == 200)
            said = subprocess.run([server.kraton, "tb", "probe", "--dir", where, "--rules", rules],
                                  input=fen + "\n", capture_output=True, text=True, check=True).stdout
            distance = lambda d: "?" if d is None else d
            moves = " ".join("%s=%s/%s" % (m["move"], m["value"], distance(m["distance"])) for m in body["moves"])
            mine = "%s\t%s\t%s\t%s\n" % (fen, body["value"], distance(body["distance"]), moves)
            check("as the prober says:\n%s%s" % (mine, said), mine == said)


def openings(server):
    status, _, body = ask(server, "/openings/xiangqi")
    check("names lead on before a game was played", status == 200 and body["games"] == 0 and
          all(m["name"]["code"] and m["name"]["zh"] for m in body["moves"]) and body["moves"])
    first = play(server, "h2e2 h9g7 h0g2", "game=xiangqi tc=60+1")   # second resigns
    play(server, "b2e2 b9c7", "game=xiangqi tc=60+1")                # its mirror image; first resigns
    play(server, "g3g4", "game=xiangqi tc=60+1")
    status, _, body = ask(server, "/openings/xiangqi")
    moves = {m["move"]: m for m in body["moves"]}
    check("two centre cannons as one: %s" % body, body["games"] == 3 and body["moves"][0]["move"] in ("h2e2", "b2e2") and
          [body["moves"][0][k] for k in ("games", "first", "draws", "second")] == [2, 1, 0, 1])
    check("the other", moves["g3g4"]["first"] == 1 or moves.get("c3c4", {}).get("first") == 1)
    status, _, body = ask(server, "/openings/xiangqi", moves="h2e2 h9g7")
    check("a name: %s" % body, body["name"]["code"] and body["name"]["zh"] and body["name"]["en"])
    check("went on: %s" % body, [m["games"] for m in body["moves"] if m["move"] == "h0g2"] == [1])
    fen = body["fen"]
    same = ask(server, "/openings/xiangqi", fen=fen)[2]
    check("by position too", same["moves"] == body["moves"])
    status, _, found = ask(server, "/games", game="xiangqi", fen=fen)
    check("found by position, mirrored too: %s" % found, sorted(g["plies"] for g in found["games"]) == [2, 3])
    check("none", ask(server, "/games", game="xiangqi", fen=fen.replace("w", "b"))[2]["games"] == [])
    check("bad ones", ask(server, "/openings/chess")[0] == 404 and ask(server, "/openings/xiangqi", moves="a0a9")[0] == 400)
    check("Surakarta's have no names", ask(server, "/openings/surakarta")[2]["moves"] == [])
    return first


def correction(server, game):
    """An arbiter's correction changes the figures."""
    server.rest("POST", "/api/v1/register", {"name": "Judge", "password": "long enough"})
    server.manage("--arbiter", "Judge").check_returncode()
    server.kill()
    server.restart()
    cookie = server.rest("POST", "/api/v1/login", {"name": "Judge", "password": "long enough"})[1]["Set-Cookie"].split(";")[0]
    status, _, body = server.rest("POST", "/api/v1/arbiter/games/%s/correct" % game,
                                  {"outcome": "draw", "reason": "a test"}, cookie)
    check("corrected: %s" % body, status == 200)
    best = ask(server, "/openings/xiangqi")[2]["moves"][0]
    check("counted anew: %s" % best, [best[k] for k in ("games", "first", "draws", "second")] == [2, 0, 1, 1])


def scores(server, game):
    status, _, body = server.rest("GET", "/api/v1/games/%s/moves" % game)
    check("clocks and scores: %s" % body, [(m["score"], m["depth"], m["nodes"]) for m in body["moves"]] ==
          [(10, 3, 70), (11, 3, 70), (12, 3, 70)] and all(m["used"] >= 0 and m["remaining"] > 0 for m in body["moves"]))
    pgn = server.rest("GET", "/api/v1/games/%s/record" % game)[2].decode()
    check("remarks in PGN: " + pgn, re.search(r"\{\[%clk\s0:01:0\d\.\d\d\d\]\s\[%emt\s0:00:00\.\d\d\d\]\s\[%eval\s-0\.11\]\}", pgn))
    text = server.rest("GET", "/api/v1/games?format=json&limit=1&before=%d" % (int(game) + 1))[2]
    j = json.loads(text)
    check("and beside JSON: %s" % j, j["scores"] == [10, -11, 12] and len(j["used"]) == len(j["clocks"]) == 3)
    for record, form in (pgn, "pgn"), (text.decode(), "json"):
        again = subprocess.run([server.kraton, "convert", form, "moves", "-"], input=record, capture_output=True, text=True)
        check("read back: %s" % again, again.stdout.split() == ["h2e2", "h9g7", "h0g2"])


def expected_mark(before, now, played, second_moved):
    """The mark by the definition of docs/engines.md; `before` and `now` are positions of an analysis."""
    def chance(p):
        return float(p["mate"] > 0) if "mate" in p else 1 / (1 + math.exp(-p["score"] / 250))
    loss = 0 if before["best"] == played else (chance(before) - chance(now)) * (-1 if second_moved else 1)
    return next((mark for least, mark in ((0.2, "??"), (0.1, "?"), (0.05, "?!")) if loss >= least), "")


def review(server, game):
    path = "/api/v1/games/%s/analysis" % game
    status, _, body = server.rest("GET", path)
    check("nobody has asked", status == 200 and body["state"] == "none" and body["positions"] == [])
    status, _, body = server.rest("POST", path)
    check("in line: %s" % body, status == 200 and body["state"] in ("waiting", "running"))
    end = time.time() + 6 * PATIENCE  # the engine runs only where nobody else wants to
    while body["state"] != "done" and time.time() < end:
        time.sleep(0.1)
        status, _, body = server.rest("GET", path)
    check("done: %s" % body, body["state"] == "done" and body["done"] == 4 == len(body["positions"]))
    for ply, p in enumerate(body["positions"]):
        check("a position: %s" % p, p["ply"] == ply and ("score" in p) != ("mate" in p) and p["best"] and p["depth"])
        check("judged: %s" % p, ply == 0 or (p["loss"] >= 0 and p["mark"] in ("", "?!", "?", "??")))
    played = [m["move"] for m in server.rest("GET", "/api/v1/games/%s/moves" % game)[2]["moves"]]
    for ply in range(1, 4):
        before, now = body["positions"][ply - 1 : ply + 1]
        check("marked by winning chance: %s" % now, now["mark"] == expected_mark(before, now, played[ply - 1], ply % 2 == 0))
    check("kept", server.rest("POST", path)[2] == body)
    check("from there on", server.rest("GET", path + "?from=3")[2]["positions"] == body["positions"][3:])
    check("no such game", server.rest("GET", "/api/v1/games/999/analysis")[0] == 404)


with Server("--bots", "2") as server:
    tables(server)
    game = openings(server)
    scores(server, game)
    review(server, game)
    correction(server, game)
    # Games that ended before there was an explorer are taken in, once.
    server.kill()
    old = server.database()
    old.executescript("DELETE FROM game_keys; DELETE FROM opening_moves;"
                      "UPDATE meta SET value = 1000 WHERE key = 'unindexed';")
    old.close()
    server.restart()
    end = time.time() + PATIENCE
    while (body := ask(server, "/openings/xiangqi")[2])["games"] < 3 and time.time() < end:
        time.sleep(0.1)
    check("taken in once: %s" % body, body["games"] == 3)
