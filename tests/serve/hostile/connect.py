"""10,000 connections idle on 20 addresses while more come and go; then requests over them that cost much: the list of
live games, positions, pages."""
from bystander import *

IDLE = 10000


def prepare(server):
    held = []
    for i in range(IDLE):
        held.append(connect(server.bot_port, "198.51.100.%d" % (1 + i % 20)))
    last = held[-1].makefile("rb")
    check("the last was greeted", last.readline().startswith(b"kraton"))
    return held


def attack(server, held, number):
    for i in range(400):
        connect(server.bot_port, "198.51.100.%d" % (1 + i % 20)).close()


def attack_requests(server, nothing, number):
    """Pipelined requests of one address over twenty connections."""
    one = (b"GET /api/v1/position/xiangqi?moves=" + b"+".join([b"b2e2", b"b9c7"]) + b" HTTP/1.1\r\nHost: x\r\n\r\n"
           b"GET /api/games HTTP/1.1\r\nHost: x\r\n\r\nGET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
    clients = [connect(server.port, "198.51.100.%d" % (1 + number)) for i in range(20)]
    for c in clients:
        c.sendall(one * 30)
        c.shutdown(socket.SHUT_WR)
    got = [len(c.makefile("rb").read()) for c in clients]
    print("  %d bytes of answers" % sum(got))


under_attack("connections that come and go beside 10,000", prepare, attack)
under_attack("1,800 requests of one address, pipelined", lambda server: None, attack_requests)
