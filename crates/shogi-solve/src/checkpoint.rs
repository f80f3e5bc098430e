//! Checkpoints: the state of a [`Solver`] in a file, to go on from later.
//!
//! docs/formats.md in the repository describes the file. What is read is not taken on trust: a file
//! that was damaged is refused, and one that was forged can make a search slower but no value wrong,
//! since a value needs a certificate, and those in the file are checked.

use std::io::{self, Read, Write};
use std::time::Duration;

use shogi_proof::{Claim, Proof, Repetition, Strategy, rules_hash};
use shogi_rules::sealed::{self, At, FileFormat, Flaw};
use shogi_rules::shogi_core::Position;
use shogi_rules::{Rules, parse_position, to_sfen};

use crate::df_pn::{Combine, Tuning};
use crate::family::strategy;
use crate::game::{Goal, RulesGame};
use crate::ghi::Ghi;
use crate::memory::Memory;
use crate::plan::{Plan, PlanStep, children};
use crate::search::{FinalValue, Finding};
use crate::solve::{Algorithm, AnySearch, GoalPlan, Options, Solver, Turn};
use crate::table::Entry;

/// A solver of a variant's positions.
type FamilySolver<R> = Solver<'static, RulesGame<R>>;

/// The format of checkpoints.
pub const FORMAT: FileFormat =
    FileFormat { magic: *b"\x89SOLVE\r\n", version: 2, name: "checkpoint of a solver" };

/// Why a checkpoint cannot be read, and where.
pub type CheckpointError = At<CheckpointReason>;

/// What can be wrong with a checkpoint.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointReason {
    /// The file cannot be read, or is not one that was written as a checkpoint.
    #[error(transparent)]
    File(#[from] Flaw),
    /// A field has a value that is never written.
    #[error("the {0} is not one that is written")]
    Field(&'static str),
    /// The checkpoint belongs to another search.
    #[error("the checkpoint is of another run: its {field} is {found}, not {wanted}")]
    Mismatch {
        /// What differs.
        field: &'static str,
        /// The value in the file.
        found: String,
        /// The value that was asked for.
        wanted: String,
    },
    /// A certificate in the file does not hold.
    #[error("a certificate does not hold: {0}")]
    GoalPlan(String),
}

/// The head of a checkpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The name of the rule set.
    pub variant: String,
    /// The rules, see [`rules_hash`].
    pub rules: [u8; 32],
    /// The position that is being solved, in SFEN.
    pub root: String,
    /// The search.
    pub algorithm: Algorithm,
    /// What df-pn does about the history.
    pub ghi: Ghi,
    /// What shapes df-pn.
    pub tuning: Tuning,
    /// Bytes for the tables of all searches together.
    pub hash_bytes: u64,
    /// Nodes spent.
    pub nodes: u64,
    /// Positions entered.
    pub expansions: u64,
    /// Time spent.
    pub elapsed: Duration,
}

/// What a checkpoint holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Content {
    /// Entries of the tables.
    pub entries: u64,
    /// Final values kept beside the tables.
    pub final_values: u64,
    /// Certificates, all of which hold.
    pub certificates: u64,
}

