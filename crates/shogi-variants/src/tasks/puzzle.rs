//! Problems of mate as lishogi keeps its puzzles.

use std::string::String;
use std::vec::Vec;

use super::Problem;
use crate::Variant;

/// A problem of mate as a document of lishogi's collection of puzzles, one of a file with a document a line.
///
/// The names are those of its database (`modules/puzzle` of its sources, June 2026), with one more: `variant`, by lishogi's
/// own names of variants, since all of its puzzles are of standard shogi today.
///
/// ```
/// use shogi_variants::Variant;
/// use shogi_variants::solve::Budget;
/// use shogi_variants::tasks::{Puzzle, Session, Task as _, TsumeTask};
/// let mut session = Session::new(Budget::unlimited());
/// let sfen = "3B1/2G2/2+B1k/4r/5 b rg2s2p 1";
/// let problem = TsumeTask::default().answer(Variant::Minishogi, sfen, &mut session)?;
/// let puzzle = Puzzle::new(Variant::Minishogi, sfen, &problem).unwrap();
/// assert_eq!(puzzle.themes, ["tsume", "mate", "mateIn3", "short", "otherSources"]);
/// assert_eq!((puzzle.id.len(), puzzle.line.split(' ').count()), (5, 3));
/// # Ok::<(), shogi_variants::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
#[non_exhaustive]
pub struct Puzzle {
    /// Five letters and digits: the same of the same problem.
    #[serde(rename = "_id")]
    pub id: String,
    /// The variant, by lishogi's name.
    pub variant: &'static str,
    /// The position.
    pub sfen: String,
    /// The solution in USI notation, with a blank between two moves.
    pub line: String,
    /// The rating that lishogi gives a new puzzle of this length.
    pub glicko: Glicko,
    /// How many people have tried it: none.
    pub plays: u32,
    /// The opinion that lishogi begins with.
    pub vote: f64,
    /// Its themes, by lishogi's names.
    pub themes: Vec<&'static str>,
}

/// A rating by Glicko-2.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
#[non_exhaustive]
pub struct Glicko {
    /// The rating.
    #[serde(rename = "r")]
    pub rating: f64,
    /// Its deviation.
    #[serde(rename = "d")]
    pub deviation: f64,
    /// Its volatility.
    #[serde(rename = "v")]
    pub volatility: f64,
}

impl Puzzle {
    /// The document of a problem in a position; `None` where no mate is known. Position and moves should be in lishogi's
    /// notation.
    pub fn new(variant: Variant, sfen: &str, problem: &Problem) -> Option<Self> {
        let plies = problem.plies.filter(|_| !problem.line.is_empty())?;
        let name = match variant.name() {
            "shogi" => "standard",
            name => name,
        };
        let mut themes = Vec::from(["tsume", "mate"]);
        themes.extend(match plies {
            1 => Some("mateIn1"),
            3 => Some("mateIn3"),
            5 => Some("mateIn5"),
            7 => Some("mateIn7"),
            9 => Some("mateIn9"),
            _ => None,
        });
        themes.push(match plies {
            0..=2 => "oneMove",
            3..=4 => "short",
            5..=6 => "long",
            _ => "veryLong",
        });
        themes.push("otherSources");
        let rating = 1_000.0 + 150.0 * problem.line.len() as f64;
        Some(Self {
            id: id(name, sfen),
            variant: name,
            sfen: sfen.into(),
            line: problem.line.join(" "),
            glicko: Glicko { rating, deviation: 500.0, volatility: 0.08 },
            plays: 0,
            vote: 0.95,
            themes,
        })
    }
}

/// A name of five letters and digits, drawn from the texts by FNV-1a.
fn id(variant: &str, sfen: &str) -> String {
    const SIGNS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let bytes = variant.bytes().chain([b' ']).chain(sfen.bytes());
    let mut hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mut next = || {
        let sign = SIGNS[(hash % 62) as usize];
        hash /= 62;
        char::from(sign)
    };
    (0..5).map(|_| next()).collect()
}
