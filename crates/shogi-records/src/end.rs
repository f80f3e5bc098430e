//! The ends of games in records.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use shogi_core::{Colour, RuleTable};

use super::kakinoki::starts_as_move;
use super::tree::RecordMove;
use shogi_rules::{Outcome, Reason};

/// The end of a game, as far as the record names it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum End {
    /// A player resigned (投了), usually the one to move.
    Resignation,
    /// A player is mated (詰み): the one to move.
    Checkmate,
    /// A player ran out of time (切れ負け), usually the one to move.
    TimeUp,
    /// A player broke the rules and lost (反則負け, 反則勝ち), usually the one to move.
    Foul,
    /// A player did not appear (不戦敗, 不戦勝), usually the one to move.
    Default,
    /// A draw for a reason that the record does not name (引き分け).
    Draw,
    /// A draw because both kings have entered (持将棋).
    Impasse,
    /// A draw because the limit of moves was reached (最大手数).
    MoveLimit,
    /// The position was repeated (千日手). In variants where repetition loses, the end belongs to the loser.
    Repetition,
    /// A player declared a win by an entered king (入玉勝ち), usually the one to move.
    Declaration,
    /// A player has brought the king home (トライ): the one who just moved.
    Try,
    /// The game was broken off (中断).
    Interruption,
    /// The game was adjourned with a sealed move (封じ手).
    SealedMove,
    /// A problem turned out to have no mate (不詰).
    NoMate,
    /// Another end, in the record's own word.
    Other(String),
}

/// Whom an end usually concerns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    ToMove,
    JustMoved,
    Nobody,
}

/// The words of the formats for an end.
struct EndWords {
    end: End,
    /// The kind in JSON.
    how: &'static str,
    kif: &'static str,
    /// In CSA, without the percent sign.
    csa: Option<&'static str>,
    /// Other words that are read: those of KIF and CSA, and names in older JSON.
    also: &'static [&'static str],
    whose: Whose,
}

const fn row(
    end: End,
    how: &'static str,
    kif: &'static str,
    csa: Option<&'static str>,
    also: &'static [&'static str],
    whose: Whose,
) -> EndWords {
    EndWords { end, how, kif, csa, also, whose }
}

static ROWS: [EndWords; 14] = {
    use Whose::{JustMoved, Nobody, ToMove};
    [
        row(End::Resignation, "resignation", "投了", Some("TORYO"), &[], ToMove),
        row(End::Checkmate, "checkmate", "詰み", Some("TSUMI"), &["詰", "詰め"], ToMove),
        row(End::TimeUp, "time", "切れ負け", Some("TIME_UP"), TIME_UP, ToMove),
        row(End::Foul, "foul", "反則負け", Some("ILLEGAL_MOVE"), &["反則"], ToMove),
        row(End::Default, "default", "不戦敗", None, &["absence"], ToMove),
        row(End::Draw, "draw", "引き分け", Some("HIKIWAKE"), &["引分", "引分け"], Nobody),
        row(End::Impasse, "draw", "持将棋", Some("JISHOGI"), &["impasse"], Nobody),
        row(End::MoveLimit, "draw", "最大手数", Some("MAX_MOVES"), &["move-limit"], Nobody),
        row(End::Repetition, "repetition", "千日手", Some("SENNICHITE"), &[], Nobody),
        row(End::Declaration, "declaration", "入玉勝ち", Some("KACHI"), &["宣言勝ち"], ToMove),
        row(End::Try, "other", "トライ", None, &["try"], JustMoved),
        row(End::Interruption, "interruption", "中断", Some("CHUDAN"), BROKEN_OFF, Nobody),
        row(End::SealedMove, "interruption", "封じ手", None, &[], Nobody),
        row(End::NoMate, "other", "不詰", Some("FUZUMI"), &["no-mate"], Nobody),
    ]
};

/// Words of servers and programs for a clock that has run out.
const TIME_UP: &[&str] = &["時間切れ", "時間切れ負け", "Time-up", "time-up"];
/// Words for a move taken back and for an error, after which a game stops.
const BROKEN_OFF: &[&str] = &["待った", "エラー", "MATTA", "ERROR"];
/// Words for ends of the player who just moved, from the view of the player to move.
const OF_THE_OPPONENT: [(End, &str, &str); 2] =
    [(End::Foul, "反則勝ち", "opponent-foul"), (End::Default, "不戦勝", "opponent-absence")];
/// The word of CSA, after a sign for the offender, for an offence that ended the game.
pub(super) const OFFENCE: &str = "ILLEGAL_ACTION";

