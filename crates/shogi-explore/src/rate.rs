//! How many requests of each address are answered.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// So many addresses are remembered; those that have sent nothing for a while are forgotten for others.
const MOST_ADDRESSES: usize = 10_000;

/// A bound on the requests of each address: a bucket that holds two seconds of them and fills at the rate.
///
/// One household or provider's customer has 2^64 addresses of IPv6, which count as one.
#[derive(Debug)]
pub(crate) struct RateBound {
    /// Requests a second.
    rate: f64,
    buckets: Mutex<HashMap<IpAddr, Bucket>>,
}

/// How many more requests of an address are answered, and since when it is so.
#[derive(Clone, Copy, Debug)]
struct Bucket {
    requests: f64,
    since: Instant,
}

impl RateBound {
    /// So many requests a second; none are counted if that is 0.
    pub(crate) fn new(rate: u32) -> Self {
        Self { rate: rate.into(), buckets: Mutex::default() }
    }

    /// Whether a request of an address is answered now, which is counted.
    pub(crate) fn allows(&self, address: IpAddr, now: Instant) -> bool {
        if self.rate == 0.0 {
            return true;
        }
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let network = network(address);
        if buckets.len() >= MOST_ADDRESSES && !buckets.contains_key(&network) {
            buckets.retain(|_, bucket| bucket.filled(self.rate, now).requests < 2.0 * self.rate);
            // So many send requests at once that a new address has to wait.
            if buckets.len() >= MOST_ADDRESSES {
                return false;
            }
        }
        let full = Bucket { requests: 2.0 * self.rate, since: now };
        let bucket = buckets.entry(network).or_insert(full);
        *bucket = bucket.filled(self.rate, now);
        let allowed = bucket.requests >= 1.0;
        if allowed {
            bucket.requests -= 1.0;
        }
        allowed
    }
}

impl Bucket {
    /// Its new value.
    fn filled(self, rate: f64, now: Instant) -> Self {
        let passed = now.saturating_duration_since(self.since).as_secs_f64();
        Self { requests: (self.requests + passed * rate).min(2.0 * rate), since: now }
    }
}

/// The address for which requests are counted.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn an_address_has_two_seconds_at_once_and_then_the_rate() {
        let bound = RateBound::new(5);
        let (start, address) = (Instant::now(), IpAddr::from([10, 0, 0, 7]));
        let allowed = |after: u64, count: usize| {
            let now = start + Duration::from_millis(after);
            (0..count).filter(|_| bound.allows(address, now)).count()
        };
        assert_eq!(allowed(0, 20), 10);
        assert_eq!(allowed(100, 20), 0);
        assert_eq!(allowed(1_000, 20), 5);
        assert_eq!(allowed(60_000, 20), 10);
        // Another address has requests of its own, and without a bound all are answered.
        assert!(bound.allows([10, 0, 0, 8].into(), start + Duration::from_secs(60)));
        let none = RateBound::new(0);
        assert!((0..1_000).all(|_| none.allows(address, start)));
    }

    #[test]
    fn addresses_of_a_network_are_one_and_are_forgotten() {
        let bound = RateBound::new(1);
        let now = Instant::now();
        let address = |high: u64, low: u64| {
            IpAddr::from(Ipv6Addr::from_bits(u128::from(high) << 64 | u128::from(low)))
        };
        let allowed = (0..10).filter(|&low| bound.allows(address(1, low), now)).count();
        assert_eq!(allowed, 2);
        for high in 2..=MOST_ADDRESSES as u64 {
            assert!(bound.allows(address(high, 0), now));
        }
        assert_eq!(bound.buckets.lock().unwrap().len(), MOST_ADDRESSES);
        assert!(!bound.allows(address(0, 0), now), "there is no room");
        assert!(bound.allows(address(0, 0), now + Duration::from_secs(9)));
        assert_eq!(bound.buckets.lock().unwrap().len(), 1);
    }
}
