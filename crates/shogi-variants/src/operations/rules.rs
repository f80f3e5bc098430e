//! Positions, their moves, and how many there are.

use alloc::string::String;
use alloc::vec::Vec;
#[cfg(feature = "parallel")]
use core::ops::ControlFlow;
#[cfg(feature = "parallel")]
use core::sync::atomic::{AtomicBool, Ordering};

#[cfg(feature = "record")]
use shogi_records::{Format, LeftOut, Name, Notice, Reading};
use shogi_rules::shogi_core::RuleTable as _;
#[cfg(feature = "record")]
use shogi_rules::shogi_core::{Colour, Face, Kind, KindSpec};
#[cfg(feature = "parallel")]
use shogi_rules::threads::with_jobs;
#[cfg(feature = "record")]
use shogi_rules::write_face;
use shogi_rules::{Dialect, Rules as _, to_sfen, to_sfen_in, to_usi_in};

use super::Error;
#[cfg(feature = "record")]
use super::diagram::{Diagram, kanji};
use super::moves::{Moves, Retraction, legal_moves};
#[cfg(feature = "record")]
use super::notate::{MoveNotation, notate};
#[cfg(feature = "record")]
use super::position::move_number;
use super::position::{left_out, placement, position, problem, written};
use crate::variant::call;
use crate::{RuleSet, Variant};

/// Tasks that need the rules alone. `None` for a dialect stands for the variant's own: [`Variant::rules`].
#[derive(Clone, Copy, Debug)]
pub struct RuleTasks(pub(super) Variant);

impl RuleTasks {
    /// The name of the variant: [`Rules::NAME`](shogi_rules::Rules::NAME).
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// The dialect that is written by default.
    pub fn dialect(self) -> Dialect {
        call!(self.0, R => R::dialect())
    }

    /// The start position with this name in SFEN, in variants that have several.
    ///
    /// # Errors
    ///
    /// If the variant names no starts, or none so.
    pub fn named_start(self, name: &str) -> Result<String, Error> {
        call!(self.0, R => Ok(to_sfen(&R::named_start(name)?)))
    }

    /// The legal position that a text stands for, in SFEN.
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position.
    ///
    /// ```
    /// use shogi_variants::Variant;
    /// let rules = Variant::Minishogi.rules();
    /// let sfen = rules.position("startpos moves 5d5c", None)?;
    /// assert_eq!(sfen, "rbsgk/4p/P4/5/KGSBR w - 2");
    /// # Ok::<(), shogi_variants::Error>(())
    /// ```
    pub fn position(self, text: &str, dialect: Option<Dialect>) -> Result<String, Error> {
        call!(self.0, R => written(text, position::<R>(text)?.placement(), dialect))
    }

    /// Like [`RuleTasks::position`], but one player may have no king, as in most mate problems.
    ///
    /// # Errors
    ///
    /// If the text stands for no such position.
    pub fn problem(self, text: &str, dialect: Option<Dialect>) -> Result<String, Error> {
        call!(self.0, R => written(text, problem::<R>(text)?.placement(), dialect))
    }

