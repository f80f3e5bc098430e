//! Networks made from self-play: games and fits in turns, and matches that choose the better network.

use std::io::{self, Read, Write};
use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use shogi_core::Position;
use shogi_eval::ValueNet;
use shogi_eval::value::Origin;
use shogi_rules::Rules;
use shogi_search::{Evaluation, Evaluator as _, Player};

use crate::archive::Archive;
use crate::arena::{MatchScore, Test, play_match};
use crate::error::{LearnError, LearnReason};
use crate::fit::{FitPass, FitProgress};
use crate::saved::{self, Work};
use crate::self_play::{Effort, SelfPlay, judged, play_games};
use crate::value::{NetFit, fit};

/// Settings of learning.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Learning {
    /// Number of generations of games and fits.
    pub generations: u32,
    /// Games of each generation.
    pub games: u32,
    /// The settings of the games.
    pub self_play: SelfPlay,
    /// The settings of the fits.
    pub fit: NetFit,
    /// The test that ends the match of a new network against the evaluation that played the games.
    pub test: Test,
    /// Nodes a move in this match.
    pub match_nodes: u64,
}

impl Default for Learning {
    /// Three generations of 20,000 games; matches of up to 400 games with 2,000 nodes a move, which
    /// end when no difference or one of 30 Elo is clear.
    fn default() -> Self {
        Self {
            generations: 3,
            games: 20_000,
            self_play: SelfPlay::default(),
            fit: NetFit::default(),
            test: Test { pairs: 200, low: 0.0, high: 30.0 },
            match_nodes: 2_000,
        }
    }
}

/// The result of a generation.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generation {
    /// Number of positions that its network was fitted to.
    pub positions: u64,
    /// The last pass of the fit; none without a pass.
    pub pass: Option<FitPass>,
    /// The match of its network against the evaluation that played the games.
    #[serde(rename = "tally")]
    pub score: MatchScore,
    /// Whether the network won the match, so that it plays the next games.
    pub kept: bool,
}

