//! Perft: the number of legal move sequences of a given length.

use core::ops::ControlFlow;

use crate::placement::Placement;
use crate::position::Position;
use crate::table::RuleTable;

/// Number of move sequences of length `depth`; the last ply is counted, not played.
///
/// The game ends where there is no move and where [`RuleTable::is_over`] says so. Time grows with
/// the result, the stack with the depth: the type of `depth` bounds both.
pub fn perft<R: RuleTable>(placement: &Placement<R>, depth: u8) -> u64 {
    match depth {
        0 => 1,
        _ if R::is_over(placement) => 0,
        1 => placement.count_moves(),
        _ => perft_of_moves(placement, depth),
    }
}

/// The sum of [`perft`] after each move. It is separate so that the many calls that only count moves
/// reserve no stack for this loop.
#[inline(never)]
fn perft_of_moves<R: RuleTable>(placement: &Placement<R>, depth: u8) -> u64 {
    let mut nodes = 0;
    let _: ControlFlow<()> = placement.generate(|batch| {
        for mv in batch.moves() {
            let mut next = *placement;
            next.make_with(batch.face, mv, |_, _| {});
            nodes += perft(&next, depth - 1);
        }
        ControlFlow::Continue(())
    });
    nodes
}

/// Like [`perft`], but plays every leaf and updates its key, which is what a search pays for a node.
pub fn perft_playing<R: RuleTable>(position: &Position<R>, depth: u8) -> u64 {
    if depth == 0 {
        return 1;
    }
    if R::is_over(position) {
        return 0;
    }
    let mut nodes = 0;
    let _: ControlFlow<()> = position.generate(|batch| {
        position.play_batch(batch, |_, next| {
            nodes += perft_playing(next, depth - 1);
            ControlFlow::Continue(())
        })
    });
    nodes
}
