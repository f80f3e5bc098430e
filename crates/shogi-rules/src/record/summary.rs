//! The line of KIF and KI2 that sums a game up: まで7手で先手の勝ち.

use alloc::format;
use alloc::string::String;

use shogi_core::Colour;

use super::builder::Builder;
use super::cursor::Cursor;
use super::end::End;
use super::kakinoki::player;

/// Reads how the game ended: まで, the number of moves, and the result. Where the record has said so
/// before, it is not said twice.
pub(super) fn read(builder: &mut Builder, mut line: Cursor) {
    let whole = line.rest();
    line.eat("まで");
    line.eat("、");
    line.skip_spaces();
    if line.number().is_some() && line.eat("手") {
        let _ = line.eat("で") || line.eat("にて");
    }
    line.skip_spaces();
    let words = line.rest().trim_end();
    if words.is_empty() {
        return;
    }
    let (end, by) = result(words, builder.to_move());
    if !builder.is_said(&end) {
        builder.end((end, by), whole);
    } else if let (Some(by), End::TimeUp | End::Declaration) = (by, &end) {
        // A word in the place of a move does not name the player.
        builder.end_as(end, Some(by));
    }
}

/// The end that the words after the number of moves stand for, and whose it is.
fn result(words: &str, to_move: Colour) -> (End, Option<Colour>) {
    let named = player(words);
    // What is said of a player, without the name.
    let said = named.map_or(words, |_| words.split_once('の').map_or(words, |(_, rest)| rest));
    if let Some(cause) = said.strip_suffix("勝ち").filter(|cause| !is_word_for_a_win(cause)) {
        let end = if cause.contains("時間切れ") || cause.contains("切れ負け") {
            End::TimeUp
        } else if cause.contains("反則") {
            End::Foul
        } else {
            End::Resignation
        };
        // The player who wins may be named at the end.
        let winner = named.or_else(|| cause.rsplit(['、', 'り', 'で']).next().and_then(player));
        let loser = winner.map(|winner| !winner).or_else(|| end.usually_by(to_move));
        return (end, loser);
    }
    let word = said.strip_prefix('詰').map_or(said, |_| "詰み");
    let (end, by) = End::of_word(word, to_move);
    let opponents = by.is_some() && by != end.usually_by(to_move);
    // 先手の反則勝ち is an end of the other's.
    let by = named.map_or(by, |named| by.map(|_| if opponents { !named } else { named }));
    if let End::Other(_) = end {
        return (End::Other(words.into()), None);
    }
    (end, by)
}

/// Whether the end is read back from such a line.
pub(super) fn can_hold(end: &End) -> bool {
    end.word().trim() == end.word()
        && !end.word().contains(['\n', '\r'])
        && result(end.word(), Colour::Sente).0 == *end
}

/// Whether 勝ち behind it makes a word of its own.
fn is_word_for_a_win(cause: &str) -> bool {
    ["反則", "入玉", "宣言"].contains(&cause)
}

/// The line for a game that ended so after so many moves.
pub(super) fn written(
    end: &End,
    by: Option<Colour>,
    moves: usize,
    to_move: Colour,
    players: [&str; 2],
) -> String {
    let name = |colour: Colour| players[colour.index()];
    let whose = by.unwrap_or(to_move);
    let result = match end {
        End::Resignation => format!("{}の勝ち", name(!whose)),
        End::TimeUp => format!("時間切れにより{}の勝ち", name(!whose)),
        End::Declaration => format!("{}の{}", name(whose), end.word()),
        End::Foul | End::Default => format!("{}の{}", name(to_move), end.kif(by, to_move)),
        _ => end.word().into(),
    };
    format!("まで{moves}手で{result}\n")
}
