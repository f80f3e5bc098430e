//! The player's evaluations.

use std::boxed::Box;
use std::fmt;
use std::ops::ControlFlow;
use std::string::String;
use std::vec::Vec;

use shogi_rules::{Game, Rules};
use shogi_search::{
    Bench, Evaluation, Evaluator as _, FileReason, Player, Settings, Term, ValueNet, bench,
};

use super::Error;
use super::held::Held;
use super::position::position;
use crate::variant::call;
use crate::{RuleSet, Variant};

/// Tasks that need the player: [`Variant::playing`].
#[derive(Clone, Copy, Debug)]
pub struct PlayingTasks(pub(super) Variant);

impl PlayingTasks {
    /// An evaluation.
    ///
    /// # Errors
    ///
    /// If the variant has no evaluation of this name, or the file is of another variant or damaged.
    ///
    /// ```
    /// use shogi_variants::Variant;
    /// use shogi_variants::operations::JudgedBy;
    /// let evaluation = Variant::Shogi.playing().evaluation(JudgedBy::Name("material"))?;
    /// assert_eq!(evaluation.explain("startpos")?.value, 0);
    /// # Ok::<(), shogi_variants::Error>(())
    /// ```
    pub fn evaluation(self, judged_by: JudgedBy<'_>) -> Result<Box<dyn AnyEvaluation>, Error> {
        call!(self.0, R => {
            let evaluation: Box<dyn AnyEvaluation> = Box::new(Held::new(evaluation::<R>(judged_by)?));
            Ok(evaluation)
        })
    }

    /// The player's bench, with the standard evaluation and one thread: see
    /// [`bench`](shogi_search::bench()).
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use shogi_variants::Variant;
    /// let playing = Variant::Dobutsu.playing();
    /// let bench = playing.bench("startpos", 3, 5, &mut |_| ControlFlow::Continue(()))?;
    /// assert_eq!(bench.searches, 5);
    /// # Ok::<(), shogi_variants::Error>(())
    /// ```
    pub fn bench(
        self,
        start: &str,
        depth: u32,
        searches: u32,
        watch: &mut dyn FnMut(&Bench) -> ControlFlow<()>,
    ) -> Result<Bench, Error> {
        call!(self.0, R => run_bench::<R>(start, depth, searches, watch))
    }

    /// Checks a network that `learn` has made: unchanged since it was written, and of this
    /// variant.
    ///
    /// # Errors
    ///
    /// If it is not.
    pub fn check_network(self, file: &[u8]) -> Result<(), FileReason> {
        call!(self.0, R => ValueNet::<R>::read(file).map(drop))
    }

    /// Checks tables, or weights that `learn` has made: unchanged since they
    /// were written, and of this variant.
    ///
    /// # Errors
    ///
    /// If they are not.
    pub fn check_tables(self, json: &str) -> Result<(), FileReason> {
        call!(self.0, R => Evaluation::<R>::read(json.as_bytes()).map(drop))
    }
}

/// An evaluation of positions, by its name or as a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JudgedBy<'a> {
    /// The evaluation of this name, see [`EVALUATIONS`](shogi_search::EVALUATIONS).
    Name(&'a str),
    /// A network, tables or weights, given as the bytes of a file that `learn` has made.
    File(&'a [u8]),
}

/// An evaluation, for [`PlayingTasks::evaluation`].
pub trait AnyEvaluation: Send + Sync {
    /// Its name: see [`Evaluation::name`].
    fn name(&self) -> String;

    /// The terms that add up to its value of a position.
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position.
    fn explain(&self, position: &str) -> Result<Explanation, Error>;
}

/// The value of a position, for [`AnyEvaluation::explain`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Explanation {
    /// For the player to move, in hundredths of a pawn.
    pub value: i32,
    /// The terms that add up to it.
    #[cfg_attr(feature = "serde", serde(serialize_with = "super::serde::terms"))]
    pub terms: Vec<Term>,
}

impl fmt::Display for Explanation {
    /// Writes a line for each term and one for the value, in pawns.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.terms.iter().try_for_each(|term| writeln!(f, "{term}"))?;
        write!(f, "{}", Term { name: "value", value: self.value })
    }
}

fn run_bench<R: RuleSet>(
    start: &str,
    depth: u32,
    searches: u32,
    watch: &mut dyn FnMut(&Bench) -> ControlFlow<()>,
) -> Result<Bench, Error> {
    let game = Game::new(position::<R>(start)?);
    let mut player = Player::new(Evaluation::<R>::standard(), Settings::default());
    Ok(bench(&mut player, game, depth, searches, watch))
}

/// An evaluation by its name or tables.
pub(super) fn evaluation<R: Rules>(judged_by: JudgedBy<'_>) -> Result<Evaluation<R>, Error> {
    match judged_by {
        JudgedBy::Name(name) => match Evaluation::named(name) {
            Some(evaluation) => Ok(evaluation),
            None => Err(Error::NoEvaluation { variant: R::name(), name: name.into() }),
        },
        JudgedBy::File(file) => Evaluation::read(file).map_err(Error::library),
    }
}

impl<R: Rules> AnyEvaluation for Held<Evaluation<R>> {
    fn name(&self) -> String {
        self.with(Evaluation::name)
    }

    fn explain(&self, text: &str) -> Result<Explanation, Error> {
        self.with(|evaluation| {
            let position = position::<R>(text)?;
            let value = evaluation.evaluate(&evaluation.start(&position), &position);
            Ok(Explanation { value, terms: evaluation.explain(&position) })
        })
    }
}
