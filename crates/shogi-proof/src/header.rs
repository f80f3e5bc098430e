//! The head of a proof file, before the entries.

use shogi_files::sealed::FileFormat;

use crate::{Claim, Repetition};

/// The format of proof files.
pub const FORMAT: FileFormat =
    FileFormat { magic: *b"\x89PROOF\r\n", version: 1, name: "proof file", most: 1 << 32 };

/// The head of a proof file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The name of the rule set.
    pub variant: String,
    /// The rules as a text, if the rule set was read from one; with it the proof can be checked without that
    /// file.
    pub text: Option<String>,
    /// The hash of the rules by which it holds, see [`rules_hash`](shogi_rules::rules_hash).
    pub rules: [u8; 32],
    /// The position that the claim is about, in SFEN.
    pub root: String,
    /// The claim about it.
    pub claim: Claim,
    /// One for each of the claim's provers.
    pub sections: Vec<Section>,
}

/// The entry of one strategy in the section table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Section {
    /// The value that it assumes for a repetition.
    pub repetition: Repetition,
    /// The number of its entries.
    pub entries: u64,
}

/// The mark before the name of a rule set whose text follows.
pub(crate) const TEXT_FOLLOWS: char = '+';

/// Most bytes of the text of a rule set.
pub(crate) const MAX_TEXT: u32 = 1 << 17;

/// The claims by their number in the file.
pub(crate) const CLAIMS: [Claim; 5] = {
    use shogi_core::Colour::{Gote, Sente};
    [
        Claim::Win { prover: Sente },
        Claim::Win { prover: Gote },
        Claim::NotLose { prover: Sente },
        Claim::NotLose { prover: Gote },
        Claim::Draw,
    ]
};

/// The values of a repetition by their number in the file.
pub(crate) const REPETITIONS: [Repetition; 3] =
    [Repetition::Absent, Repetition::Draw, Repetition::Win];

/// The number of an item of one of the lists above, which hold every value.
pub(crate) fn number<T: PartialEq>(list: &[T], item: &T) -> u8 {
    list.iter().position(|listed| listed == item).unwrap_or(list.len()) as u8
}
