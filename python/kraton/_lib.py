"""The shared library libkraton over ctypes: where it is found, and its functions with their types.

The library is the file that the environment variable KRATON_LIBRARY names, else the first of: the
folders above this package (an installation that was moved, a build folder), the system.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import difflib
import os
import sys
from ctypes import (
    CFUNCTYPE, POINTER, Structure, byref, c_bool, c_char, c_char_p, c_int, c_size_t, c_uint, c_uint8,
    c_uint16, c_uint32, c_uint64, c_void_p,
)
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, Optional, Type, TypeVar

MAJOR = 1  # of the library that this package can use
MAX_MOVES = 256
T = TypeVar("T")


class ErrorLine(Structure):
    _fields_ = [("line", c_char * 256)]


class Verdict(Structure):
    _fields_ = [("outcome", c_int), ("reason", c_int), ("words", c_char * 160)]


class Opening(Structure):
    _fields_ = [("code", c_char_p), ("chinese", c_char_p), ("english", c_char_p)]


class Route(Structure):
    _fields_ = [("circuit", c_int), ("loops", c_int), ("count", c_int), ("point", c_uint8 * 32)]


class TableMove(Structure):
    _fields_ = [("move", c_uint16), ("value", c_int), ("distance", c_int)]


class Split(Structure):
    _fields_ = [
        ("movers", c_int), ("others", c_int), ("has_distances", c_int), ("longest_win", c_int),
        ("longest_loss", c_int), ("entries", c_uint64), ("win", c_uint64), ("draw", c_uint64),
        ("loss", c_uint64),
    ]


Listener = CFUNCTYPE(None, c_void_p, c_char_p)

_GAME = _POSITION = _RECORD = _READER = _TABLES = c_void_p
_ERROR = POINTER(ErrorLine)
_OUT = [c_char_p, c_size_t]

# name: result, parameters
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "version": (c_char_p, []),
    "version_number": (c_int, []),
    "free": (None, [c_void_p]),
    "game_find": (_GAME, [c_char_p]),
    "game_nth": (_GAME, [c_int]),
    "game_name": (c_char_p, [_GAME]),
    "game_title": (c_char_p, [_GAME]),
    "game_side_name": (c_char_p, [_GAME, c_int]),
    "game_start_fen": (c_char_p, [_GAME]),
    "game_files": (c_int, [_GAME]),
    "game_ranks": (c_int, [_GAME]),
    "game_first_rank": (c_int, [_GAME]),
    "game_point": (c_int, [_GAME, c_char_p]),
    "game_square": (c_size_t, [_GAME, c_int] + _OUT),
    "game_rules_nth": (c_char_p, [_GAME, c_int]),
    "game_notation_nth": (c_int, [_GAME, c_int]),
    "notation_name": (c_char_p, [c_int]),
    "format_name": (c_char_p, [c_int]),
    "position_new": (_POSITION, [_GAME, c_char_p, c_char_p, _ERROR]),
    "position_copy": (_POSITION, [_POSITION]),
    "position_free": (None, [_POSITION]),
    "position_set_fen": (c_bool, [_POSITION, c_char_p, _ERROR]),
    "position_game": (_GAME, [_POSITION]),
    "position_rules": (c_size_t, [_POSITION] + _OUT),
    "position_fen": (c_size_t, [_POSITION] + _OUT),
    "position_first_fen": (c_char_p, [_POSITION]),
    "position_side_to_move": (c_int, [_POSITION]),
    "position_ply": (c_uint32, [_POSITION]),
    "position_move_at": (c_uint16, [_POSITION, c_uint32]),
    "position_key": (c_uint64, [_POSITION]),
    "position_piece_at": (c_char, [_POSITION, c_int]),
    "position_piece_count": (c_int, [_POSITION, c_int]),
    "position_in_check": (c_bool, [_POSITION]),
    "position_occurrences": (c_int, [_POSITION]),
    "position_no_capture_plies": (c_int, [_POSITION]),
    "position_legal_moves": (c_int, [_POSITION, POINTER(c_uint16)]),
    "position_is_legal": (c_bool, [_POSITION, c_uint16]),
    "position_is_capture": (c_bool, [_POSITION, c_uint16]),
    "position_play": (c_bool, [_POSITION, c_uint16, _ERROR]),
    "position_undo": (c_bool, [_POSITION]),
    "position_parse": (c_bool, [_POSITION, c_char_p, c_int, POINTER(c_uint16), _ERROR]),
    "position_format": (c_size_t, [_POSITION, c_uint16, c_int] + _OUT),
    "position_routes": (c_int, [_POSITION, c_uint16, POINTER(Route)]),
    "position_draw": (c_size_t, [_POSITION, c_uint] + _OUT),
    "position_perft": (c_uint64, [_POSITION, c_int, POINTER(c_uint64)]),
    "position_result": (Verdict, [_POSITION]),
    "position_cycle": (c_bool, [_POSITION, POINTER(Verdict)]),
    "position_play_line": (
        c_bool, [_POSITION, c_char_p, c_int, POINTER(Verdict), POINTER(c_uint32), _ERROR]),
    "position_opening": (c_bool, [_POSITION, POINTER(Opening)]),
    "record_new": (_RECORD, [_GAME]),
    "record_of_position": (_RECORD, [_POSITION]),
    "record_free": (None, [_RECORD]),
    "record_game": (_GAME, [_RECORD]),
    "record_get": (c_char_p, [_RECORD, c_char_p]),
    "record_set": (c_bool, [_RECORD, c_char_p, c_char_p, _ERROR]),
    "record_tag_nth": (c_char_p, [_RECORD, c_int]),
    "record_result": (c_int, [_RECORD]),
    "record_set_result": (None, [_RECORD, c_int]),
    "record_move_count": (c_uint32, [_RECORD]),
    "record_move_at": (c_uint16, [_RECORD, c_uint32]),
    "record_add_move": (c_bool, [_RECORD, c_uint16]),
    "reader_new": (_READER, [c_char_p, c_size_t, c_int, _GAME]),
    "reader_free": (None, [_READER]),
    "reader_format": (c_int, [_READER]),
    "reader_next": (c_int, [_READER, _RECORD, _ERROR]),
    "record_write": (c_void_p, [_RECORD, c_int, c_int, POINTER(c_size_t), _ERROR]),
    "record_file_name": (c_size_t, [_RECORD, c_int, c_uint] + _OUT),
    "tables_open": (_TABLES, [c_char_p, c_char_p, c_uint, Listener, c_void_p, _ERROR]),
    "tables_close": (None, [_TABLES]),
    "tables_pieces": (c_int, [_TABLES]),
    "tables_longest": (c_int, [_TABLES]),
    "tables_probe": (c_int, [_TABLES, _POSITION, POINTER(c_int)]),
    "tables_moves": (c_int, [_TABLES, _POSITION, POINTER(TableMove)]),
    "tables_nth": (c_bool, [_TABLES, c_int, POINTER(Split)]),
}


def _candidates() -> Iterator[str]:
    name = "libkraton.so.%d" % MAJOR
    for folder in Path(__file__).resolve().parents[0:6]:
        yield str(folder / name)
        yield from (str(path) for path in sorted(folder.glob("lib/%s" % name)))
        yield from (str(path) for path in sorted(folder.glob("lib/*/%s" % name)))
        yield str(folder / "build" / "release" / name)


def _load() -> ctypes.CDLL:
    if named := os.environ.get("KRATON_LIBRARY"):
        try:
            return ctypes.CDLL(named)
        except OSError as error:
            raise ImportError("KRATON_LIBRARY names no library that can be loaded: %s" % error) from None
    for path in _candidates():
        if os.path.exists(path):
            return ctypes.CDLL(path)
    found = ctypes.util.find_library("kraton") or "libkraton.so.%d" % MAJOR
    try:
        return ctypes.CDLL(found)
    except OSError:
        raise ImportError(
            "libkraton.so.%d is not installed: install the package libkraton%d, or name the file in "
            "the environment variable KRATON_LIBRARY" % (MAJOR, MAJOR)) from None


class _Library:
    """The functions without their prefix: lib.position_new is kraton_position_new."""

    def __init__(self) -> None:
        library = _load()
        for name, (result, parameters) in _FUNCTIONS.items():
            function = getattr(library, "kraton_" + name)
            function.restype, function.argtypes = result, parameters
            setattr(self, name, function)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


lib = _Library()
_running = lib.version_number() // 10000
if _running != MAJOR:
    raise ImportError("this package needs libkraton %d, and found %s"
                      % (MAJOR, lib.version().decode()))


def text(write: Callable[..., int], *arguments: Any, size: int = 256) -> str:
    """What a function with (out, size) writes."""
    out = ctypes.create_string_buffer(size)
    length = write(*arguments, out, size)
    if length >= size:
        return text(write, *arguments, size=length + 1)
    return out.raw[:length].decode("utf-8", "replace")


def decode(value: Optional[bytes]) -> Optional[str]:
    return None if value is None else value.decode("utf-8", "replace")


def need(value: Any, kind: Type[T], hint: str = "") -> T:
    """The value, which must be of the kind."""
    if not isinstance(value, kind):
        name = "text" if kind is str else kind.__name__
        raise TypeError("a %s is needed, not %r%s" % (name, value, hint))
    return value


def encode(value: str) -> bytes:
    if "\0" in need(value, str):
        raise ValueError("a text with a zero byte")
    return value.encode("utf-8")


def encode_optional(value: Optional[str]) -> Optional[bytes]:
    return None if value is None else encode(value)


def none_of(what: str, given: str, names: Iterable[str]) -> str:
    """The words that refuse a name, with the nearest of those that there are."""
    known = {name.lower(): name for name in names}
    near = difflib.get_close_matches(str(given).lower(), known, 1)
    return "%s %r%s" % (what, given, "; did you mean %s?" % known[near[0]] if near else "")


class Handle:
    """Owns an object of the library, which `_free` gives back.

    A copy would give it back twice, and in another process there is no such object: a handle is
    neither copied nor pickled, unless its class knows how to make another one.
    """

    _pointer: Optional[int] = None
    _free = ""  # the library's function

    def __del__(self) -> None:
        self._give_back()

    def _give_back(self) -> None:
        pointer, self._pointer = self._pointer, None
        if pointer:
            getattr(lib, self._free)(pointer)

    def __reduce__(self) -> Any:
        raise TypeError("%s can be neither copied nor pickled" % type(self).__name__)


__all__ = ["lib", "byref", "text", "decode", "encode", "encode_optional", "Handle", "need", "none_of"]
if sys.version_info < (3, 9):
    raise ImportError("Python 3.9 or newer is needed")
