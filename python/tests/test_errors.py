"""Bad input raises typed exceptions with a position and a reason."""

import errno
import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import shogi_variants as sv


def test_no_variant_has_another_name() -> None:
    for make in (sv.Position, sv.Game, sv.Space, sv.Classifier, sv.Player, sv.counts):
        with pytest.raises(sv.UnknownVariantError, match="minishogi"):
            make("chess")  # type: ignore[arg-type]


def test_an_sfen_names_the_character() -> None:
    with pytest.raises(sv.SfenError) as caught:
        sv.Position("minishogi", "rbsgk/4p/5/P4/KGSXR b - 1")
    assert (caught.value.position, caught.value.reason) == (17, "no piece has the letter 'X'")
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.position == 17


def test_a_position_names_all_its_faults() -> None:
    with pytest.raises(sv.InvalidPositionError) as caught:
        sv.Position("minishogi", "P3k/P4/5/5/5 b - 1")
    assert len(caught.value.faults) == 3 and "Sente has no king" in caught.value.faults


def test_the_attacker_of_a_problem_needs_no_king() -> None:
    sfen = "4k/5/3PP/5/5 b G 1"
    with pytest.raises(sv.InvalidPositionError, match="Sente has no king; .* problem=True") as caught:
        sv.Position("minishogi", sfen)
    assert caught.value.faults == ("Sente has no king",)
    problem = sv.Position("minishogi", sfen, problem=True)
    assert sv.mate(problem).status == "mate"
    assert pickle.loads(pickle.dumps(problem)) == problem


@pytest.mark.parametrize("text", ["", "9z9z", "5d", "5d5c++", "X*3c", "5d5c ", "ä"])
def test_a_text_that_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(sv.UsiError) as caught:
        sv.Position("minishogi").play(text)
    assert caught.value.reason


def test_an_illegal_move_names_the_rules() -> None:
    with pytest.raises(sv.IllegalMoveError) as caught:
        sv.Position("minishogi").play("5d5b")
    assert caught.value.move == "5d5b"
    assert caught.value.violations == ("the piece cannot go there",)
    with pytest.raises(ValueError, match="no move to play"):
        sv.Game("minishogi").play()


def test_a_record_names_line_and_column() -> None:
    with pytest.raises(sv.RecordError) as caught:
        sv.Record.parse("shogi", "手合割：平手\n   1 ７六歩(77)\n   2 ３五歩(33)\n   3 ２六歩(27)\n", "kif")
    assert (caught.value.line, caught.value.column) == (3, 6)
    with pytest.raises(sv.RecordError):
        sv.Record.parse("shogi", b"\xff\xff")
    with pytest.raises(ValueError, match="none of the formats"):
        sv.Record.parse("shogi", "Hello.")
    with pytest.raises(sv.RecordError):
        sv.Record.from_game(sv.Game("dobutsu")).to_text("csa")


def test_names_that_are_not_known_are_refused() -> None:
    start = sv.Position("minishogi")
    with pytest.raises(ValueError, match="lishogi or fairy"):
        start.sfen("usi")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="sente or gote"):
        start.hand("black")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="dfpn or pds"):
        sv.solve(start, algorithm="mcts")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no evaluation"):
        sv.Player("minishogi", evaluation="magic")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no order"):
        sv.Space("minishogi", "random")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="XYZ"):
        sv.Position.named_start("shogi34", "XYZ")


def test_ranks_outside_the_set_are_refused() -> None:
    space = sv.Space("minishogi")
    with pytest.raises(sv.RankError):
        space.unrank(space.size)
    with pytest.raises(sv.RankError, match="-1 is below 0"):
        space.unrank(-1)
    with pytest.raises(sv.RankError, match="-3 is below 0"):
        space.stages(np.array([5, -3]))
    with pytest.raises(TypeError):
        space.unrank("0")  # type: ignore[arg-type]
    with pytest.raises(sv.RankError):
        space.rank("4k/5/5/5/K4 b - 1")
    with pytest.raises(sv.RankError):
        space.stages(np.array([2**64 - 1], dtype=np.uint64))
    with pytest.raises(ValueError, match="position of shogi"):
        space.rank(sv.Position("shogi"))


def test_what_a_variant_has_not_is_unavailable() -> None:
    with pytest.raises(sv.UnavailableError):
        sv.Classifier("dobutsu")
    with pytest.raises(sv.UnavailableError):
        sv.Space("shogi", "king-legal")
    with pytest.raises(sv.UnavailableError):
        sv.Space("dobutsu").stages(np.zeros(1, dtype=np.uint64))
    with pytest.raises(sv.UnavailableError):
        sv.Tablebase.build("shogi", "never")


def test_files_that_are_damaged_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        sv.Proof.load(tmp_path / "none")
    with pytest.raises(FileNotFoundError):
        sv.Tablebase.open(tmp_path / "none")
    file = tmp_path / "damaged"
    file.write_bytes(b"nothing of the kind, but long enough to hold a header" * 9)
    with pytest.raises(sv.FileError):
        sv.Proof.load(file)
    with pytest.raises(sv.FileError):
        sv.Tablebase.open(file)
    with pytest.raises(sv.FileError):
        sv.Certificate.from_json("{}")


