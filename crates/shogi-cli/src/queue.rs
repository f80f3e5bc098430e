//! The queue of the answers to lines: filled in any order, emptied in that of the lines.

use std::collections::VecDeque;
use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Most lines read and not yet written.
const IN_FLIGHT: usize = 4096;

/// A line's answer as it is printed, and whether the line was good.
pub struct Answer {
    pub json: Vec<u8>,
    pub good: bool,
}

/// The answers between the threads that find them and the one that writes them.
#[derive(Default)]
pub struct Queue {
    state: Mutex<State>,
    /// There is room for a place, or the first answer, or one end of the queue is gone.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The answers not yet taken, in the order of their lines; `None` as long as one is missing.
    answers: VecDeque<Option<Answer>>,
    /// The number of the first of them.
    first: u64,
    /// No place will be added any more.
    ended: bool,
    /// No answer will be taken any more.
    closed: bool,
}

impl Queue {
    /// The two ends: for the places of the answers, and for the answers.
    pub const fn ends(&self) -> (Places<'_>, Answers<'_>) {
        (Places(self), Answers(self))
    }

    /// Puts an answer into its place.
    pub fn fill(&self, place: u64, answer: Answer) {
        let mut state = self.lock();
        let index = (place - state.first) as usize;
        state.answers[index] = Some(answer);
        if index == 0 {
            self.changed.notify_all();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No thread can panic between two changes that belong together.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'q>(&self, state: MutexGuard<'q, State>) -> MutexGuard<'q, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }
}

/// The end where places are added.
pub struct Places<'q>(&'q Queue);

impl Places<'_> {
    /// Adds a place for the next line's answer, as soon as there is room; `None` where no answer will
    /// be taken any more.
    pub fn add(&self) -> Option<u64> {
        let mut state = self.0.lock();
        while state.answers.len() >= IN_FLIGHT && !state.closed {
            state = self.0.wait(state);
        }
        if state.closed {
            return None;
        }
        state.answers.push_back(None);
        Some(state.first + state.answers.len() as u64 - 1)
    }
}

impl Drop for Places<'_> {
    fn drop(&mut self) {
        self.0.lock().ended = true;
        self.0.changed.notify_all();
    }
}

/// The end where answers are taken.
pub struct Answers<'q>(&'q Queue);

impl Answers<'_> {
    /// The answer to the next line, or `None` after the last. `idle` is called before waiting for it.
    ///
    /// # Errors
    ///
    /// Where `idle` fails, or a line was left without an answer.
    pub fn next(&self, idle: &mut dyn FnMut() -> io::Result<()>) -> io::Result<Option<Answer>> {
        let mut was_idle = false;
        let mut state = self.0.lock();
        loop {
            if let Some(answer) = state.answers.front_mut().and_then(Option::take) {
                state.answers.pop_front();
                state.first += 1;
                if state.answers.len() + 1 == IN_FLIGHT {
                    self.0.changed.notify_all();
                }
                return Ok(Some(answer));
            }
            if state.ended {
                return match state.answers.is_empty() {
                    true => Ok(None),
                    false => Err(io::Error::other("a line was left without an answer")),
                };
            }
            if was_idle {
                state = self.0.wait(state);
            } else {
                drop(state);
                idle()?;
                was_idle = true;
                state = self.0.lock();
            }
        }
    }
}

impl Drop for Answers<'_> {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    fn answer(number: u64) -> Answer {
        Answer { json: number.to_string().into_bytes(), good: true }
    }

    #[test]
    fn answers_come_in_the_order_of_their_lines() {
        let queue = Queue::default();
        let (places, answers) = queue.ends();
        let numbers: Vec<_> = (0..3).filter_map(|_| places.add()).collect();
        drop(places);
        for number in numbers.into_iter().rev() {
            queue.fill(number, answer(number));
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
        let queue = &Queue::default();
        let (places, answers) = queue.ends();
        let lines = 3 * IN_FLIGHT as u64;
        thread::scope(|threads| {
            threads.spawn(move || {
                for number in 0..lines {
                    assert_eq!(places.add(), Some(number));
                    queue.fill(number, answer(number));
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
        let queue = Queue::default();
        let (places, answers) = queue.ends();
        assert_eq!(places.add(), Some(0));
        drop(answers);
        assert_eq!(places.add(), None);
        let queue = Queue::default();
        let (places, answers) = queue.ends();
        assert_eq!(places.add(), Some(0));
        drop(places);
        assert!(answers.next(&mut || Ok(())).is_err());
    }
}
