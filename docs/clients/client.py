"""A client for Kraton's battle server that plays random moves: python client.py HOST PORT TOKEN GAME"""
import random
import socket
import sys

host, port, token, game = sys.argv[1:5]
server = socket.create_connection((host, int(port)))
lines = server.makefile("r", encoding="utf-8", newline="\n")


def say(line):
    server.sendall((line + "\n").encode())


say("login token=" + token)
for line in lines:
    verb, *words = line.split()
    field = dict(word.split("=", 1) for word in words)
    if verb == "welcome":
        say("seek tc=60+1 game=" + game)
    elif verb == "turn":  # a real program has a board and thinks here
        say("legal game=" + field["game"])
    elif verb == "legal":
        move = random.choice(field["moves"].split(","))
        say("move game={game} ply={ply} move={move}".format(game=field["game"], ply=field["ply"], move=move))
    elif verb == "ping":
        say("pong")
    elif verb == "result":
        print(field["outcome"].replace("%20", " "))
        say("quit")
    elif verb in ("error", "bye"):
        print(line.strip(), file=sys.stderr)
