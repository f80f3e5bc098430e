"""Ranks, samples, reachability and estimates."""

import pickle

import numpy as np
import pytest
import shogi_variants as sv
from conftest import COMPILED


@pytest.mark.parametrize("variant", COMPILED)
def test_ranks_and_placements_are_each_others_inverse(variant: sv.typing.Variant) -> None:
    space = sv.Space(variant)
    for rank in space.sample(50, seed=4):
        assert space.rank(space.unrank(rank)) == rank
    assert space.unrank(np.uint64(3)) == space.unrank(3)


def test_a_sample_depends_on_nothing_but_seed_and_number() -> None:
    space = sv.Space("minishogi")
    whole = space.sample(1_000, seed=5)
    assert whole.dtype == np.uint64 and len(np.unique(whole)) == 1_000
    assert np.array_equal(space.sample(10, seed=5, first=500), whole[500:510])
    assert not np.array_equal(space.sample(1_000, seed=6), whole)


def test_ranks_of_large_spaces_are_whole_numbers_of_python() -> None:
    space = sv.Space("shogi")
    sample = space.sample(20)
    assert sample.dtype == object and all(0 <= rank < space.size for rank in sample)
    assert space.size == sv.counts("shogi")["candidates"] and space.size > 2**200
    # That of Minishogi is between 2**63 and 2**64.
    for space in [space, sv.Space("minishogi")]:
        with pytest.raises(OverflowError, match="see size"):
            len(space)  # type: ignore[arg-type]


def test_numberings_are_of_the_sets_that_they_name() -> None:
    assert sv.Space("minishogi", "ishii-tanaka").unrank(0) == "Kpb2/ksb2/gs3/gr3/pr3 b - 1"
    legal = sv.Space("minishogi", "king-legal")
    assert legal.size == sv.counts("minishogi")["king"] == 3_444_239_420_851_162_025
    stages = {sv.STAGES[stage] for stage in legal.stages(legal.sample(500))}
    assert stages == {"ok", "unreachable"}


def test_stages_are_those_of_the_classifier() -> None:
    space, classifier = sv.Space("minishogi"), sv.Classifier("minishogi")
    sample = space.sample(300, seed=8)
    stages = [sv.STAGES[stage] for stage in space.stages(sample)]
    assert stages == [classifier.classify(space.unrank(rank)).stage for rank in sample]
    assert set(stages) >= {"pawn", "king", "ok", "unreachable"}


@pytest.mark.parametrize("variant", ["minishogi", "kyotoshogi", "shogi"])
def test_a_position_drawn_is_reachable_and_told_by_its_seed(variant: sv.typing.Variant) -> None:
    classifier = sv.Classifier(variant)
    drawn = [classifier.draw(seed) for seed in range(20)]
    assert {classifier.classify(position).stage for position in drawn} == {"ok"}
    assert len({position.sfen() for position in drawn}) == 20
    assert classifier.draw(7) == drawn[7]


def test_certificates_prove_both_answers() -> None:
    space = sv.Space("minishogi", "king-legal")
    classifier = sv.Classifier("minishogi", certificates=True)
    answers = {True: 0, False: 0}
    for rank in space.sample(40, seed=9):
        found = classifier.classify(space.unrank(rank))
        certificate = found.certificate
        assert certificate is not None
        certificate.verify()
        assert sv.Certificate.from_json(certificate.to_json()) == certificate
        answers[certificate.reachable] += 1
        if certificate.moves is not None:
            game = sv.Game("minishogi")
            game.play(*certificate.moves)
            assert game.position == sv.Position("minishogi", certificate.sfen)
        else:
            assert certificate.predecessors is not None and found.stage == "unreachable"
            assert len(certificate.predecessors) == found.plies
    assert min(answers.values()) > 5


def test_a_certificate_of_another_position_is_refuted() -> None:
    classifier = sv.Classifier("minishogi", certificates=True)
    certificate = classifier.classify("4k/5/5/5/K4 b 2R2B2G2S2P 1").certificate
    assert certificate is not None and certificate.moves is not None
    forged = certificate.to_json().replace(certificate.moves[-1] + '"]', '5d5c"]')
    with pytest.raises(sv.RefutedError) as caught:
        sv.Certificate.from_json(forged).verify()
    assert caught.value.reason and caught.value.position


