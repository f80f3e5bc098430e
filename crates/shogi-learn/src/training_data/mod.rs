//! Training data in the formats that the community of shogi programs exchanges.
//!
//! Such a file is a sequence of entries of one length, without a head and without a checksum, for standard shogi
//! only. Integers are little-endian:
//!
//! | format | bytes of an entry | |
//! |---|---|---|
//! | [`Psv`](DataFormat::Psv) | 32, 2, 2, 2, 1, 1 | the position as PackedSfen; the score; the move; the number of the move in the game, from 1; the result for the player to move: 1 won, 0 drawn, -1 lost; a byte without meaning |
//! | [`Hcpe`](DataFormat::Hcpe) | 32, 2, 2, 1, 1 | the position as HuffmanCodedPos; the score; the move; the result: 0 drawn, 1 won by Sente, 2 by Gote; a byte without meaning |
//! | [`PackedSfen`](DataFormat::PackedSfen), [`Hcp`](DataFormat::Hcp) | 32 | the position alone |
//!
//! Scores are those of the player to move. In PSV a pawn is worth 90, as inside YaneuraOu; in hcpe 100, or
//! whatever the writing program uses. [`EntryReader`] and [`DataFormat::write`] do not convert them. The move
//! number 0 stands for an unknown move.
//!
//! Everything is checked as it is read: the position is legal and has the full set of pieces, and the move is
//! legal in it.
//!
//! ```
//! use shogi_learn::training_data::{DataFormat, DataEntry};
//! use shogi_rules::{Rules, Shogi, Verdict};
//!
//! let position = Shogi::start();
//! let mv = Some("7g7f".parse()?);
//! let entry = DataEntry { position, mv, score: 35, result: Some(Verdict::Win), ply: 1 };
//! let mut file = Vec::new();
//! DataFormat::Psv.write(&entry, &mut file)?;
//! assert_eq!(file.len(), 40);
//! let read: Result<Vec<_>, _> = DataFormat::Psv.read::<Shogi, _>(&file[..]).collect();
//! assert_eq!(read?, [entry]);
//!
//! let error = DataFormat::Psv.read::<Shogi, _>(&file[1..]).next().unwrap().unwrap_err();
//! assert_eq!(error.to_string(), "at byte 39: the file ends here, but it is not complete");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod of_games;
mod read;
mod write;

use std::path::Path;

use shogi_core::{Move, Position};
use shogi_files::packed::Packing;
use shogi_rules::{Rules, Verdict};

use crate::self_play::{is_decided, is_quiet};
use crate::value::Judged;

pub use of_games::entries;
pub use read::EntryReader;
pub use write::EntryError;

/// A position to learn from, with its known data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DataEntry<R: Rules> {
    /// The position.
    pub position: Position<R>,
    /// The move that was chosen, if it is known; it is legal.
    pub mv: Option<Move<R>>,
    /// The score of a search, for the player to move, in the units of the file; 0 where it has none.
    pub score: i16,
    /// How the game ended, for the player to move; `None` where the format has no result.
    pub result: Option<Verdict>,
    /// The number in the game, from 1, of the move made in this position; 0 if unknown.
    pub ply: u16,
}

impl<R: Rules> DataEntry<R> {
    /// The entry for fits of evaluations. `None` for a position in check, one in which the search has found the
    /// end of the game (a score of 25,000 or more in magnitude), one whose move captures or promotes, and one
    /// without a result.
    pub fn judged(&self) -> Option<Judged<R>> {
        let &Self { position, mv, score, result, .. } = self;
        let is_quiet = match mv {
            Some(mv) => is_quiet(&position, mv),
            None => !position.is_check(),
        };
        let result = result.filter(|_| is_quiet && !is_decided(score))?;
        Some(Judged { position, score, result })
    }
}

/// A format of the community's training data.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DataFormat {
    /// YaneuraOu's PackedSfenValue.
    Psv,
    /// Apery's HuffmanCodedPosAndEval.
    Hcpe,
    /// YaneuraOu's PackedSfen: positions alone.
    PackedSfen,
    /// Apery's HuffmanCodedPos: positions alone.
    Hcp,
}

impl DataFormat {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Psv, Self::Hcpe, Self::PackedSfen, Self::Hcp];

    /// The name, which is also the extension of such files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Psv => "psv",
            Self::Hcpe => "hcpe",
            Self::PackedSfen => "psfen",
            Self::Hcp => "hcp",
        }
    }

    /// The format for a file extension: its [name](Self::name), or `bin` for PSV.
    ///
    /// ```
    /// use std::path::Path;
    /// use shogi_learn::training_data::DataFormat;
    /// assert_eq!(DataFormat::of_path(Path::new("shuffled.bin")), Some(DataFormat::Psv));
    /// assert_eq!(DataFormat::of_path(Path::new("a.games")), None);
    /// ```
    pub fn of_path(path: &Path) -> Option<Self> {
        let end = path.extension()?.to_str()?;
        let is_meant = |format: &Self| format.name() == end;
        Self::ALL.into_iter().find(is_meant).or((end == "bin").then_some(Self::Psv))
    }

    /// Bytes of an entry.
    pub const fn entry_bytes(self) -> usize {
        match self {
            Self::Psv => 40,
            Self::Hcpe => 38,
            Self::PackedSfen | Self::Hcp => 32,
        }
    }

    /// The packing of positions and moves.
    pub const fn packing(self) -> Packing {
        match self {
            Self::Psv | Self::PackedSfen => Packing::PackedSfen,
            Self::Hcpe | Self::Hcp => Packing::Hcp,
        }
    }

    /// Whether an entry has a score and a result.
    pub const fn has_results(self) -> bool {
        matches!(self, Self::Psv | Self::Hcpe)
    }
}
