//! An engine for one variant: a game, a player, and the answers to `go`.

use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use shogi_core::clock::Instant;
use shogi_core::{Colour, Move, Position};
use shogi_mate::{self as mate, Defence, DefendUntil, Reply, Status};
use shogi_rules::{Dialect, EnteringKingRule, Game, Outcome, Rules, Verdict, to_usi_in};

use super::command::{Go, Mate, Setup};
use super::info::Info;
use super::opening::{self, OpeningLine};
use super::options::{ChangedParameters, EngineOptions};
use super::setup::{SetupError, game, play};
use super::time::{limits, mate_budget};
use crate::evaluate::Evaluator;
use crate::evaluation::Evaluation;
use crate::history::History;
use crate::known::KnownValues;
use crate::limits::{Control, Limits};
use crate::player::{Player, Settings};
use crate::report::Action;

/// An engine for one variant. The code below it is compiled for the variant; if its rules were loaded at run
/// time, the calling thread must have entered them.
pub(super) trait Engine: Send {
    /// Sets up a position, with this rule on entering kings if the variant has one. After an error there is no
    /// position.
    fn set_up(&mut self, setup: &Setup, entering_king: EnteringKingRule) -> Result<(), SetupError>;

    /// Begins a new game.
    fn new_game(&mut self);

    /// Makes the player for the options, which may take memory and time; passes lines for the user to `send`.
    fn prepare(&mut self, options: &EngineOptions, send: &mut dyn FnMut(&str));

    /// Searches and returns the line that answers `go`; passes the lines before it to `send`.
    fn go(&mut self, request: &Request<'_>, send: &mut dyn FnMut(&str)) -> String;
}

/// A `go` with its context.
#[derive(Clone, Copy)]
pub(super) struct Request<'q> {
    pub(super) go: &'q Go,
    /// The time of the command.
    pub(super) received: Instant,
    pub(super) options: &'q EngineOptions,
    /// The most nodes of the search.
    pub(super) max_nodes: u64,
    pub(super) control: &'q Control,
}

/// Opens the tablebases in a directory.
pub(super) type OpenTablebases<R> = fn(&Path) -> Arc<dyn KnownValues<R>>;

/// Makes the evaluation for these options; the second argument sends lines for the user.
type MakeEvaluation<E> = fn(&PlayerOptions, &mut dyn FnMut(&str)) -> E;

/// The engine for a variant.
pub(super) struct VariantEngine<R: Rules, E: Evaluator<R> = Evaluation<R>> {
    game: Option<Game<R>>,
    /// Whether a position was set up or refused.
    is_set_up: bool,
    player: Option<Player<R, E>>,
    evaluation: MakeEvaluation<E>,
    /// The options that the player was made with.
    made_with: Option<PlayerOptions>,
    open_tablebases: Option<OpenTablebases<R>>,
    /// The tablebases of the player.
    known: Option<Arc<dyn KnownValues<R>>>,
    /// The last reported reason why the player knows no values.
    missing: Option<String>,
    /// Games begun so far.
    games: u64,
    /// The random number of this game's drawn moves, once one was drawn.
    random: Option<u64>,
}

/// The options of a player.
#[derive(PartialEq)]
struct PlayerOptions {
    evaluation: &'static str,
    tables: Option<PathBuf>,
    scale: i32,
    tablebases: Option<PathBuf>,
    /// The settings, except the parameters, and the number of lines, which each search sets.
    settings: Settings,
    /// The parameters that are not as tuned for the evaluation.
    changed: ChangedParameters,
}

impl PlayerOptions {
    fn of(options: &EngineOptions) -> Self {
        let EngineOptions { evaluation, scale, .. } = *options;
        let (tables, tablebases) = (options.tables.clone(), options.tablebases.clone());
        let settings = Settings { lines: 1, ..options.settings };
        let changed = options.changed.clone();
        Self { evaluation, tables, scale, tablebases, settings, changed }
    }
}

impl<R: Rules> VariantEngine<R> {
    /// An engine at the start of the variant.
    pub(super) fn new(open_tablebases: Option<OpenTablebases<R>>) -> Self {
        Self::made(open_tablebases, evaluation)
    }
}

