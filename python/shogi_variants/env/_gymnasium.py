"""A game against an opponent, for Gymnasium."""

import random
from typing import Any

import numpy as np

try:
    import gymnasium as gym
except ImportError as error:
    raise ImportError("this needs Gymnasium: pip install 'shogi_variants[gymnasium]'") from error

from .._native import Position, Variant
from ..typing import Variant as _Name
from ._single import Mask, Opponent, Planes, Single, choose


class GymnasiumEnv(gym.Env[Planes, np.int64]):  # type: ignore[misc]
    """A game against an opponent."""

    metadata = {"render_modes": ["ansi"], "render_fps": 1}
    render_mode = "ansi"

    def __init__(
        self, start: "_Name | Variant | Position", opponent: Opponent, *, side: str | None, max_plies: int
    ) -> None:
        if side not in (None, "sente", "gote"):
            raise ValueError(f"{side!r} is no player: sente or gote")
        self._single = Single(start, max_plies)
        self._opponent, self._fixed = opponent, side
        self.side = side or "sente"
        self._generator = random.Random(0)
        encoding = self._single.encoding
        self.action_space = gym.spaces.Discrete(encoding.actions)
        self.observation_space = gym.spaces.Box(0, 255, encoding.shape, np.uint8)

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self._single.game.position

    def action_masks(self) -> Mask:
        """The legal actions."""
        return self._single.mask()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Planes, dict[str, Any]]:
        super().reset(seed=seed)
        self._generator = random.Random(int(self.np_random.integers(2**63)))
        self.side = self._fixed or self._generator.choice(["sente", "gote"])
        self._single.reset()
        self._reply()
        return self._observed()

    def step(self, action: Any) -> tuple[Planes, float, bool, bool, dict[str, Any]]:
        if self._single.is_over:
            raise ValueError("the game is over: reset the environment")
        self._single.play(action)
        self._reply()
        observation, info = self._observed()
        ended = self._single.outcome is not None
        return observation, self._single.reward(self.side), ended, self._single.is_over and not ended, info

    def render(self) -> str:
        return self.position.picture()

    def _reply(self) -> None:
        if not self._single.is_over and self.position.side != self.side:
            self._single.play(choose(self._opponent, self._single, self._generator))

    def _observed(self) -> tuple[Planes, dict[str, Any]]:
        return self._single.planes(self.side), {"action_mask": self._single.mask(), "side": self.side}
