//! A player of one variant, behind a trait that does not depend on the variant.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use shogi_core::clock::Instant;
use shogi_core::{Faults, Move, Position};
use shogi_learn::FileError;
use shogi_rules::{
    Dialect, Game, Outcome, PlayError, Reason, RepetitionRule, Rules, SfenError, UsiError,
    parse_sfen, parse_usi, to_usi_in,
};
use shogi_solve::Budget;
use shogi_solve::mate::{self, Status};

use super::command::{Go, Mate, Setup};
use super::opening;
use super::options::Options;
use crate::evaluation::Evaluation;
use crate::known::KnownValues;
use crate::limits::{Clock, Control, Limits};
use crate::player::{Action, Player, Report, Settings};
use crate::score::Score;

/// The time of a search whose `go` has no limit that binds the player to move.
pub(super) const FALLBACK: Duration = Duration::from_secs(1);

/// A player at a board.
pub(super) trait Seat: Send {
    /// The name of the variant.
    fn variant(&self) -> &'static str;
    /// Takes over a position. One that is refused leaves none.
    fn set_up(&mut self, setup: &Setup) -> Result<(), SetupError>;
    /// Forgets the last game.
    fn forget(&mut self);
    /// Makes the player for the options, which may take memory and time; tells what the user may want to know.
    fn prepare(&mut self, options: &Options) -> Result<Option<String>, FileError>;
    /// Searches, the command having come in when it was `heard`, and returns the line to be answered; `send` is
    /// called with the lines before it.
    fn think(
        &mut self,
        go: &Go,
        heard: Instant,
        options: &Options,
        max_nodes: u64,
        control: &Control,
        send: &mut dyn FnMut(&str),
    ) -> String;
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
    seat: fn() -> Box<dyn Seat>,
}

impl Offer {
    /// The variant with these rules.
    pub const fn of<R: Rules>() -> Self {
        Self { name: R::NAME, seat: || Box::new(Place::<R>::new(None)) }
    }

