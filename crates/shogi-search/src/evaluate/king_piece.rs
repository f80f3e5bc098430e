//! Piece-square tables for each square of a king.

use std::fmt;
use std::fs;
use std::io;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use shogi_core::{
    Bitboard, Colour, Face, Geometry, Kind, MAX_KINDS, Move, Piece, Position, Square,
};
use shogi_rules::Rules;

use super::{Evaluator, Term, Values};
use crate::packed::{FACES, face_index};

/// The version of the format; other versions are refused.
const VERSION: u32 = 1;
/// What a file says it is.
const FORMAT: &str = "shogi-search king-piece tables";

/// A linear evaluation: each player is credited, for every piece on the board and in a hand, with a
/// number that depends on the piece, its square and where the player's king stands.
///
/// The evaluation is what the player to move is credited with, less what the opponent is. Both see
/// the board from their own side, with the king on the left half or the middle file, so one table
/// serves both; with the king on the middle file the tables that [`fit`](crate::tune::fit) makes are
/// symmetrical. Moves change one to three numbers; only a king's move makes its owner's sum anew.
///
/// The tables of the small boards are in the crate ([`KingPiece::tuned`]); others are made from
/// games, see `docs/engine.md`.
///
/// ```
/// use shogi_rules::{Minishogi, Rules, parse_position};
/// use shogi_search::{Evaluator, KingPiece};
/// let tables = KingPiece::<Minishogi>::tuned().expect("Minishogi has tables");
/// let start = parse_position::<Minishogi>(Minishogi::START)?;
/// let without_bishop = parse_position::<Minishogi>("rbsgk/4p/5/P4/KGS1R b b 1")?;
/// let value = |position| tables.evaluate(&tables.start(position), position);
/// assert!(value(&start) > value(&without_bishop) + 500);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct KingPiece<R> {
    values: Values,
    tempo: i32,
    /// By square of the king and feature, in [`UNITS`](Self::UNITS) to the hundredth of a pawn.
    weights: Vec<i16>,
    origin: String,
    rules: PhantomData<R>,
}

/// A file of tables that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct TablesError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: TablesReason,
}

/// What can be wrong with tables.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TablesReason {
    /// Reading or writing failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The text is not of this format.
    #[error("no tables of an evaluation: {0}")]
    Json(#[from] serde_json::Error),
    /// The text is of another format or version.
    #[error("format {format:?}, version {version}; only {FORMAT:?}, version {VERSION} is known")]
    Format {
        /// The format named.
        format: String,
        /// Its version.
        version: u32,
    },
    /// The tables are of another variant.
    #[error("tables of {found}, not of {expected}")]
    Variant {
        /// The variant of the tables.
        found: String,
        /// The variant asked for.
        expected: &'static str,
    },
    /// The tables have another size than the variant's.
    #[error("{found} numbers instead of {expected}")]
    Size {
        /// Numbers found.
        found: usize,
        /// Numbers needed.
        expected: usize,
    },
    /// The content is not what was written.
    #[error("the checksum does not match: the file was changed or damaged")]
    Checksum,
    /// A number means nothing.
    #[error("the {name} is {value}, which is not between {least} and {most}")]
    Range {
        /// What the number is.
        name: &'static str,
        /// The number, in hundredths of a pawn.
        value: i32,
        /// The least that is read.
        least: i32,
        /// The most that is read.
        most: i32,
    },
}

/// The content of a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    format: String,
    version: u32,
    variant: String,
    /// How the tables were made.
    origin: String,
    /// What each face is worth on the board.
    board: Vec<i32>,
    tempo: i32,
    weights: Vec<i16>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    checksum: String,
}

impl<R> fmt::Debug for KingPiece<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KingPiece")
            .field("values", &self.values)
            .field("weights", &self.weights.len())
            .field("origin", &self.origin)
            .finish()
    }
}

/// The tables in the crate, by the name of the variant; made by `shogi tune`.
const TUNED: [(&str, &str); 3] = [
    ("minishogi", include_str!("tables/minishogi.json")),
    ("kyotoshogi", include_str!("tables/kyotoshogi.json")),
    ("dobutsu", include_str!("tables/dobutsu.json")),
];

