"""Environments for agents that learn by playing, and the truth to compare them with.

:class:`VectorEnv` steps thousands of games at once in arrays of numpy. :func:`gymnasium`, :func:`pettingzoo` and
:func:`openspiel` give one game in the form of these libraries, which are installed apart: ``pip install
'shogi_variants[gymnasium]'`` and so on. :class:`Oracle` and :func:`evaluate_policy` compare a policy with the exact
values of a tablebase.

All of them take any variant, games of one's own included, or a position to begin with.
"""

from typing import TYPE_CHECKING, Any

from .. import VectorEnv
from .._native import Position, Variant
from ..typing import Variant as _Name
from ._oracle import Blunder, Evaluation, Oracle, Policy, evaluate_policy
from ._single import Illegal, Opponent

if TYPE_CHECKING:
    from ._gymnasium import GymnasiumEnv
    from ._pettingzoo import PettingZooEnv

__all__ = [
    "Blunder",
    "Evaluation",
    "Oracle",
    "Policy",
    "VectorEnv",
    "evaluate_policy",
    "gymnasium",
    "openspiel",
    "pettingzoo",
]


def gymnasium(
    start: "_Name | Variant | Position",
    opponent: Opponent = None,
    *,
    side: "str | None" = None,
    max_plies: int = 512,
    illegal: "Illegal" = "error",
) -> "GymnasiumEnv":
    """A game against an opponent as an environment of Gymnasium.

    ``opponent`` is a function of an observation and a mask that gives an action, a ``Player``, or ``None`` for
    random moves; ``side`` is the agent's, ``sente`` or ``gote``, by default drawn for each game. The legal actions are
    ``info["action_mask"]`` and ``action_masks()``. What comes of an action that is not legal says ``illegal``: with
    ``"error"`` a ``ValueError``, with ``"loss"`` the agent has lost the game, and with a number, such as ``-0.1``, that is
    the reward, and the agent moves again. What knows no masks, such as Gymnasium's own ``check_env``, needs one of the
    last two.
    """
    from ._gymnasium import GymnasiumEnv

    return GymnasiumEnv(start, opponent, side=side, max_plies=max_plies, illegal=illegal)


def pettingzoo(
    start: "_Name | Variant | Position", *, max_plies: int = 512, render_mode: "str | None" = None
) -> "PettingZooEnv":
    """A game of two agents, ``sente`` and ``gote``, as an environment of PettingZoo (AEC).

    An observation is a dictionary of ``observation``, the planes as the agent sees the board, and ``action_mask``.
    """
    from ._pettingzoo import PettingZooEnv

    return PettingZooEnv(start, max_plies=max_plies, render_mode=render_mode)


def openspiel(start: "_Name | Variant | Position", *, max_plies: int = 512) -> Any:
    """A game of OpenSpiel, registered under the name that its type has: what ``pyspiel.load_game`` takes from then on.

    That name is ``shogi_variants_`` and the name of the variant, for games of one's own with the beginning of the hash of
    their rules. Returns are 1, -1 and 0 for ``sente`` and ``gote``, the players 0 and 1.
    """
    from ._openspiel import registered

    return registered(start, max_plies)