    /// The part of a position that is left out when it is read, in a sentence: a king that stands in a hand.
    ///
    /// ```
    /// use shogi_variants::Variant;
    /// let rules = Variant::Shogi.rules();
    /// let notice = rules.left_out("8k/9/9/9/9/9/9/9/9 b Gk 1");
    /// assert_eq!(notice, Some("the king in hand is left out"));
    /// ```
    pub fn left_out(self, position: &str) -> Option<&'static str> {
        call!(self.0, R => left_out::<R>(position))
    }

    /// Whether two texts stand for the same placement, which may break the rules.
    ///
    /// # Errors
    ///
    /// If one of them stands for no placement.
    pub fn is_same_placement(self, one: &str, other: &str) -> Result<bool, Error> {
        call!(self.0, R => Ok(placement::<R>(one)? == placement(other)?))
    }

    /// The diagram of a placement, which may break the rules: pictures are drawn from it.
    ///
    /// # Errors
    ///
    /// If the text stands for no placement.
    #[cfg(feature = "record")]
    pub fn diagram(self, text: &str, dialect: Option<Dialect>) -> Result<Diagram, Error> {
        call!(self.0, R => diagram::<R>(text, dialect))
    }

    /// Writes the records of a text in another format.
    ///
    /// # Errors
    ///
    /// If the text is no such record, or the format has no way to write its moves.
    ///
    /// ```
    /// use shogi_variants::Variant;
    /// use shogi_variants::rules::record::Format;
    /// let rules = Variant::Minishogi.rules();
    /// let kif = rules.convert("startpos moves 5d5c", Format::Usi, Format::Kif, None)?;
    /// assert!(kif.games[0].contains("５三歩(54)") && kif.left_out.is_nothing());
    /// # Ok::<(), shogi_variants::Error>(())
    /// ```
    #[cfg(feature = "record")]
    pub fn convert(
        self,
        text: &str,
        from: Format,
        to: Format,
        dialect: Option<Dialect>,
    ) -> Result<Converted, Error> {
        call!(self.0, R => convert::<R>(text, from, to, dialect))
    }

    /// The notices on the records of a text, see [`Notice`].
    ///
    /// # Errors
    ///
    /// If the text is no such record.
    #[cfg(feature = "record")]
    pub fn notices(self, text: &str, from: Format) -> Result<Vec<Notice>, Error> {
        call!(self.0, R => Ok(from.read::<R>(text)?.notices))
    }

    /// The kinds of pieces with their faces.
    ///
    /// ```
    /// use shogi_variants::Variant;
    /// let pieces = Variant::KyotoShogi.rules().pieces(None);
    /// let rook = pieces[0].back.as_ref().unwrap();
    /// assert_eq!((pieces[0].front.letters.as_str(), rook.letters.as_str(), rook.kanji), ("P", "R", '飛'));
    /// ```
    #[cfg(feature = "record")]
    pub fn pieces(self, dialect: Option<Dialect>) -> Vec<PieceKind> {
        call!(self.0, R => pieces::<R>(dialect))
    }

    /// The legal moves of a position, in which one player may have no king. With the moves that led to
    /// it repetitions and perpetual checks are known; where the moves go on after one, no rule on
    /// repetition holds from then on.
    ///
    /// # Errors
    ///
    /// If the text stands for no such position.
    ///
    /// ```
    /// use shogi_variants::Variant;
    /// let rules = Variant::Dobutsu.rules();
    /// let moves = rules.moves("startpos", None)?;
    /// assert_eq!(moves.moves, ["1d1c", "2c2b", "2d1c", "2d3c"]);
    /// assert!(!moves.check && moves.end.is_none());
    /// let rounds = "2d3c 2a1b 3c2d 1b2a ".repeat(2);
    /// let moves = rules.moves(&format!("startpos moves {rounds}"), None)?;
    /// assert_eq!(moves.why.unwrap().to_string(), "repetition");
    /// assert!(moves.moves.is_empty());
    /// # Ok::<(), shogi_variants::Error>(())
    /// ```
    pub fn moves(self, text: &str, dialect: Option<Dialect>) -> Result<Moves, Error> {
        call!(self.0, R => legal_moves::<R>(text, dialect))
    }

    /// Every legal position from which one legal move leads to a position, with the moves that do, sorted by the position.
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position.
    ///
    /// ```
    /// use shogi_variants::Variant;
    /// let rules = Variant::Minishogi.rules();
    /// let before = rules.retractions("startpos moves 5d5c", None)?;
    /// let start = before.iter().find(|one| one.sfen == "rbsgk/4p/5/P4/KGSBR b - 1");
    /// assert_eq!(start.unwrap().moves, ["5d5c"]);
    /// # Ok::<(), shogi_variants::Error>(())
    /// ```
    pub fn retractions(
        self,
        text: &str,
        dialect: Option<Dialect>,
    ) -> Result<Vec<Retraction>, Error> {
        call!(self.0, R => retractions::<R>(text, dialect))
    }

    /// A line of moves from a position as people write them. The line is in USI, separated by blanks, and
    /// a move that ends the game ends it.
    ///
    /// # Errors
    ///
    /// If the text stands for no position, its sides with one king at most, or a move is not legal.
    ///
    /// ```
    /// use shogi_variants::Variant;
    /// use shogi_variants::operations::MoveNotation;
    /// let rules = Variant::Minishogi.rules();
    /// let notate = |notation| rules.notate("startpos moves 5d5c", "2a3b 4e3d", notation, None);
    /// assert_eq!(notate(MoveNotation::Japanese)?, ["△３二金", "▲３四金"]);
    /// assert_eq!(notate(MoveNotation::Western)?, ["G-3b", "G-3d"]);
    /// assert_eq!(notate(MoveNotation::Usi)?, ["2a3b", "4e3d"]);
    /// # Ok::<(), shogi_variants::Error>(())
    /// ```
    #[cfg(feature = "record")]
    pub fn notate(
        self,
        text: &str,
        line: &str,
        notation: MoveNotation,
        dialect: Option<Dialect>,
    ) -> Result<Vec<String>, Error> {
        call!(self.0, R => notate::<R>(text, line, notation, dialect))
    }

    /// The number of sequences of so many legal moves from a position, in which one player may have no
    /// king, counted by one thread.
    ///
    /// # Errors
    ///
    /// If the text stands for no such position.
    pub fn perft(self, text: &str, depth: u8) -> Result<u64, Error> {
        call!(self.0, R => Ok(shogi_rules::shogi_core::perft(problem::<R>(text)?.placement(), depth)))
    }

    /// The number of sequences of so many legal moves for each first move, sorted by the move,
    /// counted by all threads of the current rayon pool. Nothing at depth 0.
    ///
    /// Below the first moves, sequences are counted in parts, each of them all sequences from one
    /// position on, of at most [`PART_PLIES`] plies. After each part `report` is called with the number
    /// of its sequences; it can end the count by breaking. A depth above `PART_PLIES` has as many parts
    /// as there are sequences of `depth - PART_PLIES` moves; a line that ends before on the board is one, too.
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position.
    ///
    /// ```
    /// use core::ops::ControlFlow;
    /// use shogi_variants::Variant;
    /// let rules = Variant::Minishogi.rules();
    /// let counts = rules.divide("startpos", 3, None, &|_| ControlFlow::Continue(()))?;
    /// assert_eq!(counts.iter().map(|first| first.nodes).sum::<u64>(), 2_512);
    /// assert!(counts.iter().all(|first| first.complete));
    /// # Ok::<(), shogi_variants::Error>(())
    /// ```
    #[cfg(feature = "parallel")]
    pub fn divide(
        self,
        text: &str,
        depth: u8,
        dialect: Option<Dialect>,
        report: &(dyn Fn(u64) -> ControlFlow<()> + Sync),
    ) -> Result<Vec<Divided>, Error> {
        call!(self.0, R => divide::<R>(text, depth, dialect, report))
    }
}

