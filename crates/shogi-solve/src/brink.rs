//! Brinkmate (hisshi): mate by checks and one quiet move, whatever the defender does.
//!
//! The attacker gives check with every move but one, which may be any move; after it each legal reply is looked at, counter-checks
//! and captures included, and answered by a mate by checks. So a problem may begin with checks that drive the king to
//! where a quiet move leaves nothing that helps, or with that move. A mate by checks alone is one, too.
//!
//! This is a game of its own for the searches of the crate: its positions say whether the quiet move is still to be made, and an
//! attacker without a check, who has made it, has lost. So it has df-pn, its certain disproofs and its plans, and the plan is
//! checked by the rules before it is an answer.

use rustc_hash::FxHashMap;
use shogi_core::{Colour, Move, Position, checks};
#[cfg(feature = "proof")]
use shogi_mate::strategy::proof_of_strategy;
use shogi_mate::{Budget, MateAnswer, Status};
#[cfg(feature = "proof")]
use shogi_proof::{Proof, Repetition};
use shogi_rules::shogi_core::Hand;
use shogi_rules::{Rules, Verdict};

use crate::certify::{Decision, decide, reach_plan};
use crate::df_pn::{DfPn, Options};
#[cfg(feature = "proof")]
use crate::from_plan::strategy_from_plan;
use crate::game::{GameGraph, Goal, Parts, RulesGame};
use crate::leaf::Mobility;
use crate::plan::{Plan, PlanStep};

/// Mixed into the keys of positions in which the quiet move is still to be made.
const QUIET: u64 = 0x5bd1_e995_9d3c_71a7;

/// A position, and whether the attacker still has the quiet move.
#[derive(Clone, Debug)]
struct BrinkPosition<R: Rules> {
    position: Position<R>,
    has_quiet: bool,
}

/// The game of an attacker who has to mate by checks and one quiet move.
struct BrinkGame<R> {
    attacker: Colour,
    rules: RulesGame<R>,
}

impl<R: Rules> GameGraph for BrinkGame<R> {
    type Position = BrinkPosition<R>;
    type Move = Move<R>;

    fn side(&self, node: &BrinkPosition<R>) -> Colour {
        node.position.side()
    }

    fn verdict(&self, node: &BrinkPosition<R>) -> Option<Verdict> {
        let position = &node.position;
        R::verdict(position).or_else(|| {
            let is_stuck = match position.side() == self.attacker && !node.has_quiet {
                true => !shogi_core::has_check(position),
                false => position.has_no_move(),
            };
            is_stuck.then_some(Verdict::Loss)
        })
    }

    fn moves(&self, node: &BrinkPosition<R>, moves: &mut Vec<Move<R>>) {
        match node.position.side() == self.attacker && !node.has_quiet {
            true => moves.extend(checks(&node.position)),
            false => self.rules.moves(&node.position, moves),
        }
    }

    fn play(&self, node: &BrinkPosition<R>, mv: Move<R>) -> BrinkPosition<R> {
        let is_quiet = || !checks(&node.position).contains(&mv);
        let is_spent = node.has_quiet && node.position.side() == self.attacker && is_quiet();
        let position = node.position.play_unchecked(mv);
        BrinkPosition { position, has_quiet: node.has_quiet && !is_spent }
    }

    fn children(&self, node: &BrinkPosition<R>, mut visit: impl FnMut(Move<R>, BrinkPosition<R>)) {
        let is_attacking = node.position.side() == self.attacker;
        let checks = if is_attacking { checks(&node.position).to_vec() } else { Vec::new() };
        let mut moves = Vec::new();
        self.moves(node, &mut moves);
        for mv in moves {
            let has_quiet = node.has_quiet && (!is_attacking || checks.contains(&mv));
            visit(mv, BrinkPosition { position: node.position.play_unchecked(mv), has_quiet });
        }
    }

    fn key(&self, node: &BrinkPosition<R>) -> u64 {
        node.position.key() ^ if node.has_quiet { QUIET } else { 0 }
    }

    fn parts(&self, node: &BrinkPosition<R>) -> Parts {
        let Parts { board, hand } = self.rules.parts(&node.position);
        Parts { board: board ^ if node.has_quiet { QUIET } else { 0 }, hand }
    }

    fn dominates(&self, hand: u32, other: u32) -> bool {
        Hand::from_bits(hand).dominates(Hand::from_bits(other))
    }

    fn is_check(&self, node: &BrinkPosition<R>) -> bool {
        node.position.is_check()
    }
}

/// The findings of a search for a brinkmate.
struct Brinkmate<R: Rules> {
    answer: MateAnswer<R>,
    /// A move for each position that the attacker may come into, if there is a brinkmate.
    plan: Option<Plan<RulesGame<R>>>,
}

