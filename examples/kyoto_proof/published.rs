//! Algorithm 1 of the paper as it is published: a stack, one move of the player for each position, all replies, and
//! nothing else.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, Result};
use indicatif::{HumanCount, ProgressBar};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use shogi_rules::shogi_core::{Colour, Move, Position};
use shogi_rules::{Game, KyotoShogi, to_sfen, to_usi_in};
use shogi_search::{Action, Control, Evaluation, Limits, Player, Settings};
use shogi_solve::proof::{Claim, Proof, Repetition, Strategy};
use shogi_variants_examples::provenance::Provenance;

use crate::{DIALECT, write_proof};

type KyotoPosition = Position<KyotoShogi>;

/// How the algorithm has ended.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The stack is empty, and the proof is accepted by the rules.
    Proved { plies: Option<u32> },
    /// The stack is empty, but lines of it come back to where they were.
    Repetition,
    /// Sente has lost in this position.
    Refuted { sfen: String },
    /// The bound on positions is met.
    NotFinished,
}

/// What the algorithm has made of a reply.
#[derive(Clone, Serialize, Debug)]
pub struct Course {
    reply: String,
    /// The player's first move.
    answer: Option<String>,
    ending: Ending,
    /// Positions with Sente to move for which the player has named a move.
    named: usize,
    /// Positions after these moves, and how many of them end the game.
    after: usize,
    ends: usize,
    /// Positions on the stack at the end.
    left: usize,
    seconds: f64,
}

/// The algorithm, from one position on.
struct Algorithm<'p> {
    player: &'p mut Player<KyotoShogi, Evaluation<KyotoShogi>>,
    /// Nodes for each move.
    nodes: u64,
    /// The player's move in each position.
    moves: FxHashMap<KyotoPosition, Move<KyotoShogi>>,
    /// Positions after these moves.
    after: FxHashSet<KyotoPosition>,
    ends: usize,
    stack: Vec<KyotoPosition>,
}

impl Algorithm<'_> {
    /// Takes positions from the stack until it is empty, a position is lost, or the player has named so many moves.
    fn run(&mut self, root: KyotoPosition, most: usize) -> Option<Ending> {
        let bar = ProgressBar::new(most as u64);
        let mut ending = self.name(root, most);
        while ending.is_none() {
            let Some(position) = self.stack.pop() else { break };
            for mv in position.legal_moves() {
                ending = self.name(position.play_unchecked(mv), most);
                if ending.is_some() {
                    break;
                }
            }
            bar.set_position(self.moves.len() as u64);
        }
        bar.finish_and_clear();
        ending
    }

    /// Has the player name a move in a position, and puts the position after it on the stack if it is new and goes on.
    fn name(&mut self, position: KyotoPosition, most: usize) -> Option<Ending> {
        if self.moves.contains_key(&position) {
            return None;
        }
        if self.moves.len() == most {
            return Some(Ending::NotFinished);
        }
        let (limits, control) = (Limits::nodes(self.nodes), Control::new());
        let line = self.player.think(&Game::new(position), &limits, &control, |_| {});
        let Action::Play(mv) = line.action else {
            return Some(Ending::Refuted { sfen: to_sfen(&position) });
        };
        self.moves.insert(position, mv);
        let next = position.play_unchecked(mv);
        if self.after.insert(next) {
            if next.legal_moves().is_empty() {
                self.ends += 1;
            } else {
                self.stack.push(next);
            }
        }
        None
    }

    /// The positions with Sente to move after the player's move and each reply.
    fn replies(&self, position: &KyotoPosition) -> Vec<KyotoPosition> {
        let Some(&mv) = self.moves.get(position) else { return Vec::new() };
        let next = position.play_unchecked(mv);
        next.legal_moves().into_iter().map(|reply| next.play_unchecked(reply)).collect()
    }

    /// The strategy, with the plies to the end of each position; `None` if a line repeats a position.
    fn strategy(&self, root: KyotoPosition) -> Result<Option<Strategy<KyotoShogi>>> {
        let mut strategy = Strategy::new(Colour::Sente, Repetition::Absent);
        let mut plies = FxHashMap::<KyotoPosition, u32>::default();
        let mut path = vec![(root, self.replies(&root))];
        let mut on_path = FxHashSet::from_iter([root]);
        while let Some((position, open)) = path.last_mut() {
            if let Some(next) = open.pop() {
                if on_path.contains(&next) {
                    return Ok(None);
                }
                if !plies.contains_key(&next) {
                    on_path.insert(next);
                    path.push((next, self.replies(&next)));
                }
                continue;
            }
            let position = *position;
            let longest = self.replies(&position).iter().filter_map(|next| plies.get(next)).max();
            let rank = longest.map_or(1, |longest| longest + 2);
            plies.insert(position, rank);
            // A mirror image may stand there with a longer line.
            if strategy.get(&position).is_none_or(|step| step.rank > rank) {
                let mv = self.moves.get(&position).context("the player has named no move")?;
                strategy.insert(&position, *mv, rank)?;
            }
            on_path.remove(&position);
            path.pop();
        }
        Ok(Some(strategy))
    }
}