impl<R: Rules, E: Evaluator<R> + Default> VariantEngine<R, E> {
    /// An engine at the start of the variant, with this evaluation regardless of the options.
    pub(super) fn with_default_evaluation() -> Self {
        Self::made(None, |_, _| E::default())
    }
}

impl<R: Rules, E: Evaluator<R>> VariantEngine<R, E> {
    fn made(open_tablebases: Option<OpenTablebases<R>>, evaluation: MakeEvaluation<E>) -> Self {
        Self {
            game: Some(Game::from_start()),
            is_set_up: false,
            player: None,
            evaluation,
            made_with: None,
            open_tablebases,
            known: None,
            missing: None,
            games: 0,
            random: None,
        }
    }

    /// Makes the player for the options, unless it exists. Failures are reported and worked around: the
    /// variant's own evaluation replaces an unreadable file, and the least memory replaces memory that the
    /// system refuses.
    fn make_player(&mut self, options: &EngineOptions, send: &mut dyn FnMut(&str)) {
        let wanted = PlayerOptions::of(options);
        if self.player.is_some() && self.made_with.as_ref() == Some(&wanted) {
            return;
        }
        // Its memory is freed before the next player needs some.
        (self.player, self.known) = (None, None);
        let settings = within_memory(wanted.settings, History::bytes::<R>(), send);
        let evaluation = (self.evaluation)(&wanted, send);
        let parameters = Some(wanted.changed.applied_to(evaluation.parameters()));
        let mut player = Player::new(evaluation, Settings { parameters, ..settings });
        if let (Some(path), Some(open)) = (&wanted.tablebases, self.open_tablebases) {
            let known = open(path);
            player = player.with_known_values(Arc::clone(&known));
            self.known = Some(known);
        }
        self.player = Some(player);
        self.made_with = Some(wanted);
    }

    /// Why the player knows no values of the position, or of any position before one was set up.
    fn missing_values(&self) -> Option<String> {
        let known = self.known.as_ref()?;
        if self.is_set_up {
            known.missing(self.game.as_ref()?.position())
        } else {
            known.unusable()
        }
    }

    /// Reports why the player knows no values of this position, once for each reason.
    fn report_missing_values(&mut self, send: &mut dyn FnMut(&str)) {
        let known = self.known.as_ref().zip(self.game.as_ref());
        let missing = known.and_then(|(known, game)| known.missing(game.position()));
        if let Some(notice) = missing.as_ref().filter(|_| missing != self.missing) {
            send(&format!("info string {notice}"));
        }
        self.missing = missing;
    }

    /// Searches the position of an unfinished game and returns the answer to `go`.
    fn find_move(&mut self, request: &Request<'_>, send: &mut dyn FnMut(&str)) -> String {
        let (Some(game), Some(player)) = (&self.game, &mut self.player) else {
            return "bestmove resign".to_owned();
        };
        let options = request.options;
        let (position, lines) = (game.position(), options.settings.lines);
        let dialect = options.dialect.unwrap_or(R::dialect());
        let random = *self.random.get_or_insert_with(|| options.opening.random(self.games));
        let is_opening = options.opening.covers(game.moves().len());
        player.set_lines(if is_opening { lines.max(opening::LINES) } else { lines });
        let mut opening_lines: Vec<OpeningLine> = Vec::new();
        let search_moves = search_moves(game, request.go, send);
        let limits = limits_of(request, position.side());
        let best = player.best_line(game, &search_moves, &limits, request.control, &mut |report| {
            let moves = usi_line(position, &report.line, dialect);
            let info = Info::new(report, lines > 1, &moves).to_string();
            if report.line_number <= lines {
                send(&info);
            }
            if is_opening {
                let opening_line = OpeningLine { score: report.score, moves, info };
                match opening_lines.get_mut(report.line_number - 1) {
                    Some(line) => *line = opening_line,
                    None => opening_lines.push(opening_line),
                }
            }
        });
        for fault in self.known.iter().flat_map(|known| known.take_faults()) {
            send(&format!("info string error: {fault}"));
        }
        if best.action == Action::Declare {
            return "bestmove win".to_owned();
        }
        let (mut score, mut moves) = (best.score, usi_line(position, &best.line, dialect));
        if let Some(drawn) = options.opening.draw(&opening_lines, score, position.key(), random) {
            send(&drawn.info);
            score = drawn.score;
            moves.clone_from(&drawn.moves);
        }
        // If the given moves lose, another one may still save the game.
        let resigns = search_moves.is_empty() && score.order() <= -options.resign;
        if moves.is_empty() || resigns {
            return "bestmove resign".to_owned();
        }
        moves.truncate(2);
        format!("bestmove {}", moves.join(" ponder "))
    }
}

