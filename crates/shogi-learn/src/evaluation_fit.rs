//! Evaluations of the player, fitted to positions, in runs that can be saved and resumed.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use shogi_eval::nn_bin::Inputs;
use shogi_eval::value::Origin;
use shogi_eval::{NnBin, Values, Weighted};
use shogi_files::sealed::At;
use shogi_rules::Rules;
use shogi_search::{Evaluation, Evaluator as _};

use crate::error::{LearnError, LearnReason};
use crate::fit::{Fit, FitPass, FitProgress, FitState, Model, read_layers, write_layers};
use crate::nn_bin::NnBinModel;
use crate::saved::{self, Work};
use crate::targets::Target;
use crate::value::{NetFit, ValueModel};
use crate::weighted::{WeightedFit, WeightedModel};

/// The form of evaluation to fit, with its settings. The share of the result in the settings of a network is
/// not used: targets define the aim.
#[derive(Clone, PartialEq, Debug)]
pub enum Form<R: Rules> {
    /// A network.
    Network(NetFit),
    /// A network that corrects the value of weighted features, so that both together predict the shares of the
    /// targets.
    Correction(NetFit, Weighted<R>),
    /// Weights of features.
    Weighted(WeightedFit),
    /// A network of the community, over these inputs, from random weights.
    NnBin(NetFit, Inputs<R>),
    /// The same from the weights of a network, over its inputs; from random ones where those of its first layer are all 0,
    /// since no step leads away from there.
    Continued(NetFit, Arc<NnBin<R>>),
}

/// A fit of an evaluation to targets.
///
/// The same targets and settings always make the same evaluation, whether it was made in one run or in several (with
/// the same exponential function and logarithm of the machine). One thread. A network takes about 10 microseconds for
/// each position and pass on 9x9; weights take about 3, and 600 bytes for each position. A network of the form HalfKP
/// takes half a gigabyte, whatever the number of positions.
///
/// Consecutive targets should be of one game: of every twenty thousand, one thousand consecutive targets are
/// held out of the fit of a network, so that quality is measured on games that were not learnt from.
///
/// ```
/// use std::ops::ControlFlow;
/// use shogi_learn::evaluation_fit::{EvaluationFit, Form};
/// use shogi_learn::shogi_search::{Evaluation, Evaluator};
/// use shogi_learn::targets::Target;
/// use shogi_learn::weighted::WeightedFit;
/// use shogi_rules::{Minishogi, parse_position};
/// // A rook down, and lost.
/// let position = parse_position::<Minishogi>("rbsgk/4p/5/P4/KGSB1 b r 1")?;
/// let targets = || vec![Target { position, share: 0.05 }; 40];
/// let form = Form::Weighted(WeightedFit { passes: 60, ..WeightedFit::default() });
/// let new = || EvaluationFit::new(form.clone(), targets(), 1, "one position");
/// let whole = new().run(|_| ControlFlow::Continue(())).expect("nothing breaks it");
///
/// let mut part = new();
/// assert!(part.run(|_| ControlFlow::Break(())).is_none());
/// let mut file = Vec::new();
/// part.write(&mut file)?;
/// let mut resumed = new();
/// assert_eq!(resumed.resume(&file[..])?, None);
/// let again = resumed.run(|_| ControlFlow::Continue(())).expect("nothing breaks it");
/// assert_eq!(again.name(), whole.name());
/// let Evaluation::Weighted(weighted) = again else { panic!("weights were fitted") };
/// assert!(weighted.evaluate(&position) < -500);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct EvaluationFit<R: Rules> {
    model: FittedModel<R>,
    fit: Fit,
    passes: Vec<FitPass>,
    /// The inputs that the result depends on.
    identity: Identity,
}

/// The model of each form.
enum FittedModel<R: Rules> {
    Network(Box<ValueModel<R>>, Option<Weighted<R>>),
    Weighted(WeightedModel<R>),
    NnBin(Box<NnBinModel<R>>),
}

/// The inputs that a fit depends on besides the variant.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Identity {
    command: String,
    seed: u64,
    games: u64,
    positions: u64,
    /// The hash of the settings, of the corrected evaluation, and of all shares.
    hash: String,
}

