//! Amounts on the command line.
#![cfg(all(feature = "clap", feature = "solve"))]

use shogi_variants::tasks::amount::{count, time};

#[test]
fn counts_may_be_rounded() {
    let read = count::<u64>(..);
    let good = ["7", "1_000", "1e6", "2.5e5", "5E8", "1e19", "120e-1"].map(&read);
    let expected = [7, 1000, 1_000_000, 250_000, 500_000_000, 10_000_000_000_000_000_000, 12];
    assert_eq!(good, expected.map(Ok));
    assert_eq!(read("18446744073709551615"), Ok(u64::MAX));
    for bad in ["", "-1", "1.5", "1e-3", "nan", "inf", "1e300", "7s", "0x10", "_", "1e", "e3"] {
        assert!(read(bad).is_err(), "{bad}");
    }
}

#[test]
fn counts_outside_of_their_range_are_refused() {
    assert_eq!(count::<u32>(10..)("9"), Err("it must be above 9".to_owned()));
    assert_eq!(count::<u32>(..=255)("256"), Err("it is not in 0..=255".to_owned()));
    let both = count::<u32>(1..1_000_000_000)("1e9");
    assert_eq!(both, Err("it is not in 1..1000000000".to_owned()));
    assert_eq!(count::<u16>(..)("65536"), Err("it is too large".to_owned()));
    assert_eq!(count::<u16>(..)("65_535"), Ok(65_535));
    assert_eq!(count::<u32>(1..)("1e10"), Err("it is too large".to_owned()));
    for large in ["18446744073709551616", "1e30", "1_000_000_000_000_000_000_000"] {
        assert_eq!(count::<u64>(..)(large), Err("it is too large".to_owned()));
    }
}

#[test]
fn times_may_have_a_unit() {
    let good = ["0", "1.5", "10s", "5m", "2h"].map(|text| time(text).unwrap().as_secs_f64());
    assert_eq!(good, [0.0, 1.5, 10.0, 300.0, 7200.0]);
    for bad in ["", "s", "-1", "1e300", "nan", "inf", "5 m", "5d", "1h30m"] {
        assert!(time(bad).is_err(), "{bad}");
    }
}
