//! Ends of the game by the place of a royal piece or by its capture.

use crate::attack::camp;
use crate::colour::Colour;
use crate::placement::Placement;
use crate::table::RuleTable;

impl<R: RuleTable> Placement<R> {
    /// Whether a player has won by the [goal](RuleTable::GOAL) of the rule table: the opponent's royal piece is off the
    /// board, or the player's own stands on the goal and is not attacked. Both players may have. Where royal pieces must
    /// be safe, the player's own has come to the [safe goal](RuleTable::safe_goal).
    ///
    /// ```
    /// use shogi_core::{Colour, parse_position};
    /// use shogi_rules::Dobutsu;
    /// let reached = parse_position::<Dobutsu>("2L/3/l2/3 w - 1")?;
    /// assert!(reached.has_won(Colour::Sente) && !reached.has_won(Colour::Gote));
    /// assert!(!parse_position::<Dobutsu>("1lL/3/3/3 w - 1")?.has_won(Colour::Sente));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn has_won(&self, colour: Colour) -> bool {
        if R::royal_safety() {
            let goal = camp(colour, R::safe_goal());
            return self.king(colour).is_some_and(|royal| goal.contains(royal))
                && !self.in_check(colour);
        }
        self.king(!colour).is_none()
            || self.king(colour).is_some_and(|royal| {
                camp(colour, R::goal().unwrap_or_default()).contains(royal)
                    && !self.attacked(royal, !colour, self.occupied())
            })
    }

    /// Whether [a player has won](Self::has_won) by the goal of the rule table.
    #[inline]
    pub(crate) fn is_decided(&self) -> bool {
        Colour::ALL.into_iter().any(|colour| self.has_won(colour))
    }
}
