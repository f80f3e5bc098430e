//! A published estimate beside which a run is drawn.

use serde::Serialize;
use shogi_rank::Z_95;

/// What is published of the share of reachable positions among those that a run draws from.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Published {
    /// The middle of its interval.
    pub p: f64,
    /// The interval of 95 %.
    pub p_interval: [f64; 2],
    /// Samples it rests on.
    pub samples: u64,
    /// How many of them are among those that a run draws from, as far as can be expected.
    pub drawn: f64,
}

impl Published {
    /// An estimate from an interval that reaches so many standard errors to either side.
    ///
    /// ```
    /// use shogi_rank::Z_95;
    /// use shogi_variants_counting_examples::reachable::Published;
    /// let three_sigma = Published::new([0.2, 0.4], 3.0, 100, 100.0);
    /// let [low, high] = three_sigma.p_interval;
    /// assert!((high - low - 0.2 * Z_95 / 3.0).abs() < 1e-12);
    /// ```
    pub fn new([low, high]: [f64; 2], errors: f64, samples: u64, drawn: f64) -> Self {
        let (p, half) = (f64::midpoint(low, high), (high - low) / 2.0 * Z_95 / errors);
        Self { p, p_interval: [p - half, p + half], samples, drawn }
    }
}
