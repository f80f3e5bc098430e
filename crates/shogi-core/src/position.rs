//! A valid placement with its incremental key.

use core::ops::{ControlFlow, Deref};

use crate::colour::Colour;
use crate::moves::{Batch, Move};
use crate::placement::Placement;
use crate::table::{Face, Fits, Kind, RuleTable};
use crate::validity::{Faults, InvalidPosition};
use crate::violations::IllegalMove;
use crate::zobrist;

/// A position that passed the validity checks, with an incremental Zobrist key.
///
/// Small and `Copy`: [`Position::play`] returns the next position and leaves this one as it is.
/// It dereferences to its [`Placement`], where generation and the queries are.
#[derive(Clone, Copy)]
pub struct Position<R: RuleTable> {
    placement: Placement<R>,
    key: u64,
}

/// A rule table whose games have one start position, which a [`Position`] is by default.
///
/// The rule sets of `shogi-rules` are such tables; one of your own becomes one by this trait.
pub trait HasStart: RuleTable {
    /// The start position.
    fn start_position() -> Position<Self>;
}

impl<R: HasStart> Default for Position<R> {
    /// The start position.
    ///
    /// ```
    /// use shogi_core::Position;
    /// use shogi_rules::Minishogi;
    /// let start = Position::<Minishogi>::default();
    /// assert_eq!(start.to_string(), "rbsgk/4p/5/P4/KGSBR b - 1");
    /// ```
    fn default() -> Self {
        R::start_position()
    }
}

impl<R: RuleTable> Position<R> {
    /// A position from a placement that passes every check of [`Placement::faults`].
    ///
    /// # Errors
    ///
    /// If the placement has faults; the error lists them all.
    pub fn new(placement: Placement<R>) -> Result<Self, InvalidPosition<R>> {
        Self::new_allowing(placement, Faults::empty())
    }

    /// Like [`Position::new`], but one player may have no king: most mate problems are set without the
    /// attacker's. Such a player is never in check. It is a fault if neither player has a king, since
    /// nobody can be mated.
    ///
    /// # Errors
    ///
    /// If the placement has other faults; the error lists them all.
    pub fn new_problem(placement: Placement<R>) -> Result<Self, InvalidPosition<R>> {
        let kings_missing = placement.faults() & Faults::MISSING_KING;
        let one_is_missing = kings_missing != Faults::MISSING_KING;
        let allowed = if one_is_missing { kings_missing } else { Faults::empty() };
        Self::new_allowing(placement, allowed)
    }

    /// Like [`Position::new`], but accepts the given faults.
    ///
    /// # Errors
    ///
    /// If the placement has other faults.
    pub fn new_allowing(
        placement: Placement<R>,
        allowed: Faults,
    ) -> Result<Self, InvalidPosition<R>> {
        let faults = placement.faults() - allowed;
        if faults.is_empty() {
            Ok(Self { placement, key: zobrist::placement(&placement) })
        } else {
            Err(InvalidPosition { faults, placement })
        }
    }

    /// The key: equal for equal positions. Positions that differ collide with probability 2^-64.
    #[inline(always)]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The key without the pieces in hand: equal for positions that differ in hands only.
    #[inline]
    pub const fn board_key(&self) -> u64 {
        let [sente, gote] = [Colour::Sente, Colour::Gote];
        self.key
            ^ zobrist::hand(sente, self.placement.hand(sente))
            ^ zobrist::hand(gote, self.placement.hand(gote))
    }

    /// Board, hands and side to move.
    #[inline(always)]
    pub const fn placement(&self) -> &Placement<R> {
        &self.placement
    }

