"""The truth about positions and policies, from a tablebase."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from .._native import Encoding, Position, Tablebase, VectorEnv

Policy: TypeAlias = Callable[[npt.NDArray[np.uint8], npt.NDArray[np.bool_]], npt.NDArray[Any]]
"""A function of observations and masks of many positions that gives an action for each, or the probabilities of all."""

_WORDS = {1: "win", 0: "draw", -1: "loss"}

_BLUNDERS = [(1, 0), (1, -1), (0, -1)]
"""What positions are worth before and after a move that gives away value."""

_WORST = 10
"""How many of the moves that lose most are kept."""

_BATCH = 10_000
"""How many positions are looked at together."""


class Blunder(NamedTuple):
    """A move that gives away value."""

    position: Position
    """Where it is made."""
    move: str
    """The move."""
    value: str
    """What it leads to for the player who makes it: ``win``, ``draw`` or ``loss``."""
    best: str
    """What the position is worth."""


@dataclass
class Evaluation:
    """What a policy does where the truth is known."""

    positions: int
    """How many positions were looked at."""
    regret: float
    """How much value a move loses in the mean, of the values 1, 0 and -1: 0 for perfect play."""
    blunders: dict[str, float]
    """How many moves turn a win into a draw, and so on; for probabilities, how many are expected."""
    worst: list[Blunder] = field(repr=False)
    """Some of the moves that lose most, at most ten."""

    @property
    def blunder_rate(self) -> float:
        """The share of moves that give away value."""
        return sum(self.blunders.values()) / self.positions


class Oracle:
    """Exact values of positions and moves, from a tablebase.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from shogi_variants import Tablebase
    >>> from shogi_variants.env import Oracle
    >>> table = Tablebase.build("dobutsu", Path(tempfile.mkdtemp()) / "KK.tablebase", pieces="L2")
    >>> oracle = Oracle(table)
    >>> values, plies = oracle.values(["2l/3/3/L2 b - 1"])
    >>> moves = oracle.action_values(["2l/3/3/L2 b - 1"])
    >>> int(values[0]), sorted(moves[moves > -2].tolist())
    (1, [-1.0, 0.0, 1.0])
    """

    def __init__(self, table: Tablebase) -> None:
        self.table = table
        self.encoding = Encoding(table.variant)

    def values(
        self, positions: Iterable[str | Position]
    ) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int32]]:
        """The values for the players to move, 1, 0 or -1, and the plies to the end, -1 where there are none."""
        return self.table.probe_many(positions)

    def action_values(self, positions: Iterable[str | Position]) -> npt.NDArray[np.float32]:
        """The values of all actions for the players who make them; not a number for those that are not legal."""
        values = self.table.action_values(positions).astype(np.float32)
        values[values < -1] = np.nan
        return values

    def regret(self, policy: Policy, positions: Iterable[str | Position]) -> npt.NDArray[np.float32]:
        """How much value a policy loses in each position: the best value less that of its move, or the mean of its moves."""
        positions = list(positions)
        values = self.action_values(positions)
        chosen = self._probabilities(policy, positions)
        best = np.nanmax(values, axis=1)
        lost: npt.NDArray[np.float32] = best - (chosen * np.nan_to_num(values)).sum(axis=1)
        return lost

    def sample(
        self, count: int, *, seed: int = 0, start: Position | None = None, plies: int = 40
    ) -> list[Position]:
        """Distinct positions of random games that have not ended, after up to so many plies from a start.

        Raises ``ValueError`` where games from the start do not have so many.
        """
        first = start if start is not None else Position(self.table.variant)
        found: dict[Position, None] = {}
        for attempt in range(64):
            boards = min(max(count, 256), 1 << 16)
            env = VectorEnv(first, boards, seed=seed + attempt, random_plies=plies, max_plies=plies + 1)
            found.update(dict.fromkeys(env.positions()))
            if len(found) >= count:
                return list(found)[:count]
        raise ValueError(f"random games from the start have met {len(found)} positions only")

    def all(self) -> Iterator[str]:
        """All positions of the tablebase that have not ended, the player to move as Sente, of mirror images one.

        >>> import tempfile
        >>> from pathlib import Path
        >>> from shogi_variants import Tablebase
        >>> from shogi_variants.env import Oracle
        >>> oracle = Oracle(Tablebase.build("dobutsu", Path(tempfile.mkdtemp()) / "KK.tablebase", pieces="L2"))
        >>> len(list(oracle.all())), oracle.table.summary()["positions"]
        (35, 44)
        """
        for first in range(0, self.table.numbers, _BATCH):
            yield from self._going_on(self.table.positions(first, _BATCH))

    def uniform(self, count: int, *, seed: int = 0) -> list[str]:
        """So many of the positions that :meth:`all` gives, each as likely as any other; one may be drawn again."""
        random = np.random.default_rng(seed)
        found: list[str] = []
        for _ in range(1000):
            drawn = random.integers(self.table.numbers, size=count)
            found += self._going_on([one for number in drawn for one in self.table.positions(int(number), 1)])
            if len(found) >= count:
                return found[:count]
        raise ValueError(f"the tablebase has hardly any position that has not ended: {len(found)} were drawn")

    def _blunder(self, position: str | Position, action: int, value: str, best: str) -> Blunder:
        where = position if isinstance(position, Position) else Position(self.table.variant, position)
        return Blunder(where, self.encoding.move(position, action), value, best)

    def _going_on(self, positions: list[str]) -> list[str]:
        """Those of which the game is not over."""
        moves = self.encoding.masks(positions).any(axis=1) if positions else []
        return [position for position, any_move in zip(positions, moves, strict=True) if any_move]

    def _probabilities(self, policy: Policy, positions: Sequence[str | Position]) -> npt.NDArray[np.float32]:
        masks = self.encoding.masks(positions)
        if not masks.any(axis=1).all():
            raise ValueError("a position has no legal move, or its game is over")
        chosen = np.asarray(policy(self.encoding.planes(positions), masks))
        if chosen.shape == (len(positions),):
            one = np.zeros(masks.shape, np.float32)
            one[np.arange(len(positions)), chosen.astype(np.int64)] = 1
            chosen = one
        if chosen.shape != masks.shape:
            raise ValueError(f"a policy gives an action or {masks.shape[1]} probabilities for each position")
        if (chosen[~masks] > 0).any():
            raise ValueError("the policy chooses an action that is not legal")
        if (chosen < 0).any() or not np.allclose(chosen.sum(axis=1), 1, atol=1e-3):
            raise ValueError("the probabilities of a position are not below 0 and add up to 1")
        return chosen.astype(np.float32)


def evaluate_policy(
    policy: Policy,
    oracle: Oracle,
    positions: Iterable[str | Position] | None = None,
    *,
    samples: int = 10_000,
    seed: int = 0,
) -> Evaluation:
    """Compares a policy with the truth: in positions that are given, or in positions of random games.

    Positions are looked at in batches, so that all positions of a tablebase (:meth:`Oracle.all`) take no memory.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from shogi_variants import Position, Tablebase
    >>> from shogi_variants.env import Oracle, evaluate_policy
    >>> table = Tablebase.build("dobutsu", Path(tempfile.mkdtemp()) / "KK.tablebase", pieces="L2")
    >>> equal = lambda observations, masks: masks / masks.sum(axis=1, keepdims=True)
    >>> found = evaluate_policy(equal, Oracle(table), ["2l/3/3/L2 b - 1"])
    >>> found.positions, round(found.regret, 3), round(found.blunder_rate, 3)
    (1, 1.0, 0.667)
    """
    given = oracle.sample(samples, seed=seed) if positions is None else positions
    count, lost_in_all = 0, 0.0
    blunders = {f"{_WORDS[worth]} to {_WORDS[left]}": 0.0 for worth, left in _BLUNDERS}
    worst: list[tuple[float, Blunder]] = []
    rest = iter(given)
    while batch := list(islice(rest, _BATCH)):
        values = oracle.action_values(batch)
        chosen = oracle._probabilities(policy, batch)
        best = np.nanmax(values, axis=1)
        lost = np.where(chosen > 0, best[:, None] - np.nan_to_num(values), 0)
        for worth, left in _BLUNDERS:
            those = chosen[best == worth][values[best == worth] == left]
            blunders[f"{_WORDS[worth]} to {_WORDS[left]}"] += float(those.sum())
        expected = (chosen * lost).sum(axis=1)
        count, lost_in_all = count + len(batch), lost_in_all + float(expected.sum())
        for number in np.argsort(-expected, kind="stable")[:_WORST]:
            if expected[number] <= 0:
                break
            action = int((chosen[number] * lost[number]).argmax())
            words = _WORDS[int(values[number, action])], _WORDS[int(best[number])]
            worst.append((float(expected[number]), oracle._blunder(batch[number], action, *words)))
        worst = sorted(worst, key=lambda one: -one[0])[:_WORST]
    if not count:
        raise ValueError("there is no position to look at")
    return Evaluation(count, lost_in_all / count, blunders, [blunder for _, blunder in worst])
