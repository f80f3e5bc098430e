//! Alpha-beta: principal variation search with a table, reductions and a quiescence search.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use arrayvec::ArrayVec;
use shogi_core::{Geometry, Move, Position, RuleTable, camp};
use shogi_rules::{Declaration, GameResult, ImpasseRule, Rules, Verdict};
use shogi_solve::mate::generate_checks;

use crate::evaluate::Evaluator;
use crate::exchange::gains;
use crate::limits::Control;
use crate::order::{Candidates, Memory, Ordering, Wanted, bring_best};
use crate::packed::{FACES, NONE, face_index, pack};
use crate::path::Path;
use crate::score::{INFINITE, LEAST_WIN, MOST_PLIES, MOST_VALUE, WIN};
use crate::table::{Bound, Entry, Table};

/// A line of play.
pub(crate) type Line<R> = ArrayVec<Move<R>, MOST_PLIES>;

/// What all threads of a search share.
pub(crate) struct Shared<'a> {
    pub(crate) control: &'a Control,
    pub(crate) table: &'a Table,
    pub(crate) impasse: Option<ImpasseRule>,
    pub(crate) started: Instant,
    /// Nodes of all threads, as far as they have been told.
    pub(crate) nodes: AtomicU64,
    /// Most nodes.
    pub(crate) most_nodes: u64,
    /// Set when the first thread is done.
    pub(crate) done: AtomicBool,
    /// Microseconds from the start at which the player's clock began to run.
    pub(crate) clock_started: AtomicU64,
    /// Microseconds on the clock after which a search is broken off.
    pub(crate) maximum: u64,
    /// Microseconds from the start after which it is: not known before the clock runs.
    pub(crate) deadline: AtomicU64,
    /// Threads of the search.
    pub(crate) threads: usize,
}

/// How often a thread tells its nodes and looks at the clock, in nodes.
const TELL_EVERY: u64 = 512;

/// One thread of a search.
pub(crate) struct Worker<'a, R: Rules, E: Evaluator<R>> {
    pub(crate) evaluator: &'a E,
    pub(crate) shared: &'a Shared<'a>,
    pub(crate) path: Path,
    pub(crate) memory: &'a mut Memory,
    /// The best line from each ply on.
    lines: Vec<Line<R>>,
    reductions: [[u8; 64]; 64],
    pub(crate) nodes: u64,
    told: u64,
    /// The longest line looked at.
    pub(crate) deepest: usize,
    pub(crate) stopped: bool,
}

/// A position in the tree.
pub(crate) struct Node<'p, R: Rules, S> {
    pub(crate) position: &'p Position<R>,
    pub(crate) state: &'p S,
    /// Plies from the root.
    pub(crate) ply: usize,
    pub(crate) check: bool,
    /// The piece that moved last, with its target.
    pub(crate) previous: Option<u16>,
    /// The evaluations one and two plies before, where there was one.
    pub(crate) before: [Option<i32>; 2],
}

// Derived, they would ask for a state that can be copied.
impl<R: Rules, S> Clone for Node<'_, R, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Rules, S> Copy for Node<'_, R, S> {}

/// What is known of a position before its moves are searched.
#[derive(Clone, Copy)]
struct Seen {
    /// From the table.
    known: Option<Entry>,
    /// The evaluation, unless in check.
    value: Option<i32>,
    /// Whether it is better than at the player's last turn.
    improving: bool,
}

impl<'a, R: Rules, E: Evaluator<R>> Worker<'a, R, E> {
    pub(crate) fn new(
        evaluator: &'a E,
        shared: &'a Shared<'a>,
        path: Path,
        memory: &'a mut Memory,
    ) -> Self {
        let mut reductions = [[0; 64]; 64];
        let logarithms: [f64; 64] = std::array::from_fn(|n| (n as f64).ln());
        for (row, ln_depth) in reductions.iter_mut().zip(logarithms).skip(1) {
            for (reduction, ln_number) in row.iter_mut().zip(logarithms).skip(1) {
                *reduction = (0.4 + ln_depth * ln_number / 2.2) as u8;
            }
        }
        let lines = vec![Line::new(); MOST_PLIES + 2];
        let (nodes, told, deepest) = (0, 0, 0);
        Self {
            evaluator,
            shared,
            path,
            memory,
            lines,
            reductions,
            nodes,
            told,
            deepest,
            stopped: false,
        }
    }

