//! A game that a person plays against the player, of any variant.

use std::fmt;
use std::string::{String, ToString as _};
use std::vec;
use std::vec::Vec;

use shogi_records::{
    End, Ending, Format, Record, Recorded, TypedMoveError, WriteError, read_move, to_japanese,
    to_western,
};
use shogi_rules::shogi_core::{Colour, Geometry as _, Move, Position, RuleTable as _, Square};
use shogi_rules::{
    Dialect, Game, GameOver, ImpasseError, Outcome, PlayError, Reason, to_sfen_numbered, to_usi_in,
};
use shogi_search::{
    Action, Control, Evaluation, Evaluator as _, Level, Limits, Player, Score, Term,
};

#[cfg(feature = "learn")]
use crate::operations::read_position;
use crate::operations::{Diagram, read_game};
use crate::variant::{call, held, of_each_rule_set};
use crate::{Error, RuleSet, Variant};

of_each_rule_set!(Plays of Play);

/// A game that a person plays against the player, of any variant: [`Variant::play`].
pub struct AnyPlay {
    variant: Variant,
    held: Plays,
}

impl AnyPlay {
    /// The position on the board.
    pub fn diagram(&self, dialect: Option<Dialect>) -> Diagram {
        held!(self, &self.held, Plays<R>(play) => {
            let dialect = dialect.unwrap_or(R::dialect());
            Diagram::numbered(play.game.position(), dialect, play.game.move_number())
        })
    }

    /// The column from the left and the rank from the top, counted from 0, of the square that was moved to last.
    pub fn last_target(&self) -> Option<(usize, usize)> {
        held!(self, &self.held, Plays<R>(play) => play.last_target())
    }

    /// The player to move.
    pub fn side(&self) -> Colour {
        held!(self, &self.held, Plays<R>(play) => play.game.position().side())
    }

    /// Whether the player to move is in check.
    pub fn is_check(&self) -> bool {
        held!(self, &self.held, Plays<R>(play) => play.game.position().is_check())
    }

    /// The start in SFEN.
    pub fn start(&self, dialect: Option<Dialect>) -> String {
        held!(self, &self.held, Plays<R>(play) => {
            let start = &play.game.positions()[0];
            to_sfen_numbered(start, dialect.unwrap_or(R::dialect()), play.game.first_number())
        })
    }

    /// The moves in USI notation.
    pub fn moves(&self, dialect: Option<Dialect>) -> Vec<String> {
        held!(self, &self.held, Plays<R>(play) => {
            let dialect = dialect.unwrap_or(R::dialect());
            let made = play.game.positions().iter().zip(play.game.moves());
            made.map(|(position, &mv)| to_usi_in(mv, position, dialect)).collect()
        })
    }

    /// The end of the game, if it is over.
    pub fn end(&self) -> Option<GameEnd> {
        held!(self, &self.held, Plays<R>(play) => play.end())
    }

    /// The legal moves, sorted in USI notation; none at an end.
    pub fn legal_moves(&self, dialect: Option<Dialect>) -> Vec<PlayedMove> {
        held!(self, &self.held, Plays<R>(play) => play.legal_moves(dialect))
    }

    /// Plays a move as it was typed, after so many seconds, if there is a clock.
    ///
    /// # Errors
    ///
    /// Where it is no move, may be several or is illegal; the game stays as it is.
    pub fn play(&mut self, typed: &str, seconds: Option<u32>) -> Result<PlayedMove, RefusedMove> {
        held!(self, &mut self.held, Plays<R>(play) => play.play(typed, seconds))
    }

    /// Lets the player choose for the side to move, within its level and `limits` besides. The choice is the same for the
    /// same game, level and seed where no limit is one of time.
    pub fn choose(
        &mut self,
        level: Level,
        seed: u64,
        limits: &Limits,
        control: &Control,
    ) -> Choice {
        held!(self, &mut self.held, Plays<R>(play) => play.choose(level, seed, limits, control))
    }

    /// The best action of the player here, within so many nodes.
    pub fn hint(&mut self, nodes: u64, control: &Control) -> Hint {
        held!(self, &mut self.held, Plays<R>(play) => play.hint(nodes, control))
    }

    /// The terms of the player's evaluation of the position.
    pub fn explain(&self) -> Vec<Term> {
        held!(self, &self.held, Plays<R>(play) => {
            play.player.evaluator().explain(play.game.position())
        })
    }

    /// Takes back what ended the game off the board, else the last move. Whether there was anything.
    pub fn undo(&mut self) -> bool {
        held!(self, &mut self.held, Plays<R>(play) => play.undo())
    }

    /// Ends the game by a resignation.
    ///
    /// # Errors
    ///
    /// If it is over.
    pub fn resign(&mut self, by: Colour) -> Result<(), GameOver> {
        held!(self, &mut self.held, Plays<R>(play) => play.game.resign(by).map(drop))
    }