/// Plies of the sequences that one thread counts in one go: see [`RuleTasks::divide`].
#[cfg(feature = "parallel")]
pub const PART_PLIES: u8 = 4;

/// The sequences that begin with one move, for [`RuleTasks::divide`].
#[cfg(feature = "parallel")]
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub struct Divided {
    /// The move in USI notation.
    pub mv: String,
    /// How many were counted.
    pub nodes: u64,
    /// Whether that is all of them.
    pub complete: bool,
}

/// Records in another format, for [`RuleTasks::convert`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg(feature = "record")]
#[non_exhaustive]
pub struct Converted {
    /// The format that was read.
    pub from: Format,
    /// The format that was written.
    pub to: Format,
    /// The text of each game; [`Format::join`] makes one of them.
    pub games: Vec<String>,
    /// The parts that the format cannot hold, of all games together.
    pub left_out: LeftOut,
    /// The places of the text that were read otherwise than they stand.
    pub notices: Vec<Notice>,
}

/// As `from`, `to`, the text as `record` (several games as one text), how many `games` it has, `left_out`: a
/// sentence, if anything is, and `notices`: sentences, if there are any.
#[cfg(all(feature = "record", feature = "serde"))]
impl serde::Serialize for Converted {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct as _;
        let Self { from, to, games, left_out, notices } = self;
        let left_out = left_out.sentence(*to);
        let notices: Vec<String> =
            notices.iter().map(|notice| alloc::format!("{notice}")).collect();
        let more = usize::from(left_out.is_some()) + usize::from(!notices.is_empty());
        let mut fields = serializer.serialize_struct("Converted", 4 + more)?;
        fields.serialize_field("from", from.name())?;
        fields.serialize_field("to", to.name())?;
        match &games[..] {
            [game] => fields.serialize_field("record", game)?,
            games => fields.serialize_field("record", &to.join(games))?,
        }
        fields.serialize_field("games", &games.len())?;
        match left_out {
            Some(sentence) => fields.serialize_field("left_out", &sentence)?,
            None => fields.skip_field("left_out")?,
        }
        match &notices[..] {
            [] => fields.skip_field("notices")?,
            notices => fields.serialize_field("notices", notices)?,
        }
        fields.end()
    }
}

