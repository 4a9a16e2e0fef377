"""What the tests of the server share: a server on a scratch folder, and clients of each kind.
Standard library only. Every wait is bounded."""
import base64, http.client, json, os, random, re, shutil, signal, socket, ssl, struct, subprocess
import sqlite3, sys, tempfile, time
import cluster

PATIENCE = 120  # seconds until a wait is given up: it bounds a hang, whatever the load


def store_options(data):
    """What names a server's data to `kraton serve`: the folder, and in a PostgreSQL the database that belongs to it."""
    address = os.environ.get(cluster.VARIABLE)
    if not address:
        return ["--data", data]
    return ["--data", data, "--store", cluster.database_for(address, data)]


def open_database(data):
    """What is stored, by SQL."""
    if os.environ.get(cluster.VARIABLE):
        return cluster.Database(store_options(data)[-1])
    return sqlite3.connect(data + "/kraton.db")


def forget_sums(data):
    """What another program writes into the file has no checksums."""
    if os.path.exists(data + "/kraton.db-sums"):
        os.remove(data + "/kraton.db-sums")


class Server:
    def __init__(self, *options, kraton=None, folder=None):
        self.kraton = kraton or sys.argv[1]
        self.folder = folder or tempfile.mkdtemp()
        self.owns = folder is None
        self.options = options
        self.process = None
        self.start()

    def start(self, ports=("0", "0")):
        command = [self.kraton, "serve", "--port", ports[0], "--bot-port", ports[1],
                   *store_options(self.folder + "/data"), *self.options]
        self.errors = open(self.folder + "/stderr", "a")
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.errors, text=True)
        line = self.process.stdout.readline()
        found = re.search(r"://([^:]+):(\d+)/.* ([^ :]+):(\d+) to programs", line)
        if not found:
            raise AssertionError("no server: " + line + open(self.folder + "/stderr").read())
        self.port, self.bot_port = int(found[2]), int(found[4])

    def manage(self, *options):
        """`kraton serve` with other tasks than to serve, on the same data."""
        return subprocess.run([self.kraton, "serve", *store_options(self.folder + "/data"), *options], capture_output=True, text=True)

    def database(self):
        return open_database(self.folder + "/data")

    def stored(self):
        """All of it as bytes."""
        if os.environ.get(cluster.VARIABLE):
            return subprocess.run(["pg_dump", store_options(self.folder + "/data")[-1]], check=True, capture_output=True).stdout
        return b"".join(open(self.folder + "/data/kraton.db" + end, "rb").read() for end in ("", "-wal"))

    def kill(self):
        self.process.kill()
        self.process.wait()
        while os.environ.get(cluster.VARIABLE) and self.database().execute(
                "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'kraton'"):
            time.sleep(0.01)  # PostgreSQL ends what it has begun
        self.process.stdout.close()
        self.errors.close()

    def stop(self):
        """Stops it politely; a sanitizer's complaint shows in its status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(PATIENCE)
        self.process.stdout.close()
        self.errors.close()
        log = open(self.folder + "/stderr").read()
        if self.owns:
            shutil.rmtree(self.folder)
        assert status == 0, "the server ended with %s: %s" % (status, log[-4000:])

    def restart(self):
        """The same again on the same ports, after kill. Somebody's connection may have one of them for a moment."""
        patience = time.monotonic() + PATIENCE
        while True:
            try:
                return self.start((str(self.port), str(self.bot_port)))
            except AssertionError as problem:
                if "address already in use" not in str(problem) or time.monotonic() > patience:
                    raise
                self.process.wait()
                open(self.folder + "/stderr", "w").close()
                time.sleep(0.1)

    def __enter__(self):
        return self

    def __exit__(self, kind, *rest):
        if kind:
            self.process.kill()
            print(open(self.folder + "/stderr").read()[-4000:], file=sys.stderr)
        else:
            self.stop()

    def rest(self, method, path, body=None, cookie=None, headers=None):
        """Returns (status, headers, JSON or text)."""
        c = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        h = dict(headers or {})
        if cookie:
            h["Cookie"] = cookie
        c.request(method, path, json.dumps(body) if isinstance(body, dict) else body, h)
        r = c.getresponse()
        data = r.read()
        c.close()
        if (r.getheader("Content-Type") or "").startswith("application/json"):
            data = json.loads(data)
        return r.status, r.headers, data