    /// Ends the game by a declaration of the player to move, who loses if it fails.
    ///
    /// # Errors
    ///
    /// If it is over or has no impasse rule.
    pub fn declare(&mut self) -> Result<(), ImpasseError> {
        held!(self, &mut self.held, Plays<R>(play) => play.game.declare().map(drop))
    }

    /// Ends the game: a player has run out of time.
    pub fn run_out_of_time(&mut self, by: Colour) {
        held!(self, &mut self.held, Plays<R>(play) => {
            play.ended = Some((Ending { by: Some(by), ..End::TimeUp.into() }, Some(!by)));
        });
    }

    /// The seconds of each player so far, as far as they are known.
    pub fn seconds(&self) -> [u32; 2] {
        held!(self, &self.held, Plays<R>(play) => play.seconds())
    }

    /// The notices on the header of the record that the game was resumed from.
    pub fn header(&self, name: &str) -> Option<&str> {
        held!(self, &self.held, Plays<R>(play) => {
            let found = play.headers.iter().find(|(key, _)| key == name);
            found.map(|(_, value)| value.as_str())
        })
    }

    /// Sets a header of the record.
    pub fn set_header(&mut self, name: &str, value: &str) {
        held!(self, &mut self.held, Plays<R>(play) => play.set_header(name, value))
    }

    /// The record in KIF; a game that goes on is one that was broken off (中断).
    ///
    /// # Errors
    ///
    /// Where KIF has no squares for the board.
    pub fn kif(&self) -> Result<String, WriteError> {
        held!(self, &self.held, Plays<R>(play) => Format::Kif.write(&play.record()))
    }
}

/// A move in all notations.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PlayedMove {
    /// As programs send it.
    pub usi: String,
    /// As books in the west print it.
    pub western: String,
    /// As books in Japan print it.
    pub japanese: String,
}

impl PlayedMove {
    /// A legal move behind one with this target.
    fn of<R: RuleSet>(
        position: &Position<R>,
        mv: Move<R>,
        last: Option<Square<R::Geometry>>,
        dialect: Dialect,
    ) -> Self {
        Self {
            usi: to_usi_in(mv, position, dialect),
            western: to_western(position, mv),
            japanese: to_japanese(position, mv, last),
        }
    }
}

/// Why a move is not played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RefusedMove {
    /// The game is over.
    Over(GameEnd),
    /// The text is no move here.
    Typed(TypedMoveError),
    /// The move is against the rules.
    Illegal(PlayError),
}

impl fmt::Display for RefusedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Over(end) => write!(f, "the game is over: {end}"),
            Self::Typed(error) => error.fmt(f),
            Self::Illegal(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RefusedMove {}

/// The action of the player, for [`AnyPlay::choose`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// It has made a move.
    Played(PlayedMove),
    /// It has declared.
    Declared,
    /// It has resigned, or had nothing to play.
    Resigned,
}

/// A hint of the player, for [`AnyPlay::hint`].
#[derive(Clone, PartialEq, Debug)]
pub struct Hint {
    /// The line that it expects, beginning with its move; empty where it would declare or resign.
    pub line: Vec<PlayedMove>,
    /// Whether it would declare.
    pub declares: bool,
    /// How good the position is for the player to move.
    pub score: Score,
}

/// How a game has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameEnd {
    /// Who has won, if anybody.
    pub winner: Option<Colour>,
    /// By which rule or event, such as `checkmate` or `time`.
    pub why: String,
    /// The end in a sentence without its full stop.
    pub sentence: String,
}

impl fmt::Display for GameEnd {
    /// Writes who has won and why.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl GameEnd {
    fn of_outcome(outcome: Outcome, to_move: Colour) -> Self {
        let winner = outcome.winner();
        let reason = match (outcome.reason, winner) {
            (Reason::Checkmate, Some(winner)) => std::format!("{} is checkmated", !winner),
            (Reason::Stalemate, _) => std::format!("{to_move} has no legal move"),
            (Reason::LionCaptured, Some(winner)) => {
                std::format!("the king of {} was captured", !winner)
            }
            (Reason::Try, Some(winner)) => std::format!("the king of {winner} has come home"),
            (Reason::Repetition, _) => "the position has come up too often".into(),
            (Reason::PerpetualCheck, Some(winner)) => {
                std::format!("{} repeated the position by nothing but checks", !winner)
            }
            (Reason::Declaration, Some(winner)) => {
                std::format!("{winner} declared with an entered king")
            }
            (Reason::FailedDeclaration, Some(winner)) => {
                std::format!("{} declared, and a condition failed", !winner)
            }
            (Reason::Resignation, Some(winner)) => std::format!("{} resigned", !winner),
            (reason, _) => reason.to_string(),
        };
        let sentence = std::format!("{outcome}: {reason}");
        Self { winner, why: outcome.reason.to_string(), sentence }
    }

