//! The benches are in the targets of this package; there is nothing in its library.
