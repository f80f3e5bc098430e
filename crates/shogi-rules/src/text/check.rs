//! Checks that the parts of a definition fit together.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use shogi_core::{
    Colour, Direction, Hand, Kind, KindSpec, Movement, Promotion, RaysAndJumps, Role, TableSpec,
};

use super::definition::is_royal;
use super::document::Faults;
use super::error::TextReason;
use super::movement::STEPS;
use super::read::Places;
use super::start::{Standing, Start};
use crate::spec::RuleSpec;

/// Reports all parts that do not fit together.
pub(super) fn check(rules: &RuleSpec, places: &Places, faults: &mut Faults<'_>) {
    let Some(start) = &places.start else { return };
    let mut report = |key: &str, or: &str, reason: TextReason| {
        let (key, span) = places.of(key, or);
        faults.add(span, &key, reason);
    };
    let table = &rules.table;
    let (zone, height) = (table.zone, table.height);
    if zone > height {
        report("promotion.zone", "start", TextReason::Zone { zone, height });
    }
    let goal = table.goal.unwrap_or(table.safe_goal);
    if goal > height {
        report("goal", "start", TextReason::Goal { goal, height });
    }
    let has_pawns = table.kinds.iter().any(|kind| kind.role == Role::Pawn);
    let turns_back = matches!(table.promotion, Promotion::EveryMove | Promotion::OnCapture);
    if turns_back && table.pawns_on_a_file.is_some() && has_pawns {
        report("drops.pawns_on_a_file", "promotion.when", TextReason::TurningPawns);
    }
    if table.goal.is_some() && !table.allows_drop_pawn_mate && has_pawns {
        report("drops.pawn_mate", "moves.into_check", TextReason::NoMate);
    }
    for (index, kind) in table.kinds.iter().enumerate() {
        let key = format!("pieces.{}", kind.letter);
        let found = start.count(index);
        if found > kind.count.into() {
            report(&key, "pieces", TextReason::Count { found });
        }
        let (found, most) = (usize::from(kind.count).max(found), hand_capacity(index));
        if !is_royal(kind) && found > most.into() {
            report(
                &key,
                "pieces",
                TextReason::HandTooSmall { found, most, first: hand_capacity(0) },
            );
        }
    }
    check_start(rules, start, &mut |reason| report("start", "start", reason));
    if faults.is_empty() {
        for fault in table.faults() {
            let (key, span) = places.of("pieces", "start");
            faults.add(span, &key, TextReason::Table(fault));
        }
    }
}

/// The number of pieces of a kind that a hand can hold.
fn hand_capacity(index: usize) -> u8 {
    Hand::capacity(Kind::new(index as u8))
}

/// Checks the start position.
fn check_start(rules: &RuleSpec, start: &Start, report: &mut dyn FnMut(TextReason)) {
    let table = &rules.table;
    let kinds = &table.kinds;
    let royals = |colour| {
        let own = |piece: Standing| is_royal(&kinds[piece.0]) && piece.2 == colour;
        start.pieces().filter(|&(_, _, piece)| own(piece)).count()
    };
    let (sente, gote) = (royals(Colour::Sente), royals(Colour::Gote));
    if (sente, gote) != (1, 1) {
        let letter = kinds.iter().find(|kind| is_royal(kind)).map_or('K', |kind| kind.letter);
        report(TextReason::StartRoyals { letter, sente, gote });
    }
    if let Some(most) = rules.table.pawns_on_a_file {
        check_files(kinds, start, most, report);
    }
    if !rules.table.allows_immobile {
        for (column, rank, piece) in start.pieces() {
            let from = (column, rank);
            if !stays(table, piece) && reached(table, start, from, piece, true).is_empty() {
                let letter = kinds[piece.0].letter;
                report(TextReason::StartDeadEnd { letter, square: square(start, column, rank) });
            }
        }
    }
    for (column, rank, piece) in start.pieces() {
        if !is_inside(table, start, (column, rank), piece) {
            let letter = kinds[piece.0].letter;
            report(TextReason::StartRegion { letter, square: square(start, column, rank) });
        }
    }
    if rules.table.goal.is_some() {
        return;
    }
    let waiting = !start.side;
    let attacked = start.pieces().filter(|(_, _, piece)| piece.2 == start.side).any(
        |(column, rank, piece)| {
            reached(table, start, (column, rank), piece, false).into_iter().any(|(column, rank)| {
                start
                    .at(column, rank)
                    .is_some_and(|target| target.2 == waiting && is_royal(&kinds[target.0]))
            })
        },
    );
    if attacked {
        report(TextReason::StartCheck { player: player(waiting) });
    }
}

