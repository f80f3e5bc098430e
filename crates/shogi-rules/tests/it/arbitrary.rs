//! Arbitrary values can be written and are read back.
#![cfg(feature = "arbitrary")]

use arbitrary::{Arbitrary, Unstructured};
use proptest::prelude::*;
use shogi_rules::shogi_core::{Move, Placement};
use shogi_rules::{
    Dobutsu, KyotoShogi, Minishogi, Rules, Shogi, Shogi34, parse_sfen, parse_usi, to_sfen, to_usi,
};

fn is_read_back<R: Rules>(bytes: &[u8]) -> Result<(), TestCaseError> {
    let mut u = Unstructured::new(bytes);
    let mv = Move::<R>::arbitrary(&mut u).unwrap();
    prop_assert_eq!(parse_usi(&to_usi(mv)), Ok(mv));
    let placement = Placement::<R>::arbitrary(&mut u).unwrap();
    prop_assert_eq!(parse_sfen(&to_sfen(&placement)), Ok((placement, 1)));
    Ok(())
}

proptest! {
    #[test]
    fn in_every_variant(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        is_read_back::<Minishogi>(&bytes)?;
        is_read_back::<KyotoShogi>(&bytes)?;
        is_read_back::<Shogi>(&bytes)?;
        is_read_back::<Shogi34>(&bytes)?;
        is_read_back::<Dobutsu>(&bytes)?;
    }
}
