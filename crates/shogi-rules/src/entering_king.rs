//! The rules that decide a game in which a king has entered the enemy camp.

use shogi_core::{Bitboard, Colour};

use crate::impasse::ImpasseRule;
use crate::parse_sfen;
use crate::rules::Rules;

/// The rule on a king that has entered the enemy camp (nyugyoku).
///
/// Unless another rule is set, games follow [`Rules::IMPASSE`] and count odds. Programs use the names
/// of [`EnteringKingRule::NAMED`]:
///
/// | name | by declaration |
/// |---|---|
/// | `NoEnteringKing` | nobody wins so |
/// | `CSARule24` | 31 points win: [`ImpasseRule::TwentyFourPoints`] |
/// | `CSARule24H` | likewise, the points of odds being counted |
/// | `CSARule27` | Sente wins with 28 points, Gote with 27: [`ImpasseRule::TwentySevenPoints`] |
/// | `CSARule27H` | likewise, the points of odds being counted |
/// | `TryRule` | nobody: a king wins that reaches the square where the other one stood at first |
///
/// The names and their meanings are those of YaneuraOu's option `EnteringKingRule` (its
/// `Position::DeclarationWin` and `update_entering_point`), which other engines have adopted.
///
/// *Odds* are the pieces that a position lacks of a full set: no piece leaves a game, so they were
/// missing at its start. Their points belong to Gote, who gives the odds in every handicap game. The
/// Japan Shogi Association counts them this way (rules FAQ, on impasse).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EnteringKingRule {
    /// No such rule.
    None,
    /// Points decide, by agreement or declaration.
    Points {
        /// The count that decides.
        rule: ImpasseRule,
        /// Whether the points of odds count.
        odds: bool,
    },
    /// A king wins at once when it stands, not attacked, where the other king stands in the start
    /// array (try).
    Try,
}

impl EnteringKingRule {
    /// The rules by the names that programs use.
    pub const NAMED: [(&'static str, Self); 6] = [
        ("NoEnteringKing", Self::None),
        ("CSARule24", Self::Points { rule: ImpasseRule::TwentyFourPoints, odds: false }),
        ("CSARule24H", Self::Points { rule: ImpasseRule::TwentyFourPoints, odds: true }),
        ("CSARule27", Self::Points { rule: ImpasseRule::TwentySevenPoints, odds: false }),
        ("CSARule27H", Self::Points { rule: ImpasseRule::TwentySevenPoints, odds: true }),
        ("TryRule", Self::Try),
    ];

    /// The rule with one of these names.
    ///
    /// ```
    /// use shogi_rules::{EnteringKingRule, Rules, Shogi};
    /// assert_eq!(EnteringKingRule::named("CSARule27H"), Some(Shogi::IMPASSE.into()));
    /// assert_eq!(EnteringKingRule::named("CSARule28"), None);
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMED.into_iter().find(|&(known, _)| known == name).map(|(_, rule)| rule)
    }

    /// The squares on which Sente's and Gote's kings win by [`EnteringKingRule::Try`]: one each, and
    /// none by another rule.
    ///
    /// ```
    /// use shogi_rules::shogi_core::{Bitboard, Colour, Position};
    /// use shogi_rules::{EnteringKingRule, Rules, Shogi};
    /// let [sente, gote] = EnteringKingRule::Try.try_squares::<Shogi>();
    /// let start = Shogi::start();
    /// assert_eq!(sente, start.royals() & start.of(Colour::Gote));
    /// assert_eq!(gote, start.royals() & start.of(Colour::Sente));
    /// assert_eq!(EnteringKingRule::None.try_squares::<Shogi>(), [Bitboard::EMPTY; 2]);
    /// ```
    pub fn try_squares<R: Rules>(self) -> [Bitboard<R::Geometry>; 2] {
        if self != Self::Try {
            return [Bitboard::EMPTY; 2];
        }
        let Ok((start, _)) = parse_sfen::<R>(R::start_sfen()) else { return [Bitboard::EMPTY; 2] };
        Colour::ALL.map(|colour| start.royals() & start.of(!colour))
    }
}

impl From<Option<ImpasseRule>> for EnteringKingRule {
    /// A variant's rule on impasse, with odds counted.
    fn from(rule: Option<ImpasseRule>) -> Self {
        rule.map_or(Self::None, |rule| Self::Points { rule, odds: true })
    }
}