/// An end as a record gives it.
pub(super) struct Said {
    pub(super) end: End,
    pub(super) by: Option<Colour>,
    /// Whether the record names the player rather than leaving it to the turn.
    pub(super) is_named: bool,
}

impl Said {
    /// The meaning of a word of any format or kind, if `to_move` would have moved next.
    pub(super) fn of_word(word: &str, to_move: Colour) -> Self {
        let is_named = word.starts_with(['+', '-']);
        let (end, by) = End::of_word(word, to_move);
        Self { is_named: is_named && by.is_some(), end, by }
    }
}

impl End {
    fn row(&self) -> Option<&'static EndWords> {
        ROWS.iter().find(|row| row.end == *self)
    }

    /// Its kind, one of `resignation`, `checkmate`, `time`, `foul`, `default`, `draw`,
    /// `repetition`, `declaration`, `interruption` and `other`.
    ///
    /// ```
    /// use shogi_records::End;
    /// assert_eq!(End::TimeUp.how(), "time");
    /// assert_eq!((End::Impasse.how(), End::Impasse.word()), ("draw", "持将棋"));
    /// ```
    pub fn how(&self) -> &'static str {
        self.row().map_or("other", |row| row.how)
    }

    /// The word for it in KIF, or the record's own.
    pub fn word(&self) -> &str {
        match self {
            Self::Other(word) => word,
            _ => self.row().map_or("", |row| row.kif),
        }
    }

    /// Whether the kind identifies the end without its word.
    pub(super) fn is_named_by_kind(&self) -> bool {
        let first = ROWS.iter().find(|row| row.how == self.how());
        self.how() != "other" && first.is_some_and(|row| row.end == *self)
    }

    /// The player whom it usually concerns, if `to_move` would have moved next.
    pub(super) fn usually_by(&self, to_move: Colour) -> Option<Colour> {
        match self.row()?.whose {
            Whose::ToMove => Some(to_move),
            Whose::JustMoved => Some(!to_move),
            Whose::Nobody => None,
        }
    }

    /// The end that a word of any format or kind means, and its player.
    pub(super) fn of_word(word: &str, to_move: Colour) -> (Self, Option<Colour>) {
        for (end, kif, name) in OF_THE_OPPONENT {
            if word == kif || word == name {
                return (end, Some(!to_move));
            }
        }
        for (sign, offender) in [("+", Colour::Sente), ("-", Colour::Gote), ("", !to_move)] {
            if word.strip_prefix(sign) == Some(OFFENCE) {
                return (Self::Foul, Some(offender));
            }
        }
        let is_word = |row: &&EndWords| {
            row.kif == word || row.csa == Some(word) || row.how == word || row.also.contains(&word)
        };
        let end = match ROWS.iter().find(is_word) {
            Some(row) => row.end.clone(),
            None => Self::Other(word.to_owned()),
        };
        let by = end.usually_by(to_move);
        (end, by)
    }

    /// The word of KIF, from the view of the player to move.
    pub(super) fn kif(&self, by: Option<Colour>, to_move: Colour) -> &str {
        let opponents = OF_THE_OPPONENT.iter().find(|(end, ..)| end == self);
        match opponents {
            Some((_, word, _)) if by == Some(!to_move) => word,
            _ => self.word(),
        }
    }

    /// Whether a word in the place of a move identifies the player, given the player to move.
    pub(super) fn is_told_by_turn(&self, by: Option<Colour>, to_move: Colour) -> bool {
        let usual = self.usually_by(to_move);
        by == usual || OF_THE_OPPONENT.iter().any(|(end, ..)| end == self)
    }

    /// Whether its player wins by it.
    pub(super) const fn is_won_by_its_player(&self) -> bool {
        matches!(self, Self::Declaration | Self::Try)
    }

    /// Whether its word leaves the player open: either player's clock may run out, and some words concern
    /// nobody.
    pub(super) const fn leaves_player_open(&self) -> bool {
        matches!(
            self,
            Self::TimeUp | Self::Declaration | Self::Repetition | Self::Impasse | Self::Other(_)
        )
    }

    /// Whether its word is read back in the place of a move.
    pub(super) fn is_word_of_kif(&self) -> bool {
        let word = self.word();
        let is_plain = !word.is_empty()
            && word.trim() == word
            && !word.ends_with('+')
            && !word.contains(['(', '（', '\n', '\r']);
        is_plain && !starts_as_move(word)
    }

    /// The word of CSA after an illegal move, without the percent sign. There the word for a foul means the
    /// player who made the move, unless it has a sign.
    pub(super) fn csa_behind_illegal_move(
        &self,
        by: Option<Colour>,
        to_move: Colour,
    ) -> Option<String> {
        match self {
            Self::Foul => by.map(signed_offence),
            _ => self.csa(by, to_move),
        }
    }

    /// The word of CSA, without the percent sign; `None` if there is none.
    pub(super) fn csa(&self, by: Option<Colour>, to_move: Colour) -> Option<String> {
        match (self, by) {
            (Self::Foul, Some(by)) if by != to_move => Some(signed_offence(by)),
            _ if !self.is_told_by_turn(by, to_move) => None,
            (Self::SealedMove, _) => Self::Interruption.csa(by, to_move),
            (Self::Other(word), _) => is_word_of_csa(word).then(|| word.clone()),
            _ => self.row()?.csa.map(String::from),
        }
    }
}

