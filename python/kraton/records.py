"""Game records: PGN, JSON, lists of moves, and the formats of Chinese contests and programs."""

from __future__ import annotations

import ctypes
import enum
import os
from typing import Any, Iterator, Optional, Union

from . import _lib
from ._lib import Handle, byref, decode, encode, lib, need
from .rules import (
    Board, Game, Move, Notation, NotationLike, Outcome, _by_name, _game_of, _number, _words, notation_of,
)


class Format(enum.IntEnum):
    DETECT = -1
    CONTEST = 0
    PGN = 1
    DHTMLXQ = 2
    JSON = 3
    MOVES = 4
    XQF = 5
    CBR = 6
    CBL = 7
    WXF = 8
    DPXQ = 9


FormatLike = Union[Format, str]
_FIELDS = ("First", "Second", "Event", "Site", "Date", "FEN")


def _format_of(format: FormatLike) -> Format:
    return _by_name(Format, format, "format")


class RecordError(ValueError):
    """A game that cannot be read or written; the message names the line."""


class Record(Handle):
    """A game with its players, tags, moves and result.

    Headers are read and set by name: record["First"], record["Event"]. "First" and "Second" are the
    players; other names are PGN tags.

    >>> import kraton
    >>> board = kraton.Board("xiangqi")
    >>> board.push_line("C2=5 H8+7")
    >>> record = kraton.Record.of_board(board)
    >>> record["First"] = "Ann"
    >>> record.text("moves", "wxf")
    'C2=5 H8+7\\n'
    """

    _free = "record_free"

    def __init__(self, game: Union[Game, str]) -> None:
        self._pointer = lib.record_new(_game_of(game)._pointer)
        if not self._pointer:
            raise MemoryError

    @classmethod
    def of_board(cls, board: Board) -> Record:
        """The record of a board's game."""
        record = cls.__new__(cls)
        record._pointer = lib.record_of_position(need(board, Board)._pointer)
        if not record._pointer:
            raise MemoryError
        return record

    @property
    def game(self) -> Game:
        return Game(decode(lib.game_name(lib.record_game(self._pointer))) or "")

    def get(self, name: str, default: Optional[str] = None) -> Optional[str]:
        value = decode(lib.record_get(self._pointer, encode(name)))
        return default if value is None else value

    def __getitem__(self, name: str) -> str:
        value = self.get(name)
        if value is None:
            raise KeyError(name)
        return value

    def __setitem__(self, name: str, value: str) -> None:
        error = _lib.ErrorLine()
        if not lib.record_set(self._pointer, encode(name), encode(value), byref(error)):
            raise ValueError(_words(error))

    @property
    def headers(self) -> dict[str, str]:
        """All headers that say something."""
        names, n = list(_FIELDS), 0
        while (name := lib.record_tag_nth(self._pointer, n)) is not None:
            names.append(name.decode())
            n += 1
        return {name: value for name in names if (value := self.get(name))}

    @property
    def result(self) -> Outcome:
        return Outcome(lib.record_result(self._pointer))

    @result.setter
    def result(self, result: Outcome) -> None:
        lib.record_set_result(self._pointer, Outcome(result))

    @property
    def moves(self) -> list[Move]:
        game = self.game
        return [Move._of_number(game, lib.record_move_at(self._pointer, n))
                for n in range(lib.record_move_count(self._pointer))]

    def add_move(self, move: Move) -> None:
        if not lib.record_add_move(self._pointer, _number(move)):
            raise MemoryError

    def first_board(self, rules: Optional[str] = None) -> Board:
        """The board before the first move."""
        return Board(self.game, self["FEN"] or None, rules=rules)

    def board(self, rules: Optional[str] = None) -> Board:
        """The board after the last move, with all moves in its history."""
        board = self.first_board(rules)
        for move in self.moves:
            board.push(move)
        return board

    def bytes(self, format: FormatLike = Format.PGN,
              notation: NotationLike = Notation.ANY) -> bytes:
        """The record in a format, as its files have it: contest records are in GBK."""
        error, size = _lib.ErrorLine(), ctypes.c_size_t()
        pointer = lib.record_write(self._pointer, _format_of(format), notation_of(notation),
                                   byref(size), byref(error))
        if not pointer:
            raise RecordError(_words(error))
        try:
            return ctypes.string_at(pointer, size.value)
        finally:
            lib.free(pointer)

    def text(self, format: FormatLike = Format.PGN, notation: NotationLike = Notation.ANY) -> str:
        """The same as text."""
        form = _format_of(format)
        return self.bytes(form, notation).decode("gbk" if form == Format.CONTEST else "utf-8")

    def file_name(self, format: FormatLike = Format.PGN, number: int = 1) -> str:
        """A file name for the record: as the contest names its files, or by a number."""
        return _lib.text(lib.record_file_name, self._pointer, _format_of(format), number)

    def __reduce__(self) -> Any:
        return _read_one, (self.bytes(Format.JSON), self.game)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return "<Record of %s: %s - %s, %d moves, %s>" % (
            self.game.name, self["First"] or "?", self["Second"] or "?",
            lib.record_move_count(self._pointer), self.result.score)


def _read_one(json: bytes, game: Game) -> Record:
    """A record that was copied or pickled; JSON keeps all of it."""
    return next(read_games(json, Format.JSON, game))


def read_games(source: Union[str, bytes, "os.PathLike[str]"], format: FormatLike = Format.DETECT,
               game: Union[Game, str, None] = None, *, skip_bad: bool = False) -> Iterator[Record]:
    """The games of a file (a path) or of bytes, one after the other, in whatever format they are.

    A bad game raises RecordError, which names the line; with skip_bad it is left out. Lists of moves
    need the game.

    >>> import kraton
    >>> [len(r.moves) for r in kraton.read_games(b"h2e2 h9g7\\nb2e2\\n", game="xiangqi")]
    [2, 1]
    """
    if isinstance(source, bytes):
        content = source
    else:
        with open(source, "rb") as file:
            content = file.read()
    chosen = _game_of(game) if game is not None else None
    reader = lib.reader_new(content, len(content), _format_of(format),
                            chosen._pointer if chosen else None)
    if not reader:
        raise MemoryError
    try:
        while True:
            record, error = Record(chosen or "xiangqi"), _lib.ErrorLine()
            status = lib.reader_next(reader, record._pointer, byref(error))
            if status == 0:
                return
            if status == 1:
                yield record
            elif not skip_bad:
                raise RecordError(_words(error))
    finally:
        lib.reader_free(reader)
