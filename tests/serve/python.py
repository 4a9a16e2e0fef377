"""The Python package against a server: two clients play each other, one of them asynchronously, and one
a house bot; what the server refuses is raised."""
from kit import *

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python"))
import asyncio
import random

import kraton
from kraton import server as client_of


async def think(game):
    await asyncio.sleep(0)
    return game.board.legal_moves[0]


async def two_clients(port, game):
    rng = random.Random(1)
    async with await client_of.connect(port=port) as ann, await client_of.connect(port=port) as ben:
        check("guests have names", ann.name and ann.name != ben.name and ann.token)
        await ann.seek(game, "60+1", side="first", rated=False)
        await ann.wait_for("seeking")
        await ben.seek(game, "60+1", side="second", rated=False)
        most = 40

        def choose(live):
            return rng.choice(live.board.legal_moves)

        async def resign_late(live):
            if live.board.ply >= most:
                await ben.send("resign", game=live.id)
            return await think(live)

        (a, won, _), (b, same, words) = await asyncio.gather(ann.play(choose), ben.play(resign_late))
        check("both know the result: %s %s" % (won, words), won == same and won != kraton.Outcome.ONGOING)
        check("both have the board", a.board == b.board and a.side == 0 and b.side == 1)
        check("the names are known", a.names == (ann.name, ben.name))


async def errors(port):
    async with await client_of.connect(port=port) as ann:
        await ann.send("resign", game=999)
        try:
            await ann.wait_for("result")
            check("an error is raised", False)
        except client_of.ServerError as error:
            check("the code is told: " + error.code, error.code == "game")
        await ann.send("lobby", on=True)
        await ann.send("ping", n="a b%")
        check("fields are quoted", (await ann.wait_for("pong"))["n"] == "a b%")
    try:
        await client_of.connect(port=port, token="krt_none")
        check("a bad token is refused", False)
    except client_of.ServerError as error:
        check("why: " + error.code, error.code == "token")


async def house(port):
    async with await client_of.connect(port=port) as ann:
        await ann.challenge("House-1", "surakarta", "60+1", rated=False)

        async def play(live):
            if live.board.ply > 6:
                await ann.send("resign", game=live.id)
            return await think(live)

        live, outcome, words = await ann.play(play)
        check("the house bot plays: " + words, outcome != kraton.Outcome.ONGOING and live.board.ply > 4)


with Server() as server:
    for game in ("surakarta", "xiangqi"):
        asyncio.run(two_clients(server.bot_port, game))
    asyncio.run(errors(server.bot_port))
    asyncio.run(house(server.bot_port))
