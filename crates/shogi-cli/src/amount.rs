//! Amounts on the command line.

use std::time::Duration;

/// Reads a count such as `250000`, `250_000` or `2.5e5`.
///
/// # Errors
///
/// Says what a count looks like.
pub fn count(text: &str) -> Result<u64, String> {
    let plain = text.replace('_', "");
    let whole = plain.parse::<u64>().ok().or_else(|| {
        let real: f64 = plain.parse().ok()?;
        // Above 2^53 not every whole number has a floating-point form of its own.
        (real.fract() == 0.0 && (0.0..9e15).contains(&real)).then_some(real as u64)
    });
    whole.ok_or_else(|| "not a whole number such as 250000 or 2.5e5".to_owned())
}

/// Reads a time in seconds such as `90`, `0.5` or `90s`, or in minutes or hours such as `1.5m` or
/// `2h`.
///
/// # Errors
///
/// Says what a time looks like.
pub fn time(text: &str) -> Result<Duration, String> {
    let (number, seconds) = match text.strip_suffix(['s', 'm', 'h']) {
        Some(number) if text.ends_with('m') => (number, 60.0),
        Some(number) if text.ends_with('h') => (number, 3600.0),
        Some(number) => (number, 1.0),
        None => (text, 1.0),
    };
    let number: f64 =
        number.parse().map_err(|_| "not a time such as 90, 90s, 1.5m or 2h".to_owned())?;
    Duration::try_from_secs_f64(number * seconds).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_may_be_rounded() {
        let good = ["7", "1_000", "1e6", "2.5e5"].map(|text| count(text).unwrap());
        assert_eq!(good, [7, 1000, 1_000_000, 250_000]);
        assert_eq!(count("18446744073709551615"), Ok(u64::MAX));
        for bad in ["", "-1", "1.5", "1e-3", "nan", "inf", "1e300", "7s", "0x10"] {
            assert!(count(bad).is_err(), "{bad}");
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
}
