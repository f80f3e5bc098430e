//! Perft numbers that at least two independent programs agree on.

use shogi_rules::shogi_core::{Position, perft, perft_playing};
use shogi_rules::{
    Dobutsu, Gorogoro, GorogoroPlus, Judkins, KyotoShogi, MicroShogi, Minishogi, Rules, Shogi,
    Shogi34, ToriShogi, parse_position, to_sfen,
};

fn check<R: Rules>(sfen: &str, expected: &[u64]) {
    let position: Position<R> = parse_position(sfen).unwrap();
    for (depth, &nodes) in (1..).zip(expected) {
        assert_eq!(perft(&position, depth), nodes, "depth {depth}");
    }
    let shallow = expected.len().min(4);
    assert_eq!(perft_playing(&position, shallow as u8), expected[shallow - 1]);
}

#[test]
fn minishogi() {
    let expected = [14, 181, 2_512, 35_401, 533_203, 8_276_188, 132_680_617];
    check::<Minishogi>(Minishogi::START, &expected);
}

#[test]
fn kyotoshogi() {
    let expected = [12, 137, 1_636, 18_268, 225_903, 2_829_234];
    check::<KyotoShogi>(KyotoShogi::START, &expected);
}

#[test]
fn shogi() {
    check::<Shogi>(Shogi::START, &[30, 900, 25_470, 719_731, 19_861_490]);
}

#[test]
fn shogi_in_the_middle_game() {
    let sfen = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";
    check::<Shogi>(sfen, &[207, 28_684, 4_809_015]);
}

#[test]
fn shogi_with_the_most_moves() {
    let sfen = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
    check::<Shogi>(sfen, &[593, 105_677, 53_393_368]);
}

#[test]
fn shogi34() {
    let start = |name| to_sfen(&Shogi34::named_start(name).unwrap());
    assert_eq!(start("RKB"), Shogi34::START);
    check::<Shogi34>(&start("RKB"), &[6, 26, 162, 1_013, 6_882, 48_870]);
    check::<Shogi34>(&start("GKS"), &[5, 21, 117, 694, 4_011, 25_273]);
}

#[test]
fn dobutsu() {
    check::<Dobutsu>(Dobutsu::START, &[4, 17, 123, 976, 8_122, 71_677]);
}

#[test]
fn gorogoro() {
    check::<Gorogoro>(Gorogoro::START, &[16, 250, 4_166, 67_517, 1_186_299]);
}

#[test]
fn gorogoroplus() {
    check::<GorogoroPlus>(GorogoroPlus::START, &[39, 1_438, 44_436, 1_330_443, 36_102_221]);
}

#[test]
fn judkins() {
    check::<Judkins>(Judkins::START, &[20, 336, 6_183, 118_345, 2_389_896]);
}

#[test]
fn micro() {
    check::<MicroShogi>(MicroShogi::START, &[9, 80, 767, 7_256, 71_328]);
}

#[test]
fn torishogi() {
    check::<ToriShogi>(ToriShogi::START, &[17, 288, 5_430, 103_857, 2_179_749]);
}
