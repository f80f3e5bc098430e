//! Which part of a file a request is for: RFC 9110, section 14.

use std::ops::Range;

/// The part of a file that a request is for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Requested {
    /// All of it: the answer to a request without a range, with several, or with a malformed one.
    Whole,
    /// These bytes, one at least.
    Part(Range<u64>),
    /// Bytes that the file does not have.
    Outside,
}

impl Requested {
    /// Reads a header `Range` of a request for a file of so many bytes.
    pub(crate) fn read(header: &str, length: u64) -> Self {
        let Some((unit, ranges)) = header.split_once('=') else { return Self::Whole };
        if !unit.eq_ignore_ascii_case("bytes") {
            return Self::Whole;
        }
        let mut ranges = ranges.split(',').map(|range| range.trim_matches([' ', '\t']));
        let range = ranges.by_ref().find(|range| !range.is_empty());
        if ranges.any(|range| !range.is_empty()) {
            return Self::Whole;
        }
        range.and_then(|range| part(range, length)).unwrap_or(Self::Whole)
    }
}

/// One range: `first-last`, `first-`, or `-count` for the last bytes; `None` for any other text.
fn part(range: &str, length: u64) -> Option<Requested> {
    let (first, last) = range.split_once('-')?;
    let part = if first.is_empty() {
        length.saturating_sub(number(last)?)..length
    } else {
        let first = number(first)?;
        let last = if last.is_empty() { u64::MAX } else { number(last)? };
        if last < first {
            return None;
        }
        first..length.min(last.saturating_add(1))
    };
    Some(if part.is_empty() { Requested::Outside } else { Requested::Part(part) })
}

/// A number in digits; those that are too large for any file count as the largest.
fn number(digits: &str) -> Option<u64> {
    let are_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    are_digits.then(|| digits.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::Requested::{Outside, Part, Whole};
    use super::*;

    #[test]
    fn one_range_is_read_in_each_of_its_forms() {
        for (header, expected) in [
            ("bytes=0-0", Part(0..1)),
            ("bytes=0-99", Part(0..100)),
            ("bytes=10-19", Part(10..20)),
            ("bytes=90-", Part(90..100)),
            ("bytes=90-1000", Part(90..100)),
            ("bytes=99-18446744073709551615", Part(99..100)),
            ("bytes=5-99999999999999999999999", Part(5..100)),
            ("bytes=-1", Part(99..100)),
            ("bytes=-100", Part(0..100)),
            ("bytes=-101", Part(0..100)),
            ("BYTES=1-2", Part(1..3)),
            ("bytes= 1-2\t", Part(1..3)),
            ("bytes=,1-2,,", Part(1..3)),
        ] {
            assert_eq!(Requested::read(header, 100), expected, "{header}");
        }
    }

    #[test]
    fn a_range_that_the_file_does_not_have_is_outside() {
        for header in ["bytes=100-", "bytes=100-200", "bytes=-0", "bytes=99999999999999999999999-"]
        {
            assert_eq!(Requested::read(header, 100), Outside, "{header}");
        }
        for header in ["bytes=0-", "bytes=0-0", "bytes=-1", "bytes=-0"] {
            assert_eq!(Requested::read(header, 0), Outside, "{header}");
        }
    }

    #[test]
    fn what_is_no_range_or_several_is_left_out_of_account() {
        for header in [
            "",
            "bytes",
            "bytes=",
            "bytes=,",
            "bytes=-",
            "bytes=5",
            "bytes=5-4",
            "bytes=a-b",
            "bytes=1-b",
            "bytes=+1-2",
            "bytes=1-+2",
            "bytes=-1-2",
            "bytes=1--2",
            "bytes=1 -2",
            "bytes=1- 2",
            "bytes=0x1-2",
            "bytes=1.0-2",
            "bytes=٣-٤",
            "bytes=0-1,3-4",
            "bytes=0-0, -1",
            "bytes =0-1",
            " bytes=0-1",
            "items=0-1",
            "byte=0-1",
            "bytes:0-1",
            "=0-1",
        ] {
            assert_eq!(Requested::read(header, 100), Whole, "{header}");
        }
    }
}
