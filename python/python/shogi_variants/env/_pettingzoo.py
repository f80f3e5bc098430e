"""A game of two agents, for PettingZoo."""

from typing import Any

import numpy as np

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
except ImportError as error:
    raise ImportError("this needs PettingZoo: pip install 'shogi_variants[pettingzoo]'") from error

from .._native import Position, Variant
from ..typing import Variant as _Name
from ._single import Single

AGENTS = ["sente", "gote"]


class PettingZooEnv(AECEnv):  # type: ignore[misc]
    """A game of ``sente`` against ``gote``."""

    metadata = {"render_modes": ["ansi"], "name": "shogi_variants_v0", "is_parallelizable": False, "render_fps": 1}

    def __init__(
        self, start: "_Name | Variant | Position", *, max_plies: int, render_mode: str | None
    ) -> None:
        super().__init__()
        self._single = Single(start, max_plies)
        self.render_mode = render_mode
        self.possible_agents = AGENTS[:]
        self.agents: list[str] = AGENTS[:]
        encoding = self._single.encoding
        observation = spaces.Dict(
            {
                "observation": spaces.Box(0, 255, encoding.shape, np.uint8),
                "action_mask": spaces.Box(0, 1, (encoding.actions,), np.int8),
            }
        )
        self._observation_spaces = dict.fromkeys(AGENTS, observation)
        self._action_spaces = {agent: spaces.Discrete(encoding.actions) for agent in AGENTS}

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self._single.game.position

    def observation_space(self, agent: str) -> Any:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._single.reset()
        self.agents = AGENTS[:]
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = self.position.side

    def observe(self, agent: str) -> dict[str, Any]:
        mask = self._single.mask().astype(np.int8)
        if agent != self.agent_selection:
            mask[:] = 0
        return {"observation": self._single.planes(agent), "action_mask": mask}

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._single.play(action)
        self._cumulative_rewards[agent] = 0.0
        ended = self._single.outcome is not None
        if self._single.is_over:
            self.terminations = dict.fromkeys(AGENTS, ended)
            self.truncations = dict.fromkeys(AGENTS, not ended)
        self.rewards = {each: self._single.reward(each) for each in AGENTS}
        self.agent_selection = "gote" if agent == "sente" else "sente"
        self._accumulate_rewards()

    def render(self) -> str | None:
        return self.position.picture() if self.render_mode == "ansi" else None

    def close(self) -> None:
        pass