/// Runs the algorithm after a reply; a proof is written and checked by the rules.
pub fn course(
    reply: &str,
    root: &KyotoPosition,
    (most, nodes): (usize, u64),
    out: &Path,
) -> Result<Course> {
    let started = Instant::now();
    let mut player = Player::new(Evaluation::standard(), Settings::default());
    let mut algorithm = Algorithm {
        player: &mut player,
        nodes,
        moves: FxHashMap::default(),
        after: FxHashSet::default(),
        ends: 0,
        stack: Vec::new(),
    };
    let ending = match algorithm.run(*root, most) {
        Some(ending) => ending,
        None => match algorithm.strategy(*root)? {
            None => Ending::Repetition,
            Some(strategy) => {
                let claim = Claim::Win { prover: Colour::Sente };
                let path = out.join(format!("{reply}.published.proof"));
                let (_, plies, _) = write_proof(&Proof::new(*root, claim, vec![strategy])?, &path)?;
                Ending::Proved { plies }
            }
        },
    };
    Ok(Course {
        reply: reply.to_owned(),
        answer: algorithm.moves.get(root).map(|&mv| to_usi_in(mv, root, DIALECT)),
        ending,
        named: algorithm.moves.len(),
        after: algorithm.after.len(),
        ends: algorithm.ends,
        left: algorithm.stack.len(),
        seconds: started.elapsed().as_secs_f64(),
    })
}

/// The expansions of the builder for each reply, from the table of results.
const EXPANSIONS: &str = include_str!("../../docs/results/kyoto_replies.tsv");

impl Course {
    /// A row of the table.
    fn row(&self) -> String {
        let Self { reply, answer, ending, named, after, ends, left, seconds } = self;
        let line = EXPANSIONS.lines().find_map(|line| line.strip_prefix(reply)?.strip_prefix('\t'));
        let expansions = line.and_then(|number| number.parse().ok());
        let expansions = expansions.map_or_else(String::new, |n| HumanCount(n).to_string());
        let named = HumanCount(*named as u64);
        let ended = match ending {
            Ending::Proved { plies } => {
                let plies = plies.unwrap_or_default();
                format!("**proved**, {plies} plies")
            }
            Ending::Repetition => "a line repeats a position".to_owned(),
            Ending::Refuted { sfen } => format!("Sente has lost in `{sfen}`"),
            Ending::NotFinished => format!("not finished after {named} positions"),
        };
        let answer = answer.as_deref().unwrap_or_default();
        let [after, ends, left] = [after, ends, left].map(|&count| HumanCount(count as u64));
        format!(
            "| {reply} | {expansions} | {answer} | {ended} | {named} | {after} | {ends} | {left} | {seconds:.0} |"
        )
    }
}

/// The page.
pub fn page(courses: &[Course], (most, nodes): (usize, u64), run: &Provenance) -> String {
    let most = HumanCount(most as u64);
    let mut page = format!(
        "# Kyoto shogi by the paper's Algorithm 1\n\n\
         How far does the algorithm come as it is published: a stack of positions, one move of a player for each, all replies, and nothing \
         else? The page is written by\n\n```sh\n{}\n```\n\n({run}). The player is the library's, with its network trained from nothing and {} nodes \
         a move, which begin with a search for mates by checks; the paper's finds mates in one ply. It errs, and \
         Algorithm 1 has no way to take a move back: a reply ends proved, with a position that Sente has lost, or not at \
         all. So each gets at most {most} positions with a move named.\n\n\
         | reply | expansions of the builder | answer | Algorithm 1 | moves named | positions after them | of these ends | left on the stack | seconds |\n\
         |---|---:|---|---|---:|---:|---:|---:|---:|\n",
        run.command,
        HumanCount(nodes),
    );
    for course in courses {
        // Writing to a string cannot fail.
        let _ = writeln!(page, "{}", course.row());
    }
    page + "\nThe paper's stack took 54,728,872 positions for all twelve replies, 18,443,888 of them ends. An expansion of the \
            [builder](../how/kyoto.md#the-builder) is a position whose moves are looked at; a move named takes the player's nodes. Proofs \
            are checked by the rules, and plies count from the answer on.\n"
}
