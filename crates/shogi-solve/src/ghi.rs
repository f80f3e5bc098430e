//! Graph history interaction: what a disproof depends on.
//!
//! A prover fails where a position repeats. Whether it does depends on how the position arose,
//! and so does a disproof that counts on it. docs/how/ghi.md explains it, from the smallest
//! game that breaks a table which forgets the difference.

/// What a search does with a disproof that depends on positions before it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Ghi {
    /// Uses it wherever the position comes up again. A disproof of the root may then be wrong;
    /// closing it into a safe set shows which disproofs were wrong and has them searched again
    /// ([`solve`](crate::solve) does). After Shibahara, Tajima
    /// & Kotani, "A New Method of Dealing with GHI Problem for Proving Draw and Application to 3x4
    /// Boards of Shogi" (2006). The fastest.
    #[default]
    Provisional,
    /// Keeps it apart, under a key of the position and the path to it, and uses it nowhere else.
    /// Every finding is right without a closure, so that this is a judge of the others on games of a few
    /// dozen positions. The same work may be done for each path, so that only the budget bounds it:
    /// some games of 64 positions are not finished in three million nodes.
    ByPath,
    /// Simulates the disproof wherever the position comes up again, to see whether it holds there too.
    /// Every finding is right without a closure; what this is for, and what bounds its work, is as with
    /// [`Ghi::ByPath`]. Kishimoto & Müller, "A General Solution to the Graph History
    /// Interaction Problem" (2004).
    Simulation,
}

/// What a disproof depends on. The order is that of trust.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum PathDependence {
    /// On a disproof from the table that depended on another path.
    Table,
    /// On the positions on the path to here, the first of them at this depth.
    Path(u32),
    /// On nothing: it holds whatever the history.
    None,
}

impl PathDependence {
    /// What is left of it for a position at this depth: a cycle back to the position itself, or to
    /// one below it, does not depend on the path to it.
    pub(crate) fn seen_from(self, depth: u32) -> Self {
        if self >= Self::Path(depth) { Self::None } else { self }
    }
}
