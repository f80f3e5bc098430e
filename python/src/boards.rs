//! Many games of a variant side by side, of which all are stepped at once.

use pyo3::prelude::*;
use shogi_variants::core::{Colour, Move};
use shogi_variants::rules::threads::map;
use shogi_variants::rules::{Game, to_sfen_numbered};
use shogi_variants::{OfVariant, RuleSet, Visitor};

use crate::error::value_error;
use crate::layout::Layout;
use crate::position::Position;

/// Boards that one thread steps before it looks for others.
const PART: usize = 32;

/// How games begin and end, beside the rules.
#[derive(Clone)]
pub struct Settings {
    pub start: Position,
    pub seed: u64,
    /// Plies after which a game is broken off.
    pub max_plies: u32,
    /// Up to so many random moves begin each game.
    pub random_plies: u32,
}

/// What a step does to a board.
#[derive(Clone, Copy, Default)]
pub struct Step {
    /// 1, 0 or -1 for the player who made the move.
    pub reward: f32,
    /// Whether the game has ended, and another one has begun.
    pub done: bool,
    /// Whether it was broken off.
    pub truncated: bool,
}

/// The game of a board: the number of games before it, and its actions.
pub type Saved = (u64, Vec<u32>);

/// Boards, whose rule set is not known where they are used.
pub trait AnyBoards: Send + Sync {
    fn layout(&self) -> &Layout;
    /// Begins all games anew.
    fn reset(&mut self);
    /// Plays an action on each board. Nothing is played where one of them is not legal.
    fn step(&mut self, actions: &[i64]) -> PyResult<Vec<Step>>;
    /// Writes what the players to move see, over zeros.
    fn observe(&self, planes: &mut [u8], masks: &mut [bool]);
    /// A legal action for each board, drawn uniformly: the same in the same state.
    fn sample(&self) -> Vec<i64>;
    fn sides(&self) -> Vec<Colour>;
    fn plies(&self) -> Vec<u32>;
    /// The position on each board, and the number of its next move, in SFEN.
    fn positions(&self) -> Vec<String>;
    fn save(&self) -> Vec<Saved>;
    /// Plays games that were saved.
    fn restore(&mut self, saved: &[Saved]) -> PyResult<()>;
}

/// One game, with its legal moves by their actions.
struct Board<R: RuleSet> {
    game: Game<R>,
    legal: Vec<(u32, Move<R>)>,
    actions: Vec<u32>,
    /// How many games were played on the board before.
    games: u64,
}

struct Boards<R: RuleSet> {
    settings: Settings,
    layout: Layout,
    boards: Vec<Board<R>>,
}

/// Makes boards.
pub struct New(pub Settings, pub usize);

impl Visitor for New {
    type Output = PyResult<OfVariant<Box<dyn AnyBoards>>>;

    fn visit<R: RuleSet>(self) -> Self::Output {
        let Self(settings, count) = self;
        let layout = Layout::new::<R>();
        let start = Game::<R>::new(*settings.start.typed(settings.start.0.variant())?);
        if let Some(outcome) = start.outcome() {
            return Err(value_error(format!("the game is over at the start: {outcome}")));
        }
        let board =
            || Board { game: start.clone(), legal: Vec::new(), actions: Vec::new(), games: 0 };
        let boards = (0..count).map(|_| board()).collect();
        let mut boards = Boards { settings, layout, boards };
        boards.reset();
        Ok(OfVariant::new(Box::new(boards)))
    }
}

