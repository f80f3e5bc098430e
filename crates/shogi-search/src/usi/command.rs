//! The commands of USI.

use std::time::Duration;

use super::time::FALLBACK;

/// A line from the graphical program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `usi`: answered by the name and the options.
    Usi,
    /// `isready`: answered by `readyok` when the engine can play.
    IsReady,
    /// `setoption name X value Y`.
    SetOption {
        /// The name of the option, which may have spaces.
        name: String,
        /// Its new value, if one is given.
        value: Option<String>,
    },
    /// `usinewgame`: a new game begins.
    NewGame,
    /// `position`: sets the position.
    Position(Setup),
    /// `go`: starts a search.
    Go(Go),
    /// `stop`: ends the search with the best move so far.
    Stop,
    /// `ponderhit`: the expected move was played. It may carry words as after `go`, as ShogiHome sends them.
    PonderHit(Go),
    /// `gameover`, with any result.
    GameOver,
    /// `quit`.
    Quit,
}

/// A position as a start and moves from it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Setup {
    /// The start in SFEN; `None` for that of the variant.
    pub sfen: Option<String>,
    /// The moves.
    pub moves: Vec<String>,
}

/// The subject and the limits of a search; without a limit it runs until `stop`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// Ponders on the opponent's time, until `ponderhit`.
    pub ponder: bool,
    /// Searches until `stop`, whatever is found.
    pub infinite: bool,
    /// Time left for Sente and Gote.
    pub remaining: [Option<Duration>; 2],
    /// Time added after each move of Sente and Gote.
    pub increment: [Duration; 2],
    /// Time that each move may take once nothing is left.
    pub byoyomi: Option<Duration>,
    /// Moves until time is added to both clocks, this one included.
    pub moves_to_go: Option<u32>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// Most nodes.
    pub nodes: Option<u64>,
    /// The depth of the last iteration.
    pub depth: Option<u32>,
    /// Searches for a mate by checks, within this limit.
    pub mate: Option<Mate>,
    /// The only moves to choose from, as written; `None` for all.
    pub search_moves: Option<Vec<String>>,
}

impl Go {
    /// Whether there is a clock or any other limit, apart from the number of moves until time is added.
    pub fn is_limited(&self) -> bool {
        self.has_clock()
            || self.move_time.is_some()
            || self.nodes.is_some()
            || self.depth.is_some()
            || self.mate.is_some()
    }

    /// Whether a clock runs, even if only the opponent's.
    pub(super) fn has_clock(&self) -> bool {
        self.remaining.iter().any(Option::is_some)
            || self.increment.iter().any(|increment| !increment.is_zero())
            || self.byoyomi.is_some()
    }
}

/// The limit of a search for a mate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mate {
    /// At most for this time.
    Within(Duration),
    /// Until the answer is proved.
    Infinite,
}

/// Why and where a line is not a command.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("at character {}: {reason}", position + 1)]
pub struct CommandError {
    /// The character, from 0, at which the offending word begins.
    pub position: usize,
    /// The fault there.
    pub reason: CommandReason,
}

/// The faults that a line can have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CommandReason {
    /// No command has this name.
    #[error("no command is called {0:?}")]
    Unknown(String),
    /// A command ends too early.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// Another word was expected.
    #[error("{found:?} stands where {expected} should")]
    Expected {
        /// The expected word.
        expected: &'static str,
        /// The word found.
        found: String,
    },
}

/// The words of a line with where they begin.
struct Words<'a> {
    rest: std::iter::Peekable<std::vec::IntoIter<(usize, &'a str)>>,
    end: usize,
}

impl<'a> Words<'a> {
    fn new(line: &'a str) -> Self {
        let mut words: Vec<(usize, &str)> = Vec::new();
        let (mut start, mut characters) = (None, 0);
        for (at, (byte, character)) in line.char_indices().enumerate() {
            characters = at + 1;
            match (character.is_ascii_whitespace(), start) {
                (true, Some((at, from))) => {
                    words.push((at, &line[from..byte]));
                    start = None;
                }
                (false, None) => start = Some((at, byte)),
                _ => {}
            }
        }
        words.extend(start.map(|(at, from)| (at, &line[from..])));
        Self { rest: words.into_iter().peekable(), end: characters }
    }

    fn next(&mut self, missing: &'static str) -> Result<(usize, &'a str), CommandError> {
        let reason = CommandReason::Missing(missing);
        self.rest.next().ok_or(CommandError { position: self.end, reason })
    }

