"""Many positions at once: ranks, values, planes and masks agree with one position at a time."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import shogi_variants as sv
from conftest import COMPILED, RandomGame


@pytest.mark.parametrize("variant", COMPILED)
def test_ranks_of_many_are_those_of_each(variant: sv.typing.Variant) -> None:
    space = sv.Space(variant)
    ranks = space.sample(300, seed=2)
    texts = space.unrank_many(ranks)
    assert texts == [space.unrank(rank) for rank in ranks]
    again = space.rank_many(texts)
    assert again.dtype == ranks.dtype == (np.uint64 if space.size < 2**64 else object)
    assert np.array_equal(again, ranks)
    # Placements of 3x4 shogi have all pieces of the set, and its starts have few.
    if variant != "shogi34":
        both = space.rank_many([sv.Position(variant), "startpos"])
        assert both.tolist() == [space.rank("startpos")] * 2


def test_ranks_are_taken_in_every_form() -> None:
    space = sv.Space("minishogi", "king-legal")
    ranks = space.sample(200, seed=3)
    small = np.arange(200) * 1_000
    of_both: list[tuple[Any, list[Any]]] = [
        (ranks, [ranks.tolist(), tuple(ranks), ranks.astype(object), iter(ranks), np.repeat(ranks, 2)[::2]]),
        (small, [small.astype(np.int64), small.astype(np.uint32), small.tolist(), small.astype(object)]),
    ]
    for given, forms in of_both:
        stages, texts = space.stages(given), space.unrank_many(given)
        for form in forms:
            # An iterator can be gone through once.
            again = list(form) if hasattr(form, "__next__") else form
            assert np.array_equal(space.stages(again), stages)
            assert space.unrank_many(again) == texts
    nothing: list[Any] = [[], np.array([]), np.array([], dtype=object), np.zeros(0, dtype=np.int8)]
    for empty in nothing:
        assert space.stages(empty).shape == (0,) and space.unrank_many(empty) == []


def test_stages_of_large_spaces_are_found() -> None:
    space, classifier = sv.Space("shogi"), sv.Classifier("shogi")
    ranks = space.sample(40, seed=1)
    stages = [sv.STAGES[stage] for stage in space.stages(ranks)]
    assert stages == [classifier.classify(space.unrank(rank)).stage for rank in ranks]
    assert space.stages([0, 1]).tolist() == space.stages(np.array([0, 1])).tolist()


def test_the_item_that_is_wrong_is_named() -> None:
    space = sv.Space("minishogi")
    noted = sys.version_info >= (3, 11)

    def wrong(call: Any, many: Any, error: type[Exception]) -> str:
        with pytest.raises(error) as caught:
            call(many)
        return " ".join(getattr(caught.value, "__notes__", [])) if noted else "item 2 of the batch"

    assert "item 2 of the batch" in wrong(space.unrank_many, [1, 2, space.size], sv.RankError)
    assert "item 2 of the batch" in wrong(space.stages, [1, 2, -5], sv.RankError)
    assert "item 2 of the batch" in wrong(space.stages, [1, 2, "3"], TypeError)
    assert "item 2 of the batch" in wrong(space.rank_many, ["startpos", "startpos", "x"], sv.SfenError)
    assert "item 2 of the batch" in wrong(sv.Encoding("minishogi").planes, ["startpos"] * 2 + ["x"], sv.SfenError)
    with pytest.raises(ValueError, match="one dimension, not of 2"):
        space.stages(np.zeros((2, 2), dtype=np.uint64))
    with pytest.raises(TypeError, match="not one of float64"):
        space.stages(np.array([0.5]))


def test_values_of_many_are_those_of_each(tmp_path: Path) -> None:
    for wdl in (False, True):
        table = sv.Tablebase.build("dobutsu", tmp_path / f"table{wdl}", pieces="G1L2", wdl=wdl)
        game = sv.Game(sv.Position("dobutsu", "1l1/3/3/1L1 b G 1"))
        for move in ("G*2c", "2a1a", "2d2c", "1a2a"):
            if move in game.position.legal_moves():
                game.play(move)
        texts = [position.sfen() for position in game.positions] + ["2l/3/3/GL1 w - 1", "l2/3/3/L2 b g 1"]
        probed = [table.probe(text) for text in texts]
        values, plies = table.probe_many(np.array(texts))
        assert values.dtype == np.int8 and plies.dtype == np.int32
        assert values.tolist() == [{"win": 1, "draw": 0, "loss": -1}[one.value] for one in probed]
        assert plies.tolist() == [-1 if one.plies is None else one.plies for one in probed]
        assert np.array_equal(table.probe_many(game.positions)[0], values[: len(game.positions)])
    with pytest.raises(ValueError, match="position of shogi where one of dobutsu"):
        table.probe_many([sv.Position("shogi")])


SIZES: list[tuple[sv.typing.Variant, int, tuple[int, int, int]]] = [
    ("minishogi", 1_375, (31, 5, 5)),
    ("kyotoshogi", 1_450, (27, 5, 5)),
    ("shogi", 13_689, (43, 9, 9)),
    ("shogi34", 372, (43, 4, 3)),
    ("dobutsu", 324, (17, 4, 3)),
]


@pytest.mark.parametrize(("variant", "actions", "shape"), SIZES)
def test_masks_are_the_legal_moves(
    variant: sv.typing.Variant, actions: int, shape: tuple[int, int, int], play_random_game: RandomGame
) -> None:
    encoding = sv.Encoding(variant)
    assert (encoding.actions, encoding.shape, len(encoding.channels)) == (actions, shape, shape[0])
    positions = [position for seed in range(4) for position in play_random_game(variant, seed)]
    masks = encoding.masks(positions)
    assert masks.shape == (len(positions), actions) and masks.dtype == np.bool_
    assert np.array_equal(encoding.masks([position.sfen() for position in positions]), masks)
    drops = 0
    for position, mask in zip(positions, masks):
        legal = [int(action) for action in np.flatnonzero(mask)]
        moves = [encoding.move(position, action) for action in legal]
        assert sorted(moves) == sorted(position.legal_moves())
        assert [encoding.action(position, move) for move in moves] == legal
        after = encoding.play([position] * len(legal), np.array(legal, dtype=np.int64))
        assert after == [position.play(move) for move in moves]
        drops += any("*" in move for move in moves)
    assert drops > 10
    over = [position for position in positions if position.outcome]
    assert not encoding.masks(over).any()


@pytest.mark.parametrize("variant", sv.variants())
def test_planes_are_the_board_as_the_mover_sees_it(
    variant: sv.typing.Variant, play_random_game: RandomGame
) -> None:
    encoding = sv.Encoding(variant)
    names, (_, ranks, files) = encoding.channels, encoding.shape
    positions = [position for seed in range(3) for position in play_random_game(variant, seed)]
    planes = encoding.planes(positions)
    assert planes.shape == (len(positions), *encoding.shape) and planes.dtype == np.uint8
    for position, seen in zip(positions, planes):
        expected = np.zeros_like(seen)
        own = position.side
        for square, letters in position.pieces().items():
            owner = "own" if (letters.upper() == letters) == (own == "sente") else "opposing"
            row, column = ord(square[1]) - ord("a"), files - int(square[0])
            if own == "gote":
                row, column = ranks - 1 - row, files - 1 - column
            expected[names.index(f"{owner} {letters.upper()}"), row, column] = 1
        players: list[tuple[str, sv.typing.Colour]] = [("own", own), ("opposing", "gote" if own == "sente" else "sente")]
        for owner, player in players:
            for letter, count in position.hand(player).items():
                if f"{owner} hand {letter}" in names:
                    expected[names.index(f"{owner} hand {letter}")] = count
        expected[names.index("sente")] = own == "sente"
        assert np.array_equal(seen, expected), position


def test_the_actions_are_numbered_as_documented() -> None:
    encoding = sv.Encoding("shogi")
    # 7g7f: file 7 is column 2, rank g is row 6.
    assert encoding.action("startpos", "7g7f") == 2 * ((6 * 9 + 2) * 81 + 5 * 9 + 2)
    # The same push of Gote, who sees the board turned.
    assert encoding.action("startpos moves 7g7f", "3c3d") == encoding.action("startpos", "7g7f")
    assert sorted(encoding.drops) == sorted("PLNSBRG")
    assert encoding.action("startpos", f"{encoding.drops[1]}*8a") == 2 * 81**2 + 81 + 1
    promotes = encoding.action("startpos", "8h2b+")
    assert promotes % 2 == 1 and promotes - 1 == encoding.action("startpos", "8h2b")
    with pytest.raises(ValueError, match="no legal move"):
        encoding.move("startpos", promotes)
    with pytest.raises(ValueError, match="1 actions for 2 positions"):
        encoding.play(["startpos"] * 2, [0])
    with pytest.raises(ValueError, match="position of shogi where one of dobutsu"):
        sv.Encoding("dobutsu").planes([sv.Position("shogi")])


def test_progress_is_shown_from_the_beginning_to_the_end(tmp_path: Path) -> None:
    space = sv.Space("minishogi")
    shown: list[tuple[int, int | None]] = []

    def show(done: int, total: int | None) -> None:
        shown.append((done, total))

    space.stages(space.sample(3_000), progress=show)
    assert shown[-1] == (3_000, 3_000) and sorted(shown) == shown
    sv.estimate("minishogi", 5_000, progress=show)
    assert shown[-1] == (5_000, 5_000)
    nodes = sv.Position("minishogi").perft(4, progress=show)
    assert shown.pop() == (nodes, None)
    table = sv.Tablebase.build("dobutsu", tmp_path / "small", pieces="G1L2", progress=show)
    assert shown[-1][1] is not None
    shown.clear()
    assert table.verify(None, progress=show) > 100 and shown
    proof = sv.solve(sv.Position.named_start("shogi34", "RKR"), progress=show).proof
    assert proof is not None
    proof.check(progress=show)
    assert shown[-1][1] == len(proof)


def test_an_exception_of_the_progress_ends_the_call() -> None:
    def stop(done: int, total: int | None) -> None:
        if done > 0:
            raise InterruptedError(f"{done} of {total}")

    with pytest.raises(InterruptedError, match="of 1000000000000"):
        sv.estimate("minishogi", 10**12, progress=stop)
    with pytest.raises(TypeError, match="a function of two numbers, True, False or None is needed, not int"):
        sv.estimate("minishogi", 10, progress=3)  # type: ignore[arg-type]


def test_a_bar_of_tqdm_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tqdm", reason="tqdm cannot be had here")
    sv.estimate("minishogi", 2_000, progress=True)
    assert "2.00k/2.00k" in capsys.readouterr().err


def test_long_calls_in_a_notebook_show_a_bar_by_default(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("tqdm", reason="tqdm cannot be had here")
    shell = SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setattr("shogi_variants._progress.DELAY", 0.0)
    sv.estimate("minishogi", 2_000)
    assert "2.00k/2.00k" in capsys.readouterr().err
    sv.estimate("minishogi", 2_000, progress=False)
    shell.kernel = None
    sv.estimate("minishogi", 2_000)
    assert not capsys.readouterr().err