impl<R: Rules, E: Evaluator<R> + Send> Engine for VariantEngine<R, E> {
    fn set_up(&mut self, setup: &Setup, entering_king: EnteringKingRule) -> Result<(), SetupError> {
        (self.game, self.is_set_up) = (None, true);
        self.game = Some(game(setup, entering_king)?);
        Ok(())
    }

    fn new_game(&mut self) {
        self.games += 1;
        self.random = None;
        if let Some(player) = &mut self.player {
            player.clear();
        }
    }

    fn prepare(&mut self, options: &EngineOptions, send: &mut dyn FnMut(&str)) {
        self.make_player(options, send);
        self.missing = self.missing_values();
        if let Some(notice) = &self.missing {
            send(&format!("info string {notice}"));
        }
    }

    fn go(&mut self, request: &Request<'_>, send: &mut dyn FnMut(&str)) -> String {
        let Some(game) = &mut self.game else {
            send("info string error: there is no position, the last one was refused");
            let is_mate = request.go.mate.is_some();
            return if is_mate { "checkmate timeout" } else { "bestmove resign" }.to_owned();
        };
        let (end, side) = (game.outcome(), game.position().side());
        // Another program may continue a game that the rules of the variant have ended.
        let is_over = !game.play_on();
        if let Some(time) = request.go.mate {
            if is_over {
                return "checkmate nomate".to_owned();
            }
            if request.go.search_moves.is_some() {
                send(
                    "info string error: go mate takes no searchmoves, a mate may begin with any move",
                );
                return "checkmate timeout".to_owned();
            }
            return find_mate(game, time, request, send);
        }
        if let Some(end) = end {
            send(&format!("info string the game is over: {end}"));
            if is_over {
                return answer_at_end(end, side).to_owned();
            }
        }
        self.make_player(request.options, send);
        self.report_missing_values(send);
        self.find_move(request, send)
    }
}

/// The evaluation for these options. If its file cannot be read, reports that and uses the variant's own.
fn evaluation<R: Rules>(options: &PlayerOptions, send: &mut dyn FnMut(&str)) -> Evaluation<R> {
    if let Some(path) = &options.tables {
        match Evaluation::load(path) {
            Ok(tables) => return tables.with_scale(options.scale),
            Err(error) => send(&format!("info string error: {error}")),
        }
    }
    // Not every variant has tables of its own.
    Evaluation::named(options.evaluation).unwrap_or_else(Evaluation::standard)
}

/// The legal moves to which `go` restricts the search; empty for all. Reports illegal ones.
fn search_moves<R: Rules>(game: &Game<R>, go: &Go, send: &mut dyn FnMut(&str)) -> Vec<Move<R>> {
    let Some(named) = &go.search_moves else { return Vec::new() };
    let mut moves = Vec::new();
    for (number, text) in (1..).zip(named) {
        match play(&mut game.clone(), number, text) {
            Ok(mv) => moves.push(mv),
            Err(error) => send(&format!("info string error: in searchmoves, {error}")),
        }
    }
    if moves.is_empty() {
        send("info string error: searchmoves names no legal move, all moves are searched");
    }
    moves
}

/// Looks for a mate and returns the answer to `go mate`.
fn find_mate<R: Rules>(
    game: &Game<R>,
    time: Mate,
    request: &Request<'_>,
    send: &mut dyn FnMut(&str),
) -> String {
    let Request { options, max_nodes, control, .. } = *request;
    let hash_bytes = within_memory(options.settings, 0, send).hash_bytes;
    let mut budget = mate_budget(time, max_nodes, control);
    let mut solver = mate::MateSolver::new(mate::Options { hash_bytes, shortest: false });
    let dialect = options.dialect.unwrap_or(R::dialect());
    let position = game.position();
    let found = if is_defender_to_move(position, options) {
        let defence = solver.defend(position, DefendUntil::OneHelps, &mut budget);
        describe_defence(position, &defence, dialect, send);
        defence.answer
    } else {
        solver.solve(position, &mut budget)
    };
    answer_to_mate(found.status, &usi_line(position, &found.line, dialect))
}