    /// The words before `last`, which is consumed, or all words.
    fn up_to(&mut self, last: &str) -> Vec<&'a str> {
        self.rest.by_ref().map(|(_, word)| word).take_while(|&word| word != last).collect()
    }

    /// A whole number. Too large ones count as the largest, and negative ones as 0, since some programs write a
    /// clock that has run out that way. A word that begins a part of `go` is not consumed.
    fn number(&mut self, name: &'static str) -> Result<u64, CommandError> {
        if let Some(&(position, word)) = self.rest.peek().filter(|(_, word)| is_go_keyword(word)) {
            return Err(expected(position, name, word));
        }
        let (position, word) = self.next(name)?;
        let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(expected(position, name, word));
        }
        Ok(if word.starts_with('-') { 0 } else { digits.parse().unwrap_or(u64::MAX) })
    }

    fn time(&mut self, name: &'static str) -> Result<Duration, CommandError> {
        self.number(name).map(Duration::from_millis)
    }
}

fn expected(position: usize, expected: &'static str, found: &str) -> CommandError {
    CommandError { position, reason: CommandReason::Expected { expected, found: found.to_owned() } }
}

/// Reads a line; `None` if it is empty. Words after a command without arguments are ignored.
///
/// # Errors
///
/// The first word that does not fit, with the reason. [`Command::Go`] is always answered; see [`parse_go`] for
/// the parts understood despite an error.
///
/// ```
/// use shogi_search::usi::{Command, parse_command};
/// assert_eq!(parse_command("  isready "), Ok(Some(Command::IsReady)));
/// let error = parse_command("position startpos 7g7f").unwrap_err();
/// assert_eq!(error.to_string(), "at character 19: \"7g7f\" stands where moves should");
/// ```
pub fn parse_command(line: &str) -> Result<Option<Command>, CommandError> {
    let mut words = Words::new(line);
    let Some((position, name)) = words.rest.next() else { return Ok(None) };
    Ok(Some(match name {
        "usi" => Command::Usi,
        "isready" => Command::IsReady,
        "usinewgame" => Command::NewGame,
        "stop" => Command::Stop,
        "gameover" => Command::GameOver,
        "quit" => Command::Quit,
        "setoption" => set_option(&mut words)?,
        "position" => Command::Position(setup(&mut words)?),
        "go" | "ponderhit" => {
            let (go, error) = parse_go(line);
            match error {
                None if name == "go" => Command::Go(go),
                None => Command::PonderHit(go),
                Some(error) => return Err(error),
            }
        }
        _ => {
            return Err(CommandError { position, reason: CommandReason::Unknown(name.to_owned()) });
        }
    }))
}

fn set_option(words: &mut Words<'_>) -> Result<Command, CommandError> {
    let (position, word) = words.next("name")?;
    if word != "name" {
        return Err(expected(position, "name", word));
    }
    let name = words.up_to("value").join(" ");
    if name.is_empty() {
        let reason = CommandReason::Missing("the name of the option");
        return Err(CommandError { position: words.end, reason });
    }
    let value = words.up_to("\n").join(" ");
    Ok(Command::SetOption { name, value: (!value.is_empty()).then_some(value) })
}

fn setup(words: &mut Words<'_>) -> Result<Setup, CommandError> {
    let (position, word) = words.next("startpos or sfen")?;
    let sfen = match word {
        "startpos" => {
            match words.rest.next() {
                None | Some((_, "moves")) => {}
                Some((position, word)) => return Err(expected(position, "moves", word)),
            }
            None
        }
        "sfen" => Some(words.up_to("moves").join(" ")),
        _ => return Err(expected(position, "startpos or sfen", word)),
    };
    Ok(Setup { sfen, moves: words.up_to("\n").into_iter().map(str::to_owned).collect() })
}

/// Reads a line that begins with `go` or `ponderhit` and returns the parts understood and the first error.
/// Words that do not fit are skipped, as USI prescribes.
///
/// ```
/// use std::time::Duration;
/// use shogi_search::usi::parse_go;
/// let (go, error) = parse_go("go byoyomi 1000 btime soon nodes 100");
/// assert_eq!((go.byoyomi, go.nodes), (Some(Duration::from_secs(1)), Some(100)));
/// assert_eq!(error.unwrap().position, 22);
/// ```
pub fn parse_go(line: &str) -> (Go, Option<CommandError>) {
    let mut words = Words::new(line);
    let _ = words.rest.next();
    let mut go = Go::default();
    let mut first = None;
    while let Some((position, word)) = words.rest.next() {
        first = first.or(go_word(&mut go, position, word, &mut words).err());
    }
    (go, first)
}

