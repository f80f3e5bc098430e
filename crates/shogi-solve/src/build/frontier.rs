//! A builder's state as a file: what is proved, and what is left to do.
//!
//! One JSON value a line: a head, the positions of the tree, the steps of the proofs found so far,
//! and a checksum of all lines before it. The steps are the certificate of what is proved: one is taken
//! only if all replies lead to steps with fewer plies. All else is a hint: a position that is proved
//! without a step, or refuted, is searched again, and a move that failed is tried after the others. So a
//! forged file may cost time, but changes no result.

use serde::{Deserialize, Serialize};
use shogi_proof::rules_hash;
use shogi_rules::shogi_core::{Colour, Position};
use shogi_rules::{Rules, parse_position, parse_usi, to_sfen, to_usi};

use super::builder::{Builder, Followed, PAUSE, Settings, State};
use crate::game::{Goal, RulesGame};
use crate::leaf::Leaf;
use crate::plan::{Plan, PlanStep, children};

/// The version of the file format.
const VERSION: u32 = 1;

/// Why a text is no state of a builder.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct FrontierError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: String,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
struct Head {
    proof_build: u32,
    variant: String,
    rules: String,
    root: String,
    sente_proves: bool,
    draw_suffices: bool,
    round: u32,
    spent: u64,
    tree: usize,
    steps: usize,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NodeLine {
    sfen: String,
    /// Null while open.
    proved: Option<bool>,
    jobs: u32,
    next: u32,
    proof: u32,
    disproof: u32,
    expanded: Option<u32>,
    moves: Vec<MoveLine>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MoveLine {
    usi: String,
    fails: bool,
    replies: Option<Vec<u32>>,
}

#[derive(Serialize, Deserialize)]
struct StepLine(String, String, u32);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Checksum {
    checksum: String,
}

/// The state of a builder as text.
pub fn save<R: Rules, L: Leaf<RulesGame<R>>>(builder: &Builder<'_, RulesGame<R>, L>) -> String {
    let head = Head {
        proof_build: VERSION,
        variant: R::NAME.to_owned(),
        rules: hash::<R>(),
        root: to_sfen(&builder.root),
        sente_proves: builder.goal.prover == Colour::Sente,
        draw_suffices: builder.goal.draw_suffices,
        round: builder.round,
        spent: builder.spent,
        tree: builder.nodes.len(),
        steps: builder.steps.len(),
    };
    let mut text = line(&head);
    for node in &builder.nodes {
        let moves = node.moves.iter().map(|followed| MoveLine {
            usi: to_usi(followed.mv),
            fails: followed.fails,
            replies: followed.replies.clone(),
        });
        text += &line(&NodeLine {
            sfen: to_sfen(&node.position),
            proved: match node.state {
                State::Open => None,
                State::Proved => Some(true),
                State::Refuted => Some(false),
            },
            jobs: node.jobs,
            next: node.next,
            proof: node.numbers.0,
            disproof: node.numbers.1,
            expanded: node.expanded,
            moves: moves.collect(),
        });
    }
    for PlanStep { position, mv, plies } in builder.steps.steps() {
        text += &line(&StepLine(to_sfen(position), to_usi(*mv), *plies));
    }
    let checksum = blake3::hash(text.as_bytes()).to_hex().to_string();
    text + &line(&Checksum { checksum })
}

/// A builder that goes on from a saved state.
///
/// # Errors
///
/// If the text is damaged, or not a state of building this proof by these rules.
pub fn load<'g, R: Rules, L: Leaf<RulesGame<R>>>(
    text: &str,
    game: &'g RulesGame<R>,
    goal: Goal,
    root: Position<R>,
    leaf: L,
    settings: Settings,
) -> Result<Builder<'g, RulesGame<R>, L>, FrontierError> {
    let mut reader = Reader::new(text)?;
    let head: Head = reader.next()?;
    let expected = Head {
        proof_build: VERSION,
        variant: R::NAME.to_owned(),
        rules: hash::<R>(),
        root: to_sfen(&root),
        sente_proves: goal.prover == Colour::Sente,
        draw_suffices: goal.draw_suffices,
        ..head
    };
    if head != expected {
        return Err(reader.error(format!("this builds something else: {head:?}")));
    }
    let mut builder = Builder::new(game, goal, root, leaf, settings);
    (builder.round, builder.spent) = (head.round, head.spent);
    let (tree, steps) = (head.tree, head.steps);
    let mut moves = Vec::new();
    for number in 0..tree {
        let node: NodeLine = reader.next()?;
        let position = reader.position::<R>(&node.sfen)?;
        if builder.meet(position) as usize != number {
            return Err(reader.error(format!("{} stands in the wrong place", node.sfen)));
        }
        let met = &mut builder.nodes[number];
        let expanded = node.expanded.map(|round| round.min(head.round));
        (met.jobs, met.next, met.expanded) = (node.jobs, node.next, expanded);
        met.numbers = (node.proof, node.disproof);
        if node.proved.is_some() {
            met.next = head.round;
        }
        met.next = met.next.min(head.round.saturating_add(PAUSE));
        for followed in node.moves {
            let mv = reader.legal(&position, &followed.usi)?;
            let in_tree = |reply: &u32| (*reply as usize) < tree;
            if !followed.replies.iter().flatten().all(in_tree) {
                return Err(reader.error("a reply leads nowhere".to_owned()));
            }
            moves.push((followed.fails, Followed { mv, fails: false, replies: None }));
        }
        moves.sort_by_key(|&(fails, _)| fails);
        builder.nodes[number].moves = moves.drain(..).map(|(_, followed)| followed).collect();
    }
    let mut claimed = Vec::new();
    for _ in 0..steps {
        let StepLine(sfen, usi, plies) = reader.next()?;
        let position = reader.position::<R>(&sfen)?;
        let mv = reader.legal(&position, &usi)?;
        claimed.push(PlanStep { position, mv, plies });
    }
    if reader.lines.next().is_some() {
        return Err(reader.error("there is more than the head says".to_owned()));
    }
    builder.steps = certified(game, goal, claimed);
    for node in &mut builder.nodes {
        if builder.steps.get(game, &node.position).is_some() {
            node.state = State::Proved;
        }
    }
    Ok(builder)
}

