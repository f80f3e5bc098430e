//! A game that begins in another position.

use alloc::format;

use shogi_rules::shogi_core::{Colour, Kind};
use shogi_rules::{LoadedRules, RuleSpec, Rules, to_sfen};

use super::Error;
use super::position::position;
use crate::Variant;
use crate::variant::call;

/// The rules of a variant whose games begin in another position: the set of pieces is what stands there and is in hand.
///
/// They are no variant of their own, so that no name stands for them. The flag says whether these are all pieces of the
/// variant.
pub(super) fn beginning_at(variant: Variant, start: &str) -> Result<(LoadedRules, bool), Error> {
    let own = variant.definition().map_err(Error::library)?.rules;
    let rules = call!(variant, R => placed::<R>(own.clone(), start))?;
    let same_set = rules.table == own.table;
    Ok((LoadedRules::new(rules).map_err(Error::library)?, same_set))
}

/// The rules with another start and its pieces.
fn placed<R: Rules>(mut rules: RuleSpec, start: &str) -> Result<RuleSpec, Error> {
    let placement = *position::<R>(start)?.placement();
    for kind in Kind::all::<R>() {
        let in_hand = |colour| placement.hand(colour).count(kind);
        let on_board = placement.kind(kind).len() as u8;
        let count = on_board + Colour::ALL.into_iter().map(in_hand).sum::<u8>();
        let Some(spec) = rules.table.kinds.get_mut(kind.index()) else { continue };
        if count == 0 {
            return Err(Error::Unsuited {
                task: "another start",
                variant: R::name(),
                reason: format!("it has no piece {}", spec.letter),
            });
        }
        spec.count = count;
    }
    rules.start = to_sfen(&placement);
    Ok(rules)
}