/// The words that begin a part of `go`, and end the list of `searchmoves` before them.
const GO_KEYWORDS: [&str; 13] = [
    "ponder",
    "infinite",
    "btime",
    "wtime",
    "binc",
    "winc",
    "byoyomi",
    "movestogo",
    "movetime",
    "nodes",
    "depth",
    "mate",
    "searchmoves",
];

fn is_go_keyword(word: &str) -> bool {
    GO_KEYWORDS.contains(&word)
}

/// Reads a part of `go`, which begins with this word.
fn go_word(
    go: &mut Go,
    position: usize,
    word: &str,
    words: &mut Words<'_>,
) -> Result<(), CommandError> {
    const TIME: &str = "a time in milliseconds";
    match word {
        "ponder" => go.ponder = true,
        "infinite" => go.infinite = true,
        "btime" => go.remaining[0] = Some(words.time(TIME)?),
        "wtime" => go.remaining[1] = Some(words.time(TIME)?),
        "binc" => go.increment[0] = words.time(TIME)?,
        "winc" => go.increment[1] = words.time(TIME)?,
        "byoyomi" => go.byoyomi = Some(words.time(TIME)?),
        "movestogo" => {
            let moves = words.number("a number of moves")?;
            go.moves_to_go = Some(moves.try_into().unwrap_or(u32::MAX));
        }
        "movetime" => go.move_time = Some(words.time(TIME)?),
        "nodes" => go.nodes = Some(words.number("a number of nodes")?),
        "depth" => go.depth = Some(words.number("a depth")?.try_into().unwrap_or(u32::MAX)),
        "mate" => {
            // The time may be missing, as some programs write.
            go.mate = Some(match words.rest.peek() {
                None => Mate::Infinite,
                Some((_, "infinite")) => {
                    words.rest.next();
                    Mate::Infinite
                }
                Some((_, word)) if is_go_keyword(word) => Mate::Infinite,
                Some(_) => {
                    // Whatever stands there, a mate is to be answered.
                    go.mate = Some(Mate::Within(FALLBACK));
                    Mate::Within(words.time(TIME)?)
                }
            });
        }
        "searchmoves" => {
            let moves = go.search_moves.get_or_insert_default();
            let is_move = |(_, word): &(usize, &str)| !is_go_keyword(word);
            while let Some((_, mv)) = words.rest.next_if(is_move) {
                moves.push(mv.to_owned());
            }
        }
        _ => return Err(expected(position, "a limit of the search", word)),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn lines_are_commands() {
        let set = |name: &str, value: Option<&str>| {
            let (name, value) = (name.to_owned(), value.map(str::to_owned));
            Command::SetOption { name, value }
        };
        let position = |sfen: Option<&str>, moves: &[&str]| {
            let moves = moves.iter().map(|&mv| mv.to_owned()).collect();
            Command::Position(Setup { sfen: sfen.map(str::to_owned), moves })
        };
        for (line, command) in [
            ("", None),
            (" \t", None),
            ("usi", Some(Command::Usi)),
            ("gameover win", Some(Command::GameOver)),
            ("setoption name Move Overhead value 30", Some(set("Move Overhead", Some("30")))),
            ("setoption name Clear", Some(set("Clear", None))),
            ("setoption name A value", Some(set("A", None))),
            ("setoption name EvalFile value a b", Some(set("EvalFile", Some("a b")))),
            ("position startpos", Some(position(None, &[]))),
            ("position startpos moves", Some(position(None, &[]))),
            ("position startpos moves a b", Some(position(None, &["a", "b"]))),
            ("position sfen 4k b - 1 moves x", Some(position(Some("4k b - 1"), &["x"]))),
            ("position sfen", Some(position(Some(""), &[]))),
        ] {
            assert_eq!(parse_command(line), Ok(command), "{line}");
        }
    }

    #[test]
    fn limits_are_read_in_any_order() {
        let (go, error) = parse_go("go ponder wtime 20 btime -5 binc 1 winc 2 byoyomi 3");
        assert_eq!(error, None);
        let expected = Go {
            ponder: true,
            remaining: [Some(ms(0)), Some(ms(20))],
            increment: [ms(1), ms(2)],
            byoyomi: Some(ms(3)),
            ..Go::default()
        };
        assert_eq!(go, expected);
        let (go, error) = parse_go("go btime 60000 wtime 50000 movestogo 12");
        let remaining = [Some(ms(60_000)), Some(ms(50_000))];
        assert_eq!(go, Go { remaining, moves_to_go: Some(12), ..Go::default() });
        assert_eq!(error, None);
        let huge = "9".repeat(60);
        let (go, error) = parse_go(&format!("go nodes {huge} depth {huge} movetime {huge}"));
        assert_eq!((error, go.nodes, go.depth), (None, Some(u64::MAX), Some(u32::MAX)));
        for (line, mate) in [
            ("go mate", Mate::Infinite),
            ("go mate infinite", Mate::Infinite),
            ("go mate 60000", Mate::Within(ms(60_000))),
        ] {
            assert_eq!(parse_go(line), (Go { mate: Some(mate), ..Go::default() }, None));
        }
    }

    #[test]
    fn a_list_of_moves_ends_with_the_next_keyword() {
        for (line, moves) in [
            ("go searchmoves", vec![]),
            ("go searchmoves nodes 5", vec![]),
            ("go searchmoves 5d5c 1e1d", vec!["5d5c", "1e1d"]),
            ("go depth 3 searchmoves 5d5c swiftly nodes 5", vec!["5d5c", "swiftly"]),
            ("go searchmoves 5d5c ponder searchmoves 1e1d", vec!["5d5c", "1e1d"]),
        ] {
            let (go, error) = parse_go(line);
            assert_eq!(error, None, "{line}");
            assert_eq!(go.search_moves.unwrap(), moves, "{line}");
            assert_eq!(go.nodes, line.contains("nodes 5").then_some(5), "{line}");
        }
        for keyword in GO_KEYWORDS {
            let number =
                if ["ponder", "infinite", "searchmoves"].contains(&keyword) { "" } else { "7" };
            let (go, error) = parse_go(&format!("go searchmoves 5d5c {keyword} {number}"));
            assert_eq!(
                (go.search_moves, error),
                (Some(vec!["5d5c".to_owned()]), None),
                "{keyword}"
            );
        }
    }

    #[test]
    fn words_after_an_unknown_word_are_read() {
        let limits = |line: &str| {
            let (go, error) = parse_go(line);
            (go.depth, go.nodes, go.byoyomi, error.map(|error| error.position))
        };
        let limit = |depth, nodes, byoyomi, at| (depth, nodes, byoyomi, Some(at));
        for (line, read) in [
            ("go depth 5 foo nodes 100", limit(Some(5), Some(100), None, 11)),
            ("go foo bar nodes 100 baz 7", limit(None, Some(100), None, 3)),
            ("go byoyomi soon nodes 100", limit(None, Some(100), None, 11)),
            ("go byoyomi nodes 100", limit(None, Some(100), None, 11)),
            ("go depth nodes byoyomi 30", limit(None, None, Some(ms(30)), 9)),
            ("go depth 5 depth", limit(Some(5), None, None, 16)),
        ] {
            assert_eq!(limits(line), read, "{line}");
        }
        let (go, error) = parse_go("go mate soon nodes 100");
        assert_eq!((go.mate, go.nodes), (Some(Mate::Within(FALLBACK)), Some(100)));
        assert_eq!(error.unwrap().position, 8);
        let (go, error) = parse_go("go mate nodes 100");
        assert_eq!((go.mate, go.nodes, error), (Some(Mate::Infinite), Some(100), None));
    }

    #[test]
    fn errors_point_to_the_word() {
        for (line, position) in [
            ("hello", 0),
            ("  hello", 2),
            ("将棋 x", 0),
            ("setoption", 9),
            ("setoption title X", 10),
            ("setoption name", 14),
            ("setoption name value 3", 22),
            ("position", 8),
            ("position fen", 9),
            ("position startpos 7g7f", 18),
            ("go btime", 8),
            ("go btime x", 9),
            ("go depth 3 fast", 11),
            ("go mate soon", 8),
            ("go nodes -", 9),
            ("go movestogo few", 13),
        ] {
            assert_eq!(parse_command(line).unwrap_err().position, position, "{line}");
        }
    }
}
