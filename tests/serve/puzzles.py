"""Puzzles: those of the day, the next one for a solver, a try that counts once, ratings that are kept."""
import re, subprocess
from kit import *


def puzzle(server, path, cookie=None):
    status, _, body = server.rest("GET", "/api/v1/puzzles" + path, cookie=cookie)
    return status, body


def try_it(server, p, moves, cookie):
    status, _, body = server.rest("POST", "/api/v1/puzzles/%s/%d" % (p["game"], p["number"]), {"moves": moves}, cookie=cookie)
    return status, body


def register(server, name):
    status, headers, body = server.rest("POST", "/api/v1/register", {"name": name, "password": "correct horse"})
    return headers["set-cookie"].split(";")[0]


def lines_are_right(server):
    """Every puzzle: its line is legal, as `kraton judge` has it, and its mates are mates."""
    for game in "surakarta", "xiangqi":
        status, body = puzzle(server, "/" + game)
        count = body["count"]
        check("%s has puzzles" % game, status == 200 and count > 0)
        wrong = []
        for number in 1, count // 2 + 1, count:
            status, p = puzzle(server, "/%s/%d" % (game, number))
            judged = subprocess.run([server.kraton, "judge", game, "--fen", p["fen"]] + p["moves"],
                                    capture_output=True, text=True)
            is_won = re.search("^result: (first|second) wins", judged.stdout, re.M)
            if judged.returncode or (p["kind"] == "mate" and not is_won) or len(p["moves"]) % 2 == 0:
                wrong.append((p, judged.stdout + judged.stderr))
        check("%s: lines are legal and end as their kind says: %s" % (game, wrong), not wrong)


def tries(server):
    ann, ben = register(server, "Ann"), register(server, "Ben")
    status, p = puzzle(server, "/xiangqi", ann)
    check("a first puzzle, near 1200", status == 200 and p["solver"]["tries"] == 0 and p["solver"]["rating"] == 1200)
    solution = " ".join(p["moves"][::2])
    status, body = try_it(server, p, solution, ann)
    check("solved: %s" % body, status == 200 and body["solved"] and body["counts"] and body["change"] > 0)
    better = body["solver"]["rating"]
    check("the rating rises", better > 1200 and body["solver"]["solved"] == 1)
    status, body = try_it(server, p, "", ann)
    check("a second try does not count", status == 200 and not body["solved"] and not body["counts"]
          and body["solver"]["rating"] == better)
    status, q = puzzle(server, "/xiangqi?after=%d" % p["number"], ann)
    check("the next one is another", q["number"] != p["number"])
    status, body = try_it(server, q, "a0a0 nonsense", ann)
    check("a wrong try lowers it", status == 200 and not body["solved"] and body["change"] < 0)
    status, body = try_it(server, q, solution + " " + solution, ben)
    check("others have a rating of their own", status == 200 and body["solver"]["tries"] == 1)
    status, body = try_it(server, q, solution, None)
    check("nobody's try is refused", status == 401)
    seen = {p["number"], q["number"]}
    for _ in range(5):
        status, r = puzzle(server, "/xiangqi", ann)
        check("one that was not tried: %d" % r["number"], r["number"] not in seen)
        seen.add(r["number"])
        try_it(server, r, " ".join(r["moves"][::2]), ann)
    status, body = puzzle(server, "/xiangqi", ann)
    check("seven tries", body["solver"]["tries"] == 7)
    return ann, body["solver"]


def edges(server):
    for path, code in ("/chess", "game"), ("/xiangqi/0", "puzzle"), ("/xiangqi/100000", "puzzle"), ("/xiangqi/x", "puzzle"):
        status, body = puzzle(server, path)
        check("%s: %s" % (path, body), status == 404 and body["error"] == code)
    status, _, body = server.rest("GET", "/api/v1/puzzles")
    check("one of each game is the day's", status == 200 and [g["game"] for g in body["games"]] == ["surakarta", "xiangqi"]
          and all(g["daily"]["game"] == g["game"] and g["daily"]["moves"] and not g["tried"] for g in body["games"]))
    again = server.rest("GET", "/api/v1/puzzles")[2]
    check("and stays it", [g["daily"]["number"] for g in again["games"]] == [g["daily"]["number"] for g in body["games"]])


with Server() as server:
    lines_are_right(server)
    edges(server)
    cookie, solver = tries(server)
    server.kill()
    server.restart()
    check("ratings survive a crash", puzzle(server, "/xiangqi", cookie)[1]["solver"] == solver)
