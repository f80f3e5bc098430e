//! A definition in words and pictures: they show its author how the program understood it.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use shogi_core::{
    Colour, Direction, Drops, Face, Kind, KindSpec, Movement, Promotion, RaysAndJumps, Region,
    TableSpec,
};

use super::definition::{Definition, is_royal};
use super::movement::{STEPS, in_words};
use crate::impasse::ImpasseRule;
use crate::repetition::{RepetitionResult, RepetitionRule};
use crate::spec::Stalemate;

impl Definition {
    /// All rules in sentences, one per line.
    ///
    /// ```
    /// use shogi_rules::text::{BUILT_IN, Definition};
    /// let words = Definition::parse(BUILT_IN[2].text).unwrap().in_words();
    /// assert!(words.starts_with("Judkins shogi (judkins), on 6 files and 6 ranks, with 14 pieces\n"));
    /// assert!(words.contains("may turn over by a move that begins or ends on the last 2 ranks"));
    /// ```
    pub fn in_words(&self) -> String {
        let (rules, table) = (&self.rules, &self.rules.table);
        let pieces: usize = table.kinds.iter().map(|kind| usize::from(kind.count)).sum();
        let mut lines = Vec::from([format!(
            "{} ({}), on {} files and {} ranks, with {pieces} pieces",
            self.title, rules.name, table.width, table.height
        )]);
        lines.push(promotion(table));
        lines.push(drops(table));
        lines.extend(regions(table));
        lines.push(limits(table));
        if table.allows_immobile {
            lines.push("A piece may move to where it can never move again.".into());
        }
        if table.must_capture {
            lines.push("A player who can capture must.".into());
        }
        if table.forbids_facing_kings {
            let words = "The royal pieces must not face each other along a file or a rank without a piece between them.";
            lines.push(words.into());
        }
        lines.extend(table.goal.map(goal));
        lines.extend((table.safe_goal > 0).then(|| safe_goal(table.safe_goal)));
        lines.push(match rules.stalemate {
            Stalemate::Loss => "A player without a legal move has lost.".into(),
            Stalemate::Draw => {
                "A player without a legal move has lost if in check, and draws if not.".into()
            }
        });
        lines.push(repetition(rules.repetition));
        lines.extend(rules.impasse.map(|rule| match rule {
            ImpasseRule::TwentyFourPoints => "Impasse is decided by the 24-point rule.".into(),
            ImpasseRule::TwentySevenPoints => "Impasse is decided by the 27-point rule.".into(),
        }));
        lines.join("\n") + "\n"
    }

    /// Each face with its movement in words and as a picture, from the owner's view: `o` for a step or a jump,
    /// `*` for a square of a slide; `m` where it only moves, `x` where it only captures.
    ///
    /// ```
    /// use shogi_rules::text::{BUILT_IN, Definition};
    /// let pictures = Definition::parse(BUILT_IN[2].text).unwrap().movements();
    /// assert!(pictures.contains("G (gold general): gold\n  . . . . .\n  . o o o .\n  . o G o .\n  . . o . .\n  . . . . .\n"));
    /// ```
    pub fn movements(&self) -> String {
        let mut text = String::new();
        for (index, kind) in self.rules.table.kinds.iter().enumerate() {
            let faces = [(false, Some(kind.front)), (true, kind.back)];
            for (promoted, movement) in faces {
                let Some(movement) = movement else { continue };
                let face = Face { kind: Kind::new(index as u8), promoted };
                let plus = if promoted { "+" } else { "" };
                let name = self
                    .face(face)
                    .name
                    .as_deref()
                    .map_or(String::new(), |name| format!(" ({name})"));
                let royal = if is_royal(kind) { ", royal" } else { "" };
                text += &format!("{plus}{}{name}: {}", kind.letter, in_words(movement));
                let captures = self.rules.table.extra(face.kind).captures[usize::from(promoted)];
                if let Some(captures) = captures {
                    text += &format!("; captures by: {}", in_words(captures));
                }
                text += &format!("{royal}\n");
                text += &picture(movement, captures.unwrap_or(movement), kind.letter);
            }
        }
        text
    }
}

/// The movement around a letter, drawn as far as needed to distinguish it from others.
fn picture(movement: Movement, captures: Movement, letter: char) -> String {
    let (moves, captures) = (movement.reach(), captures.reach());
    let reach = moves.union(captures);
    let jumps = reach.jumps().map(|(forward, right)| forward.abs().max(right.abs())).max();
    let slides = Direction::ALL.map(|direction| reach.range(direction)).into_iter();
    // A limited slide ends within the picture.
    let limited =
        slides.filter(|&range| range != RaysAndJumps::FAR).max().map_or(0, |range| range as i8);
    let radius = 2.max(jumps.unwrap_or_default()).max(limited + i8::from(limited > 1));
    let mut text = String::new();
    for forward in (-radius..=radius).rev() {
        text.push(' ');
        for right in -radius..=radius {
            text.push(' ');
            text.push(if (forward, right) == (0, 0) {
                letter
            } else {
                match [moves, captures].map(|reach| mark(reach, forward, right)) {
                    ['.', '.'] => '.',
                    ['.', _] => 'x',
                    [_, '.'] => 'm',
                    [mark, _] => mark,
                }
            });
        }
        text.push('\n');
    }
    text
}

