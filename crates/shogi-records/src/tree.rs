//! The record of a game: the main line and its variations.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use shogi_core::{Colour, Move, Position, RuleTable};

use super::end::{End, Ending};
use shogi_rules::Declaration;
use shogi_rules::Rules;
use shogi_rules::{Game, GameOver, PlayError};

/// The record of one game: a main line, and variations that branch off it or off each other.
///
/// Lines are numbered; the main line is 0, and each line has a higher number than its parent.
///
/// ```
/// use shogi_records::{Branch, End, Record, kif};
/// use shogi_rules::{Shogi, parse_usi};
/// let mut record = Record::<Shogi>::from_start();
/// record.push(parse_usi("7g7f")?)?;
/// record.push(parse_usi("3c3d")?)?;
/// record.end(End::Resignation);
/// // What if the second move had been another one?
/// record.branch(Branch { line: 0, at: 1 });
/// record.push(parse_usi("8c8d")?)?;
/// assert_eq!(record.moves().len(), 2);
/// assert_eq!(record.variations(Branch { line: 0, at: 1 }).collect::<Vec<_>>(), [1]);
/// let text = kif::write(&record)?;
/// assert!(text.ends_with("\n変化：2手\n   2 ８四歩(83)\n"));
/// assert_eq!(kif::parse::<Shogi>(&text)?, record);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Record<R: RuleTable> {
    /// Names and values in order, such as 先手 and a player's name, each on one line.
    pub headers: Vec<(String, String)>,
    /// Comments before the first move, one per line.
    pub comments: Vec<String>,
    /// Bookmarks before the first move, one per line.
    pub bookmarks: Vec<String>,
    /// The number of the first move: 1, or another one if the start is a position of a game.
    pub first_number: u32,
    start: Position<R>,
    /// The main line, then the variations.
    lines: Vec<Line<R>>,
}

/// A place in a record: before a move of a line, or after its last.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Branch {
    /// The number of the line.
    pub line: usize,
    /// The number of the line's own moves before the place.
    pub at: usize,
}

/// A line of play: the main line of a record, or a variation.
#[derive(Clone, Debug)]
pub struct Line<R: RuleTable> {
    branch: Option<Branch>,
    /// The number of moves of the game before the first of this line.
    before: usize,
    start: Position<R>,
    moves: Vec<RecordMove<R>>,
    ending: Option<Ending<R>>,
    last: Position<R>,
    /// The variations of this line, in the order of their beginning.
    left_by: Vec<usize>,
}

/// A move of a recorded game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordMove<R: RuleTable> {
    /// Comments on the move, one per line.
    pub comments: Vec<String>,
    /// Bookmarks after the move, one per line.
    pub bookmarks: Vec<String>,
    /// Seconds of thinking before the move.
    pub seconds: Option<u32>,
    mv: Move<R>,
}

impl<R: RuleTable> RecordMove<R> {
    /// A move without comments.
    pub(super) const fn new(mv: Move<R>) -> Self {
        Self { comments: Vec::new(), bookmarks: Vec::new(), seconds: None, mv }
    }

    /// The move itself.
    pub const fn mv(&self) -> Move<R> {
        self.mv
    }
}

impl<R: RuleTable> Line<R> {
    fn new(branch: Option<Branch>, before: usize, start: Position<R>) -> Self {
        let (moves, left_by) = (Vec::new(), Vec::new());
        Self { branch, before, start, moves, ending: None, last: start, left_by }
    }

    /// The place where a variation branches off another line; `None` for the main line.
    pub const fn branch(&self) -> Option<Branch> {
        self.branch
    }

    /// The number of moves of the game before the first of this line.
    pub const fn moves_before(&self) -> usize {
        self.before
    }

    /// The position before its first move.
    pub const fn start(&self) -> &Position<R> {
        &self.start
    }

    /// The position after its last move.
    pub const fn last(&self) -> &Position<R> {
        &self.last
    }

    /// Its moves in order.
    pub fn moves(&self) -> &[RecordMove<R>] {
        &self.moves
    }

