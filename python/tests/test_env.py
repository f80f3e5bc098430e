"""Environments for agents: many games at once, the forms of other libraries, and policies beside the truth."""

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shogi_variants as sv
from shogi_variants import env as envs

VARIANTS: list[Any] = [*sv.variants(), *(sv.Variant.load(file) for file in sorted(Path(__file__).parents[2].glob("variants/*.toml")))]


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_boards_are_games_of_the_variant(variant: Any) -> None:
    env, encoding = sv.VectorEnv(variant, 12, seed=3, max_plies=60), sv.Encoding(variant)
    assert (env.actions, env.shape) == (encoding.actions, encoding.shape)
    games = [sv.Game(variant) for _ in range(12)]
    observations, masks = env.reset()
    ended = 0
    for _ in range(80):
        positions = [game.position for game in games]
        assert env.positions() == positions
        assert np.array_equal(observations, encoding.planes(positions)) and np.array_equal(masks, encoding.masks(positions))
        assert env.plies.tolist() == [len(game) for game in games]
        assert [("sente", "gote")[side] for side in env.sides] == [position.side for position in positions]
        actions = env.sample()
        assert masks[np.arange(12), actions].all()
        observations, rewards, done, masks = env.step(actions)
        for number, game in enumerate(games):
            mover = game.position.side
            outcome = game.play(encoding.move(game.position, actions[number]))
            winner = outcome.winner if outcome else None
            assert rewards[number] == (0 if winner is None else 1 if winner == mover else -1)
            assert done[number] == (outcome is not None or len(game) == 60)
            assert env.truncated[number] == (outcome is None and len(game) == 60)
            if done[number]:
                games[number] = sv.Game(variant)
                ended += 1
    assert ended > 5


def test_the_same_seed_gives_the_same_games() -> None:
    def play(seed: int) -> list[Any]:
        env = sv.VectorEnv("minishogi", 100, seed=seed, random_plies=9)
        env.reset()
        seen: list[Any] = [env.positions()]
        for _ in range(30):
            env.step(env.sample())
            seen.append(env.positions())
        return seen

    assert play(1) == play(1)
    assert play(1) != play(2)
    env = sv.VectorEnv("minishogi", 500, seed=1, random_plies=9)
    assert set(env.plies.tolist()) == set(range(10))
    first = env.positions()
    env.step(env.sample())
    env.reset()
    assert env.positions() == first


def test_games_begin_at_a_position() -> None:
    start = sv.Position.named_start("shogi34", "RKR")
    env = sv.VectorEnv(start, 3)
    assert env.positions() == [start] * 3 and env.variant == "shogi34"
    with pytest.raises(ValueError, match="the game is over at the start: Gote wins"):
        sv.VectorEnv(sv.Position("dobutsu", "3/3/2l/L2 w - 1").play("1c1d"), 3)


def test_an_action_that_is_not_legal_plays_nothing() -> None:
    env = sv.VectorEnv("dobutsu", 4, seed=1)
    before = env.positions()
    for wrong in (-1, 0, env.actions, 2**40):
        actions = env.sample()
        actions[2] = wrong
        with pytest.raises(ValueError, match=f"board 2: the action {wrong} is no legal move"):
            env.step(actions)
        assert env.positions() == before
    odds: list[Any] = [[0.5] * 4, [1, 2, 3], "abcd", [[1], [2], [3], [4]], None]
    for odd in odds:
        with pytest.raises(ValueError):
            env.step(odd)
    with pytest.raises(sv.OutOfRangeError, match="boards: 0 is out of range"):
        sv.VectorEnv("dobutsu", 0)
    with pytest.raises(ValueError, match="random_plies must be fewer"):
        sv.VectorEnv("dobutsu", 1, max_plies=3, random_plies=3)


def test_boards_pickle_in_the_middle_of_their_games() -> None:
    for variant in ("kyotoshogi", VARIANTS[-1]):
        env = sv.VectorEnv(variant, 20, seed=5, random_plies=4, max_plies=30)
        for _ in range(40):
            env.step(env.sample())
        for again in (pickle.loads(pickle.dumps(env)), copy.deepcopy(env)):
            assert again.positions() == env.positions() and again.truncated.tolist() == env.truncated.tolist()
            for _ in range(3):
                for mine, other in zip(copy.deepcopy(env).step(env.sample()), copy.deepcopy(again).step(again.sample())):
                    assert np.array_equal(np.asarray(mine), np.asarray(other))
            assert repr(again) == repr(env) and len(again) == 20


@pytest.mark.parametrize("variant", ["dobutsu", "micro", VARIANTS[-1]], ids=str)
def test_the_other_player_sees_the_board_turned(variant: Any) -> None:
    from shogi_variants.env._single import Single

    single, encoding = Single(variant, 40), sv.Encoding(variant)
    env = sv.VectorEnv(variant, 1, seed=2)
    seen = 0
    for _ in range(20):
        position = env.positions()[0]
        fields = position.sfen().split(" ")
        fields[1] = "w" if fields[1] == "b" else "b"
        try:
            turned = sv.Position(variant, " ".join(fields))
        except ValueError:
            turned = None  # The player who has moved stands in check if it is their turn again.
        if turned is not None:
            assert np.array_equal(single._turned(encoding.planes([position])[0]), encoding.planes([turned])[0])
            seen += 1
        env.step(env.sample())
    assert seen > 5