    /// The best line found from the ply on.
    pub(crate) fn line(&self, ply: usize) -> &Line<R> {
        &self.lines[ply]
    }

    /// Counts a node, and finds out now and then whether the search is over.
    #[inline]
    fn visit(&mut self) -> bool {
        if self.stopped {
            // On the way back from where it was stopped nothing is searched any more.
            return true;
        }
        self.nodes += 1;
        if self.nodes - self.told >= TELL_EVERY {
            self.tell();
        }
        if self.shared.threads == 1 && self.nodes >= self.shared.most_nodes {
            self.stopped = true;
        }
        self.stopped
    }

    /// Tells the others of the nodes since the last time.
    #[cold]
    pub(crate) fn tell(&mut self) {
        let shared = self.shared;
        let total =
            shared.nodes.fetch_add(self.nodes - self.told, Relaxed) + self.nodes - self.told;
        self.told = self.nodes;
        let elapsed = shared.started.elapsed().as_micros() as u64;
        let deadline = shared.deadline.load(Relaxed);
        if deadline == u64::MAX && shared.maximum < u64::MAX && !shared.control.is_pondering() {
            shared.clock_started.store(elapsed, Relaxed);
            shared.deadline.store(elapsed.saturating_add(shared.maximum), Relaxed);
        }
        if elapsed >= deadline
            || shared.control.is_stopped()
            || shared.done.load(Relaxed)
            || (shared.threads > 1 && total >= shared.most_nodes)
        {
            self.stopped = true;
        }
    }

    /// Time on the player's clock.
    pub(crate) fn clock(&self) -> Duration {
        let started = Duration::from_micros(self.shared.clock_started.load(Relaxed));
        self.shared.started.elapsed().saturating_sub(started)
    }

    /// The score of a game that has ended here, for the player to move.
    #[inline]
    fn ending(&self, node: &Node<'_, R, E::State>) -> Option<i32> {
        let (position, ply) = (node.position, node.ply as i32);
        if R::is_over(position) {
            return Some(match R::verdict(position) {
                Some(Verdict::Win) => WIN - ply,
                Some(Verdict::Loss) => ply - WIN,
                Some(Verdict::Draw) | None => 0,
            });
        }
        if let Some(rule) = self.shared.impasse {
            let side = position.side();
            let king = position.royals() & position.of(side);
            if king.meets(camp(side, R::ZONE)) {
                let won = GameResult::Win(side);
                if rule.declared(&Declaration::new(position)).result == won {
                    return Some(WIN - ply);
                }
            }
        }
        self.path.repetition(position.side())
    }

    fn evaluate(&self, node: &Node<'_, R, E::State>) -> i32 {
        self.evaluator.evaluate(node.state, node.position).clamp(-MOST_VALUE, MOST_VALUE)
    }