impl<R: Rules> KingPiece<R> {
    /// Units of a weight to a hundredth of a pawn.
    pub const UNITS: i32 = 4;
    /// Squares of the king, mirror images folded.
    pub const KINGS: usize =
        (R::Geometry::WIDTH as usize).div_ceil(2) * R::Geometry::HEIGHT as usize;
    /// Most pieces of one kind in a hand that are told apart.
    const MAX_IN_HAND: usize = {
        let (mut most, mut k) = (0, 0);
        while k < R::KINDS.len() {
            if R::KINDS[k].count as usize > most {
                most = R::KINDS[k].count as usize;
            }
            k += 1;
        }
        most
    };
    /// Where the features of hands begin.
    const HANDS: usize = 2 * FACES * R::Geometry::AREA;
    /// Features for each square of the king: a piece's face, owner and square; and for each kind
    /// and owner, whether there is a first, a second, ... in hand.
    pub const FEATURES: usize = Self::HANDS + 2 * MAX_KINDS * Self::MAX_IN_HAND;
    /// All weights.
    pub const COUNT: usize = Self::KINGS * Self::FEATURES;

    /// Tables from weights, by `king * FEATURES + feature`; see [`KingPiece::visit`].
    ///
    /// # Errors
    ///
    /// [`TablesReason::Size`].
    pub fn new(
        values: Values,
        tempo: i32,
        weights: Vec<i16>,
        origin: String,
    ) -> Result<Self, TablesReason> {
        if weights.len() != Self::COUNT {
            return Err(TablesReason::Size { found: weights.len(), expected: Self::COUNT });
        }
        Ok(Self { values, tempo, weights, origin, rules: PhantomData })
    }

    /// How the tables were made.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Calls `feature` with the number of every weight that a player is credited with, each once.
    /// There is none for a player without a king.
    pub fn visit(position: &Position<R>, player: Colour, mut feature: impl FnMut(usize)) {
        let Some(king) = position.king(player) else { return };
        let view = View::<R>::new(player, king);
        for (square, piece) in position.pieces() {
            feature(view.of_piece(square, piece));
        }
        for owner in Colour::ALL {
            let hand = position.hand(owner);
            for kind in Kind::all::<R>() {
                for nth in 0..usize::from(hand.count(kind)) {
                    feature(view.of_hand(owner, kind, nth));
                }
            }
        }
    }

    /// What a player is credited with.
    fn sum(&self, position: &Position<R>, player: Colour) -> i32 {
        let mut sum = 0;
        Self::visit(position, player, |feature| sum += self.weight(feature));
        sum
    }

    #[inline(always)]
    fn weight(&self, feature: usize) -> i32 {
        i32::from(self.weights[feature])
    }

    /// The text of a file.
    pub fn to_json(&self) -> String {
        let board = (0..R::KINDS.len() * 2).map(|i| {
            let kind = Kind::new((i / 2) as u8);
            self.values.board(Face { kind, promoted: i % 2 == 1 })
        });
        let mut tables = Tables {
            format: FORMAT.to_owned(),
            version: VERSION,
            variant: R::NAME.to_owned(),
            origin: self.origin.clone(),
            board: board.collect(),
            tempo: self.tempo,
            weights: self.weights.clone(),
            checksum: String::new(),
        };
        tables.checksum = checksum(&tables);
        to_text(&tables)
    }

    /// Tables from the text of a file.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn from_json(text: &str) -> Result<Self, TablesReason> {
        let mut tables: Tables = serde_json::from_str(text)?;
        if tables.format != FORMAT || tables.version != VERSION {
            return Err(TablesReason::Format { format: tables.format, version: tables.version });
        }
        if tables.variant != R::NAME {
            return Err(TablesReason::Variant { found: tables.variant, expected: R::NAME });
        }
        let claimed = std::mem::take(&mut tables.checksum);
        if checksum(&tables) != claimed {
            return Err(TablesReason::Checksum);
        }
        let faces = 2 * R::KINDS.len();
        if tables.board.len() != faces {
            return Err(TablesReason::Size { found: tables.board.len(), expected: faces });
        }
        let worth = tables.board.iter().map(|&value| ("value of a piece", value, 0));
        let tempo = [("right to move", tables.tempo, -Values::ROYAL)];
        for (name, value, least) in worth.chain(tempo) {
            if !(least..=Values::ROYAL).contains(&value) {
                return Err(TablesReason::Range { name, value, least, most: Values::ROYAL });
            }
        }
        let values = Values::new::<R>(|face| tables.board[face_index(face)]);
        Self::new(values, tables.tempo, tables.weights, tables.origin)
    }

    /// The tables of the crate, for the variants that have some: Minishogi, Kyoto shogi and Dobutsu
    /// shogi. How they were made is in [`KingPiece::origin`].
    pub fn tuned() -> Option<Self> {
        let (_, text) = TUNED.iter().find(|(name, _)| *name == R::NAME)?;
        // Rules of a user's own may have the name of a variant, but then other tables.
        Self::from_json(text).ok()
    }

    /// Tables from a file.
    ///
    /// # Errors
    ///
    /// The file, and what is wrong with it.
    pub fn load(path: &Path) -> Result<Self, TablesError> {
        let read = || Self::from_json(&fs::read_to_string(path)?);
        read().map_err(|reason| TablesError { path: path.to_owned(), reason })
    }
}

