//! The queue of the answers to lines: filled in any order, emptied in that of the lines.
//!
//! Each line has a channel for its answer, and these channels are sent through another one, in the order
//! of the lines.

use std::io;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};

/// Most lines read and not yet written.
const IN_FLIGHT: usize = 4096;

/// A line's answer as it is printed, and whether the line was good.
pub struct LineAnswer {
    pub json: Vec<u8>,
    pub good: bool,
}

/// The two ends of a new queue.
pub fn queue() -> (AnswerSlots, Answers) {
    let (slots, answers) = sync_channel(IN_FLIGHT);
    (AnswerSlots(slots), Answers(answers))
}

/// The end where slots are added.
pub struct AnswerSlots(SyncSender<Receiver<LineAnswer>>);

impl AnswerSlots {
    /// Adds a slot for the next line's answer, as soon as there is room; `None` where no answer will
    /// be taken any more.
    pub fn add(&self) -> Option<AnswerSlot> {
        let (slot, answer) = sync_channel(1);
        self.0.send(answer).ok().map(|()| AnswerSlot(slot))
    }
}

/// The slot of the answer to a line.
pub struct AnswerSlot(SyncSender<LineAnswer>);

impl AnswerSlot {
    /// Puts the answer there.
    pub fn fill(self, answer: LineAnswer) {
        // Where no answer is taken any more, this one is not needed.
        let _ = self.0.send(answer);
    }
}

/// The end where answers are taken.
pub struct Answers(Receiver<Receiver<LineAnswer>>);

impl Answers {
    /// The answer to the next line, or `None` after the last. `idle` is called before waiting for it.
    pub fn next(&self, idle: &mut dyn FnMut() -> io::Result<()>) -> io::Result<Option<LineAnswer>> {
        let Some(answer) = receive(&self.0, idle)? else { return Ok(None) };
        match receive(&answer, idle)? {
            Some(answer) => Ok(Some(answer)),
            None => Err(io::Error::other("a line was left without an answer")),
        }
    }
}

/// Takes what comes next from a channel, or `None` once nothing will.
fn receive<T>(
    channel: &Receiver<T>,
    idle: &mut dyn FnMut() -> io::Result<()>,
) -> io::Result<Option<T>> {
    match channel.try_recv() {
        Ok(next) => Ok(Some(next)),
        Err(TryRecvError::Disconnected) => Ok(None),
        Err(TryRecvError::Empty) => {
            idle()?;
            Ok(channel.recv().ok())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    fn answer(number: usize) -> LineAnswer {
        LineAnswer { json: number.to_string().into_bytes(), good: true }
    }

    #[test]
    fn answers_come_in_the_order_of_their_lines() {
        let (slots, answers) = queue();
        let lines: Vec<_> = (0..3).map(|number| (number, slots.add().unwrap())).collect();
        drop(slots);
        for (number, slot) in lines.into_iter().rev() {
            slot.fill(answer(number));
        }
        let mut idle = || panic!("all answers are there");
        for number in 0..3 {
            let next = answers.next(&mut idle).unwrap().unwrap();
            assert_eq!(next.json, answer(number).json);
        }
        assert!(answers.next(&mut idle).unwrap().is_none());
    }

    #[test]
    fn a_full_queue_holds_back_its_reader() {
        let (slots, answers) = queue();
        let lines = 3 * IN_FLIGHT;
        thread::scope(|threads| {
            threads.spawn(move || {
                for number in 0..lines {
                    slots.add().unwrap().fill(answer(number));
                }
            });
            for number in 0..lines {
                let next = answers.next(&mut || Ok(())).unwrap().unwrap();
                assert_eq!(next.json, answer(number).json);
            }
            assert!(answers.next(&mut || Ok(())).unwrap().is_none());
        });
    }

    #[test]
    fn the_ends_notice_each_other() {
        let (slots, answers) = queue();
        assert!(slots.add().is_some());
        drop(answers);
        assert!(slots.add().is_none());
        let (slots, answers) = queue();
        let slot = slots.add();
        drop((slots, slot));
        assert!(answers.next(&mut || Ok(())).is_err());
    }
}