/// A kind of piece, for [`RuleTasks::pieces`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg(feature = "record")]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct PieceKind {
    /// Its front.
    pub front: PieceFace,
    /// Its back, for pieces that have one.
    pub back: Option<PieceFace>,
}

/// A face of a [`PieceKind`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg(feature = "record")]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct PieceFace {
    /// Its letter in SFEN, in upper case, with the plus of a turned piece.
    pub letters: String,
    /// The kanji on it; where there are none, the letter.
    pub kanji: char,
}

/// Writes a face in the letters of SFEN: [`write_face`] of a rule set.
#[cfg(feature = "record")]
type WriteFace = fn(Face, Colour, Dialect, &mut String);

#[cfg(feature = "record")]
impl PieceKind {
    /// The pieces of all kinds of a rule set.
    fn all(kinds: &[KindSpec], dialect: Dialect, names: &[Name], write: WriteFace) -> Vec<Self> {
        let named = |face| PieceFace::new(face, dialect, names, write);
        let mut pieces = Vec::new();
        for (number, spec) in kinds.iter().enumerate() {
            let kind = Kind::new(number as u8);
            let back = spec.back.as_ref().map(|_| named(Face::back(kind)));
            pieces.push(Self { front: named(Face::front(kind)), back });
        }
        pieces
    }
}

#[cfg(feature = "record")]
impl PieceFace {
    fn new(face: Face, dialect: Dialect, names: &[Name], write: WriteFace) -> Self {
        let letters = |dialect| {
            let mut letters = String::new();
            write(face, Colour::Sente, dialect, &mut letters);
            letters
        };
        Self { letters: letters(dialect), kanji: kanji(&letters(Dialect::Lishogi), names) }
    }
}

#[cfg(feature = "record")]
fn diagram<R: RuleSet>(text: &str, dialect: Option<Dialect>) -> Result<Diagram, Error> {
    let dialect = dialect.unwrap_or(R::dialect());
    Ok(Diagram::numbered::<R>(&placement(text)?, dialect, move_number::<R>(text)?))
}

#[cfg(feature = "record")]
fn pieces<R: RuleSet>(dialect: Option<Dialect>) -> Vec<PieceKind> {
    PieceKind::all(R::kinds(), dialect.unwrap_or(R::dialect()), R::names(), write_face::<R>)
}

#[cfg(feature = "record")]
fn convert<R: RuleSet>(
    text: &str,
    from: Format,
    to: Format,
    dialect: Option<Dialect>,
) -> Result<Converted, Error> {
    let Reading { records, notices, .. } = from.read::<R>(text)?;
    let mut converted =
        Converted { from, to, games: Vec::new(), left_out: LeftOut::default(), notices };
    for record in records {
        let text = to.write_in(&record, dialect.unwrap_or(R::dialect()));
        converted.games.push(text.map_err(Error::library)?);
        converted.left_out += to.left_out(&record);
    }
    Ok(converted)
}

