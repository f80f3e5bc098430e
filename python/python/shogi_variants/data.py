"""The community's training data, PSV and hcpe, as arrays of numpy.

A file is a sequence of entries of one length. It becomes an array with the fields of the format, which is mapped into
memory and read where it is used. The fields have the names of cshogi. `positions`, `moves` and `results` decode entries,
and check them.

>>> import tempfile
>>> from pathlib import Path
>>> from shogi_variants import Position, data
>>> start = Position("shogi")
>>> entries = data.entries("psv", [start, start.play("7g7f")], moves=["7g7f", "3c3d"], scores=[35, -20], results=["win", "loss"], plies=[1, 2])
>>> path = Path(tempfile.mkdtemp()) / "two.psv"
>>> data.write(path, entries)
>>> read = data.read(path)
>>> read["score"].tolist(), data.moves(read), data.results(read)
([35, -20], ['7g7f', '3c3d'], ['win', 'loss'])
>>> data.positions(read)[0] == start
True
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from ._native import Packing, Position
from .errors import FileError, PackedError
from .typing import Value

__all__ = ["HCP", "HCPE", "PSFEN", "PSV", "Entries", "entries", "moves", "positions", "read", "results", "write"]

PSV: np.dtype[Any] = np.dtype(
    [("sfen", "u1", (32,)), ("score", "<i2"), ("move", "<u2"), ("gamePly", "<u2"), ("game_result", "i1"), ("padding", "u1")]
)
"""YaneuraOu's PackedSfenValue, 40 bytes."""

HCPE: np.dtype[Any] = np.dtype([("hcp", "u1", (32,)), ("eval", "<i2"), ("bestMove16", "<u2"), ("gameResult", "i1"), ("dummy", "u1")])
"""Apery's HuffmanCodedPosAndEval, 38 bytes."""

PSFEN: np.dtype[Any] = np.dtype([("sfen", "u1", (32,))])
"""YaneuraOu's PackedSfen, a position alone, 32 bytes."""

HCP: np.dtype[Any] = np.dtype([("hcp", "u1", (32,))])
"""Apery's HuffmanCodedPos, a position alone, 32 bytes."""

FORMATS = {"psv": PSV, "bin": PSV, "hcpe": HCPE, "psfen": PSFEN, "hcp": HCP}

Entries: TypeAlias = npt.NDArray[np.void]
"""An array with the fields of one of the formats."""

_Format: TypeAlias = Literal["psv", "bin", "hcpe", "psfen", "hcp"]


def read(path: str | os.PathLike[str], format: _Format | None = None) -> Entries:
    """The entries of a file, mapped into memory as a `numpy.memmap`.

    The end of the file's name says the format where none is given. Raises `FileError` if the file ends within an entry, and
    `ValueError` if its format is not known.
    """
    path = Path(path)
    dtype = _dtype(format or path.suffix[1:])
    size = path.stat().st_size
    if size % dtype.itemsize:
        whole = size - size % dtype.itemsize
        raise FileError(f"{path}: at byte {whole}: the file ends in the midst of an entry of {dtype.itemsize} bytes", str(path))
    if size == 0:
        return np.zeros(0, dtype)
    return cast(Entries, np.memmap(path, dtype, mode="r"))


def write(path: str | os.PathLike[str], entries: Entries) -> None:
    """Writes entries to a file."""
    _of(entries)
    entries.tofile(Path(path))


def positions(entries: Entries) -> list[Position]:
    """The positions of entries. Raises `PackedError`."""
    packing, field = _of(entries)
    return packing.unpack(np.asarray(entries[field]))


def moves(entries: Entries) -> list[str | None]:
    """The moves that were chosen, in USI notation, each legal in its position; `None` where it is unknown.

    Raises `PackedError`.
    """
    packing, field = _of(entries)
    return packing.unpack_moves(np.asarray(entries[field]), np.asarray(entries[_judged(entries)[1]]).astype(np.uint16))


