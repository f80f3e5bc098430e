//! Lines of play as they are written.

use shogi_rules::shogi_core::{Move, Position};
use shogi_rules::{Rules, to_usi_in};

use crate::common::Common;

/// A line of moves from a position on, in USI notation.
pub fn in_usi<R: Rules>(
    mut position: Position<R>,
    line: &[Move<R>],
    common: &Common,
) -> Vec<String> {
    let dialect = common.dialect::<R>();
    let write = |&made: &Move<R>| {
        let usi = to_usi_in(made, &position, dialect);
        position = position.play(made);
        usi
    };
    line.iter().map(write).collect()
}