    /// An end that only a clock or a record knows.
    fn of_ending<R: Recorded>(ending: &Ending<R>, winner: Option<Colour>) -> Self {
        let why = String::from(ending.end.how());
        let who =
            winner.map_or_else(|| "nobody wins".into(), |winner| std::format!("{winner} wins"));
        let reason = match (&ending.end, winner) {
            (End::TimeUp, Some(winner)) => std::format!("{} has run out of time", !winner),
            (end, _) => end.word().into(),
        };
        Self { winner, sentence: std::format!("{who} ({why}): {reason}"), why }
    }
}

impl Variant {
    /// A game from a position against the player at a level; moves behind the position are the beginning of the game.
    ///
    /// ```
    /// use shogi_variants::Variant;
    /// use shogi_variants::play::Choice;
    /// use shogi_variants::search::{Control, Level, Limits};
    /// let level = Level::new(3).unwrap();
    /// let mut game = Variant::Dobutsu.play("startpos", level)?;
    /// assert_eq!(game.play("Px2b", None).unwrap().usi, "2c2b");
    /// assert!(game.play("2c2b", None).is_err());
    /// let choice = game.choose(level, 1, &Limits::default(), &Control::new());
    /// assert!(matches!(choice, Choice::Played(_)));
    /// assert!(game.kif()?.starts_with("手合割：どうぶつしょうぎ\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position.
    pub fn play(self, start: &str, level: Level) -> Result<AnyPlay, Error> {
        let held = call!(self, R => begin::<R>(start, level).map(Plays::from));
        Ok(AnyPlay { variant: self, held: held? })
    }

    /// Resumes a game of which a record is given, in any format.
    ///
    /// # Errors
    ///
    /// If the text is no record of the variant.
    pub fn resume_play(self, record: &str, level: Level) -> Result<AnyPlay, Error> {
        let held = call!(self, R => resume::<R>(record, level).map(Plays::from));
        Ok(AnyPlay { variant: self, held: held? })
    }

    /// The score of the first of two levels in so many pairs of games from a position: see
    /// [`play_levels`](shogi_learn::levels::play_levels).
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position.
    #[cfg(feature = "learn")]
    pub fn play_levels(
        self,
        start: &str,
        levels: [Level; 2],
        pairs: u32,
        seed: u64,
        each: &mut dyn FnMut(&shogi_learn::arena::MatchScore) -> core::ops::ControlFlow<()>,
    ) -> Result<shogi_learn::arena::MatchScore, Error> {
        call!(self, R => {
            let (start, evaluation) = (read_position::<R>(start)?, Evaluation::<R>::standard());
            Ok(shogi_learn::levels::play_levels(&start, &evaluation, levels, pairs, seed, each))
        })
    }
}

fn begin<R: RuleSet>(start: &str, level: Level) -> Result<Play<R>, Error> {
    let game = read_game::<R>(start)?;
    // A game is read from a problem without one king, too, which nobody plays.
    Position::<R>::new(*game.positions()[0].placement())?;
    let seconds = vec![None; game.moves().len()];
    Ok(Play { seconds, ..Play::new(game, level) })
}

fn resume<R: RuleSet>(record: &str, level: Level) -> Result<Play<R>, Error> {
    let format = Format::detect(record).unwrap_or(Format::Kif);
    Ok(Play::of_record(&format.parse(record)?, level))
}

/// A game with its player.
pub(crate) struct Play<R: RuleSet> {
    game: Game<R>,
    player: Player<R, Evaluation<R>>,
    /// Of each move.
    seconds: Vec<Option<u32>>,
    headers: Vec<(String, String)>,
    /// An end that the rules do not know.
    ended: Option<(Ending<R>, Option<Colour>)>,
}

impl<R: RuleSet> Play<R> {
    fn new(game: Game<R>, level: Level) -> Self {
        let player = Player::new(Evaluation::standard(), level.settings());
        Self { game, player, seconds: Vec::new(), headers: Vec::new(), ended: None }
    }

    fn of_record(record: &Record<R>, level: Level) -> Self {
        let mut game = Game::new(*record.start()).numbered_from(record.first_number);
        let mut seconds = Vec::new();
        for one in record.moves() {
            // As other programs have it, a game may go on after a repetition.
            game.play_on();
            // The record has checked its moves.
            if game.play(one.mv()).is_err() {
                break;
            }
            seconds.push(one.seconds);
        }
        let mut play = Self { seconds, headers: record.headers.clone(), ..Self::new(game, level) };
        let ending = record.ending().filter(|_| play.game.outcome().is_none());
        match ending.map(|ending| (&ending.end, ending.by)) {
            None | Some((End::Interruption | End::SealedMove, _)) => {}
            Some((End::Resignation, Some(by))) => drop(play.game.resign(by)),
            Some((End::Declaration, Some(by))) if by == play.game.position().side() => {
                let _ = play.game.declare();
            }
            Some(_) => play.ended = ending.map(|ending| (ending.clone(), record.winner())),
        }
        play
    }

