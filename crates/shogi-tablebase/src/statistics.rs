//! Numbers of positions by value and plies.

use shogi_core::Placement;
use shogi_rules::Verdict;

use crate::error::FileError;
use crate::loaded::Loaded;
use crate::tablebase::Tablebase;
use crate::value::Value;
use crate::world::World;

/// Numbers of positions by value, mirror images folded.
///
/// ```
/// use shogi_tablebase::{Statistics, Value};
///
/// let mut statistics = Statistics::default();
/// statistics.add(Value::DRAW);
/// statistics.add(Value::DRAW.before());
/// assert_eq!(statistics.draw, 2);
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    /// Positions won or lost for the player to move, by plies. If plies are not stored, all are
    /// counted at 0.
    pub decided: Vec<u64>,
    /// Positions drawn.
    pub draw: u64,
}

impl Statistics {
    /// Counts a position.
    pub fn add(&mut self, value: Value) {
        let plies = value.plies.unwrap_or(0) as usize;
        if value.verdict == Verdict::Draw {
            self.draw += 1;
            return;
        }
        if self.decided.len() <= plies {
            self.decided.resize(plies + 1, 0);
        }
        self.decided[plies] += 1;
    }

    /// The sum of two statistics.
    #[must_use]
    pub fn merged(mut self, other: &Self) -> Self {
        self.draw += other.draw;
        self.decided.resize(self.decided.len().max(other.decided.len()), 0);
        for (sum, more) in self.decided.iter_mut().zip(&other.decided) {
            *sum += more;
        }
        self
    }
}

impl<R: World> Tablebase<R> {
    /// Counts the positions of the table by value. Takes memory for the whole table.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is damaged.
    pub fn statistics(&self) -> Result<Statistics, FileError> {
        let table = Loaded::read(self.container(), self.stored())?;
        let index = self.index();
        Ok(table.statistics(index.size(), &|rank| index.is_second_twin(rank)))
    }

    /// A position whose win or loss takes the most plies, the one with the smallest number.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is damaged.
    pub fn longest(&self) -> Result<Option<Placement<R>>, FileError> {
        let table = Loaded::read(self.container(), self.stored())?;
        let rank = table.first_of(self.index().size(), self.totals().longest);
        Ok(rank.and_then(|rank| self.index().unrank_u64(rank)))
    }
}
