//! Amounts on the command line.

use std::borrow::ToOwned as _;
use std::format;
use std::ops::{Bound, RangeBounds};
use std::string::{String, ToString as _};
use std::time::Duration;

/// The parser of every count and seed: reads whole numbers in a range, such as `250000`, `250_000` or
/// `2.5e5`.
///
/// The parser's error says what a count looks like, or what the range is.
pub fn count<T: TryFrom<u64>>(
    range: impl RangeBounds<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    count_within((range.start_bound().cloned(), range.end_bound().cloned()))
}

/// A range of any form.
type Bounds = (Bound<u64>, Bound<u64>);

/// Like [`count`]: one parser for each type, not for each form of a range.
fn count_within<T: TryFrom<u64>>(range: Bounds) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = number_within(text, range)?;
        T::try_from(number).map_err(|_| outside(number, range))
    }
}

fn number_within(text: &str, range: Bounds) -> Result<u64, String> {
    let number = whole(text).ok_or_else(|| match is_large(text) {
        true => "it is too large".to_owned(),
        false => "not a whole number such as 250000 or 2.5e5".to_owned(),
    })?;
    if range.contains(&number) { Ok(number) } else { Err(outside(number, range)) }
}

/// Reads a number above 0 and at most 1, such as `0.002` or `2e-3`.
///
/// # Errors
///
/// Says what such a number looks like.
pub fn share(text: &str) -> Result<f32, String> {
    let number = text.parse::<f32>().ok().filter(|&number| number > 0.0 && number <= 1.0);
    number.ok_or_else(|| "not a number above 0 and at most 1, such as 0.002 or 2e-3".to_owned())
}

/// A part of something, such as `0.33`: a number from 0 to 1.
///
/// # Errors
///
/// What it is not.
///
/// ```
/// use shogi_variants::tasks::amount::part;
/// assert_eq!(["0", "0.33", "1"].map(|text| part(text).unwrap()), [0.0, 0.33, 1.0]);
/// assert_eq!(part("1.5").unwrap_err(), "not a number from 0 to 1, such as 0.33");
/// ```
pub fn part(text: &str) -> Result<f32, String> {
    let number = text.parse::<f32>().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "not a number from 0 to 1, such as 0.33".to_owned())
}

/// The text of an amount that an argument has by default; clap keeps it as long as the program runs.
pub fn default(amount: impl Into<u64>) -> &'static str {
    amount.into().to_string().leak()
}

/// The exact value of a decimal number with an exponent, if it is whole.
fn whole(text: &str) -> Option<u64> {
    let plain = text.replace('_', "");
    let (mantissa, exponent) = plain.split_once(['e', 'E']).unwrap_or((&plain, "0"));
    let (digits, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent = exponent.parse::<i64>().ok()?.checked_sub_unsigned(fraction.len() as u64)?;
    let power = 10u64.checked_pow(exponent.unsigned_abs().try_into().ok()?)?;
    let number = format!("{digits}{fraction}").parse::<u64>().ok()?;
    if exponent >= 0 {
        number.checked_mul(power)
    } else {
        (number % power == 0).then_some(number / power)
    }
}

/// Whether the text is that of a number that no 64 bits hold.
fn is_large(text: &str) -> bool {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || b"_.eE".contains(&byte));
    is_number && text.replace('_', "").parse::<f64>().is_ok_and(|number| number >= 2f64.powi(64))
}

/// The fault of a number outside of a range.
fn outside(number: u64, range: Bounds) -> String {
    let least = match range.0 {
        Bound::Included(least) => least,
        Bound::Excluded(least) => least + 1,
        Bound::Unbounded => 0,
    };
    match range.1 {
        Bound::Included(most) => format!("it is not in {least}..={most}"),
        Bound::Excluded(end) => format!("it is not in {least}..{end}"),
        Bound::Unbounded if number < least => format!("it must be above {}", least - 1),
        Bound::Unbounded => "it is too large".to_owned(),
    }
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
    let number = number.parse::<f64>().ok().filter(|number| !number.is_nan());
    let number = number.ok_or("not a time such as 90, 90s, 1.5m or 2h")?;
    let seconds = number * seconds;
    Duration::try_from_secs_f64(seconds).map_err(|_| match seconds >= 0.0 {
        true => "the time is too long".to_owned(),
        false => "a time is not below 0".to_owned(),
    })
}