/// The progress of a [`Learner`].
#[derive(Clone, Copy, Debug)]
pub enum LearnerProgress<'a> {
    /// A game was played.
    Game,
    /// A network is being fitted.
    Fit(FitProgress<'a, FitPass>),
    /// A pair of games of a match was played.
    Match(&'a MatchScore),
    /// A generation has ended.
    Generation(&'a Generation),
}

/// Number of earlier generations whose games are learnt from, too.
const KEPT: u32 = 2;

/// Makes a network: plays games with the evaluation so far, fits a network to these and the games of two
/// generations before, lets it play a match against that evaluation, and begins again with the better of
/// the two.
///
/// The same settings and first evaluation always make the same network, on any number of threads and in any
/// number of runs, if the effort of a move is in nodes (with the same exponential function and logarithm of the
/// machine).
///
/// ```
/// use std::ops::ControlFlow;
/// use shogi_search::Evaluation;
/// use shogi_learn::arena::Test;
/// use shogi_learn::learner::{Learner, Learning};
/// use shogi_learn::self_play::{Effort, SelfPlay};
/// use shogi_search::shogi_rules::{Dobutsu, Rules};
/// let self_play = SelfPlay { effort: Effort::Nodes(30), ..SelfPlay::default() };
/// let test = Test { pairs: 2, low: 0.0, high: 50.0 };
/// let learning =
///     Learning { generations: 1, games: 20, self_play, test, match_nodes: 30, ..Learning::default() };
/// let first = Evaluation::named("material").unwrap();
/// let mut learner = Learner::new(Dobutsu::start(), learning, first, "doc");
/// let net = learner.run(2, |_, _| ControlFlow::Continue(())).unwrap();
/// assert_eq!((net.origin().games, learner.generations().len()), (20, 1));
/// ```
#[derive(Clone, Debug)]
pub struct Learner<R: Rules> {
    learning: Learning,
    /// The command that makes the network again.
    command: String,
    /// The evaluation that plays the first games.
    first: Evaluation<R>,
    /// All games so far.
    archive: Archive<R>,
    generations: Vec<Generation>,
    /// The best network so far, or the newest if none has won a match.
    net: Option<ValueNet<R>>,
}

/// The head of a checkpoint, as JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LearnerHead {
    variant: String,
    command: String,
    learning: Learning,
    generations: Vec<Generation>,
}

/// The plan of a generation.
struct Course {
    /// The total number of games at its end.
    end: u32,
    /// The first game to learn from.
    from: usize,
    /// The settings of the match.
    match_play: SelfPlay,
}

impl Learning {
    fn course(&self, generation: u32) -> Course {
        let end = (generation + 1) * self.games;
        let from = (generation.saturating_sub(KEPT) * self.games) as usize;
        let seed = self.self_play.seed.wrapping_add(1 + u64::from(generation));
        let effort = Effort::Nodes(self.match_nodes);
        Course { end, from, match_play: SelfPlay { seed, effort, ..self.self_play } }
    }
}

impl<R: Rules> Learner<R> {
    /// Learning that has not begun. `first` plays the first games; `command` is recorded in the network as its
    /// origin.
    pub fn new(
        start: Position<R>,
        learning: Learning,
        first: Evaluation<R>,
        command: &str,
    ) -> Self {
        let archive = Archive::new(start, learning.self_play, first.name());
        let command = command.to_owned();
        Self { learning, command, first, archive, generations: Vec::new(), net: None }
    }

    /// The evaluation that plays the first games.
    pub const fn first(&self) -> &Evaluation<R> {
        &self.first
    }

    /// The command that makes the network again.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// All games so far.
    pub const fn archive(&self) -> &Archive<R> {
        &self.archive
    }

    /// The results of the generations so far.
    pub fn generations(&self) -> &[Generation] {
        &self.generations
    }

    /// Takes the games of the first generation from an archive of self-play with the same settings and
    /// evaluation, instead of playing them. Returns whether the archive fits.
    #[must_use]
    pub fn take_games(&mut self, archive: Archive<R>) -> bool {
        let same = archive.is_of_the_same_run(&self.archive);
        if same && self.generations.is_empty() {
            self.archive = archive;
            self.archive.games.truncate(self.learning.games as usize);
        }
        same
    }

    /// Learns to the end and returns the best network, or the newest if none has won its match: see
    /// [`Generation::kept`]. Returns `None` if `report` breaks.
    pub fn run(
        &mut self,
        threads: usize,
        mut report: impl FnMut(&Self, LearnerProgress<'_>) -> ControlFlow<()>,
    ) -> Option<ValueNet<R>> {
        while self.generations.len() < self.learning.generations as usize {
            if self.learn_once(threads, &mut report).is_break() {
                return None;
            }
        }
        self.net.clone()
    }

    /// The current evaluation.
    fn evaluation(&self) -> Evaluation<R> {
        match &self.net {
            Some(net) if any_kept(&self.generations) => Evaluation::Network(Box::new(net.clone())),
            _ => self.first.clone(),
        }
    }

    /// One generation: games, a fit and a match.
    fn learn_once(&mut self, threads: usize, report: Watch<'_, R>) -> ControlFlow<()> {
        let Learning { self_play, test, .. } = self.learning;
        let Course { end, from, match_play } = self.learning.course(self.generations.len() as u32);
        let (start, evaluation) = (*self.archive.start(), self.evaluation());
        let old = || Player::new(evaluation.clone(), self_play.player());
        let left = self.archive.games.len() as u32..end;
        play_games(&start, &self_play, left, threads, old, |game| {
            self.archive.games.push(game);
            report(self, LearnerProgress::Game)
        })?;

        let samples = judged(&self.archive.games[from..]);
        let games = self.archive.games.len() - from;
        let (command, seed) = (self.command.clone(), self_play.seed);
        let origin = Origin { command, seed, games: games as u64, positions: samples.len() as u64 };
        let mut pass = None;
        let values = self.first.values().clone();
        let fitted = fit(&samples, &self.learning.fit, values, origin, |fitting| {
            pass = fitting.passes.last().copied();
            report(self, LearnerProgress::Fit(fitting))
        });
        let Some(net) = fitted else { return ControlFlow::Break(()) };

        let new = || Player::new(Evaluation::Network(Box::new(net.clone())), match_play.player());
        let score = play_match(&start, &match_play, &test, threads, (new, old), |score| {
            report(self, LearnerProgress::Match(score))
        });
        let ControlFlow::Continue(score) = score else { return ControlFlow::Break(()) };

        let kept = score.share() > 0.5;
        let generation = Generation { positions: samples.len() as u64, pass, score, kept };
        if kept || !any_kept(&self.generations) {
            self.net = Some(net);
        }
        self.generations.push(generation);
        report(self, LearnerProgress::Generation(&generation))
    }

    /// Writes a checkpoint for [`Learner::read`] and [`Learner::resume`].
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        let head = LearnerHead {
            variant: R::NAME.to_owned(),
            command: self.command.clone(),
            learning: self.learning,
            generations: self.generations.clone(),
        };
        let (mut net, mut archive) = (Vec::new(), Vec::new());
        if let Some(found) = &self.net {
            found.write(&mut net)?;
        }
        self.archive.write(&mut archive)?;
        saved::write(&mut out, &Work::SelfPlay.format(), &head, |out| {
            saved::write_part(out, &net)?;
            saved::write_part(out, &archive)
        })
    }

    /// Reads a checkpoint that [`Learner::write`] has written; `first` must be the same evaluation.
    ///
    /// # Errors
    ///
    /// If the file is damaged or of another variant, or cannot be read.
    pub fn read(mut input: impl Read, first: Evaluation<R>) -> Result<Self, LearnError> {
        saved::read(&mut input, &Work::SelfPlay.format(), |head: LearnerHead, input| {
            LearnReason::check_name(&head.variant, R::NAME)?;
            let LearnerHead { command, learning, generations, .. } = head;
            let (net, archive) = (saved::read_part(input)?, saved::read_part(input)?);
            let net = match &net[..] {
                [] => None,
                net => Some(ValueNet::read(net).map_err(LearnReason::of("network"))?),
            };
            let archive = Archive::read(&archive);
            let archive = archive.map_err(|error| LearnReason::Games(Box::new(error)))?;
            Ok(Self { learning, command, first, archive, generations, net })
        })
    }

    /// How the run of the learner differs from that of another, in the words of [`saved::differing`]; `None` if
    /// they are of one run. Names options of the command rather than the settings that follow from them.
    pub fn differing(&self, wanted: &Self) -> Option<String> {
        saved::differing(&saved::options(&self.command), &saved::options(&wanted.command))
            .or_else(|| self.archive.differing(&wanted.archive))
            .or_else(|| saved::differing(&self.learning, &wanted.learning))
    }

    /// Resumes from a checkpoint. Returns whether its start, settings, evaluation and command are the same.
    #[must_use]
    pub fn resume(&mut self, found: Self) -> bool {
        let same = found.archive.is_of_the_same_run(&self.archive)
            && (found.learning, &found.command) == (self.learning, &self.command);
        if same {
            *self = found;
        }
        same
    }
}

/// Watches a [`Learner`] and may stop it.
type Watch<'w, R> = &'w mut dyn FnMut(&Learner<R>, LearnerProgress<'_>) -> ControlFlow<()>;

fn any_kept(generations: &[Generation]) -> bool {
    generations.iter().any(|generation| generation.kept)
}

#[cfg(test)]
mod tests {
    use shogi_rules::{Dobutsu, Minishogi};

    use super::*;

    const LEARNING: Learning = Learning {
        generations: 2,
        games: 12,
        self_play: SelfPlay {
            seed: 3,
            opening: 4,
            effort: Effort::Nodes(40),
            plies: 60,
            hash_bytes: 1 << 16,
            mate_probe: false,
        },
        fit: NetFit { passes: 2, batch: 32, rate: 2e-3, result_share: 0.5, seed: 3 },
        test: Test { pairs: 3, low: 0.0, high: 50.0 },
        match_nodes: 40,
    };

    fn learner() -> Learner<Dobutsu> {
        let first = Evaluation::named("material").unwrap();
        Learner::new(Dobutsu::start(), LEARNING, first, "test")
    }

    #[test]
    fn neither_threads_nor_interruptions_change_the_network() {
        let mut whole = learner();
        let net = whole.run(1, |_, _| ControlFlow::Continue(())).unwrap();
        assert_eq!(whole.generations().len(), 2);
        assert_eq!(whole.archive().games.len(), 24);
        assert!(net.origin().positions > 0);
        // Broken off everywhere once: in games, fits and matches.
        let (mut parts, mut left) = (learner(), 1);
        let found = loop {
            let mut steps = 0;
            let found = parts.run(3, |_, _| {
                steps += 1;
                if steps > left { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            let mut file = Vec::new();
            parts.write(&mut file).unwrap();
            assert_eq!(Work::SelfPlay.read_variant(&file[..]).unwrap(), "dobutsu");
            let read = Learner::read(&file[..], parts.first.clone()).unwrap();
            assert!(parts.resume(read));
            if let Some(found) = found {
                break found;
            }
            left += 5;
        };
        assert_eq!(found, net);
        assert_eq!(parts.generations(), whole.generations());
    }

    #[test]
    fn games_of_self_play_are_taken_for_those_of_the_first_generation() {
        let mut whole = learner();
        let net = whole.run(1, |_, _| ControlFlow::Continue(()));
        let mut taking = learner();
        assert!(taking.take_games(whole.archive().clone()));
        assert_eq!(taking.archive().games.len(), 12);
        assert_eq!(taking.run(2, |_, _| ControlFlow::Continue(())), net);
        let settings = SelfPlay { seed: 4, ..LEARNING.self_play };
        let other = Archive::new(Dobutsu::start(), settings, "material".to_owned());
        assert!(!taking.take_games(other));
    }

    #[test]
    fn damaged_and_other_checkpoints_are_refused() {
        let mut learner = learner();
        let _ = learner.run(1, |learner, _| match learner.archive().games.len() {
            3 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        });
        let mut file = Vec::new();
        learner.write(&mut file).unwrap();
        for place in (0..file.len()).step_by(7) {
            let mut damaged = file.clone();
            damaged[place] ^= 0x41;
            assert!(Learner::read(&damaged[..], learner.first.clone()).is_err(), "byte {place}");
            assert!(Learner::read(&file[..place], learner.first.clone()).is_err());
        }
        let first = Evaluation::named("material").unwrap();
        let other = Learner::<Minishogi>::read(&file[..], first.clone()).unwrap_err();
        assert!(other.to_string().contains("for dobutsu, but minishogi is wanted"), "{other}");
        let learning = Learning { games: 13, ..LEARNING };
        let first = Evaluation::named("material").unwrap();
        let mut of_another = Learner::new(Dobutsu::start(), learning, first.clone(), "test");
        assert_eq!(learner.differing(&of_another).unwrap(), "games 12, not 13");
        assert!(!of_another.resume(learner.clone()));
        let self_play = SelfPlay { plies: 50, ..LEARNING.self_play };
        let learning = Learning { self_play, ..LEARNING };
        let of_another = Learner::new(Dobutsu::start(), learning, first.clone(), "test");
        assert_eq!(learner.differing(&of_another).unwrap(), "plies 60, not 50");
        let command = "learn dobutsu --plies 50 --out net";
        let of_another = Learner::new(Dobutsu::start(), learning, first, command);
        learner.command = "learn dobutsu --plies 60 --out net".to_owned();
        assert_eq!(learner.differing(&of_another).unwrap(), "plies 60, not 50");
    }
}
