"""Engines over UCI, with asyncio; SimpleEngine is the same without it.

>>> import asyncio, kraton.engine
>>> async def main():
...     async with await kraton.engine.popen_uci("kraton-xiangqi") as engine:
...         board = kraton.Board("xiangqi")
...         result = await engine.play(board, kraton.engine.Limit(nodes=1000))
...         return board.is_legal(result.move)
>>> asyncio.run(main())
True
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import re
import shlex
import threading
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, AsyncIterator, Coroutine, Mapping, Optional, Sequence, Type, TypeVar, Union

from ._lib import none_of
from .rules import Board, IllegalMoveError, Move, Notation

T = TypeVar("T")
ConfigValue = Union[str, int, bool, None]


class EngineError(RuntimeError):
    """The engine does not do what UCI asks of it."""


class EngineTerminatedError(EngineError):
    """The engine has ended."""


@dataclass(frozen=True)
class Limit:
    """When a search is to end. Times are in seconds."""

    time: Optional[float] = None
    depth: Optional[int] = None
    nodes: Optional[int] = None
    mate: Optional[int] = None
    clocks: Optional[tuple[float, float]] = None  # of the first and of the second side
    increments: tuple[float, float] = (0, 0)
    moves_to_go: Optional[int] = None

    def _words(self) -> str:
        words = []
        if self.clocks is not None:
            words += ["wtime %d btime %d" % tuple(_ms(t) for t in self.clocks),
                      "winc %d binc %d" % tuple(_ms(t) for t in self.increments)]
            if self.moves_to_go:
                words.append("movestogo %d" % self.moves_to_go)
        if self.time is not None:
            words.append("movetime %d" % max(1, _ms(self.time)))
        for name in ("depth", "nodes", "mate"):
            if getattr(self, name) is not None:
                words.append("%s %d" % (name, getattr(self, name)))
        return " ".join(words) or "infinite"


def _ms(seconds: float) -> int:
    return round(seconds * 1000)


@dataclass(frozen=True)
class Option:
    """An option that the engine offers."""

    name: str
    type: str  # check, spin, combo, button, string
    default: Optional[str] = None
    min: Optional[int] = None
    max: Optional[int] = None
    choices: tuple[str, ...] = ()


@dataclass
class Info:
    """What the engine said of a line: the last values. Scores are for the side to move."""

    depth: Optional[int] = None
    seldepth: Optional[int] = None
    multipv: int = 1
    score: Optional[int] = None  # in centipawns
    mate: Optional[int] = None  # in moves; negative: the side to move is mated
    nodes: Optional[int] = None
    nps: Optional[int] = None
    time: Optional[float] = None  # in seconds
    hashfull: Optional[int] = None
    pv: list[Move] = field(default_factory=list)


@dataclass(frozen=True)
class PlayResult:
    """The engine's move; None where it has none."""

    move: Optional[Move]
    ponder: Optional[Move]
    info: Info


