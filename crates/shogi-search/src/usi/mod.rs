//! The player as an engine of USI, the protocol of shogi programs.
//!
//! [`run`] is a whole engine over any input and output. The variant is chosen while it runs, by the option
//! `USI_Variant` (or `UCI_Variant`). docs/reference/usi.md in the repository has all options. Where the
//! protocol leaves room:
//!
//! * **Time.** `byoyomi`, `binc`, `winc` and `movestogo` may come together. `NetworkDelay` (or `Move Overhead`)
//!   is the time that a move loses in transmission; it is subtracted from every clock and from `movetime`. With
//!   its default of 10 ms only a 32nd of a fixed time for the move (`movetime`, or `byoyomi` with nothing else
//!   left) is subtracted, at least 2 and at most 10 ms. A `go` without any limit runs until `stop`.
//! * **A line that cannot be read** is answered by `info string error: ...` with the character and the reason,
//!   and changes nothing. A `go` with such a mistake is still answered, since no answer would lose the game:
//!   words that do not fit are skipped, and if no limit is left the answer comes within a second.
//! * **`searchmoves`** and moves, anywhere in `go`: no other move is played, no win is declared, and
//!   `ResignValue` is ignored. A word that is not a legal move is answered by an error and left out; if none is
//!   left, all moves are searched. `go mate` with such a list is answered by an error and `checkmate timeout`.
//! * **An unknown game** as the value of `USI_Variant` is answered by an error, and nothing is played until the
//!   option names a known game: positions are refused, and each `go` is answered by `bestmove resign` (`go
//!   mate` by `checkmate timeout`), since a move of another game would be illegal.
//! * **A position that cannot be read or reached** is refused with the number of the move and the reason, and
//!   the next `go` is answered by `bestmove resign` (`go mate` by `checkmate timeout`): a move in the earlier
//!   position would be illegal.
//! * **Memory.** If the system refuses the memory for `USI_Hash` and `Threads`, the engine reports an error and
//!   uses 1 MiB and one thread instead.
//! * **Repetition.** If the opponent plays on after a repetition that ends the game by the variant's own rule,
//!   no rule on repetition applies from then on, and `go` is answered by a move.
//! * **The end.** If the game has ended on the board, `go` is answered by `bestmove win` or `bestmove resign`,
//!   or by `bestmove (none)` if it is drawn. Otherwise the engine resigns only by `ResignValue`. `bestmove win`
//!   is also the declaration of an entered king by `EnteringKingRule`.
//! * **Mates** (`score mate 5`, `go mate`) are counted in plies. `go mate` looks for checks only.
//! * **Who attacks.** The protocol does not say whom `go mate` has mate. It is the side to move that attacks, unless it is in
//!   check (`RootIsAndNodeIfChecked`, as in KomoringHeights) or has the only king. Then the question is whether that side is
//!   mated: `checkmate` comes with a line that begins with its longest defence, `checkmate nomate` means that a move helps,
//!   and lines of `info` name the moves that do and the mate after each other one.
//! * **Kings.** One player may have no king, as in mate problems, and is then never in check.
//! * **Variety.** The first `OpeningPlies` plies of a game are drawn among the moves that are at most
//!   `OpeningMargin` hundredths of a pawn worse than the best. Plies count from `position`, so that a position
//!   without moves begins a game.
//! * **The input ends** without `quit`: a search with a limit is completed, so that a script gets its answer;
//!   one without is stopped. `quit` stops any search; its answer is still sent.
//!
//! ```
//! use shogi_rules::{Dobutsu, Minishogi};
//! use shogi_search::usi::{Config, EngineVariant, run};
//!
//! let input = "usi\nsetoption name USI_Variant value minishogi\nisready\n\
//!              position startpos moves 5d5c\ngo depth 3\n";
//! let mut output = Vec::new();
//! const VARIANTS: &[EngineVariant] =
//!     &[EngineVariant::of::<Dobutsu>(), EngineVariant::of::<Minishogi>()];
//! let config = Config::new(VARIANTS, VARIANTS[0]);
//! run(input.as_bytes(), &mut output, &config)?;
//! let output = String::from_utf8(output)?;
//! assert!(output.contains("usiok") && output.contains("readyok"));
//! assert!(output.lines().last().is_some_and(|line| line.starts_with("bestmove ")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod command;
mod engine;
mod hosted;
mod info;
mod opening;
mod options;
mod session;
mod setup;
mod time;
mod variant;

use shogi_rules::Dialect;

use crate::settings::MAX_THREADS;

pub use command::{Command, CommandError, CommandReason, Go, Mate, Setup, parse_command, parse_go};
pub use hosted::HostedSession;
pub use session::{HostedSearch, run, run_in_order};
pub use variant::EngineVariant;

/// The initial configuration of an engine and its share of the machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    variants: &'static [EngineVariant],
    /// The variant to begin with.
    first: EngineVariant,
    /// The name of the engine in the answer to `usi`.
    pub name: &'static str,
    /// The author in the answer to `usi`.
    pub author: &'static str,
    /// The dialect to write positions and moves in; `None` for the variant's own. Both are read.
    pub dialect: Option<Dialect>,
    /// The largest value of `USI_Hash`, in megabytes.
    pub max_hash: u32,
    /// The largest value of `Threads`.
    pub max_threads: u32,
    /// The most nodes of any search.
    pub max_nodes: u64,
    /// Whether the host has files; without files no option names one.
    pub files: bool,
}

impl Config {
    /// The names of the variants that can be played, the first one included.
    fn names(&self) -> Vec<&'static str> {
        let mut names: Vec<_> = self.variants.iter().map(|variant| variant.name()).collect();
        if !names.contains(&self.first.name()) {
            names.push(self.first.name());
        }
        names
    }

    /// Whether any variant has evaluations to choose from.
    fn has_choice(&self) -> bool {
        self.first.has_choice() || self.variants.iter().any(|variant| variant.has_choice())
    }

    /// An engine that can play these variants and begins with `first`, in its own dialect, with up to
    /// 16 GiB and 256 threads, without a limit of nodes, with files.
    pub const fn new(variants: &'static [EngineVariant], first: EngineVariant) -> Self {
        Self {
            variants,
            first,
            name: concat!("shogi-variants ", env!("CARGO_PKG_VERSION")),
            author: "the shogi-variants authors",
            dialect: None,
            max_hash: 16 << 10,
            max_threads: MAX_THREADS as u32,
            max_nodes: u64::MAX,
            files: true,
        }
    }
}