impl Identity {
    /// How it differs from the wanted one; `None` if it does not.
    fn differing(&self, wanted: &Self) -> Option<String> {
        // The hash alone would not inform anybody.
        let other = || "other settings or positions".to_owned();
        (self != wanted)
            .then(|| saved::differing(&self.named(), &wanted.named()).unwrap_or_else(other))
    }

    /// Its inputs by name. The command has options and, after a colon, the source of the targets.
    fn named(&self) -> BTreeMap<&str, Value> {
        let (command, source) = self.command.split_once(": ").unwrap_or((&self.command, ""));
        let targets = [
            ("seed", self.seed.into()),
            ("games", self.games.into()),
            ("positions", self.positions.into()),
            ("archive", source.into()),
        ];
        saved::options(command).into_iter().chain(targets).collect()
    }
}

/// The head of a checkpoint, as JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FitHead {
    variant: String,
    identity: Identity,
    fit: FitState,
}

impl<R: Rules> EvaluationFit<R> {
    /// A fit that has not begun, to targets from `games` games. `command` is recorded in the evaluation as its
    /// origin.
    pub fn new(form: Form<R>, targets: Vec<Target<R>>, games: usize, command: &str) -> Self {
        let identity = Identity {
            command: command.to_owned(),
            seed: form.seed(),
            games: games as u64,
            positions: targets.len() as u64,
            hash: form.hash(&targets),
        };
        let (model, fit) = match form {
            Form::Weighted(settings) => {
                let prior = Values::standard::<R>();
                let (model, fit) = WeightedModel::new(&targets, &prior, &settings);
                (FittedModel::Weighted(model), fit)
            }
            Form::NnBin(settings, inputs) => {
                let (model, fit) = NnBinModel::new(inputs, targets, &settings);
                (FittedModel::NnBin(Box::new(model)), fit)
            }
            Form::Continued(settings, net) => {
                let (mut model, fit) = NnBinModel::new(net.inputs(), targets, &settings);
                if net.rows().flatten().any(|&weight| weight != 0) {
                    model.begin_with(&net);
                }
                (FittedModel::NnBin(Box::new(model)), fit)
            }
            Form::Network(settings) => network(targets, &settings, None),
            Form::Correction(settings, base) => network(targets, &settings, Some(base)),
        };
        Self { model, fit, passes: Vec::new(), identity }
    }

    /// The progress of the fit.
    pub fn progress(&self) -> FitProgress<'_, FitPass> {
        self.fit.progress(&self.passes)
    }

    /// Number of games that the targets come from.
    pub const fn games(&self) -> u64 {
        self.identity.games
    }

    /// Fits to the end, or returns `None` if `report` breaks, which is called after every step.
    pub fn run(
        &mut self,
        mut report: impl FnMut(&mut Self) -> ControlFlow<()>,
    ) -> Option<Evaluation<R>> {
        while !self.fit.is_over() {
            if let Some(loss) = self.fit.step(self.model.as_dyn()) {
                let number = self.passes.len() as u32 + 1;
                self.passes.push(self.model.measure(number, loss));
            }
            if report(self).is_break() {
                return None;
            }
        }
        self.evaluation()
    }

    /// The evaluation so far. Number and range of the weights are right.
    fn evaluation(&self) -> Option<Evaluation<R>> {
        let Identity { command, seed, games, positions, .. } = self.identity.clone();
        Some(match &self.model {
            FittedModel::Weighted(model) => Evaluation::Weighted(model.weighted(&command).ok()?),
            FittedModel::NnBin(model) => Evaluation::NnBin(Arc::new(model.net(command)?)),
            FittedModel::Network(model, base) => {
                let origin = Origin { command, seed, games, positions };
                let values = Evaluation::<R>::standard().values().clone();
                let net = model.net(values, origin)?;
                Evaluation::Network(Box::new(match base {
                    Some(base) => net.with_base(base.clone()),
                    None => net,
                }))
            }
        })
    }

    /// Writes a checkpoint: see docs/reference/formats.md in the repository.
    pub fn write(&mut self, mut out: impl Write) -> io::Result<()> {
        let (identity, fit) = (self.identity.clone(), self.fit.state(&self.passes));
        let head = FitHead { variant: R::NAME.to_owned(), identity, fit };
        let numbers = write_layers(self.model.as_dyn());
        saved::write(&mut out, &Work::Fit.format(), &head, |out| saved::write_part(out, &numbers))
    }

    /// Resumes from a checkpoint of the same fit. For a checkpoint of another fit it returns how that differs,
    /// in the words of [`saved::differing`]: the options of the command and the targets.
    ///
    /// # Errors
    ///
    /// If the file is damaged, of another variant, or not a checkpoint of a fit.
    pub fn resume(&mut self, mut input: impl Read) -> Result<Option<String>, LearnError> {
        let (head, numbers) = read(&mut input, R::NAME)?;
        if let Some(differing) = head.identity.differing(&self.identity) {
            return Ok(Some(differing));
        }
        let resumed = read_layers(self.model.as_dyn(), &numbers)
            .and_then(|()| self.fit.resume(&head.fit))
            .map_err(|reason| At { offset: 0, reason });
        self.passes = head.fit.passes;
        resumed.map(|()| None)
    }
}

