//! Matches of two evaluations that can be saved and resumed.

use std::io::{self, Read, Write};
use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use shogi_core::Position;
use shogi_rules::{Rules, hash_digits, rules_hash, to_sfen};
use shogi_search::{Evaluation, Player};

use crate::arena::{MatchScore, Test, play_on};
use crate::error::{LearnError, LearnReason};
use crate::saved::{self, Work};
use crate::self_play::SelfPlay;

/// The settings of a match; the same settings always give the same games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchSettings {
    /// The rule set.
    pub variant: String,
    /// The start position of the games, in SFEN.
    pub start: String,
    /// The names of the two evaluations; see [`Evaluation::name`].
    pub players: [String; 2],
    /// The settings of the games.
    pub self_play: SelfPlay,
    /// The test that ends the match.
    pub test: Test,
}

/// The content of a checkpoint, as JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MatchHead {
    /// The hash of the rules; absent in checkpoints that older programs have written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rules: Option<String>,
    settings: MatchSettings,
    #[serde(rename = "tally")]
    score: MatchScore,
}

impl MatchHead {
    fn read(mut input: impl Read) -> Result<Self, LearnError> {
        saved::read(&mut input, &Work::Match.format(), |head, _| Ok(head))
    }

    /// Whether the match is by these rules, if the checkpoint names its rules.
    fn is_by<R: Rules>(&self) -> bool {
        self.rules.as_ref().is_none_or(|rules| *rules == hash_digits(rules_hash::<R>()))
    }
}

/// A match of two evaluations with the results so far.
///
/// ```
/// use std::ops::ControlFlow;
/// use shogi_learn::arena::Test;
/// use shogi_learn::matches::Match;
/// use shogi_learn::self_play::{Effort, SelfPlay};
/// use shogi_rules::{Minishogi, Rules};
/// use shogi_search::Evaluation;
///
/// let self_play = SelfPlay { effort: Effort::Nodes(30), plies: 60, ..SelfPlay::default() };
/// let test = Test { pairs: 3, low: 0.0, high: 100.0 };
/// let players = || ["network", "material"].map(|name| Evaluation::<Minishogi>::named(name).unwrap());
/// let new = || Match::new(Minishogi::start(), self_play, test, players());
/// let mut whole = new();
/// let score = whole.run(2, |_, _| ControlFlow::Continue(())).expect("nothing breaks it");
///
/// let mut part = new();
/// assert!(part.run(1, |_, _| ControlFlow::Break(())).is_none());
/// let mut file = Vec::new();
/// part.write(&mut file)?;
/// let mut resumed = new();
/// assert_eq!(resumed.resume(&file[..])?, None);
/// assert_eq!(resumed.run(1, |_, _| ControlFlow::Continue(())), Some(score));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Match<R: Rules> {
    start: Position<R>,
    players: [Evaluation<R>; 2],
    settings: MatchSettings,
    score: MatchScore,
}

impl<R: Rules> Match<R> {
    /// A match that has not begun.
    pub fn new(
        start: Position<R>,
        self_play: SelfPlay,
        test: Test,
        players: [Evaluation<R>; 2],
    ) -> Self {
        let names = [players[0].name(), players[1].name()];
        let (variant, sfen) = (R::name().to_owned(), to_sfen(&start));
        let settings = MatchSettings { variant, start: sfen, players: names, self_play, test };
        Self { start, players, settings, score: MatchScore::default() }
    }

    /// The settings.
    pub const fn settings(&self) -> &MatchSettings {
        &self.settings
    }

    /// The results so far.
    pub const fn score(&self) -> &MatchScore {
        &self.score
    }

    /// Plays until the test is decided or all pairs are played. Returns `None` if `report` breaks, which is
    /// called after every pair. The results do not depend on the threads.
    pub fn run(
        &mut self,
        threads: usize,
        mut report: impl FnMut(&Self, &MatchScore) -> ControlFlow<()>,
    ) -> Option<MatchScore> {
        let (start, MatchSettings { self_play, test, .. }) = (self.start, self.settings.clone());
        let players = self.players.clone();
        let player = |number: usize| Player::new(players[number].clone(), self_play.player());
        let (so_far, both) = (self.score, (|| player(0), || player(1)));
        let end = play_on(&start, &self_play, &test, so_far, threads, both, |score| {
            self.score = *score;
            report(self, score)
        });
        end.continue_value()
    }

    /// Writes a checkpoint: see docs/reference/formats.md in the repository.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        let rules = Some(hash_digits(rules_hash::<R>()));
        let head = MatchHead { rules, settings: self.settings.clone(), score: self.score };
        saved::write(&mut out, &Work::Match.format(), &head, |_| Ok(()))
    }

    /// Resumes from a checkpoint of the same match. For a checkpoint of another match it returns how the
    /// settings differ, in the words of [`saved::differing`].
    ///
    /// # Errors
    ///
    /// If the file is damaged or not a checkpoint of a match.
    pub fn resume(&mut self, input: impl Read) -> Result<Option<String>, LearnError> {
        let head = MatchHead::read(input)?;
        let differing = saved::differing(&head.settings, &self.settings)
            .or_else(|| (!head.is_by::<R>()).then(|| "other rules of the same name".to_owned()));
        if differing.is_none() {
            self.score = head.score;
        }
        Ok(differing)
    }
}

/// The results in a checkpoint of a match by these rules.
///
/// # Errors
///
/// If the file is damaged, not a checkpoint of a match, or of a match by other rules.
pub fn check_checkpoint<R: Rules>(mut input: impl Read) -> Result<MatchScore, LearnError> {
    saved::read(&mut input, &Work::Match.format(), |head: MatchHead, _| {
        LearnReason::check_name(&head.settings.variant, R::name())?;
        match head.is_by::<R>() {
            true => Ok(head.score),
            false => Err(LearnReason::Rules),
        }
    })
}

/// The settings and results in a checkpoint of any variant.
///
/// # Errors
///
/// If the file is damaged or not a checkpoint of a match.
pub fn read_checkpoint(input: impl Read) -> Result<(MatchSettings, MatchScore), LearnError> {
    MatchHead::read(input).map(|head| (head.settings, head.score))
}
