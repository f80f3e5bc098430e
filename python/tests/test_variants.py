"""Games of one's own: read from texts and files, several at once, and everywhere where the name of a variant can be."""

import multiprocessing
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import shogi_variants as sv

VARIANTS = Path(__file__).parents[2] / "variants"

NINE = """
name = "nine"
start = "1k1/1p1/1K1 b - 1"
[pieces]
P = { front = "pawn", back = "gold" }
K = { front = "king", royal = true }
"""
LARGER = """
name = "larger"
title = "Larger than sixty-four squares"
start = "r3k3b/9/9/9/9/9/9/B3K3R b - 1"
[pieces]
R = { front = "rook", kanji = "飛", back = "dragon", back_kanji = "竜" }
B = { front = "bishop", kanji = "角", back = "horse", back_kanji = "馬" }
K = { front = "king", kanji = "玉", royal = true }
"""


def loaded() -> list[sv.Variant]:
    """Games of small and of large boards."""
    files = sorted(VARIANTS.glob("*.toml"))
    assert files
    return [sv.Variant.load(NINE), sv.Variant.load(LARGER), *map(sv.Variant.load, files)]


def test_perft_of_the_new_games_is_that_of_other_programs() -> None:
    # Fairy-Stockfish 11.1 and a plain generator.
    known: list[tuple[sv.typing.Variant, int]] = [
        ("gorogoro", 67_517), ("gorogoroplus", 1_330_443), ("judkins", 118_345), ("micro", 7_256), ("torishogi", 103_857)
    ]
    for name, count in known:
        assert sv.Position(name).perft(4) == count
        assert sv.Position(name).variant == name and sv.Variant(name).is_built_in


def test_a_text_a_path_and_the_name_of_a_file_are_read(tmp_path: Path) -> None:
    path = tmp_path / "nine.toml"
    path.write_text(NINE, "utf-8")
    nine = sv.Variant.load(NINE)
    assert nine == sv.Variant.load(path) == sv.Variant.load(str(path))
    assert (nine.name, str(nine), nine.title, nine.is_built_in) == ("nine", "nine", "nine, 3x3", False)
    assert nine.text is not None and sv.Variant.load(nine.text) == nine
    assert len(nine.rules_hash) == 64 and nine.rules_hash != sv.Variant("minishogi").rules_hash
    assert len({nine, sv.Variant.load(NINE), sv.Variant.load(LARGER)}) == 2


def test_all_that_is_wrong_is_named_with_line_key_and_fix(tmp_path: Path) -> None:
    text = NINE + '[drops]\npawn_mat = "legal"\npawns_on_a_file = "many"\n'
    path = tmp_path / "wrong.toml"
    path.write_text(text, "utf-8")
    cases: list[tuple[str | Path, str | None]] = [(text, None), (path, str(path))]
    for given, filename in cases:
        with pytest.raises(sv.VariantError) as caught:
            sv.Variant.load(given)
        faults = caught.value.faults
        assert [(fault.line, fault.key) for fault in faults] == [(8, "drops.pawn_mat"), (9, "drops.pawns_on_a_file")]
        assert 'did you mean "pawn_mate"?' in faults[0].reason
        assert all(fault.reason in str(caught.value) for fault in faults)
        assert caught.value.filename == filename and (filename or "line 8") in str(caught.value)
        again = pickle.loads(pickle.dumps(caught.value))
        assert (str(again), again.faults, again.filename) == (str(caught.value), faults, filename)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as missing:
        sv.Variant.load(tmp_path / "none.toml")
    assert missing.value.filename == str(tmp_path / "none.toml")
    with pytest.raises(IsADirectoryError):
        sv.Variant.load(tmp_path)
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(sv.FileError, match="binary.toml"):
        sv.Variant.load(tmp_path / "binary.toml")
    (tmp_path / "long.toml").write_text("#" * (1 << 20) + "#\n", "utf-8")
    with pytest.raises(sv.FileError, match="long.toml"):
        sv.Variant.load(tmp_path / "long.toml")
    with pytest.raises(TypeError, match="the path of a file"):
        sv.Variant.load(3)  # type: ignore[arg-type]
    with pytest.raises(sv.UnknownVariantError):
        sv.Variant("nine")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="the name of a variant"):
        sv.Game(3)  # type: ignore[arg-type]


