//! Board, hands and side to move: a position without its history and without a key.

use core::{fmt, iter};

use crate::attack::{between, slide_lines, step_attacks};
use crate::bitboard::Bitboard;
use crate::colour::Colour;
use crate::hand::Hand;
use crate::kind::Letters;
use crate::movement::{Slide, Step};
use crate::special::Special;
use crate::square::{Place, Square};
use crate::table::{AnyTable, Face, Fits, Kind, MAX_KINDS, Promotion, Role, RuleTable};

/// A piece on the board: a face and its owner. Like its [`Kind`], it belongs to a rule table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece<R = AnyTable> {
    /// The face that is up.
    pub face: Face<R>,
    /// The owner.
    pub colour: Colour,
}

impl<R: Letters> fmt::Debug for Piece<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Piece").field("face", &self.face).field("colour", &self.colour).finish()
    }
}

/// The pieces on the board and in hand and the player to move; papers call this a position.
///
/// One bitboard for each kind, one for all pieces with their back up and one for each player; a
/// piece's face is its kind together with its side up, as with the physical pieces. Nothing here
/// has to be legal: see [`Placement::faults`]. [`Position`](crate::Position) adds a key.
///
/// ```
/// use shogi_core::Colour;
/// use shogi_rules::{Minishogi, Rules};
///
/// let placement = *Minishogi::start().placement();
/// assert_eq!(placement.of(Colour::Sente).len(), 6);
/// assert!(placement.king(Colour::Gote).is_some() && !placement.in_check(Colour::Sente));
/// assert_eq!(placement.exchange_colours().exchange_colours(), placement);
/// ```
#[derive(Copy, PartialEq, Eq, Hash)]
pub struct Placement<R: RuleTable> {
    pub(crate) kinds: [Bitboard<R::Geometry>; MAX_KINDS],
    pub(crate) promoted: Bitboard<R::Geometry>,
    pub(crate) colours: [Bitboard<R::Geometry>; 2],
    pub(crate) hands: [Hand; 2],
    pub(crate) side: Colour,
}

// A derived implementation would compare the fields one by one.
impl<R: RuleTable> Clone for Placement<R> {
    fn clone(&self) -> Self {
        *self
    }
}

/// Which kinds have which movements, as bit masks over the kinds.
pub(crate) struct Groups<R>(core::marker::PhantomData<R>);

impl<R: RuleTable> Groups<R> {
    /// For each step pattern: kinds with it on the front and on the back.
    const STEPS: [(u8, u8); 8] = Self::group(true);
    /// For each slide pattern: likewise.
    const SLIDES: [(u8, u8); 8] = Self::group(false);
    /// No piece is of a kind with this number or a higher one. The kinds of a table loaded at run time are not known
    /// here.
    const MOST: usize = if R::KINDS.is_empty() { MAX_KINDS } else { R::KINDS.len() };
    /// The royal kind.
    pub(crate) const ROYAL: Option<Kind> = {
        let (mut royal, mut k) = (None, 0);
        while k < R::KINDS.len() {
            if matches!(R::KINDS[k].role, Role::Royal) {
                assert!(royal.is_none(), "a rule table has one royal kind");
                royal = Some(Kind::new(k as u8));
            }
            k += 1;
        }
        royal
    };
    /// Kinds that are pawns.
    pub(crate) const PAWNS: u8 = {
        let (mut pawns, mut k) = (0, 0);
        while k < R::KINDS.len() {
            if matches!(R::KINDS[k].role, Role::Pawn) {
                pawns |= 1 << k;
            }
            k += 1;
        }
        pawns
    };
    /// Whether all of them treat left and right alike.
    pub(crate) const ARE_MIRROR_SYMMETRIC: bool = {
        let (mut symmetric, mut k) = (true, 0);
        while k < R::KINDS.len() {
            symmetric = symmetric && R::KINDS[k].is_mirror_symmetric();
            k += 1;
        }
        symmetric
    };