fn checksum(tables: &Tables) -> String {
    blake3::hash(to_text(tables).as_bytes()).to_hex().to_string()
}

fn to_text(tables: &Tables) -> String {
    // A struct of strings and numbers is always written.
    serde_json::to_string(tables).unwrap_or_default()
}

/// The board as a player sees it whose king stands on a square.
struct View<R: Rules> {
    player: Colour,
    mirrored: bool,
    /// The first feature of the king's square.
    base: usize,
    rules: PhantomData<R>,
}

impl<R: Rules> View<R> {
    #[inline]
    fn new(player: Colour, king: Square<R::Geometry>) -> Self {
        let seen = own_side(king, player);
        let mirrored = 2 * seen.column() >= R::Geometry::WIDTH + R::Geometry::WIDTH % 2;
        let king = if mirrored { seen.mirror() } else { seen };
        Self { player, mirrored, base: king.index() * KingPiece::<R>::FEATURES, rules: PhantomData }
    }

    #[inline(always)]
    fn of_piece(&self, square: Square<R::Geometry>, piece: Piece) -> usize {
        let seen = own_side(square, self.player);
        let seen = if self.mirrored { seen.mirror() } else { seen };
        let row = usize::from(piece.colour != self.player) * FACES + face_index(piece.face);
        self.base + row * R::Geometry::AREA + seen.index()
    }

    #[inline(always)]
    fn of_hand(&self, owner: Colour, kind: Kind, nth: usize) -> usize {
        let row = usize::from(owner != self.player) * MAX_KINDS + kind.index();
        let nth = nth.min(KingPiece::<R>::MAX_IN_HAND - 1);
        self.base + KingPiece::<R>::HANDS + row * KingPiece::<R>::MAX_IN_HAND + nth
    }
}

/// A square as the player sees it from his side.
#[inline(always)]
fn own_side<G: Geometry>(square: Square<G>, player: Colour) -> Square<G> {
    match player {
        Colour::Sente => square,
        // Turning the board reverses the numbers of the squares.
        Colour::Gote => Square::from_index(G::AREA - 1 - square.index()).unwrap_or(square),
    }
}

impl<R: Rules> Evaluator<R> for KingPiece<R> {
    /// What Sente and Gote are credited with.
    type State = [i32; 2];

    fn start(&self, position: &Position<R>) -> [i32; 2] {
        Colour::ALL.map(|player| self.sum(position, player))
    }

    #[inline]
    fn after(
        &self,
        state: &[i32; 2],
        before: &Position<R>,
        mv: Move<R>,
        after: &Position<R>,
    ) -> [i32; 2] {
        let mover = before.side();
        let to = mv.to();
        let Some(arrived) = after.piece(to) else { return self.start(after) };
        let mut next = *state;
        for player in Colour::ALL {
            let sum = &mut next[player.index()];
            let (Some(king), Some(_)) = (after.king(player), before.king(player)) else {
                *sum = self.sum(after, player);
                continue;
            };
            if arrived.colour == player && Bitboard::of(to).meets(after.royals()) {
                *sum = self.sum(after, player);
                continue;
            }
            let view = View::<R>::new(player, king);
            *sum += self.weight(view.of_piece(to, arrived));
            let hand = |kind| usize::from(before.hand(mover).count(kind));
            match mv {
                Move::Drop { face, .. } => {
                    *sum -= self.weight(view.of_hand(mover, face.kind, hand(face.kind) - 1));
                }
                Move::Board { from, .. } => {
                    if let Some(left) = before.piece(from) {
                        *sum -= self.weight(view.of_piece(from, left));
                    }
                    if let Some(taken) = before.piece(to) {
                        let kind = taken.face.kind;
                        *sum -= self.weight(view.of_piece(to, taken));
                        *sum += self.weight(view.of_hand(mover, kind, hand(kind)));
                    }
                }
            }
        }
        next
    }

    #[inline]
    fn evaluate(&self, state: &[i32; 2], position: &Position<R>) -> i32 {
        let us = position.side();
        (state[us.index()] - state[(!us).index()]) / Self::UNITS + self.tempo
    }

    fn values(&self) -> &Values {
        &self.values
    }