    fn last(&self) -> Option<Square<R::Geometry>> {
        self.game.moves().last().map(|mv| mv.to())
    }

    /// Makes a move, which may be illegal.
    fn make(&mut self, mv: Move<R>, seconds: Option<u32>) -> Result<PlayedMove, PlayError> {
        let (position, last) = (*self.game.position(), self.last());
        self.game.play(mv)?;
        self.seconds.push(seconds);
        Ok(PlayedMove::of(&position, mv, last, R::dialect()))
    }

    /// A line from the position in all notations.
    fn line(&self, line: &[Move<R>]) -> Vec<PlayedMove> {
        let (mut position, mut last) = (*self.game.position(), self.last());
        let mut written = Vec::new();
        for &mv in line {
            written.push(PlayedMove::of(&position, mv, last, R::dialect()));
            position = position.play_unchecked(mv);
            last = Some(mv.to());
        }
        written
    }

    /// The record so far.
    fn record(&self) -> Record<R> {
        let mut record = Record::from(&self.game);
        record.headers.clone_from(&self.headers);
        for (mv, seconds) in record.moves_mut().zip(&self.seconds) {
            mv.seconds = *seconds;
        }
        match &self.ended {
            Some((ending, _)) => record.end(ending.clone()),
            None if self.game.outcome().is_none() => record.end(End::Interruption),
            None => {}
        }
        record
    }

    fn last_target(&self) -> Option<(usize, usize)> {
        let target = self.last()?;
        let column = R::Geometry::width() - target.file();
        Some((column.into(), target.rank().into()))
    }

    fn end(&self) -> Option<GameEnd> {
        let by_rule =
            self.game.outcome().map(|end| GameEnd::of_outcome(end, self.game.position().side()));
        by_rule
            .or_else(|| self.ended.as_ref().map(|(end, winner)| GameEnd::of_ending(end, *winner)))
    }

    fn legal_moves(&self, dialect: Option<Dialect>) -> Vec<PlayedMove> {
        let (position, dialect) = (self.game.position(), dialect.unwrap_or(R::dialect()));
        let mut moves = Vec::new();
        if self.end().is_none() {
            for mv in position.legal_moves() {
                moves.push(PlayedMove::of(position, mv, self.last(), dialect));
            }
        }
        moves.sort();
        moves
    }

    fn play(&mut self, typed: &str, seconds: Option<u32>) -> Result<PlayedMove, RefusedMove> {
        if let Some(end) = self.end() {
            return Err(RefusedMove::Over(end));
        }
        let mv = read_move(self.game.position(), self.last(), typed);
        self.make(mv.map_err(RefusedMove::Typed)?, seconds).map_err(RefusedMove::Illegal)
    }

    fn choose(&mut self, level: Level, seed: u64, limits: &Limits, control: &Control) -> Choice {
        let best = self.player.think_at(level, seed, &self.game, limits, control);
        let seconds = limits.clock.map(|_| best.time.as_secs() as u32);
        let side = self.game.position().side();
        match best.action {
            Action::Play(mv) => match self.make(mv, seconds) {
                Ok(played) => return Choice::Played(played),
                Err(_) => drop(self.game.resign(side)),
            },
            Action::Declare if self.game.declare().is_ok() => return Choice::Declared,
            Action::Declare | Action::Resign => drop(self.game.resign(side)),
        }
        Choice::Resigned
    }

    fn hint(&mut self, nodes: u64, control: &Control) -> Hint {
        let best = self.player.think(&self.game, &Limits::nodes(nodes), control, |_| {});
        let declares = best.action == Action::Declare;
        Hint { line: self.line(&best.line), declares, score: best.score }
    }

    fn undo(&mut self) -> bool {
        let undone = self.ended.take().is_some() || self.game.undo().is_some();
        self.seconds.truncate(self.game.moves().len());
        undone
    }

    fn seconds(&self) -> [u32; 2] {
        let mut seconds = [0; 2];
        for (position, spent) in self.game.positions().iter().zip(&self.seconds) {
            seconds[position.side().index()] += spent.unwrap_or(0);
        }
        seconds
    }

    fn set_header(&mut self, name: &str, value: &str) {
        match self.headers.iter_mut().find(|(key, _)| key == name) {
            Some((_, found)) => *found = value.into(),
            None => self.headers.push((name.into(), value.into())),
        }
    }
}