    /// The end of the line, if the record names it.
    pub const fn ending(&self) -> Option<&Ending<R>> {
        self.ending.as_ref()
    }

    /// Its moves in order, each with the position before it.
    pub fn positions(&self) -> impl Iterator<Item = (Position<R>, &RecordMove<R>)> {
        let mut next = self.start;
        self.moves.iter().map(move |one| {
            let position = next;
            next = position.play_unchecked(one.mv);
            (position, one)
        })
    }

    /// Whether nothing has been added to a variation.
    pub(super) fn is_empty(&self) -> bool {
        self.branch.is_some() && self.moves.is_empty() && self.ending.is_none()
    }

    pub(super) const fn ending_mut(&mut self) -> Option<&mut Ending<R>> {
        self.ending.as_mut()
    }

    pub(super) fn move_mut(&mut self, at: usize) -> Option<&mut RecordMove<R>> {
        self.moves.get_mut(at)
    }
}

impl<R: Rules> Record<R> {
    /// A record of a game from the variant's own start.
    ///
    /// # Panics
    ///
    /// As [`Rules::start`].
    pub fn from_start() -> Self {
        Self::new(R::start())
    }

    /// A record without moves from any position.
    pub fn new(start: Position<R>) -> Self {
        let lines = vec![Line::new(None, 0, start)];
        let (headers, comments, bookmarks) = (Vec::new(), Vec::new(), Vec::new());
        Self { headers, comments, bookmarks, first_number: 1, start, lines }
    }

