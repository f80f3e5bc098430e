//! Variants as text: a game of one's own in a file, without a compiler.
//!
//! A text is TOML. It names the game, draws its start and says how each face of each piece moves; what it does not
//! say is as in standard shogi. `variants/README.md` teaches the format by an example.

mod check;
mod definition;
mod document;
mod error;
mod movement;
mod read;
mod start;
mod words;
mod write;

pub use definition::{Definition, FaceText};
pub use error::{Alternatives, TextError, TextFault, TextReason};

/// The texts of the games that come with the library: Goro-goro shogi, Goro-goro plus, Judkins shogi, Micro shogi and
/// Tori shogi.
///
/// ```
/// use shogi_rules::text::{BUILT_IN, Definition};
/// let names: Vec<_> = BUILT_IN.iter().map(|text| Definition::parse(text).unwrap().rules.name).collect();
/// assert_eq!(names, ["gorogoro", "gorogoroplus", "judkins", "micro", "torishogi"]);
/// ```
pub const BUILT_IN: [&str; 5] = [
    include_str!("games/gorogoro.toml"),
    include_str!("games/gorogoroplus.toml"),
    include_str!("games/judkins.toml"),
    include_str!("games/micro.toml"),
    include_str!("games/torishogi.toml"),
];
