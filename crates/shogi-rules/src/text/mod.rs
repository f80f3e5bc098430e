//! Variants as text: new games in a file, without a compiler.
//!
//! A text is TOML. It names the game, draws its start and defines the movement of each face of each piece;
//! other rules default to those of standard shogi. `variants/README.md` teaches the format by an example.

mod check;
mod definition;
mod document;
mod error;
mod fairy;
mod movement;
mod read;
mod start;
mod variant;
mod words;
mod write;

pub use definition::{BeyondText, Definition, FaceText};
pub use error::{Alternatives, TextError, TextFault, TextReason};
pub use fairy::{ImportError, Unsayable, import_fairy};
pub use variant::{TextLoadError, TextVariant};

/// The games that the library contains as texts.
///
/// ```
/// use shogi_rules::text::{BUILT_IN, Definition};
/// for built_in in BUILT_IN {
///     let definition = Definition::parse(built_in.text)?;
///     assert_eq!(definition.rules.name, built_in.name);
///     assert!(built_in.title.starts_with(&definition.title));
/// }
/// # Ok::<(), shogi_rules::text::TextError>(())
/// ```
pub const BUILT_IN: [BuiltIn; 5] = [
    BuiltIn {
        name: "gorogoro",
        title: "Goro-goro shogi, 5x6",
        text: include_str!("games/gorogoro.toml"),
    },
    BuiltIn {
        name: "gorogoroplus",
        title: "Goro-goro plus, 5x6",
        text: include_str!("games/gorogoroplus.toml"),
    },
    BuiltIn {
        name: "judkins",
        title: "Judkins shogi, 6x6",
        text: include_str!("games/judkins.toml"),
    },
    BuiltIn { name: "micro", title: "Micro shogi, 4x5", text: include_str!("games/micro.toml") },
    BuiltIn {
        name: "torishogi",
        title: "Tori shogi, 7x7",
        text: include_str!("games/torishogi.toml"),
    },
];

/// A game that the library contains as a text.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct BuiltIn {
    /// The name in scripts.
    pub name: &'static str,
    /// The name shown to people, with the size of the board.
    pub title: &'static str,
    /// The text.
    pub text: &'static str,
}
