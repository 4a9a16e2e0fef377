"""Lag credit under delayed acknowledgements: a client with a TCP stack of its own acknowledges every segment late, so
that the server's kernel measures a long round trip, while its moves arrive at once. It gains no more than the documented
bound. Needs a network namespace and a TUN device; where there are none the test says so and passes."""
from kit import *
import fcntl, heapq, select, threading

DELAY = 0.15        # of an acknowledgement: longer than the credit of a move, shorter than a retransmission
MOVE_MOST = 100000  # us of credit: a move,
STORE = 1000000     # in store,
REGAIN = 20000      # regained a move
PLIES = 80
SERVER, CLIENT = "10.11.0.1", "10.11.0.2"


def set_up_namespace():
    """Runs this test again in a network namespace of its own, and makes the TUN device there."""
    if "KRATON_LAG_NAMESPACE" not in os.environ:
        ready = subprocess.run(["unshare", "-rn", "true"], capture_output=True).returncode == 0
        if not ready or not os.path.exists("/dev/net/tun"):
            print("no network namespaces here: not tried")
            sys.exit(0)
        environment = dict(os.environ, KRATON_LAG_NAMESPACE="1")
        sys.exit(subprocess.run(["unshare", "-rn", sys.executable, *sys.argv], env=environment).returncode)
    try:
        tun = os.open("/dev/net/tun", os.O_RDWR)
        fcntl.ioctl(tun, 0x400454CA, struct.pack("16sH22s", b"tun0", 0x0001 | 0x1000, b""))  # TUNSETIFF: TUN, no header
        for command in ("ip link set lo up", "ip addr add %s/24 dev tun0" % SERVER, "ip link set tun0 up"):
            subprocess.run(command.split(), check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as why:
        print("no TUN device here (%s): not tried" % why)
        sys.exit(0)
    return tun


def checksum(data):
    data += b"\0" * (len(data) % 2)
    total = sum(struct.unpack(">%dH" % (len(data) // 2), data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


class LateTcp:
    """One connection from CLIENT to the server, with the socket's functions that kit.Socket uses. The device loses
    nothing and keeps the order, so nothing is ever sent again."""
    FIN, SYN, PSH, ACK = 1, 2, 8, 16

    def __init__(self, tun, port):
        self.tun, self.port, self.own = tun, port, 40000
        self.sent, self.received, self.acknowledged = 1000, 0, 0
        self.stream, self.due, self.change = b"", [], threading.Condition()
        self.open = False
        self.ended = False
        threading.Thread(target=self.run, daemon=True).start()
        self.segment(self.SYN, b"", struct.pack(">BBH", 2, 4, 1400))
        with self.change:
            self.change.wait_for(lambda: self.open, PATIENCE)

    def segment(self, flags, payload, options=b""):
        head = struct.pack(">HHIIBBHHH", self.own, self.port, self.sent, self.acknowledged, (5 + len(options) // 4) << 4,
                           flags, 65535, 0, 0) + options
        ends = socket.inet_aton(CLIENT) + socket.inet_aton(SERVER)
        sum_of = checksum(ends + struct.pack(">BBH", 0, 6, len(head) + len(payload)) + head + payload)
        head = head[:16] + struct.pack(">H", sum_of) + head[18:]
        ip = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(head) + len(payload), 0, 0, 64, 6, 0) + ends
        os.write(self.tun, ip[:10] + struct.pack(">H", checksum(ip)) + ip[12:] + head + payload)
        self.sent += len(payload) + (flags & (self.SYN | self.FIN) != 0)

    def take(self, packet):
        if packet[0] >> 4 != 4 or packet[9] != 6:
            return
        tcp = packet[(packet[0] & 15) * 4:]
        source, target, number, _, offset, flags = struct.unpack(">HHIIBB", tcp[:14])
        if (source, target) != (self.port, self.own):
            return
        payload = tcp[(offset >> 4) * 4:]
        with self.change:
            if flags & self.SYN:
                self.received = self.acknowledged = number + 1
                self.open = True
                self.segment(self.ACK, b"")
            elif number == self.received:
                self.stream += payload
                self.received += len(payload) + (flags & self.FIN)
                self.ended = self.ended or bool(flags & self.FIN)
                if payload:
                    heapq.heappush(self.due, (time.monotonic() + DELAY, self.received))
            self.change.notify_all()

    def run(self):
        while True:
            wait = max(0, self.due[0][0] - time.monotonic()) if self.due else 1
            if select.select([self.tun], [], [], wait)[0]:
                self.take(os.read(self.tun, 65536))
            with self.change:
                while self.due and self.due[0][0] <= time.monotonic():
                    self.acknowledged = heapq.heappop(self.due)[1]
                    self.segment(self.ACK, b"")

    def sendall(self, data):
        with self.change:
            self.segment(self.PSH | self.ACK, data)

    def makefile(self, mode):
        return self

    def read(self, size):
        with self.change:
            self.change.wait_for(lambda: len(self.stream) >= size or self.ended, PATIENCE)
            got, self.stream = self.stream[:size], self.stream[size:]
            return got

    def readline(self):
        line = b""
        while not line.endswith(b"\n"):
            one = self.read(1)
            if not one:
                break
            line += one
        return line

    def close(self):
        pass


tun = set_up_namespace()
with Server("--bots", "0", "--address", "0.0.0.0") as server:
    usual, socket.create_connection = socket.create_connection, lambda at, timeout: LateTcp(tun, at[1])
    late = Socket(server.port)
    socket.create_connection = usual
    late.say("login", guest=True)
    late.hear("welcome")
    late.say("seek", game="surakarta", tc="600+0", side="first")
    late.hear("seeking")
    other = Lines(server.bot_port).guest()
    other.say("seek game=surakarta tc=600+0 side=second")
    game = other.hear("game")["id"]
    chance = random.Random(1)
    for ply in range(PLIES):
        if ply % 2:
            other.hear("turn")
            other.say("move game=%s ply=%d move=%s" % (game, ply, chance.choice(other.legal(game))))
        else:
            late.hear("turn")
            late.say("legal", game=int(game))
            move = chance.choice(late.hear("legal")["moves"])
            time.sleep(0.02)  # thinks a little: what is credited beyond is not gained
            late.say("move", game=int(game), ply=ply, move=move)
    other.hear("turn") if PLIES % 2 else late.hear("turn")
    moves = server.rest("GET", "/api/v1/games/%s/moves" % game)[2]["moves"]
    own = moves[0::2]
    lags = [m["lag"] for m in own]
    print("%d moves, credit %d us in all, the most %d" % (len(own), sum(lags), max(lags)))
    check("the server measured the delay, or this test tries nothing: %s" % lags, max(lags) >= 50000)
    check("no move gets more than its bound: %s" % lags, max(lags) <= MOVE_MOST)
    check("nor all together: %d" % sum(lags), sum(lags) <= STORE + REGAIN * len(lags))
    check("no credit for the other end", not any(m["lag"] for m in moves[1::2]))
    check("and every charge adds up", all(m["used"] == max(0, m["read"] - m["written"] - m["lag"] - m["late"]) for m in moves))
    late.say("resign", game=int(game))
    other.hear("result")
