//! Games of an evaluation against itself, each of which depends only on the seed and its number.

use std::ops::{ControlFlow, Range};

use rand::RngExt as _;
use rand::seq::{IndexedRandom as _, SliceRandom as _};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;
use shogi_core::{Colour, Move, Placement, Position};
use shogi_eval::{Linear, TrainingSettings};
use shogi_rules::{Game, Rules, Verdict, parse_usi, to_usi};

use super::regression::Samples;
use crate::self_play::verdict;

/// The part of the generator's key after the seed, so that no other use of the same seed draws
/// the same numbers.
const DOMAIN: [u8; 24] = *b"shogi-solve self-play 01";

/// The value of a won game, above every logit.
const WON: f32 = 1e6;

/// The generator of a use of the seed: streams from 2^63 on are not those of games.
pub(crate) fn generator(seed: u64, stream: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..].copy_from_slice(&DOMAIN);
    let mut generator = ChaCha8Rng::from_seed(key);
    generator.set_stream(stream);
    generator
}

/// The moves of a game, in the form of files, and its samples.
pub(crate) struct Played {
    pub(crate) moves: String,
    /// The positions in which a move was chosen, with the results for their players.
    pub(crate) samples: Samples,
}

/// Plays a game of a generation and scores its positions; see [`play_game`].
pub(crate) fn play<R: Rules>(
    start: &Position<R>,
    evaluation: &Linear<R>,
    settings: &TrainingSettings,
    number: (u32, u32),
    known: Option<&str>,
) -> Played {
    let (game, chosen) = play_game(start, evaluation, settings, number, known);
    let winner = game.outcome().and_then(|outcome| outcome.winner());
    let mut samples = Samples::default();
    for position in &game.positions()[chosen] {
        samples.push(position, verdict(winner, position.side()).points());
    }
    Played { moves: to_text(game.moves()), samples }
}

/// Moves in the form of files.
pub(crate) fn to_text<R: Rules>(moves: &[Move<R>]) -> String {
    let mut text = String::new();
    for &mv in moves {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&to_usi(mv));
    }
    text
}

/// Plays game number `number` of a generation: some random moves first, then moves that look two plies
/// ahead and now and then a random one. Moves known from an earlier run are played instead. Returns the
/// game and the numbers of the positions in which a move was chosen.
fn play_game<R: Rules>(
    start: &Position<R>,
    evaluation: &Linear<R>,
    settings: &TrainingSettings,
    (generation, number): (u32, u32),
    known: Option<&str>,
) -> (Game<R>, Range<usize>) {
    let stream = (u64::from(generation & i32::MAX as u32) << 32) | u64::from(number);
    let mut random = generator(settings.seed, stream);
    let opening = random.random_range(0..=settings.opening);
    let mut known = known.map(str::split_ascii_whitespace);
    let mut game = Game::new(*start);
    let mut chosen = 0;
    for ply in 0..settings.plies {
        if game.outcome().is_some() {
            break;
        }
        let position = game.position();
        let mv = match &mut known {
            Some(moves) => moves.next().and_then(|usi| parse_usi(usi).ok()),
            None if ply < opening || random.random_range(0..1000) < settings.random_per_mille => {
                let moves = position.legal_moves();
                one_of(moves.len(), &mut random).map(|number| moves[number])
            }
            None => choose(position, evaluation, &mut random),
        };
        // A game that goes on has a legal move, and only such moves are chosen.
        let Some(mv) = mv else { break };
        chosen = ply as usize + 1;
        if game.play(mv).is_err() {
            break;
        }
    }
    (game, chosen.min(opening as usize)..chosen)
}

/// A random number below `count`, if `count` is not 0.
fn one_of(count: usize, random: &mut ChaCha8Rng) -> Option<usize> {
    let numbers: Vec<usize> = (0..count).collect();
    numbers.choose(random).copied()
}