    /// Whether every pawn stays on its file.
    const PAWNS_KEEP_THEIR_FILES: bool = {
        let (mut keep, mut k) = (true, 0);
        while k < R::KINDS.len() {
            let pawn = matches!(R::KINDS[k].role, Role::Pawn);
            keep = keep && !(pawn && !R::KINDS[k].front.reach().keeps_its_file());
            k += 1;
        }
        keep
    };

    const fn group(steps: bool) -> [(u8, u8); 8] {
        assert!(R::KINDS.len() <= MAX_KINDS, "a rule table has at most eight kinds");
        assert!(
            R::ALLOWS_NIFU || !matches!(R::PROMOTION, Promotion::EveryMove | Promotion::OnCapture),
            "nifu cannot be forbidden where a turning piece may become a pawn"
        );
        assert!(
            R::ALLOWS_NIFU || Self::PAWNS_KEEP_THEIR_FILES,
            "nifu cannot be forbidden where a pawn leaves its file"
        );
        let mut groups = [(0, 0); 8];
        let mut k = 0;
        while k < R::KINDS.len() {
            let front = R::KINDS[k].front;
            groups[if steps { front.step as usize } else { front.slide as usize }].0 |= 1 << k;
            if let Some(back) = R::KINDS[k].back {
                groups[if steps { back.step as usize } else { back.slide as usize }].1 |= 1 << k;
            }
            k += 1;
        }
        groups
    }
}

impl<R: RuleTable> Placement<R> {
    /// An empty board with empty hands, Sente to move.
    pub const EMPTY: Self = Self {
        kinds: [Bitboard::EMPTY; MAX_KINDS],
        promoted: Bitboard::EMPTY,
        colours: [Bitboard::EMPTY; 2],
        hands: [Hand::EMPTY; 2],
        side: Colour::Sente,
    };

    /// A placement from whole sets of squares; unranking fills them many pieces at a time.
    ///
    /// The parts must agree: each square of a kind belongs to just one kind and one player, and
    /// only occupied squares are promoted. Otherwise the queries contradict each other.
    #[inline(always)]
    pub const fn from_parts(
        kinds: [Bitboard<R::Geometry>; MAX_KINDS],
        promoted: Bitboard<R::Geometry>,
        colours: [Bitboard<R::Geometry>; 2],
        hands: [Hand; 2],
        side: Colour,
    ) -> Self {
        Self { kinds, promoted, colours, hands, side }
    }

    /// The player to move.
    #[inline(always)]
    pub const fn side(&self) -> Colour {
        self.side
    }

    /// Changes the player to move.
    pub const fn set_side(&mut self, side: Colour) {
        self.side = side;
    }

    /// A player's hand.
    #[inline(always)]
    pub const fn hand(&self, colour: Colour) -> Hand {
        self.hands[colour.index()]
    }

    /// A player's hand, to be changed.
    #[inline(always)]
    pub const fn hand_mut(&mut self, colour: Colour) -> &mut Hand {
        &mut self.hands[colour.index()]
    }