def results(entries: Entries) -> list[Value]:
    """How the games ended for the players to move. Raises `PackedError` for numbers that stand for no result."""
    found = np.asarray(entries[_judged(entries)[2]]).astype(np.int64)
    if entries.dtype.names and "game_result" in entries.dtype.names:
        known, won = (-1, 0, 1), found
    else:
        # 1 if Sente has won, 2 if Gote has. The lowest bit of a position says whether Gote is to move.
        gote = np.asarray(entries["hcp"])[:, 0] & 1
        known, won = (0, 1, 2), np.where(found == 0, 0, np.where(found == 1 + gote, 1, -1))
    for number in np.flatnonzero(~np.isin(found, known))[:1]:
        message = f"no result has the number {found[number]}"
        error = PackedError(message, None, message)
        _note(error, int(number))
        raise error
    words: dict[int, Value] = {1: "win", 0: "draw", -1: "loss"}
    return [words[one] for one in won.tolist()]


def entries(
    format: _Format,
    positions: Sequence[str | Position],
    *,
    moves: Sequence[str | None] | None = None,
    scores: npt.ArrayLike | None = None,
    results: Sequence[Value] | None = None,
    plies: npt.ArrayLike | None = None,
) -> Entries:
    """Entries of a format, from positions and what is known of them.

    `scores` are those of the player to move, `plies` the numbers of the moves in their games, from 1. PSV and hcpe need
    `results`. Raises `ValueError` for what a format has no place for, and where there are more or fewer of something
    than positions.
    """
    made: Entries = np.zeros(len(positions), _dtype(format))
    packing, field = _of(made)
    made[field] = packing.pack(positions)
    given = {"moves": moves, "scores": scores, "results": results, "plies": plies}
    if made.dtype in (PSFEN, HCP):
        without = {name for name, value in given.items() if value is not None}
        if without:
            raise ValueError(f"there is no place in {format} for {', '.join(sorted(without))}")
        return made
    if results is None:
        raise ValueError(f"a position in {format} has a result: give results")
    for name, value in given.items():
        if value is not None and np.shape(cast(Any, value))[:1] != (len(positions),):
            raise ValueError(f"{len(cast(Any, value))} {name} for {len(positions)} positions")
    score, move, result = _judged(made)
    if scores is not None:
        made[score] = scores
    if moves is not None:
        made[move] = packing.pack_moves(moves)
    for_mover = np.array([{"win": 1, "draw": 0, "loss": -1}[one] for one in results], np.int8)
    if "gamePly" in (made.dtype.names or ()):
        made[result] = for_mover
        if plies is not None:
            made["gamePly"] = plies
    elif plies is not None:
        raise ValueError(f"there is no place in {format} for plies")
    else:
        gote = made["hcp"][:, 0] & 1
        made[result] = np.where(for_mover == 0, 0, np.where((for_mover == 1) == (gote == 0), 1, 2))
    return made


def _note(error: Exception, number: int) -> None:
    # Python 3.10 has no notes.
    if hasattr(error, "add_note"):
        error.add_note(f"item {number} of the batch")


def _dtype(format: str) -> np.dtype[Any]:
    if format not in FORMATS:
        raise ValueError(f"there is no format {format!r}: {', '.join(FORMATS)}")
    return FORMATS[format]


def _of(entries: Entries) -> tuple[Packing, str]:
    """How the positions of entries are packed, and their field."""
    names = entries.dtype.names or ()
    for name, packing in (("sfen", "psfen"), ("hcp", "hcp")):
        if name in names:
            return Packing(cast(Any, packing)), name
    raise ValueError(f"an array with the fields of one of the formats is needed, not one of {entries.dtype}")


def _judged(entries: Entries) -> tuple[str, str, str]:
    """The fields of score, move and result."""
    names = entries.dtype.names or ()
    for judged in (("score", "move", "game_result"), ("eval", "bestMove16", "gameResult")):
        if set(judged) <= set(names):
            return judged
    raise ValueError(f"an array with scores, moves and results is needed, not one of {entries.dtype}")