    /// The variant with these rules, with the values in the directory that `TablebasePath` names.
    pub const fn with_tablebases<R: Rules, K: KnownValues<R> + 'static>() -> Self {
        Self {
            name: R::NAME,
            seat: || Box::new(Place::<R>::new(Some(|path| Arc::new(K::in_directory(path))))),
        }
    }

    /// The name by which it is asked for: [`Rules::NAME`].
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// A seat at its board, at its start.
    pub(super) fn seat(self) -> Box<dyn Seat> {
        (self.seat)()
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

/// A seat at the board of a variant.
struct Place<R: Rules> {
    game: Option<Game<R>>,
    player: Option<Player<R, Evaluation<R>>>,
    /// What the player was made with: the name of an evaluation, a file that is used instead with what
    /// the output is divided by, and the directory of tablebases.
    made_with: MadeWith,
    /// Opens the tablebases in a directory.
    tablebases: Option<OpenTablebases<R>>,
    /// Those of the player.
    known: Option<Arc<dyn KnownValues<R>>>,
    /// Games begun so far.
    games: u64,
    /// What the moves drawn in this game depend on, once one was drawn.
    random: Option<u64>,
}

type MadeWith = (&'static str, Option<PathBuf>, i32, Option<PathBuf>);

fn made_with(options: &Options) -> MadeWith {
    let Options { evaluation, tables, scale, tablebases, .. } = options;
    (*evaluation, tables.clone(), *scale, tablebases.clone())
}

/// Opens the tablebases in a directory.
type OpenTablebases<R> = fn(&Path) -> Arc<dyn KnownValues<R>>;

impl<R: Rules> Place<R> {
    fn new(tablebases: Option<OpenTablebases<R>>) -> Self {
        let made_with = ("", None, 0, None);
        let game = Some(Game::from_start());
        Self { game, player: None, made_with, tablebases, known: None, games: 0, random: None }
    }
}

/// The game of a position and the moves from it.
fn game<R: Rules>(setup: &Setup) -> Result<Game<R>, SetupError> {
    let (placement, _) = parse_sfen::<R>(setup.sfen.as_deref().unwrap_or(R::START))?;
    // Mate problems are set without the attacker's king.
    let start = match Position::new_allowing(placement, Faults::MISSING_KING) {
        Ok(start) => start,
        Err(invalid) => return Err(SetupError::Faults(invalid.faults)),
    };
    let mut game = Game::new(start);
    for (before, text) in setup.moves.iter().enumerate() {
        let number = before + 1;
        let mv = match parse_usi(text) {
            Ok(mv) => mv,
            Err(reason) => return Err(SetupError::Notation { number, text: text.clone(), reason }),
        };
        if is_repetition(game.outcome()) {
            game = without_repetition(&game);
        }
        if let Err(reason) = game.play(mv) {
            return Err(SetupError::Illegal { number, text: text.clone(), reason });
        }
    }
    Ok(game)
}

fn is_repetition(outcome: Option<Outcome>) -> bool {
    outcome.is_some_and(|end| matches!(end.reason, Reason::Repetition | Reason::PerpetualCheck))
}

/// The same game where repetitions end nothing.
fn without_repetition<R: Rules>(game: &Game<R>) -> Game<R> {
    let rule = RepetitionRule { count: 0, ..game.repetition_rule() };
    let mut again = Game::with_rules(game.positions()[0], rule, game.impasse_rule());
    for &mv in game.moves() {
        // It was legal, and only a repetition has ended the game.
        let _ = again.play(mv);
    }
    again
}

impl<R: Rules> Seat for Place<R> {
    fn variant(&self) -> &'static str {
        R::NAME
    }

    fn set_up(&mut self, setup: &Setup) -> Result<(), SetupError> {
        self.game = None;
        self.game = Some(game(setup)?);
        Ok(())
    }

    fn forget(&mut self) {
        self.games += 1;
        self.random = None;
        if let Some(player) = &mut self.player {
            player.clear();
        }
    }

    fn prepare(&mut self, options: &Options) -> Result<Option<String>, FileError> {
        self.player(options).1?;
        Ok(match (&self.known, &self.game) {
            (Some(known), Some(game)) => known.missing(game.position()),
            _ => None,
        })
    }

    fn think(
        &mut self,
        go: &Go,
        heard: Instant,
        options: &Options,
        max_nodes: u64,
        control: &Control,
        send: &mut dyn FnMut(&str),
    ) -> String {
        let Some(game) = self.game.clone() else {
            send("info string error: there is no position, the last one was refused");
            let answer = if go.mate.is_some() { "checkmate timeout" } else { "bestmove resign" };
            return answer.to_owned();
        };
        let dialect = options.dialect.unwrap_or(R::DIALECT);
        if let Some(time) = go.mate {
            return answer_mate(&game, time, options.settings, max_nodes, control, dialect);
        }
        if let Some(end) = game.outcome() {
            let won = end.winner() == Some(game.position().side());
            send(&format!("info string the game is over: {end}"));
            return if won { "bestmove win" } else { "bestmove resign" }.to_owned();
        }
        let lines = options.settings.lines;
        let is_opening = options.opening.covers(game.moves().len());
        let random = *self.random.get_or_insert_with(|| options.opening.random(self.games));
        let (player, loaded) = self.player(options);
        if let Err(error) = loaded {
            send(&format!("info string error: {error}"));
        }
        player.set_lines(if is_opening { lines.max(opening::LINES) } else { lines });
        // The clock has run since `go` came in: on a busy machine, or with files to read, for some time.
        let waited = heard.elapsed();
        let mut limits = limits(go, game.position().side().index(), options.overhead, waited);
        if max_nodes < u64::MAX {
            limits.nodes = Some(limits.nodes.map_or(max_nodes, |nodes| nodes.min(max_nodes)));
        }
        let mut found: Vec<Report<R>> = Vec::new();
        let mut choice = player.think(&game, &limits, control, |report| {
            if report.line_number <= lines {
                send(&info(report, lines > 1, game.position(), dialect));
            }
            if is_opening {
                match found.get_mut(report.line_number - 1) {
                    Some(line) => line.clone_from(report),
                    None => found.push(report.clone()),
                }
            }
        });
        let drawn = options.opening.draw(&found, choice.score, game.position(), random);
        if let Some(report) = drawn {
            send(&info(report, lines > 1, game.position(), dialect));
            choice.score = report.score;
            choice = choice.with_line(report.line.clone());
        }
        match choice.action {
            Action::Declare => "bestmove win".to_owned(),
            Action::Resign => "bestmove resign".to_owned(),
            Action::Play(_) if choice.score.order() <= -options.resign => {
                "bestmove resign".to_owned()
            }
            Action::Play(mv) => {
                let mut line = vec![mv];
                if let Some(reply) = choice.ponder {
                    line.push(reply);
                }
                let moves = usi(game.position(), &line, dialect);
                format!("bestmove {}", moves.join(" ponder "))
            }
        }
    }
}

impl<R: Rules> Place<R> {
    /// The player for the options, and whether its tables could be read; if not, it has
    /// the variant's own evaluation.
    fn player(
        &mut self,
        options: &Options,
    ) -> (&mut Player<R, Evaluation<R>>, Result<(), FileError>) {
        let mut loaded = Ok(());
        let made_with = made_with(options);
        let same = |player: &Player<_, _>| {
            self.made_with == made_with && is_like(player.settings(), &options.settings)
        };
        let player = match self.player.take().filter(same) {
            Some(player) => player,
            None => {
                // Not every variant has tables of its own.
                let named = Evaluation::named(options.evaluation);
                let mut evaluation = named.unwrap_or_else(Evaluation::standard);
                if let Some(path) = &options.tables {
                    match Evaluation::load(path) {
                        Ok(tables) => evaluation = tables.with_scale(options.scale),
                        Err(error) => loaded = Err(error),
                    }
                }
                self.made_with = made_with;
                let player = Player::new(evaluation, options.settings);
                self.known = match (&options.tablebases, self.tablebases) {
                    (Some(path), Some(open)) => Some(open(path)),
                    _ => None,
                };
                match &self.known {
                    Some(known) => player.with_known_values(Arc::clone(known)),
                    None => player,
                }
            }
        };
        (self.player.insert(player), loaded)
    }
}

/// Whether settings are the same but for the number of lines.
fn is_like(settings: &Settings, other: &Settings) -> bool {
    Settings { lines: other.lines, ..*settings } == *other
}

/// The limits of a search that begins `waited` after `go`.
fn limits(go: &Go, side: usize, overhead: Duration, waited: Duration) -> Limits {
    if go.infinite {
        return Limits::default();
    }
    let overhead = kept_back(go, side, overhead) + waited;
    let increment = go.increment[side];
    let timed = go.remaining[side].is_some() || go.byoyomi.is_some() || increment > Duration::ZERO;
    let clock = timed.then(|| Clock {
        remaining: go.remaining[side].unwrap_or_default(),
        increment,
        byoyomi: go.byoyomi.unwrap_or_default(),
        moves: go.moves_to_go,
        overhead,
    });
    // The other player's clock alone sets no limit.
    let unlimited = clock.is_none() && go.nodes.is_none() && go.depth.is_none();
    let fallback = (go.has_clock() && unlimited).then_some(FALLBACK);
    let move_time = go.move_time.or(fallback);
    let move_time =
        move_time.map(|time| time.saturating_sub(overhead).max(Duration::from_millis(1)));
    Limits { depth: go.depth, nodes: go.nodes, move_time, clock }
}

/// The time kept back for the transmission of a move: the overhead, unless it is the usual one and every
/// move has the same short time, of which it would be a large part.
fn kept_back(go: &Go, side: usize, overhead: Duration) -> Duration {
    /// The part of a fixed time, and the least, since a search stops about a millisecond too late.
    const PART: u32 = 32;
    const LEAST: Duration = Duration::from_millis(2);
    let usual = Clock::default().overhead;
    if overhead != usual {
        return overhead;
    }
    let counted = go.remaining[side].is_some_and(|left| !left.is_zero());
    let fixed = go.move_time.or(go.byoyomi).filter(|_| !counted && go.increment[side].is_zero());
    fixed.map_or(usual, |time| (time / PART).clamp(LEAST, usual))
}

/// A report as a line.
fn info<R: Rules>(
    report: &Report<R>,
    numbered: bool,
    position: &Position<R>,
    dialect: Dialect,
) -> String {
    let Report { depth, selective_depth, line_number, score, nodes, time, hashfull, .. } = *report;
    let line_number = numbered.then_some(line_number);
    let moves = usi(position, &report.line, dialect);
    Info { depth, selective_depth, line_number, score, nodes, time, hashfull, moves }.to_string()
}

/// What a line says of a search.
struct Info {
    depth: u32,
    selective_depth: u32,
    /// The number of the line of play, if several are looked for.
    line_number: Option<usize>,
    score: Score,
    nodes: u64,
    time: Duration,
    hashfull: u32,
    moves: Vec<String>,
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { depth, selective_depth, nodes, time, hashfull, .. } = self;
        write!(f, "info depth {depth} seldepth {selective_depth}")?;
        if let Some(number) = self.line_number {
            write!(f, " multipv {number}")?;
        }
        match self.score {
            Score::Value(value) => write!(f, " score cp {value}")?,
            Score::WinIn(plies) => write!(f, " score mate {plies}")?,
            Score::LossIn(plies) => write!(f, " score mate -{plies}")?,
        }
        let nodes_per_second = *nodes as f64 / time.as_secs_f64().max(1e-6);
        write!(f, " nodes {nodes} nps {nodes_per_second:.0}")?;
        write!(f, " time {} hashfull {hashfull} pv", time.as_millis())?;
        self.moves.iter().try_for_each(|mv| write!(f, " {mv}"))
    }
}

