//! Games of an evaluation against itself, each of which depends on nothing but the seed and its
//! number.

use std::ops::ControlFlow;

use rand::RngExt as _;
use rand::seq::{IndexedRandom as _, SliceRandom as _};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;
use shogi_core::{Colour, Move, Placement, Position};
use shogi_rules::{Game, Rules, Verdict};

use crate::linear::Linear;
use crate::train::Settings;

/// What follows the seed in the key of the generator, so that no other use of the same seed draws
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

/// The moves of a game, what is learnt from it, and its winner, if it had one.
pub(crate) struct Played<R: Rules> {
    /// All moves.
    pub(crate) moves: Vec<Move<R>>,
    /// The positions from which a move was chosen.
    pub(crate) positions: Vec<Placement<R>>,
    pub(crate) winner: Option<Colour>,
}

/// Plays game number `game` of a generation: some random moves first, then moves that look two
/// plies ahead and now and then a random one. Where the moves are known already from an earlier run,
/// they are played instead.
pub(crate) fn play<R: Rules>(
    start: &Position<R>,
    evaluation: &Linear<R>,
    settings: &Settings,
    (generation, game): (u32, u32),
    known: Option<&[Move<R>]>,
) -> Played<R> {
    let stream = (u64::from(generation & i32::MAX as u32) << 32) | u64::from(game);
    let mut random = generator(settings.seed, stream);
    let opening = random.random_range(0..=settings.opening);
    let mut game = Game::new(*start);
    let mut positions = Vec::new();
    for ply in 0..settings.plies {
        if game.outcome().is_some() {
            break;
        }
        let position = *game.position();
        let mut choose = || {
            let random_move =
                ply < opening || random.random_range(0..1000) < settings.random_per_mille;
            if random_move {
                position.legal_moves().choose(&mut random).copied()
            } else {
                choose(&position, evaluation, &mut random)
            }
        };
        let choice = match known {
            Some(moves) => moves.get(ply as usize).copied(),
            None => choose(),
        };
        // A game that goes on has a legal move, and only such moves are chosen.
        let Some(mv) = choice else { break };
        if ply >= opening {
            positions.push(*position.placement());
        }
        if game.play(mv).is_err() {
            break;
        }
    }
    Played {
        moves: game.moves().to_vec(),
        positions,
        winner: game.outcome().and_then(|outcome| outcome.winner()),
    }
}

/// A position from game number `game` of an evaluation against itself, each of the game's positions with
/// equal chances, and a player to prove a win for: three times in four the one whom the evaluation takes
/// for the winner. `None` if the game has no position.
///
/// Games are those of [`Training`](crate::Training) with these settings, and `generation` and `game`
/// number them; the same numbers always give the same position.
pub fn sample_position<R: Rules>(
    start: &Position<R>,
    evaluation: &Linear<R>,
    settings: &Settings,
    (generation, game): (u32, u32),
) -> Option<(Position<R>, Colour)> {
    let played = play(start, evaluation, settings, (generation, game), None);
    let stream = (7 << 61) | (u64::from(generation & 0xff_ffff) << 32) | u64::from(game);
    let mut random = generator(settings.seed, stream);
    let placement = played.positions.choose(&mut random)?;
    let mover_leads = evaluation.logit(placement) >= 0.0;
    let leader = if mover_leads { placement.side() } else { !placement.side() };
    let prover = if random.random_range(0..4) > 0 { leader } else { !leader };
    Some((Position::new(*placement).ok()?, prover))
}

/// The move with the best value two plies ahead; among equal ones any, with equal chances.
fn choose<R: Rules>(
    position: &Position<R>,
    evaluation: &Linear<R>,
    random: &mut ChaCha8Rng,
) -> Option<Move<R>> {
    let mut moves: Vec<(Value, Move<R>, Position<R>)> = Vec::with_capacity(64);
    // The closure never breaks.
    let _ = position.generate_dyn(&mut |batch| {
        position.play_batch(batch, |mv, next| {
            moves.push((value(next, evaluation), mv, *next));
            ControlFlow::Continue(())
        })
    });
    moves.shuffle(random);
    // The likely best first, so that the others are seen through by their first good reply.
    moves.sort_by(|a, b| a.0.value.total_cmp(&b.0.value));
    let mut best: Option<(f32, Move<R>)> = None;
    for (now, mv, next) in moves {
        let least = best.map_or(f32::NEG_INFINITY, |(value, _)| value);
        let value = if now.ended { -now.value } else { after_replies(&next, evaluation, least) };
        if value > least {
            best = Some((value, mv));
        }
        if value >= WON {
            break;
        }
    }
    best.map(|(_, mv)| mv)
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

/// What a position is worth to its player.
struct Value {
    value: f32,
    /// Whether the game has ended with this value; else it is an evaluation.
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
