//! Initial proof and disproof numbers from an evaluation.
//!
//! Plain depth-first proof-number search gives every new leaf the numbers one and one.
//! A leaf that the attacker will surely win is less work than that, and one that he will lose is
//! more. Here the numbers are exponentials of an evaluation, in the spirit of Winands and Schadd,
//! "Evaluation-function based proof-number search" (2010).

/// Both numbers of a leaf that is as likely won as lost. Between 32 and 64 it makes no difference
/// to Kyoto shogi.
pub const SCALE: f32 = 48.0;

/// How fast the numbers change with the logit.
pub const SLOPE: f32 = 0.7;

/// The largest number an evaluation gives: far below what searches use for infinity.
pub const MAX_NUMBER: u32 = 1_000_000;

/// The proof and the disproof number of a new leaf with this logit of the attacker's winning.
///
/// They are scale e^(-slope logit) and scale e^(slope logit), rounded, from 1 to [`MAX_NUMBER`]: no
/// evaluation proves anything. A logit that is no number gives both numbers 1.
///
/// ```
/// use shogi_solve::{SCALE, SLOPE, pn_dn};
/// assert_eq!(pn_dn(0.0, SCALE, SLOPE), (48, 48));
/// let (pn, dn) = pn_dn(2.0, SCALE, SLOPE);
/// assert_eq!((pn, dn), (12, 195));
/// assert_eq!(pn_dn(-2.0, SCALE, SLOPE), (dn, pn));
/// assert_eq!(pn_dn(100.0, SCALE, SLOPE), (1, 1_000_000));
/// ```
#[inline]
pub fn pn_dn(logit: f32, scale: f32, slope: f32) -> (u32, u32) {
    // A cast from a float takes what is too large as the largest number, and NaN as 0.
    let clamp = |number: f32| (number.round() as u32).clamp(1, MAX_NUMBER);
    let factor = (slope * logit).exp();
    (clamp(scale / factor), clamp(scale * factor))
}

/// The proof number of a leaf in which the defender is in check and has so many evasions: `pn`
/// times 0.2 for each of them, up to four, but at least 1.
///
/// A check with few evasions is answered soon, whatever the evaluation says. That there is none is
/// for the rules to find, so that it counts as one here.
///
/// ```
/// use shogi_solve::pn_in_check;
/// assert_eq!([1, 2, 4, 9].map(|evasions| pn_in_check(50, evasions)), [10, 20, 40, 40]);
/// assert_eq!(pn_in_check(1, 1), 1);
/// ```
#[inline]
pub fn pn_in_check(pn: u32, evasions: u32) -> u32 {
    let share = u64::from(pn) * u64::from(evasions.clamp(1, 4));
    // Rounded to the nearest whole number; at most four fifths of a `u32`.
    ((share + 2) / 5).max(1) as u32
}
