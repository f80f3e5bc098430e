//! Positions are small enough to be copied at every node of a search; these checks make the
//! compiler ensure it.

use shogi_core::{Move, Position};

use crate::{Dobutsu, KyotoShogi, Minishogi, Shogi, Shogi34};

const _: () = {
    assert!(size_of::<Position<Dobutsu>>() <= 48);
    assert!(size_of::<Position<Shogi34>>() <= 48);
    assert!(size_of::<Position<Minishogi>>() <= 64);
    assert!(size_of::<Position<KyotoShogi>>() <= 64);
    assert!(size_of::<Position<Shogi>>() <= 256);
    assert!(size_of::<Move<Shogi>>() <= 4);
};