impl<R: Rules> Solver<'static, RulesGame<R>> {
    /// Writes the state, so that [`Reader::solver`] can make the solver again.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write(&self, out: impl Write) -> io::Result<()> {
        let mut out = Output { out: sealed::Writer::new(out, &FORMAT)? };
        let Options { algorithm, ghi, tuning, hash_bytes, .. } = self.options;
        out.text(R::NAME)?;
        out.write(&rules_hash::<R>())?;
        out.text(&to_sfen(&self.root))?;
        out.write(&[number(&ALGORITHMS, &algorithm), number(&GHI, &ghi)])?;
        for combine in [tuning.proof, tuning.disproof] {
            let sixteenths = match combine {
                Combine::Sum => SUM,
                Combine::Weak { sixteenths } => sixteenths,
            };
            out.write(&sixteenths.to_le_bytes())?;
        }
        out.write(&tuning.epsilon.to_le_bytes())?;
        let elapsed = u64::try_from(self.elapsed.as_micros()).unwrap_or(u64::MAX);
        let Turn { nodes: turn, left, .. } = self.turn;
        for count in [hash_bytes as u64, self.nodes, self.expansions, elapsed, turn, left] {
            out.write(&count.to_le_bytes())?;
        }
        out.write(&[self.turn.question as u8])?;
        for question in &self.questions {
            out.finding(question.finding)?;
            match &question.search {
                None => out.write(&[0])?,
                Some(AnySearch::DfPn(search)) => out.memory(search.memory())?,
                Some(AnySearch::Pds(search)) => out.memory(search.memory())?,
            }
        }
        out.write(&[self.certificates.len() as u8])?;
        for certificate in &self.certificates {
            let strategy = strategy(&self.root, certificate).map_err(io::Error::other)?;
            let prover = strategy.prover();
            let wins = certificate.planner_wins();
            let claim = if wins { Claim::Win { prover } } else { Claim::NotLose { prover } };
            let proof = Proof::new(self.root, claim, vec![strategy]).map_err(io::Error::other)?;
            let mut bytes = Vec::new();
            proof.write(&mut bytes).map_err(io::Error::other)?;
            out.write(&(bytes.len() as u64).to_le_bytes())?;
            out.write(&bytes)?;
        }
        out.out.finish().map(drop)
    }
}

/// The algorithms by their number in the file.
const ALGORITHMS: [Algorithm; 2] = [Algorithm::DfPn, Algorithm::Pds];
/// The ways with the history by their number in the file.
const GHI: [Ghi; 3] = [Ghi::Provisional, Ghi::ByPath, Ghi::Simulation];
/// Stands for [`Combine::Sum`].
const SUM: u32 = u32::MAX;

/// The number of an item of one of the lists above, which hold every value.
fn number<T: PartialEq>(list: &[T], item: &T) -> u8 {
    list.iter().take_while(|listed| *listed != item).count() as u8
}

/// Writes the parts of a checkpoint.
struct Output<W: Write> {
    out: sealed::Writer<W>,
}

impl<W: Write> Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        let length = u16::try_from(text.len()).map_err(io::Error::other)?;
        self.write(&length.to_le_bytes())?;
        self.write(text.as_bytes())
    }

    fn finding(&mut self, finding: Option<Finding>) -> io::Result<()> {
        let (kind, first, second) = match finding {
            None => (0, 0, 0),
            Some(Finding::Proved { plies }) => (1, plies, 0),
            Some(Finding::Disproved) => (2, 0, 0),
            Some(Finding::Unknown { proof, disproof }) => (3, proof, disproof),
        };
        self.write(&[kind])?;
        self.write(&first.to_le_bytes())?;
        self.write(&second.to_le_bytes())
    }

    fn memory(&mut self, memory: &Memory) -> io::Result<()> {
        let table = &memory.table;
        self.write(&[1])?;
        self.write(&(table.len() as u64).to_le_bytes())?;
        for entry in table.iter() {
            self.write(&entry.to_bytes())?;
        }
        let values = memory.all_final_values();
        self.write(&(values.len() as u64).to_le_bytes())?;
        for (key, value) in values {
            let (proved, plies) = match value {
                FinalValue::Disproved => (0, 0),
                FinalValue::Proved { plies } => (1, u16::try_from(plies).unwrap_or(u16::MAX)),
            };
            self.write(&key.to_le_bytes())?;
            self.write(&[proved])?;
            self.write(&plies.to_le_bytes())?;
        }
        Ok(())
    }
}

/// A checkpoint whose head has been read.
///
/// Memory is taken only for what has been read, whatever the numbers in the file say.
pub struct Reader<I> {
    input: Input<I>,
    header: Header,
    turn: Turn,
}

