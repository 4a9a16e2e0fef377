"""Records read and written for a page: every format in, the others out, what is wrong with them."""
from kit import *

PGN = """[Game "Chinese Chess"]
[Red "许银川"]
[Black "吕钦"]
[Result "1-0"]

1. 炮二平五 马8进7 2. H2+3 {develops} (2. B3+5) R9=8 1-0
"""
CONTEST = """#2026-11-15 14:05|沈阳
#先手方:甲队|后手方:乙队|未决胜
!BBBBBB
!BBBBBB
!000000
!000000
!RRRRRR
!RRRRRR
B2E-3E
R5C-4C
"""

with Server() as server:
    status, _, table = server.rest("GET", "/api/games")
    games = {game["name"]: game for game in table["games"]}
    protocols = {protocol["names"][0]: protocol for protocol in table["protocols"]}
    surakarta, xiangqi = games["surakarta"], games["xiangqi"]
    check("the table of games", status == 200 and list(games) == ["surakarta", "xiangqi"] and xiangqi["default"] and not surakarta["default"])
    check("boards", [surakarta["board"][key] for key in ("files", "ranks", "first_rank", "images")] == [6, 6, 1, 8]
          and [xiangqi["board"][key] for key in ("files", "ranks", "first_rank", "images")] == [9, 10, 0, 2])
    check("sides", surakarta["sides"] == ["Black", "White"] and xiangqi["sides"] == ["Red", "Black"])
    check("notations", surakarta["notations"] == ["native", "sau"] and xiangqi["notations"][:4] == ["native", "iccs", "wxf", "chinese"])
    check("rule sets", [(rules["name"], rules["title"]) for rules in xiangqi["rule_sets"]][:2] == [("wxf", "World Xiangqi Federation"), ("asian", "Asian")]
          and surakarta["rule_sets"][0]["fields"].startswith("repetition=3,no-capture=50"))
    formats = {game: [f["name"] for f in games[game]["formats"]] for game in games}
    check("record formats", formats == {"surakarta": ["contest", "pgn", "json", "moves"], "xiangqi": ["pgn", "dhtmlxq", "json", "xqf", "cbr", "cbl", "wxf", "dpxq", "moves"]}
          and surakarta["save_as"] == "contest" and xiangqi["save_as"] == "pgn")
    check("what games have", surakarta["has"] == {"check": False, "circuits": True, "tables": True, "opening_names": False}
          and xiangqi["has"] == {"check": True, "circuits": False, "tables": False, "opening_names": True})
    check("protocols", list(protocols) == ["uci", "ucci", "cecp", "sau"] and protocols["cecp"]["names"] == ["cecp", "xboard"]
          and protocols["cecp"]["move_time_step_us"] == 1000000 and protocols["sau"]["set_up"] == "never" and protocols["sau"]["reuse"] == "never")
    check("who speaks what", surakarta["protocols"] == list(protocols) and xiangqi["protocols"] == ["uci", "ucci", "cecp"])
    for name in games:
        _, _, position = server.rest("GET", "/api/v1/position/" + name)
        check("the start of " + name, position["fen"] == games[name]["start"])

    def ask(text, query=""):
        status, headers, answer = server.rest("POST", "/api/v1/record" + query, text if isinstance(text, bytes) else text.encode())
        return status, answer

    status, pgn = ask(PGN)
    game = pgn["games"][0]
    check("a PGN", status == 200 and pgn["format"] == "pgn" and game["game"] == "xiangqi" and game["result"] == "first wins")
    check("its moves", game["moves"] == ["h2e2", "h9g7", "h0g2", "i9h9"] and game["first"] == "许银川")
    check("its start", game["fen"].startswith("rnbakabnr/") and not pgn["more"] and pgn["faults"] == [])

    long = PGN + "[Red \"x\"]\n\n1. C2=5 {%s} *\n" % ("word " * 60_000)
    status, answer = ask(long)
    check("a file of 300 KB", status == 200 and len(answer["games"]) == 2 and len(answer["games"][1]["comments"]["1"]) > 299_000)
    status, answer = ask(b"x" * (4 << 20) + b"x")
    check("more than 4 MB", status == 413)
    status, _, _ = server.rest("POST", "/api/v1/login", b"x" * 70_000)
    check("other bodies stay small", status == 413)
    status, answer = ask("1. h2e2 (1. a0a9) (1. a0a8) *")
    check("all remarks", len(answer["games"][0]["remarks"]) == 2 and "a0a8" in answer["games"][0]["remarks"][1])

    for encoding in "utf-8", "gbk":
        status, contest = ask(CONTEST.encode(encoding))
        check("a contest record in " + encoding, status == 200 and contest["games"][0]["moves"] == ["e5-e4", "c2-c3"]
              and contest["games"][0]["first"] == "甲队")
    status, named = ask("!BBBBBB\n!BBBBBB\n!000000\n!000000\n!RRRRRR\n!RRRRRR\nB2E-3E\n", "?name=SU-Mimi%20vs%20Rex-%E5%85%88%E6%89%8B%E8%83%9C-202611151405.txt")
    check("a file's name", named["games"][0]["first"] == "Mimi" and named["games"][0]["result"] == "first wins")

    check("moves of what?", ask("b5-b4")[1]["error"] == "game")
    for noise in bytes(range(1, 200)), b"\0\1\2", b"dear all":
        status, answer = ask(noise)
        check("no record: %s" % answer, status == 400 and answer["error"] == "record" and "no record" in answer["words"])
    status, moves = ask("b5-b4 EEED\n\nb5-b3\nc5-c4", "?game=surakarta")
    check("lists of moves", [g["moves"] for g in moves["games"]] == [["b5-b4", "e2-e3"], ["c5-c4"]])
    check("a bad one among them", len(moves["faults"]) == 1 and moves["faults"][0].startswith("line 3"))
    check("an untagged PGN", ask("1. b5-b4 b2-b3", "?game=surakarta")[1]["games"][0]["moves"] == ["b5-b4", "b2-b3"])
    check("of the other game", ask(PGN, "?game=surakarta")[1]["games"][0]["game"] == "xiangqi")

    same = json.dumps({"game": "surakarta", "moves": ["e5-e4", "c2-c3"], "first": "甲队", "second": "乙队"})
    status, written = ask(same, "?as=contest")
    check("written for the contest", status == 200 and "B2E-3E\r\nR5C-4C" in written.decode("gbk") and "甲队" in written.decode("gbk"))
    status, again = ask(written)
    check("and read again", again["games"][0]["moves"] == ["e5-e4", "c2-c3"])
    check("as PGN", b"1. e5-e4 c2-c3" in ask(same, "?as=pgn")[1])
    check("as moves", ask(PGN, "?as=moves")[1] == b"h2e2 h9g7 h0g2 i9h9\n")
    for query, lost in ("?as=moves", "dropped: the format moves has no place for them"), ("?as=pgn", None):
        headers = {k.lower(): v for k, v in dict(server.rest("POST", "/api/v1/record" + query, PGN.encode())[1]).items()}
        check("what is lost: %s" % headers, lost in headers["kraton-remarks"] and "Red" in headers["kraton-remarks"] if lost else "kraton-remarks" not in headers)
    check("no such format", ask(PGN, "?as=doc")[1]["error"] == "format")
    check("not for that game", ask(PGN, "?as=contest")[1]["error"] == "record")

    for text in b"", b"   \n", b"{", b"\xff\xfe\x00", b"[Game \"Go\"]\n\n1. a1 *", b"#" * 60000, "炮二平五".encode() * 4000:
        status, answer = ask(text, "?game=xiangqi")
        check("refused: %r" % text[:8], status == 400 and answer["error"] == "record" and answer["words"])
    status, many = ask("b5-b4\n" * 60, "?game=surakarta")
    check("so many and no more", len(many["games"]) == 50 and many["more"])
    check("not by GET", server.rest("GET", "/api/v1/record")[0] == 405)
