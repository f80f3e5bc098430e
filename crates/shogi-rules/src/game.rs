//! A game: a start position, the moves made from it, and its end.

use alloc::vec;
use alloc::vec::Vec;

use shogi_core::{Colour, IllegalMove, Move, MoveList, Position, RuleTable, Violations};

use crate::entering_king::EnteringKingRule;
use crate::impasse::{Declaration, ImpasseRule, odds, points};
use crate::outcome::{GameResult, Outcome, Reason};
use crate::repetition::{Occurrences, RepetitionRule};
use crate::rules::Rules;

/// A game with its history, on which repetition and perpetual check depend.
///
/// ```
/// use shogi_rules::shogi_core::Colour;
/// use shogi_rules::{Game, Minishogi, Reason, parse_usi};
/// let mut game = Game::<Minishogi>::from_start();
/// // The start position comes up for the fourth time after three such rounds.
/// for usi in ["1e1d", "5a5b", "1d1e", "5b5a"].repeat(3) {
///     game.play(parse_usi(usi)?)?;
/// }
/// let outcome = game.outcome().unwrap();
/// assert_eq!((outcome.winner(), outcome.reason), (Some(Colour::Gote), Reason::Repetition));
///
/// game.undo();
/// assert_eq!((game.outcome(), game.moves().len()), (None, 11));
/// assert_eq!(game.resign(Colour::Gote)?.to_string(), "Sente wins (resignation)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Game<R: Rules> {
    /// The start position and the position after each move: one more than there are moves.
    positions: Vec<Position<R>>,
    occurrences: Occurrences,
    moves: Vec<Move<R>>,
    /// The number of the first move. Positions do not hold move numbers: repeated positions must be equal, and
    /// searches, which copy positions all the time, have no use for the numbers.
    first_number: u32,
    repetition: RepetitionRule,
    entering_king: EnteringKingRule,
    outcome: Option<Outcome>,
}

/// The error for a move after the end of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the game is over: {0}")]
pub struct GameOver(pub Outcome);

/// Why a move cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayError {
    /// The game has ended.
    #[error(transparent)]
    Over(#[from] GameOver),
    /// The rules that the move breaks.
    #[error("illegal move: {0}")]
    Illegal(Violations),
}

impl<R: RuleTable> From<IllegalMove<R>> for PlayError {
    fn from(illegal: IllegalMove<R>) -> Self {
        Self::Illegal(illegal.broken)
    }
}

/// The move or end that [`Game::undo`] took back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Undone<R: RuleTable> {
    /// The last move.
    Move(Move<R>),
    /// An end off the board: no move was taken back.
    End(Outcome),
}

impl<R: RuleTable> Undone<R> {
    /// The move, if one was taken back.
    pub const fn mv(self) -> Option<Move<R>> {
        match self {
            Self::Move(mv) => Some(mv),
            Self::End(_) => None,
        }
    }
}

/// Why a game cannot end by points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImpasseError {
    /// The game has ended.
    #[error(transparent)]
    Over(#[from] GameOver),
    /// The game is played without an impasse rule.
    #[error("there is no impasse rule in this game")]
    NoRule,
}

impl<R: Rules> Default for Game<R> {
    /// [`Game::from_start`].
    fn default() -> Self {
        Self::from_start()
    }
}

impl<R: Rules> Game<R> {
    /// A game from a position, by the variant's own rules. Earlier positions are not known and do not count as
    /// repetitions.
    pub fn new(start: Position<R>) -> Self {
        Self::with_rules(start, R::repetition(), R::impasse())
    }

    /// A game from the variant's start position.
    ///
    /// # Panics
    ///
    /// As [`Rules::start`].
    pub fn from_start() -> Self {
        Self::new(R::start())
    }