    /// The score of a position, for the player to move: exact between `alpha` and `beta`, else a
    /// bound. Without meaning once the search is stopped.
    pub(crate) fn search(
        &mut self,
        node: Node<'_, R, E::State>,
        mut alpha: i32,
        mut beta: i32,
        depth: i32,
        may_pass: bool,
    ) -> i32 {
        if depth <= 0 {
            return self.quiesce(node, alpha, beta, 0);
        }
        let Node { position, ply, check, .. } = node;
        let principal = beta - alpha > 1;
        self.lines[ply].clear();
        if self.visit() {
            return 0;
        }
        self.deepest = self.deepest.max(ply);
        if let Some(score) = self.ending(&node) {
            return score;
        }
        if ply >= MOST_PLIES {
            return self.evaluate(&node);
        }
        // Even a mate at once would be no better than what is known, or no worse.
        alpha = alpha.max(ply as i32 - WIN);
        beta = beta.min(WIN - ply as i32 - 1);
        if alpha >= beta {
            return alpha;
        }
        let known = self.shared.table.find(position.key(), ply);
        if let Some(entry) = known {
            let enough = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score >= beta,
                Bound::Upper => entry.score <= alpha,
            };
            if !principal && enough && entry.depth >= depth {
                return entry.score;
            }
        }
        if known.is_none() && !check {
            if let Some(mate) = mate_in_one(position) {
                return self.mates(&node, mate);
            }
        }
        let value = match known {
            _ if check => None,
            Some(entry) => Some(entry.value),
            None => Some(self.evaluate(&node)),
        };
        let improving = match (value, node.before[1]) {
            (Some(now), Some(before)) => now > before,
            _ => false,
        };
        // What the table knows may be nearer to the truth than the evaluation.
        let guess = value.map(|value| match known {
            Some(Entry { score, bound, .. })
                if score.abs() < LEAST_WIN
                    && match bound {
                        Bound::Exact => true,
                        Bound::Lower => score > value,
                        Bound::Upper => score < value,
                    } =>
            {
                score
            }
            _ => value,
        });
        if let Some(guess) = guess.filter(|_| !principal && beta.abs() < LEAST_WIN) {
            let margin = margin(depth - i32::from(improving));
            if depth <= 7 && guess - margin >= beta {
                return guess;
            }
            // Where a player has something to drop he is never forced to spoil his position.
            let drops = !position.hand(position.side()).is_empty();
            if may_pass && depth >= 3 && guess >= beta && drops {
                let reduction = 3 + depth / 4 + ((guess - beta) / 300).min(3);
                let passed = position.pass();
                let state = self.evaluator.start(&passed);
                self.path.push(passed.key(), false);
                let below = Node {
                    position: &passed,
                    state: &state,
                    ply: ply + 1,
                    check: false,
                    previous: None,
                    before: [value, node.before[0]],
                };
                let score = -self.search(below, -beta, 1 - beta, depth - reduction, false);
                self.path.pop();
                if self.stopped {
                    return 0;
                }
                if score >= beta {
                    // That the opponent is mated by force if he has two moves proves nothing.
                    return if score >= LEAST_WIN { beta } else { score };
                }
            }
        }
        // Without a best move to begin with, a shallower search finds one as well.
        let depth = if known.is_none_or(|entry| entry.best == NONE) && depth >= 5 {
            depth - 1
        } else {
            depth
        };
        self.moves(node, alpha, beta, depth, Seen { known, value, improving })
    }

    /// Searches the moves of a position.
    fn moves(
        &mut self,
        node: Node<'_, R, E::State>,
        mut alpha: i32,
        beta: i32,
        depth: i32,
        seen: Seen,
    ) -> i32 {
        let Node { position, ply, check, previous, .. } = node;
        let Seen { known, value, improving } = seen;
        let principal = beta - alpha > 1;
        let us = position.side();
        self.memory.look_at(us, previous);
        let ordering = Ordering {
            values: self.evaluator.values(),
            memory: self.memory,
            best: known.map_or(NONE, |entry| entry.best),
            previous,
            ply,
        };
        let mut list = Candidates::new();
        ordering.list(position, Wanted::All, &mut list);
        if list.is_empty() {
            // A player without a legal move has lost, in every game of the family.
            return ply as i32 - WIN;
        }
        let first_alpha = alpha;
        let (mut best, mut best_move) = (-INFINITE, NONE);
        let mut tried: ArrayVec<u16, 64> = ArrayVec::new();
        let mut quiets = 0;
        let few = (4 + depth * depth) / if improving { 1 } else { 2 };
        for number in 0..list.len() {
            bring_best(&mut list, number);
            let candidate = list[number];
            let quiet = !candidate.tactical;
            let remembered =
                if quiet { self.memory.quiet(us, previous, candidate.piece_to) } else { 0 };
            let safe = best > -LEAST_WIN;
            let next = position.play(candidate.made);
            let gives_check = next.is_check();
            // A move that ends the game, such as a try, is no quiet move, whatever it looks like.
            let ends = R::is_over(&next);
            if safe && !principal && !check && !gives_check && !ends {
                if quiet && depth <= 8 && quiets >= few {
                    continue;
                }
                if let Some(value) = value.filter(|_| quiet && depth <= 6) {
                    if value + margin(depth) + 100 + remembered / 128 <= alpha {
                        quiets += 1;
                        continue;
                    }
                }
            }
            if safe && !principal && !ends && depth <= 7 {
                let least = if quiet { -60 * depth } else { -90 * depth * depth };
                if !gains(position, self.evaluator.values(), candidate.made, least) {
                    continue;
                }
            }
            if quiet {
                quiets += 1;
            }
            let state = self.evaluator.after(node.state, position, candidate.made, &next);
            self.path.push(next.key(), gives_check);
            let below = Node {
                position: &next,
                state: &state,
                ply: ply + 1,
                check: gives_check,
                previous: Some(candidate.piece_to),
                before: [value, node.before[0]],
            };
            // A check is looked at one ply further, unless it just gives the piece away.
            let longer = gives_check
                && gains(position, self.evaluator.values(), candidate.made, 0)
                && ply < 2 * depth as usize + 16;
            let new_depth = depth - 1 + i32::from(longer);
            let mut score = -INFINITE;
            let mut wide = principal && number == 0;
            if !wide {
                let mut reduction = 0;
                if depth >= 3 && number >= 2 && (quiet || candidate.rank < 0) {
                    let (row, column) = (depth.min(63) as usize, number.min(63));
                    reduction = i32::from(self.reductions[row][column]);
                    reduction -= i32::from(principal) + i32::from(gives_check) + i32::from(check);
                    reduction += i32::from(!improving);
                    reduction -= (remembered / 8192).clamp(-2, 2);
                    reduction = reduction.clamp(0, (new_depth - 1).max(0));
                }
                score = -self.search(below, -alpha - 1, -alpha, new_depth - reduction, true);
                if score > alpha && reduction > 0 {
                    score = -self.search(below, -alpha - 1, -alpha, new_depth, true);
                }
                wide = principal && score > alpha && score < beta;
            }
            if wide {
                score = -self.search(below, -beta, -alpha, new_depth, true);
            }
            self.path.pop();
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = pack(candidate.made);
                    self.adopt(ply, candidate.made);
                }
            }
            if alpha >= beta {
                let bonus = (32 * depth * depth).min(2048);
                if quiet {
                    self.memory.set_killer(ply, best_move);
                    self.memory.learn(us, previous, candidate.piece_to, bonus);
                }
                for &piece_to in &tried {
                    self.memory.learn(us, previous, piece_to, -bonus);
                }
                break;
            }
            if quiet {
                // More than there is room for are not worth to be remembered.
                let _ = tried.try_push(candidate.piece_to);
            }
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > first_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let value = value.unwrap_or(0);
        self.store(&node, Entry { best: best_move, score: best, value, depth, bound });
        best
    }

    /// Searches captures and promotions until the position is quiet; in check all moves.
    fn quiesce(
        &mut self,
        node: Node<'_, R, E::State>,
        mut alpha: i32,
        beta: i32,
        depth: i32,
    ) -> i32 {
        let Node { position, ply, check, previous, .. } = node;
        self.lines[ply].clear();
        if self.visit() {
            return 0;
        }
        self.deepest = self.deepest.max(ply);
        if let Some(score) = self.ending(&node) {
            return score;
        }
        if ply >= MOST_PLIES {
            return self.evaluate(&node);
        }
        let known = self.shared.table.find(position.key(), ply);
        if let Some(entry) = known {
            let enough = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score >= beta,
                Bound::Upper => entry.score <= alpha,
            };
            if enough && beta - alpha == 1 {
                return entry.score;
            }
        }
        let (mut best, value) = if check {
            (-INFINITE, 0)
        } else {
            if depth == 0 && known.is_none() {
                if let Some(mate) = mate_in_one(position) {
                    return self.mates(&node, mate);
                }
            }
            let value = known.map_or_else(|| self.evaluate(&node), |entry| entry.value);
            if value >= beta {
                if known.is_none() {
                    let bound = Bound::Lower;
                    self.store(&node, Entry { best: NONE, score: value, value, depth: 0, bound });
                }
                return value;
            }
            alpha = alpha.max(value);
            (value, value)
        };
        let first_alpha = alpha;
        if check {
            self.memory.look_at(position.side(), previous);
        }
        let ordering = Ordering {
            values: self.evaluator.values(),
            memory: self.memory,
            best: known.map_or(NONE, |entry| entry.best),
            previous,
            ply,
        };
        let wanted = if check { Wanted::All } else { Wanted::Tactical };
        let mut list = Candidates::new();
        ordering.list(position, wanted, &mut list);
        if check && list.is_empty() {
            return ply as i32 - WIN;
        }
        let mut best_move = NONE;
        for number in 0..list.len() {
            bring_best(&mut list, number);
            let candidate = list[number];
            let safe = best > -LEAST_WIN;
            if safe && !gains(position, self.evaluator.values(), candidate.made, 0) {
                continue;
            }
            // In check, once a way out is found, deep down only the best ones are looked at.
            if safe && check && number >= 3 && !candidate.tactical {
                break;
            }
            let next = position.play(candidate.made);
            let gives_check = next.is_check();
            let state = self.evaluator.after(node.state, position, candidate.made, &next);
            self.path.push(next.key(), gives_check);
            let below = Node {
                position: &next,
                state: &state,
                ply: ply + 1,
                check: gives_check,
                previous: Some(candidate.piece_to),
                before: [None; 2],
            };
            let score = -self.quiesce(below, -beta, -alpha, depth - 1);
            self.path.pop();
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = pack(candidate.made);
                    self.adopt(ply, candidate.made);
                    if alpha >= beta {
                        break;
                    }
                }
            }
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > first_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.store(&node, Entry { best: best_move, score: best, value, depth: 0, bound });
        best
    }

    /// Notes a mate at once, and gives its score.
    fn mates(&mut self, node: &Node<'_, R, E::State>, mate: Move<R>) -> i32 {
        let score = WIN - node.ply as i32 - 1;
        self.lines[node.ply].push(mate);
        let (value, depth) = (MOST_VALUE, MOST_PLIES as i32);
        self.store(node, Entry { best: pack(mate), score, value, depth, bound: Bound::Exact });
        score
    }

    /// Makes a move followed by the best line after it the best line.
    fn adopt(&mut self, ply: usize, made: Move<R>) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(made);
        // A line as long as the deepest search has no room for one move more.
        let room = MOST_PLIES - 1;
        let rest = &below[0][..below[0].len().min(room)];
        let _ = line.try_extend_from_slice(rest);
    }

    fn store(&self, node: &Node<'_, R, E::State>, entry: Entry) {
        self.shared.table.store(node.position.key(), node.ply, entry);
    }
}

/// How much a search of some depth may change an evaluation, about.
const fn margin(depth: i32) -> i32 {
    120 * depth
}

/// A move that mates at once.
#[inline]
fn mate_in_one<R: RuleTable>(position: &Position<R>) -> Option<Move<R>> {
    if !R::ROYAL_SAFETY {
        // A royal piece that is captured ends the game one move later; the search sees to that.
        return None;
    }
    let found = generate_checks(position, |batch| {
        position.play_batch(batch, |made, next| {
            if next.has_no_move() {
                std::ops::ControlFlow::Break(made)
            } else {
                std::ops::ControlFlow::Continue(())
            }
        })
    });
    found.break_value()
}

/// The number of a moved piece with its target.
pub(crate) fn piece_to<R: RuleTable>(position: &Position<R>, made: Move<R>) -> u16 {
    let face = match made {
        Move::Drop { face, .. } => Some(face),
        Move::Board { from, .. } => position.piece(from).map(|piece| piece.face),
    };
    let row = face.map_or(FACES - 1, face_index);
    (row * R::Geometry::AREA + made.to().index()) as u16
}