    /// Adds a move to the latest line, and returns it so that its comments and time can be set.
    ///
    /// A variation that begins like its parent line, or like another variation there, branches off
    /// where it first differs.
    ///
    /// # Errors
    ///
    /// If the move is not legal at this place, or the game has ended before it.
    ///
    /// ```
    /// use shogi_records::Record;
    /// use shogi_rules::{Minishogi, parse_usi};
    /// let mut record = Record::<Minishogi>::from_start();
    /// record.push(parse_usi("5d5c")?)?.seconds = Some(3);
    /// assert!(record.push(parse_usi("5c5b")?).is_err());
    /// assert_eq!(record.moves()[0].seconds, Some(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn push(&mut self, mv: Move<R>) -> Result<&mut RecordMove<R>, PlayError> {
        let number = self.lines.len() - 1;
        if let Some(Branch { line, at }) = self.same_as(number, mv) {
            self.move_branch(number, Branch { line, at: at + 1 });
            return Ok(&mut self.lines[line].moves[at]);
        }
        let line = &mut self.lines[number];
        if R::is_over(&line.last)
            && let Some(outcome) = R::ending(&line.last)
        {
            return Err(GameOver(outcome).into());
        }
        line.last = line.last.play(mv)?;
        let at = line.moves.len();
        line.moves.push(RecordMove::new(mv));
        Ok(&mut line.moves[at])
    }

    /// The place of an equal move already in the record, if the line is an empty variation.
    fn same_as(&self, number: usize, mv: Move<R>) -> Option<Branch> {
        let line = &self.lines[number];
        let branch = line.branch.filter(|_| line.moves.is_empty())?;
        let parent = &self.lines[branch.line];
        if parent.moves.get(branch.at).is_some_and(|one| one.mv == mv) {
            return Some(branch);
        }
        let same = |&other: &usize| {
            let other = &self.lines[other];
            other.branch == Some(branch) && other.moves.first().is_some_and(|one| one.mv == mv)
        };
        let other = parent.left_by.iter().copied().find(same)?;
        Some(Branch { line: other, at: 0 })
    }

    /// Moves an empty variation to another place.
    fn move_branch(&mut self, number: usize, branch: Branch) {
        if let Some(before) = self.lines[number].branch {
            self.lines[before.line].left_by.retain(|&other| other != number);
        }
        let parent = &mut self.lines[branch.line];
        parent.left_by.push(number);
        let mut start = parent.start;
        for one in &parent.moves[..branch.at] {
            start = start.play_unchecked(one.mv);
        }
        let before = parent.before + branch.at;
        self.lines[number] = Line::new(Some(branch), before, start);
    }

    /// Begins a variation, which branches off a line before one of its moves or after the last. Later
    /// additions go to it.
    ///
    /// A place that the record does not have means the last place of its last line.
    pub fn branch(&mut self, branch: Branch) {
        self.drop_empty();
        let mut branch = branch;
        branch.line = branch.line.min(self.lines.len() - 1);
        branch.at = branch.at.min(self.lines[branch.line].moves.len());
        while let (0, Some(parent)) = (branch.at, self.lines[branch.line].branch) {
            branch = parent;
        }
        self.lines.push(Line::new(None, 0, self.start));
        self.move_branch(self.lines.len() - 1, branch);
    }

    /// Takes back an empty variation.
    pub(super) fn drop_empty(&mut self) {
        let number = self.lines.len() - 1;
        if self.lines[number].is_empty() {
            if let Some(Branch { line, .. }) = self.lines[number].branch {
                self.lines[line].left_by.retain(|&other| other != number);
            }
            self.lines.pop();
        }
    }

    /// Sets the end of the latest line.
    ///
    /// If the ending does not name its player, it gets the player whom this end usually concerns: see
    /// [`End`].
    ///
    /// ```
    /// use shogi_records::{End, Ending, Record};
    /// use shogi_rules::Shogi;
    /// use shogi_rules::shogi_core::Colour;
    /// let mut record = Record::<Shogi>::from_start();
    /// record.end(Ending { seconds: Some(5), ..End::Resignation.into() });
    /// assert_eq!(record.ending().and_then(|ending| ending.by), Some(Colour::Sente));
    /// assert_eq!(record.winner(), Some(Colour::Gote));
    /// ```
    pub fn end(&mut self, ending: impl Into<Ending<R>>) {
        let mut ending = ending.into();
        let number = self.lines.len() - 1;
        let line = &mut self.lines[number];
        ending.by = ending.by.or_else(|| ending.end.usually_by(line.last.placement().side()));
        line.ending = Some(ending);
    }

    /// The position before the first move.
    pub const fn start(&self) -> &Position<R> {
        &self.start
    }

    /// The position after the last move of the main line.
    pub fn last(&self) -> &Position<R> {
        &self.lines[0].last
    }

    /// The moves of the main line in order.
    pub fn moves(&self) -> &[RecordMove<R>] {
        &self.lines[0].moves
    }

    /// The moves of the main line, to set their comments and times.
    pub fn moves_mut(&mut self) -> impl Iterator<Item = &mut RecordMove<R>> {
        self.lines[0].moves.iter_mut()
    }

    /// The end of the game, if the record names it.
    pub fn ending(&self) -> Option<&Ending<R>> {
        self.lines[0].ending()
    }

    /// All lines, the main line first.
    pub fn lines(&self) -> &[Line<R>] {
        &self.lines
    }

    /// The numbers of the variations that begin at a place, in the order of the record.
    pub fn variations(&self, branch: Branch) -> impl Iterator<Item = usize> + '_ {
        let left_by = self.lines.get(branch.line).map_or(&[][..], |line| &line.left_by);
        left_by.iter().copied().filter(move |&number| self.lines[number].branch == Some(branch))
    }

    /// The winner of the game, if the record names one. A declaration wins only if the variant's rule
    /// on impasse confirms it.
    pub fn winner(&self) -> Option<Colour> {
        self.winner_of(0)
    }

    pub(super) fn winner_of(&self, number: usize) -> Option<Colour> {
        let line = &self.lines[number];
        let Ending { end, by, .. } = line.ending.as_ref()?;
        let by = (*by)?;
        match end {
            End::Declaration => {
                let declaration = Declaration::counting_odds(line.last.placement());
                if declaration.declarer != by {
                    return None;
                }
                R::impasse()?.declared(&declaration).winner()
            }
            End::Try => Some(by),
            _ => Some(!by),
        }
    }

    /// The moves of the main line in order, each with the position before it.
    ///
    /// ```
    /// use shogi_records::usi;
    /// use shogi_rules::{Minishogi, to_sfen};
    /// let record = usi::parse::<Minishogi>("position startpos moves 5d5c 2a3b")?;
    /// let boards: Vec<_> = record.positions().map(|(position, _)| to_sfen(&position)).collect();
    /// assert_eq!(boards, ["rbsgk/4p/5/P4/KGSBR b - 1", "rbsgk/4p/P4/5/KGSBR w - 1"]);
    /// # Ok::<(), shogi_records::RecordError>(())
    /// ```
    pub fn positions(&self) -> impl Iterator<Item = (Position<R>, &RecordMove<R>)> {
        self.lines[0].positions()
    }
}