    fn explain(&self, position: &Position<R>) -> Vec<Term> {
        let us = position.side();
        let mut parts = [0; 4];
        for player in Colour::ALL {
            let sign = if player == us { 1 } else { -1 };
            if let Some(king) = position.king(player) {
                let view = View::<R>::new(player, king);
                for (square, piece) in position.pieces() {
                    let part = usize::from(piece.colour != us);
                    parts[part] += sign * self.weight(view.of_piece(square, piece));
                }
                let start = view.base + Self::HANDS;
                Self::visit(position, player, |feature| {
                    if feature >= start {
                        let own = feature - start < MAX_KINDS * Self::MAX_IN_HAND;
                        let part = if own == (player == us) { 2 } else { 3 };
                        parts[part] += sign * self.weight(feature);
                    }
                });
            }
        }
        let total = self.evaluate(&self.start(position), position);
        let parts = parts.map(|part| part / Self::UNITS);
        // Each part is rounded for itself; what that leaves goes with the tempo.
        let rest = total - parts.iter().sum::<i32>();
        let names = ["own pieces", "opponent's pieces", "own hand", "opponent's hand"];
        let mut terms: Vec<_> =
            names.into_iter().zip(parts).map(|(name, value)| Term { name, value }).collect();
        terms.push(Term { name: "right to move", value: rest });
        terms
    }
}

#[cfg(test)]
mod tests {
    use shogi_rules::{Dobutsu, Game, KyotoShogi, Minishogi, Shogi};
    use testing::for_every_variant;
    use testing::random::Random;

    use super::*;

    /// Tables without any pattern.
    fn random<R: Rules>() -> KingPiece<R> {
        let weight = |n: usize| ((n as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52) as i16;
        let weights = (0..KingPiece::<R>::COUNT).map(|n| weight(n) - 2048).collect();
        let values = Values::by_freedom::<R>();
        KingPiece::new(values, 7, weights, "random".to_owned()).unwrap()
    }

    fn follow<R: Rules>(games: u64) {
        let tables = random::<R>();
        let mut random = Random::new(7);
        for _ in 0..games {
            let mut game = Game::<R>::from_start().unwrap();
            let mut state = tables.start(game.position());
            while game.outcome().is_none() && game.moves().len() < 80 {
                let before = *game.position();
                let moves = before.legal_moves();
                let mv = random.pick(&moves);
                game.play(mv).unwrap();
                state = tables.after(&state, &before, mv, game.position());
                assert_eq!(state, tables.start(game.position()));
                let value = tables.evaluate(&state, game.position());
                // The same position with the colours changed is as good.
                let exchanged = game.position().exchange_colours();
                let same = Position::new_allowing(exchanged, shogi_core::Faults::all()).unwrap();
                assert_eq!(tables.evaluate(&tables.start(&same), &same), value);
                let terms = tables.explain(game.position());
                assert_eq!(terms.iter().map(|term| term.value).sum::<i32>(), value);
            }
        }
    }

    for_every_variant!(sums_are_kept_up_to_date: follow(60; shogi: 6));

    #[test]
    fn the_tables_of_the_crate_can_be_read() {
        assert!(KingPiece::<Minishogi>::tuned().is_some());
        assert!(KingPiece::<KyotoShogi>::tuned().is_some());
        assert!(KingPiece::<Dobutsu>::tuned().is_some());
        assert!(KingPiece::<Shogi>::tuned().is_none());
    }

    #[test]
    fn files_come_back_and_damage_is_seen() {
        let tables = random::<Minishogi>();
        let text = tables.to_json();
        assert_eq!(KingPiece::from_json(&text).unwrap(), tables);
        let reason = |text: &str| KingPiece::<Minishogi>::from_json(text).unwrap_err().to_string();
        assert!(reason(&text.replace("\"tempo\":7", "\"tempo\":8")).contains("checksum"));
        assert!(reason(&text.replace("\"version\":1", "\"version\":9")).contains("version 9"));
        assert!(reason(&text[..text.len() / 2]).contains("no tables"));
        // Whole, but too much for sums of values.
        let mut wild: Tables = serde_json::from_str(&text).unwrap();
        (wild.tempo, wild.checksum) = (i32::MAX, String::new());
        wild.checksum = checksum(&wild);
        assert!(reason(&to_text(&wild)).contains("the right to move is 2147483647"));
        let other = KingPiece::<KyotoShogi>::from_json(&text).unwrap_err().to_string();
        assert!(other.contains("minishogi, not of kyotoshogi"));
        let few = KingPiece::<Minishogi>::new(
            Values::by_freedom::<Minishogi>(),
            0,
            vec![0; 3],
            String::new(),
        );
        assert!(few.is_err());
    }
}
