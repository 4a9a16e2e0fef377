"""The edges: TLS, malformed lines and requests, limits, backup, a polite stop, a full restart."""
from kit import *
import gzip, re, warnings


def without_preview(page):
    """The page without the tags for link previews, which differ from place to place."""
    return re.sub(rb'<meta property="og:.*|<meta name="twitter:.*', b"", page).replace(b"\n", b"")


# --- a stop in the middle of work other threads do
with Server() as server:
    waiting = []
    for i in range(12):
        for head in (b'POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Length: 38\r\n\r\n{"name":"Name%d","password":"wrong!!!"}' % (i % 10),
                     b"GET /api/v1/games?opening=x HTTP/1.1\r\nHost: x\r\n\r\n"):
            s = socket.create_connection(("127.0.0.1", server.port), PATIENCE)
            s.sendall(head)
            waiting.append(s)

# --- TLS on both ports
folder = tempfile.mkdtemp()
subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                "-keyout", folder + "/key.pem", "-out", folder + "/cert.pem", "-days", "2", "-subj", "/CN=localhost"],
               check=True, capture_output=True)
with Server("--tls-cert", folder + "/cert.pem", "--tls-key", folder + "/key.pem") as server:
    trust = ssl.create_default_context(cafile=folder + "/cert.pem")
    trust.check_hostname = False
    a, b = Lines(server.bot_port, trust).guest(), Lines(server.bot_port, trust).guest()
    a.say("seek game=surakarta tc=60+1 side=first")
    b.say("seek game=surakarta tc=60+1")
    check("a game over TLS", play_out(a, b, a.hear("game")["id"]).verb == "result")
    c = http.client.HTTPSConnection("127.0.0.1", server.port, context=trust, timeout=PATIENCE)
    for _ in range(2):  # kept alive
        c.request("GET", "/api/v1/games/1/moves")
        check("HTTPS", len(json.loads(c.getresponse().read())["moves"]) > 10)
    c.close()
    old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
    warnings.simplefilter("ignore")
    old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
    try:
        Lines(server.bot_port, old)
        check("TLS 1.1 was taken", False)
    except (ssl.SSLError, OSError):
        pass
    plain = Lines(server.bot_port)
    plain.say("login guest=yes")
    check("plain text is refused", b"kraton" not in plain.file.read())
shutil.rmtree(folder)