/// The mark of a square in a picture.
fn mark(reach: RaysAndJumps, forward: i8, right: i8) -> char {
    let distance = forward.abs().max(right.abs());
    let on_line = forward == 0 || right == 0 || forward.abs() == right.abs();
    let along = (forward.signum(), right.signum());
    let direction =
        STEPS.iter().position(|step| *step == along).map(|number| Direction::ALL[number]);
    let range = direction.filter(|_| on_line).map_or(0, |direction| reach.range(direction));
    match range {
        _ if reach.has_jump(forward, right) => 'o',
        1 if distance == 1 => 'o',
        2.. if distance as u8 <= range => '*',
        _ => '.',
    }
}

fn promotion(table: &TableSpec) -> String {
    let zone = match table.zone {
        1 => "the last rank".into(),
        ranks => format!("the last {ranks} ranks"),
    };
    match table.promotion {
        Promotion::EveryMove => "A piece with a back turns over by every move on the board.".into(),
        Promotion::OnCapture => {
            "A piece with a back turns over when it captures, and at no other time.".into()
        }
        Promotion::Optional if table.zone > 0 => {
            format!("A piece with a back may turn over by a move that begins or ends on {zone}.")
        }
        Promotion::Forced if table.zone > 0 => {
            format!("A piece with a back turns over by a move that begins or ends on {zone}.")
        }
        _ => "No piece turns over.".into(),
    }
}

/// The sentence on the goal of a royal piece that must be safe.
fn safe_goal(ranks: u8) -> String {
    let place = match ranks {
        1 => "the last rank".into(),
        _ => format!("one of the last {ranks} ranks"),
    };
    format!("A player whose royal piece comes to {place} has won.")
}

/// The sentence on how the royal piece decides the game: by its capture, and on the last `ranks` ranks.
fn goal(ranks: u8) -> String {
    let captured = "The royal piece may be left in attack, and who captures it has won";
    match ranks {
        0 => format!("{captured}."),
        1 => format!(
            "{captured}; so has a player whose royal piece stands on the last rank and is not attacked."
        ),
        _ => format!(
            "{captured}; so has a player whose royal piece stands on the last {ranks} ranks and is not attacked."
        ),
    }
}

fn drops(table: &TableSpec) -> String {
    let dropped = |drops: Drops| {
        let letters: Vec<_> = table
            .kinds
            .iter()
            .filter(|kind| kind.back.is_some() && kind.drops == drops)
            .map(|kind| String::from(kind.letter))
            .collect();
        letters.join(" ")
    };
    let mut text = String::from("Captured pieces are dropped with their front up");
    for (drops, words) in [(Drops::Either, "either side up"), (Drops::Back, "their back up")] {
        let letters = dropped(drops);
        if !letters.is_empty() {
            text += &format!("; {letters} with {words}");
        }
    }
    text += match table.allows_immobile_drops {
        true => ", also where they can never move.",
        false => ", but not where they can never move.",
    };
    text
}

/// Where pieces may stand and be dropped, if not everywhere.
fn regions(table: &TableSpec) -> Vec<String> {
    let mut lines = Vec::new();
    for (kind, extra) in table.kinds.iter().zip(&table.extras) {
        let text = |region: Region| region.to_text(table.width, table.height);
        let turned = "as Sente sees the board; of Gote turned by half";
        if let Some(region) = extra.region {
            lines.push(format!("{} stands only on {}, {turned}.", kind.letter, text(region)));
        }
        if let Some(region) = extra.drop_region {
            lines.push(format!("{} is dropped only on {}, {turned}.", kind.letter, text(region)));
        }
    }
    lines
}

/// The limits on drops of pawns.
fn limits(table: &TableSpec) -> String {
    let pawns: Vec<_> = table
        .kinds
        .iter()
        .filter(|kind| kind.role == shogi_core::Role::Pawn)
        .map(|kind: &KindSpec| String::from(kind.letter))
        .collect();
    if pawns.is_empty() {
        return "No piece is a pawn.".into();
    }
    let files = match table.pawns_on_a_file {
        None => "any number of a player may stand on a file".into(),
        Some(1) => "one of a player may stand on a file".into(),
        Some(most) => format!("{most} of a player may stand on a file"),
    };
    let mate = match (table.goal, table.allows_drop_pawn_mate) {
        (Some(_), _) => "",
        (None, true) => ", and a drop of one may mate",
        (None, false) => ", and a drop of one may not mate",
    };
    format!("Pawns are {}: {files}{mate}.", pawns.join(" "))
}

fn repetition(rule: RepetitionRule) -> String {
    let result = match rule.result {
        RepetitionResult::NoResult => "the game has no result",
        RepetitionResult::Draw => "the game is drawn",
        RepetitionResult::Win(Colour::Sente) => "Sente has won",
        RepetitionResult::Win(Colour::Gote) => "Gote has won",
        RepetitionResult::RepeaterLoses => "the player who brought it about has lost",
    };
    let perpetual = match rule.perpetual_check {
        true => "; a player who only gave check meanwhile has lost",
        false => ", perpetual check or not",
    };
    format!("When a position comes up {} times, {result}{perpetual}.", rule.count)
}
