//! How games end.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use shogi_core::Colour;

/// How a game ended, as far as the record says.
///
/// Each is seen by the player who would have been next to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum End {
    /// The player to move resigned (投了).
    Resignation,
    /// The game was broken off (中断).
    Interruption,
    /// The position was repeated (千日手).
    Repetition,
    /// The player to move is mated (詰み).
    Checkmate,
    /// A problem turned out to have no mate (不詰).
    NoMate,
    /// A draw because both kings have entered (持将棋).
    Impasse,
    /// The player to move declared a win by an entered king (入玉勝ち).
    Declaration,
    /// The player to move ran out of time (切れ負け).
    TimeUp,
    /// The player to move broke the rules (反則負け).
    Foul,
    /// The opponent of the player to move broke the rules (反則勝ち).
    OpponentFoul,
    /// The player to move did not appear (不戦敗).
    Absence,
    /// The opponent of the player to move did not appear (不戦勝).
    OpponentAbsence,
    /// The limit of moves was reached (最大手数).
    MoveLimit,
    /// The player who just moved has brought the king home (トライ).
    Try,
}

/// Who wins, seen from the player to move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Winner {
    ToMove,
    Opponent,
    Nobody,
}

/// An end in the words of the formats: in KIF, in CSA without the percent sign, and who wins.
type Row = (End, &'static str, Option<&'static str>, Winner);

const ROWS: [Row; 14] = [
    (End::Resignation, "投了", Some("TORYO"), Winner::Opponent),
    (End::Interruption, "中断", Some("CHUDAN"), Winner::Nobody),
    (End::Repetition, "千日手", Some("SENNICHITE"), Winner::Nobody),
    (End::Checkmate, "詰み", Some("TSUMI"), Winner::Opponent),
    (End::NoMate, "不詰", Some("FUZUMI"), Winner::Nobody),
    (End::Impasse, "持将棋", Some("JISHOGI"), Winner::Nobody),
    (End::Declaration, "入玉勝ち", Some("KACHI"), Winner::ToMove),
    (End::TimeUp, "切れ負け", Some("TIME_UP"), Winner::Opponent),
    (End::Foul, "反則負け", Some("ILLEGAL_MOVE"), Winner::Opponent),
    (End::OpponentFoul, "反則勝ち", None, Winner::ToMove),
    (End::Absence, "不戦敗", None, Winner::Opponent),
    (End::OpponentAbsence, "不戦勝", None, Winner::ToMove),
    (End::MoveLimit, "最大手数", Some("MAX_MOVES"), Winner::Nobody),
    (End::Try, "トライ", None, Winner::Opponent),
];

/// CSA's draw by declaration, which has the same cause as an impasse.
const DECLARED_DRAW: &str = "HIKIWAKE";
/// CSA's words for a move that was taken back and for an error, after which a game does not go on.
const BROKEN_OFF: [&str; 2] = ["MATTA", "ERROR"];
/// What CSA writes, after a sign for the offender, where an offence of that player ended the game.
const OFFENCE: &str = "ILLEGAL_ACTION";

impl End {
    fn row(self) -> &'static Row {
        // Each end has a row; a test goes through them.
        ROWS.iter().find(|row| row.0 == self).unwrap_or(&ROWS[0])
    }

    /// The winner, if `to_move` would have been next.
    ///
    /// ```
    /// use shogi_rules::record::End;
    /// use shogi_rules::shogi_core::Colour;
    /// assert_eq!(End::Resignation.winner(Colour::Sente), Some(Colour::Gote));
    /// assert_eq!(End::Repetition.winner(Colour::Sente), None);
    /// ```
    pub fn winner(self, to_move: Colour) -> Option<Colour> {
        match self.row().3 {
            Winner::ToMove => Some(to_move),
            Winner::Opponent => Some(!to_move),
            Winner::Nobody => None,
        }
    }

    /// The word of KIF.
    pub(super) fn kif(self) -> &'static str {
        self.row().1
    }

    pub(super) fn from_kif(word: &str) -> Option<Self> {
        ROWS.iter().find(|row| row.1 == word).map(|row| row.0)
    }

    /// The word of CSA, without the percent sign.
    pub(super) fn csa(self, to_move: Colour) -> Option<String> {
        if self == Self::OpponentFoul {
            let sign = if to_move == Colour::Sente { '-' } else { '+' };
            return Some(format!("{sign}{OFFENCE}"));
        }
        self.row().2.map(String::from)
    }

    pub(super) fn from_csa(word: &str, to_move: Colour) -> Option<Self> {
        let offender = match word.strip_suffix(OFFENCE) {
            Some("+") => Some(Colour::Sente),
            Some("-") => Some(Colour::Gote),
            _ => None,
        };
        match offender {
            Some(offender) if offender == to_move => Some(Self::Foul),
            Some(_) => Some(Self::OpponentFoul),
            None if word == DECLARED_DRAW => Some(Self::Impasse),
            None if BROKEN_OFF.contains(&word) => Some(Self::Interruption),
            None => ROWS.iter().find(|row| row.2 == Some(word)).map(|row| row.0),
        }
    }
}

/// The end of a recorded game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// How it ended.
    pub end: End,
    /// Comments on it, each a line.
    pub comments: Vec<String>,
    /// Seconds thought before it.
    pub seconds: Option<u32>,
}

impl From<End> for Ending {
    fn from(end: End) -> Self {
        Self { end, comments: Vec::new(), seconds: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_back() {
        for (end, word, ..) in ROWS {
            assert_eq!(end.row().0, end);
            assert_eq!(End::from_kif(word), Some(end));
            for to_move in Colour::ALL {
                if let Some(word) = end.csa(to_move) {
                    assert_eq!(End::from_csa(&word, to_move), Some(end));
                }
            }
        }
        for word in BROKEN_OFF {
            assert_eq!(End::from_csa(word, Colour::Sente), Some(End::Interruption));
        }
    }
}
