//! Tasks on records, mates, proofs, numbers of positions, reachability, and moves back.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use shogi_variants::Variant;
use shogi_variants::operations::{AnyProof, MoveNotation, Numbering};
use shogi_variants::proof::Reader;
use shogi_variants::solve::Budget;
use shogi_variants::tasks::{
    ClassifyTask, ConvertTask, MateTask, RankTask, RetractTask, Session, Task as _, UnrankTask,
};

use crate::tasks::task_of;
use crate::{Answer, Arguments, json, text};

/// The deepest perft: more takes longer than anybody waits.
const DEEPEST: u8 = 12;

/// Proofs by their numbers.
type Proofs = BTreeMap<usize, Box<dyn AnyProof>>;

thread_local! {
    /// The open proofs, and how many were opened.
    static PROOFS: RefCell<(Proofs, usize)> = const { RefCell::new((Proofs::new(), 0)) };
}

/// Answers a task, if it is one of these.
pub(crate) fn answer(task: &str, arguments: &mut Arguments<'_>) -> Option<Answer> {
    Some(match task {
        "retract" => task_of(arguments, |task: RetractTask| task),
        "rank" => task_of(arguments, |task: RankTask| task),
        "unrank" => task_of(arguments, |task: UnrankTask| task),
        "classify" => task_of(arguments, |task: ClassifyTask| task),
        // A module has no other threads.
        "mate" => task_of(arguments, |task| MateTask { together: 1, ..task }),
        "perft" => perft(arguments),
        "pieces" => pieces(arguments),
        "diagram" => diagram(arguments),
        "notate" => notate(arguments),
        "convert" => convert(arguments),
        "size" => size(arguments),
        "claimed" => of_proof(arguments, |proof, _| json(&proof.claimed(None))),
        "check" => of_proof(arguments, |proof, _| json(&proof.verify(None, &mut |_| {}))),
        "line" => of_proof(arguments, |proof, _| json(&proof.line(true, None))),
        "walk" => of_proof(arguments, |proof, moves| json(&proof.step(moves, None).map_err(text)?)),
        "look-up" => {
            of_proof(arguments, |proof, sfen| json(&proof.look_up(sfen, None).map_err(text)?))
        }
        "close" => close(arguments),
        _ => return None,
    })
}

fn perft(arguments: &mut Arguments<'_>) -> Answer {
    let variant: Variant = arguments.parsed()?;
    let (position, depth) = (arguments.text()?, arguments.parsed()?);
    if depth > DEEPEST {
        return Err(format!("a perft has at most {DEEPEST} plies"));
    }
    let count = variant.rules().perft(position, depth).map_err(text)?;
    Ok(count.to_string())
}

fn pieces(arguments: &mut Arguments<'_>) -> Answer {
    let variant: Variant = arguments.parsed()?;
    json(&variant.rules().pieces(None))
}

fn diagram(arguments: &mut Arguments<'_>) -> Answer {
    let variant: Variant = arguments.parsed()?;
    json(&variant.rules().diagram(arguments.text()?, None).map_err(text)?)
}

/// A line of moves as people write them.
fn notate(arguments: &mut Arguments<'_>) -> Answer {
    let variant: Variant = arguments.parsed()?;
    let (position, line) = (arguments.text()?, arguments.text()?);
    let notation: MoveNotation = arguments.parsed()?;
    json(&variant.rules().notate(position, line, notation, None).map_err(text)?)
}

/// A record in another format; its game is found out where it has no name.
fn convert(arguments: &mut Arguments<'_>) -> Answer {
    let (game, record) = (arguments.text()?, arguments.text()?);
    let task: ConvertTask = serde_json::from_str(arguments.text()?).map_err(text)?;
    let variant = match game {
        "" => task.game_of(record, &[]),
        name => Ok(name.parse::<Variant>().map_err(text)?),
    };
    let mut session = Session::new(Budget::unlimited());
    json(&variant.and_then(|game| task.answer(game, record, &mut session)).map_err(text)?)
}

/// How many numbers there are.
fn size(arguments: &mut Arguments<'_>) -> Answer {
    let variant: Variant = arguments.parsed()?;
    let order: Numbering = arguments.parsed()?;
    Ok(variant.ranking().numbered(order).map_err(text)?.size().to_string())
}

/// Opens a proof file; its number is the answer.
pub(crate) fn open(file: Vec<u8>) -> Answer {
    let reader = Reader::new(Box::new(Cursor::new(file)) as Box<dyn Read>).map_err(text)?;
    let header = reader.header();
    let variant = match &header.text {
        Some(rules) => Variant::from_text(rules).map_err(text)?,
        None => header.variant.parse().map_err(text)?,
    };
    let proof = variant.proofs().load(reader).map_err(text)?;
    PROOFS.with_borrow_mut(|(proofs, opened)| {
        *opened += 1;
        proofs.insert(*opened, proof);
        Ok(opened.to_string())
    })
}

/// Answers a task on an open proof, which the first argument names; the second is its own.
fn of_proof(
    arguments: &mut Arguments<'_>,
    answer: impl Fn(&dyn AnyProof, &str) -> Answer,
) -> Answer {
    let (number, argument): (usize, _) = (arguments.parsed()?, arguments.text()?);
    PROOFS.with_borrow(|(proofs, _)| {
        let open = proofs.get(&number).ok_or("the proof is closed")?;
        answer(&**open, argument)
    })
}

fn close(arguments: &mut Arguments<'_>) -> Answer {
    let number: usize = arguments.parsed()?;
    PROOFS.with_borrow_mut(|(proofs, _)| proofs.remove(&number));
    Ok(String::new())
}
