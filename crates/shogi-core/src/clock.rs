//! The clock of all searches: the standard library's, or on `wasm32-unknown-unknown` the host's.
//!
//! `std::time::Instant::now` panics on `wasm32-unknown-unknown`, which has no clock of its own. There
//! [`Instant`] reads a function that the host passes to `clock::set` once, such as one that calls
//! `performance.now()`. Until then the clock stands still: a search runs to its limits of nodes or
//! depth, and its time is zero. On every other target [`Instant`] is `std::time::Instant`.
//!
//! ```
//! use std::time::Duration;
//! use shogi_core::clock::Instant;
//! let deadline = Instant::now() + Duration::from_secs(60);
//! assert!(Instant::now() < deadline);
//! ```

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use host::{Instant, set};

#[cfg(any(test, all(target_family = "wasm", target_os = "unknown")))]
mod host {
    use core::ops::Add;
    use core::time::Duration;
    use std::sync::OnceLock;

    static NOW: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Sets the clock. `now` must return the time since some fixed moment and never decrease. Returns
    /// whether the clock was set; a second call changes nothing and returns `false`.
    pub fn set(now: fn() -> Duration) -> bool {
        NOW.set(now).is_ok()
    }

    /// A moment, as `std::time::Instant`.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub struct Instant(Duration);

    impl Instant {
        /// The present moment.
        pub fn now() -> Self {
            Self(NOW.get().map_or(Duration::ZERO, |now| now()))
        }

        /// The time since this moment; zero if the clock has gone back.
        pub fn elapsed(&self) -> Duration {
            Self::now().0.saturating_sub(self.0)
        }

        /// The moment later by `time`; `None` on overflow.
        pub fn checked_add(&self, time: Duration) -> Option<Self> {
            self.0.checked_add(time).map(Self)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Self;

        /// # Panics
        ///
        /// On overflow.
        fn add(self, time: Duration) -> Self {
            Self(self.0 + time)
        }
    }
}

#[cfg(test)]
mod tests {
    use core::sync::atomic::{AtomicU64, Ordering};
    use core::time::Duration;

    use super::host::{Instant, set};

    static SECONDS: AtomicU64 = AtomicU64::new(0);

    #[test]
    fn a_hosts_clock_stands_still_until_it_is_set() {
        let before = Instant::now();
        assert_eq!((before, before.elapsed()), (Instant::now(), Duration::ZERO));
        assert!(set(|| Duration::from_secs(SECONDS.load(Ordering::Relaxed))));
        assert!(!set(|| Duration::MAX));
        SECONDS.store(7, Ordering::Relaxed);
        assert_eq!(before.elapsed(), Duration::from_secs(7));
        assert_eq!(before.checked_add(Duration::from_secs(7)), Some(Instant::now()));
        assert!(before + Duration::from_secs(8) > Instant::now());
        assert_eq!(Instant::now().checked_add(Duration::MAX), None);
    }
}
