//! Multisets of pieces as numbers.

use shogi_core::{Hand, Kind};

/// Multisets of the pieces of a set, kings left out, as numbers in mixed radix: adding one piece
/// adds the unit of its kind.
#[derive(Clone, Debug)]
pub(crate) struct Stocks {
    /// Largest count of each kind.
    counts: Vec<u16>,
    /// The amount that one piece of each kind adds.
    pub(crate) units: Vec<u16>,
    /// Number of stocks.
    pub(crate) len: usize,
    /// By stock, the same pieces as a hand.
    hands: Vec<Hand>,
    /// For each stock, Sente's possible hands when it is divided between the hands, in order.
    shares: Vec<Vec<u16>>,
    /// At `stock * len + part`, the place of the part in `shares` of the stock.
    places: Vec<u16>,
}

impl Stocks {
    /// The stocks of a set with these numbers of pieces; `None` if there are more than 4096.
    pub(crate) fn new(kinds: &[(Kind, u8)]) -> Option<Self> {
        let counts: Vec<_> = kinds.iter().map(|&(_, count)| u16::from(count)).collect();
        let mut units = Vec::new();
        let mut len = 1usize;
        for &count in &counts {
            units.push(len as u16);
            len *= usize::from(count) + 1;
            if len > 4096 {
                return None;
            }
        }
        let mut stocks = Self {
            counts,
            units,
            len,
            hands: Vec::new(),
            shares: Vec::new(),
            places: vec![0; len * len],
        };
        for stock in 0..len {
            let mut hand = Hand::EMPTY;
            for (place, &(kind, _)) in kinds.iter().enumerate() {
                hand.set(kind, stocks.count(stock as u16, place) as u8);
            }
            stocks.hands.push(hand);
            let parts = (0..=stock).filter(|&part| stocks.contains(stock as u16, part as u16));
            let parts: Vec<_> = parts.map(|part| part as u16).collect();
            for (place, &part) in (0..).zip(&parts) {
                stocks.places[stock * len + usize::from(part)] = place;
            }
            stocks.shares.push(parts);
        }
        Some(stocks)
    }

    /// All pieces.
    pub(crate) fn full(&self) -> u16 {
        (self.len - 1) as u16
    }

    /// Number of pieces in a stock of the kind at this place in the set.
    pub(crate) fn count(&self, stock: u16, kind: usize) -> u16 {
        stock / self.units[kind] % (self.counts[kind] + 1)
    }

    fn contains(&self, stock: u16, part: u16) -> bool {
        (0..self.units.len()).all(|kind| self.count(part, kind) <= self.count(stock, kind))
    }

    /// The pieces of a stock as a hand.
    #[inline]
    pub(crate) fn hand(&self, stock: u16) -> Hand {
        self.hands[usize::from(stock)]
    }

    /// Sente's possible hands when a stock is divided between the hands, in order.
    #[inline]
    pub(crate) fn shares(&self, stock: u16) -> &[u16] {
        &self.shares[usize::from(stock)]
    }

    /// The place of a part in [`Stocks::shares`].
    #[inline]
    pub(crate) fn place(&self, stock: u16, part: u16) -> Option<u16> {
        self.places.get(usize::from(stock) * self.len + usize::from(part)).copied()
    }
}