    /// All squares with a piece.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard<R::Geometry> {
        self.colours[0] | self.colours[1]
    }

    /// Squares with pieces of one player.
    #[inline(always)]
    pub fn of(&self, colour: Colour) -> Bitboard<R::Geometry> {
        self.colours[colour.index()]
    }

    /// Number of pieces of a kind that a player has in hand.
    ///
    /// ```compile_fail,E0277
    /// use shogi_rules::shogi_core::Colour;
    /// use shogi_rules::{Minishogi, Rules, Shogi};
    /// // In shogi the kind with this number is the knight.
    /// Shogi::start().in_hand(Colour::Sente, Minishogi::GOLD);
    /// ```
    #[inline(always)]
    pub fn in_hand<T: Fits<R>>(&self, colour: Colour, kind: Kind<T>) -> u8 {
        self.hand(colour).count(kind.any())
    }

    /// Squares with pieces of one kind, either face, either player.
    #[inline(always)]
    pub fn kind<T: Fits<R>>(&self, kind: Kind<T>) -> Bitboard<R::Geometry> {
        self.kinds[kind.index()]
    }

    /// Squares with a piece whose back is up.
    #[inline(always)]
    pub fn promoted(&self) -> Bitboard<R::Geometry> {
        self.promoted
    }

    /// Squares with this face, either player.
    #[inline(always)]
    pub fn face<T: Fits<R>>(&self, face: Face<T>) -> Bitboard<R::Geometry> {
        let kind = self.kind(face.kind);
        if face.promoted { kind & self.promoted } else { kind - self.promoted }
    }

    /// Squares of the royal pieces, both players.
    #[inline(always)]
    pub fn royals(&self) -> Bitboard<R::Geometry> {
        R::royal().map_or(Bitboard::EMPTY, |kind| self.kind(kind))
    }

    /// Squares of unpromoted pawns, both players.
    #[inline(always)]
    pub fn pawns(&self) -> Bitboard<R::Geometry> {
        self.of_kinds(R::pawn_kinds()) - self.promoted
    }

    /// The royal piece of a player, if it is on the board.
    #[inline(always)]
    pub fn king(&self, colour: Colour) -> Option<Square<R::Geometry>> {
        (self.royals() & self.of(colour)).first()
    }

    #[inline(always)]
    fn of_kinds(&self, mask: u8) -> Bitboard<R::Geometry> {
        let mut set = Bitboard::EMPTY;
        for (k, squares) in self.kinds.iter().enumerate() {
            if mask >> k & 1 == 1 {
                set |= *squares;
            }
        }
        set
    }

    #[inline(always)]
    fn of_faces(&self, (fronts, backs): (u8, u8)) -> Bitboard<R::Geometry> {
        if fronts == backs {
            return self.of_kinds(fronts);
        }
        (self.of_kinds(fronts) - self.promoted) | (self.of_kinds(backs) & self.promoted)
    }

    /// The face of the piece known to stand on a square.
    #[inline(always)]
    pub(crate) fn face_on(&self, square: Square<R::Geometry>) -> Face {
        match square.place() {
            Place::Whole => self.face_where(|set| set.contains(square)),
            Place::Low(bit) => self.face_where(|set| set.halves()[0] & bit != 0),
            Place::High(bit) => self.face_where(|set| set.halves()[1] & bit != 0),
        }
    }

    /// The face of the royal piece known to stand on a square, which need not be looked at if it cannot turn over.
    #[inline(always)]
    pub(crate) fn royal_face(&self, square: Square<R::Geometry>) -> Face {
        match R::royal() {
            Some(kind) if kind.spec::<R>().back.is_none() => Face::front(kind),
            _ => self.face_on(square),
        }
    }

    /// The face of the piece on the square for which `holds` says whether a set has it.
    #[inline(always)]
    fn face_where(&self, holds: impl Fn(Bitboard<R::Geometry>) -> bool) -> Face {
        let mut kind = 0;
        for k in 1..Groups::<R>::MOST {
            if holds(self.kinds[k]) {
                kind = k as u8;
            }
        }
        Face { kind: Kind::new(kind), promoted: holds(self.promoted) }
    }

    /// The piece on a square.
    #[inline]
    pub fn piece(&self, square: Square<R::Geometry>) -> Option<Piece> {
        match square.place() {
            Place::Whole => self.piece_where(|set| set.contains(square)),
            Place::Low(bit) => self.piece_where(|set| set.halves()[0] & bit != 0),
            Place::High(bit) => self.piece_where(|set| set.halves()[1] & bit != 0),
        }
    }

    /// The piece on the square for which `holds` says whether a set has it.
    #[inline(always)]
    fn piece_where(&self, holds: impl Fn(Bitboard<R::Geometry>) -> bool) -> Option<Piece> {
        let colour = if holds(self.of(Colour::Sente)) {
            Colour::Sente
        } else if holds(self.of(Colour::Gote)) {
            Colour::Gote
        } else {
            return None;
        };
        Some(Piece { face: self.face_where(holds), colour })
    }

    /// The piece on a square, of the type of the rule table, so that it is shown by its letter.
    ///
    /// ```
    /// use shogi_rules::{Minishogi, Rules};
    /// let start = Minishogi::start();
    /// let found = start.piece_on("4e".parse()?).ok_or("nothing")?;
    /// assert_eq!(format!("{found:?}"), "Piece { face: G, colour: Sente }");
    /// assert_eq!(found.face.kind, Minishogi::GOLD);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn piece_on(&self, square: Square<R::Geometry>) -> Option<Piece<R>> {
        let Piece { face, colour } = self.piece(square)?;
        Some(Piece { face: face.typed(), colour })
    }

    /// Puts a piece on an empty square.
    #[inline(always)]
    pub fn put<T: Fits<R>>(&mut self, square: Square<R::Geometry>, piece: Piece<T>) {
        let bit = Bitboard::of(square);
        self.kinds[piece.face.kind.index()] |= bit;
        self.colours[piece.colour.index()] |= bit;
        if piece.face.promoted {
            self.promoted |= bit;
        }
    }

    /// Removes and returns the piece on a square.
    #[inline(always)]
    pub fn lift(&mut self, square: Square<R::Geometry>) -> Option<Piece> {
        let piece = self.piece(square)?;
        self.clear(square);
        Some(piece)
    }

    /// Empties all the given squares; the hands stay as they are.
    #[inline(always)]
    pub fn remove(&mut self, squares: Bitboard<R::Geometry>) {
        self.change_sets(|set| set - squares);
    }

    /// Empties a square. Takes the bit out of every set, which is cheaper than to find the few it
    /// is in.
    #[inline(always)]
    pub(crate) fn clear(&mut self, square: Square<R::Geometry>) {
        self.remove(Bitboard::of(square));
    }

    /// Moves what stands on `from`, if anything, to the empty square `to`, and turns it over if
    /// `turn` is set, without looking up which piece it is.
    #[inline(always)]
    pub(crate) fn relocate(
        &mut self,
        from: Square<R::Geometry>,
        to: Square<R::Geometry>,
        turn: bool,
    ) {
        self.change_sets(|set| set.moved(from, to));
        if turn {
            self.promoted ^= Bitboard::of(to);
        }
    }

    /// Applies a change to every set of squares, without branches, so that it is vectorized.
    #[inline(always)]
    fn change_sets(&mut self, change: impl Fn(Bitboard<R::Geometry>) -> Bitboard<R::Geometry>) {
        for set in &mut self.kinds {
            *set = change(*set);
        }
        for set in &mut self.colours {
            *set = change(*set);
        }
        self.promoted = change(self.promoted);
    }

    /// All squares with a piece, and the piece, in order of the squares.
    pub fn pieces(&self) -> impl Iterator<Item = (Square<R::Geometry>, Piece)> {
        let mut squares = self.occupied();
        iter::from_fn(move || {
            let square = squares.pop()?;
            Some((square, self.piece(square)?))
        })
    }

    /// The pieces of `by` that attack `target`, with `occupied` as the occupied squares.
    ///
    /// Each group of faces that move alike is looked up once, by the attacks of that movement from the
    /// target.
    #[inline]
    pub fn attackers(
        &self,
        target: Square<R::Geometry>,
        by: Colour,
        occupied: Bitboard<R::Geometry>,
    ) -> Bitboard<R::Geometry> {
        let mut set = R::leapers(self, target, by);
        // Sliders are seldom on a line with the target, and mostly blocked if they are.
        for sniper in self.snipers(target, by) {
            if !between(target, sniper).meets(occupied) {
                set.insert(sniper);
            }
        }
        set
    }

    /// The pieces of `by` that step or jump to `target`, by the constants of the rule table.
    #[inline(always)]
    pub(crate) fn known_leapers(
        &self,
        target: Square<R::Geometry>,
        by: Colour,
    ) -> Bitboard<R::Geometry> {
        let mut set = Bitboard::EMPTY;
        macro_rules! steps {
            ($($step:ident)*) => {$(
                let group = Groups::<R>::STEPS[Step::$step as usize];
                if group != (0, 0) {
                    set |= step_attacks(Step::$step, !by, target) & self.of_faces(group);
                }
            )*};
        }
        steps!(Pawn Knight Silver Gold King Orthogonal Diagonal);
        if const { Special::<R>::ANY } {
            crate::for_each_face!(R, |face, movement| {
                if movement.is_special() {
                    set |= Special::<R>::leaps(face, !by, target) & self.face(face);
                }
            });
        }
        set & self.of(by)
    }

    /// The squares on which a piece can stop the check that a piece gives: between it and the king, unless it
    /// jumps there.
    #[inline(always)]
    pub fn interposing_squares(
        &self,
        king: Square<R::Geometry>,
        checker: Square<R::Geometry>,
    ) -> Bitboard<R::Geometry> {
        let line = between(king, checker);
        if R::jumps_along_lines()
            && !line.is_empty()
            && let Some(Piece { face, colour }) = self.piece(checker)
            && let Some(movement) = face.movement::<R>()
            && R::leaps((face, movement), colour, checker).contains(king)
        {
            return Bitboard::EMPTY;
        }
        line
    }

    /// Whether `by` attacks `target`, with `occupied` as the occupied squares.
    #[inline]
    pub fn attacked(
        &self,
        target: Square<R::Geometry>,
        by: Colour,
        occupied: Bitboard<R::Geometry>,
    ) -> bool {
        !self.attackers(target, by, occupied).is_empty()
    }

    /// Whether a player's royal piece is on the board and attacked.
    #[inline]
    pub fn in_check(&self, colour: Colour) -> bool {
        self.king(colour).is_some_and(|king| self.attacked(king, !colour, self.occupied()))
    }

    /// Sliding pieces of `by` that would attack `target` on an otherwise empty board.
    #[inline(always)]
    pub fn snipers(&self, target: Square<R::Geometry>, by: Colour) -> Bitboard<R::Geometry> {
        R::snipers(self, target, by)
    }

    /// [`Placement::snipers`] by the constants of the rule table.
    #[inline(always)]
    pub(crate) fn known_snipers(
        &self,
        target: Square<R::Geometry>,
        by: Colour,
    ) -> Bitboard<R::Geometry> {
        let mut set = Bitboard::EMPTY;
        for slide in [Slide::Forward, Slide::Diagonal, Slide::Orthogonal] {
            let group = Groups::<R>::SLIDES[slide as usize];
            if group != (0, 0) {
                set |= slide_lines(slide, !by, target) & self.of_faces(group);
            }
        }
        if const { Special::<R>::ANY } {
            crate::for_each_face!(R, |face, movement| {
                if movement.is_special() && movement.slides() {
                    set |= Special::<R>::lines(face, !by, target) & self.face(face);
                }
            });
        }
        set & self.of(by)
    }

    /// Pieces, of either player, between `target` and a sliding piece of `by`: those that alone
    /// block its line, so that it would attack without them, and those that block one together
    /// with others.
    #[inline]
    pub fn blockers(
        &self,
        target: Square<R::Geometry>,
        by: Colour,
    ) -> (Bitboard<R::Geometry>, Bitboard<R::Geometry>) {
        let occupied = self.occupied();
        let (mut alone, mut together) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for sniper in self.snipers(target, by) {
            let blockers = between(target, sniper) & occupied;
            if blockers.has_many() {
                together |= blockers;
            } else {
                alone |= blockers;
            }
        }
        (alone, together)
    }

    /// The position seen in a mirror, left and right exchanged.
    ///
    /// The rules of standard shogi and of most games of the family are symmetric: the mirror image is
    /// reachable, won or drawn exactly if the position is. This can fail where a piece moves differently to its
    /// left and to its right.
    pub fn mirror(&self) -> Self {
        let mut mirrored = *self;
        mirrored.change_sets(Bitboard::mirror);
        mirrored
    }

    /// The same position with the players exchanged: the board turned by 180 degrees, colours,
    /// hands and the side to move swapped.
    pub fn exchange_colours(&self) -> Self {
        let mut exchanged = *self;
        exchanged.change_sets(Bitboard::rotate);
        exchanged.colours.swap(0, 1);
        exchanged.hands.swap(0, 1);
        exchanged.side = !self.side;
        exchanged
    }
}
