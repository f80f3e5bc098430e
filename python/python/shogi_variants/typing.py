"""The words that the functions take and give, as types: `mypy` finds typos in them."""

from collections.abc import Callable
from typing import Literal, TypeAlias

Variant: TypeAlias = Literal[
    "minishogi",
    "kyotoshogi",
    "shogi",
    "shogi34",
    "dobutsu",
    "gorogoro",
    "gorogoroplus",
    "judkins",
    "micro",
    "torishogi",
]
"""The name of a variant that is built in: what `variants()` has."""

Colour: TypeAlias = Literal["sente", "gote"]
"""A player."""

Dialect: TypeAlias = Literal["lishogi", "fairy"]
"""How positions and moves are written."""

Value: TypeAlias = Literal["win", "loss", "draw"]
"""How a game ends for the player to move."""

Format: TypeAlias = Literal["kif", "ki2", "csa", "usi", "json", "jkf"]
"""The format of a record."""

Stage: TypeAlias = Literal["flip", "pawn", "king", "unreachable", "ok", "unknown"]
"""The stage of classification that drops a placement, or what became of it."""

Numbering: TypeAlias = Literal["native", "ishii-tanaka", "king-legal"]
"""The order of a `Space`."""

PackingName: TypeAlias = Literal["psfen", "hcp"]
"""How positions of standard shogi are packed."""

Method: TypeAlias = Literal["plain", "king-legal", "strata"]
"""How an estimate is made."""

Algorithm: TypeAlias = Literal["dfpn", "pds"]
StartLeaf: TypeAlias = Literal["unit", "mobility"]
"""How proofs are searched for."""

Evaluation: TypeAlias = Literal["standard", "network", "material", "weighted", "zero"]
"""How a player evaluates positions."""

Progress: TypeAlias = Callable[[int, int | None], object] | bool
"""What shows how far a call is: a function of what is done and of how much, or a bar of tqdm."""