/// The steps that others with fewer plies, or ends that reach the goal, uphold after each reply.
fn certified<R: Rules>(
    game: &RulesGame<R>,
    goal: Goal,
    mut claimed: Vec<PlanStep<RulesGame<R>>>,
) -> Plan<RulesGame<R>> {
    claimed.sort_by_key(|step| step.plies);
    let mut steps = Plan::new();
    for step in claimed {
        let reached = |position: &Position<R>| {
            R::verdict(position).map(|verdict| goal.is_reached(verdict, position.side()))
        };
        let after = step.position.play(step.mv);
        let holds = reached(&after).unwrap_or_else(|| {
            children(game, &after).iter().all(|reply| {
                let below = || steps.get(game, reply).is_some_and(|next| next.plies < step.plies);
                reached(reply).unwrap_or_else(below)
            })
        });
        if holds && step.position.side() == goal.prover {
            steps.insert(game, step);
        }
    }
    steps
}

fn hash<R: Rules>() -> String {
    rules_hash::<R>().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// One line of the file. What is written here always has a JSON form.
fn line<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default() + "\n"
}

struct Reader<'a> {
    lines: std::str::Lines<'a>,
    /// Lines read.
    read: usize,
}

impl<'a> Reader<'a> {
    /// Checks the checksum, and reads from the first line on.
    fn new(text: &'a str) -> Result<Self, FrontierError> {
        let end = text.trim_end_matches('\n').rfind('\n').map_or(0, |at| at + 1);
        let (body, last) = text.split_at(end);
        let line = body.lines().count() + 1;
        let error = |reason: &str| FrontierError { line, reason: reason.to_owned() };
        let found: Checksum =
            serde_json::from_str(last).map_err(|_| error("there is no checksum at the end"))?;
        if found.checksum != blake3::hash(body.as_bytes()).to_hex().as_str() {
            return Err(error("the checksum does not match: the file is damaged"));
        }
        Ok(Self { lines: body.lines(), read: 0 })
    }

    fn next<T: Deserialize<'a>>(&mut self) -> Result<T, FrontierError> {
        self.read += 1;
        let line =
            self.lines.next().ok_or_else(|| self.error("the text ends too early".to_owned()))?;
        serde_json::from_str(line).map_err(|error| self.error(error.to_string()))
    }

    fn position<R: Rules>(&self, sfen: &str) -> Result<Position<R>, FrontierError> {
        parse_position(sfen).map_err(|error| self.error(error.to_string()))
    }

    fn legal<R: Rules>(
        &self,
        position: &Position<R>,
        usi: &str,
    ) -> Result<shogi_core::Move<R>, FrontierError> {
        let mv = parse_usi(usi).map_err(|error| self.error(error.to_string()))?;
        match position.is_legal(mv) {
            true => Ok(mv),
            false => Err(self.error(format!("{usi} is illegal in {}", to_sfen(position)))),
        }
    }

    fn error(&self, reason: String) -> FrontierError {
        FrontierError { line: self.read, reason }
    }
}