with Server() as server:
    # --- lines
    a = Lines(server.bot_port)
    a.say("\x01\x02")
    check("no verb", a.hear("error")["code"] == "syntax")
    a.say("seek game=surakarta")
    check("login first", a.hear("error")["code"] == "login")
    a.guest()
    for line in ("seek game=chess", "seek game=surakarta tc=x", "seek game=surakarta fen=x", "seek game=xiangqi side=third",
                 "seek game=xiangqi rated=yes", "challenge to=nobody game=xiangqi", "accept id=0", "watch game=-1"):
        a.say(line)
        check(line, a.hear("error")["code"] in ("field", "player", "offer", "game"))
    a.say("x" * 5000)
    check("too long", a.hear("bye")["reason"] == "line")
    a = Lines(server.bot_port)
    a.socket.sendall(b"?\n" * 60)
    check("noise", a.hear("bye")["reason"] == "noise")
    a = Lines(server.bot_port)
    for _ in range(3):
        a.say("login token=" + "x" * 47)
    check("tokens", a.hear("bye")["reason"] == "token")
    a = Lines(server.bot_port).guest()
    a.socket.sendall(b"ping\n" * 4000)
    check("flood", a.hear("bye")["reason"] == "flood")

    # --- a reader that does not read is dropped, the others do not wait for it
    slow, quick = Lines(server.bot_port).guest(), Lines(server.bot_port).guest()
    slow.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.say("lobby on=yes")
    for i in range(60):
        quick.say("seek game=surakarta tc=%d+1" % (i + 1))
    try:
        for _ in range(150):
            slow.socket.sendall(b"lobby on=yes\n" * 10)
            quick.say("ping n=1")
            quick.hear("pong")
    except (ConnectionResetError, BrokenPipeError):
        pass
    metrics = server.rest("GET", "/metrics")[2].decode()
    check("the slow one was dropped", re.search(r"kraton_slow_readers_total 1\n", metrics))
    check("and the log says so", "%s: slow reader" % slow.name in open(server.folder + "/stderr").read())

    quick.say("unseek")
    quick.hear("gone")

    # --- requests
    def raw(data):
        s = socket.create_connection(("127.0.0.1", server.port), PATIENCE)
        s.sendall(data)
        s.shutdown(socket.SHUT_WR)
        answer = b""
        while piece := s.recv(65536):
            answer += piece
        s.close()
        return [int(code) for code in re.findall(rb"HTTP/1.1 (\d+)", answer)]

    get = b"GET /api/v1/health HTTP/1.1\r\nHost: x\r\n\r\n"
    check("pipelined", raw(get * 3) == [200, 200, 200])
    check("nonsense", raw(b"\x16\x03\x01 nonsense\r\n\r\n") == [400])
    check("long head", raw(b"GET /" + b"x" * 20000 + b" HTTP/1.1\r\nHost: x\r\n\r\n") == [431])
    check("many headers", raw(b"GET / HTTP/1.1\r\nHost: x\r\n" + b"".join(b"a%d: b\r\n" % i for i in range(80)) + b"\r\n") == [431])
    check("long body", raw(b"POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Length: 70000\r\n\r\n") == [413])
    check("no JSON", raw(b"POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc") == [400])
    check("no path", raw(b"GET /api/v1/nothing HTTP/1.1\r\nHost: x\r\n\r\n") == [404])
    status, headers, body = server.rest("GET", "/docs/nonexistent.html", headers={"Accept": "text/html,*/*"})
    check("a page where nothing is", status == 404 and headers["Content-Type"].startswith("text/html") and b"<a href=" in body)
    check("JSON for programs", "words" in server.rest("GET", "/api/v1/nothing", headers={"Accept": "text/html"})[2])
    check("no method", raw(b"DELETE /api/v1/health HTTP/1.1\r\nHost: x\r\n\r\n") == [405])
    check("login waits, then the next", raw(b"POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}" + get) == [403, 200])
    check("trailers are no body", raw(b"POST /api/v1/guest HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                                      b"2\r\n{}\r\n0\r\nX-Trailer: what looks like more\r\n\r\n" + get) == [201, 200])
    check("nor of a login", raw(b"POST /api/v1/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                                b"2\r\n{}\r\n0\r\nX: {\r\n\r\n") == [403])
    check("head", raw(b"HEAD /api/v1/health HTTP/1.1\r\nHost: x\r\n\r\n") == [200])

    # --- the page
    status, headers, page = server.rest("GET", "/")
    check("the page", status == 200 and b"<title>" in page)
    status, again, _ = server.rest("GET", "/", headers={"If-None-Match": headers["ETag"]})
    check("not again", status == 304 and "Content-Length" not in again)
    _, headers, packed = server.rest("GET", "/", headers={"Accept-Encoding": "br, gzip"})
    check("packed", headers["Content-Encoding"] == "gzip" and gzip.decompress(packed) == page)
    web = os.path.dirname(server.kraton) + "/web"
    if os.path.exists(web + "/style.css.br"):
        _, headers, short = server.rest("GET", "/style.css", headers={"Accept-Encoding": "gzip, br"})
        check("brotli", headers["Content-Encoding"] == "br" and short == open(web + "/style.css.br", "rb").read())
        check("no brotli", server.rest("GET", "/style.css", headers={"Accept-Encoding": "gzip, br;q=0"})[1]["Content-Encoding"] == "gzip")
    check("not packed", server.rest("GET", "/", headers={"Accept-Encoding": "gzip;q=0"})[2] == page)
    for path in ("/game/7", "/join/4503599627370497", "/me", "/study/xiangqi?fen=x"):
        status, headers, place = server.rest("GET", path)
        check("the page at " + path, status == 200 and without_preview(place) == without_preview(page))
    for path in ("/api", "/api/v1", "/api/v1/nothing", "/game/7.js", "/game//7"):
        check("nothing at " + path, server.rest("GET", path)[0] == 404)
    for path in ("/../run", "/%2e%2e/run", "//etc/passwd", "/style.css/", "/web/index.html"):
        check(path, server.rest("GET", path)[0] == 404)

    # --- frames
    page = Socket(server.port)
    page.hear("kraton")
    page.frame(1, b"no JSON")
    check("no JSON", page.hear("error")["code"] == "syntax")
    page.frame(2, b"binary")
    try:
        page.hear("none")
    except EOFError as end:
        check("binary", "binary" in str(end))
    page = Socket(server.port)
    page.socket.sendall(bytes([0x81, 0x05]) + b"hello")  # not masked
    try:
        page.hear("none")
    except EOFError:
        pass
    page = Socket(server.port)
    page.socket.sendall(bytes([0x81, 0xff]) + struct.pack(">Q", 1 << 40) + b"maskx")
    try:
        page.hear("none")
    except EOFError:
        pass

    page = Socket(server.port)
    try:
        for _ in range(200):
            page.frame(9, b"?")
        page.hear("none")
    except (EOFError, ConnectionResetError, BrokenPipeError) as end:
        check("a flood of pings: %s" % end, "flood" in str(end) or not isinstance(end, EOFError))

    # --- whoever reads slowly, but reads, gets all of it
    a, b, number = pair(server, "game=surakarta tc=60+1 rules=icga,repetition=0,no-capture=0")
    shuffle = ["b5-b4", "b2-b3", "b4-b5", "b3-b2"] * 500
    for ply, move in enumerate(shuffle):
        (a, b)[ply % 2].hear("turn")
        (a, b)[ply % 2].say("move game=%s move=%s" % (number, move))
    a.hear("turn")
    s = socket.socket()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    s.settimeout(PATIENCE)
    s.connect(("127.0.0.1", server.port))
    s.sendall(b"GET /api/v1/games/%s/moves HTTP/1.0\r\n\r\n" % number.encode())
    answer, began = b"", time.time()
    while piece := s.recv(16384):
        answer += piece
        time.sleep(0.1 if time.time() - began < 3 else 0)
    s.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    wanted = int(re.search(rb"Content-Length: (\d+)", head)[1])
    check("all of it: %d of %d" % (len(body), wanted), len(body) == wanted > 200000)
    a.say("resign game=" + number)
    a.hear("result")

    # --- a backup while it runs; a polite stop that says so; the game goes on from the backup, too
    a, b, number = pair(server)
    turn = a.hear("turn")
    a.say("move game=%s move=b5-b4" % number)
    b.hear("turn")
    copy = server.folder + "/copy"
    os.mkdir(copy)
    made = server.manage("--backup", copy + "/kraton.db")
    check("backup: " + made.stderr, made.returncode == 0)
    check("nor the database", os.stat(server.folder + "/data/kraton.db").st_mode & 0o777 == 0o600)
    check("nobody else reads it", os.stat(copy + "/kraton.db").st_mode & 0o777 == 0o600)
    token, folder = a.welcome["token"], server.folder
    server.process.send_signal(signal.SIGTERM)
    check("announced", a.hear("notice")["reason"] == "stopping" and a.hear("bye")["reason"] == "stopping")
    check("a clean end", server.process.wait(PATIENCE) == 0)
    server.process.stdout.close()
    server.restart()
    a = Lines(server.bot_port).login(token)
    check("it goes on", a.hear("game")["moves"] == "b5-b4")
    os.rename(copy, folder + "/other")
    os.mkdir(copy)
    os.rename(folder + "/other", copy + "/data")
    # an empty folder's name is seen in what the server says
    with Server("--bots", "0", "--web", "") as second:
        said = open(second.folder + "/stderr").read()
        check("no page: %s" % said, "--web '' has no page" in said and "; programs and the API work" in said)
    with Server(folder=copy) as second:
        a = Lines(second.bot_port).login(token)
        check("from the backup", a.hear("game")["moves"] == "b5-b4")