fn retractions<R: RuleSet>(text: &str, dialect: Option<Dialect>) -> Result<Vec<Retraction>, Error> {
    let position = position::<R>(text)?;
    let dialect = dialect.unwrap_or(R::dialect());
    let mut retractions = Vec::new();
    for (unmove, before) in position.predecessors() {
        // A game does not continue after its end.
        if R::verdict(&before).is_none() {
            let mv = to_usi_in(unmove.mv, &before, dialect);
            retractions.push((to_sfen_in(&before, dialect), mv));
        }
    }
    Ok(Retraction::joined(retractions))
}

#[cfg(feature = "parallel")]
fn divide<R: RuleSet>(
    text: &str,
    depth: u8,
    dialect: Option<Dialect>,
    report: &(dyn Fn(u64) -> ControlFlow<()> + Sync),
) -> Result<Vec<Divided>, Error> {
    let position = problem::<R>(text)?;
    let dialect = dialect.unwrap_or(R::dialect());
    let Some(below) = depth.checked_sub(1) else { return Ok(Vec::new()) };
    let counting = Counting { report, stopped: AtomicBool::new(false) };
    let moves = position.legal_moves();
    let after = |number: usize| position.placement().play_unchecked(moves[number]);
    let counts = count_each(moves.len(), &|number| counting.count(&after(number), below));
    let mut divided: Vec<_> = moves
        .into_iter()
        .zip(counts)
        .map(|(mv, (nodes, complete))| Divided {
            mv: to_usi_in(mv, &position, dialect),
            nodes,
            complete,
        })
        .collect();
    divided.sort_unstable_by(|one, other| one.mv.cmp(&other.mv));
    Ok(divided)
}

/// The results of `count` for each number below `moves`, on all threads.
#[cfg(feature = "parallel")]
fn count_each(moves: usize, count: &(dyn Fn(usize) -> (u64, bool) + Sync)) -> Vec<(u64, bool)> {
    let mut counts = alloc::vec![(0, false); moves];
    with_jobs(|jobs| {
        // A thread begins with the job that it was given last.
        for (number, counted) in counts.iter_mut().enumerate().rev() {
            jobs.add(move || *counted = count(number));
        }
    });
    counts
}

/// The sum of `count` over all numbers below `moves`.
#[cfg(feature = "parallel")]
fn count_all(moves: usize, count: &(dyn Fn(usize) -> (u64, bool) + Sync)) -> (u64, bool) {
    let counts = count_each(moves, count).into_iter();
    counts.fold((0, true), |all, (nodes, complete)| (all.0 + nodes, all.1 && complete))
}

/// Perft on all threads: the upper part of the tree is split, move by move.
#[cfg(feature = "parallel")]
struct Counting<'a> {
    report: &'a (dyn Fn(u64) -> ControlFlow<()> + Sync),
    stopped: AtomicBool,
}

#[cfg(feature = "parallel")]
impl Counting<'_> {
    /// The sequences that were counted, and whether these are all.
    fn count<R: RuleSet>(
        &self,
        placement: &shogi_rules::shogi_core::Placement<R>,
        depth: u8,
    ) -> (u64, bool) {
        if self.stopped.load(Ordering::Relaxed) {
            return (0, false);
        }
        // Nothing follows an end, though there may be moves on the board.
        if depth > PART_PLIES && !R::is_over(placement) {
            let moves = placement.legal_moves();
            let count =
                |number: usize| self.count(&placement.play_unchecked(moves[number]), depth - 1);
            return count_all(moves.len(), &count);
        }
        // None where the game is over.
        let nodes = shogi_rules::shogi_core::perft(placement, depth);
        if (self.report)(nodes).is_break() {
            self.stopped.store(true, Ordering::Relaxed);
        }
        (nodes, true)
    }
}
