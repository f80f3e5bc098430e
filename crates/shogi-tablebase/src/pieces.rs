//! The pieces of a closed world.

use std::fmt;
use std::marker::PhantomData;

use shogi_core::{Colour, Fits, Kind, KindSpec, MAX_KINDS, Placement, Role, RuleTable};
use shogi_rules::{Rules as _, Shogi34};

/// The numbers of pieces of each kind in a game, both players together.
///
/// Pieces never leave these games, so the positions of one set form a closed world.
///
/// ```
/// use shogi_rules::{Rules as _, Shogi34};
/// use shogi_tablebase::PieceSet;
/// let set = PieceSet::of(&Shogi34::named_start("GKS")?);
/// assert_eq!(set.to_string(), "P2S2G2K2");
/// assert_eq!(PieceSet::officers("GS"), Some(set));
/// # Ok::<(), shogi_rules::StartError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PieceSet<R: RuleTable> {
    counts: [u8; MAX_KINDS],
    rules: PhantomData<R>,
}

impl<R: RuleTable> PieceSet<R> {
    /// All pieces that the rule table has.
    pub fn full() -> Self {
        let mut counts = [0; MAX_KINDS];
        for kind in Kind::all::<R>() {
            counts[kind.index()] = kind.spec::<R>().count;
        }
        Self { counts, rules: PhantomData }
    }

    /// The pieces on the board and in the hands of a placement.
    pub fn of(placement: &Placement<R>) -> Self {
        let mut counts = [0; MAX_KINDS];
        for kind in Kind::all::<R>() {
            let in_hand = |colour| placement.hand(colour).count(kind);
            let in_hands = in_hand(Colour::Sente) + in_hand(Colour::Gote);
            counts[kind.index()] = placement.kind(kind).len() as u8 + in_hands;
        }
        Self { counts, rules: PhantomData }
    }

    /// Reads the text that `Display` writes: letters of kinds in the order of the rule table, each
    /// with its count, such as `P2G4K2`. `None` if a count exceeds that of the rule table.
    pub fn parse(text: &str) -> Option<Self> {
        let counts = read(text, R::kinds())?;
        Some(Self { counts, rules: PhantomData })
    }

    /// Number of pieces of a kind.
    #[inline]
    pub const fn count<T: Fits<R>>(&self, kind: Kind<T>) -> u8 {
        self.counts[kind.index()]
    }

    /// The kinds of pieces in the set, without the royal one.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = Kind> {
        Kind::all::<R>()
            .filter(|&kind| kind.spec::<R>().role != Role::Royal && self.count(kind) > 0)
    }

    /// Whether there is one royal piece for each player.
    pub(crate) fn has_kings(&self) -> bool {
        has_kings(&self.counts, R::kinds())
    }
}

impl PieceSet<Shogi34> {
    /// The set of 3x4 shogi that two officers name, such as `GG` or `BS`: two of R B G S N L P in
    /// this order.
    pub fn officers(name: &str) -> Option<Self> {
        let start = Shogi34::named_start(&format!("K{name}")).ok()?;
        let set = Self::of(&start);
        (set.officer_names()? == name).then_some(set)
    }

    /// The two officers that name the set, if it is the set of a start.
    pub fn officer_names(&self) -> Option<String> {
        let officers = [
            Shogi34::ROOK,
            Shogi34::BISHOP,
            Shogi34::GOLD,
            Shogi34::SILVER,
            Shogi34::KNIGHT,
            Shogi34::LANCE,
            Shogi34::PAWN,
        ];
        let mut name = String::new();
        for kind in officers {
            let front = if kind == Shogi34::PAWN { 2 } else { 0 };
            let pairs = self.count(kind).checked_sub(front)?;
            if pairs % 2 != 0 {
                return None;
            }
            name.extend((0..pairs / 2).map(|_| kind.spec::<Shogi34>().letter));
        }
        (name.len() == 2 && self.has_kings()).then_some(name)
    }

    /// The names of the starts with these pieces, one of each two mirror images.
    ///
    /// ```
    /// use shogi_tablebase::PieceSet;
    /// let set = PieceSet::officers("GS").expect("a set");
    /// assert_eq!(set.starts(), ["KGS", "KSG", "GKS"]);
    /// ```
    pub fn starts(&self) -> Vec<String> {
        let Some(name) = self.officer_names() else { return Vec::new() };
        let (a, b) = name.split_at(1);
        let mut starts = vec![format!("K{a}{b}"), format!("K{b}{a}"), format!("{a}K{b}")];
        starts.dedup();
        starts
    }
}

impl<R: RuleTable> fmt::Display for PieceSet<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&written(&self.counts, R::kinds()))
    }
}

fn has_kings(counts: &[u8; MAX_KINDS], kinds: &[KindSpec]) -> bool {
    let royal = kinds.iter().zip(counts).filter(|(spec, _)| spec.role == Role::Royal);
    royal.map(|(_, &count)| count).eq([2])
}

/// Reads counts by kind.
fn read(text: &str, kinds: &[KindSpec]) -> Option<[u8; MAX_KINDS]> {
    let mut counts = [0; MAX_KINDS];
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let kind = kinds.iter().position(|spec| spec.letter == letter)?;
        let mut count = 0u8;
        while let Some(digit) = letters.peek().and_then(|digit| digit.to_digit(10)) {
            count = count.checked_mul(10)?.checked_add(digit as u8)?;
            letters.next();
        }
        if count > kinds[kind].count {
            return None;
        }
        counts[kind] = count;
    }
    (written(&counts, kinds) == text).then_some(counts)
}

/// Letters of kinds with their counts.
fn written(counts: &[u8; MAX_KINDS], kinds: &[KindSpec]) -> String {
    let present = kinds.iter().zip(counts).filter(|&(_, &count)| count > 0);
    present.map(|(spec, count)| format!("{}{count}", spec.letter)).collect()
}