impl<I: Read> Reader<I> {
    /// Reads the head of a file.
    ///
    /// # Errors
    ///
    /// If it is not the head of a checkpoint, or cannot be read.
    pub fn new(input: I) -> Result<Self, CheckpointError> {
        let input = sealed::Reader::new(input, &FORMAT)
            .map_err(|At { offset, reason }| At { offset, reason: reason.into() })?;
        let mut input = Input { input };
        match header(&mut input) {
            Ok((header, turn)) => Ok(Self { input, header, turn }),
            Err(reason) => Err(input.error(reason)),
        }
    }

    /// The error of a reader that will go no further, here.
    pub const fn error(&self, reason: CheckpointReason) -> CheckpointError {
        self.input.error(reason)
    }

    /// The head.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The solver, as it was. The number of bytes for its tables is taken from the options and not
    /// from the file; all else must be what the options say.
    ///
    /// # Errors
    ///
    /// If the checkpoint is of another run, or something in it is wrong.
    ///
    /// # Panics
    ///
    /// If the system refuses the memory for the tables.
    pub fn solver<R: Rules>(
        mut self,
        root: Position<R>,
        options: Options,
    ) -> Result<Solver<'static, RulesGame<R>>, CheckpointError> {
        let read = same(&self.header, &root, &options)
            .and_then(|()| self.content(&root, Some(Solver::of_position(root, options))));
        match read {
            Ok((_, solver)) => solver.ok_or_else(|| self.input.error(Flaw::Truncated.into())),
            Err(reason) => Err(self.input.error(reason)),
        }
    }

    /// Reads through the whole file and keeps nothing of it.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong with the file.
    pub fn check<R: Rules>(mut self) -> Result<Content, CheckpointError> {
        let read = root::<R>(&self.header).and_then(|root| self.content(&root, None));
        match read {
            Ok((content, _)) => Ok(content),
            Err(reason) => Err(self.input.error(reason)),
        }
    }

    /// Reads what follows the head, into a solver if there is one.
    fn content<R: Rules>(
        &mut self,
        root: &Position<R>,
        mut solver: Option<FamilySolver<R>>,
    ) -> Result<(Content, Option<FamilySolver<R>>), CheckpointReason> {
        let input = &mut self.input;
        let mut content = Content::default();
        for index in 0..2 {
            let finding = input.finding()?;
            let has_search = input.flag("presence of a search")?;
            let mut search = None;
            if let Some(solver) = &mut solver {
                let question = &mut solver.questions[index];
                question.finding = finding;
                search = has_search.then(|| {
                    question.search.insert(AnySearch::new(
                        solver.game,
                        question.goal,
                        &solver.options,
                    ))
                });
            }
            if has_search {
                let memory = match search {
                    None => None,
                    Some(AnySearch::DfPn(search)) => Some(search.memory_mut()),
                    Some(AnySearch::Pds(search)) => Some(search.memory_mut()),
                };
                input.memory(&mut content, memory)?;
            }
        }
        let certificates = input.byte()?;
        for _ in 0..certificates {
            let length = u64::from_le_bytes(input.array()?);
            let bytes = input.bytes(length)?;
            let certificate = certificate(root, &bytes)?;
            content.certificates += 1;
            if let Some(solver) = &mut solver {
                solver.certificates.push(certificate);
            }
        }
        input.input.finish().map_err(|flaw| flaw.reason)?;
        if let Some(solver) = &mut solver {
            solver.turn = self.turn;
            solver.nodes = self.header.nodes;
            solver.expansions = self.header.expansions;
            solver.elapsed = self.header.elapsed;
        }
        Ok((content, solver))
    }
}