/// A position from game number `game` of an evaluation against itself, drawn uniformly, and a player whose
/// win is to be proved: three times in four the one whom the evaluation favours. `None` if the game has no
/// position.
///
/// Games are those of [`Training`](super::Training) with these settings, and `generation` and `game`
/// number them; the same numbers always give the same position.
pub fn sample_position<R: Rules>(
    start: &Position<R>,
    evaluation: &Linear<R>,
    settings: &TrainingSettings,
    (generation, game): (u32, u32),
) -> Option<(Position<R>, Colour)> {
    let (played, chosen) = play_game(start, evaluation, settings, (generation, game), None);
    let mut random = generator(settings.seed, sample_stream(generation, game));
    let position = &played.positions()[chosen.start + one_of(chosen.len(), &mut random)?];
    let prover = drawn_prover(position.side(), evaluation.logit(position), &mut random);
    Some((Position::new(*position.placement()).ok()?, prover))
}

/// The stream of random numbers for the sample of a game.
fn sample_stream(generation: u32, game: u32) -> u64 {
    (7 << 61) | (u64::from(generation & 0xff_ffff) << 32) | u64::from(game)
}

/// Three times in four the player who leads, where the player to move wins with this logit.
fn drawn_prover(mover: Colour, logit: f32, random: &mut ChaCha8Rng) -> Colour {
    let leader = if logit >= 0.0 { mover } else { !mover };
    if random.random_range(0..4) > 0 { leader } else { !leader }
}

/// The move with the best value two plies ahead; among equal ones any, with equal chances.
fn choose<R: Rules>(
    position: &Position<R>,
    evaluation: &Linear<R>,
    random: &mut ChaCha8Rng,
) -> Option<Move<R>> {
    let mut values = Vec::with_capacity(64);
    let mut moves: Vec<(Move<R>, Position<R>)> = Vec::with_capacity(64);
    // The closure never breaks.
    let _ = position.generate_dyn(&mut |batch| {
        position.play_batch(batch, |mv, next| {
            values.push(value(next, evaluation));
            moves.push((mv, *next));
            ControlFlow::Continue(())
        })
    });
    // The likely best first, so that the others are seen through by their first good reply.
    let (mut best, mut least) = (None, f32::NEG_INFINITY);
    for number in shuffled_and_sorted(&values, random) {
        let (now, (mv, next)) = (&values[number], &moves[number]);
        let value = if now.ended { -now.value } else { after_replies(next, evaluation, least) };
        if value > least {
            (best, least) = (Some(*mv), value);
        }
        if value >= WON {
            break;
        }
    }
    best
}

/// The numbers of values in rising order; equal ones in random order.
fn shuffled_and_sorted(values: &[Value], random: &mut ChaCha8Rng) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..values.len()).collect();
    numbers.shuffle(random);
    numbers.sort_by(|&a, &b| values[a].value.total_cmp(&values[b].value));
    numbers
}

/// The value for the other player of a position with its player's best reply; only a bound where it
/// is not above `least`.
fn after_replies<R: Rules>(position: &Position<R>, evaluation: &Linear<R>, least: f32) -> f32 {
    let mut worst = f32::INFINITY;
    let _ = position.generate_dyn(&mut |batch| {
        position.play_batch(batch, |_, next| {
            worst = worst.min(value(next, evaluation).value);
            if worst > least { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })
    });
    worst
}

/// The value of a position for its player.
struct Value {
    value: f32,
    /// Whether the game has ended with this value; otherwise it is an evaluation.
    ended: bool,
}

fn value<R: Rules>(placement: &Placement<R>, evaluation: &Linear<R>) -> Value {
    let ended = |value| Value { value, ended: true };
    match R::verdict(placement) {
        Some(Verdict::Win) => ended(WON),
        Some(Verdict::Loss) => ended(-WON),
        Some(Verdict::Draw) => ended(0.0),
        None => Value { value: evaluation.logit(placement), ended: false },
    }
}
