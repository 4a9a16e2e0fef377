"""WebSockets: 20 pages of one address send messages in fragments of one byte, pings in between, and messages that never end."""
from bystander import *


def masked(first, payload):
    mask = b"\1\2\3\4"
    return bytes([first, 0x80 | len(payload)]) + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(payload))


def in_fragments(message):
    """The message, a byte a frame."""
    parts = [masked(1 if i == 0 else 0, message[i:i + 1]) for i in range(len(message) - 1)]
    return b"".join(parts) + masked(0x80, message[-1:])


class Page(Socket):
    """A page's connection from that address."""
    def __init__(self, server, address):
        self.socket = connect(server.port, address)
        self.file = self.socket.makefile("rb")
        self.socket.sendall(("GET /api/v1/ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                             "Sec-WebSocket-Key: " + base64.b64encode(os.urandom(16)).decode() + "\r\n\r\n").encode())
        check("a WebSocket", b" 101 " in self.file.readline())
        while self.file.readline().strip():
            pass


def attack(server, nothing, number):
    address = "198.51.100.%d" % (1 + number)
    pages = [Page(server, address) for i in range(20)]
    whole = in_fragments(b'{"t":"ping","n":"' + b"x" * 200 + b'"}')
    for page in pages:
        page.socket.setblocking(False)
        for bytes_ in (whole * 40, masked(0x89, b"ping") * 200, masked(1, b"{") + masked(0, b" " * 100) * 2000):
            try:
                page.socket.send(bytes_)
            except OSError:
                break  # ended, or not read any more: both will do
    for page in pages:
        page.socket.setblocking(True)
        page.socket.settimeout(PATIENCE)
        try:
            page.hear("pong")
        except (EOFError, OSError, IndexError, ValueError):
            pass
        page.close()


under_attack("messages in fragments of a byte, pings, endless ones over 20 WebSockets", lambda server: None, attack)