fn header(input: &mut Input<impl Read>) -> Result<(Header, Turn), CheckpointReason> {
    let variant = input.text("name of the rule set")?;
    let rules = input.array()?;
    let root = input.text("root")?;
    let algorithm = input.item(&ALGORITHMS, "algorithm")?;
    let ghi = input.item(&GHI, "way with the history")?;
    let combine = |bytes| match u32::from_le_bytes(bytes) {
        SUM => Ok(Combine::Sum),
        sixteenths @ 0..=16 => Ok(Combine::Weak { sixteenths }),
        _ => Err(CheckpointReason::Field("tuning")),
    };
    let tuning = Tuning {
        proof: combine(input.array()?)?,
        disproof: combine(input.array()?)?,
        epsilon: u32::from_le_bytes(input.array()?),
    };
    let mut counts = [0; 6];
    for count in &mut counts {
        *count = u64::from_le_bytes(input.array()?);
    }
    let [hash_bytes, nodes, expansions, elapsed, turn, left] = counts;
    let elapsed = Duration::from_micros(elapsed);
    let question = input.item(&[0, 1], "turn")?;
    let turn = Turn { question, nodes: turn, left };
    if turn.nodes == 0 || turn.left > turn.nodes {
        return Err(CheckpointReason::Field("turn"));
    }
    let header = Header {
        variant,
        rules,
        root,
        algorithm,
        ghi,
        tuning,
        hash_bytes,
        nodes,
        expansions,
        elapsed,
    };
    Ok((header, turn))
}

/// The root, if the file is for these rules.
fn root<R: Rules>(header: &Header) -> Result<Position<R>, CheckpointReason> {
    if header.variant != R::NAME {
        return Err(mismatch("variant", &header.variant, R::NAME));
    }
    if header.rules != rules_hash::<R>() {
        return Err(CheckpointReason::Field("hash of the rules"));
    }
    let root = parse_position::<R>(&header.root).ok();
    root.filter(|root| to_sfen(root) == header.root).ok_or(CheckpointReason::Field("root"))
}

/// Whether the file is of a run with this root and these options.
fn same<R: Rules>(
    header: &Header,
    wanted: &Position<R>,
    options: &Options,
) -> Result<(), CheckpointReason> {
    let sfen = to_sfen(wanted);
    root::<R>(header)?;
    if header.root != sfen {
        return Err(mismatch("root", &header.root, &sfen));
    }
    let Options { algorithm, ghi, tuning, .. } = *options;
    if header.algorithm != algorithm {
        return Err(mismatch("algorithm", header.algorithm.name(), algorithm.name()));
    }
    if (header.ghi, header.tuning) != (ghi, tuning) {
        let [found, wanted] =
            [(header.ghi, header.tuning), (ghi, tuning)].map(|tuning| format!("{tuning:?}"));
        return Err(mismatch("tuning", &found, &wanted));
    }
    Ok(())
}

fn mismatch(field: &'static str, found: &str, wanted: &str) -> CheckpointReason {
    CheckpointReason::Mismatch { field, found: found.to_owned(), wanted: wanted.to_owned() }
}

/// A certificate from the proof file that it was written as, checked.
fn certificate<R: Rules>(
    root: &Position<R>,
    bytes: &[u8],
) -> Result<GoalPlan<RulesGame<R>>, CheckpointReason> {
    let broken = |reason: String| CheckpointReason::GoalPlan(reason);
    let proof = Proof::<R>::read(bytes).map_err(|error| broken(error.to_string()))?;
    let ([strategy], true) = (proof.strategies(), proof.root() == root) else {
        return Err(broken("it is for something else".to_owned()));
    };
    let wins = matches!(proof.claim(), Claim::Win { .. });
    let (prover, reaches) = (strategy.prover(), strategy.repetition() == Repetition::Absent);
    let goal =
        Goal { prover: if reaches { prover } else { !prover }, draw_suffices: wins != reaches };
    let certificate = GoalPlan { goal, reaches, plan: plan(root, strategy) };
    let checked = certificate.check(&RulesGame::new(), root);
    checked.map_err(|flaw| broken(flaw.reason.to_owned()))?;
    Ok(certificate)
}

