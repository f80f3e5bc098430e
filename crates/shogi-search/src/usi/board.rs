//! A player of one variant at its board, behind a trait that does not depend on the variant.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use shogi_core::{Colour, Faults, Position};
use shogi_eval::FileError;
use shogi_rules::{
    Dialect, EnteringKingRule, Game, Outcome, PlayError, Rules, SfenError, UsiError, parse_sfen,
    parse_usi, to_usi_in,
};
use shogi_solve::Budget;
use shogi_solve::mate::{self, Status};

use super::command::Setup;
use super::options::Options;
use crate::deepening::Finding;
use crate::evaluation::Evaluation;
use crate::known::KnownValues;
use crate::limits::{Control, Limits};
use crate::packed::{packed, unpack};
use crate::player::{Player, Settings};
use crate::think::Chosen;

/// A player at a board. Moves are packed.
pub(super) trait Board: Send {
    /// The name of the variant.
    fn variant(&self) -> &'static str;
    /// The dialect that is written unless another is asked for.
    fn dialect(&self) -> Dialect;
    /// Takes over a position, in a game by this rule if the variant has any of the kind. One that is
    /// refused leaves none.
    fn set_up(&mut self, setup: &Setup, entering_king: EnteringKingRule) -> Result<(), SetupError>;
    /// The position, if there is one.
    fn state(&self) -> Option<State>;
    /// Plays on where that is possible, see [`Game::play_on`]; whether the game goes on.
    fn play_on(&mut self) -> bool;
    /// Moves of a line of play in USI notation.
    fn usi(&self, line: &[u16], dialect: Dialect) -> Vec<String>;
    /// The settings of the player, once there is one.
    fn settings(&self) -> Option<&Settings>;
    /// Makes the player for the options; where its tables cannot be read, with the variant's own evaluation.
    fn make_player(&mut self, options: &Options) -> Result<(), FileError>;
    /// Why the player knows no values of positions like this one, if it could.
    fn missing_values(&self) -> Option<String>;
    /// The same before a position was set up: why it knows none, whatever the position will be.
    fn unusable_values(&self) -> Option<String>;
    /// What has gone wrong with known values since the last call.
    fn faults_of_values(&self) -> Vec<String>;
    /// Has the player forget the last game.
    fn clear(&mut self);
    /// Has the player think about the position and look for so many lines, each of which is reported with its moves in
    /// USI notation.
    fn choose(
        &mut self,
        lines: usize,
        limits: &Limits,
        control: &Control,
        dialect: Dialect,
        report: &mut dyn FnMut(&Finding<'_>, Vec<String>),
    ) -> Chosen;
    /// Searches the position for a mate by checks, with a table of so many bytes, and gives the line to it.
    fn mate(&self, hash_bytes: usize, budget: &mut Budget<'_>) -> (Status, Vec<u16>);
}

/// What is known of a position by the rules.
pub(super) struct State {
    pub(super) key: u64,
    pub(super) side: Colour,
    /// Moves since the position that was set up.
    pub(super) plies: usize,
    pub(super) outcome: Option<Outcome>,
}

/// A variant that an engine can play, whichever of them it is asked for while it runs.
///
/// ```
/// use shogi_rules::{Dobutsu, Minishogi};
/// use shogi_search::usi::{Config, Offer};
/// const OFFERS: &[Offer] = &[Offer::of::<Dobutsu>(), Offer::of::<Minishogi>()];
/// let config = Config::new(OFFERS, OFFERS[1]);
/// assert_eq!(OFFERS[1].name(), "minishogi");
/// ```
#[derive(Clone, Copy)]
pub struct Offer {
    name: &'static str,
    board: fn() -> Box<dyn Board>,
}

impl Offer {
    /// The variant with these rules.
    pub const fn of<R: Rules>() -> Self {
        Self { name: R::NAME, board: || Box::new(Place::<R>::new(None)) }
    }

    /// The variant with these rules, with the values in the directory that `TablebasePath` names.
    pub const fn with_tablebases<R: Rules, K: KnownValues<R> + 'static>() -> Self {
        Self {
            name: R::NAME,
            board: || Box::new(Place::<R>::new(Some(|path| Arc::new(K::in_directory(path))))),
        }
    }

    /// The name by which it is asked for: [`Rules::NAME`].
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Its board, at its start.
    pub(super) fn board(self) -> Box<dyn Board> {
        (self.board)()
    }
}

impl fmt::Debug for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Offer").field(&self.name).finish()
    }
}

impl PartialEq for Offer {
    /// Variants are told apart by their names.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Offer {}

/// Why a position is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum SetupError {
    #[error("in the SFEN, {0}")]
    Sfen(#[from] SfenError),
    #[error("the position breaks the rules: {0}")]
    Faults(Faults),
    #[error("move {number}, {text:?}: {reason}")]
    Notation { number: usize, text: String, reason: UsiError },
    #[error("move {number}, {text:?}: {reason}")]
    Illegal { number: usize, text: String, reason: PlayError },
}

/// The board of a variant with its player.
struct Place<R: Rules> {
    game: Option<Game<R>>,
    /// Whether a position was set up, be it one that was refused.
    is_set_up: bool,
    player: Option<Player<R, Evaluation<R>>>,
    /// Opens the tablebases in a directory.
    tablebases: Option<OpenTablebases<R>>,
    /// Those of the player.
    known: Option<Arc<dyn KnownValues<R>>>,
}

/// Opens the tablebases in a directory.
type OpenTablebases<R> = fn(&Path) -> Arc<dyn KnownValues<R>>;

impl<R: Rules> Place<R> {
    fn new(tablebases: Option<OpenTablebases<R>>) -> Self {
        let game = Some(Game::from_start());
        Self { game, is_set_up: false, player: None, tablebases, known: None }
    }
}

impl<R: Rules> Board for Place<R> {
    fn variant(&self) -> &'static str {
        R::name()
    }