/// Reports files with too many pawns of a player.
fn check_files(kinds: &[KindSpec], start: &Start, most: u8, report: &mut dyn FnMut(TextReason)) {
    for colour in Colour::ALL {
        for column in 0..start.width {
            let pawn = |&(at, _, piece): &(usize, usize, Standing)| {
                at == column && piece.2 == colour && !piece.1 && kinds[piece.0].role == Role::Pawn
            };
            let found = start.pieces().filter(pawn).count();
            if found > most.into() {
                let (player, file) = (player(colour), start.width - column);
                report(TextReason::StartPawns { player, found, file, most });
            }
        }
    }
}

/// How a piece moves to empty squares, and how it captures.
fn reaches(table: &TableSpec, (kind, promoted, _): Standing) -> [RaysAndJumps; 2] {
    let spec = &table.kinds[kind];
    let moves = spec.back.filter(|_| promoted).unwrap_or(spec.front);
    let captures = table.extra(Kind::new(kind as u8)).captures[usize::from(promoted)];
    [moves, captures.unwrap_or(moves)].map(Movement::reach)
}

/// Whether a piece is one that never moves.
fn stays(table: &TableSpec, piece: Standing) -> bool {
    reaches(table, piece).iter().all(|reach| reach.is_empty())
}

/// The squares that a piece attacks and, if `moves`, those to which it moves; its slides end at the first piece in
/// the way.
fn reached(
    table: &TableSpec,
    start: &Start,
    from: (usize, usize),
    piece: Standing,
    moves: bool,
) -> Vec<(usize, usize)> {
    let colour = piece.2;
    let sign = if colour == Colour::Sente { 1 } else { -1 };
    let step = |from: (usize, usize), (forward, right): (i8, i8)| {
        let column = from.0.checked_add_signed(isize::from(sign * right))?;
        let rank = from.1.checked_add_signed(isize::from(-sign * forward))?;
        (column < start.width && rank < start.height).then_some((column, rank))
    };
    let [quiet, captures] = reaches(table, piece);
    let reach = if moves { quiet.union(captures) } else { captures };
    let inside = |square: &(usize, usize)| is_inside(table, start, *square, piece);
    let mut squares: Vec<_> = reach.jumps().filter_map(|jump| step(from, jump)).collect();
    for (direction, one) in Direction::ALL.into_iter().zip(STEPS) {
        let mut here = from;
        for _ in 0..reach.range(direction) {
            let Some(next) = step(here, one) else { break };
            squares.push(next);
            if start.at(next.0, next.1).is_some() {
                break;
            }
            here = next;
        }
    }
    squares.retain(inside);
    squares
}

/// Whether a square is one on which a piece may stand.
fn is_inside(
    table: &TableSpec,
    start: &Start,
    (column, rank): (usize, usize),
    (kind, _, colour): Standing,
) -> bool {
    let square = column * start.height + rank;
    let square = match colour {
        Colour::Sente => square,
        Colour::Gote => start.width * start.height - 1 - square,
    };
    let region = table.extra(Kind::new(kind as u8)).region;
    region.is_none_or(|region| region.word() >> square & 1 == 1)
}

/// The name of a square in USI notation.
fn square(start: &Start, column: usize, rank: usize) -> String {
    format!("{}{}", start.width - column, char::from(b'a' + rank as u8))
}

const fn player(colour: Colour) -> &'static str {
    match colour {
        Colour::Sente => "Sente",
        Colour::Gote => "Gote",
    }
}