def table(tmp_path: Path) -> sv.Tablebase:
    return sv.Tablebase.build("dobutsu", tmp_path / "table", pieces="E1G2L2")


def random_policy(observations: Any, masks: Any) -> Any:
    return masks / masks.sum(axis=1, keepdims=True)


def test_policies_are_compared_with_the_truth(tmp_path: Path) -> None:
    oracle = envs.Oracle(table(tmp_path))
    start = sv.Position("dobutsu", "1l1/3/1G1/1L1 b Ge 1")
    positions = oracle.sample(300, seed=1, start=start, plies=12)
    assert len(set(positions)) == 300
    values = oracle.action_values(positions)
    assert np.array_equal(~np.isnan(values), oracle.encoding.masks(positions))
    assert np.array_equal(np.nanmax(values, axis=1), oracle.values(positions)[0])
    for number in range(0, 300, 30):
        probed = {move.move: {"win": 1, "draw": 0, "loss": -1}[move.value] for move in oracle.table.probe(positions[number]).moves}
        found = {oracle.encoding.move(positions[number], action): values[number, action] for action in np.flatnonzero(~np.isnan(values[number]))}
        assert found == probed

    best: Callable[[Any, Any], Any] = lambda observations, masks: np.nan_to_num(values, nan=-2).argmax(axis=1)
    perfect = envs.evaluate_policy(best, oracle, positions)
    assert (perfect.regret, perfect.blunder_rate, perfect.worst) == (0, 0, [])
    worst: Callable[[Any, Any], Any] = lambda observations, masks: np.nan_to_num(values, nan=2).argmin(axis=1)
    found_worst = envs.evaluate_policy(worst, oracle, positions)
    expected = np.nanmax(values, axis=1) - np.nanmin(values, axis=1)
    assert found_worst.regret == pytest.approx(expected.mean())
    assert sum(found_worst.blunders.values()) == (expected > 0).sum() and len(found_worst.worst) == 10
    blunder = found_worst.worst[0]
    assert (blunder.best, blunder.value) == ("win", "loss") and blunder.move in blunder.position.legal_moves()
    drawn = envs.evaluate_policy(random_policy, oracle, positions)
    assert drawn.regret == pytest.approx(np.nanmax(values, axis=1).mean() - np.nanmean(values, axis=1).mean(), abs=1e-5)
    assert np.allclose(oracle.regret(random_policy, positions).mean(), drawn.regret, atol=1e-5)
    for odd in (lambda o, m: m, lambda o, m: np.full(len(m), -1), lambda o, m: np.zeros(3), lambda o, m: 1.0 - m):
        with pytest.raises((ValueError, IndexError)):
            envs.evaluate_policy(odd, oracle, positions)


def test_policies_are_compared_with_the_truth_in_all_positions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Small enough that batches end in the middle.
    monkeypatch.setattr("shogi_variants.env._oracle._BATCH", 7)
    oracle = envs.Oracle(sv.Tablebase.build("dobutsu", tmp_path / "KK.tablebase", pieces="L2"))
    summary = oracle.table.summary()
    everything = oracle.table.positions(0, oracle.table.numbers)
    values, _ = oracle.values(everything)
    assert len(set(everything)) == len(everything) == summary["positions"]
    assert [(values == value).sum() for value in (1, 0, -1)] == [summary["win"], summary["draw"], summary["loss"]]
    assert oracle.table.positions(oracle.table.numbers, 5) == []

    going_on = list(oracle.all())
    assert going_on == [position for position in everything if sv.Position("dobutsu", position).end is None]
    found = envs.evaluate_policy(random_policy, oracle, oracle.all())
    assert found.positions == len(going_on)
    assert found.regret == pytest.approx(oracle.regret(random_policy, going_on).mean())
    assert len(found.worst) == 10
    drawn = oracle.uniform(500, seed=3)
    assert drawn == oracle.uniform(500, seed=3) != oracle.uniform(500, seed=4)
    assert len(drawn) == 500 and set(drawn) == set(going_on)


