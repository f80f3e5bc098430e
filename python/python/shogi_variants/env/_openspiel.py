"""Games of OpenSpiel, registered from Python."""

from typing import Any

import numpy as np

try:
    import pyspiel
except ImportError as error:
    raise ImportError("this needs OpenSpiel: pip install 'shogi_variants[openspiel]'") from error

from .._native import Position, Variant
from ..typing import Variant as _Name
from ._single import Single

SIDES = ["sente", "gote"]

_REGISTERED: dict[str, Any] = {}


def registered(start: "_Name | Variant | Position", max_plies: int) -> Any:
    """The game, whose type is registered unless it is already."""
    single = Single(start, max_plies)
    variant = Variant(single.start.variant)
    name = f"shogi_variants_{variant.name}"
    if not variant.is_built_in:
        name += f"_{variant.rules_hash[:16]}"
    if name not in _REGISTERED:
        game_class = _game_class(name, variant)
        pyspiel.register_game(game_class.TYPE, game_class)
        _REGISTERED[name] = game_class
    return pyspiel.load_game(name, {"start": single.start.sfen(), "max_plies": max_plies})


def _game_class(name: str, variant: Variant) -> Any:
    """The class of the games of a variant."""

    class ShogiGame(pyspiel.Game):  # type: ignore[misc]
        TYPE = pyspiel.GameType(
            short_name=name,
            long_name=variant.title,
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
            information=pyspiel.GameType.Information.PERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.ZERO_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=2,
            min_num_players=2,
            provides_information_state_string=False,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
            parameter_specification={"start": "startpos", "max_plies": 512},
        )

        def __init__(self, parameters: Any = None) -> None:
            given = parameters or {}
            start = Position(variant, str(given.get("start", "startpos")))
            self.single = Single(start, int(given.get("max_plies", 512)))
            super().__init__(
                self.TYPE,
                pyspiel.GameInfo(
                    num_distinct_actions=self.single.encoding.actions,
                    max_chance_outcomes=0,
                    num_players=2,
                    min_utility=-1.0,
                    max_utility=1.0,
                    utility_sum=0.0,
                    max_game_length=self.single.max_plies,
                ),
                given,
            )

        def new_initial_state(self) -> "ShogiState":
            return ShogiState(self, Single(self.single.start, self.single.max_plies))

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "ShogiObserver":
            return ShogiObserver(self.single)

    return ShogiGame


class ShogiState(pyspiel.State):  # type: ignore[misc]
    """A game up to a move."""

    def __init__(self, game: Any, single: Single) -> None:
        super().__init__(game)
        self.single = single

    def current_player(self) -> int:
        if self.single.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return SIDES.index(self.single.game.position.side)

    def _legal_actions(self, player: int) -> list[int]:
        return [int(action) for action in np.flatnonzero(self.single.mask())]

    def _apply_action(self, action: int) -> None:
        self.single.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.single.encoding.move(self.single.game.position, action)

    def is_terminal(self) -> bool:
        return self.single.is_over

    def returns(self) -> list[float]:
        return [self.single.reward(side) for side in SIDES]

    def __str__(self) -> str:
        return self.single.game.position.sfen()


class ShogiObserver:
    """The planes of a position, for a player."""

    def __init__(self, single: Single) -> None:
        shape = single.encoding.shape
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: ShogiState, player: int) -> None:
        np.copyto(self.dict["observation"], state.single.planes(SIDES[player]))

    def string_from(self, state: ShogiState, player: int) -> str:
        return str(state)
