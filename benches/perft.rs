//! Move generation: perft beside the rivals, all in one run.
//!
//! `bulk` counts the last ply, `playing` plays every move with its key. haitaka and rsshogi know
//! standard shogi only. Fairy-Stockfish is run as a process where it is installed (Debian's package
//! fairy-stockfish) and times itself.

use std::hint::black_box;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Instant;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use shogi_core::{Position, perft, perft_playing};
use shogi_rules::{Dobutsu, KyotoShogi, Minishogi, Rules, Shogi, parse_position};

/// A middle-game position with much in hand, from facts on perft that several programs share.
const HEAVY: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";

fn group<'a, R: Rules>(
    criterion: &'a mut Criterion,
    name: &str,
    sfen: &str,
    depth: u8,
) -> BenchmarkGroup<'a, WallTime> {
    let start: Position<R> = match parse_position(sfen) {
        Ok(start) => start,
        Err(error) => panic!("{sfen}: {error}"),
    };
    let mut group = criterion.benchmark_group(format!("perft/{} {name} depth {depth}", R::NAME));
    group.sample_size(10);
    group.throughput(Throughput::Elements(perft(&start, depth)));
    group.bench_function("bulk", |b| b.iter(|| perft(black_box(&start), depth)));
    group.bench_function("playing", |b| b.iter(|| perft_playing(black_box(&start), depth)));
    group
}

fn small_boards(criterion: &mut Criterion) {
    group::<Minishogi>(criterion, "start", Minishogi::START, 6).finish();
    fairy_stockfish("minishogi", 7);
    group::<KyotoShogi>(criterion, "start", KyotoShogi::START, 6).finish();
    fairy_stockfish("kyotoshogi", 7);
    group::<Dobutsu>(criterion, "start", Dobutsu::START, 8).finish();
    fairy_stockfish("dobutsu", 8);
}

fn shogi(criterion: &mut Criterion) {
    for (name, sfen, depth) in [("start", Shogi::START, 5), ("heavy", HEAVY, 3)] {
        let mut group = group::<Shogi>(criterion, name, sfen, depth);
        let Ok(board) = haitaka::Board::from_sfen(sfen) else { panic!("haitaka reads {sfen}") };
        group.bench_function("bulk, haitaka", |b| {
            b.iter(|| haitaka_bulk(black_box(&board), depth));
        });
        group.bench_function("playing, haitaka", |b| {
            b.iter(|| haitaka_playing(black_box(&board), depth));
        });
        let Ok(position) = rsshogi::board::position_from_sfen(sfen) else {
            panic!("rsshogi reads {sfen}")
        };
        group.bench_function("bulk, rsshogi", |b| {
            b.iter(|| rsshogi::board::perft::perft(black_box(&position), depth));
        });
        group.finish();
    }
}

fn haitaka_bulk(board: &haitaka::Board, depth: u8) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.into_iter().len() as u64;
        } else {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                nodes += haitaka_bulk(&next, depth - 1);
            }
        }
        false
    });
    nodes
}

fn haitaka_playing(board: &haitaka::Board, depth: u8) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    board.generate_moves(|moves| {
        for mv in moves {
            let mut next = board.clone();
            next.play_unchecked(mv);
            nodes += haitaka_playing(&next, depth - 1);
        }
        false
    });
    nodes
}

/// Prints Fairy-Stockfish's speed in bulk perft, its start-up and a shallow perft taken off.
fn fairy_stockfish(variant: &str, depth: u32) {
    let programs = ["fairy-stockfish", "/usr/games/fairy-stockfish"];
    let run = |depth: u32| {
        let started = Instant::now();
        let mut child = programs.iter().find_map(|program| {
            let mut command = Command::new(program);
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()
        })?;
        let script = format!(
            "setoption name UCI_Variant value {variant}\nposition startpos\ngo perft {depth}\nquit\n"
        );
        child.stdin.take()?.write_all(script.as_bytes()).ok()?;
        let output = String::from_utf8(child.wait_with_output().ok()?.stdout).ok()?;
        let nodes = output.lines().find_map(|line| line.strip_prefix("Nodes searched: "))?;
        Some((nodes.trim().parse::<f64>().ok()?, started.elapsed().as_secs_f64()))
    };
    match (run(depth), run(1)) {
        (Some((nodes, seconds)), Some((_, start_up))) => {
            let speed = nodes / (seconds - start_up) / 1e6;
            println!("perft/{variant} start depth {depth}/Fairy-Stockfish: {speed:.1} Melem/s");
        }
        _ => println!("Fairy-Stockfish is not installed: no comparison for {variant}"),
    }
}

criterion_group!(benches, small_boards, shogi);
criterion_main!(benches);
