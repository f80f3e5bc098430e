"""Solving, mates, proofs, tablebases and the player."""

import pickle
from itertools import islice
from pathlib import Path

import pytest
import shogi_variants as sv


@pytest.fixture(scope="module")
def proof() -> sv.Proof:
    solution = sv.solve(sv.Position.named_start("shogi34", "RKR"))
    assert (solution.value, solution.ended) == ("win", "solved")
    assert solution.plies is not None and len(solution.line) <= solution.plies
    assert solution.proof is not None
    return solution.proof


@pytest.mark.parametrize("algorithm", ["dfpn", "pds"])
def test_a_value_comes_with_a_proof(algorithm: str) -> None:
    start = sv.Position.named_start("shogi34", "RKR")
    solution = sv.solve(start, algorithm=algorithm)  # type: ignore[arg-type]
    assert solution.value == "win" and solution.proof is not None
    assert solution.proof.check().entries == len(solution.proof)
    assert solution.proof.root == start and solution.proof.provers == ["sente"]


def test_a_search_that_is_cut_short_knows_nothing() -> None:
    solution = sv.solve(sv.Position("minishogi"), nodes=2_000)
    assert (solution.value, solution.line, solution.ended) == (None, [], "nodes")


def test_a_small_game_is_looked_at_as_a_whole_unless_the_search_has_it_all() -> None:
    bare = sv.Position("minishogi", "4k/5/5/5/K4 b - 1")
    assert sv.solve(bare, nodes=10_000).value == "loss"
    assert sv.solve(bare, nodes=10_000, small_game=0).nodes > 0


def test_proofs_are_saved_loaded_and_checked(proof: sv.Proof, tmp_path: Path) -> None:
    file = tmp_path / "rkr.proof"
    proof.save(file)
    again = sv.Proof.load(file)
    assert len(again) == len(proof) and again.check().plies == proof.check().plies
    assert again.line(exact=True) == proof.line(exact=True)
    damaged = bytearray(file.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    file.write_bytes(damaged)
    with pytest.raises(sv.FileError):
        sv.Proof.load(file)


def test_a_walk_meets_every_entry_of_a_proof(proof: sv.Proof) -> None:
    steps = list(proof.walk())
    assert len({step.sfen for step in steps}) == len(steps) >= len(proof)
    for step in steps[:200]:
        position = proof.root
        for move in step.moves:
            position = position.play(move)
        assert position == sv.Position(position.variant, step.sfen)
        assert step.move is not None and step.rank is not None
        replies = {reply.move for reply in step.replies}
        assert replies == set(position.play(step.move).legal_moves())
        assert all(reply.rank is not None and step.rank > reply.rank for reply in step.replies)


def test_a_walk_is_made_step_by_step(proof: sv.Proof) -> None:
    first, second = islice(proof.walk(), 2)
    assert first.moves == [] and second.moves == [first.move, first.replies[0].move]
    other = next(move for move in proof.root.legal_moves() if move != first.move)
    with pytest.raises(sv.NotInProofError):
        for reply in proof.root.play(other).legal_moves():
            proof.step([other, reply])


def test_a_position_is_looked_up_whichever_moves_lead_to_it(proof: sv.Proof) -> None:
    for step in islice(proof.walk(), 50):
        found = proof.look_up(step.sfen)
        assert (found.moves, found.sfen, found.move, found.rank) == ([], step.sfen, step.move, step.rank)
        assert [reply.move for reply in found.replies] == [reply.move for reply in step.replies]
    assert proof.look_up(proof.root).move == proof.step().move
    with pytest.raises(sv.NotInProofError):
        proof.look_up(sv.Position.named_start("shogi34", "RKB"))
    with pytest.raises(ValueError, match="shogi34 is needed"):
        proof.look_up(sv.Position("minishogi"))


def test_mates_are_found_and_refuted() -> None:
    position = sv.Position("minishogi", "4k/5/3PP/5/K4 b G 1")
    found = sv.mate(position, shortest=True)
    assert (found.status, found.plies, found.exact) == ("mate", 1, True)
    assert position.play(found.line[0]).outcome is not None
    assert found.first is None and found.complete is None
    assert sv.mate(sv.Position("minishogi")).status == "nomate"
    assert sv.mate(position, together=2).status == "mate"
    # As `shogi mate minishogi --all` and `--tsume`.
    found = sv.mate(sv.Position("minishogi", "k4/5/1G3/5/4K b G 1"), all=True)
    assert (found.first, found.cooks, found.last, found.complete) == (["G*5b", "G*4b"], [], None, True)
    assert pickle.loads(pickle.dumps(found)) == found
    found = sv.mate(sv.Position("minishogi", "4k/2S2/4G/5/R4 b rbgsp 1", problem=True), tsume=True)
    assert (found.plies, found.line) == (1, ["5e5a"])
    assert found.defences is None and found.refuted is None and found.undecided is None
    position = sv.Position("minishogi", "4k/5/3G1/5/4R w Prbgsp 1", problem=True)
    found = sv.mate(position, defend=True, shortest=True)
    assert (found.status, found.plies, found.defences, found.undecided) == ("nomate", None, ["1a2a", "P*1c", "P*1d"], [])
    assert found.refuted is not None and ("P*1b", 1, True, ["2c1b"]) in found.refuted
    assert pickle.loads(pickle.dumps(found)) == found
    with pytest.raises(ValueError, match="no king"):
        sv.mate(sv.Position("shogi", "9/9/9/9/9/9/9/9/4K4 b - 1", problem=True))


def test_a_tablebase_agrees_with_its_moves(tmp_path: Path) -> None:
    table = sv.Tablebase.build("dobutsu", tmp_path / "small", pieces="G1L2")
    assert table.variant == "dobutsu" and table.verify(None) > 100
    summary = table.summary()
    assert summary["win"] + summary["loss"] + summary["draw"] == summary["positions"]
    position = sv.Position("dobutsu", "1l1/3/3/1L1 b G 1", problem=True)
    probed = table.probe(position)
    assert {one.move for one in probed.moves} == set(position.legal_moves())
    best = probed.moves[0]
    assert (best.value, best.plies) == (probed.value, probed.plies)
    if probed.plies is not None:
        assert len(table.line(position)) == probed.plies
    with pytest.raises(ValueError, match="pieces"):
        table.probe("startpos")


@pytest.mark.parametrize("variant", sv.variants())
def test_the_player_plays_legal_moves(variant: sv.typing.Variant) -> None:
    player = sv.Player(variant, hash_mb=1, lines=3)
    game = sv.Game(variant)
    for _ in range(6):
        choice = player.think(game, nodes=300)
        assert choice.action == "play" and choice.move is not None
        assert choice.move in game.position.legal_moves()
        firsts = [line.moves[0] for line in choice.lines]
        assert len(set(firsts)) == len(firsts) <= 3
        scores = [line.score for line in choice.lines]
        assert scores == sorted(scores, reverse=True)
        game.play(choice.move)
    player.clear()


def test_the_same_search_gives_the_same_choice() -> None:
    def think() -> tuple[str | None, str, int]:
        choice = sv.Player("kyotoshogi", hash_mb=4).think(sv.Position("kyotoshogi"), nodes=2_000)
        return choice.move, str(choice.score), choice.nodes

    assert think() == think()


def test_a_lost_game_is_resigned() -> None:
    game = sv.Game("minishogi")
    game.resign("sente")
    assert sv.Player("minishogi", hash_mb=1).think(game, nodes=10).action == "resign"