class Message(dict):
    """A message: .verb, and its fields as a dictionary."""
    def __init__(self, verb, fields):
        super().__init__(fields)
        self.verb = verb


class Lines:
    """A program's connection."""
    def __init__(self, port, tls=None):
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        if tls:
            self.socket = tls.wrap_socket(self.socket)
        self.file = self.socket.makefile("rb")
        self.name = None

    def say(self, line):
        self.socket.sendall(line.encode() + b"\n")

    def hear(self, *verbs):
        """The next message, or the next of one of these verbs."""
        while True:
            line = self.file.readline()
            if not line:
                raise EOFError("closed while waiting for " + " ".join(verbs))
            verb, *words = line.decode().rstrip("\n").split(" ")
            fields = dict(w.split("=", 1) for w in words)
            for key in fields:
                fields[key] = re.sub("%([0-9A-F]{2})", lambda m: chr(int(m[1], 16)), fields[key])
            if not verbs or verb in verbs:
                return Message(verb, fields)

    def guest(self):
        self.say("login guest=yes")
        self.welcome = self.hear("welcome")
        self.name = self.welcome["name"]
        return self

    def login(self, token):
        self.say("login token=" + token)
        self.welcome = self.hear("welcome", "error")
        self.name = self.welcome.get("name")
        return self

    def legal(self, game):
        self.say("legal game=%s" % game)
        return self.hear("legal")["moves"].split(",")

    def close(self):
        self.file.close()
        self.socket.close()


class Socket:
    """A page's connection: a WebSocket, JSON messages."""
    def __init__(self, port, cookie=None, origin=None, path="/api/v1/ws", tls=None):
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        if tls:
            self.socket = tls.wrap_socket(self.socket)
        key = base64.b64encode(os.urandom(16)).decode()
        head = ["GET %s HTTP/1.1" % path, "Host: 127.0.0.1:%d" % port, "Upgrade: websocket",
                "Connection: keep-alive, Upgrade", "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: " + key]
        if cookie:
            head.append("Cookie: " + cookie)
        if origin:
            head.append("Origin: " + origin)
        self.socket.sendall("\r\n".join(head + ["", ""]).encode())
        self.file = self.socket.makefile("rb")
        self.status = int(self.file.readline().split()[1])
        while self.file.readline().strip():
            pass

    def frame(self, opcode, payload):
        mask = os.urandom(4)
        size = len(payload)
        head = bytes([0x80 | opcode])
        head += bytes([0x80 | size]) if size < 126 else bytes([0x80 | 126]) + struct.pack(">H", size)
        body = bytes(b ^ mask[i % 4] for i, b in enumerate(payload))
        self.socket.sendall(head + mask + body)

    def say(self, verb, **fields):
        self.frame(1, json.dumps({"t": verb, **fields}).encode())

    def hear(self, *verbs):
        while True:
            first, size = self.file.read(1), self.file.read(1)
            if not first or not size:
                raise EOFError("closed while waiting for " + " ".join(verbs))
            size = size[0]
            if size == 126:
                size = struct.unpack(">H", self.file.read(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self.file.read(8))[0]
            payload = self.file.read(size)
            if first[0] & 15 == 9:
                self.frame(10, payload)
            if first[0] & 15 == 8:
                raise EOFError(payload[2:].decode())
            if first[0] & 15 != 1:
                continue
            fields = json.loads(payload)
            verb = fields.pop("t")
            if not verbs or verb in verbs:
                return Message(verb, fields)

    def close(self):
        self.file.close()
        self.socket.close()


def pair(server, terms="game=surakarta tc=60+1"):
    """Two guests and their game: (first, second, number)."""
    a, b = Lines(server.bot_port).guest(), Lines(server.bot_port).guest()
    a.say("seek side=first " + terms)
    a.hear("seeking")
    b.say("seek side=second " + terms)
    return a, b, a.hear("game")["id"]


def play_out(a, b, game, seed=1, most=10000, each=None):
    """Random moves until the end, or so many plies; returns the result, or None."""
    chance = random.Random(seed)
    who, other = a, b
    for ply in range(most):
        turn = who.hear("turn", "result")
        if turn.verb == "result":
            check("both hear the same", other.hear("result") == turn)
            return turn
        who.say("move game=%s ply=%s move=%s" % (game, turn["ply"], chance.choice(who.legal(game))))
        if each:
            each(ply)
        who, other = other, who
    return None


def check(what, truth):
    if not truth:
        raise AssertionError(what)