class UciEngine:
    """A running engine. popen_uci starts one; to be ended with quit(), or used in `async with`."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._lock = asyncio.Lock()
        self._config: dict[str, str] = {}
        self._game: Optional[str] = None
        self._notation = Notation.UCI0
        self.id: dict[str, str] = {}
        self.options: dict[str, Option] = {}

    # --- lines

    async def _send(self, line: str) -> None:
        assert self._process.stdin
        try:
            self._process.stdin.write(line.encode() + b"\n")
            await self._process.stdin.drain()
        except (ConnectionError, RuntimeError):
            raise EngineTerminatedError("the engine has ended") from None

    async def _line(self) -> str:
        assert self._process.stdout
        try:
            line = await self._process.stdout.readline()
        except ValueError:
            raise EngineError("the engine sent a line that is too long") from None
        if not line:
            raise EngineTerminatedError("the engine has ended")
        return line.decode("utf-8", "replace").strip()

    async def _until(self, word: str) -> None:
        while (await self._line()).split(" ")[0] != word:
            pass

    # --- beginning and end

    async def _greet(self) -> None:
        await self._send("uci")
        while (line := await self._line()) != "uciok":
            if found := re.match(r"id (name|author) (.*)", line):
                self.id[found[1]] = found[2]
            elif line.startswith("option "):
                option = _read_option(line)
                self.options[option.name] = option

    async def configure(self, options: Mapping[str, ConfigValue]) -> None:
        """Sets options; None presses a button."""
        for name, value in options.items():
            if name not in self.options:
                raise EngineError(none_of("the engine has no option", name, self.options))
            text = str(value).lower() if isinstance(value, bool) else str(value)
            if self._config.get(name) == text:
                continue
            await self._send("setoption name %s" % name
                             + ("" if value is None else " value %s" % text))
            if value is not None:
                self._config[name] = text

    async def ping(self) -> None:
        """Waits until the engine has done what it was told."""
        await self._send("isready")
        await self._until("readyok")

    async def quit(self) -> None:
        """Ends the engine."""
        with contextlib.suppress(EngineTerminatedError):
            await self._send("quit")
        assert self._process.stdin
        self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), 5)
        except asyncio.TimeoutError:
            self._process.kill()
            await self._process.wait()

    async def __aenter__(self) -> UciEngine:
        return self

    async def __aexit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException],
                        trace: Optional[TracebackType]) -> None:
        await self.quit()

    # --- searching

    async def _set_up(self, board: Board) -> None:
        if self._game != board.game.name:
            variant = self.options.get("UCI_Variant")
            if variant and board.game.name not in variant.choices:
                raise EngineError("the engine plays %s, not %s"
                                  % (", ".join(variant.choices), board.game.name))
            self._notation = Notation.UCI0
            if variant and len(variant.choices) > 1:
                # Engines of many games count ranks from 1.
                await self.configure({"UCI_Variant": board.game.name})
                if Notation.UCI1 in board.game.notations:
                    self._notation = Notation.UCI1
            await self._send("ucinewgame")
            self._game = board.game.name
        if "Rules" in self.options:
            await self.configure({"Rules": board.rules})
        await self.ping()
        replay = Board(board.game, board.first_fen, rules=board.rules)
        words = []
        for move in board.move_stack:
            words.append(replay.format(move, self._notation))
            replay.push(move)
        start = "startpos" if board.first_fen == board.game.start_fen else "fen " + board.first_fen
        await self._send("position %s%s" % (start, " moves " + " ".join(words) if words else ""))

    async def _search(self, board: Board, limit: Limit, multipv: int,
                      infos: dict[int, Info]) -> AsyncIterator[Union[Info, tuple[str, ...]]]:
        """The engine's reports; at the end the words of its best move."""
        if multipv > 1 or "MultiPV" in self._config:
            await self.configure({"MultiPV": multipv})
        await self._set_up(board)
        await self._send("go " + limit._words())
        ended = False
        try:
            while not ended:
                line = await self._line()
                if line.startswith("info ") and (info := self._read_info(board, line, infos)):
                    yield info
                elif line.startswith("bestmove"):
                    ended = True
                    yield tuple(line.split()[1:])
        finally:
            if not ended and self._process.returncode is None:
                await self._send("stop")
                await self._until("bestmove")

    def _read_info(self, board: Board, line: str, infos: dict[int, Info]) -> Optional[Info]:
        words = line.split()
        if "string" in words or "pv" not in words:
            return None
        number = _after(words, "multipv")
        info = infos.setdefault(number or 1, Info(multipv=number or 1))
        for name in ("depth", "seldepth", "nodes", "nps", "hashfull"):
            if (value := _after(words, name)) is not None:
                setattr(info, name, value)
        if (ms := _after(words, "time")) is not None:
            info.time = ms / 1000
        if (score := _after(words, "cp")) is not None:
            info.score, info.mate = score, None
        if (mate := _after(words, "mate")) is not None:
            info.score, info.mate = None, mate
        info.pv = self._read_line(board, words[words.index("pv") + 1:])
        return info

    def _read_line(self, board: Board, words: Sequence[str]) -> list[Move]:
        now, moves = board.copy(), []
        for word in words:
            try:
                moves.append(now.push_word(word, self._notation))
            except IllegalMoveError:
                break
        return moves

    def _read_best(self, board: Board, words: Sequence[str], info: Info) -> PlayResult:
        if not words or words[0] in ("(none)", "0000", "none"):
            return PlayResult(None, None, info)
        moves = self._read_line(board, [words[0]] + list(words[2:3]))
        if not moves:
            raise EngineError("the engine plays an illegal move: %s" % words[0])
        return PlayResult(moves[0], moves[1] if len(moves) > 1 else None, info)

    async def play(self, board: Board, limit: Limit) -> PlayResult:
        """Asks for a move."""
        infos: dict[int, Info] = {}
        async with self._lock:
            async for report in self._search(board, limit, 1, infos):
                if isinstance(report, tuple):
                    return self._read_best(board, report, infos.get(1, Info()))
        raise EngineTerminatedError("the engine has ended")

    async def analyse(self, board: Board, limit: Limit, *, multipv: int = 1) -> list[Info]:
        """Searches and returns the best lines, the best one first."""
        infos: dict[int, Info] = {}
        async with self._lock:
            async for _report in self._search(board, limit, multipv, infos):
                pass
        return [infos[n] for n in sorted(infos)]

    async def analysis(self, board: Board, limit: Limit = Limit(), *,
                       multipv: int = 1) -> AsyncIterator[Info]:
        """The engine's reports while it thinks; leaving the loop stops the search."""
        infos: dict[int, Info] = {}
        async with self._lock:
            search = self._search(board, limit, multipv, infos)
            try:
                async for report in search:
                    if isinstance(report, Info):
                        yield report
            finally:
                await search.aclose()  # type: ignore[attr-defined]