/// Whether the side to move is the defender in `go mate`, since the protocol does not say who attacks: in a problem the attacker
/// may have no king, and a position after a check is nearly always one of the defender.
fn is_defender_to_move<R: Rules>(position: &Position<R>, options: &EngineOptions) -> bool {
    let side = position.side();
    let is_only_king = position.king(side).is_some() && position.king(!side).is_none();
    is_only_king || options.defends_in_check && position.is_check()
}

/// Reports the moves that help against mate, and the mate after each other one.
fn describe_defence<R: Rules>(
    position: &Position<R>,
    defence: &Defence<R>,
    dialect: Dialect,
    send: &mut dyn FnMut(&str),
) {
    let of = |status| {
        let replies = defence.replies.iter().filter(move |reply| reply.attack.status == status);
        replies.map(|reply| to_usi_in(reply.mv, position, dialect)).collect::<Vec<_>>().join(" ")
    };
    let (helpful, undecided) = (of(Status::NoMate), of(Status::Unknown));
    let mated = defence.replies.iter().filter(|reply| reply.attack.status == Status::Mate);
    for (number, Reply { mv, attack }) in (1..).zip(mated) {
        let line: Vec<_> = iter::once(*mv).chain(attack.line.iter().copied()).collect();
        let moves = usi_line(position, &line, dialect).join(" ");
        send(&format!("info multipv {number} score mate -{} pv {moves}", line.len()));
    }
    if !helpful.is_empty() {
        send(&format!("info string no mate after {helpful}"));
    }
    if !undecided.is_empty() {
        send(&format!("info string undecided: {undecided}"));
    }
}

/// The settings, or the settings that need the least memory if the system refuses it, which is reported. Each
/// thread needs `thread_bytes` besides the table.
fn within_memory(settings: Settings, thread_bytes: usize, send: &mut dyn FnMut(&str)) -> Settings {
    match settings.check(thread_bytes) {
        Ok(()) => settings,
        Err(error) => {
            send(&format!("info string error: {error}; 1 MiB and one thread are used instead"));
            Settings { hash_bytes: 1 << 20, threads: 1, ..settings }
        }
    }
}

/// The limits of a search for this player, from its `go`.
fn limits_of(request: &Request<'_>, side: Colour) -> Limits {
    let Request { go, options, max_nodes, .. } = *request;
    // The clock has run since `go` came in: on a busy machine, or with files to read, for some time.
    let waited = request.received.elapsed();
    let mut limits = limits(go, side.index(), options.overhead, waited);
    if max_nodes < u64::MAX {
        limits.nodes = Some(limits.nodes.map_or(max_nodes, |nodes| nodes.min(max_nodes)));
    }
    limits
}

/// A line of moves from a position in USI notation.
fn usi_line<R: Rules>(position: &Position<R>, line: &[Move<R>], dialect: Dialect) -> Vec<String> {
    let mut position = *position;
    let mut moves = Vec::new();
    for &mv in line {
        moves.push(to_usi_in(mv, &position, dialect));
        position = position.play_unchecked(mv);
    }
    moves
}

/// The answer to `go mate`, from the line to the mate.
fn answer_to_mate(status: Status, line: &[String]) -> String {
    match status {
        Status::NoMate => "checkmate nomate".to_owned(),
        Status::Mate if !line.is_empty() => format!("checkmate {}", line.join(" ")),
        Status::Mate | Status::Unknown => "checkmate timeout".to_owned(),
    }
}

/// The answer to `go` if the game has ended on the board.
fn answer_at_end(end: Outcome, side: Colour) -> &'static str {
    match end.verdict(side) {
        Verdict::Win => "bestmove win",
        Verdict::Loss => "bestmove resign",
        // Resigning would give away a drawn game; USI has no word for a draw.
        Verdict::Draw => "bestmove (none)",
    }
}
