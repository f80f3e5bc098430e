//! Mate search: moves played in a second, on Minishogi and on published problems of shogi.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use shogi_core::{Faults, Position};
use shogi_rules::{Minishogi, Rules, Shogi, parse_sfen};
use shogi_solve::Budget;
use shogi_solve::mate::{MateAnswer, MateSolver, Options, Status};

/// Minishogi positions whose shortest mates take 21, 11 and 13 plies.
const MINISHOGI: [&str; 3] = [
    "+R3K/5/+S1G2/+p3B/1Bkrs b Gp 1",
    "2k2/5/5/5/2K2 b RBGSPrbgsp 1",
    "r1k2/2p2/5/2P2/2K2 b RBGSbgs 1",
];

/// Problems of 13, 41 and 467 plies (the last is ACT no yume).
const SHOGI: [(&str, &str); 3] = [
    ("13 plies", "5n1k1/5p3/5s1p1/8N/7P1/9/9/9/9 b R2Br4g3s2n4l15p 1"),
    ("41 plies", "8k/9/9/9/9/9/9/9/9 b R2GSr2b2g3s4n4l18p 1"),
    (
        "467 plies",
        "1l+PG1+P3/b1P1n4/9/1l1B1P2S/L2P2P2/3+pN2l1/3+ppp1kN/pP+psS4/3+rPg+p1+R b 2P2gsnp 1",
    ),
];

fn position<R: Rules>(sfen: &str) -> Position<R> {
    let placement = match parse_sfen(sfen) {
        Ok((placement, _)) => placement,
        Err(error) => panic!("{sfen}: {error}"),
    };
    match Position::new_allowing(placement, Faults::MISSING_KING) {
        Ok(position) => position,
        Err(error) => panic!("{sfen}: {error}"),
    }
}

fn solve<R: Rules>(position: &Position<R>, options: Options) -> MateAnswer<R> {
    MateSolver::new(options).solve(position, &mut Budget::nodes(20_000_000))
}

fn minishogi(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("mate/minishogi");
    group.sample_size(10);
    for sfen in MINISHOGI {
        let position = position::<Minishogi>(sfen);
        for shortest in [false, true] {
            let options = Options { shortest, ..Options::default() };
            group.throughput(Throughput::Elements(solve(&position, options).nodes));
            let name = format!("{sfen}{}", if shortest { ", shortest" } else { "" });
            group.bench_function(name, |b| b.iter(|| solve(&position, options)));
        }
    }
    group.finish();
}

fn shogi(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("mate/shogi");
    group.sample_size(10);
    let options = Options { hash_bytes: 1 << 30, shortest: false };
    for (name, sfen) in SHOGI {
        let position = position::<Shogi>(sfen);
        let answer = solve(&position, options);
        assert_eq!(answer.status, Status::Mate, "{name}");
        group.throughput(Throughput::Elements(answer.nodes));
        group.bench_function(name, |b| b.iter(|| solve(&position, options)));
    }
    group.finish();
}

criterion_group!(benches, minishogi, shogi);
criterion_main!(benches);
