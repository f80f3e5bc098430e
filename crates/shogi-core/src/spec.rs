//! A rule table as a plain value, for variants loaded at run time.

use alloc::vec::Vec;

use crate::hand::Hand;
use crate::kind_rules::{KindRules, Region};
use crate::notation::Dialect;
use crate::table::{Drops, Face, Kind, KindSpec, MAX_KINDS, Promotion, Role};

/// The content of a [`RuleTable`](crate::RuleTable) as owned data: the board, the kinds of pieces and the
/// switches.
///
/// Each field means the same as the corresponding constant of [`RuleTable`](crate::RuleTable).
///
/// ```
/// use shogi_core::{KindSpec, Movement, TableSpec};
/// let judkins = TableSpec {
///     zone: 2,
///     ..TableSpec::new(6, 6, vec![
///         KindSpec::pawn('P', 2, Some(Movement::GOLD)),
///         KindSpec::new('N', 2, Movement::KNIGHT, Some(Movement::GOLD)),
///         KindSpec::new('S', 2, Movement::SILVER, Some(Movement::GOLD)),
///         KindSpec::new('G', 2, Movement::GOLD, None),
///         KindSpec::new('B', 2, Movement::BISHOP, Some(Movement::HORSE)),
///         KindSpec::new('R', 2, Movement::ROOK, Some(Movement::DRAGON)),
///         KindSpec::royal('K'),
///     ])
/// };
/// assert!(judkins.faults().is_empty());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableSpec {
    /// The number of files, at least 1.
    pub width: u8,
    /// The number of ranks, 3 to 15; the board has at most 128 squares.
    pub height: u8,
    /// The kinds of pieces, at most [`MAX_KINDS`], exactly one of them royal.
    pub kinds: Vec<KindSpec>,
    /// When pieces turn over.
    pub promotion: Promotion,
    /// Depth of the promotion zone in ranks, from the far side.
    pub zone: u8,
    /// How many unpromoted pieces of the kinds with [`Role::Pawn`] a player may have on a file, at
    /// least 1; `None` for any number.
    pub pawns_on_a_file: Option<u8>,
    /// Whether a pawn drop may give mate.
    pub allows_drop_pawn_mate: bool,
    /// Whether a piece may move to where it can never move again.
    pub allows_immobile: bool,
    /// Whether a piece may be dropped where it can never move again.
    pub allows_immobile_drops: bool,
    /// `None` if the royal piece must not be left in attack. Otherwise its capture wins and, if this is not 0,
    /// a royal piece that stands unattacked on one of this many ranks at the far side wins, too.
    pub goal: Option<u8>,
    /// If this is not 0, a player whose royal piece, which must be safe, comes to one of this many ranks at the far
    /// side has won. Where the royal piece can be captured, `goal` says this.
    pub safe_goal: u8,
    /// Whether the royal pieces must not face each other along a file or a rank without a piece between them.
    pub forbids_facing_kings: bool,
    /// Whether a player who can capture must.
    pub must_capture: bool,
    /// Rules of single kinds besides: in the order of `kinds`, and empty for those behind the end.
    pub extras: Vec<KindRules>,
    /// The dialect that is written by default.
    pub dialect: Dialect,
    /// Upper-case letters that stand for a face in the lishogi dialect, where they differ from those of the kinds.
    pub letters: Vec<(char, Face)>,
}

