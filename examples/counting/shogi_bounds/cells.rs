//! What may stand on each square if Sente's pieces must not give check to Gote's king, square by square.

use shogi_core::{
    Bitboard, Colour, Face, Geometry, Kind, Role, RuleTable, Square, Step, face_attacks,
    step_attacks,
};

/// A king placed or not, pawns of either player on the file, three lines to Gote's king.
pub const STATES: usize = 2 * 4 * 8;

/// The state with Sente's king or not, with these pawns on the file, and with these bits for the lines.
const fn state(king: usize, pawns: usize, lines: usize) -> usize {
    (king * 4 + pawns) * 8 + lines
}

/// The state at the beginning, and the one that is left at the end.
pub const BEGIN: usize = state(0, 0, 0);
pub const END: usize = state(1, 0, 0);

/// Sums of states that go over into another, with a factor.
pub type Flow = Vec<(usize, usize, u64)>;

/// What a square adds.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Without a piece that is counted: an empty square, or Sente's king.
    pub bare: Flow,
    /// With a piece of each kind.
    pub with: Vec<Flow>,
    /// Whether the next square is on another file, where all begins without pawns.
    pub ends_file: bool,
}

/// What stands on a square of a line to Gote's king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Content {
    Empty,
    /// It sees Gote's king along the line.
    Attacker,
    Other,
}

/// A square of a line to Gote's king, seen in the order of squares.
///
/// Where the order comes nearer, the line's bit says that the last piece so far is an attacker; where it goes
/// away, that the line is still open.
#[derive(Clone, Copy, Debug)]
struct Line {
    bit: usize,
    comes_nearer: bool,
    is_adjacent: bool,
    /// No further square of the line follows.
    is_last: bool,
}

impl Line {
    /// The bit after this square; `None` if Gote's king is attacked.
    const fn next(self, content: Content, bit: bool) -> Option<bool> {
        match (content, self.comes_nearer, self.is_adjacent) {
            (Content::Other, _, _) => Some(false),
            (Content::Empty, true, false) => Some(bit),
            (Content::Attacker, true, false) => Some(true),
            (Content::Empty, true, true) => {
                if bit {
                    None
                } else {
                    Some(false)
                }
            }
            (Content::Empty, false, true) => Some(!self.is_last),
            (Content::Empty, false, false) => Some(bit && !self.is_last),
            (Content::Attacker, false, false) => {
                if bit {
                    None
                } else {
                    Some(false)
                }
            }
            (Content::Attacker, _, true) => None,
        }
    }
}

/// The kinds that are counted: all but the king.
pub fn kinds<R: RuleTable>() -> Vec<Kind> {
    Kind::all::<R>().filter(|kind| kind.spec::<R>().role != Role::Royal).collect()
}

/// All squares but that of Gote's king, file by file, with what may stand there so that Sente gives no check.
pub fn cells<R: RuleTable>(gote: Square<R::Geometry>) -> Vec<Cell> {
    let mut squares: Vec<_> =
        Square::<R::Geometry>::all().filter(|&square| square != gote).collect();
    squares.sort_by_key(|square| (square.column(), square.rank()));
    let mut live = [false; STATES];
    live[BEGIN] = true;
    let mut cells = Vec::new();
    for (index, &square) in squares.iter().enumerate() {
        let ends_file = squares.get(index + 1).is_none_or(|next| next.column() != square.column());
        let cell = cell::<R>(square, gote, ends_file, &live);
        live = [false; STATES];
        for &(_, to, _) in cell.with.iter().flatten().chain(&cell.bare) {
            live[if ends_file { without_pawns(to) } else { to }] = true;
        }
        cells.push(cell);
    }
    cells
}

/// A state without pawns on the file.
pub const fn without_pawns(state: usize) -> usize {
    state / 32 * 32 + state % 8
}

/// The place of a square on a line to Gote's king, if it is on one.
fn line<G: Geometry>(square: Square<G>, gote: Square<G>) -> Option<Line> {
    let away = |one: u8, other: u8| i32::from(one) - i32::from(other);
    let (x, y) = (away(square.column(), gote.column()), away(square.rank(), gote.rank()));
    if x != 0 && y != 0 && x.abs() != y.abs() {
        return None;
    }
    let beyond = [(gote.column(), x, G::WIDTH), (gote.rank(), y, G::HEIGHT)];
    let is_end = beyond.iter().any(|&(king, away, size)| {
        let next = i32::from(king) + away + away.signum();
        away != 0 && !(0..size as i32).contains(&next)
    });
    let comes_nearer = x < 0 || (x == 0 && y < 0);
    let is_adjacent = x.abs().max(y.abs()) == 1;
    // On a file beside the king's there are three lines, on the king's one after the other.
    let bit = if x == 0 { 0 } else { (y.signum() + 1) as usize };
    Some(Line { bit, comes_nearer, is_adjacent, is_last: is_end })
}

fn cell<R: RuleTable>(
    square: Square<R::Geometry>,
    gote: Square<R::Geometry>,
    ends_file: bool,
    live: &[bool; STATES],
) -> Cell {
    let line = line(square, gote);
    let flow = |content: Content, pawn: usize, king: usize, factor: u64, to: &mut Flow| {
        for from in (0..STATES).filter(|&from| live[from]) {
            let (before, pawns, lines) = (from / 32, from / 8 % 4, from % 8);
            if before & king != 0 || pawns & pawn != 0 {
                continue;
            }
            let mut after = lines;
            if let Some(line) = line {
                let bit = 1 << line.bit;
                let Some(is_set) = line.next(content, lines & bit != 0) else { continue };
                after = if is_set { lines | bit } else { lines & !bit };
            }
            let state = state(before | king, pawns | pawn, after);
            match to.iter_mut().find(|(one, other, _)| (*one, *other) == (from, state)) {
                Some((_, _, sum)) => *sum += factor,
                None => to.push((from, state, factor)),
            }
        }
    };
    let mut bare = Flow::new();
    flow(Content::Empty, 0, 0, 1, &mut bare);
    if !step_attacks(Step::King, Colour::Sente, square).contains(gote) {
        flow(Content::Other, 0, 1, 1, &mut bare);
    }
    let mut with = Vec::new();
    for kind in kinds::<R>() {
        let mut to = Flow::new();
        for colour in Colour::ALL {
            for face in [Face::front(kind), Face::back(kind)] {
                let Some(content) = content::<R>(face, colour, square, gote, line) else {
                    continue;
                };
                let is_pawn = !face.promoted && is_pawn::<R>(face);
                let pawn = if is_pawn { 1 << colour.index() } else { 0 };
                flow(content, pawn, 0, 1, &mut to);
            }
        }
        with.push(to);
    }
    Cell { bare, with, ends_file }
}

/// Whether two of this face must not stand on a file.
fn is_pawn<R: RuleTable>(face: Face) -> bool {
    face.kind.spec::<R>().role == Role::Pawn
}

/// What a piece is for a line to Gote's king; `None` if it cannot stand there.
fn content<R: RuleTable>(
    face: Face,
    colour: Colour,
    square: Square<R::Geometry>,
    gote: Square<R::Geometry>,
    line: Option<Line>,
) -> Option<Content> {
    let movement = face.movement::<R>()?;
    let sight = face_attacks::<R>((face, movement), colour, square, Bitboard::EMPTY);
    if sight.is_empty() {
        return None;
    }
    if colour == Colour::Gote || !sight.contains(gote) {
        return Some(Content::Other);
    }
    // A step or a jump cannot be blocked.
    line.filter(|line| !line.is_adjacent).map(|_| Content::Attacker)
}