def test_the_environment_of_gymnasium_holds_its_contract() -> None:
    pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    for variant in ("dobutsu", VARIANTS[-1]):
        env = envs.gymnasium(variant, max_plies=30)
        observation, info = env.reset(seed=1)
        assert env.observation_space.contains(observation)
        results = set()
        for _ in range(400):
            action = int(np.flatnonzero(info["action_mask"])[0])
            observation, reward, ended, cut, info = env.step(action)
            assert env.observation_space.contains(observation)
            if ended or cut:
                results.add((reward, ended, cut))
                with pytest.raises(ValueError, match="reset"):
                    env.step(action)
                observation, info = env.reset()
            else:
                assert reward == 0 and env.position.side == env.side
        assert len(results) > (variant == "dobutsu")
    first = envs.gymnasium("minishogi", lambda observation, mask: mask.argmax(), side="gote")
    first.reset(seed=2)
    assert first.position == sv.Position("minishogi").play(sv.Encoding("minishogi").move("startpos", sv.Encoding("minishogi").masks(["startpos"]).argmax()))
    player = envs.gymnasium("dobutsu", sv.Player("dobutsu", hash_mb=1), side="sente")
    _, info = player.reset(seed=1)
    player.step(int(np.flatnonzero(info["action_mask"])[0]))

    # The checker draws any action.
    for illegal in ("loss", -0.25):
        for env in (
            envs.gymnasium("minishogi", illegal=illegal),
            envs.gymnasium("dobutsu", side="sente", illegal=illegal),
            envs.gymnasium("kyotoshogi", side="gote", illegal=illegal),
        ):
            check_env(env, skip_render_check=True)


def test_an_illegal_action_is_an_error_a_loss_or_penalised() -> None:
    pytest.importorskip("gymnasium")
    for illegal in ("error", "loss", -0.25):
        env = envs.gymnasium("minishogi", side="sente", illegal=illegal)
        _, info = env.reset(seed=1)
        before = env.position
        wrong = int(np.flatnonzero(~info["action_mask"])[0])
        if illegal == "error":
            with pytest.raises(ValueError, match="no legal move"):
                env.step(wrong)
        else:
            observation, reward, ended, cut, info = env.step(wrong)
            assert (reward, ended, cut) == ((-1, True, False) if illegal == "loss" else (-0.25, False, False))
            assert env.observation_space.contains(observation)
        assert env.position == before
        if illegal == "loss":
            with pytest.raises(ValueError, match="reset"):
                env.step(wrong)
            _, info = env.reset()
        assert env.step(int(np.flatnonzero(info["action_mask"])[0]))[1:4] == (0, False, False)
    with pytest.raises(ValueError, match="error, loss or a reward"):
        envs.gymnasium("minishogi", illegal="ignore")  # type: ignore[arg-type]


@pytest.mark.parametrize("variant", ["dobutsu", "micro", VARIANTS[-1]], ids=str)
def test_the_environment_of_pettingzoo_passes_its_test(variant: Any) -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, seed_test

    api_test(envs.pettingzoo(variant, max_plies=60), num_cycles=200)
    seed_test(lambda: envs.pettingzoo(variant, max_plies=60), num_cycles=50)


def test_a_game_of_pettingzoo_gives_its_rewards_at_the_end() -> None:
    pytest.importorskip("pettingzoo")
    env = envs.pettingzoo(sv.Position("minishogi", "4k/5/4G/5/K4 b R 1"))
    env.reset()
    env.step(sv.Encoding("minishogi").action(env.position, "R*5a"))
    assert env.rewards == {"sente": 1.0, "gote": -1.0} and all(env.terminations.values())
    env = envs.pettingzoo("minishogi", max_plies=1)
    env.reset()
    env.step(int(env.observe("sente")["action_mask"].argmax()))
    assert env.rewards == {"sente": 0.0, "gote": 0.0} and all(env.truncations.values())


@pytest.mark.parametrize("variant", ["dobutsu", "torishogi", VARIANTS[-1]], ids=str)
def test_the_game_of_openspiel_is_played_by_its_bots(variant: Any) -> None:
    pytest.importorskip("pyspiel")
    import pyspiel
    from open_spiel.python.algorithms import mcts
    from open_spiel.python.observation import make_observation

    game = envs.openspiel(variant, max_plies=24)
    assert pyspiel.load_game(str(game)).num_distinct_actions() == sv.Encoding(variant).actions
    pyspiel.random_sim_test(game, num_sims=3, serialize=False, verbose=False)
    bot = mcts.MCTSBot(game, 1.4, 4, mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)), random_state=np.random.RandomState(2))
    state, plain = game.new_initial_state(), sv.Game(variant)
    observation = make_observation(game)
    while not state.is_terminal() and state.move_number() < 4:
        assert sorted(state.action_to_string(action) for action in state.legal_actions()) == sorted(plain.position.legal_moves())
        observation.set_from(state, state.current_player())
        assert np.array_equal(observation.dict["observation"], sv.Encoding(variant).planes([plain.position])[0])
        clone = state.clone()
        action = bot.step(state)
        plain.play(state.action_to_string(action))
        state.apply_action(action)
        assert str(state) == plain.position.sfen() != str(clone)


def test_a_playthrough_of_openspiel_is_written() -> None:
    pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import generate_playthrough

    game = envs.openspiel("dobutsu", max_plies=10)
    text = generate_playthrough.playthrough(str(game), action_sequence=None, seed=1)
    assert 'GameType.short_name = "shogi_variants_dobutsu"' in text and "IsTerminal() = True" in text