/// Why a [`TableSpec`] is not a valid rule table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpecFault {
    /// The board has no file, fewer than 3 or more than 15 ranks, or more than 128 squares.
    #[error(
        "a board has 3 to 15 ranks and at most 128 squares, not {width} files by {height} ranks"
    )]
    Board {
        /// The number of files.
        width: u8,
        /// The number of ranks.
        height: u8,
    },
    /// There are more kinds than [`MAX_KINDS`].
    #[error("{0} kinds of pieces; there is room for {MAX_KINDS}")]
    TooManyKinds(usize),
    /// The number of royal kinds is not one.
    #[error("{0} kinds are royal; exactly one must be")]
    Royals(usize),
    /// The royal piece has a back, or there is not exactly one for each player.
    #[error("the royal piece {0} has one face and is there once for each player")]
    RoyalPiece(char),
    /// There are more pieces of a kind than a hand can hold.
    #[error("{count} pieces of the kind {letter}; a hand holds {most} of the kind in this place")]
    TooManyPieces {
        /// The letter of the kind.
        letter: char,
        /// Number of pieces.
        count: u8,
        /// The most that a hand can hold.
        most: u8,
    },
    /// A letter outside A to Z.
    #[error("{0:?} is no letter from A to Z")]
    NoLetter(char),
    /// A letter stands for two faces.
    #[error("the letter {0} stands for two faces")]
    SameLetter(char),
    /// A letter stands for a face that no piece has.
    #[error("the letter {0} stands for a face that no piece has")]
    NoSuchFace(char),
    /// A piece that is dropped with its back up has no back.
    #[error("the piece {0} is dropped with its back up and has none")]
    NoBack(char),
    /// The zone is deeper than the board.
    #[error("a promotion zone of {zone} ranks on a board of {height}")]
    Zone {
        /// The depth of the zone.
        zone: u8,
        /// The number of ranks.
        height: u8,
    },
    /// The goal is deeper than the board.
    #[error("a goal of {goal} ranks on a board of {height}")]
    Goal {
        /// The depth of the goal.
        goal: u8,
        /// The number of ranks.
        height: u8,
    },
    /// Squares off the board belong to the region of a kind, or no square does.
    #[error("the region of the piece {0} has no squares, or squares off the board")]
    Region(char),
    /// A kind that moves as a pawn for the limits on pawns captures otherwise.
    #[error("the piece {0} is a pawn to the rules on drops, but captures otherwise than it moves")]
    CapturingPawn(char),
    /// There are rules for more kinds than the table has.
    #[error("there are rules for {0} kinds, more than the table has")]
    Extras(usize),
    /// A rule for royal pieces that must be safe, where they can be captured.
    #[error("royal pieces that can be captured have another goal, and may face each other")]
    CapturedRoyals,
    /// No pawn may stand on any file.
    #[error("at least one pawn may stand on a file")]
    NoPawns,
    /// Pawns on a file are limited, but pieces become pawns again as they move.
    #[error("pawns on a file cannot be limited where pieces turn back into pawns")]
    TurningPawns,
    /// Pawns on a file are limited, but they leave it as they move.
    #[error("pawns on a file cannot be limited where the pawn {0} leaves its file")]
    StrayingPawn(char),
}

impl TableSpec {
    /// A table with the rules of standard shogi on a board of this size, the promotion zone one rank deep.
    pub const fn new(width: u8, height: u8, kinds: Vec<KindSpec>) -> Self {
        Self {
            width,
            height,
            kinds,
            promotion: Promotion::Optional,
            zone: 1,
            pawns_on_a_file: Some(1),
            allows_drop_pawn_mate: false,
            allows_immobile: false,
            allows_immobile_drops: false,
            goal: None,
            safe_goal: 0,
            forbids_facing_kings: false,
            must_capture: false,
            extras: Vec::new(),
            dialect: Dialect::Lishogi,
            letters: Vec::new(),
        }
    }

    /// The rules of a kind besides its movements.
    pub fn extra(&self, kind: Kind) -> KindRules {
        self.extras.get(kind.index()).copied().unwrap_or_default()
    }