/// A number drawn for a board: the same for the same board, game and ply.
const fn drawn(seed: u64, board: usize, games: u64, ply: u64) -> u64 {
    // SplitMix64 by Steele, Lea and Flood, once for each of the numbers.
    const fn mixed(state: u64) -> u64 {
        let state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let state = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let state = (state ^ (state >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        state ^ (state >> 31)
    }
    mixed(mixed(mixed(mixed(seed) ^ board as u64) ^ games) ^ ply)
}

/// A number below a bound, of a random one.
const fn below(random: u64, bound: u64) -> u64 {
    ((random as u128 * bound as u128) >> 64) as u64
}

impl<R: RuleSet> Board<R> {
    /// Notes the legal moves, in the order of their actions.
    fn look(&mut self, layout: &Layout) {
        let position = self.game.position();
        let side = position.side();
        self.legal.clear();
        for mv in position.placement().legal_moves() {
            if let Some(action) = layout.action(mv, side) {
                self.legal.push((action as u32, mv));
            }
        }
        self.legal.sort_unstable_by_key(|&(action, _)| action);
    }

    fn legal_move(&self, action: i64) -> Option<Move<R>> {
        let action = u32::try_from(action).ok()?;
        let place = self.legal.binary_search_by_key(&action, |&(known, _)| known).ok()?;
        Some(self.legal[place].1)
    }

    /// Plays a legal move.
    fn play(&mut self, action: i64, mv: Move<R>, layout: &Layout) {
        // It is one of the legal moves of a game that goes on.
        if self.game.play(mv).is_ok() {
            self.actions.push(action as u32);
            self.look(layout);
        }
    }

    /// Begins a game, with random moves that do not end it.
    fn begin(&mut self, number: usize, settings: &Settings, layout: &Layout) {
        let seed = settings.seed;
        let first = drawn(seed, number, self.games, u64::MAX);
        let mut plies = below(first, u64::from(settings.random_plies) + 1);
        loop {
            while self.game.undo().is_some() {}
            self.actions.clear();
            self.look(layout);
            for ply in 0..plies {
                let (action, mv) = self.drawn_move(number, seed, ply);
                self.play(action, mv, layout);
                if self.game.outcome().is_some() {
                    break;
                }
            }
            if self.game.outcome().is_none() {
                return;
            }
            // A game that has ended already begins with a move less.
            plies -= 1;
        }
    }

    /// A legal move, drawn uniformly.
    fn drawn_move(&self, number: usize, seed: u64, ply: u64) -> (i64, Move<R>) {
        let random = drawn(seed, number, self.games, ply);
        let (action, mv) = self.legal[below(random, self.legal.len() as u64) as usize];
        (action.into(), mv)
    }

    /// Plays a legal move; begins another game after an end.
    fn step(&mut self, number: usize, action: i64, settings: &Settings, layout: &Layout) -> Step {
        let mover = self.game.position().side();
        let Some(mv) = self.legal_move(action) else { return Step::default() };
        self.play(action, mv, layout);
        let outcome = self.game.outcome();
        let truncated = outcome.is_none() && self.actions.len() >= settings.max_plies as usize;
        let reward = match outcome.and_then(|outcome| outcome.winner()) {
            Some(winner) if winner == mover => 1.0,
            Some(_) => -1.0,
            None => 0.0,
        };
        let done = outcome.is_some() || truncated;
        if done {
            self.games += 1;
            self.begin(number, settings, layout);
        }
        Step { reward, done, truncated }
    }
}

impl<R: RuleSet> AnyBoards for Boards<R> {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn reset(&mut self) {
        let Self { settings, layout, boards } = self;
        let part = |(part, boards): (usize, &mut [Board<R>])| {
            for (number, board) in (part * PART..).zip(boards) {
                board.games = 0;
                board.begin(number, settings, layout);
            }
        };
        map(boards.chunks_mut(PART).enumerate().collect(), &part);
    }

    fn step(&mut self, actions: &[i64]) -> PyResult<Vec<Step>> {
        let mut each = self.boards.iter().zip(actions).enumerate();
        let wrong = each.find(|(_, (board, action))| board.legal_move(**action).is_none());
        if let Some((number, (_, action))) = wrong {
            let message = format!("board {number}: the action {action} is no legal move");
            return Err(value_error(message));
        }
        let mut steps = vec![Step::default(); self.boards.len()];
        let Self { settings, layout, boards } = self;
        let parts = boards.chunks_mut(PART).zip(actions.chunks(PART));
        let parts = parts.zip(steps.chunks_mut(PART)).enumerate();
        map(parts.collect(), &|(part, ((boards, actions), steps))| {
            let each = boards.iter_mut().zip(actions).zip(steps);
            for (number, ((board, &action), step)) in (part * PART..).zip(each) {
                *step = board.step(number, action, settings, layout);
            }
        });
        Ok(steps)
    }

    fn observe(&self, planes: &mut [u8], masks: &mut [bool]) {
        let (entries, actions) = (self.layout.entries(), self.layout.actions());
        let parts = planes.chunks_mut(PART * entries).zip(masks.chunks_mut(PART * actions));
        let parts = parts.zip(self.boards.chunks(PART));
        map(parts.collect(), &|((planes, masks), boards)| {
            let rows = planes.chunks_mut(entries).zip(masks.chunks_mut(actions));
            for ((planes, mask), board) in rows.zip(boards) {
                self.layout.write_planes(board.game.position(), planes);
                for &(action, _) in &board.legal {
                    mask[action as usize] = true;
                }
            }
        });
    }

    fn sample(&self) -> Vec<i64> {
        // Other numbers than those that begin games.
        let seed = !self.settings.seed;
        let each = self.boards.iter().enumerate();
        let drawn = each
            .map(|(number, board)| board.drawn_move(number, seed, board.actions.len() as u64).0);
        drawn.collect()
    }

    fn sides(&self) -> Vec<Colour> {
        self.boards.iter().map(|board| board.game.position().side()).collect()
    }

    fn plies(&self) -> Vec<u32> {
        self.boards.iter().map(|board| board.actions.len() as u32).collect()
    }

    fn positions(&self) -> Vec<String> {
        let boards = self.boards.iter().map(|board| &board.game);
        let sfen =
            |game: &Game<R>| to_sfen_numbered(game.position(), R::dialect(), game.move_number());
        boards.map(sfen).collect()
    }

    fn save(&self) -> Vec<Saved> {
        self.boards.iter().map(|board| (board.games, board.actions.clone())).collect()
    }

    fn restore(&mut self, saved: &[Saved]) -> PyResult<()> {
        let Self { layout, boards, .. } = self;
        for (number, (board, (games, actions))) in boards.iter_mut().zip(saved).enumerate() {
            while board.game.undo().is_some() {}
            board.games = *games;
            board.actions.clear();
            board.look(layout);
            for &action in actions {
                let mv = board.legal_move(action.into()).filter(|_| board.game.outcome().is_none());
                let mv = mv.ok_or_else(|| {
                    value_error(format!("board {number}: the action {action} is no legal move"))
                })?;
                board.play(action.into(), mv, layout);
            }
        }
        Ok(())
    }
}
