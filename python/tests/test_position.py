"""Positions, games and records."""

import copy
import pickle
import random
from typing import Literal

import pytest
import shogi_variants as sv
from conftest import RandomGame


@pytest.mark.parametrize("variant", sv.variants())
def test_what_is_written_is_read_back(variant: sv.typing.Variant, play_random_game: RandomGame) -> None:
    for position in play_random_game(variant, 1):
        for dialect in (None, "lishogi", "fairy"):
            assert sv.Position(variant, position.sfen(dialect)) == position
        assert pickle.loads(pickle.dumps(position)) == position
        assert hash(position.mirror().mirror()) == hash(position)


@pytest.mark.parametrize("variant", sv.variants())
def test_every_unmove_leads_back_by_its_move(variant: sv.typing.Variant, play_random_game: RandomGame) -> None:
    unmoves = 0
    before = None
    for number, position in enumerate(play_random_game(variant, 2)):
        if number % 4 == 0 and position.outcome is None:
            for earlier, move in position.unmoves():
                assert earlier.play(move) == position
                unmoves += 1
        if before is not None and before.outcome is None:
            assert before in (earlier for earlier, _ in position.unmoves())
        before = position
    assert unmoves > 20


def test_unmoves_are_made_one_at_a_time() -> None:
    position = sv.Position("minishogi", "4k/5/5/5/K4 w - 1")
    unmoves = position.unmoves()
    assert iter(unmoves) is unmoves
    before, move = next(unmoves)
    assert before.side == "sente" and before.play(move) == position
    assert len(list(unmoves)) == 2
    with pytest.raises(StopIteration):
        next(unmoves)


@pytest.mark.parametrize(
    ("variant", "depth", "nodes"),
    [("minishogi", 5, 533_203), ("kyotoshogi", 4, 18_268), ("shogi", 3, 25_470), ("dobutsu", 5, None)],
)
def test_perft_counts_the_legal_moves(variant: sv.typing.Variant, depth: int, nodes: int | None) -> None:
    start = sv.Position(variant)

    def count(position: sv.Position, depth: int) -> int:
        if depth == 0:
            return 1
        return sum(count(position.play(move), depth - 1) for move in position.legal_moves())

    assert start.perft(0) == 1
    assert start.perft(3) == count(start, 3)
    assert sum(start.divide(3).values()) == start.perft(3)
    if nodes is not None:
        assert start.perft(depth) == nodes


def test_pieces_and_hands_are_those_of_the_sfen() -> None:
    position = sv.Position("minishogi", "4k/5/1+P3/5/K4 b 2Gr 1")
    assert position.pieces() == {"1a": "k", "4c": "+P", "5e": "K"}
    assert position.hand("sente") == {"G": 2} and position.hand("gote") == {"R": 1}
    assert position.picture().endswith("Sente to move") and "<svg" in position.svg()


def test_a_game_knows_repetition_and_its_end() -> None:
    game = sv.Game("minishogi")
    outcome = game.play(*["1e1d", "5a5b", "1d1e", "5b5a"] * 3)
    assert outcome is not None and outcome == game.outcome
    assert (outcome.winner, outcome.result, outcome.reason) == ("gote", "win", "repetition")
    with pytest.raises(sv.GameOverError):
        game.play("5d5c")
    other = copy.copy(game)
    assert other.undo() and game.outcome == outcome and other.outcome is None
    assert other.resign("sente").winner == "gote"


def test_an_illegal_move_loses_as_ruled() -> None:
    game = sv.Game("shogi")
    outcome = game.play_as_ruled("2h2b+")
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == ("gote", "illegal move")


def test_impasse_is_declared_where_there_is_such_a_rule() -> None:
    game = sv.Game("shogi")
    assert game.points("sente") == 27
    assert game.declare().reason == "failed declaration"
    with pytest.raises(sv.UnavailableError):
        sv.Game("dobutsu").declare()


