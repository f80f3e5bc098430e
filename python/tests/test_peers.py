"""Random games give the same moves, positions, checks and ends as pyffish and cshogi."""

import random
import re

import pytest
import shogi_variants as sv

GAMES = 15
# So many that games end, which Kyoto shogi's do late.
POSITIONS: dict[sv.typing.Variant, int] = {"minishogi": 1_000, "kyotoshogi": 3_000, "dobutsu": 1_000, "shogi": 1_000}


def without_number(sfen: str) -> str:
    """Board, side and hands of an SFEN, the hands in one order."""
    board, side, hands = sfen.split()[:3]
    held = re.findall(r"(\d*)([A-Za-z])", hands)
    return f"{board} {side} {sorted((letter, count or '1') for count, letter in held)}"


@pytest.mark.parametrize("variant", POSITIONS)
def test_random_games_are_those_of_pyffish(variant: sv.typing.Variant) -> None:
    pytest.importorskip("pyffish", reason="pyffish cannot be had here")
    from pyffish_differential import random_games

    checks = ends = 0
    for question in random_games((variant, POSITIONS[variant], "python")):
        position = sv.Position(variant, question.sfen)
        assert without_number(position.sfen("fairy")) == without_number(question.sfen)
        assert sorted(position.legal_moves("fairy")) == sorted(question.moves), position
        assert position.end == question.end, position
        # In Dobutsu shogi no rule speaks of check.
        assert question.check in (None, position.is_check), position
        checks += bool(question.check)
        ends += question.end is not None
    assert variant == "dobutsu" or checks > 20
    assert ends > (0 if variant == "shogi" else 5)


def test_random_games_are_those_of_cshogi() -> None:
    cshogi = pytest.importorskip("cshogi", reason="cshogi cannot be had here")
    checks = positions = 0
    for seed in range(GAMES):
        choice = random.Random(f"cshogi {seed}")
        position, board = sv.Position("shogi"), cshogi.Board()
        for _ in range(200):
            legal = sorted(position.legal_moves())
            assert legal == sorted(cshogi.move_to_usi(move) for move in board.legal_moves)
            assert without_number(position.sfen()) == without_number(board.sfen())
            assert position.is_check == board.is_check()
            assert (position.end is not None) == board.is_game_over()
            positions += 1
            checks += position.is_check
            if not legal:
                break
            move = choice.choice(legal)
            position = position.play(move)
            board.push_usi(move)
    assert positions > 2_000 and checks > 50
