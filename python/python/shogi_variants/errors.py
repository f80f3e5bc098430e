"""What goes wrong, as exceptions. All of them derive from :class:`Error`.

Beside them a call raises what Python's own functions do: ``TypeError`` for a value of the wrong type, ``ValueError``
for a word that is not known, ``OSError`` with the name of a file, ``MemoryError``, and ``ImportError`` where
``progress=True`` finds no tqdm. Of many items the error has a note with the number of the one that is wrong.
"""

from collections.abc import Iterable
from typing import NamedTuple

__all__ = [
    "Error",
    "FileError",
    "GameOverError",
    "IllegalMoveError",
    "InvalidPositionError",
    "NotInProofError",
    "OutOfRangeError",
    "PackedError",
    "RankError",
    "RecordError",
    "RefutedError",
    "SfenError",
    "UnavailableError",
    "UnknownVariantError",
    "UsiError",
    "VariantError",
]


class Error(Exception):
    """The base of all exceptions of the package; ``str`` gives the whole message."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class UnknownVariantError(Error, ValueError):
    """No variant has this name."""


class VariantFault(NamedTuple):
    """One thing that is wrong with the text of a variant."""

    line: int
    """The line, from 1."""
    key: str
    """The key whose value is wrong, such as ``promotion.zone``."""
    reason: str
    """What is wrong with it, and what to write instead."""


class VariantError(Error, ValueError):
    """A text is no variant, or there is no room for another one."""

    def __init__(
        self, message: str, faults: Iterable[tuple[int, str, str]], filename: str | None = None
    ) -> None:
        self.faults = tuple(VariantFault(*fault) for fault in faults)
        """All that is wrong with it, in the order of the text."""
        super().__init__(message, self.faults, filename)
        self.filename = filename
        """The name of the file; ``None`` for a text that is no file's."""


class UnavailableError(Error, NotImplementedError):
    """The task is not there for this variant, or the variant is too large for it."""


class _TextError(Error, ValueError):
    def __init__(self, message: str, position: int, reason: str) -> None:
        super().__init__(message, position, reason)
        self.position = position
        """The character, from 0, at which reading stopped."""
        self.reason = reason
        """What is wrong there."""


class SfenError(_TextError):
    """A text is no position.

    >>> from shogi_variants import Position, SfenError
    >>> try:
    ...     Position("minishogi", "rbsgk/4p/5/P4/KGSXR b - 1")
    ... except SfenError as error:
    ...     print(error.position, error.reason)
    17 no piece has the letter 'X'
    """


class UsiError(_TextError):
    """A text is no move."""


class InvalidPositionError(Error, ValueError):
    """A position breaks the rules."""

    def __init__(self, message: str, faults: tuple[str, ...]) -> None:
        super().__init__(message, faults)
        self.faults = faults
        """All that is wrong with it."""


class IllegalMoveError(Error, ValueError):
    """A move breaks the rules."""

    def __init__(self, message: str, move: str, violations: tuple[str, ...]) -> None:
        super().__init__(message, move, violations)
        self.move = move
        """The move as it was given."""
        self.violations = violations
        """The rules that it breaks."""


class GameOverError(Error):
    """Nothing can be played, the game has ended."""


class RecordError(Error, ValueError):
    """A text is no record of a game, or a record cannot be written in a format."""

    def __init__(self, message: str, line: int | None, column: int | None, reason: str) -> None:
        super().__init__(message, line, column, reason)
        self.line = line
        """The line of the text, from 1; ``None`` where a record is written."""
        self.column = column
        """The character of the line, from 1; ``None`` where a record is written."""
        self.reason = reason
        """What is wrong there."""


class OutOfRangeError(Error, ValueError):
    """A number is not within the bounds of an argument.

    >>> from shogi_variants import OutOfRangeError, Position
    >>> try:
    ...     Position("minishogi").perft(2**31)
    ... except OutOfRangeError as error:
    ...     print(error)
    depth: 2147483648 is out of range: it can be 0 to 255
    """

    def __init__(self, message: str, argument: str, value: object, least: int, most: int) -> None:
        super().__init__(message, argument, value, least, most)
        self.argument = argument
        """The name of the argument."""
        self.value = value
        """The number."""
        self.least = least
        """The least that it can be."""
        self.most = most
        """The most that it can be."""


class PackedError(Error, ValueError):
    """Bytes are no packed position, or a number stands for no legal move or for no result.

    >>> import numpy as np
    >>> from shogi_variants import PackedError, Packing
    >>> try:
    ...     Packing("hcp").unpack(np.full((1, 32), 255, np.uint8))
    ... except PackedError as error:
    ...     print(error.bit, error.reason)
    1 the board has no square 127
    """

    def __init__(self, message: str, bit: int | None, reason: str) -> None:
        super().__init__(message, bit, reason)
        self.bit = bit
        """The bit of the position, from 0, at which reading stopped; ``None`` for a move or a result."""
        self.reason = reason
        """What is wrong there."""


class RankError(Error, ValueError):
    """A number is the rank of no placement, or a placement has no rank."""


class FileError(Error):
    """A file is damaged, of another format, or does not fit the variant.

    A file that is not there or cannot be opened is a ``FileNotFoundError`` or another ``OSError`` with its name.
    """

    def __init__(self, message: str, filename: str | None = None) -> None:
        super().__init__(message, filename)
        self.filename = filename
        """The name of the file; ``None`` for a text that is no file's."""


class NotInProofError(Error, LookupError):
    """A proof does not say what to play after these moves."""


class RefutedError(Error):
    """A proof, a certificate or a table does not hold."""

    def __init__(self, message: str, position: str, reason: str) -> None:
        super().__init__(message, position, reason)
        self.position = position
        """The position where it is wrong, in SFEN."""
        self.reason = reason
        """What is wrong there."""
