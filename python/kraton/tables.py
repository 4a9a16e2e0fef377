"""Endgame tables of Surakarta."""

from __future__ import annotations

import contextlib
import enum
import os
import threading
from ctypes import c_int
from dataclasses import dataclass
from types import TracebackType
from typing import Callable, Iterator, Optional, Type, Union

from . import _lib
from ._lib import Handle, byref, encode_optional, lib, need
from .rules import Board, Move, _words


class Value(enum.IntEnum):
    """For the side to move."""

    LOSS = -1
    DRAW = 0
    WIN = 1


class MissingTableError(KeyError):
    """No table has the position."""


@dataclass(frozen=True)
class Probe:
    """What the tables say of a position."""

    value: Value
    distance: Optional[int]  # plies to the capture that keeps the value; 0: waiting does; None: unknown


@dataclass(frozen=True)
class RankedMove:
    """A move, and what it is worth to the side that plays it."""

    move: Move
    value: Value
    distance: Optional[int]


@dataclass(frozen=True)
class Split:
    """One table: so many pieces of the side to move against so many."""

    movers: int
    others: int
    win: int
    draw: int
    loss: int
    longest_win: int
    longest_loss: int


def _distance(number: int) -> Optional[int]:
    return None if number < 0 else number


class Tables(Handle):
    """The tables of a folder, for one convention: "count", "traditional" or a rule set's name.

    To be closed, or used in a `with` statement. Any number of threads may ask; where some still do,
    close() leaves it to the last of them.
    """

    _free = "tables_close"

    def __init__(self, folder: Union[str, "os.PathLike[str]"], rules: Optional[str] = None, *,
                 trust: bool = False,
                 on_refused: Optional[Callable[[str], None]] = None) -> None:
        self._lock, self._asking, self._closed = threading.RLock(), 0, False
        error = _lib.ErrorLine()

        def listen(_context: object, line: bytes) -> None:
            if on_refused:
                on_refused(line.decode("utf-8", "replace"))

        self._listener = _lib.Listener(listen)  # lives as long as the library may call it
        self._pointer = lib.tables_open(os.fsencode(folder), encode_optional(rules), 1 if trust else 0,
                                        self._listener, None, byref(error))
        if not self._pointer:
            raise FileNotFoundError(_words(error))

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._free_unused()

    def _free_unused(self) -> None:
        if self._closed and not self._asking:
            self._give_back()

    def __enter__(self) -> Tables:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()

    @contextlib.contextmanager
    def _open(self) -> Iterator[Optional[int]]:
        """The library's tables, which stay until the block ends."""
        with self._lock:
            if self._closed:
                raise ValueError("the tables are closed")
            self._asking += 1
        try:
            yield self._pointer
        finally:
            with self._lock:
                self._asking -= 1
                self._free_unused()

    @property
    def pieces(self) -> int:
        """The most pieces, both sides together, of which there is a table."""
        with self._open() as tables:
            return int(lib.tables_pieces(tables))

    @property
    def longest(self) -> int:
        """The longest distance."""
        with self._open() as tables:
            return int(lib.tables_longest(tables))

    def probe(self, board: Board) -> Probe:
        """The value of a position and its distance."""
        distance = c_int()
        with self._open() as tables:
            value = lib.tables_probe(tables, need(board, Board)._pointer, byref(distance))
        if value not in (-1, 0, 1):
            raise MissingTableError("no table has this position")
        return Probe(Value(value), _distance(distance.value))

    def get(self, board: Board) -> Optional[Probe]:
        """The same; None where no table has the position."""
        try:
            return self.probe(board)
        except MissingTableError:
            return None

    def moves(self, board: Board) -> list[RankedMove]:
        """All legal moves, the best first."""
        found = (_lib.TableMove * _lib.MAX_MOVES)()
        with self._open() as tables:
            count = lib.tables_moves(tables, need(board, Board)._pointer, found)
        if count < 0:
            raise MissingTableError("no table has this position")
        return [RankedMove(Move._of_number(board.game, m.move), Value(m.value),
                           _distance(m.distance)) for m in found[:count]]

    def splits(self) -> Iterator[Split]:
        """The tables there are."""
        split, n = _lib.Split(), 0
        with self._open() as tables:
            while lib.tables_nth(tables, n, byref(split)):
                yield Split(split.movers, split.others, split.win, split.draw, split.loss,
                            split.longest_win, split.longest_loss)
                n += 1
