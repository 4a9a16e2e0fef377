"""Behind a reverse proxy: addresses out of X-Forwarded-For, Forwarded and the PROXY protocol are believed from a trusted
proxy alone; limits, cookies and the log follow them."""
from kit import *

TRUST = "127.0.0.1,10.0.0.0/8"


def head(address, secure=False, command=1):
    """The header of the PROXY protocol, version 2, for a client of that address."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    ends = socket.inet_pton(family, address) * 2 + struct.pack(">HH", 4000, 8601)
    fields = b"\x04\x00\x01x" + (b"\x20\x00\x05\x01\0\0\0\0" if secure else b"")
    return (b"\r\n\r\n\0\r\nQUIT\n" + bytes([0x20 | command, 0x21 if ":" in address else 0x11]) +
            struct.pack(">H", len(ends + fields)) + ends + fields)


class Behind(Lines):
    """A program behind a proxy that speaks the PROXY protocol."""
    def __init__(self, port, first, pieces=1):
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for i in range(0, len(first), len(first) // pieces or 1):
            self.socket.sendall(first[i:i + (len(first) // pieces or 1)])
        self.file = self.socket.makefile("rb")


def ends_with_wrong_tokens(client):
    for i in range(3):
        client.say("login token=krt_wrong") if isinstance(client, Lines) else client.say("login", token="krt_wrong")
    check("it ends", client.hear("bye")["reason"] == "token")
    client.close()


def logged(server, line):
    """The log says so sooner or later."""
    until = time.monotonic() + PATIENCE
    while line not in open(server.folder + "/stderr").read():
        check("the log has %s" % line, time.monotonic() < until)
        time.sleep(0.02)


def page(server, headers):
    """A page's connection with these header lines."""
    return Socket(server.port, origin=None, path="/api/v1/ws HTTP/1.1\r\n" + "\r\n".join(headers) + "\r\nX-Rest: x")


with Server("--bots", "0", "--trusted-proxy", TRUST) as server:
    # programs, by the PROXY protocol, the header in one piece and byte by byte
    for pieces in (1, 40):
        ends_with_wrong_tokens(Behind(server.bot_port, head("203.0.113.%d" % pieces), pieces))
        logged(server, " 203.0.113.%d: token" % pieces)
    ends_with_wrong_tokens(Behind(server.bot_port, head("2001:db8::7")))
    logged(server, " 2001:db8::7: token")
    ends_with_wrong_tokens(Behind(server.bot_port, head("1.2.3.4", command=0)))  # the proxy itself
    logged(server, " 127.0.0.1: token")
    ends_with_wrong_tokens(Lines(server.bot_port))  # without the header
    bad = Behind(server.bot_port, head("203.0.113.9")[:12] + b"\x31\x11\0\0")
    bad.file.read()  # is closed
    bad.close()

    # pages: the last address that is no proxy's, whatever was written before it
    for headers, address in (
            (["X-Forwarded-For: 198.51.100.1"], "198.51.100.1"),
            (["X-Forwarded-For: 6.6.6.6, 198.51.100.2, 10.1.2.3"], "198.51.100.2"),
            (["X-Forwarded-For: 6.6.6.6", "X-Forwarded-For: 198.51.100.3"], "198.51.100.3"),
            (["X-Forwarded-For: 198.51.100.4", "Forwarded: for=6.6.6.6"], "198.51.100.4"),
            (["Forwarded: for=6.6.6.6, for=198.51.100.5;proto=https"], "198.51.100.5"),
            (['Forwarded: for="[2001:db8::5]:4711"'], "2001:db8::5"),
            (["X-Forwarded-For: [2001:db8::6]"], "2001:db8::6"),
            (["X-Forwarded-For: 198.51.100.6:8080"], "198.51.100.6")):
        ends_with_wrong_tokens(page(server, headers))
        logged(server, " %s: token" % address)
    check("nobody was taken in", "6.6.6.6" not in open(server.folder + "/stderr").read())
    # after the PROXY protocol the client is known: what it says of others is not believed
    c = socket.create_connection(("127.0.0.1", server.port), PATIENCE)
    c.sendall(head("198.51.100.9", True) + b"POST /api/v1/guest HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 6.6.6.6\r\n"
              b"Connection: close\r\n\r\n")
    answer = c.makefile("rb").read().decode()
    c.close()
    check("its cookie is for TLS only", re.search("Set-Cookie: .*; Secure", answer))
    check("and so is the site", "Strict-Transport-Security" in answer)

    # cookies
    for headers, secure in (({}, False), ({"X-Forwarded-Proto": "http"}, False), ({"X-Forwarded-Proto": "https"}, True),
                            ({"Forwarded": "for=198.51.100.7;proto=https"}, True)):
        answer = server.rest("POST", "/api/v1/guest", headers=headers)
        check("%s: %s" % (headers, answer[1]["Set-Cookie"]), ("; Secure" in answer[1]["Set-Cookie"]) == secure)

    # limits are the client's: 200 new guests at once, whoever else comes by the same proxy
    def guests(address):
        statuses = [server.rest("POST", "/api/v1/guest", headers={"X-Forwarded-For": address})[0] for i in range(220)]
        return statuses.count(201)
    first = guests("198.51.100.20")
    check("limited: %d" % first, 200 <= first < 220)
    check("another is not", server.rest("POST", "/api/v1/guest", headers={"X-Forwarded-For": "198.51.100.21"})[0] == 201)
    check("one network of IPv6 is one address", guests("2001:db8:1::1") >= 200 and
          server.rest("POST", "/api/v1/guest", headers={"X-Forwarded-For": "2001:db8:1::2"})[0] == 429)

    # connections of one address: 512 at most, and one that ends makes room
    held = [Behind(server.bot_port, head("198.51.100.30")) for i in range(512)]
    [c.hear("kraton") for c in held]
    [c.say("ping n=1") for c in held]
    [c.hear("pong") for c in held]
    more = Behind(server.bot_port, head("198.51.100.30"))
    more.file.read()
    more.close()
    other = Behind(server.bot_port, head("198.51.100.31"))
    other.say("ping n=2")
    check("another address is let in", other.hear("pong")["n"] == "2")
    held[0].say("quit")
    check("one leaves", held[0].file.read().endswith(b"bye reason=quit\n"))
    again = Behind(server.bot_port, head("198.51.100.30"))
    again.say("ping n=3")
    check("and another comes", again.hear("pong")["n"] == "3")
    [c.close() for c in held + [other, again]]

# --- without the option nobody is believed
with Server("--bots", "0") as server:
    ends_with_wrong_tokens(page(server, ["X-Forwarded-For: 6.6.6.6"]))
    logged(server, " 127.0.0.1: token")
    check("no Secure", "Secure" not in server.rest("POST", "/api/v1/guest", headers={"X-Forwarded-Proto": "https"})[1]["Set-Cookie"])
    client = Behind(server.bot_port, head("6.6.6.6"))
    check("the header is a bad line", client.hear("error")["code"] in ("syntax", "verb"))
    client.close()
    check("not believed", "6.6.6.6" not in open(server.folder + "/stderr").read())

for bad in ("", "nobody", "10.0.0.0/33", "1.2.3.4,"):
    done = subprocess.run([sys.argv[1], "serve", "--trusted-proxy", bad, "--data", "/nonexistent/x"], capture_output=True, text=True)
    check("%s: %s" % (bad, done.stderr), (bad == "1.2.3.4," or "--trusted-proxy" in done.stderr) and done.returncode != 0)
