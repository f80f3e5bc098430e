//! Confidence intervals for shares, and the comparison of two shares.

/// The two-sided 95 % quantile of the normal distribution.
pub const Z_95: f64 = 1.959_963_984_540_054;

/// A closed interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Whether the number is in the interval.
    pub fn contains(self, number: f64) -> bool {
        (self.low..=self.high).contains(&number)
    }
}

/// The Wilson score interval for the chance of an event that happened `successes` times in
/// `trials` (at least 1, and no fewer than the successes), at `z` standard deviations ([`Z_95`] for
/// 95 %).
///
/// Its mean coverage is close to the nominal one; constant time. Without trials it is [0, 1].
/// Source: E. B. Wilson, "Probable inference", J. Am. Stat. Assoc. 22 (1927).
///
/// ```
/// // Ishii & Tanaka's 14,849,198 reachable of 100,000,000.
/// let interval = shogi_rank::wilson(14_849_198, 100_000_000, shogi_rank::Z_95);
/// assert_eq!(format!("{:.5} {:.5}", interval.low, interval.high), "0.14842 0.14856");
/// ```
pub fn wilson(successes: u64, trials: u64, z: f64) -> Interval {
    if trials == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let (n, p) = (trials as f64, successes.min(trials) as f64 / trials as f64);
    let square = z * z / n;
    let centre = p + square / 2.0;
    let radius = z * (p * (1.0 - p) / n + square / (4.0 * n)).sqrt();
    // Rounding must not exclude what the formula includes exactly.
    let low = if successes == 0 { 0.0 } else { (centre - radius) / (1.0 + square) };
    let high = if successes >= trials { 1.0 } else { (centre + radius) / (1.0 + square) };
    Interval { low: low.max(0.0), high: high.min(1.0) }
}

/// The interval for a weighted sum of independent chances, given the weights and, for each chance,
/// an estimate with an interval around it.
///
/// On either side the squared distances from estimate to end are added. Because ends differ from
/// their estimates, the sum stays uncertain even if an event never or always happened. Source: G.
/// Y. Zou, W. Huang & X. Zhang, Comput. Stat. Data Anal. 53 (2009).
///
/// ```
/// use shogi_rank::{Z_95, weighted_sum, wilson};
/// let part = |weight, k, n| (weight, k as f64 / n as f64, wilson(k, n, Z_95));
/// let one = weighted_sum([part(2.0, 10, 20)]);
/// assert!((one.low - 2.0 * wilson(10, 20, Z_95).low).abs() < 1e-12);
/// let two = weighted_sum([part(2.0, 10, 20), part(3.0, 40, 40)]);
/// assert!(two.low > one.low + 2.7 && two.high == one.high + 3.0);
/// ```
pub fn weighted_sum(parts: impl IntoIterator<Item = (f64, f64, Interval)>) -> Interval {
    let (mut sum, mut below, mut above) = (0.0, 0.0, 0.0);
    for (weight, estimate, Interval { low, high }) in parts {
        sum += weight * estimate;
        below += (weight * (estimate - low)).powi(2);
        above += (weight * (high - estimate)).powi(2);
    }
    Interval { low: sum - below.sqrt(), high: sum + above.sqrt() }
}

/// The Clopper-Pearson interval for the chance that [`wilson`] estimates, with the nominal coverage
/// guaranteed for every chance; `confidence` is 0.95 for 95 %.
///
/// Bisects the incomplete beta function, some 60 times O(sqrt(trials)). Accurate to about 1e-8 in
/// the tail's probability up to a million trials, 1e-5 up to 1e9. Source: C. J. Clopper & E. S.
/// Pearson, Biometrika 26 (1934).
///
/// ```
/// let interval = shogi_rank::clopper_pearson(0, 10, 0.95);
/// assert_eq!(interval.low, 0.0);
/// assert!((interval.high - (1.0 - 0.025f64.powf(0.1))).abs() < 1e-9);
/// ```
pub fn clopper_pearson(successes: u64, trials: u64, confidence: f64) -> Interval {
    let tail = (1.0 - confidence) / 2.0;
    let (k, n) = (successes.min(trials) as f64, trials as f64);
    // P(X >= k) = I_p(k, n - k + 1), and P(X <= k) = 1 - I_p(k + 1, n - k).
    let low = if k == 0.0 { 0.0 } else { bisect(|p| beta_share(p, k, n - k + 1.0) < tail) };
    let high = if k == n { 1.0 } else { bisect(|p| beta_share(p, k + 1.0, n - k) < 1.0 - tail) };
    Interval { low, high }
}

