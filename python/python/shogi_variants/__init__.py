"""Small-board shogi for people who work on it: rules, counting, solving, playing.

Moves are texts in USI notation (``"5d5c"``), positions are written in SFEN, players are ``"sente"`` and
``"gote"``, values ``"win"``, ``"loss"`` and ``"draw"`` for the player to move.

>>> from shogi_variants import Game
>>> game = Game("minishogi")
>>> game.play("5d5c")
>>> game.position.side
'gote'
"""

from . import _native, errors, typing
from ._native import *  # noqa: F403
from .errors import *  # noqa: F403

__all__ = ["errors", "typing"]
__all__ += _native.__all__
__all__ += errors.__all__
