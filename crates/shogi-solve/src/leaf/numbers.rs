//! Initial proof and disproof numbers from an evaluation.
//!
//! Plain depth-first proof-number search gives every new leaf the numbers one and one. A leaf that the attacker
//! will surely win is less work, and one that they will lose is more. Here the numbers are exponentials of an
//! evaluation, in the spirit of Winands and Schadd, "Evaluation-function based proof-number search" (2010).

/// Both numbers of an even leaf. Values between 32 and 64 make no difference in Kyoto shogi.
pub const SCALE: f32 = 48.0;

/// The rate at which the numbers change with the logit.
pub const SLOPE: f32 = 0.7;

/// The largest initial number, far below infinity in the searches.
pub const MAX_NUMBER: u32 = 1_000_000;

/// The proof and the disproof number of a new leaf with this logit of the attacker's winning.
///
/// They are scale e^(-slope logit) and scale e^(slope logit), rounded and clamped to 1 to [`MAX_NUMBER`], since
/// no evaluation proves anything. NaN gives 1 and 1.
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
    // A cast from a float takes what is too large as the largest number, and NaN as 0. It cuts the
    // fraction off, which rounds the sum; `round` would be a call where the target has no instruction.
    let clamp = |number: f32| ((number + 0.5) as u32).clamp(1, MAX_NUMBER);
    let factor = (slope * logit).exp();
    (clamp(scale / factor), clamp(scale * factor))
}

/// The proof number of a leaf in which the defender is in check with this many evasions: `pn` times 0.2 for
/// each of them, up to four, but at least 1.
///
/// A check with few evasions is resolved soon, whatever the evaluation says. Zero evasions count as one here,
/// since the rules detect mates.
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

/// The proof and the disproof number of a new leaf by the effort of its proof.
///
/// With e = ln(expansions to prove), q the logit that a proof exists and l the logit that the prover wins, f =
/// e - q - 2.5 l; the proof number is exp(3 + 0.2 f), and the disproof number 2300 divided by it, both rounded,
/// from 1 to [`MAX_NUMBER`]. The same on every machine. NaN gives 1 and 1.
///
/// ```
/// use shogi_solve::effort_pn_dn;
/// assert_eq!(effort_pn_dn(0.0, 0.0, 0.0), (20, 115));
/// // A position that is sooner proved, surely provable and won has the smaller proof number.
/// let (cheap, dear) = (effort_pn_dn(2.0, 3.0, 2.0), effort_pn_dn(8.0, -1.0, -1.0));
/// assert_eq!((cheap, dear), ((6, 380), (200, 11)));
/// ```
#[inline]
pub fn effort_pn_dn(expansions: f32, provable: f32, winning: f32) -> (u32, u32) {
    let f = f64::from(expansions) - f64::from(provable) - 2.5 * f64::from(winning);
    let pn = exp(3.0 + 0.2 * f);
    (round(pn).clamp(1, MAX_NUMBER), round(2300.0 / pn).clamp(1, MAX_NUMBER))
}

/// The geometric means of the numbers of two leaves, rounded: the arithmetic means of their logarithms. A
/// number 0 stays 0.
///
/// ```
/// use shogi_solve::mean_pn_dn;
/// assert_eq!(mean_pn_dn((4, 900), (9, 100)), (6, 300));
/// ```
#[inline]
pub fn mean_pn_dn(one: (u32, u32), other: (u32, u32)) -> (u32, u32) {
    let mean = |a: u32, b: u32| round((f64::from(a) * f64::from(b)).sqrt());
    (mean(one.0, other.0), mean(one.1, other.1))
}

/// The nearest whole number that is not negative, without a library call; 0 for NaN.
fn round(number: f64) -> u32 {
    (number + 0.5) as u32
}

/// 1/n! for n from 0 to 13: the series of the exponential function.
const TERMS: [f64; 14] = {
    let mut terms = [1.0; 14];
    let mut n = 1;
    while n < terms.len() {
        terms[n] = terms[n - 1] / n as f64;
        n += 1;
    }
    terms
};

/// e^x for x from -60 to 60, clamped beyond, by sums and products alone, so that it is the same on every
/// machine. Exact to thirteen digits.
fn exp(x: f64) -> f64 {
    use std::f64::consts::{LN_2, LOG2_E};
    let x = x.clamp(-60.0, 60.0);
    let twos = (x * LOG2_E + if x < 0.0 { -0.5 } else { 0.5 }) as i64;
    let rest = x - twos as f64 * LN_2;
    // The series without divisions: pairs of terms, pairs of pairs and so on, as each step of a sum from the last
    // term back would wait for the one before.
    let (second, fourth) = (rest * rest, rest * rest * (rest * rest));
    let pair = |n: usize| TERMS[n] + TERMS[n + 1] * rest;
    let four = |n: usize| pair(n) + pair(n + 2) * second;
    let sum = four(0) + four(4) * fourth + (four(8) + pair(12) * fourth) * (fourth * fourth);
    sum * f64::from_bits(((1023 + twos) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_is_that_of_the_machine_to_thirteen_digits() {
        for i in -6000..=6000 {
            let x = f64::from(i) / 100.0;
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-13, "{x}");
        }
        assert_eq!((exp(1e9), exp(f64::NEG_INFINITY)), (exp(60.0), exp(-60.0)));
        assert!(exp(f64::NAN).is_nan());
    }
}