def _after(words: Sequence[str], name: str) -> Optional[int]:
    try:
        return int(words[words.index(name) + 1])
    except (ValueError, IndexError):
        return None


def _read_option(line: str) -> Option:
    found = re.match(r"option name (.*?) type (\w+) ?(.*)", line)
    if not found:
        return Option(line, "string")
    rest = found[3]
    default = re.search(r"(?:^| )default (.*?)(?= (?:min|max|var) |$)", " " + rest)
    low, high = re.search(r"\bmin (-?\d+)", rest), re.search(r"\bmax (-?\d+)", rest)
    return Option(found[1], found[2], default[1] if default else None,
                  int(low[1]) if low else None, int(high[1]) if high else None,
                  tuple(re.findall(r"\bvar (\S+)", rest)))


async def popen_uci(command: Union[str, Sequence[str]], *, timeout: Optional[float] = 60.0,
                    **popen: Any) -> UciEngine:
    """Starts an engine and greets it; EngineError if it has not answered after `timeout` seconds."""
    words = shlex.split(command) if isinstance(command, str) else list(command)
    process = await asyncio.create_subprocess_exec(
        *words, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=1 << 20,
        **popen)
    engine = UciEngine(process)
    try:
        await asyncio.wait_for(engine._greet(), timeout)
    except BaseException as error:
        if process.returncode is None:
            process.kill()
        await process.wait()
        if isinstance(error, asyncio.TimeoutError):
            raise EngineError("%s has not answered `uci` in %g seconds: is it a UCI engine?"
                              % (words[0], timeout or 0)) from None
        raise
    return engine


def _run(loop: asyncio.AbstractEventLoop) -> None:
    """Runs a loop until it is stopped; who still waits for something then waits no longer."""
    loop.run_forever()
    tasks = asyncio.all_tasks(loop)
    for task in tasks:
        task.cancel()
    if tasks:
        loop.run_until_complete(asyncio.wait(tasks))
    loop.close()


class SimpleEngine:
    """A UciEngine without asyncio: a thread of its own runs it.

    >>> import kraton, kraton.engine
    >>> with kraton.engine.SimpleEngine.popen_uci("kraton-surakarta") as engine:
    ...     len(engine.analyse(kraton.Board("surakarta"), kraton.engine.Limit(depth=3), multipv=2))
    2
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, engine: UciEngine) -> None:
        self._loop, self.engine = loop, engine
        self._lock, self._ended = threading.Lock(), False

    @classmethod
    def popen_uci(cls, command: Union[str, Sequence[str]], *, timeout: Optional[float] = 60.0,
                  **popen: Any) -> SimpleEngine:
        loop = asyncio.new_event_loop()
        threading.Thread(target=_run, args=(loop,), daemon=True).start()
        try:
            engine = asyncio.run_coroutine_threadsafe(
                popen_uci(command, timeout=timeout, **popen), loop).result()
        except BaseException:
            loop.call_soon_threadsafe(loop.stop)
            raise
        return cls(loop, engine)

    def _begin(self, work: Coroutine[Any, Any, T], last: bool = False) -> concurrent.futures.Future[T]:
        with self._lock:
            if self._ended:
                work.close()
                raise EngineTerminatedError("the engine has ended")
            self._ended = last
            return asyncio.run_coroutine_threadsafe(work, self._loop)

    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        try:
            return self._begin(work).result()
        except concurrent.futures.CancelledError:
            raise EngineTerminatedError("the engine has ended") from None

    @property
    def id(self) -> dict[str, str]:
        return self.engine.id

    @property
    def options(self) -> dict[str, Option]:
        return self.engine.options

    def configure(self, options: Mapping[str, ConfigValue]) -> None:
        self._do(self.engine.configure(options))

    def play(self, board: Board, limit: Limit) -> PlayResult:
        return self._do(self.engine.play(board, limit))

    def analyse(self, board: Board, limit: Limit, *, multipv: int = 1) -> list[Info]:
        return self._do(self.engine.analyse(board, limit, multipv=multipv))

    def quit(self) -> None:
        """Ends the engine; one that has been ended stays so."""
        with contextlib.suppress(EngineTerminatedError):
            self._begin(self.engine.quit(), last=True).result()
            self._loop.call_soon_threadsafe(self._loop.stop)

    def __enter__(self) -> SimpleEngine:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.quit()
