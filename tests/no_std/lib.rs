//! A part of a program without the standard library: it reads a position, counts, takes back and
//! writes.
//!
//! That this compiles does not yet show that nothing below it links `std`. With `bare` it has a panic
//! handler, of which a program has only one, and compiles with no `std` anywhere:
//!
//! ```text
//! cargo rustc -p shogi-variants-no-std -- --cfg bare
//! ```
//!
//! It is not on by default, because the dependencies may have their `std` features on when the whole
//! workspace is built.
#![no_std]

extern crate alloc;

use alloc::string::String;

use shogi_rules::shogi_core::perft;
use shogi_rules::{Minishogi, PositionError, parse_position, to_sfen};

/// The number of games of so many plies.
///
/// # Errors
///
/// Where the text is no legal position.
pub fn count(sfen: &str, plies: u8) -> Result<u64, PositionError<Minishogi>> {
    let position = parse_position(sfen)?;
    Ok(perft(&position, plies))
}

/// A position one ply before the given one, if it has any, in SFEN.
///
/// # Errors
///
/// Where the text is no legal position.
pub fn before(sfen: &str) -> Result<Option<String>, PositionError<Minishogi>> {
    let position = parse_position(sfen)?;
    Ok(position.unmoves().first().map(|&unmove| to_sfen(&position.unmake_unchecked(unmove))))
}

#[cfg(bare)]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