def test_limits_are_looked_at() -> None:
    player = sv.Player("minishogi", hash_mb=1)
    with pytest.raises(ValueError, match="nodes, depth or seconds"):
        player.think(sv.Game("minishogi"))
    with pytest.raises(ValueError, match="not one of minishogi"):
        player.think(sv.Game("dobutsu"), nodes=10)
    with pytest.raises(ValueError, match="seconds"):
        player.think(sv.Game("minishogi"), seconds=-1.0)
    with pytest.raises(ValueError, match="hash_mb"):
        sv.Player("minishogi", hash_mb=0)
    # A tebibyte is within the bounds, and more than there is.
    with pytest.raises(MemoryError, match="1099511627776 bytes"):
        sv.solve(sv.Position("minishogi"), hash_mb=2**20)
    with pytest.raises(MemoryError):
        sv.mate(sv.Position("minishogi"), hash_mb=2**20)
    with pytest.raises(MemoryError):
        sv.Player("minishogi", hash_mb=2**20)


COUNTS: list[tuple[str, int, int, Callable[[int], object]]] = [
    ("depth", 0, 255, lambda n: sv.Position("minishogi").perft(n)),
    ("depth", 0, 255, lambda n: sv.Position("minishogi").divide(n)),
    ("count", 0, 2**28, lambda n: sv.Space("minishogi").sample(n)),
    ("count", 0, 2**24, lambda n: sv.Space("shogi").sample(n)),
    ("samples", 1, 2**64 - 1, lambda n: sv.estimate("minishogi", n)),
    ("hash_mb", 1, 2**20, lambda n: sv.Player("minishogi", hash_mb=n)),
    ("hash_mb", 1, 2**20, lambda n: sv.solve(sv.Position("minishogi"), hash_mb=n)),
    ("small_game", 0, 2**32 - 1, lambda n: sv.solve(sv.Position("minishogi"), small_game=n)),
    ("together", 1, 256, lambda n: sv.mate(sv.Position("minishogi"), together=n)),
    ("threads", 1, 256, lambda n: sv.Player("minishogi", threads=n)),
    ("lines", 1, 600, lambda n: sv.Player("minishogi", lines=n)),
    ("nodes", 0, 2**64 - 1, lambda n: sv.mate(sv.Position("minishogi"), nodes=n)),
    ("max_positions", 0, 2**32 - 1, lambda n: sv.Classifier("minishogi", max_positions=n)),
    ("memory_mb", 0, 2**20, lambda n: sv.Tablebase.build("dobutsu", "never", memory_mb=n)),
    ("action", 0, 1374, lambda n: sv.Encoding("minishogi").move("startpos", n)),
]


@pytest.mark.parametrize(("argument", "least", "most", "call"), COUNTS)
def test_a_count_out_of_range_names_its_bounds(
    argument: str, least: int, most: int, call: Callable[[int], object]
) -> None:
    for value in (least - 1, most + 1, 2**80, -(2**70)):
        with pytest.raises(sv.OutOfRangeError, match=f"{argument}: {value} is out") as caught:
            call(value)
        error = pickle.loads(pickle.dumps(caught.value))
        assert (error.argument, error.value) == (argument, value)
        assert (error.least, error.most) == (least, most)


def test_the_deepest_count_needs_no_more_stack_than_there_is() -> None:
    def stop(done: int, total: int | None) -> None:
        assert total is None
        if done > 0:
            raise InterruptedError

    for variant in sv.variants():
        with pytest.raises(InterruptedError):
            sv.Position(variant).perft(255, progress=stop)


def test_what_is_wrong_is_in_the_message(tmp_path: Path) -> None:
    with pytest.raises(sv.UnknownVariantError, match='"chess" is no variant'):
        sv.Position("chess")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match='"pgn" is no format'):
        sv.Record.parse("shogi", "", "pgn")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match='"guess" is no method'):
        sv.estimate("minishogi", 1, method="guess")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="-1: "):
        sv.mate(sv.Position("minishogi"), seconds=-1)
    with pytest.raises(TypeError, match="a text in SFEN or a Position is needed, not int"):
        sv.Space("minishogi").rank(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="the name of a variant, a Variant or a Position is needed, not list"):
        sv.Game([])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a Game or a Position is needed, not str"):
        sv.Player("minishogi", hash_mb=1).think("startpos")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a text or bytes is needed, not list"):
        sv.Record.parse("shogi", [1])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a list of texts in SFEN or of Positions is needed, not str"):
        sv.Space("minishogi").rank_many("startpos")


def test_errors_of_files_have_their_names(tmp_path: Path) -> None:
    none, file = tmp_path / "none", tmp_path / "damaged"
    loads: list[Callable[[Path], object]] = [sv.Proof.load, sv.Tablebase.open]
    for load in loads:
        with pytest.raises(FileNotFoundError, match="No such file or directory") as missing:
            load(none)
        assert (missing.value.filename, missing.value.errno) == (str(none), errno.ENOENT)
        file.write_bytes(b"nothing of the kind, but long enough to hold a header" * 9)
        with pytest.raises(sv.FileError) as damaged:
            load(file)
        assert damaged.value.filename == str(file) and str(damaged.value).startswith(str(file))
        assert pickle.loads(pickle.dumps(damaged.value)).filename == str(file)
    with pytest.raises(OSError, match="No such file") as unwritten:
        proof = sv.solve(sv.Position.named_start("shogi34", "RKR")).proof
        assert proof is not None
        proof.save(none / "rkr.proof")
    assert unwritten.value.filename == str(none / "rkr.proof")
    with pytest.raises(OSError, match="No such file"):
        sv.Tablebase.build("dobutsu", none / "table", pieces="L2")
