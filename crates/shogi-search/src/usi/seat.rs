//! A player at a board: what it keeps from move to move, and how it answers.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use shogi_core::Colour;
use shogi_core::clock::Instant;
use shogi_eval::FileError;
use shogi_rules::{Dialect, EnteringKingRule, Outcome, Verdict};
use shogi_solve::Budget;
use shogi_solve::mate::Status;

use super::board::{Board, Offer, SetupError, State};
use super::command::{Go, Mate, Setup};
use super::opening::{self, Candidate};
use super::options::Options;
use crate::deepening::Finding;
use crate::limits::{Clock, Control, Limits};
use crate::player::Settings;
use crate::score::Score;

/// The time of a search whose `go` has no limit that binds the player to move.
pub(super) const FALLBACK: Duration = Duration::from_secs(1);

/// A player at a board.
pub(super) struct Seat {
    board: Box<dyn Board>,
    /// What the player was made with: the name of an evaluation, a file that is used instead with what
    /// the output is divided by, and the directory of tablebases.
    made_with: MadeWith,
    /// Games begun so far.
    games: u64,
    /// What the moves drawn in this game depend on, once one was drawn.
    random: Option<u64>,
    /// Why the player knows no values, as it was last reported.
    missing: Option<String>,
}

type MadeWith = (&'static str, Option<PathBuf>, i32, Option<PathBuf>);

fn made_with(options: &Options) -> MadeWith {
    let Options { evaluation, tables, scale, tablebases, .. } = options;
    (*evaluation, tables.clone(), *scale, tablebases.clone())
}

impl Seat {
    /// A seat at the board of a variant, at its start.
    pub(super) fn new(variant: Offer) -> Self {
        let made_with = ("", None, 0, None);
        Self { board: variant.board(), made_with, games: 0, random: None, missing: None }
    }

    /// The name of the variant.
    pub(super) fn variant(&self) -> &'static str {
        self.board.variant()
    }

    /// Takes over a position, in a game by this rule. One that is refused leaves none.
    pub(super) fn set_up(
        &mut self,
        setup: &Setup,
        entering_king: EnteringKingRule,
    ) -> Result<(), SetupError> {
        self.board.set_up(setup, entering_king)
    }

    /// Forgets the last game.
    pub(super) fn forget(&mut self) {
        self.games += 1;
        self.random = None;
        self.board.clear();
    }

    /// Makes the player for the options, which may take memory and time; tells what the user may want to know.
    pub(super) fn prepare(&mut self, options: &Options) -> Result<Option<String>, FileError> {
        self.make_player(options)?;
        self.missing = self.board.unusable_values();
        Ok(self.missing.clone())
    }

    /// Reports why the player knows no values of this position, unless that is known already.
    fn report_missing_values(&mut self, send: &mut dyn FnMut(&str)) {
        let missing = self.board.missing_values();
        if let Some(notice) = missing.as_ref().filter(|_| missing != self.missing) {
            send(&format!("info string {notice}"));
        }
        self.missing = missing;
    }

    /// Makes the player for the options, unless it is there. Where its tables cannot be read, it has the variant's own
    /// evaluation.
    fn make_player(&mut self, options: &Options) -> Result<(), FileError> {
        let made_with = made_with(options);
        let is_like = |settings| is_like(settings, &options.settings);
        if self.made_with == made_with && self.board.settings().is_some_and(is_like) {
            return Ok(());
        }
        self.made_with = made_with;
        self.board.make_player(options)
    }

    /// Searches, the command having come in when it was `heard`, and returns the line to be answered; `send` is
    /// called with the lines before it.
    pub(super) fn think(
        &mut self,
        go: &Go,
        heard: Instant,
        options: &Options,
        max_nodes: u64,
        control: &Control,
        send: &mut dyn FnMut(&str),
    ) -> String {
        let Some(State { key, side, plies, outcome }) = self.board.state() else {
            send("info string error: there is no position, the last one was refused");
            let answer = if go.mate.is_some() { "checkmate timeout" } else { "bestmove resign" };
            return answer.to_owned();
        };
        let dialect = options.dialect.unwrap_or(self.board.dialect());
        // Another program may go on where the rules of the variant end the game.
        let is_over = !self.board.play_on();
        if let Some(time) = go.mate {
            if is_over {
                return "checkmate nomate".to_owned();
            }
            let mut budget = budget(time, max_nodes, control);
            return self.answer_mate(options.settings.hash_bytes, &mut budget, dialect);
        }
        if let Some(end) = outcome {
            send(&format!("info string the game is over: {end}"));
            if is_over {
                return answer_at_end(end, side).to_owned();
            }
        }
        let lines = options.settings.lines;
        let is_opening = options.opening.covers(plies);
        let random = *self.random.get_or_insert_with(|| options.opening.random(self.games));
        if let Err(error) = self.make_player(options) {
            send(&format!("info string error: {error}"));
        }
        self.report_missing_values(send);
        let most = if is_opening { lines.max(opening::LINES) } else { lines };
        // The clock has run since `go` came in: on a busy machine, or with files to read, for some time.
        let waited = heard.elapsed();
        let mut limits = limits(go, side.index(), options.overhead, waited);
        if max_nodes < u64::MAX {
            limits.nodes = Some(limits.nodes.map_or(max_nodes, |nodes| nodes.min(max_nodes)));
        }
        let mut found: Vec<Candidate> = Vec::new();
        let mut choice = self.board.choose(most, &limits, control, dialect, &mut |line, moves| {
            let info = info(line, lines > 1, moves);
            if line.line_number <= lines {
                send(&info);
            }
            if is_opening {
                let candidate = Candidate { score: line.score, line: line.line.to_vec(), info };
                match found.get_mut(line.line_number - 1) {
                    Some(line) => *line = candidate,
                    None => found.push(candidate),
                }
            }
        });
        for fault in self.board.faults_of_values() {
            send(&format!("info string error: {fault}"));
        }
        let drawn = options.opening.draw(&found, choice.score, key, random);
        if let Some(Candidate { score, line, info }) = drawn {
            send(info);
            choice.score = *score;
            choice.line.clone_from(line);
        }
        if choice.declares {
            return "bestmove win".to_owned();
        }
        if choice.line.is_empty() || choice.score.order() <= -options.resign {
            return "bestmove resign".to_owned();
        }
        let expected = &choice.line[..choice.line.len().min(2)];
        format!("bestmove {}", self.board.usi(expected, dialect).join(" ponder "))
    }

    /// The answer to `go mate`.
    fn answer_mate(&self, hash_bytes: usize, budget: &mut Budget<'_>, dialect: Dialect) -> String {
        let (status, line) = self.board.mate(hash_bytes, budget);
        match status {
            Status::NoMate => "checkmate nomate".to_owned(),
            Status::Mate if !line.is_empty() => {
                format!("checkmate {}", self.board.usi(&line, dialect).join(" "))
            }
            Status::Mate | Status::Unknown => "checkmate timeout".to_owned(),
        }
    }
}

/// The answer to `go` where the game has ended on the board, so that there is no move.
fn answer_at_end(end: Outcome, side: Colour) -> &'static str {
    match end.verdict(side) {
        Verdict::Win => "bestmove win",
        Verdict::Loss => "bestmove resign",
        // To resign would give a drawn game away; USI has no word for it.
        Verdict::Draw => "bestmove (none)",
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

/// A line that was found, with its moves in USI notation, as a line.
fn info(found: &Finding<'_>, numbered: bool, moves: Vec<String>) -> String {
    let Finding { depth, selective_depth, line_number, score, nodes, time, hashfull, .. } = *found;
    let line_number = numbered.then_some(line_number);
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

/// The budget of a search for a mate.
fn budget(time: Mate, max_nodes: u64, control: &Control) -> Budget<'_> {
    let budget = Budget::nodes(max_nodes).stopped_by(control.flag());
    match time {
        Mate::Within(time) => budget.time(time),
        Mate::Infinite => budget,
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