/// The word of CSA, with a sign, for a foul of a player.
fn signed_offence(by: Colour) -> String {
    format!("{}{OFFENCE}", if by == Colour::Sente { '+' } else { '-' })
}

/// Whether a record's own word can follow the percent sign.
fn is_word_of_csa(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
}

/// The end of a recorded game, or of a variation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending<R: RuleTable> {
    /// The kind of end.
    pub end: End,
    /// The player who resigned, was mated, ran out of time, broke the rules, did not appear, lost by a
    /// repetition, declared or brought the king home.
    pub by: Option<Colour>,
    /// The illegal move that ended the game, if the record has it.
    pub illegal_move: Option<RecordMove<R>>,
    /// Comments on the end, one per line.
    pub comments: Vec<String>,
    /// Bookmarks after the end, one per line.
    pub bookmarks: Vec<String>,
    /// Seconds of thinking before the end.
    pub seconds: Option<u32>,
}

impl<R: RuleTable> From<End> for Ending<R> {
    /// An end without comments or player.
    fn from(end: End) -> Self {
        let (comments, bookmarks) = (Vec::new(), Vec::new());
        Self { end, by: None, illegal_move: None, comments, bookmarks, seconds: None }
    }
}

impl<R: RuleTable> From<Outcome> for Ending<R> {
    /// The end by which records name an outcome.
    ///
    /// ```
    /// use shogi_records::{End, Ending};
    /// use shogi_rules::shogi_core::Colour;
    /// use shogi_rules::{Outcome, Reason, Shogi};
    /// let outcome = Outcome::win(Colour::Gote, Reason::PerpetualCheck);
    /// let ending = Ending::<Shogi>::from(outcome);
    /// assert_eq!((ending.end, ending.by), (End::Foul, Some(Colour::Sente)));
    /// ```
    fn from(outcome: Outcome) -> Self {
        let winner = outcome.winner();
        let loser = winner.map(|winner| !winner);
        let (end, by) = match outcome.reason {
            Reason::Checkmate | Reason::Stalemate | Reason::LionCaptured => (End::Checkmate, loser),
            Reason::Try => (End::Try, winner),
            Reason::BothTries => (End::Draw, loser),
            Reason::Repetition => (End::Repetition, loser),
            Reason::PerpetualCheck | Reason::IllegalMove(_) => (End::Foul, loser),
            Reason::Declaration if winner.is_none() => (End::Impasse, None),
            Reason::Impasse => (End::Impasse, loser),
            Reason::Declaration => (End::Declaration, winner),
            Reason::FailedDeclaration => (End::Declaration, loser),
            Reason::Resignation => (End::Resignation, loser),
            reason => (End::Other(reason.to_string()), loser),
        };
        Self { by, ..end.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_back() {
        for to_move in Colour::ALL {
            for EndWords { end, also, .. } in &ROWS {
                let usual = (end.clone(), end.usually_by(to_move));
                for word in also.iter().copied().chain([end.word()]) {
                    assert_eq!(End::of_word(word, to_move), usual, "{word}");
                }
                if let Some(word) = end.csa(usual.1, to_move) {
                    let read = End::of_word(&word, to_move);
                    assert!(read == usual || *end == End::SealedMove, "{word}");
                }
            }
            for by in Colour::ALL {
                for end in [End::Foul, End::Default] {
                    let word = end.kif(Some(by), to_move).to_owned();
                    assert_eq!(End::of_word(&word, to_move), (end, Some(by)), "{word}");
                }
            }
        }
    }

    #[test]
    fn kinds_name_their_first_end_alone() {
        let named = ROWS.iter().filter(|row| row.end.is_named_by_kind());
        let ends: Vec<_> = named.map(|row| row.end.how()).collect();
        let kinds = ["resignation", "checkmate", "time", "foul", "default", "draw", "repetition"];
        assert_eq!(ends[..7], kinds);
        assert_eq!(ends[7..], ["declaration", "interruption"]);
    }
}