    /// How many squares the board has.
    pub const fn area(&self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Every reason why this is not a valid rule table; empty if it is valid.
    pub fn faults(&self) -> Vec<SpecFault> {
        let mut faults = Vec::new();
        let (width, height, zone) = (self.width, self.height, self.zone);
        if width == 0 || !(3..=15).contains(&height) || self.area() > 128 {
            faults.push(SpecFault::Board { width, height });
        }
        if zone > height {
            faults.push(SpecFault::Zone { zone, height });
        }
        let goals = self.goal.into_iter().chain([self.safe_goal]);
        if let Some(goal) = goals.into_iter().find(|&goal| goal > height) {
            faults.push(SpecFault::Goal { goal, height });
        }
        if self.goal.is_some() && (self.safe_goal > 0 || self.forbids_facing_kings) {
            faults.push(SpecFault::CapturedRoyals);
        }
        if self.kinds.len() > MAX_KINDS {
            faults.push(SpecFault::TooManyKinds(self.kinds.len()));
        }
        let royals = self.kinds.iter().filter(|kind| kind.role == Role::Royal).count();
        if royals != 1 {
            faults.push(SpecFault::Royals(royals));
        }
        for (index, kind) in self.kinds.iter().take(MAX_KINDS).enumerate() {
            let most = Hand::capacity(Kind::new(index as u8));
            kind_faults(kind, most, &mut faults);
        }
        self.letter_faults(&mut faults);
        self.extra_faults(&mut faults);
        self.limit_faults(&mut faults);
        faults
    }

    /// Adds the faults of the letters.
    fn letter_faults(&self, faults: &mut Vec<SpecFault>) {
        let named =
            |&(_, face): &(char, Face)| self.kinds.get(face.kind.index()).map(|kind| (kind, face));
        for letter in &self.letters {
            if !named(letter).is_some_and(|(kind, face)| !face.promoted || kind.back.is_some()) {
                faults.push(SpecFault::NoSuchFace(letter.0));
            }
        }
        let letters = self.kinds.iter().map(|kind| kind.letter);
        let mut seen = Vec::new();
        for letter in letters.chain(self.letters.iter().map(|&(letter, _)| letter)) {
            if !letter.is_ascii_uppercase() {
                faults.push(SpecFault::NoLetter(letter));
            }
            if seen.contains(&letter) {
                faults.push(SpecFault::SameLetter(letter));
            }
            seen.push(letter);
        }
    }

    /// Adds the faults of the rules of single kinds.
    fn extra_faults(&self, faults: &mut Vec<SpecFault>) {
        if self.extras.len() > self.kinds.len() {
            faults.push(SpecFault::Extras(self.extras.len()));
        }
        let fits = |region: Region| {
            let word = region.word();
            word != 0 && word.checked_shr(self.area() as u32).unwrap_or_default() == 0
        };
        for (kind, extra) in self.kinds.iter().zip(&self.extras) {
            if !extra.region.into_iter().chain(extra.drop_region).all(fits) {
                faults.push(SpecFault::Region(kind.letter));
            }
            if kind.role == Role::Pawn && extra.captures[0].is_some() {
                faults.push(SpecFault::CapturingPawn(kind.letter));
            }
        }
    }

    /// Adds the faults of the limit of pawns on a file.
    fn limit_faults(&self, faults: &mut Vec<SpecFault>) {
        let Some(limit) = self.pawns_on_a_file else { return };
        if limit == 0 {
            faults.push(SpecFault::NoPawns);
        }
        let pawns = || self.kinds.iter().filter(|kind| kind.role == Role::Pawn);
        let turning = matches!(self.promotion, Promotion::EveryMove | Promotion::OnCapture);
        if turning && pawns().next().is_some() {
            faults.push(SpecFault::TurningPawns);
        }
        for pawn in pawns().filter(|pawn| !pawn.front.reach().keeps_its_file()) {
            faults.push(SpecFault::StrayingPawn(pawn.letter));
        }
    }
}

/// Adds the faults of a kind of which a hand holds at most `most`.
fn kind_faults(kind: &KindSpec, most: u8, faults: &mut Vec<SpecFault>) {
    let (letter, count) = (kind.letter, kind.count);
    if kind.role == Role::Royal {
        if kind.back.is_some() || count != 2 {
            faults.push(SpecFault::RoyalPiece(letter));
        }
    } else if count > most {
        faults.push(SpecFault::TooManyPieces { letter, count, most });
    }
    if kind.drops == Drops::Back && kind.back.is_none() {
        faults.push(SpecFault::NoBack(letter));
    }
}
