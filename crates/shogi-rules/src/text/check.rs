//! What parts of a definition say of each other.

use alloc::format;
use alloc::string::String;

use shogi_core::Colour;

use super::definition::{Definition, KindDefinition};
use super::document::Faults;
use super::error::TextReason;
use super::read::Places;
use super::start::{Standing, Start};

/// Reports all that does not fit together.
pub(super) fn check(definition: &Definition, places: &Places, faults: &mut Faults<'_>) {
    let Some(start) = &places.start else { return };
    let mut report = |key: &str, or: &str, reason: TextReason| {
        let (key, span) = places.of(key, or);
        faults.add(span, &key, reason);
    };
    let Definition { zone, height, .. } = *definition;
    if zone > height {
        report("promotion.zone", "start", TextReason::Zone { zone, height });
    }
    let has_pawns = definition.kinds.iter().any(KindDefinition::is_pawn);
    if definition.promotion.turns_back() && definition.pawns_on_a_file.is_some() && has_pawns {
        report("drops.pawns_on_a_file", "promotion.when", TextReason::TurningPawns);
    }
    for (index, kind) in definition.kinds.iter().enumerate() {
        let key = format!("pieces.{}", kind.letter);
        let found = start.count(index);
        if found > kind.count.into() {
            report(&key, "pieces", TextReason::Count { found });
        }
        let most = hand_capacity(index);
        if !kind.is_royal && usize::from(kind.count.max(found as u8)) > most.into() {
            let (found, first) = (usize::from(kind.count), hand_capacity(0));
            report(&key, "pieces", TextReason::HandTooSmall { found, most, first });
        }
    }
    check_start(definition, start, &mut |reason| report("start", "start", reason));
}

/// How many pieces of a kind a hand holds.
fn hand_capacity(index: usize) -> u8 {
    shogi_core::Hand::capacity(shogi_core::Kind::new(index as u8))
}

/// What the start position must not break.
fn check_start(definition: &Definition, start: &Start, report: &mut dyn FnMut(TextReason)) {
    let kinds = &definition.kinds;
    let royals = |colour| {
        let own = |piece: Standing| kinds[piece.0].is_royal && piece.2 == colour;
        start.pieces().filter(|&(_, _, piece)| own(piece)).count()
    };
    let (sente, gote) = (royals(Colour::Sente), royals(Colour::Gote));
    if (sente, gote) != (1, 1) {
        let letter = kinds.iter().find(|kind| kind.is_royal).map_or('K', |kind| kind.letter);
        report(TextReason::StartRoyals { letter, sente, gote });
    }
    if let Some(most) = definition.pawns_on_a_file {
        check_files(kinds, start, most, report);
    }
    if !definition.allows_dead_move {
        for (column, rank, piece) in start.pieces() {
            if reached(kinds, start, (column, rank), piece, false).next().is_none() {
                let letter = kinds[piece.0].letter;
                report(TextReason::StartDeadEnd { letter, square: square(start, column, rank) });
            }
        }
    }
    let waiting = !start.side;
    let attacked = start.pieces().filter(|(_, _, piece)| piece.2 == start.side).any(
        |(column, rank, piece)| {
            reached(kinds, start, (column, rank), piece, true).any(|(column, rank)| {
                start
                    .at(column, rank)
                    .is_some_and(|target| target.2 == waiting && kinds[target.0].is_royal)
            })
        },
    );
    if attacked {
        report(TextReason::StartCheck { player: player(waiting) });
    }
}

/// Reports files with too many pawns of a player.
fn check_files(
    kinds: &[KindDefinition],
    start: &Start,
    most: u8,
    report: &mut dyn FnMut(TextReason),
) {
    for colour in Colour::ALL {
        for column in 0..start.width {
            let pawn = |&(at, _, piece): &(usize, usize, Standing)| {
                at == column && piece.2 == colour && !piece.1 && kinds[piece.0].is_pawn()
            };
            let found = start.pieces().filter(pawn).count();
            if found > most.into() {
                let (player, file) = (player(colour), start.width - column);
                report(TextReason::StartPawns { player, found, file, most });
            }
        }
    }
}

/// The squares that a piece reaches, over empty squares if `blocked`, else over all.
fn reached<'a>(
    kinds: &'a [KindDefinition],
    start: &'a Start,
    from: (usize, usize),
    (kind, promoted, colour): Standing,
    blocked: bool,
) -> impl Iterator<Item = (usize, usize)> + 'a {
    let sign = if colour == Colour::Sente { 1 } else { -1 };
    let step = move |from: (usize, usize), (right, forward): (i8, i8)| {
        let column = from.0.checked_add_signed(isize::from(sign * right))?;
        let rank = from.1.checked_add_signed(isize::from(-sign * forward))?;
        (column < start.width && rank < start.height).then_some((column, rank))
    };
    let motion = &kinds[kind].face(promoted).motion;
    let leaps = motion.leaps.iter().filter_map(move |&leap| step(from, leap));
    let slides = motion.slides.iter().flat_map(move |(&direction, &most)| {
        let most = most.map_or(usize::MAX, usize::from);
        let mut next = step(from, direction);
        core::iter::from_fn(move || {
            let here = next?;
            let stops = blocked && start.at(here.0, here.1).is_some();
            next = if stops { None } else { step(here, direction) };
            Some(here)
        })
        .take(most)
    });
    leaps.chain(slides)
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