/// The plan of a strategy: its steps in all positions that come about from the root.
fn plan<R: Rules>(root: &Position<R>, strategy: &Strategy<R>) -> Plan<RulesGame<R>> {
    let game = RulesGame::new();
    let mut plan = Plan::new();
    let mut open = vec![*root];
    while let Some(position) = open.pop() {
        let replied = match strategy.get(&position) {
            Some(step) if plan.get(&game, &position).is_none() => {
                plan.insert(&game, PlanStep { position, mv: step.mv, plies: step.rank });
                position.play(step.mv)
            }
            None if position.side() != strategy.prover() => position,
            _ => continue,
        };
        if R::verdict(&replied).is_none() {
            open.extend(children(&game, &replied));
        }
    }
    plan
}

/// Reads the parts of a checkpoint.
struct Input<I> {
    input: sealed::Reader<I>,
}

impl<I: Read> Input<I> {
    const fn error(&self, reason: CheckpointReason) -> CheckpointError {
        self.input.at(reason)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], CheckpointReason> {
        Ok(self.input.array()?)
    }

    fn byte(&mut self) -> Result<u8, CheckpointReason> {
        Ok(self.input.byte()?)
    }

    fn bytes(&mut self, length: u64) -> Result<Vec<u8>, CheckpointReason> {
        Ok(self.input.bytes(length)?)
    }

    fn text(&mut self, name: &'static str) -> Result<String, CheckpointReason> {
        let length = u16::from_le_bytes(self.array()?);
        Ok(self.input.text(length.into(), name)?)
    }

    fn item<T: Copy>(&mut self, list: &[T], name: &'static str) -> Result<T, CheckpointReason> {
        let number = self.byte()?;
        list.get(usize::from(number)).copied().ok_or(CheckpointReason::Field(name))
    }

    fn flag(&mut self, name: &'static str) -> Result<bool, CheckpointReason> {
        self.item(&[false, true], name)
    }

    fn finding(&mut self) -> Result<Option<Finding>, CheckpointReason> {
        let kind = self.byte()?;
        let [first, second] =
            [u32::from_le_bytes(self.array()?), u32::from_le_bytes(self.array()?)];
        let finding = match (kind, u16::try_from(first), second) {
            (0, Ok(0), 0) => None,
            (1, Ok(plies), 0) => Some(Finding::Proved { plies: plies.into() }),
            (2, Ok(0), 0) => Some(Finding::Disproved),
            (3, _, _) => Some(Finding::Unknown { proof: first, disproof: second }),
            _ => return Err(CheckpointReason::Field("finding of a search")),
        };
        Ok(finding)
    }

