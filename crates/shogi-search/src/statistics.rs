//! How well moves are ordered, and how much of a search is quiescence: counted in builds with the feature `statistics`.

/// Counts of a search.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Statistics {
    #[cfg(feature = "statistics")]
    counts: Counts,
}

#[cfg(feature = "statistics")]
#[derive(Clone, Copy, Default, Debug)]
struct Counts {
    /// Positions of quiescence search.
    quiescence: u64,
    /// Beta cutoffs, those by the first move, and all moves tried before those that cut.
    cutoffs: u64,
    first: u64,
    before: u64,
}

impl Statistics {
    /// Counts a position of quiescence search.
    #[inline]
    pub(crate) const fn quiescence(&mut self) {
        #[cfg(feature = "statistics")]
        {
            self.counts.quiescence += 1;
        }
    }

    /// Counts a beta cutoff by a move, the first, the second and so on.
    #[inline]
    pub(crate) const fn cutoff(&mut self, number: usize) {
        #[cfg(feature = "statistics")]
        {
            self.counts.cutoffs += 1;
            self.counts.first += (number == 1) as u64;
            self.counts.before += number as u64 - 1;
        }
        #[cfg(not(feature = "statistics"))]
        let _ = number;
    }

    /// Prints the counts of a search of so many nodes as a line of the error output.
    #[inline]
    pub(crate) fn print(&self, nodes: u64) {
        #[cfg(feature = "statistics")]
        {
            let Counts { quiescence, cutoffs, first, before } = self.counts;
            eprintln!(
                "statistics nodes {nodes} quiescence {quiescence} cutoffs {cutoffs} first {first} before {before}"
            );
        }
        #[cfg(not(feature = "statistics"))]
        let _ = nodes;
    }
}
