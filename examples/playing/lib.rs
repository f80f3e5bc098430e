//! What the programs that play share with the other examples.

pub use shogi_variants_counting_examples::{
    exit_code, parse_count, plot, provenance, say, write_whole,
};