/// A line of moves in USI notation.
fn usi<R: Rules>(position: &Position<R>, line: &[Move<R>], dialect: Dialect) -> Vec<String> {
    let mut position = *position;
    let mut moves = Vec::new();
    for &mv in line {
        moves.push(to_usi_in(mv, &position, dialect));
        position = position.play(mv);
    }
    moves
}

/// The budget of a search for a mate.
fn budget(time: Mate, max_nodes: u64, control: &Control) -> Budget<'_> {
    let budget = Budget::nodes(max_nodes).stopped_by(control.flag());
    match time {
        Mate::Within(time) => budget.time(time),
        Mate::Infinite => budget,
    }
}

/// The answer to `go mate`.
fn answer_mate<R: Rules>(
    game: &Game<R>,
    time: Mate,
    settings: Settings,
    max_nodes: u64,
    control: &Control,
    dialect: Dialect,
) -> String {
    if game.outcome().is_some() {
        return "checkmate nomate".to_owned();
    }
    let mut budget = budget(time, max_nodes, control);
    let options = mate::Options { hash_bytes: settings.hash_bytes, shortest: false };
    let answer = mate::MateSolver::new(options).solve(game.position(), &mut budget);
    match answer.status {
        Status::NoMate => "checkmate nomate".to_owned(),
        Status::Mate if !answer.line.is_empty() => {
            format!("checkmate {}", usi(game.position(), &answer.line, dialect).join(" "))
        }
        Status::Mate | Status::Unknown => "checkmate timeout".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usi::command::parse_go;

    const MS: Duration = Duration::from_millis(1);

    fn limits_of(line: &str, overhead: Duration) -> Limits {
        let (go, mistake) = parse_go(line);
        assert_eq!(mistake, None);
        limits(&go, 0, overhead, MS)
    }

    #[test]
    fn little_of_a_short_fixed_time_is_kept_back_unless_another_overhead_is_set() {
        let fixed = |milliseconds, overhead| {
            let searched = limits_of(&format!("go movetime {milliseconds}"), overhead).move_time;
            for clock in ["", "btime 0 wtime 0 "] {
                let line = format!("go {clock}byoyomi {milliseconds}");
                let clock = limits_of(&line, overhead).clock.unwrap();
                assert_eq!(Some(clock.byoyomi - clock.overhead), searched, "{line}");
            }
            searched.unwrap()
        };
        assert_eq!(fixed(3200, 10 * MS), 3189 * MS);
        assert_eq!(fixed(96, 10 * MS), 92 * MS);
        assert_eq!(fixed(20, 10 * MS), 17 * MS);
        assert_eq!(fixed(96, 20 * MS), 75 * MS);
        assert_eq!(fixed(96, Duration::ZERO), 95 * MS);
    }

    #[test]
    fn a_clock_that_is_used_up_move_by_move_keeps_the_usual_overhead() {
        for line in ["go btime 100 wtime 0 byoyomi 96", "go btime 0 wtime 0 binc 96", "go btime 96"]
        {
            assert_eq!(limits_of(line, 10 * MS).clock.unwrap().overhead, 11 * MS, "{line}");
        }
    }
}
