"""A client of the battle server's line protocol, version 1 (docs/protocol.md), with asyncio."""

from __future__ import annotations

import asyncio
import contextlib
import ssl as _ssl
from dataclasses import dataclass, field
from types import TracebackType
from typing import AsyncIterator, Awaitable, Callable, Optional, Type, Union
from urllib.parse import unquote

from .rules import FIRST, SECOND, Board, Move, Outcome

_OUTCOMES = {"first wins": Outcome.FIRST_WINS, "second wins": Outcome.SECOND_WINS,
             "draw": Outcome.DRAW, "ongoing": Outcome.ONGOING}


class ServerError(RuntimeError):
    """The server refused a request; code is its word for why."""

    def __init__(self, code: str, words: str) -> None:
        super().__init__(words or code)
        self.code = code


class Disconnected(ConnectionError):
    """The connection has ended."""


@dataclass(frozen=True)
class Message:
    """A line of the server: a verb and fields."""

    verb: str
    fields: dict[str, str] = field(default_factory=dict)

    def __getitem__(self, name: str) -> str:
        return self.fields[name]

    def get(self, name: str, default: str = "") -> str:
        return self.fields.get(name, default)

    @classmethod
    def parse(cls, line: str) -> Message:
        """Reads a line.

        >>> Message.parse("result game=1 outcome=first%20wins")["outcome"]
        'first wins'
        """
        verb, *words = line.strip().split(" ")
        fields = {}
        for word in words:
            name, mark, value = word.partition("=")
            if mark:
                fields[name] = unquote(value)
        return cls(verb, fields)

    def format(self) -> str:
        """Writes the line.

        >>> Message("seek", {"game": "xiangqi", "tc": "60+1"}).format()
        'seek game=xiangqi tc=60+1'
        """
        for value in self.fields.values():
            if "\n" in value or "\r" in value:
                raise ValueError("a field cannot have a line break")
        return " ".join([self.verb] + [
            "%s=%s" % (name, value.replace("%", "%25").replace(" ", "%20"))
            for name, value in self.fields.items()])


@dataclass
class LiveGame:
    """A game that you play."""

    id: str
    side: int  # yours: FIRST or SECOND
    board: Board
    names: tuple[str, str]
    time_control: str
    clocks: tuple[float, float] = (0, 0)  # seconds left; negative: no clock


Chooser = Callable[[LiveGame], Union[Move, Awaitable[Move]]]


def _fields(values: dict[str, object]) -> dict[str, str]:
    words = {True: "yes", False: "no"}
    return {name: words[value] if isinstance(value, bool) else str(value)
            for name, value in values.items() if value is not None}


