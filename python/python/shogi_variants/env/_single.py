"""One game at a time: what the environments of other libraries are made of."""

import random
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from .._native import Encoding, Game, Outcome, Player, Position, Variant
from ..typing import Variant as _Name

Planes: TypeAlias = npt.NDArray[np.uint8]
Mask: TypeAlias = npt.NDArray[np.bool_]

Opponent: TypeAlias = Callable[[Planes, Mask], Any] | Player | None
"""Who plays against an agent: a function that chooses an action, a player, or nobody for random moves."""

Illegal: TypeAlias = Literal["error", "loss"] | float
"""What comes of an action that is not legal: an error, the loss of the game, or a reward with which the game goes on."""


class Single:
    """A game with its actions."""

    def __init__(self, start: "_Name | Variant | Position", max_plies: int) -> None:
        if not 1 <= max_plies <= 65_535:
            raise ValueError(f"max_plies: {max_plies} is out of range: it can be 1 to 65535")
        self.max_plies = max_plies
        self.start = start if isinstance(start, Position) else Position(start)
        self.encoding = Encoding(self.start.variant)
        self.game = Game(self.start)

    def reset(self) -> None:
        self.game = Game(self.start)

    @property
    def outcome(self) -> Outcome | None:
        return self.game.outcome

    @property
    def is_over(self) -> bool:
        """Whether the game has ended or has to be broken off."""
        return self.game.outcome is not None or len(self.game) >= self.max_plies

    def play(self, action: int) -> None:
        """Plays an action. Raises ``ValueError`` where it is not legal."""
        self.game.play(self.encoding.move(self.game.position, int(action)))

    def mask(self) -> Mask:
        """The legal actions; none where the game is over."""
        if self.is_over:
            return np.zeros(self.encoding.actions, dtype=np.bool_)
        mask: Mask = self.encoding.masks([self.game.position])[0]
        return mask

    def planes(self, side: str) -> Planes:
        """The position as a player sees the board, whoever is to move."""
        planes = self.encoding.planes([self.game.position])[0]
        return planes if self.game.position.side == side else self._turned(planes)

    def reward(self, side: str) -> float:
        """1, 0 or -1 for a player; 0 while the game goes on."""
        winner = None if self.game.outcome is None else self.game.outcome.winner
        return 0.0 if winner is None else 1.0 if winner == side else -1.0

    def _turned(self, planes: Planes) -> Planes:
        """What the other player sees: the board turned by half a turn, and the players exchanged."""
        names = self.encoding.channels
        own = [name.startswith("own ") for name in names]
        others = [name.replace("own ", "opposing ") if mine else name.replace("opposing ", "own ") for name, mine in zip(names, own)]
        turned = planes[[names.index(name) for name in others], ::-1, ::-1].copy()
        turned[names.index("sente")] ^= 1
        return turned


def choose(opponent: Opponent, single: Single, generator: random.Random) -> int:
    """The action of an opponent who is to move."""
    mask = single.mask()
    if opponent is None:
        return generator.choice(np.flatnonzero(mask).tolist())
    if isinstance(opponent, Player):
        move = opponent.think(single.game, nodes=1_000).move
        # A player that would resign plays on: the environment has no such action.
        return generator.choice(np.flatnonzero(mask).tolist()) if move is None else single.encoding.action(single.game.position, move)
    return int(opponent(single.planes(single.game.position.side), mask))