def test_the_estimate_is_that_of_the_program() -> None:
    # `shogi estimate minishogi --samples 20000 --seed 1`
    found = sv.estimate("minishogi", 20_000, seed=1)
    space = sv.Space("minishogi")
    stages = space.stages(space.sample(20_000, seed=1))
    assert found.funnel is not None and found.unreachable_by_plies is not None
    assert found.funnel["samples"] == found.samples == 20_000
    assert found.funnel["ok"] == np.count_nonzero(stages == sv.STAGES.index("ok"))
    assert found.funnel["flip"] == np.count_nonzero(stages != sv.STAGES.index("flip"))
    unreachable = np.count_nonzero(stages == sv.STAGES.index("unreachable"))
    assert sum(found.unreachable_by_plies.values()) == unreachable
    assert found.p == found.funnel["ok"] / 20_000
    assert found.interval[0] < found.positions < found.interval[1]
    assert found.positions == pytest.approx(found.p * found.candidates)


def test_the_positions_that_another_start_reaches_are_sampled_or_listed() -> None:
    whole = sv.estimate("minishogi", 2_000, start="rbsgk/4p/P4/5/KGSBR w - 1")
    assert whole == sv.estimate("minishogi", 2_000)
    fewer = sv.estimate("minishogi", 2_000, start=sv.Position("minishogi", "1bsgk/4p/5/P4/KGSBR w - 1"))
    assert fewer.candidates < whole.candidates / 10 and fewer.samples == 2_000
    listed = sv.estimate("dobutsu", 1, start="2l/3/3/L2 b - 1")
    assert (listed.method, listed.positions, listed.samples) == ("forward listing", 39, None)
    assert listed.interval == (39, 39) and listed.funnel is None
    with pytest.raises(sv.UnavailableError, match="memory_mb allows 1"):
        sv.estimate("dobutsu", 1, memory_mb=1)


def test_other_methods_estimate_the_same() -> None:
    low, high = sv.estimate("minishogi", 20_000, method="king-legal").interval
    assert low < 2.3785e18 < high and high - low < 1e17


def test_a_position_is_reachable_whichever_mirror_image_it_is_and_whoever_is_to_move() -> None:
    classifier = sv.Classifier("minishogi", certificates=True)
    for sfen, stage in [
        ("rbsgk/4p/5/P4/KGSBR b - 1", "ok"),
        ("kgsbr/p4/5/4P/RBSGK b - 1", "flip"),
        ("rbsgk/4p/P4/5/KGSBR w - 1", "ok"),
    ]:
        found = classifier.classify(sfen)
        assert (found.reachable, found.stage, found.plies) == (True, stage, None)
        assert found.certificate is not None and found.certificate.reachable
        found.certificate.verify()
        assert pickle.loads(pickle.dumps(found)).reachable is True
    found = classifier.classify("1gp2/+r+b+s2/1+rk2/+p1+b2/K1Sg1 b - 1")
    assert (found.reachable, found.plies) == (False, 8)
    assert sv.Classifier("minishogi", max_positions=1).classify("1gp2/+r+b+s2/1+rk2/+p1+b2/K1Sg1 b - 1").reachable is None


def test_a_number_says_whose_it_is() -> None:
    space = sv.Space("minishogi")
    start = space.rank("startpos")
    for sfen, flags in [
        ("rbsgk/4p/5/P4/KGSBR b - 1", (False, False)),
        ("rbsgk/4p/5/P4/KGSBR w - 1", (True, False)),
        ("kgsbr/p4/5/4P/RBSGK b - 1", (False, True)),
        ("kgsbr/p4/5/4P/RBSGK w - 1", (True, True)),
    ]:
        found = space.ranked(sfen)
        assert (found.rank, found.exchanged, found.mirrored) == (start, *flags)
        assert space.rank(sfen) == start and space.rank_many([sfen]).tolist() == [start]
        assert pickle.loads(pickle.dumps(found)).rank == start


def test_of_a_small_space_all_candidates_are_looked_at() -> None:
    nine = sv.Variant.load('''
name = "small"
start = "1k1/1p1/1P1/1K1 b - 1"
[pieces]
P = { front = "pawn", back = "gold" }
K = { front = "king", royal = true }
''')
    found = sv.estimate(nine, 1_000)
    assert found.method == "exact" and found.interval == (found.positions, found.positions)
    assert found.samples == found.candidates == sv.Space(nine).size
