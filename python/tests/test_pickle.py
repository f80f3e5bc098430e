"""Everything pickles and copies, so that other processes take it."""

import copy
import inspect
import multiprocessing
import pickle
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shogi_variants as sv

VARIANTS = Path(__file__).parents[2] / "variants"


def games() -> list[sv.Game]:
    """Games that have ended in every way, and one that goes on."""
    resigned, agreed, declared, ruled = (sv.Game("shogi") for _ in range(4))
    for game in (resigned, agreed, declared, ruled):
        game.play("7g7f")
    resigned.resign("sente")
    agreed.agree_impasse()
    declared.declare()
    ruled.play_as_ruled("2b7g+")
    repeated, mated = sv.Game("minishogi"), sv.Game(sv.Position("minishogi", "4k/5/4G/5/K4 b R 1"))
    repeated.play(*["1e1d", "5a5b", "1d1e", "5b5a"] * 3)
    mated.play("R*5a")
    return [sv.Game("kyotoshogi"), resigned, agreed, declared, ruled, repeated, mated]


@pytest.fixture(scope="module")
def objects(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """Objects of every class of the package."""
    start = sv.Position("minishogi")
    text = "先手：Ada\n   1 ７六歩(77) ( 0:03/00:00:03)\n*よい手\n   2 投了\n\n変化：2手\n   2 ３四歩(33)\n"
    record = sv.Record.parse("shogi", text)
    solution = sv.solve(sv.Position.named_start("shogi34", "RKR"))
    assert solution.proof is not None
    walk = solution.proof.walk()
    next(walk)
    unmoves = sv.Position("minishogi", "startpos moves 5d5c").unmoves()
    next(unmoves)
    classifier = sv.Classifier("minishogi", certificates=True, max_positions=9_999)
    found = classifier.classify("1gp2/+r+b+s2/1+rk2/+p1+b2/K1Sg1 b - 1")
    player = sv.Player("minishogi", hash_mb=1, lines=2)
    choices = [player.think(start, depth=2), player.think(sv.Position("minishogi", "4k/5/4G/5/K4 b R 1"), depth=3)]
    table = sv.Tablebase.build("dobutsu", tmp_path_factory.mktemp("table") / "small", pieces="L2")
    probed = table.probe("2l/3/3/L2 b - 1")
    outcomes = [game.outcome for game in games()[1:]]
    return [
        *(start, sv.Position("minishogi", "4k/5/3PP/5/5 b G 1", problem=True), unmoves, *games(), *outcomes),
        *(record, record.moves()[0], *record.lines(), solution, solution.proof, solution.proof.check(), walk),
        *(solution.proof.step(), solution.proof.step().replies[0], sv.mate(start, nodes=10)),
        *(classifier, found, found.certificate, player, *choices, *(choice.score for choice in choices)),
        *(choices[0].lines[0], table, probed, probed.moves[0], sv.Space("minishogi", "ishii-tanaka")),
        sv.Space("minishogi").ranked(start),
        *(sv.estimate("minishogi", 500), sv.estimate("kyotoshogi", 5_000, method="strata")),
        sv.report("micro", games=1, move_nodes=10, nodes=1_000, samples=100, positions=1),
        *(sv.Packing("hcp"), sv.Encoding("dobutsu"), sv.Variant("micro"), sv.VectorEnv("micro", 3, seed=1, random_plies=5), *(sv.Variant.load(file) for file in sorted(VARIANTS.glob("*.toml")))),
    ]


def facts(one: Any) -> Any:
    """All that can be seen of an object, by its attributes and the methods that need nothing."""
    if isinstance(one, np.ndarray):
        return one.tolist()
    if isinstance(one, (list, tuple)):
        return [facts(item) for item in one]
    if isinstance(one, dict):
        return {key: facts(value) for key, value in one.items()}
    if isinstance(one, (sv.Unmoves, sv.ProofWalk)):
        return [facts(item) for item in islice(copy.copy(one), 20)]
    if type(one).__module__ != "shogi_variants":
        return one
    seen = {}
    for name, member in inspect.getmembers(type(one)):
        if name.startswith("_"):
            continue
        if inspect.isgetsetdescriptor(member):
            seen[name] = facts(getattr(one, name))
        elif name in ("moves", "lines", "to_json", "sfen", "summary", "game", "legal_moves"):
            seen[name] = facts(getattr(one, name)())
    return {"repr": repr(one), "str": str(one), **seen} if "at 0x" not in repr(one) else seen


def test_every_class_is_among_the_objects(objects: list[Any]) -> None:
    classes = {name for name in sv.__all__ if inspect.isclass(getattr(sv, name))} - set(sv.errors.__all__)
    assert {type(one).__name__ for one in objects} == classes


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_what_is_pickled_comes_back_as_it_was(objects: list[Any], protocol: int) -> None:
    for one in objects:
        again = pickle.loads(pickle.dumps(one, protocol))
        assert type(again) is type(one) and facts(again) == facts(one), one
        if type(one).__dict__.get("__eq__"):
            assert again == one
        if type(one).__dict__.get("__hash__"):
            assert hash(again) == hash(one)


def test_what_is_copied_is_as_it_was(objects: list[Any]) -> None:
    for one in objects:
        assert facts(copy.copy(one)) == facts(one)
        assert facts(copy.deepcopy(one)) == facts(one)
    nested = {"all": objects}
    assert facts(copy.deepcopy(nested)) == facts(nested)


def test_a_copy_of_a_game_is_another_game() -> None:
    game = sv.Game("minishogi")
    other = copy.deepcopy(game)
    other.play("5d5c")
    assert len(game) == 0 and len(other) == 1
    record = sv.Record.from_game(other)
    changed = copy.deepcopy(record)
    changed.set_header("先手", "Ada")
    assert record.headers == [] and changed.headers == [("先手", "Ada")]


def test_a_game_from_a_pickle_can_be_taken_back() -> None:
    for game in games():
        again = pickle.loads(pickle.dumps(game))
        assert again.undo() == game.undo()
        assert (again.moves(), again.outcome) == (game.moves(), game.outcome)
        assert pickle.loads(pickle.dumps(again)).moves() == again.moves()


def reply(game: sv.Game) -> tuple[sv.Game, sv.Score]:
    """What a worker does: it gets a game and gives one back."""
    choice = sv.Player(game.variant, hash_mb=1).think(game, nodes=200)
    assert choice.move is not None
    game.play(choice.move)
    return game, choice.score


def test_another_process_takes_and_gives_objects() -> None:
    started = [sv.Game(variant) for variant in sv.variants()]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        played = pool.map(reply, started)
    assert [len(game) for game, _ in played] == [1] * len(started)
    assert all(isinstance(score.centipawns, int) for _, score in played)


def test_a_tablebase_is_pickled_by_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    table = sv.Tablebase.build("dobutsu", "small", pieces="L2")
    pickled = pickle.dumps(table)
    monkeypatch.chdir("/")
    assert pickle.loads(pickled).summary() == table.summary()
    (tmp_path / "small").unlink()
    with pytest.raises(FileNotFoundError):
        pickle.loads(pickled)