/// Searches for a brinkmate (hisshi): the player to move mates by checks and one quiet move, at whatever place,
/// against every defence; with so many bytes. A mate by checks alone is one, too.
///
/// The line is the longest of the plan that was found, and the plies are its length. A defender without a royal piece
/// cannot be mated.
///
/// ```
/// use shogi_rules::{Shogi, parse_problem, to_usi};
/// use shogi_solve::mate::Status;
/// use shogi_solve::{Budget, solve_brink};
///
/// let problem = "7nl/7k1/6p2/7Pp/9/9/9/9/9 b GS2r2b3g3s3n3l15p 1";
/// let problem = parse_problem::<Shogi>(problem)?;
/// let brink = solve_brink(&problem, 16 << 20, &mut Budget::unlimited());
/// assert_eq!(brink.status, Status::Mate);
/// assert_eq!(to_usi(brink.line[0]), "S*2c");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve_brink<R: Rules>(
    root: &Position<R>,
    hash_bytes: usize,
    budget: &mut Budget<'_>,
) -> MateAnswer<R> {
    brink(root, hash_bytes, budget).answer
}

/// Searches as [`solve_brink`] does; with the proof of what was found, checked by the rules.
#[cfg(feature = "proof")]
pub fn prove_brink<R: Rules>(
    root: &Position<R>,
    hash_bytes: usize,
    budget: &mut Budget<'_>,
) -> (MateAnswer<R>, Option<Proof<R>>) {
    let Brinkmate { answer, plan } = brink(root, hash_bytes, budget);
    let strategy =
        plan.and_then(|plan| strategy_from_plan(root, &plan, root.side(), Repetition::Absent).ok());
    (answer, strategy.and_then(|strategy| proof_of_strategy(root, strategy)))
}

/// Searches for a brinkmate by the player to move, with so many bytes.
fn brink<R: Rules>(root: &Position<R>, hash_bytes: usize, budget: &mut Budget<'_>) -> Brinkmate<R> {
    let attacker = root.side();
    let (game, goal) = (BrinkGame { attacker, rules: RulesGame::new() }, Goal::win(attacker));
    let options = Options { hash_bytes, ..Options::default() };
    let mut search = DfPn::new(&game, goal, Mobility, options);
    let root = BrinkPosition { position: *root, has_quiet: true };
    let (nodes, expansions) = (budget.spent(), budget.expansions());
    let (status, plan) = match decide(&mut search, &root, budget) {
        Decision::Prevented(_) => (Status::NoMate, None),
        Decision::Open(_) => (Status::Unknown, None),
        Decision::Proved { .. } => {
            let plan = reach_plan(&mut search, &root, budget).or_else(|| {
                let nodes = budget.spent() - nodes;
                budget.overtime(nodes, |budget| reach_plan(&mut search, &root, budget))
            });
            let plan = plan.filter(|plan| plan.check_reaches(&game, &root, goal).is_ok());
            (if plan.is_some() { Status::Mate } else { Status::Unknown }, plan)
        }
    };
    let line = plan.as_ref().map_or_else(Vec::new, |plan| longest_line(&game, plan, &root));
    let plies = (status == Status::Mate).then_some(line.len() as u32);
    let exact = plies.is_some_and(|plies| plies <= 1);
    let (nodes, expansions) = (budget.spent() - nodes, budget.expansions() - expansions);
    let answer = MateAnswer { status, plies, exact, line, nodes, expansions };
    Brinkmate { answer, plan: plan.map(|plan| without_quiet(&plan)) }
}

/// A plan for the positions alone: where both a position with the quiet move still to be made and one without it have a step,
/// the one that ends sooner.
fn without_quiet<R: Rules>(plan: &Plan<BrinkGame<R>>) -> Plan<RulesGame<R>> {
    let (game, mut positions) = (RulesGame::new(), Plan::new());
    for PlanStep { position: BrinkPosition { position, .. }, mv, plies } in plan.steps() {
        let known: Option<&PlanStep<RulesGame<R>>> = positions.get(&game, position);
        if known.is_none_or(|known| known.plies > *plies) {
            positions.insert(&game, PlanStep { position: *position, mv: *mv, plies: *plies });
        }
    }
    positions
}

/// The line of a plan in which the defender holds out longest.
fn longest_line<R: Rules>(
    game: &BrinkGame<R>,
    plan: &Plan<BrinkGame<R>>,
    root: &BrinkPosition<R>,
) -> Vec<Move<R>> {
    // The plies to the end by the plan, and the reply that takes as many: positions with fewer come first.
    let mut lengths: FxHashMap<u64, (u32, Option<Move<R>>)> = FxHashMap::default();
    let mut steps: Vec<_> = plan.steps().collect();
    steps.sort_by_key(|step| step.plies);
    for step in steps {
        let after = game.play(&step.position, step.mv);
        let mut longest = (1, None);
        if game.verdict(&after).is_none() {
            game.children(&after, |reply, next| {
                let known = lengths.get(&game.key(&next)).map_or(0, |&(plies, _)| plies);
                if longest.0 < known + 2 {
                    longest = (known + 2, Some(reply));
                }
            });
        }
        lengths.insert(game.key(&step.position), longest);
    }
    let (mut node, mut line) = (root.clone(), Vec::new());
    while let Some(step) = plan.get(game, &node).filter(|_| game.verdict(&node).is_none()) {
        line.push(step.mv);
        node = game.play(&node, step.mv);
        let reply = lengths.get(&game.key(&step.position)).and_then(|&(_, reply)| reply);
        let Some(reply) = reply else { break };
        line.push(reply);
        node = game.play(&node, reply);
    }
    line
}

