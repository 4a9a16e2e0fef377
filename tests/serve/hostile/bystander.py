"""What the hostile tests share: a server behind a trusted proxy, attackers and a bystander of other addresses, and what
the bystander's pings say before and during an attack.

An attack is judged by the server's own count of turns of its loop that took more than 50 ms of processor: that does not
depend on what else the machine does. The pings are printed beside the idle ones of the same run; with KRATON_QUIET=1
(nothing else runs) they are judged as well: 99 % within 5 ms, all within 50.

Attackers run in a process that lets others go first, since they stand for many machines; the bystander goes before all
where it may. So the pings wait for the server, not for the attackers' own work. An attack is repeated, with another number
each time, until there are PINGS pings."""
import os, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from kit import *
import ctypes, multiprocessing, resource, traceback

STALL = 50.0  # ms of processor in one turn
IDLE_S = 1.0
PINGS, LONGEST_S = 300, 6  # pings under attack, and how long it is repeated at most
SLOWER = 20 if b"__asan_init" in open(sys.argv[1], "rb").read() else 1  # a sanitizer's build is no measure
IS_QUIET = bool(os.environ.get("KRATON_QUIET"))
resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)


def preamble(address):
    """The header of the PROXY protocol, version 2."""
    ends = socket.inet_aton(address) * 2 + struct.pack(">HH", 4000, 8601)
    return b"\r\n\r\n\0\r\nQUIT\n\x21\x11" + struct.pack(">H", len(ends)) + ends


def connect(port, address):
    s = socket.create_connection(("127.0.0.1", port), PATIENCE)
    s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    s.sendall(preamble(address))
    return s


class Program(Lines):
    """A program's connection from that address."""
    def __init__(self, server, address):
        self.socket = connect(server.bot_port, address)
        self.file = self.socket.makefile("rb")


def ask(server, address, method, path, body=None, cookie=None):
    """A request over HTTP from that address: (status, headers, JSON or text)."""
    headers = {"X-Forwarded-For": address}
    return server.rest(method, path, body, cookie, headers)


def go_first():
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    except OSError:
        pass  # only root may


def go_last():
    """Behind everybody on a quiet machine; elsewhere others would leave nothing at all."""
    if IS_QUIET:
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    else:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
        os.nice(5)


def ping_on(port, orders, tls, count):
    """The bystander: pings, until told to stop, and hands back how long each took."""
    go_first()
    s = connect(port, "203.0.113.77")
    if tls:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        s = context.wrap_socket(s)
    f = s.makefile("rb")
    s.sendall(b"lobby on=no\nwatch game=1\nlogin guest=yes\n")
    while not f.readline().startswith(b"welcome"):
        pass
    while orders.recv() == "begin":
        took = []
        while not orders.poll(0.001):
            began = time.perf_counter()
            s.sendall(b"ping n=1\n")
            while not f.readline().startswith(b"pong"):
                pass
            took.append(time.perf_counter() - began)
            count.value = len(took)
        orders.recv()
        orders.send(took)


class Bystander:
    def __init__(self, server, tls):
        self.orders, other = multiprocessing.Pipe()
        self.count = multiprocessing.RawValue(ctypes.c_long)
        self.process = multiprocessing.Process(target=ping_on, args=(server.bot_port, other, tls, self.count), daemon=True)
        self.process.start()

    def measure(self, act):
        self.count.value = 0
        self.orders.send("begin")
        act()
        self.orders.send("end")
        return sorted(self.orders.recv())

    def stop(self):
        self.orders.send("stop")
        self.process.join(PATIENCE)


def figures(took):
    at = lambda share: took[min(len(took) - 1, int(share * len(took)))] * 1000
    return "50 %% in %.2f ms, 99 %% in %.2f, all in %.1f (%d pings)" % (at(0.5), at(0.99), took[-1] * 1000, len(took))


def metrics_of(server):
    c = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    if "--tls-cert" in server.options:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        c = http.client.HTTPSConnection("127.0.0.1", server.port, timeout=PATIENCE, context=context)
    c.request("GET", "/metrics")
    answer = c.getresponse().read().decode()
    c.close()
    return answer


def turns(server):
    """How many turns took more than each of these bounds of processor time, in ms; under 0: all of them."""
    metrics = metrics_of(server)
    below = re.findall(r'kraton_turn_cpu_seconds_bucket\{le="([^"]*)"\} (\d+)', metrics)
    every = int(below[-1][1])
    return {0: every, **{float(bound) * 1000: every - int(count) for bound, count in below[:-1]}}


def repeat(attack, server, prepared, count):
    """The attackers: again and again until there are enough pings."""
    go_last()
    until, number = time.monotonic() + LONGEST_S, 0
    try:
        while number == 0 or (count.value < PINGS and time.monotonic() < until):
            attack(server, prepared, number)
            number += 1
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    sys.stdout.flush()
    os._exit(0)


def let_attack(attack, server, prepared, count):
    """In a process of its own, which has what was prepared."""
    attackers = multiprocessing.get_context("fork").Process(target=repeat, args=(attack, server, prepared, count))
    attackers.start()
    attackers.join()
    check("the attack itself failed", attackers.exitcode == 0)


def write_row(name, more, idle, pings):
    """A row of the table in docs/server.md, where somebody collects them."""
    longest = max((bound for bound, n in more.items() if bound and n), default=0)
    above = {0: "under 0.5", 0.5: "0.5 to 1", 1: "1 to 2", 2: "2 to 5", 5: "5 to 10", 10: "10 to 20", 20: "20 to 50", 50: "over 50"}
    at = lambda took, share: took[min(len(took) - 1, int(share * len(took)))] * 1000
    with open(os.environ.get("KRATON_TABLE", "/dev/null"), "a") as table:
        table.write("| %s | %s ms | %.2f | %.2f, %.1f, %.1f | %d |\n" %
                    (name, above[longest], at(idle, 0.99), at(pings, 0.5), at(pings, 0.99), pings[-1] * 1000, len(pings)))


def under_attack(name, prepare, attack, *options, tls=False, folder=None, judge=None):
    """Runs an attack on a server of its own and judges it; prepare(server) hands what attack(server, ..., number) needs.
    Claims of fairness are checked in the attack, or by judge(server, prepared) while it goes on."""
    with Server("--trusted-proxy", "127.0.0.1", *(options if "--bots" in options else ("--bots", "0", *options)), folder=folder) as server:
        prepared = prepare(server)
        bystander = Bystander(server, tls)
        idle = bystander.measure(lambda: time.sleep(IDLE_S))
        before = turns(server)

        def act():
            let_attack(attack, server, prepared, bystander.count)
            if judge:
                judge(server, prepared)

        pings = bystander.measure(act)
        after = turns(server)
        bystander.stop()
        more = {bound: after[bound] - before[bound] for bound in after}
        print("%s\n  idle      %s\n  attacked  %s\n  turns of the loop, by ms of processor: %s" %
              (name, figures(idle), figures(pings), ", ".join("%d over %g" % (n, bound) for bound, n in more.items() if n)),
              flush=True)
        write_row(name, more, idle, pings)
        check("%s stops the loop" % name, SLOWER > 1 or more[STALL] == 0)
        if IS_QUIET:
            check("%s: 99 %% in 5 ms, all in 50 ms" % name, pings[int(0.99 * len(pings))] < 0.005 and pings[-1] < 0.05)


def until_pong(client):
    """Reads until the answer of a ping; False: the server has ended the connection."""
    try:
        client.hear("pong")
        return True
    except (EOFError, OSError, ValueError):
        return False