@pytest.mark.parametrize("variant", sv.variants())
def test_records_keep_the_game(variant: sv.typing.Variant) -> None:
    choice = random.Random(3)
    game = sv.Game(variant)
    while len(game) < 30 and not game.outcome:
        game.play(choice.choice(sorted(game.position.legal_moves())))
    record = sv.Record.from_game(game)
    record.set_header("先手", "Ada")
    formats: list[Literal["kif", "json", "usi", "csa"]] = ["kif", "json", "usi"]
    if variant in ("shogi", "minishogi"):
        formats.append("csa")
    for format in formats:
        read = sv.Record.parse(variant, record.to_text(format), format)
        assert read.game().moves() == game.moves()
        assert format == "usi" or ("先手", "Ada") in read.headers
    kif = record.to_text("kif")
    assert len(sv.Record.parse(variant, kif.encode("cp932")).moves()) == len(game)


def test_times_and_ends_of_records_are_read() -> None:
    text = "手合割：平手\n   1 ７六歩(77) ( 0:03/00:00:03)\n*よい手\n   2 投了\n"
    record = sv.Record.parse("shogi", text)
    (first,) = record.moves()
    assert (first.move, first.seconds, first.comments) == ("7g7f", 3, ["よい手"])
    assert record.end == "resignation"
    # Gote is to move and resigns.
    assert record.winner == "sente"


def test_variations_are_walked() -> None:
    text = "1 ７六歩(77)\n2 ３四歩(33)\n3 中断\n変化：2手\n2 ８四歩(83)\n&印\n3 投了\n"
    record = sv.Record.parse("shogi", text, "kif")
    main, other = record.lines()
    assert (main.branch, main.end, len(main.moves)) == (None, "interruption", 2)
    assert (other.branch, other.moves_before, other.end) == ((0, 1), 1, "resignation")
    assert [(one.move, one.bookmarks) for one in other.moves] == [("8c8d", ["印"])]
    assert "変化：2手" in record.to_text("ki2")
    for format in ("json", "jkf"):
        assert len(sv.Record.parse("shogi", record.to_text(format)).lines()) == 2


def test_all_games_of_a_text_are_read() -> None:
    games = sv.Record.parse_all("shogi", "PI\n+\n+7776FU\n%TORYO\n/\nPI\n+\n%CHUDAN\n", "csa")
    assert [game.end for game in games] == ["resignation", "interruption"]


def test_a_game_that_has_ended_writes_its_end() -> None:
    game = sv.Game("shogi")
    for move in ["2h3h", "8b7b", "3h2h", "7b8b"] * 3:
        game.play(move)
    assert sv.Record.from_game(game).end == "repetition"


def test_the_number_of_the_next_move_is_kept_and_counted_on() -> None:
    text = "rbsgk/4p/P4/5/KGSBR w - 7"
    start = sv.Position("minishogi", text)
    assert (start.sfen(), start.move_number) == (text, 7)
    assert start.play("2a2b").sfen() == "rbs1k/3gp/P4/5/KGSBR b - 8"
    assert sv.Position("minishogi", f"sfen {text} moves 2a2b").move_number == 8
    assert start == sv.Position("minishogi", "startpos moves 5d5c") and pickle.loads(pickle.dumps(start)).sfen() == text
    game = sv.Game(start)
    game.play("2a2b", "4e3d")
    assert [position.move_number for position in game.positions] == [7, 8, 9]
    assert game.position.move_number == 9 and pickle.loads(pickle.dumps(game)).position.move_number == 9
    record = sv.Record.from_game(game)
    assert record.start.move_number == 7 and record.game().position.move_number == 9
    line = f"position sfen {text} moves 2a2b 4e3d"
    assert record.to_text("usi") == line and sv.Record.parse("minishogi", line).to_text("usi") == line
    assert all(before.move_number == 1 for before, _ in start.unmoves())