#[cfg(test)]
mod tests {
    use shogi_rules::{Dobutsu, KyotoShogi, Minishogi, Shogi34, parse_problem, to_sfen, to_usi};
    use testing::random::Random;
    use testing::sample::{Style, legal};

    use super::*;

    fn found<R: Rules>(root: &Position<R>, nodes: u64) -> MateAnswer<R> {
        brink(root, 8 << 20, &mut Budget::nodes(nodes)).answer
    }

    /// Whether the attacker mates within so many plies by checks, and one other move if there is still one, by all lines.
    fn mates<R: Rules>(position: &Position<R>, attacking: bool, quiet: bool, plies: u32) -> bool {
        match R::verdict(position) {
            Some(Verdict::Win) => return attacking,
            Some(Verdict::Loss) => return !attacking,
            Some(Verdict::Draw) => return false,
            None if plies == 0 => return false,
            None => {}
        }
        if !attacking {
            return position
                .legal_moves()
                .into_iter()
                .all(|mv| mates(&position.play_unchecked(mv), true, quiet, plies - 1));
        }
        let checks = checks(position);
        let after = |mv, quiet| mates(&position.play_unchecked(mv), false, quiet, plies - 1);
        checks.iter().any(|&mv| after(mv, quiet))
            || quiet
                && position
                    .legal_moves()
                    .iter()
                    .any(|&mv| !checks.contains(&mv) && after(mv, false))
    }

    /// Random positions against brute force up to so many plies: how many have a brinkmate but no mate by checks, and how
    /// many have none.
    fn compare<R: Rules>(positions: usize, plies: u32) -> (usize, usize) {
        let mut random = Random::new(11);
        let (mut quiet, mut none) = (0, 0);
        for number in 0..positions {
            let root = legal::<R>(&mut random, Style::ALL[number % Style::ALL.len()]);
            if R::is_over(&root) {
                continue;
            }
            let (name, answer) = (to_sfen(&root), found(&root, 30_000));
            let truth = mates(&root, true, true, plies);
            match answer.status {
                Status::Mate => {
                    let length = answer.plies.expect("a mate has a length");
                    assert_eq!(length, answer.line.len() as u32, "{name}");
                    let (mut position, mut silent) = (root, 0);
                    for (ply, &mv) in answer.line.iter().enumerate() {
                        silent += u32::from(ply % 2 == 0 && !checks(&position).contains(&mv));
                        position = position.play(mv).expect("a line is legal");
                    }
                    assert!(position.has_no_move() || R::is_over(&position), "{name}");
                    assert!(silent <= 1, "{name}");
                    assert!(truth || length > plies, "{name} {length}");
                    quiet += silent as usize;
                }
                Status::NoMate => {
                    assert!(!truth, "{name}");
                    none += 1;
                }
                Status::Unknown => {}
            }
        }
        (quiet, none)
    }

    #[test]
    fn brinkmates_are_those_of_brute_force() {
        let found = [
            compare::<Minishogi>(120, 3),
            compare::<KyotoShogi>(120, 3),
            compare::<Shogi34>(200, 5),
            compare::<Dobutsu>(240, 7),
        ];
        assert!(found.iter().all(|&(quiet, none)| quiet > 3 && none > 10), "{found:?}");
    }

    #[test]
    #[ignore = "long, 1,000 positions of each game"]
    fn a_thousand_brinkmates_are_those_of_brute_force() {
        let found = [
            compare::<Minishogi>(1_000, 5),
            compare::<KyotoShogi>(1_000, 5),
            compare::<Shogi34>(1_000, 7),
            compare::<Dobutsu>(1_000, 9),
        ];
        assert!(found.iter().all(|&(quiet, none)| quiet > 10 && none > 100), "{found:?}");
    }

    /// A composed problem without the attacker's king, from the set of Suisho's brinkmates: a check, then the quiet move.
    #[test]
    fn a_published_brinkmate_is_found() {
        let problem = "7nl/7k1/6p2/7Pp/9/9/9/9/9 b GS2r2b3g3s3n3l15p 1";
        let root = parse_problem::<shogi_rules::Shogi>(problem).unwrap();
        let answer = found(&root, 50_000_000);
        let line: Vec<_> = answer.line.iter().map(|&mv| to_usi(mv)).collect();
        assert_eq!((answer.status, answer.exact), (Status::Mate, false));
        assert_eq!(line[..3], ["S*2c", "2b1c", "2c3d+"], "{}", line.join(" "));
        assert_eq!(Some(line.len() as u32), answer.plies);
    }

    #[test]
    fn a_budget_that_ends_leaves_it_unknown() {
        let zuko_98 = "8k/9/9/9/9/9/9/9/9 b R2GSr2b2g3s4n4l18p 1";
        let root = parse_problem::<shogi_rules::Shogi>(zuko_98).unwrap();
        let answer = found(&root, 1_000);
        assert_eq!((answer.status, answer.plies, answer.line.len()), (Status::Unknown, None, 0));
    }
}