class Client:
    """A connection. connect() makes one; to be closed, or used in `async with`.

    Iterating gives every message of the server; pings are answered on the way.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._held: list[Message] = []
        self.name = ""  # yours
        self.token: Optional[str] = None  # of a new guest

    async def send(self, verb: str, **fields: object) -> None:
        """Sends a request: send("seek", game="xiangqi", tc="60+1", rated=False)."""
        self._writer.write(Message(verb, _fields(fields)).format().encode() + b"\n")
        try:
            await self._writer.drain()
        except ConnectionError:
            raise Disconnected("the connection has ended") from None

    async def _next(self) -> Message:
        while True:
            try:
                line = await self._reader.readline()
            except (ConnectionError, ValueError) as error:
                raise Disconnected(str(error)) from None
            if not line:
                raise Disconnected("the connection has ended")
            message = Message.parse(line.decode("utf-8", "replace"))
            if message.verb != "ping":
                return message
            await self.send("pong")

    async def receive(self) -> Message:
        """The next message."""
        return self._held.pop(0) if self._held else await self._next()

    async def wait_for(self, *verbs: str) -> Message:
        """The next message with one of these verbs; others wait for receive(). An error raises."""
        for i, message in enumerate(self._held):
            if message.verb in verbs:
                return self._held.pop(i)
        while True:
            message = await self._next()
            if message.verb in verbs:
                return message
            if message.verb == "error":
                raise ServerError(message.get("code"), message.get("words"))
            if message.verb == "bye":
                raise Disconnected(message.get("reason"))
            self._held.append(message)

    async def __aiter__(self) -> AsyncIterator[Message]:
        with contextlib.suppress(Disconnected):
            while True:
                yield await self.receive()

    async def login(self, token: Optional[str] = None) -> str:
        """Logs in with a token, or as a guest. Returns your name."""
        if token:
            await self.send("login", token=token)
        else:
            await self.send("login", guest=True)
        welcome = await self.wait_for("welcome")
        self.name, self.token = welcome["name"], welcome.get("token") or token
        return self.name

    async def seek(self, game: str, tc: str = "300+3", **terms: object) -> None:
        """An open offer: rules, side, rated, fen, private as in docs/protocol.md."""
        await self.send("seek", game=game, tc=tc, **terms)

    async def challenge(self, to: str, game: str, tc: str = "300+3", **terms: object) -> None:
        """An offer to one player or house bot."""
        await self.send("challenge", to=to, game=game, tc=tc, **terms)

    async def play(self, choose: Chooser) -> tuple[LiveGame, Outcome, str]:
        """Plays the next game that begins, with the moves that choose(game) gives, to its end.

        Returns the game, who won and why.
        """
        begin = await self.wait_for("game")
        game = _begin(begin)
        while True:
            message = await self.wait_for("moved", "turn", "result", "tookback", "game")
            if message.get("id" if message.verb == "game" else "game") != game.id:
                continue
            if message.verb == "game":
                game = _begin(message)
            elif message.verb == "moved":
                game.board.push_word(message["move"])
            elif message.verb == "tookback":
                while game.board.ply > int(message["ply"]):
                    game.board.pop()
            elif message.verb == "turn":
                game.clocks = _clocks(message)
                await self._answer(game, choose)
            else:
                return game, _OUTCOMES[message["outcome"]], message.get("words")

    async def _answer(self, game: LiveGame, choose: Chooser) -> None:
        chosen = choose(game)
        move = chosen if isinstance(chosen, Move) else await chosen
        await self.send("move", game=game.id, ply=game.board.ply, move=game.board.format(move))

    async def close(self) -> None:
        """Says goodbye and closes."""
        with contextlib.suppress(Disconnected, ConnectionError):
            await self.send("quit")
        self._writer.close()
        with contextlib.suppress(ConnectionError, _ssl.SSLError):
            await self._writer.wait_closed()

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException],
                        trace: Optional[TracebackType]) -> None:
        await self.close()


def _clocks(message: Message) -> tuple[float, float]:
    return (int(message.get("first", "-1")) / 1e6, int(message.get("second", "-1")) / 1e6)


def _begin(message: Message) -> LiveGame:
    board = Board(message["game"], message.get("fen") or None, rules=message.get("rules") or None)
    for word in filter(None, message.get("moves").split(",")):
        board.push_word(word)
    side = SECOND if message.get("you") == "second" else FIRST
    return LiveGame(message["id"], side, board,
                    (message.get("first_name"), message.get("second_name")), message.get("tc"),
                    _clocks(message))


async def connect(host: str = "127.0.0.1", port: int = 8601, *, token: Optional[str] = None,
                  guest: bool = True, ssl: Union[bool, _ssl.SSLContext] = False) -> Client:
    """Connects and logs in, with a token or as a guest (guest=False: not at all)."""
    reader, writer = await asyncio.open_connection(host, port, ssl=ssl or None, limit=1 << 17)
    client = Client(reader, writer)
    try:
        greeting = await client.wait_for("kraton")
        if greeting.get("version") != "1":
            raise ServerError("version", "the server speaks version %s" % greeting.get("version"))
        if token or guest:
            await client.login(token)
    except BaseException:
        writer.close()
        raise
    return client
