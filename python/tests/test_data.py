"""The community's training data: what is written is read, what is wrong is refused, and cshogi has the same bytes."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shogi_variants as sv
from shogi_variants import data


def some_entries(format: Any, games: int = 3) -> data.Entries:
    choice = random.Random(7)
    positions, moves, plies = [], [], []
    for _ in range(games):
        position = sv.Position("shogi")
        for ply in range(1, 80):
            legal = position.legal_moves()
            if not legal:
                break
            move = choice.choice(legal)
            positions.append(position)
            moves.append(move)
            plies.append(ply)
            position = position.play(move)
    results: list[Any] = [choice.choice(["win", "loss", "draw"]) for _ in positions]
    scores = [choice.randrange(-3000, 3000) for _ in positions]
    numbered = {"plies": plies} if format in ("psv", "bin") else {}
    return data.entries(format, positions, moves=moves, scores=scores, results=results, **numbered)


@pytest.mark.parametrize("format", ["psv", "hcpe"])
def test_what_is_written_is_read(format: Any, tmp_path: Path) -> None:
    entries = some_entries(format)
    path = tmp_path / f"games.{format}"
    data.write(path, entries)
    read = data.read(path)
    assert isinstance(read, np.memmap) and path.stat().st_size == len(entries) * {"psv": 40, "hcpe": 38}[format]
    assert np.array_equal(read, entries) and len(set(data.results(read))) == 3
    again = data.entries(
        format,
        data.positions(read),
        moves=data.moves(read),
        scores=read["score" if format == "psv" else "eval"],
        results=data.results(read),
        **({"plies": read["gamePly"]} if format == "psv" else {}),
    )
    assert np.array_equal(again, entries)


def test_both_formats_say_the_same() -> None:
    psv, hcpe = some_entries("psv"), some_entries("hcpe")
    assert data.positions(psv) == data.positions(hcpe) and data.moves(psv) == data.moves(hcpe)
    assert data.results(psv) == data.results(hcpe) and np.array_equal(psv["score"], hcpe["eval"])


@pytest.mark.parametrize("format", ["psfen", "hcp"])
def test_positions_alone(format: Any, tmp_path: Path) -> None:
    positions = data.positions(some_entries("psv", 1))
    entries = data.entries(format, positions)
    data.write(tmp_path / "a", entries)
    assert data.positions(data.read(tmp_path / "a", format)) == positions
    with pytest.raises(ValueError, match="no place in .* for scores"):
        data.entries(format, positions, scores=[0] * len(positions))
    with pytest.raises(ValueError, match="scores, moves and results"):
        data.moves(entries)


def test_what_is_wrong_is_refused_with_its_number(tmp_path: Path) -> None:
    entries = some_entries("psv", 1)
    wrong = entries.copy()
    wrong["sfen"][5] = 0xFF
    with pytest.raises(sv.PackedError, match="at bit 1: the board has no square 127") as raised:
        data.positions(wrong)
    assert raised.value.bit == 1
    wrong = entries.copy()
    wrong["move"][4] = entries["move"][5]
    with pytest.raises(sv.PackedError, match="no legal move has the number") as illegal:
        data.moves(wrong)
    assert illegal.value.bit is None
    assert getattr(illegal.value, "__notes__", ["item 4 of the batch"]) == ["item 4 of the batch"]
    wrong = entries.copy()
    wrong["game_result"][3] = 5
    with pytest.raises(sv.PackedError, match="no result has the number 5"):
        data.results(wrong)
    path = tmp_path / "cut.psv"
    path.write_bytes(entries.tobytes()[:70])
    with pytest.raises(sv.FileError, match="at byte 40"):
        data.read(path)
    with pytest.raises(ValueError, match="there is no format 'games'"):
        data.read(tmp_path / "a.games")
    with pytest.raises(ValueError, match="give results"):
        data.entries("psv", ["startpos"])
    with pytest.raises(ValueError, match="2 moves for 1 positions"):
        data.entries("psv", ["startpos"], moves=["7g7f", None], results=["win"])
    with pytest.raises(ValueError, match="a position of minishogi"):
        sv.Packing("hcp").pack([sv.Position("minishogi")])
    with pytest.raises(TypeError, match="uint8"):
        sv.Packing("hcp").unpack(np.zeros((1, 32)))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="there is no packing"):
        sv.Packing("apery")  # type: ignore[arg-type]


def test_the_bytes_are_those_of_cshogi() -> None:
    cshogi = pytest.importorskip("cshogi", reason="cshogi cannot be had here")
    assert data.PSV == cshogi.PackedSfenValue
    psv, hcpe = some_entries("psv"), some_entries("hcpe")
    for one, other, position, move in zip(psv, hcpe, data.positions(psv), data.moves(psv), strict=True):
        board = cshogi.Board(position.sfen())
        packed = np.zeros((2, 32), np.uint8)
        board.to_psfen(packed[0])
        board.to_hcp(packed[1])
        assert np.array_equal(one["sfen"], packed[0]) and np.array_equal(other["hcp"], packed[1])
        number = cshogi.move16(board.move_from_usi(move))
        assert other["bestMove16"] == number and one["move"] == cshogi.move16_to_psv(number)