/// The place in [0, 1] where a monotonous condition ceases to hold.
fn bisect(holds: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return middle;
        }
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// The regularised incomplete beta function I_x(a, b), by its continued fraction (NIST Digital
/// Library of Mathematical Functions, 8.17.22) on the side where that converges fast.
fn beta_share(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return if x <= 0.0 { 0.0 } else { 1.0 };
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta_share(1.0 - x, b, a);
    }
    let scale = ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (-x).ln_1p();
    scale.exp() / a * beta_fraction(x, a, b)
}

/// The continued fraction by Lentz's method.
fn beta_fraction(x: f64, a: f64, b: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let away_from_zero = |v: f64| if v.abs() < TINY { TINY } else { v };
    let mut d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let (mut c, mut fraction) = (1.0, d);
    // The number of terms needed grows as the square root of the parameters.
    for m in (1..1_000_000).map(f64::from) {
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut step = 1.0;
        for term in [even, odd] {
            d = 1.0 / away_from_zero(1.0 + term * d);
            c = away_from_zero(1.0 + term / c);
            step = d * c;
            fraction *= step;
        }
        if (step - 1.0).abs() < 1e-15 {
            break;
        }
    }
    fraction
}

/// The logarithm of the gamma function for positive arguments, by Stirling's series after
/// shifting the argument above 10.
fn ln_gamma(x: f64) -> f64 {
    if x < 10.0 {
        return ln_gamma(x + 1.0) - x.ln();
    }
    let square = x * x;
    let series =
        (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - 1.0 / 1680.0 / square) / square) / square) / x;
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series
}