    /// Reads what a search remembers, into its memory if there is one.
    fn memory(
        &mut self,
        content: &mut Content,
        mut memory: Option<&mut Memory>,
    ) -> Result<(), CheckpointReason> {
        let entries = u64::from_le_bytes(self.array()?);
        for _ in 0..entries {
            let entry = Entry::from_bytes(self.array()?);
            let entry = entry.ok_or(CheckpointReason::Field("entry of a table"))?;
            content.entries += 1;
            if let Some(memory) = &mut memory {
                memory.table.store(entry);
            }
        }
        let values = u64::from_le_bytes(self.array()?);
        for _ in 0..values {
            let key = u64::from_le_bytes(self.array()?);
            let proved = self.flag("final value")?;
            let value = match (proved, u16::from_le_bytes(self.array()?)) {
                (true, plies) => FinalValue::Proved { plies: plies.into() },
                (false, 0) => FinalValue::Disproved,
                (false, _) => return Err(CheckpointReason::Field("final value")),
            };
            content.final_values += 1;
            if let Some(memory) = &mut memory {
                memory.set_final(key, value);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use shogi_rules::{Minishogi, Shogi34, Verdict};

    use super::*;
    use crate::budget::Budget;

    /// 3x4 shogi from KGG: a draw, after more than a million nodes.
    fn kgg() -> Position<Shogi34> {
        parse_position("ggk/2p/P2/KGG b - 1").unwrap()
    }

    fn options(algorithm: Algorithm) -> Options {
        Options { algorithm, hash_bytes: 8 << 20, ..Options::default() }
    }

    fn saved(solver: &Solver<'static, RulesGame<Shogi34>>) -> Vec<u8> {
        let mut file = Vec::new();
        solver.write(&mut file).unwrap();
        file
    }

    #[test]
    fn a_solver_goes_on_as_if_nothing_had_happened() {
        for algorithm in ALGORITHMS {
            let options = options(algorithm);
            let mut whole = Solver::of_position(kgg(), options.clone());
            let mut parts = Solver::of_position(kgg(), options.clone());
            for _ in 0..5 {
                whole.run(&mut Budget::nodes(40_000));
                parts.run(&mut Budget::nodes(40_000));
                let file = saved(&parts);
                parts = Reader::new(&file[..]).unwrap().solver(kgg(), options.clone()).unwrap();
                assert_eq!(saved(&parts), file, "what is read is what was written");
            }
            assert_eq!(parts.nodes(), whole.nodes());
            let timeless = |solver: &Solver<'static, _>| {
                let entries = |question: &crate::solve::Question<'static, _>| match &question.search
                {
                    None => Vec::new(),
                    Some(AnySearch::DfPn(search)) => search.memory().table.iter().collect(),
                    Some(AnySearch::Pds(search)) => {
                        search.memory().table.iter().collect::<Vec<_>>()
                    }
                };
                solver.questions.each_ref().map(entries)
            };
            assert!(timeless(&parts) == timeless(&whole), "{algorithm:?}");
        }
    }

    #[test]
    fn certificates_are_kept() {
        // KNL: Sente wins in three.
        let root = parse_position::<Shogi34>("lnk/2p/P2/KNL b - 1").unwrap();
        let mut solver = Solver::of_position(root, options(Algorithm::DfPn));
        solver.run(&mut Budget::unlimited());
        let file = saved(&solver);
        let content = Reader::new(&file[..]).unwrap().check::<Shogi34>().unwrap();
        assert_eq!((content.certificates, content.entries), (1, 0));
        let again = Reader::new(&file[..]).unwrap();
        let again = again.solver(root, options(Algorithm::DfPn)).unwrap();
        let (before, after) = (solver.into_solved(), again.into_solved());
        assert_eq!((after.value, after.plies), (Some(Verdict::Win), Some(3)));
        assert_eq!((after.proof, after.nodes), (before.proof, before.nodes));
    }

    #[test]
    fn every_damage_is_found() {
        let mut solver = Solver::of_position(kgg(), options(Algorithm::DfPn));
        solver.run(&mut Budget::nodes(300));
        let file = saved(&solver);
        let check = |file: &[u8]| Reader::new(file).and_then(Reader::check::<Shogi34>);
        assert!(check(&file).unwrap().entries > 10);
        testing::damage::assert_damage_is_found(&file, check);
        let longer = [&file[..], &[0]].concat();
        let reason = check(&longer).unwrap_err().reason;
        assert!(matches!(reason, CheckpointReason::File(Flaw::Trailing)));
    }

    #[test]
    fn a_checkpoint_of_another_run_is_refused() {
        let solver = Solver::of_position(kgg(), options(Algorithm::DfPn));
        let file = saved(&solver);
        let field = |root, options| {
            let error = Reader::new(&file[..]).unwrap().solver::<Shogi34>(root, options);
            match error.err().unwrap().reason {
                CheckpointReason::Mismatch { field, .. } => field,
                other => panic!("{other}"),
            }
        };
        assert_eq!(field(kgg(), options(Algorithm::Pds)), "algorithm");
        let ghi = Options { ghi: Ghi::ByPath, ..options(Algorithm::DfPn) };
        assert_eq!(field(kgg(), ghi), "tuning");
        let other = parse_position("gsk/2p/P2/KGG b - 1").unwrap();
        assert_eq!(field(other, options(Algorithm::DfPn)), "root");
        let error = Reader::new(&file[..]).unwrap().check::<Minishogi>().unwrap_err();
        assert!(error.to_string().contains("its variant is shogi34, not minishogi"), "{error}");
    }
}
