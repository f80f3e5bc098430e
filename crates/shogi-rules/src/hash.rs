//! A rule set as a text and as a hash, by which files name the rules they were made by.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use core::fmt::Write as _;

use shogi_core::{Colour, Geometry, Movement, Promotion, Role, Slide, Step};

use crate::impasse::ImpasseRule;
use crate::outcome::GameResult;
use crate::rules::Rules;

/// All switches of a rule set as a text, one a line, in a form that does not depend on this
/// program; docs/proof-format.md lists the words.
///
/// What a rule set decides by code of its own, as Dobutsu shogi its end by a try, stands behind
/// its name.
///
/// ```
/// use shogi_rules::{Minishogi, rules_text};
/// let text = rules_text::<Minishogi>();
/// assert!(text.starts_with("name minishogi\nboard 5 5\nkind P 2 pawn pawn none gold none\n"));
/// assert!(text.ends_with("repetition 4 gote perpetual-check yes\nimpasse no\n"));
/// ```
pub fn rules_text<R: Rules>() -> String {
    let mut text = String::new();
    let mut line = |words: core::fmt::Arguments<'_>| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{words}");
    };
    let yes = |switch| if switch { "yes" } else { "no" };
    line(format_args!("name {}", R::NAME));
    line(format_args!("board {} {}", R::Geometry::WIDTH, R::Geometry::HEIGHT));
    for kind in R::KINDS {
        let role = match kind.role {
            Role::Ordinary => "ordinary",
            Role::Pawn => "pawn",
            Role::Royal => "royal",
        };
        let back = kind.back.map_or("-".to_owned(), movement);
        let front = movement(kind.front);
        line(format_args!("kind {} {} {role} {front} {back}", kind.letter, kind.count));
    }
    let promotion = match R::PROMOTION {
        Promotion::Optional => "optional",
        Promotion::Forced => "forced",
        Promotion::EveryMove => "every-move",
    };
    line(format_args!("promotion {promotion} {}", R::ZONE));
    line(format_args!("drop-either-face {}", yes(R::DROP_EITHER_FACE)));
    line(format_args!("nifu {}", yes(R::ALLOWS_NIFU)));
    line(format_args!("drop-pawn-mate {}", yes(R::ALLOWS_DROP_PAWN_MATE)));
    line(format_args!("immobile {}", yes(R::ALLOWS_IMMOBILE)));
    line(format_args!("royal-safety {}", yes(R::ROYAL_SAFETY)));
    let result = match R::REPETITION.result {
        GameResult::Win(Colour::Sente) => "sente",
        GameResult::Win(Colour::Gote) => "gote",
        GameResult::Draw => "draw",
        GameResult::NoResult => "no-result",
    };
    let (count, perpetual) = (R::REPETITION.count, yes(R::REPETITION.perpetual_check));
    line(format_args!("repetition {count} {result} perpetual-check {perpetual}"));
    let impasse = match R::IMPASSE {
        None => "no",
        Some(ImpasseRule::TwentyFourPoints) => "24",
        Some(ImpasseRule::TwentySevenPoints) => "27",
    };
    line(format_args!("impasse {impasse}"));
    text
}

/// BLAKE3 of [`rules_text`]: the name of a rule set in a file.
#[cfg(feature = "hash")]
pub fn rules_hash<R: Rules>() -> [u8; 32] {
    *blake3::hash(rules_text::<R>().as_bytes()).as_bytes()
}

/// Step and slide of a face.
fn movement(movement: Movement) -> String {
    let step = match movement.step {
        Step::None => "none",
        Step::Pawn => "pawn",
        Step::Knight => "knight",
        Step::Silver => "silver",
        Step::Gold => "gold",
        Step::King => "king",
        Step::Orthogonal => "orthogonal",
        Step::Diagonal => "diagonal",
    };
    let slide = match movement.slide {
        Slide::None => "none",
        Slide::Forward => "forward",
        Slide::Diagonal => "diagonal",
        Slide::Orthogonal => "orthogonal",
    };
    format!("{step} {slide}")
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use crate::{Dobutsu, KyotoShogi, Minishogi, Shogi, Shogi34};

    use super::*;

    #[cfg(feature = "hash")]
    #[test]
    fn rule_sets_have_hashes_of_their_own() {
        let hashes = BTreeSet::from([
            rules_hash::<Minishogi>(),
            rules_hash::<KyotoShogi>(),
            rules_hash::<Shogi>(),
            rules_hash::<Shogi34>(),
            rules_hash::<Dobutsu>(),
        ]);
        assert_eq!(hashes.len(), 5);
    }

    #[test]
    fn the_text_says_everything() {
        let text = "name dobutsu\nboard 3 4\n\
            kind C 2 pawn pawn none gold none\nkind E 2 ordinary diagonal none -\n\
            kind G 2 ordinary orthogonal none -\nkind L 2 royal king none -\n\
            promotion forced 1\ndrop-either-face no\nnifu yes\ndrop-pawn-mate yes\n\
            immobile yes\nroyal-safety no\nrepetition 3 draw perpetual-check no\nimpasse no\n";
        assert_eq!(rules_text::<Dobutsu>(), text);
    }
}
