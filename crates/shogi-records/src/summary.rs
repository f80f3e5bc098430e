//! The line of KIF and KI2 that sums up a game: まで7手で先手の勝ち.

use alloc::format;
use alloc::string::String;

use shogi_core::Colour;

use super::builder::Builder;
use super::cursor::Cursor;
use super::end::{End, Said};
use super::kakinoki::last_player;

/// The beginning of the line.
pub(super) const BEGINNING: &str = "まで";

/// Reads the end of the game: まで, the number of moves, and the result. An end that the record has
/// already given is not added twice.
pub(super) fn read(builder: &mut Builder, mut line: Cursor) {
    let start = line;
    line.eat(BEGINNING);
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
    let (said, bare) = result(&with_sides(words, builder), builder.to_move());
    builder.sum_up(said, bare, start.rest(), &|reason| start.error(reason));
}

/// The words with 先手 or 後手 in place of the last name that is a player's in the headers, as in 乙川八段の勝ち.
fn with_sides(words: &str, builder: &Builder) -> String {
    let sides = [("先手", "先手"), ("下手", "先手"), ("後手", "後手"), ("上手", "後手")];
    let named = sides.into_iter().filter_map(|(header, side)| {
        let name = builder.header(header)?.trim();
        let at = if name.is_empty() { None } else { words.rfind(name) };
        at.map(|at| (at, name.len(), side))
    });
    match named.max() {
        Some((at, length, side)) if last_player(&words[at + length..]).is_none() => {
            [&words[..at], side, &words[at + length..]].concat()
        }
        _ => words.into(),
    }
}

/// The end that the words after the number of moves mean, and whether they only name the winner.
pub(super) fn result(words: &str, to_move: Colour) -> (Said, bool) {
    // The last named player is the subject: 先手の時間切れにより後手の勝ち.
    let (before, named, of_player) = match last_player(words) {
        Some((before, named, behind)) => {
            (before, Some(named), behind.strip_prefix('の').unwrap_or(behind))
        }
        None => ("", None, words),
    };
    match (named, of_player) {
        (Some(named), "勝ち" | "勝") => return decided(before, Some(named), to_move),
        (Some(named), "負け" | "負") => return decided(before, Some(!named), to_move),
        _ => {}
    }
    let is_won = of_player.ends_with("勝ち") || of_player.ends_with('勝');
    if let Some(loser) = named.filter(|_| !is_won && is_foul(of_player)) {
        // With its cause: 先手の二歩による反則負け.
        return (Said { end: End::Foul, by: Some(loser), is_named: true }, false);
    }
    if let Some(cause) = of_player.strip_suffix("勝ち").filter(|cause| !is_word_for_a_win(cause))
    {
        return decided(cause, named, to_move);
    }
    let word = match of_player {
        "反則勝" => "反則勝ち",
        _ => of_player.strip_prefix('詰').map_or(of_player, |_| "詰み"),
    };
    let (end, by) = End::of_word(word, to_move);
    if let End::Other(_) = end {
        return (Said { end: End::Other(words.into()), by: None, is_named: false }, false);
    }
    let opponents = by.is_some() && by != end.usually_by(to_move);
    // 先手の反則勝ち is an end of the other player.
    let named = named.filter(|_| by.is_some());
    let by = named.map_or(by, |named| Some(if opponents { !named } else { named }));
    (Said { end, by, is_named: named.is_some() }, false)
}

/// The end of a decided game, whose cause may be named.
fn decided(cause: &str, winner: Option<Colour>, to_move: Colour) -> (Said, bool) {
    let cause = cause.trim_end_matches(['、', '，', ' ', '　']);
    let links = ["により", "によって", "のため", "で"];
    let cause = links.iter().find_map(|link| cause.strip_suffix(link)).unwrap_or(cause);
    // The winner shows whose cause it was.
    let cause = last_player(cause)
        .map_or(cause, |(_, _, behind)| behind.strip_prefix('の').unwrap_or(behind));
    let end = cause_of(cause, to_move);
    let bare = end.is_none();
    let end = end.unwrap_or(End::Resignation);
    let by = match winner {
        Some(winner) => Some(if end.is_won_by_its_player() { winner } else { !winner }),
        None => end.usually_by(to_move),
    };
    (Said { end, by, is_named: winner.is_some() }, bare)
}

/// The end by which a game was decided; `None` if there is no word for it.
fn cause_of(cause: &str, to_move: Colour) -> Option<End> {
    // A name is not a cause: 甲野の勝ち.
    if cause.is_empty() || cause.ends_with('の') {
        return None;
    }
    if is_foul(cause) {
        return Some(End::Foul);
    }
    if cause.contains("時間切れ") || cause.contains("切れ負け") {
        return Some(End::TimeUp);
    }
    if cause.contains("入玉") || cause.contains("宣言") {
        return Some(End::Declaration);
    }
    Some(End::of_word(cause, to_move).0)
}

/// Whether words mean a foul.
fn is_foul(words: &str) -> bool {
    ["反則", "二歩", "二手指し", "王手放置", "打ち歩詰め"].iter().any(|foul| words.contains(foul))
}

/// Whether an end is read back from its line.
pub(super) fn can_hold(end: &End, by: Option<Colour>, to_move: Colour) -> bool {
    let words = words(end, by, to_move, PLAYERS);
    let (said, _) = result(&words, to_move);
    let is_plain = words.trim() == words && !words.contains(['\n', '\r']);
    is_plain && said.end == *end && said.by == by
}

const PLAYERS: [&str; 2] = ["先手", "後手"];

/// Whether 勝ち after the cause makes a separate word.
fn is_word_for_a_win(cause: &str) -> bool {
    ["反則", "入玉", "宣言"].contains(&cause)
}

/// The line for a game that ended after the move of this number.
pub(super) fn written(
    end: &End,
    by: Option<Colour>,
    last: usize,
    to_move: Colour,
    players: [&str; 2],
) -> String {
    format!("{BEGINNING}{last}手で{}\n", words(end, by, to_move, players))
}

fn words(end: &End, by: Option<Colour>, to_move: Colour, players: [&str; 2]) -> String {
    let name = |colour: Colour| players[colour.index()];
    let whose = by.unwrap_or(to_move);
    match end {
        End::Resignation => format!("{}の勝ち", name(!whose)),
        End::TimeUp => format!("時間切れにより{}の勝ち", name(!whose)),
        End::Declaration => format!("{}の{}", name(whose), end.word()),
        End::Foul | End::Default => format!("{}の{}", name(to_move), end.kif(by, to_move)),
        _ if by.is_none() || by == end.usually_by(to_move) => end.word().into(),
        _ => {
            let winner = if end.is_won_by_its_player() { whose } else { !whose };
            format!("{}により{}の勝ち", end.word(), name(winner))
        }
    }
}
