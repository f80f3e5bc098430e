//! Perft numbers that at least two independent programs agree on.

use shogi_rules::shogi_core::{Position, perft, perft_playing};
use shogi_rules::{Minishogi, Rules, parse_position};

fn check<R: Rules>(sfen: &str, expected: &[u64]) {
    let position: Position<R> = parse_position(sfen).unwrap();
    for (depth, &nodes) in expected.iter().enumerate() {
        assert_eq!(perft(&position, depth as u32 + 1), nodes, "depth {}", depth + 1);
    }
    let shallow = expected.len().min(4);
    assert_eq!(perft_playing(&position, shallow as u32), expected[shallow - 1]);
}

#[test]
fn minishogi() {
    let expected = [14, 181, 2_512, 35_401, 533_203, 8_276_188, 132_680_617];
    check::<Minishogi>(Minishogi::START, &expected);
}