impl<R: RuleTable> Record<R> {
    /// The numbers of all lines with content, in the order of KIF: after each line follow its
    /// variations, those of its last moves first.
    pub(super) fn order(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.lines.len());
        let mut waiting = vec![0];
        while let Some(number) = waiting.pop() {
            order.push(number);
            // With their places, so that variations of the same move keep their order.
            let mut next = Vec::new();
            for (place, &other) in self.lines[number].left_by.iter().enumerate() {
                let at = self.lines[other].branch.map(|branch| Reverse(branch.at));
                next.push((at, place, other));
            }
            next.sort_unstable();
            waiting.extend(next.into_iter().rev().map(|(_, _, other)| other));
        }
        order.retain(|&number| !self.lines[number].is_empty());
        order
    }

    pub(super) const fn lines_mut(&mut self) -> &mut Vec<Line<R>> {
        &mut self.lines
    }
}

impl<R: RuleTable> PartialEq for Record<R> {
    /// Compares the content; the order in which lines were begun counts only for variations at the
    /// same place.
    fn eq(&self, other: &Self) -> bool {
        fn head<R: RuleTable>(record: &Record<R>) -> (&[(String, String)], &[String], &[String]) {
            (&record.headers, &record.comments, &record.bookmarks)
        }
        let (order, theirs) = (self.order(), other.order());
        let is_same_start = self.start == other.start && self.first_number == other.first_number;
        if !is_same_start || head(self) != head(other) || order.len() != theirs.len() {
            return false;
        }
        // For each line of this record, the matching line of the other.
        let mut matching = vec![0; self.lines.len()];
        for (&own, &their) in order.iter().zip(&theirs) {
            matching[own] = their;
            let (one, another) = (&self.lines[own], &other.lines[their]);
            let branch = one.branch.map(|Branch { line, at }| Branch { line: matching[line], at });
            if branch != another.branch
                || one.moves != another.moves
                || one.ending != another.ending
            {
                return false;
            }
        }
        true
    }
}

impl<R: RuleTable> Eq for Record<R> {}

impl<R: Rules> From<&Game<R>> for Record<R> {
    /// The record of a game, with its end if it is over.
    ///
    /// ```
    /// use shogi_records::{End, Record, kif};
    /// use shogi_rules::{Game, Shogi, parse_usi};
    /// let mut game = Game::<Shogi>::from_start();
    /// for usi in ["2h3h", "8b7b", "3h2h", "7b8b"].repeat(3) {
    ///     game.play(parse_usi(usi)?)?;
    /// }
    /// let record = Record::from(&game);
    /// assert_eq!(record.ending().map(|ending| &ending.end), Some(&End::Repetition));
    /// assert!(kif::write(&record)?.ends_with("  13 千日手\nまで12手で千日手\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn from(game: &Game<R>) -> Self {
        let mut record = Self::new(game.positions()[0]);
        record.first_number = game.first_number();
        for &mv in game.moves() {
            // The game has played the same moves by the same rules.
            if record.push(mv).is_err() {
                break;
            }
        }
        if let Some(outcome) = game.outcome() {
            record.end(outcome);
        }
        record
    }
}