def test_a_loaded_game_takes_no_name_of_a_built_in_one() -> None:
    other = sv.Variant.load(NINE.replace('"nine"', '"judkins"'))
    assert not other.is_built_in and other != sv.Variant("judkins")
    assert sv.Position("judkins").perft(1) == 20
    assert sv.Position(other).perft(1) == 2
    with pytest.raises(ValueError, match="a position of another judkins"):
        sv.Encoding("judkins").masks([sv.Position(other)])
    # The same text is the same game.
    text = sv.Variant("judkins").text
    assert text is not None and sv.Variant.load(text) == sv.Variant("judkins")


def test_a_built_in_game_as_a_text_has_the_same_positions() -> None:
    for name in ("minishogi", "kyotoshogi", "shogi", "dobutsu"):
        text = sv.Variant(name).text
        assert text is not None
        copy, start = sv.Variant.load(text), sv.Position(name)
        assert not copy.is_built_in and copy.name == name
        assert sv.Position(copy).divide(3) == start.divide(3)
        assert sv.Position(copy) != start


def play(variant: sv.Variant) -> list[str]:
    """All positions of a game in which each move is the first legal one."""
    game = sv.Game(variant)
    while game.outcome is None and len(game) < 40:
        game.play(min(game.position.legal_moves()))
    return [position.sfen() for position in game.positions]


def test_several_games_are_played_in_turn_and_on_many_threads() -> None:
    variants = loaded()
    alone = [play(variant) for variant in variants]
    games = [sv.Game(variant) for variant in variants]
    for _ in range(40):
        for game in games:
            if game.outcome is None:
                game.play(min(game.position.legal_moves()))
    assert [[position.sfen() for position in game.positions] for game in games] == alone
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(play, variants * 8)) == alone * 8