/// The head of a checkpoint of this variant, and the numbers of the layers.
fn read(input: &mut dyn Read, variant: &'static str) -> Result<(FitHead, Vec<u8>), LearnError> {
    saved::read(input, &Work::Fit.format(), |head: FitHead, input| {
        LearnReason::check_name(&head.variant, variant)?;
        Ok((head, saved::read_part(input)?))
    })
}

/// Checks that a checkpoint of [`EvaluationFit::write`] is undamaged and of this variant. Returns the number of
/// steps taken.
///
/// # Errors
///
/// If the checkpoint is damaged or of another variant.
pub fn check<R: Rules>(mut input: impl Read) -> Result<u64, LearnError> {
    read(&mut input, R::NAME).map(|(head, _)| head.fit.steps.into())
}

impl<R: Rules> Form<R> {
    const fn seed(&self) -> u64 {
        match self {
            Self::Network(settings)
            | Self::Correction(settings, _)
            | Self::NnBin(settings, _)
            | Self::Continued(settings, _) => settings.seed,
            Self::Weighted(settings) => settings.seed,
        }
    }

    /// The hash of this form and of the target shares.
    fn hash(&self, targets: &[Target<R>]) -> String {
        let mut hasher = blake3::Hasher::new();
        let (settings, base) = match self {
            Self::Network(settings) => (format!("{settings:?}"), String::new()),
            Self::Correction(settings, base) => (format!("{settings:?}"), base.to_json()),
            Self::Weighted(settings) => (format!("{settings:?}"), String::new()),
            Self::NnBin(settings, inputs) => {
                (format!("{} {settings:?}", inputs.set().name()), String::new())
            }
            Self::Continued(settings, net) => {
                let name = Evaluation::NnBin(Arc::clone(net)).name();
                (format!("{} {settings:?}", net.feature_set().name()), name)
            }
        };
        hasher.update(settings.as_bytes()).update(base.as_bytes());
        for target in targets {
            hasher.update(&target.share.to_le_bytes());
        }
        hasher.finalize().to_hex().to_string()
    }
}

/// The model of a network, and its fit.
fn network<R: Rules>(
    targets: Vec<Target<R>>,
    settings: &NetFit,
    base: Option<Weighted<R>>,
) -> (FittedModel<R>, Fit) {
    let bases = base.as_ref().map(|base| ValueModel::bases(base, &targets)).unwrap_or_default();
    let (model, fit) = ValueModel::new(targets, Vec::new(), bases, settings);
    (FittedModel::Network(Box::new(model), base), fit)
}

impl<R: Rules> FittedModel<R> {
    fn as_dyn(&mut self) -> &mut dyn Model {
        match self {
            Self::Network(model, _) => &mut **model,
            Self::Weighted(model) => model,
            Self::NnBin(model) => &mut **model,
        }
    }

    fn measure(&mut self, number: u32, loss: f32) -> FitPass {
        match self {
            Self::Network(model, _) => model.measure(number, loss),
            Self::NnBin(model) => model.measure(number, loss),
            Self::Weighted(_) => FitPass { number, loss, held_out: None, of_results: None },
        }
    }
}
