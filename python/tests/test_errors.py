"""Bad input raises typed exceptions with a position and a reason."""

import pickle
from pathlib import Path

import numpy as np
import pytest
import shogi_variants as sv


def test_no_variant_has_another_name() -> None:
    for make in (sv.Position, sv.Game, sv.Space, sv.Classifier, sv.Player, sv.counts):
        with pytest.raises(sv.UnknownVariantError, match="minishogi"):
            make("chess")


def test_an_sfen_names_the_character() -> None:
    with pytest.raises(sv.SfenError) as caught:
        sv.Position("minishogi", "rbsgk/4p/5/P4/KGSXR b - 1")
    assert (caught.value.position, caught.value.reason) == (17, "no piece has the letter 'X'")
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.position == 17


def test_a_position_names_all_its_faults() -> None:
    with pytest.raises(sv.InvalidPositionError) as caught:
        sv.Position("minishogi", "P3k/P4/5/5/5 b - 1")
    assert len(caught.value.faults) == 3 and "a king is missing" in caught.value.faults


def test_the_attacker_of_a_problem_needs_no_king() -> None:
    sfen = "4k/5/3PP/5/5 b G 1"
    with pytest.raises(sv.InvalidPositionError):
        sv.Position("minishogi", sfen)
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
        sv.Record.parse("shogi", "手合割：平手\n   1 ７六歩(77)\n   2 ３五歩(33)\n", "kif")
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
        sv.Player("minishogi", evaluation="magic")
    with pytest.raises(ValueError, match="no order"):
        sv.Space("minishogi", "random")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="XYZ"):
        sv.Position.named_start("shogi34", "XYZ")


def test_ranks_outside_the_set_are_refused() -> None:
    space = sv.Space("minishogi")
    with pytest.raises(sv.RankError):
        space.unrank(space.size)
    with pytest.raises(OverflowError):
        space.unrank(-1)
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
    with pytest.raises(MemoryError):
        sv.solve(sv.Position("minishogi"), hash_mb=2**43)
    with pytest.raises(ValueError, match="at least 1"):
        sv.Player("minishogi", lines=0)
