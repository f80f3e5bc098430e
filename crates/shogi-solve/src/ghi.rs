//! Graph history interaction: the dependence of disproofs on the path.
//!
//! A prover fails if a position repeats. Whether it does depends on how the position arose, and so does
//! a disproof that relies on it. docs/how/ghi.md explains it, from the smallest game that breaks a table
//! without this distinction.

/// The treatment of a disproof that depends on earlier positions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Ghi {
    /// Uses it wherever the position occurs again. A disproof of the root may then be wrong; closing it
    /// into a safe set shows which disproofs were wrong, so that they are searched again, as
    /// [`solve`](crate::solve) does. After Shibahara, Tajima & Kotani, "A New Method of Dealing with GHI
    /// Problem for Proving Draw and Application to 3x4 Boards of Shogi" (2006). The fastest.
    #[default]
    Provisional,
    /// Stores it under a key of the position and the path to it, and uses it nowhere else. Every finding
    /// is right without a closure, so this judges the other treatments on games of a few dozen
    /// positions. The same work may be repeated for each path, and only the budget bounds it: some games
    /// of 64 positions are not finished in three million nodes.
    ByPath,
    /// Simulates the disproof wherever the position occurs again, to see whether it holds there, too.
    /// Every finding is right without a closure. Purpose and bounds are those of [`Ghi::ByPath`].
    /// Kishimoto & Müller, "A General Solution to the Graph History Interaction Problem" (2004).
    Simulation,
}

/// The dependence of a disproof, in order of trust.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum PathDependence {
    /// It depends on a disproof from the table that depended on another path.
    Table,
    /// It depends on positions of the current path, the first of them at this depth.
    Path(u32),
    /// It depends on nothing: it holds for every history.
    None,
}

impl PathDependence {
    /// The dependence seen from a position at this depth: a cycle back to the position itself, or to one
    /// below it, does not depend on the path to it.
    pub(crate) fn seen_from(self, depth: u32) -> Self {
        if self >= Self::Path(depth) { Self::None } else { self }
    }
}