    /// A game from a position, by other rules on repetition and on kings that enter the enemy camp. With an
    /// [`ImpasseRule`] in place of an [`EnteringKingRule`], odds count.
    pub fn with_rules(
        start: Position<R>,
        repetition: RepetitionRule,
        entering_king: impl Into<EnteringKingRule>,
    ) -> Self {
        let (positions, moves) = (vec![start], Vec::new());
        let entering_king = entering_king.into();
        let mut occurrences = Occurrences::default();
        occurrences.push(&positions);
        let mut game = Self {
            positions,
            occurrences,
            moves,
            first_number: 1,
            repetition,
            entering_king,
            outcome: None,
        };
        game.outcome = game.judge();
        game
    }

    /// Sets the number of the first move, as SFEN gives it; 0 counts as 1.
    ///
    /// ```
    /// use shogi_rules::{Game, Minishogi, parse_usi};
    /// let mut game = Game::<Minishogi>::from_start().numbered_from(7);
    /// game.play(parse_usi("5d5c")?)?;
    /// assert_eq!((game.first_number(), game.move_number()), (7, 8));
    /// let text = "position sfen rbsgk/4p/5/P4/KGSBR b - 7 moves 5d5c";
    /// assert_eq!(game.to_string(), text);
    /// assert_eq!(text.parse::<Game<Minishogi>>()?, game);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn numbered_from(mut self, number: u32) -> Self {
        self.first_number = number.max(1);
        self
    }

    /// The number of the first move: 1, or the number in the SFEN of the start position.
    pub const fn first_number(&self) -> u32 {
        self.first_number
    }

    /// The number of the next move.
    pub fn move_number(&self) -> u32 {
        let moves = u32::try_from(self.moves.len()).unwrap_or(u32::MAX);
        self.first_number.saturating_add(moves)
    }

    /// The current position.
    pub fn position(&self) -> &Position<R> {
        &self.positions[self.moves.len()]
    }

    /// The start position and the one after each move.
    pub fn positions(&self) -> &[Position<R>] {
        &self.positions
    }

    /// The moves made so far.
    pub fn moves(&self) -> &[Move<R>] {
        &self.moves
    }

    /// How many times the current position has occurred so far, this time included.
    pub fn repetitions(&self) -> usize {
        self.occurrences.last().map_or(0, |occurrence| occurrence.count)
    }

    /// The end of the game, if it is over.
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The game's rule on repetition.
    pub const fn repetition_rule(&self) -> RepetitionRule {
        self.repetition
    }

    /// The game's rule on kings that enter the enemy camp.
    pub const fn entering_king_rule(&self) -> EnteringKingRule {
        self.entering_king
    }

    /// The rule on impasse, if the game has one.
    pub const fn impasse_rule(&self) -> Option<ImpasseRule> {
        match self.entering_king {
            EnteringKingRule::Points { rule, .. } => Some(rule),
            EnteringKingRule::None | EnteringKingRule::Try => None,
        }
    }

    /// Plays a move. Returns the outcome if it ends the game.
    ///
    /// # Errors
    ///
    /// If the game is over or the move is illegal. The game is then unchanged.
    pub fn play(&mut self, mv: Move<R>) -> Result<Option<Outcome>, PlayError> {
        self.check_ongoing()?;
        let next = self.position().play(mv)?;
        self.positions.push(next);
        self.occurrences.push(&self.positions);
        self.moves.push(mv);
        self.outcome = self.judge();
        Ok(self.outcome)
    }

    /// Plays a move as a referee would: a player who makes an illegal move loses at once. The illegal move is
    /// not added to [`Game::moves`].
    ///
    /// Japan Shogi Association, playing regulations (taikyoku kitei), article 8, paragraph 1.
    ///
    /// # Errors
    ///
    /// If the game is over.
    ///
    /// ```
    /// use shogi_rules::{Game, Shogi, parse_usi};
    /// let mut game = Game::<Shogi>::from_start();
    /// game.play(parse_usi("7g7f")?)?;
    /// let outcome = game.play_as_ruled(parse_usi("2b7g+")?)?.unwrap();
    /// assert_eq!(outcome.to_string(), "Sente wins (illegal move: the piece cannot go there)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play_as_ruled(&mut self, mv: Move<R>) -> Result<Option<Outcome>, GameOver> {
        let mover = self.position().side();
        match self.play(mv) {
            Ok(outcome) => Ok(outcome),
            Err(PlayError::Over(over)) => Err(over),
            Err(PlayError::Illegal(broken)) => {
                self.end(Outcome::win(!mover, Reason::IllegalMove(broken))).map(Some)
            }
        }
    }

    /// Ends the game by the resignation of either player.
    ///
    /// # Errors
    ///
    /// If the game is over.
    pub fn resign(&mut self, colour: Colour) -> Result<Outcome, GameOver> {
        self.end(Outcome::win(!colour, Reason::Resignation))
    }

    /// The points of all pieces of a player, on the board and in hand, as counted when the players agree on
    /// impasse.
    ///
    /// Pieces that Gote gave as odds count for Gote, unless the game's rule excludes odds.
    pub fn points(&self, colour: Colour) -> u32 {
        points(self.position(), colour) + self.odds(colour)
    }

    /// Ends the game by the players' agreement on impasse.
    ///
    /// The players judge whether no mate is in sight; this function only counts.
    ///
    /// # Errors
    ///
    /// If the game is over or has no impasse rule.
    pub fn agree_impasse(&mut self) -> Result<Outcome, ImpasseError> {
        self.check_ongoing()?;
        let rule = self.impasse_rule().ok_or(ImpasseError::NoRule)?;
        Ok(self.end(rule.agreed(Colour::ALL.map(|colour| self.points(colour))))?)
    }

    /// The facts that would decide a declaration by the player to move.
    pub fn declaration(&self) -> Declaration {
        if self.counts_odds() {
            Declaration::counting_odds(self.position())
        } else {
            Declaration::new(self.position())
        }
    }

    /// Whether the player to move wins by a declaration now.
    ///
    /// ```
    /// use shogi_rules::{Game, Shogi, parse_position};
    /// let entered = "+R+R+B+BK4/PPPPPP3/9/9/9/9/9/9/8k b 4G4S4N4L12P 1";
    /// let mut game = Game::<Shogi>::new(parse_position(entered)?);
    /// assert!(game.may_declare());
    /// assert_eq!(game.declare()?.to_string(), "Sente wins (declaration)");
    /// assert!(!game.may_declare());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn may_declare(&self) -> bool {
        let Some(rule) = self.impasse_rule().filter(|_| self.outcome.is_none()) else {
            return false;
        };
        rule.declared(&self.declaration()).result == GameResult::Win(self.position().side())
    }

    /// Ends the game by a declaration of the player to move, who loses if a condition fails.
    ///
    /// # Errors
    ///
    /// If the game is over or has no impasse rule.
    pub fn declare(&mut self) -> Result<Outcome, ImpasseError> {
        self.check_ongoing()?;
        let rule = self.impasse_rule().ok_or(ImpasseError::NoRule)?;
        Ok(self.end(rule.declared(&self.declaration()))?)
    }

    /// Continues a game that ended by an optional rule: a repetition, or a king's try by
    /// [`EnteringKingRule::Try`]. The rule that ended the game is dropped for the rest of it. Returns whether
    /// the game continues; other ends on the board, such as a mate, stay.
    ///
    /// ```
    /// use shogi_rules::{Game, Shogi, parse_usi};
    /// let mut game = Game::<Shogi>::from_start();
    /// for usi in ["2h3h", "8b7b", "3h2h", "7b8b"].repeat(3) {
    ///     game.play(parse_usi(usi)?)?;
    /// }
    /// assert_eq!(game.outcome().map(|end| end.to_string()), Some("no result (repetition)".into()));
    /// assert!(game.play_on());
    /// assert_eq!(game.play(parse_usi("2h3h")?), Ok(None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play_on(&mut self) -> bool {
        match self.outcome.map(|end| end.reason) {
            Some(Reason::Repetition | Reason::PerpetualCheck) => self.repetition.count = 0,
            Some(Reason::Try) => self.entering_king = EnteringKingRule::None,
            Some(_) => return false,
            None => return true,
        }
        self.outcome = self.judge();
        self.outcome.is_none()
    }

    /// The moves that the player to move may make: the legal ones, and none once the game has ended.
    ///
    /// ```
    /// use shogi_rules::shogi_core::Colour;
    /// use shogi_rules::{Game, Minishogi};
    /// let mut game = Game::<Minishogi>::default();
    /// assert_eq!(game.legal_moves().len(), 14);
    /// game.resign(Colour::Sente)?;
    /// assert!(game.legal_moves().is_empty());
    /// # Ok::<(), shogi_rules::GameOver>(())
    /// ```
    pub fn legal_moves(&self) -> MoveList<R> {
        match self.outcome {
            Some(_) => MoveList::new(),
            None => self.position().legal_moves(),
        }
    }

    /// Takes back an end off the board (a ruling, a declaration, an agreement, a resignation), else the last
    /// move. Returns what was taken back, and `None` if nothing is left.
    ///
    /// ```
    /// use shogi_rules::shogi_core::Colour;
    /// use shogi_rules::{Game, Minishogi, Undone};
    /// let mut game = Game::<Minishogi>::default();
    /// let mv = "5d5c".parse()?;
    /// game.play(mv)?;
    /// let end = game.resign(Colour::Gote)?;
    /// assert_eq!(game.undo(), Some(Undone::End(end)));
    /// assert_eq!(game.undo(), Some(Undone::Move(mv)));
    /// assert_eq!(game.undo(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn undo(&mut self) -> Option<Undone<R>> {
        let undone = match self.outcome.filter(|outcome| !outcome.reason.is_on_the_board()) {
            Some(end) => Undone::End(end),
            None => Undone::Move(self.moves.pop()?),
        };
        // After its end a game accepts neither moves nor rulings, so it was open before.
        self.outcome = None;
        if self.positions.len() > self.moves.len() + 1 {
            self.occurrences.pop(&self.positions);
            self.positions.pop();
        }
        Some(undone)
    }

    const fn check_ongoing(&self) -> Result<(), GameOver> {
        match self.outcome {
            Some(outcome) => Err(GameOver(outcome)),
            None => Ok(()),
        }
    }

    fn end(&mut self, outcome: Outcome) -> Result<Outcome, GameOver> {
        self.check_ongoing()?;
        self.outcome = Some(outcome);
        Ok(outcome)
    }

    /// The end of the game that the board and its history decide, if any.
    fn judge(&self) -> Option<Outcome> {
        let by_try = || self.judge_try();
        R::ending(self.position())
            .or_else(by_try)
            .or_else(|| self.repetition.judge(&self.positions, self.occurrences.last()?))
    }

    /// A win by the try of the king that was just moved: a legal move leaves it unattacked.
    fn judge_try(&self) -> Option<Outcome> {
        if self.entering_king != EnteringKingRule::Try {
            return None;
        }
        let (position, mover) = (self.position(), !self.position().side());
        let goal = self.entering_king.try_squares::<R>()[mover.index()];
        let has_tried = (position.royals() & position.of(mover)).meets(goal);
        has_tried.then(|| Outcome::win(mover, Reason::Try))
    }

    const fn counts_odds(&self) -> bool {
        matches!(self.entering_king, EnteringKingRule::Points { odds: true, .. })
    }

    /// The points of the pieces that this player gave as odds, 0 if the game does not count them: see
    /// [`EnteringKingRule`].
    pub fn odds(&self, colour: Colour) -> u32 {
        if self.counts_odds() { odds(self.position(), colour) } else { 0 }
    }
}
