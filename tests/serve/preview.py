"""Previews of links: tags in the head of the page, and the pictures they name."""
import re, struct, urllib.request, zlib
from kit import *


def fetch(server, path):
    try:
        with urllib.request.urlopen("http://127.0.0.1:%d%s" % (server.port, path)) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def pixels(png):
    """Width, height and rows of a PNG of eight bits, red green blue, filter none or sub."""
    check("a PNG", png[:8] == b"\x89PNG\r\n\x1a\n")
    at, width, height, packed = 8, 0, 0, b""
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at:at + 8])
        content = png[at + 8:at + 8 + size]
        check("the checksum of %s" % kind, struct.unpack(">I", png[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + content))
        if kind == b"IHDR":
            width, height = struct.unpack(">II", content[:8])
        if kind == b"IDAT":
            packed += content
        at += size + 12
    raw, rows, step = zlib.decompress(packed), [], 3 * width + 1
    for y in range(height):
        row = bytearray(raw[y * step + 1:(y + 1) * step])
        for i in range(3, len(row)):
            row[i] = (row[i] + row[i - 3]) & 255
        rows.append(row)
    return width, height, rows


def tags(page):
    return dict(re.findall(r'<meta property="([^"]+)" content="([^"]*)">', page.decode()))


def count(rows, wanted):
    """Pixels near a colour."""
    return sum(1 for row in rows for i in range(0, len(row), 3) if all(abs(row[i + j] - wanted[j]) < 24 for j in range(3)))


with Server() as server:
    for game, fen, colours in (
            ("surakarta", "", [(0x24, 0x26, 0x2a), (0xfa, 0xf8, 0xf2), (0xb1, 0x3b, 0x0b), (0x0b, 0x5c, 0x96)]),
            ("xiangqi", "", [(0xb0, 0x1e, 0x16), (0x1d, 0x1a, 0x15), (0xf6, 0xe2, 0xb5)])):
        status, headers, png = fetch(server, "/api/v1/preview/" + game)
        check("%s: a picture" % game, status == 200 and headers["content-type"] == "image/png")
        width, height, rows = pixels(png)
        check("%s: its size" % game, (width, height) == (800, 420))
        for colour in colours:
            check("%s: %s is there: %d" % (game, colour, count(rows, colour)), count(rows, colour) > 300)
    one = fetch(server, "/api/v1/preview/xiangqi?fen=3k5/9/9/9/9/9/9/9/9/4K4+w+-+-+0+1")[2]
    two = fetch(server, "/api/v1/preview/xiangqi?fen=3k5/9/9/9/9/9/9/9/9/4K4+w+-+-+0+1&moves=e0e1")[2]
    check("a move changes it", one != two)
    check("the same position, the same bytes", one == fetch(server, "/api/v1/preview/xiangqi?fen=3k5/9/9/9/9/9/9/9/9/4K4+w+-+-+0+1")[2])
    for path, code in ("/chess", 404), ("/xiangqi?fen=nonsense", 400), ("/game/99", 404), ("/game/x", 404):
        check("%s is refused" % path, fetch(server, "/api/v1/preview" + path)[0] == code)

    a, b, game = pair(server, "game=xiangqi tc=60+1")
    a.hear("turn")
    a.say("move game=%s move=h2e2" % game)
    b.hear("turn")
    status, headers, page = fetch(server, "/game/" + game)
    found = tags(page)
    check("a game's tags: %s" % found, "Xiangqi" in found["og:description"] and found["og:image"].endswith("/api/v1/preview/game/" + game)
          and found["og:image"].startswith("http://127.0.0.1:%d/" % server.port))
    check("its picture", fetch(server, "/api/v1/preview/game/" + game)[0] == 200)
    b.say("resign game=" + game)
    b.hear("result")
    check("over: %s" % tags(fetch(server, "/game/" + game)[2]), "Red wins: resignation" in tags(fetch(server, "/study/game/" + game)[2])["og:description"])
    found = tags(fetch(server, "/puzzles/surakarta/1")[2])
    check("a puzzle's tags: %s" % found, "puzzle 1" in found["og:title"] and "?fen=" in found["og:image"])
    check("its picture", fetch(server, found["og:image"].replace("&amp;", "&").split(str(server.port), 1)[1])[0] == 200)
    found = tags(fetch(server, "/study/xiangqi?fen=3k5/9/9/9/9/9/9/9/9/4K4_w_-_-_0_1&moves=e0e1")[2])
    check("the study's tags: %s" % found, found["og:image"].endswith("xiangqi?fen=3k5/9/9/9/9/9/9/9/9/4K4+w+-+-+0+1&amp;moves=e0e1"))
    check("its picture", fetch(server, found["og:image"].replace("&amp;", "&").split(str(server.port), 1)[1])[0] == 200)
    page = fetch(server, '/study/xiangqi?fen=%22%3E%3Cscript%3E')[2]
    check("nothing gets in by the query", b"<script>" not in page.replace(b"<script src=", b"", 1) and not tags(page))
    check("other pages have none", not tags(fetch(server, "/watch")[2]) and not tags(fetch(server, "/game/77")[2]))
    check("the start has some", "og:image" in tags(fetch(server, "/")[2]))