/// The difference of two independent shares, `k1` of `n1` and `k2` of `n2`, in standard deviations
/// under the hypothesis of equal chances, with the pooled estimate of the variance.
///
/// Positive if the first share is larger. For two correct counts of the same thing the absolute
/// value exceeds 4 once in 16,000 comparisons. Zero if the counts carry no information (an `n` is
/// zero, or all or none happened in both).
///
/// ```
/// use shogi_rank::z_two_samples;
/// assert!(z_two_samples(500, 1000, 520, 1000).abs() < 1.0);
/// assert!(z_two_samples(600, 1000, 500, 1000) > 4.0);
/// ```
pub fn z_two_samples(k1: u64, n1: u64, k2: u64, n2: u64) -> f64 {
    let [k1, n1, k2, n2] = [k1, n1, k2, n2].map(|count| count as f64);
    let pooled = (k1 + k2) / (n1 + n2);
    let deviation = (pooled * (1.0 - pooled) * (1.0 / n1 + 1.0 / n2)).sqrt();
    if deviation > 0.0 && deviation.is_finite() { (k1 / n1 - k2 / n2) / deviation } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use testing::random::Random;

    use super::*;

    /// ln(k!) by summing.
    fn ln_factorial(k: u32) -> f64 {
        (1..=k).map(|i| f64::from(i).ln()).sum()
    }

    /// P(X = k) of the binomial distribution, summed directly.
    fn chance(k: u32, n: u32, p: f64) -> f64 {
        let ln_choose = ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k);
        (ln_choose + f64::from(k) * p.ln() + f64::from(n - k) * (-p).ln_1p()).exp()
    }

    /// The chance that the interval made from a binomial count contains its true parameter.
    fn coverage(n: u32, p: f64, interval: impl Fn(u64, u64) -> Interval) -> f64 {
        let covers = |&k: &u32| interval(k.into(), n.into()).contains(p);
        (0..=n).filter(covers).map(|k| chance(k, n, p)).sum()
    }

    #[test]
    fn an_interval_of_no_successes_begins_at_0_and_one_of_all_ends_at_1() {
        // For every third number of trials or so, rounding alone would leave a share of 1e-17 outside.
        for n in 1..3_000 {
            assert_eq!(wilson(0, n, Z_95).low, 0.0, "{n} trials");
            assert_eq!(wilson(n, n, Z_95).high, 1.0, "{n} trials");
        }
    }

    #[test]
    fn coverage_is_as_promised() {
        let (mut wilson_sum, mut cases) = (0.0, 0.0);
        for n in [10, 40, 150] {
            for p in (1..40).map(|i| f64::from(i) / 40.0) {
                let exact = coverage(n, p, |k, n| clopper_pearson(k, n, 0.95));
                assert!(exact >= 0.95 - 1e-9, "n = {n}, p = {p}: {exact}");
                let score = coverage(n, p, |k, n| wilson(k, n, Z_95));
                assert!(score > 0.82, "n = {n}, p = {p}: {score}");
                wilson_sum += score;
                cases += 1.0;
            }
        }
        assert!((wilson_sum / cases - 0.95f64).abs() < 0.01);
    }

    #[test]
    fn clopper_pearson_inverts_the_tails() {
        for (k, n) in [(1u32, 7u32), (3, 20), (77, 150), (149, 150)] {
            let interval = clopper_pearson(k.into(), n.into(), 0.9);
            let above: f64 = (k..=n).map(|i| chance(i, n, interval.low)).sum();
            let below: f64 = (0..=k).map(|i| chance(i, n, interval.high)).sum();
            assert!((above - 0.05).abs() < 1e-9 && (below - 0.05).abs() < 1e-9, "{k} of {n}");
        }
    }

    #[test]
    fn large_samples_make_the_intervals_agree() {
        let (score, exact) =
            (wilson(14_849_198, 100_000_000, Z_95), clopper_pearson(14_849_198, 100_000_000, 0.95));
        assert!((score.low - exact.low).abs() < 1e-7 && (score.high - exact.high).abs() < 1e-7);
    }

    /// Many runs of a stratified estimate with known chances, some of them close to 0 and 1.
    #[test]
    fn weighted_sums_cover() {
        let mut random = Random::new(7);
        let designs: [&[(f64, f64, u32)]; 3] = [
            &[(0.3, 0.9997, 400), (0.2, 0.5, 100), (0.4, 0.001, 300), (0.1, 1.0, 50)],
            &[(0.5, 0.003, 100), (0.5, 0.997, 100)],
            &[(0.6, 0.999, 2000), (0.01, 0.4, 200), (0.01, 0.3, 200), (0.38, 0.99, 500)],
        ];
        for design in designs {
            let truth: f64 = design.iter().map(|(weight, p, _)| weight * p).sum();
            let runs = 4000;
            let covered = (0..runs).filter(|_| {
                let parts = design.iter().map(|&(weight, p, n)| {
                    let k = (0..n).filter(|_| random.share() < p).count() as u64;
                    (weight, k as f64 / f64::from(n), wilson(k, n.into(), Z_95))
                });
                weighted_sum(parts.collect::<Vec<_>>()).contains(truth)
            });
            let share = covered.count() as f64 / f64::from(runs);
            assert!(share >= 0.94, "{design:?}: {share}");
        }
    }

    #[test]
    fn ends_stay_in_range() {
        assert_eq!(wilson(0, 0, Z_95), Interval { low: 0.0, high: 1.0 });
        assert_eq!(wilson(0, 5, Z_95).low, 0.0);
        assert_eq!(wilson(5, 5, Z_95).high, 1.0);
        assert_eq!(clopper_pearson(0, 0, 0.95), Interval { low: 0.0, high: 1.0 });
        assert_eq!(z_two_samples(0, 0, 1, 2), 0.0);
        assert_eq!(z_two_samples(3, 3, 2, 2), 0.0);
    }
}
