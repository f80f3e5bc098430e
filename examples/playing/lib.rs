//! What the programs that play share with the other examples.

pub use shogi_variants_counting_examples::{
    exit_code, parse_count, provenance, say, say_what_draws, write_whole,
};
