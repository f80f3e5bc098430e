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
from ._single import Illegal, Mask, Opponent, Planes, Single, choose


class GymnasiumEnv(gym.Env[Planes, np.int64]):  # type: ignore[misc]
    """A game against an opponent."""

    metadata = {"render_modes": ["ansi"], "render_fps": 1}
    render_mode = "ansi"

    def __init__(
        self,
        start: "_Name | Variant | Position",
        opponent: Opponent,
        *,
        side: str | None,
        max_plies: int,
        illegal: Illegal = "error",
    ) -> None:
        if side not in (None, "sente", "gote"):
            raise ValueError(f"{side!r} is no player: sente or gote")
        if isinstance(illegal, str) and illegal not in ("error", "loss"):
            raise ValueError(f"{illegal!r} is nothing that comes of an illegal action: error, loss or a reward")
        self._illegal: str | float = illegal if isinstance(illegal, str) else float(illegal)
        self._forfeited = False
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
        self._forfeited = False
        self._reply()
        return self._observed()

    def step(self, action: Any) -> tuple[Planes, float, bool, bool, dict[str, Any]]:
        if self._single.is_over or self._forfeited:
            raise ValueError("the game is over: reset the environment")
        if self._illegal != "error" and not self._is_legal(action):
            return self._refused()
        self._single.play(action)
        self._reply()
        observation, info = self._observed()
        ended = self._single.outcome is not None
        return observation, self._single.reward(self.side), ended, self._single.is_over and not ended, info

    def render(self) -> str:
        return self.position.picture()

    def _is_legal(self, action: Any) -> bool:
        mask = self._single.mask()
        return bool(0 <= int(action) < len(mask) and mask[int(action)])

    def _refused(self) -> tuple[Planes, float, bool, bool, dict[str, Any]]:
        """What comes of an action that is not legal."""
        self._forfeited = isinstance(self._illegal, str)
        observation, info = self._observed()
        reward = -1.0 if isinstance(self._illegal, str) else self._illegal
        return observation, reward, self._forfeited, False, info

    def _reply(self) -> None:
        if not self._single.is_over and self.position.side != self.side:
            self._single.play(choose(self._opponent, self._single, self._generator))

    def _observed(self) -> tuple[Planes, dict[str, Any]]:
        return self._single.planes(self.side), {"action_mask": self._single.mask(), "side": self.side}
