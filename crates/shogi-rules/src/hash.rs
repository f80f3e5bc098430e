//! A rule set as a text and as a hash. Files use the hash to name the rules by which they were made.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use core::fmt::Write as _;

use shogi_core::{Colour, Drops, Geometry, KindSpec, Movement, Promotion, Role, RuleTable as _};

use crate::dobutsu::Dobutsu;
use crate::impasse::ImpasseRule;
use crate::repetition::{RepetitionResult, RepetitionRule};
use crate::rules::Rules;
use crate::spec::Stalemate;

/// All switches of a rule set as a text, one per line, in a form that does not depend on this program;
/// docs/reference/proof-format.md lists the words.
///
/// Where a rule set decides something by its own code, only its name stands for that.
///
/// ```
/// use shogi_rules::{Minishogi, rules_text};
/// let text = rules_text::<Minishogi>();
/// assert!(text.starts_with("name minishogi\nboard 5 5\nkind P 2 pawn pawn none gold none\n"));
/// assert!(text.ends_with("repetition 4 gote perpetual-check yes\nimpasse no\n"));
/// ```
pub fn rules_text<R: Rules>() -> String {
    written(&Switches {
        name: R::name(),
        board: (R::Geometry::width(), R::Geometry::height()),
        kinds: R::kinds(),
        promotion: R::promotion(),
        zone: R::zone(),
        drop_either_face: R::DROP_EITHER_FACE,
        pawns_on_a_file: R::pawns_on_a_file(),
        drop_pawn_mate: R::allows_drop_pawn_mate(),
        immobile: R::allows_immobile(),
        immobile_drops: R::allows_immobile_drops(),
        royal_safety: R::royal_safety(),
        goal: R::goal().unwrap_or(R::safe_goal()),
        repetition: R::repetition(),
        impasse: R::impasse(),
        stalemate: R::stalemate(),
        kind_rules: kind_rules::<R>(),
    })
}

/// The switches of a rule set.
struct Switches {
    name: &'static str,
    board: (u8, u8),
    kinds: &'static [KindSpec],
    promotion: Promotion,
    zone: u8,
    drop_either_face: bool,
    pawns_on_a_file: Option<u8>,
    drop_pawn_mate: bool,
    immobile: bool,
    immobile_drops: bool,
    royal_safety: bool,
    goal: u8,
    repetition: RepetitionRule,
    impasse: Option<ImpasseRule>,
    stalemate: Stalemate,
    kind_rules: String,
}

fn written(rules: &Switches) -> String {
    let mut text = String::new();
    let mut line = |words: core::fmt::Arguments<'_>| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{words}");
    };
    let yes = |switch| if switch { "yes" } else { "no" };
    let drops_either = rules.drop_either_face || all_drop_either(rules.kinds);
    line(format_args!("name {}", rules.name));
    line(format_args!("board {} {}", rules.board.0, rules.board.1));
    for kind in rules.kinds {
        let role = match kind.role {
            Role::Ordinary => "ordinary",
            Role::Pawn => "pawn",
            Role::Royal => "royal",
        };
        let back = kind.back.map_or("-".to_owned(), movement);
        let front = movement(kind.front);
        let drops = match kind.drops {
            Drops::Front => "",
            Drops::Either if drops_either => "",
            Drops::Either => " drops-either",
            Drops::Back => " drops-back",
        };
        line(format_args!("kind {} {} {role} {front} {back}{drops}", kind.letter, kind.count));
    }
    let promotion = rules.promotion.name();
    line(format_args!("promotion {promotion} {}", rules.zone));
    line(format_args!("drop-either-face {}", yes(drops_either)));
    line(format_args!("nifu {}", yes(rules.pawns_on_a_file.is_none())));
    line(format_args!("drop-pawn-mate {}", yes(rules.drop_pawn_mate)));
    line(format_args!("immobile {}", yes(rules.immobile)));
    line(format_args!("royal-safety {}", yes(rules.royal_safety)));
    let result = match rules.repetition.result {
        RepetitionResult::Win(Colour::Sente) => "sente",
        RepetitionResult::Win(Colour::Gote) => "gote",
        RepetitionResult::Draw => "draw",
        RepetitionResult::NoResult => "no-result",
        RepetitionResult::RepeaterLoses => "repeater-loses",
    };
    let (count, perpetual) = (rules.repetition.count, yes(rules.repetition.perpetual_check));
    line(format_args!("repetition {count} {result} perpetual-check {perpetual}"));
    let impasse = match rules.impasse {
        None => "no",
        Some(ImpasseRule::TwentyFourPoints) => "24",
        Some(ImpasseRule::TwentySevenPoints) => "27",
    };
    line(format_args!("impasse {impasse}"));
    text + &newer(rules)
}