    /// The position after a move.
    ///
    /// # Errors
    ///
    /// If the move is not legal here; the error has the rules that it breaks.
    ///
    /// ```
    /// use shogi_rules::{Minishogi, Rules};
    /// let start = Minishogi::start();
    /// let next = start.play("5d5c".parse()?)?;
    /// assert_eq!(next.to_string(), "rbsgk/4p/P4/5/KGSBR w - 1");
    /// assert!(next.play("5d5c".parse()?).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play(&self, mv: Move<R>) -> Result<Self, IllegalMove<R>> {
        self.placement.check_move(mv)?;
        Ok(self.play_unchecked(mv))
    }

    /// The position after a move that is known to be legal here, such as one of [`Placement::legal_moves`].
    /// Searches call this.
    ///
    /// For any other move the result is a meaningless position, not a panic; [`Position::play`] refuses
    /// such a move.
    #[inline]
    pub fn play_unchecked(&self, mv: Move<R>) -> Self {
        let mut next = *self;
        next.make_with(self.placement.moving_face(mv), mv);
        next
    }

    /// Visits each move of a batch that was generated here, with the position after it, until
    /// `visit` breaks.
    ///
    /// Faster than [`Position::play_unchecked`], which has to look up the moving piece and return the
    /// position by value.
    ///
    /// # Errors
    ///
    /// `Break` with the value that `visit` broke with.
    ///
    /// ```
    /// use core::ops::ControlFlow;
    /// use shogi_core::{Position, RuleTable};
    ///
    /// /// Whether a move gives check.
    /// fn has_check<R: RuleTable>(position: &Position<R>) -> bool {
    ///     let check = |_, next: &Position<R>| match next.is_check() {
    ///         true => ControlFlow::Break(()),
    ///         false => ControlFlow::Continue(()),
    ///     };
    ///     position.generate(|batch| position.play_batch(batch, check)).is_break()
    /// }
    /// ```
    #[inline(always)]
    pub fn play_batch<B>(
        &self,
        batch: Batch<R>,
        mut visit: impl FnMut(Move<R>, &Self) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for mv in batch.moves() {
            let mut next = *self;
            next.make_with(batch.face, mv);
            visit(mv, &next)?;
        }
        ControlFlow::Continue(())
    }

    /// Makes a legal move of a piece that shows `face`.
    #[inline(always)]
    fn make_with(&mut self, face: Face, mv: Move<R>) {
        let us = self.placement.side();
        let hand = self.placement.hand(us);
        let mut key = self.key ^ zobrist::GOTE_TO_MOVE;
        self.placement.make_with(face, mv, |square, piece| key ^= zobrist::piece(square, piece));
        let changed = self.placement.hand(us);
        if changed != hand {
            key ^= zobrist::hand(us, hand) ^ zobrist::hand(us, changed);
        }
        self.key = key;
    }

    /// The position with the other player to move, for searches that try a null move. In check
    /// the result is a position in which a king can be captured.
    ///
    /// ```
    /// use shogi_core::{Position, RuleTable};
    ///
    /// /// Whether the player to move is threatened with being mated at once.
    /// fn is_mate_threatened<R: RuleTable>(position: &Position<R>) -> bool {
    ///     let threat = position.pass();
    ///     !position.is_check() && threat.legal_moves().iter().any(|&m| threat.play_unchecked(m).is_mate())
    /// }
    /// ```
    #[inline]
    pub fn pass(&self) -> Self {
        let mut next = *self;
        next.placement.set_side(!self.side());
        next.key ^= zobrist::GOTE_TO_MOVE;
        next
    }

    /// The position with a piece of this kind in hand given to the other player.
    ///
    /// Nothing changes if `from` holds none.
    ///
    /// ```
    /// use shogi_core::{Colour, Kind, Position, RuleTable};
    ///
    /// /// Whether a piece in hand is what saves the player to move from mate.
    /// fn is_saved_by<R: RuleTable>(position: &Position<R>, kind: Kind) -> bool {
    ///     !position.is_mate() && position.hand_over(position.side(), kind).is_mate()
    /// }
    /// ```
    pub fn hand_over<T: Fits<R>>(&self, from: Colour, kind: Kind<T>) -> Self {
        let (mut next, kind) = (*self, kind.any());
        if !self.placement.hand(from).has(kind) {
            return next;
        }
        for colour in Colour::ALL {
            next.key ^= zobrist::hand(colour, next.placement.hand(colour));
        }
        next.placement.hand_mut(from).take(kind);
        next.placement.hand_mut(!from).add(kind);
        for colour in Colour::ALL {
            next.key ^= zobrist::hand(colour, next.placement.hand(colour));
        }
        next
    }

    /// Whether the player to move is in check.
    pub fn is_check(&self) -> bool {
        self.placement.in_check(self.placement.side())
    }

    /// The key computed from scratch; always equal to [`Position::key`].
    pub fn recompute_key(&self) -> u64 {
        zobrist::placement(&self.placement)
    }

    /// The player to move.
    #[inline(always)]
    pub const fn side(&self) -> Colour {
        self.placement.side()
    }
}

impl<R: RuleTable> Deref for Position<R> {
    type Target = Placement<R>;

    #[inline(always)]
    fn deref(&self) -> &Placement<R> {
        &self.placement
    }
}

impl<R: RuleTable> PartialEq for Position<R> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.placement == other.placement
    }
}

impl<R: RuleTable> Eq for Position<R> {}

impl<R: RuleTable> core::hash::Hash for Position<R> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}
