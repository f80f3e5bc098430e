"""What the tests share: random games."""

import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from shogi_variants import Game, Position
from shogi_variants.typing import Variant

# `pyffish_differential` is there.
sys.path.append(str(Path(__file__).parents[2] / "tools"))

COMPILED: list[Variant] = ["minishogi", "kyotoshogi", "shogi", "shogi34", "dobutsu"]
"""Those whose positions have ranks: the other built-in games are texts."""

RandomGame = Callable[[Variant, int], Iterator[Position]]


def random_game(variant: Variant, seed: int) -> Iterator[Position]:
    """The positions of a random game, at most 200."""
    choice = random.Random(f"{variant} {seed}")
    game = Game(variant)
    yield game.position
    for _ in range(200):
        if game.outcome:
            return
        game.play(choice.choice(sorted(game.position.legal_moves())))
        yield game.position


@pytest.fixture
def play_random_game() -> RandomGame:
    return random_game