/// The switches that older texts lack, written only where they differ from what those texts imply.
fn newer(rules: &Switches) -> String {
    let mut text = String::new();
    if rules.stalemate == Stalemate::Draw {
        text += "stalemate draw\n";
    }
    if let Some(limit) = rules.pawns_on_a_file.filter(|&limit| limit != 1) {
        text += &format!("pawns-on-a-file {limit}\n");
    }
    if rules.immobile_drops != rules.immobile {
        text += if rules.immobile_drops { "immobile-drops yes\n" } else { "immobile-drops no\n" };
    }
    // In texts of Dobutsu shogi the name implies the goal.
    let known = if rules.name == Dobutsu::NAME { Dobutsu::GOAL.unwrap_or_default() } else { 0 };
    if rules.goal != known {
        text += &format!("goal {}\n", rules.goal);
    }
    text + &rules.kind_rules
}

/// Rules that only texts have: those on facing kings and captures, and those of single kinds besides their
/// movements, a line for each.
fn kind_rules<R: Rules>() -> String {
    let mut text = String::new();
    if R::forbids_facing_kings() {
        text += "facing-kings no\n";
    }
    if R::must_capture() {
        text += "must-capture yes\n";
    }
    let Some(table) = R::spec() else { return text };
    for (kind, extra) in table.kinds.iter().zip(&table.extras) {
        let letter = kind.letter;
        for (face, captures) in ["front", "back"].into_iter().zip(extra.captures) {
            if let Some(captures) = captures {
                text += &format!("captures {letter} {face} {}\n", movement(captures));
            }
        }
        for (word, region) in [("region", extra.region), ("drop-region", extra.drop_region)] {
            if let Some(region) = region {
                let squares = region.to_text(table.width, table.height);
                text += &format!("{word} {letter} {squares}\n");
            }
        }
    }
    text
}

/// Whether every kind with two faces may be dropped with either face up: compiled tables state this once
/// for all kinds.
fn all_drop_either(kinds: &[KindSpec]) -> bool {
    let mut with_back = kinds.iter().filter(|kind| kind.back.is_some()).peekable();
    with_back.peek().is_some() && with_back.all(|kind| kind.drops == Drops::Either)
}

/// BLAKE3 of [`rules_text`]: the name of a rule set in a file.
#[cfg(feature = "hash")]
pub fn rules_hash<R: Rules>() -> [u8; 32] {
    *blake3::hash(rules_text::<R>().as_bytes()).as_bytes()
}

/// A hash as files in JSON write it: 64 hexadecimal digits in lower case.
///
/// ```
/// use shogi_rules::hash_digits;
/// assert_eq!(hash_digits([0xa0; 32]), "a0".repeat(32));
/// ```
#[cfg(feature = "hash")]
pub fn hash_digits(hash: [u8; 32]) -> String {
    blake3::Hash::from_bytes(hash).to_hex().as_str().to_owned()
}

/// Step and slide of a face, or its rays and jumps in brackets.
fn movement(movement: Movement) -> String {
    if movement.is_special() {
        let reach = movement.reach();
        return format!("({reach})");
    }
    let (step, slide) = (movement.step.name(), movement.slide.name());
    format!("{step} {slide}")
}

#[cfg(test)]
mod tests {
    #[cfg(feature = "hash")]
    use alloc::collections::BTreeSet;

    #[cfg(feature = "hash")]
    use crate::{KyotoShogi, Minishogi, Shogi, Shogi34};

    use super::*;

    #[cfg(feature = "hash")]
    #[test]
    fn each_rule_set_has_its_own_hash() {
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
    fn the_text_states_all_rules() {
        let text = "name dobutsu\nboard 3 4\n\
            kind C 2 pawn pawn none gold none\nkind E 2 ordinary diagonal none -\n\
            kind G 2 ordinary orthogonal none -\nkind L 2 royal king none -\n\
            promotion forced 1\ndrop-either-face no\nnifu yes\ndrop-pawn-mate yes\n\
            immobile yes\nroyal-safety no\nrepetition 3 draw perpetual-check no\nimpasse no\n";
        assert_eq!(rules_text::<Dobutsu>(), text);
    }
}