@pytest.mark.parametrize("variant", loaded(), ids=str)
def test_what_takes_a_name_takes_a_loaded_game(variant: sv.Variant) -> None:
    start = sv.Position(variant)
    assert sv.Variant(start.variant) == variant and start == sv.Position(variant, start.sfen())
    moves = start.legal_moves()
    assert start.perft(2) == sum(len(start.play(move).legal_moves()) for move in moves) == sum(start.divide(2).values())
    before, move = next(start.play(moves[0]).unmoves())
    assert before.play(move) == start.play(moves[0])
    assert start.picture() and "<svg" in start.svg()

    game = sv.Game(variant)
    game.play(moves[0])
    record = sv.Record.from_game(game)
    for format in ("usi", "json"):
        assert sv.Record.parse(variant, record.to_text(format), format).moves() == record.moves()
    assert record.game().position == game.position

    encoding = sv.Encoding(variant)
    masks = encoding.masks([start, game.position])
    assert masks.sum(axis=1).tolist() == [len(moves), len(game.position.legal_moves())]
    assert {encoding.move(start, action) for action in np.flatnonzero(masks[0])} == set(moves)
    planes = encoding.planes([start])
    assert planes[0, : planes.shape[1] // 2].sum() > 0

    player = sv.Player(variant, hash_mb=1)
    assert player.think(game, nodes=300).move in game.position.legal_moves()
    assert sv.mate(start, nodes=100).status in ("unknown", "nomate")
    assert sv.solve(start, nodes=100, hash_mb=1).ended


def test_a_proof_of_a_loaded_game_needs_nothing_beside_it(tmp_path: Path) -> None:
    nine = sv.Variant.load(NINE)
    solution = sv.solve(sv.Position(nine), hash_mb=1)
    proof = solution.proof
    assert solution.value is not None and proof is not None
    proof.save(tmp_path / "nine.proof")
    sv.Position(sv.Variant.load(LARGER)).legal_moves()
    read = sv.Proof.load(tmp_path / "nine.proof")
    assert read.variant == nine and read.root == sv.Position(nine) and read.value == solution.value
    assert read.check().entries == len(read) and next(read.walk()).sfen == sv.Position(nine).sfen()
    assert pickle.loads(pickle.dumps(proof)).line() == proof.line()


def test_what_belongs_to_a_loaded_game_pickles() -> None:
    for variant in loaded():
        game = sv.Game(variant)
        game.play(game.position.legal_moves()[0])
        of_game = [variant, game.position, sv.Encoding(variant), sv.Player(variant, hash_mb=1), sv.Record.from_game(game)]
        for one in of_game:
            again = pickle.loads(pickle.dumps(one))
            assert repr(again) == repr(one)
            assert sv.Variant(getattr(again, "variant", again)) == variant
        assert pickle.loads(pickle.dumps(game)).position == game.position


def test_another_process_knows_a_loaded_game_by_its_text() -> None:
    positions = [sv.Position(variant) for variant in loaded()]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        counts = pool.map(sv.Position.legal_moves, positions)
    assert counts == [position.legal_moves() for position in positions]


def test_loaded_games_are_counted_and_traced_back() -> None:
    nine, larger = sv.Variant.load(NINE), sv.Variant.load(LARGER)
    # Two kings on nine squares and a pawn: on the board with either owner and face, or in a hand.
    assert sv.counts(nine)["distinct"] == 9 * 8 * (7 * 4 + 2)
    distinct = sv.counts(larger)["distinct"]
    assert distinct is not None and distinct > 10**9
    classifier = sv.Classifier(larger, certificates=True)
    found = classifier.classify("r3k3b/9/9/9/9/9/9/B2K4R b - 1")
    assert found.stage == "ok" and found.certificate is not None
    assert classifier.classify(classifier.draw(1)).stage == "ok"
    assert sv.estimate(larger, 100, seed=1).samples == 100
    with pytest.raises(sv.UnavailableError, match="reachability is not available for torishogi: the piece L"):
        sv.Classifier("torishogi")


def test_placements_of_a_loaded_game_have_numbers() -> None:
    nine, larger = sv.Variant.load(NINE), sv.Variant.load(LARGER)
    space, wide = sv.Space(nine), sv.Space(larger)
    # Both kings on the middle file leave 180 of the 2160 placements without a mirror image to fold.
    assert space.variant == nine and space.size == (2160 + 180) // 2
    every = list(range(space.size))
    # Spaces of other games are used in between, on all threads.
    assert [wide.rank(wide.unrank(number)) for number in every[:50]] == every[:50]
    placements = space.unrank_many(every)
    assert len(set(placements)) == space.size and list(space.rank_many(placements)) == every
    assert space.rank(sv.Position(nine)) == space.rank("startpos")
    sampled = wide.sample(300, seed=3)
    assert sampled[7] == wide.sample(1, seed=3, first=7)[0] and all(0 <= rank < wide.size for rank in sampled)
    classifier = sv.Classifier(larger)
    stages = [classifier.classify(sfen).stage for sfen in wide.unrank_many(sampled)]
    assert [sv.STAGES[stage] for stage in wide.stages(sampled)] == stages
    again = pickle.loads(pickle.dumps(space))
    assert again.variant == nine and again.unrank(5) == space.unrank(5)
    with pytest.raises(sv.RankError):
        space.unrank(space.size)
    with pytest.raises(ValueError, match="a position of larger where one of nine is needed"):
        space.rank(sv.Position(larger))


@pytest.mark.parametrize("name", ["minishogi", "kyotoshogi", "shogi", "shogi34"])
def test_a_built_in_game_as_a_text_is_numbered_and_written_as_the_compiled_one(name: sv.typing.Variant) -> None:
    text = sv.Variant(name).text
    assert text is not None
    read = sv.Variant.load(text)
    assert read.rules_hash == sv.Variant(name).rules_hash
    spaces = sv.Space(name), sv.Space(read)
    assert spaces[0].size == spaces[1].size
    ranks = spaces[0].sample(200, seed=1)
    assert list(spaces[1].sample(200, seed=1)) == list(ranks)
    placements = spaces[0].unrank_many(ranks)
    assert spaces[1].unrank_many(ranks) == placements and list(spaces[1].rank_many(placements)) == list(ranks)
    games = [sv.Game(variant) for variant in (name, read)]
    for _ in range(6):
        moves = [game.position.legal_moves() for game in games]
        assert moves[0] == moves[1] and games[0].position.sfen() == games[1].position.sfen()
        for game in games:
            game.play(moves[0][-1])
    records = [sv.Record.from_game(game) for game in games]
    assert records[0].to_text("kif") == records[1].to_text("kif")


def test_what_a_loaded_game_cannot_do_is_said_with_the_reason() -> None:
    with pytest.raises(sv.UnavailableError, match="there are no tablebases of larger in this version"):
        sv.Tablebase.build(sv.Variant.load(LARGER), "never")
    with pytest.raises((sv.Error, ValueError), match="who gives perpetual check loses"):
        sv.Tablebase.build(sv.Variant.load(NINE), "never")
    with pytest.raises(sv.UnavailableError, match="counting is not available for torishogi: the piece L"):
        sv.Space("torishogi")
    with pytest.raises(sv.UnavailableError, match="reachability is not available for micro: pieces turn over"):
        sv.Space("micro").stages([0])


def test_a_game_of_ones_own_has_a_tablebase_and_its_file_is_opened_with_the_game(tmp_path: Path) -> None:
    rule = '[repetition]\nresult = "draw"\nperpetual_check = "legal"\n'
    nine = sv.Variant.load(NINE + rule)
    file = tmp_path / "nine.tablebase"
    table = sv.Tablebase.build(nine, file)
    assert table.variant == nine
    assert table.verify(None) == table.numbers
    solved = sv.solve(sv.Position(nine))
    assert table.probe("startpos").value == (solved.value or "draw")
    again = sv.Tablebase.open(file, game=nine)
    assert again.summary() == table.summary() == pickle.loads(pickle.dumps(table)).summary()
    with pytest.raises(sv.FileError, match="opened with `game`"):
        sv.Tablebase.open(file)
    with pytest.raises(sv.FileError, match="a tablebase of nine, not of dobutsu"):
        sv.Tablebase.open(file, game="dobutsu")
    with pytest.raises((sv.Error, ValueError)):
        sv.Tablebase.open(file, game=sv.Variant.load(NINE + rule.replace("draw", "no result")))


def test_a_report_says_what_a_game_is_like() -> None:
    nine = sv.Variant.load(NINE)
    found = sv.report(nine, games=6, move_nodes=20, nodes=5_000, samples=100, positions=5_000)
    told = found.to_dict()
    assert told["play"]["games"] == 6 and told["listed"]["positions"] > 10
    assert found.winner == told["winner"] and told["variant"] in str(found)
    assert pickle.loads(pickle.dumps(found)) == found
    assert found == sv.report(nine, games=6, move_nodes=20, nodes=5_000, samples=100, positions=5_000)
    elsewhere = sv.report("minishogi", start="rbsgk/4p/P4/5/KGSBR w - 1", games=1, move_nodes=9, nodes=0, samples=50)
    assert elsewhere.to_dict()["start"].endswith(" w - 1")
    with pytest.raises(ValueError, match="games"):
        sv.report(nine, games=0)


def test_a_game_of_another_variant_is_refused() -> None:
    nine, larger = sv.Variant.load(NINE), sv.Variant.load(NINE.replace('"nine"', '"ten"'))
    with pytest.raises(ValueError, match="a position of ten where one of nine is needed"):
        sv.Encoding(nine).masks([sv.Position(larger)])
    with pytest.raises(ValueError, match="the game is not one of nine"):
        sv.Player(nine, hash_mb=1).think(sv.Game(larger), nodes=10)
    assert sv.Position(nine) != sv.Position(larger)