    fn dialect(&self) -> Dialect {
        R::DIALECT
    }

    fn set_up(&mut self, setup: &Setup, entering_king: EnteringKingRule) -> Result<(), SetupError> {
        (self.game, self.is_set_up) = (None, true);
        self.game = Some(game(setup, entering_king)?);
        Ok(())
    }

    fn play_on(&mut self) -> bool {
        self.game.as_mut().is_some_and(Game::play_on)
    }

    fn state(&self) -> Option<State> {
        let game = self.game.as_ref()?;
        let (position, plies) = (game.position(), game.moves().len());
        let (key, side) = (position.key(), position.side());
        Some(State { key, side, plies, outcome: game.outcome() })
    }

    fn usi(&self, line: &[u16], dialect: Dialect) -> Vec<String> {
        let Some(game) = &self.game else { return Vec::new() };
        usi(game.position(), line, dialect)
    }

    fn settings(&self) -> Option<&Settings> {
        Some(self.player.as_ref()?.settings())
    }

    fn make_player(&mut self, options: &Options) -> Result<(), FileError> {
        self.player = None;
        let mut loaded = Ok(());
        // Not every variant has tables of its own.
        let named = Evaluation::named(options.evaluation);
        let mut evaluation = named.unwrap_or_else(Evaluation::standard);
        if let Some(path) = &options.tables {
            match Evaluation::load(path) {
                Ok(tables) => evaluation = tables.with_scale(options.scale),
                Err(error) => loaded = Err(error),
            }
        }
        let mut player = Player::new(evaluation, options.settings);
        self.known = None;
        if let (Some(path), Some(open)) = (&options.tablebases, self.tablebases) {
            let known = open(path);
            player = player.with_known_values(Arc::clone(&known));
            self.known = Some(known);
        }
        self.player = Some(player);
        loaded
    }

    fn missing_values(&self) -> Option<String> {
        self.known.as_ref()?.missing(self.game.as_ref()?.position())
    }

    fn unusable_values(&self) -> Option<String> {
        if self.is_set_up { self.missing_values() } else { self.known.as_ref()?.unusable() }
    }

    fn faults_of_values(&self) -> Vec<String> {
        self.known.as_ref().map_or_else(Vec::new, |known| known.take_faults())
    }

    fn clear(&mut self) {
        if let Some(player) = &mut self.player {
            player.clear();
        }
    }

    fn choose(
        &mut self,
        lines: usize,
        limits: &Limits,
        control: &Control,
        dialect: Dialect,
        report: &mut dyn FnMut(&Finding<'_>, Vec<String>),
    ) -> Chosen {
        let (Some(game), Some(player)) = (&self.game, &mut self.player) else {
            return Chosen::nothing();
        };
        player.set_lines(lines);
        player.choose(game, limits, control, &mut |found| {
            report(found, usi(game.position(), found.line, dialect));
        })
    }

    fn mate(&self, hash_bytes: usize, budget: &mut Budget<'_>) -> (Status, Vec<u16>) {
        let Some(game) = &self.game else { return (Status::Unknown, Vec::new()) };
        let options = mate::Options { hash_bytes, shortest: false };
        let answer = mate::MateSolver::new(options).solve(game.position(), budget);
        (answer.status, packed(&answer.line))
    }
}

/// A line of moves in USI notation.
fn usi<R: Rules>(position: &Position<R>, line: &[u16], dialect: Dialect) -> Vec<String> {
    let mut position = *position;
    let mut moves = Vec::new();
    for &packed in line {
        let Some(mv) = unpack(packed) else { break };
        moves.push(to_usi_in(mv, &position, dialect));
        position = position.play(mv);
    }
    moves
}

/// The game of a position and the moves from it, by this rule if the variant has any of the kind.
fn game<R: Rules>(setup: &Setup, entering_king: EnteringKingRule) -> Result<Game<R>, SetupError> {
    let (placement, _) = parse_sfen::<R>(setup.sfen.as_deref().unwrap_or(R::start_sfen()))?;
    // Mate problems are set without the attacker's king.
    let start = match Position::new_problem(placement) {
        Ok(start) => start,
        Err(invalid) => return Err(SetupError::Faults(invalid.faults)),
    };
    let entering_king = if R::impasse().is_some() { entering_king } else { EnteringKingRule::None };
    let mut game = Game::with_rules(start, R::repetition(), entering_king);
    play_all(&setup.moves, &mut |text| {
        let mv = parse_usi(text).map_err(Refusal::Notation)?;
        // The other side plays by another rule, or has agreed to go on.
        game.play_on();
        game.play(mv).map(drop).map_err(Refusal::Illegal)
    })?;
    Ok(game)
}

/// Why a move is refused.
enum Refusal {
    Notation(UsiError),
    Illegal(PlayError),
}

/// Plays moves until one is refused.
fn play_all(
    moves: &[String],
    play: &mut dyn FnMut(&str) -> Result<(), Refusal>,
) -> Result<(), SetupError> {
    for (before, text) in moves.iter().enumerate() {
        let number = before + 1;
        match play(text) {
            Ok(()) => {}
            Err(Refusal::Notation(reason)) => {
                return Err(SetupError::Notation { number, text: text.clone(), reason });
            }
            Err(Refusal::Illegal(reason)) => {
                return Err(SetupError::Illegal { number, text: text.clone(), reason });
            }
        }
    }
    Ok(())
}
