//! The evaluation of a variant.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use shogi_core::{Move, Position};
use shogi_eval::network::Accumulators;
use shogi_eval::nn_bin::{FeatureSet, Inputs};
use shogi_eval::{
    FileError, FileReason, MOST_EVALUATION_BYTES, NnBin, ValueNet, Values, Weighted, nn_bin, value,
};
use shogi_files::sealed::{Flaw, read_bounded};
use shogi_rules::Rules;

use crate::evaluate::{Evaluator, Material, Term};
use crate::parameters::Parameters;

/// An evaluation chosen at run time: by name, or from a file. Rules read as text have material alone, since the
/// sizes of all other evaluations are constants; any other evaluation for them judges every position even.
///
/// ```
/// use shogi_rules::{Minishogi, Rules, parse_position};
/// use shogi_search::{Evaluation, Evaluator};
/// let evaluation = Evaluation::<Minishogi>::standard();
/// let start = parse_position::<Minishogi>(Minishogi::START)?;
/// let value = evaluation.evaluate(&evaluation.start(&start), &start);
/// let terms = evaluation.explain(&start);
/// assert_eq!(terms.iter().map(|term| term.value).sum::<i32>(), value);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub enum Evaluation<R: Rules> {
    /// Material alone.
    Material(Material<R>),
    /// Features with weights.
    Weighted(Weighted<R>),
    /// A network.
    Network(Box<ValueNet<R>>),
    /// A network in the community's format `nn.bin`.
    NnBin(Arc<NnBin<R>>),
}

/// The names of evaluations, for [`Evaluation::named`].
pub const EVALUATIONS: [&str; 5] = ["standard", "network", "material", "weighted", "zero"];

impl<R: Rules> Evaluation<R> {
    /// The default evaluation of the variant: the network of `shogi-eval`, or else its weighted features, or
    /// else material.
    pub fn standard() -> Self {
        if let Some(net) = ValueNet::trained() {
            return Self::Network(Box::new(net));
        }
        if let Some(weighted) = Weighted::fitted() {
            return Self::Weighted(weighted);
        }
        Self::Material(Material::new(Values::standard::<R>()))
    }

    /// One of [`EVALUATIONS`]: the standard one, material, the network or the weighted features of `shogi-eval`, or a
    /// network of the form K-P all of whose weights are 0, from which learning begins. `None` for another name, and where
    /// there is no network, or are no weights of the variant.
    ///
    /// ```
    /// use shogi_search::shogi_rules::{Dobutsu, Minishogi, Shogi};
    /// use shogi_search::Evaluation;
    /// assert!(matches!(Evaluation::<Shogi>::named("material"), Some(Evaluation::Material(_))));
    /// assert!(Evaluation::<Dobutsu>::named("weighted").is_none());
    /// assert!(matches!(Evaluation::<Shogi>::named("weighted"), Some(Evaluation::Weighted(_))));
    /// assert!(matches!(Evaluation::<Minishogi>::named("network"), Some(Evaluation::Network(_))));
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "standard" => Self::standard(),
            "network" => Self::Network(Box::new(ValueNet::trained()?)),
            "material" => Self::Material(Material::new(Values::standard::<R>())),
            "weighted" => Self::Weighted(Weighted::fitted()?),
            "zero" => Self::NnBin(Arc::new(NnBin::zero(Inputs::new(FeatureSet::Kp)?))),
            _ => return None,
        })
    }

    /// Reads a network or weights from a file of at most [`MOST_EVALUATION_BYTES`]: a file that `learn` makes,
    /// or an `nn.bin` of the form HalfKP 256x2-32-32 or K-P 256x2-32-32.
    ///
    /// # Errors
    ///
    /// If the file cannot be used; the error names it.
    pub fn load(path: &Path) -> Result<Self, FileError> {
        let file = File::open(path).map_err(Flaw::from);
        let read = match file.and_then(|file| read_bounded(file, MOST_EVALUATION_BYTES)) {
            Ok(bytes) => Self::read(&bytes),
            Err(flaw) => Err(flaw.into()),
        };
        read.map_err(|reason| FileError { path: path.to_owned(), reason })
    }

    /// A network or weights from the bytes of a file.
    ///
    /// # Errors
    ///
    /// If the bytes are not a usable network or usable weights.
    pub fn read(file: &[u8]) -> Result<Self, FileReason> {
        if file.starts_with(&value::FORMAT.magic) {
            return Ok(Self::Network(Box::new(ValueNet::read(file)?)));
        }
        if file.starts_with(&nn_bin::VERSION.to_le_bytes()) {
            return Ok(Self::NnBin(Arc::new(NnBin::read(file)?)));
        }
        let text = std::str::from_utf8(file).map_err(|_| Flaw::Text("file"))?;
        Ok(Self::Weighted(Weighted::from_json(text)?))
    }

    /// Sets the divisor of the output of an `nn.bin` network (`FV_SCALE`), which its authors publish. Other
    /// evaluations do not change.
    #[must_use]
    pub fn with_scale(self, scale: i32) -> Self {
        match self {
            Self::NnBin(net) => Self::NnBin(Arc::new(Arc::unwrap_or_clone(net).with_scale(scale))),
            other => other,
        }
    }

    /// A name that two evaluations of a variant share only if they are equal: `material`, or `weighted`,
    /// `network`, `half-kp` or `kp` with the beginning of the file's hash and the divisor of the output.
    pub fn name(&self) -> String {
        let name = || match self {
            Self::Material(_) => "material".to_owned(),
            Self::Weighted(weighted) => hashed("weighted", weighted.to_json().as_bytes()),
            Self::Network(net) => hashed_file("network", &|file| net.write(file)),
            Self::NnBin(net) => {
                let kind = match net.feature_set() {
                    FeatureSet::HalfKp => "half-kp",
                    FeatureSet::Kp => "kp",
                };
                let name = hashed_file(kind, &|file| net.write(file));
                format!("{name} / {}", net.scale())
            }
        };
        R::compiled_or_loaded(name, || "material".to_owned())
    }
}

/// The name of a kind of evaluation with the beginning of its file's hash.
fn hashed(kind: &str, file: &[u8]) -> String {
    format!("{kind} {}", &blake3::hash(file).to_hex()[..16])
}

/// As [`hashed`], for a file that `write` writes.
fn hashed_file(kind: &str, write: &dyn Fn(&mut Vec<u8>) -> io::Result<()>) -> String {
    let mut file = Vec::new();
    // Writing to a vector does not fail.
    let _ = write(&mut file);
    hashed(kind, &file)
}

/// The state that an [`Evaluation`] carries along a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[expect(
    clippy::large_enum_variant,
    reason = "a search has one for each ply, and updates it in place"
)]
pub enum EvaluationState {
    /// The state of an evaluation of the position alone.
    #[default]
    None,
    /// A network's hidden values.
    Hidden(Accumulators<{ value::HIDDEN }>),
    /// The hidden values of an `nn.bin` network.
    NnBin(Accumulators<{ nn_bin::HIDDEN }>),
}

// A game loaded from a text has only material: nothing else is compiled for it.
impl<R: Rules> Evaluator<R> for Evaluation<R> {
    type State = EvaluationState;

    #[inline]
    fn start(&self, position: &Position<R>) -> EvaluationState {
        let start = || match self {
            Self::Material(_) | Self::Weighted(_) => EvaluationState::None,
            Self::Network(net) => EvaluationState::Hidden(net.accumulate(position)),
            Self::NnBin(net) => EvaluationState::NnBin(net.accumulate(position)),
        };
        R::compiled_or_loaded(start, || EvaluationState::None)
    }

    #[inline]
    fn update(
        &self,
        next: &mut EvaluationState,
        state: &EvaluationState,
        before: &Position<R>,
        mv: Move<R>,
        after: &Position<R>,
    ) {
        use EvaluationState::{Hidden, NnBin};

        let update = || match (self, state, &mut *next) {
            (Self::Network(net), Hidden(state), Hidden(next)) => {
                net.update(next, state, before, mv, after);
            }
            (Self::NnBin(net), NnBin(state), NnBin(next)) => {
                net.update(next, state, before, mv, after);
            }
            _ => *next = self.start(after),
        };
        // Material alone has no state that a move could change.
        R::compiled_or_loaded(update, || ());
    }

    #[inline]
    fn after_pass(&self, state: &EvaluationState, _: &Position<R>) -> EvaluationState {
        *state
    }

    #[inline]
    fn evaluate(&self, state: &EvaluationState, position: &Position<R>) -> i32 {
        if let Self::Material(material) = self {
            return material.evaluate(&(), position);
        }
        let value = || match (self, state) {
            (Self::Weighted(weighted), _) => weighted.evaluate(position),
            (Self::Network(net), EvaluationState::Hidden(hidden)) => net.evaluate(hidden, position),
            (Self::NnBin(net), EvaluationState::NnBin(hidden)) => net.evaluate(hidden, position),
            // A state of another evaluation.
            _ => self.evaluate(&self.start(position), position),
        };
        R::compiled_or_loaded(value, || 0)
    }

    #[inline]
    fn values(&self) -> &Values {
        match self {
            Self::Material(material) => material.values(),
            Self::Weighted(weighted) => weighted.values(),
            Self::Network(net) => net.values(),
            Self::NnBin(net) => net.values(),
        }
    }

    fn parameters(&self) -> Parameters {
        match self {
            Self::NnBin(_) => Parameters::of_nn_bin(),
            _ => Parameters::of_game(R::name()),
        }
    }

    fn explain(&self, position: &Position<R>) -> Vec<Term> {
        if let Self::Material(material) = self {
            return material.explain(position);
        }
        let terms = || match self {
            Self::Material(_) => Vec::new(),
            Self::Weighted(weighted) => weighted.explain(position),
            Self::Network(net) => net.explain(position),
            Self::NnBin(net) => net.explain(position),
        };
        R::compiled_or_loaded(terms, Vec::new)
    }
}

#[cfg(test)]
mod tests {
    use shogi_rules::{Dobutsu, KyotoShogi, Minishogi, Shogi, parse_position};

    use super::*;

    #[test]
    fn a_variant_is_played_with_its_network() {
        assert!(matches!(Evaluation::<Minishogi>::standard(), Evaluation::Network(_)));
        assert!(matches!(Evaluation::<KyotoShogi>::standard(), Evaluation::Network(_)));
        assert!(matches!(Evaluation::<Dobutsu>::standard(), Evaluation::Network(_)));
        assert!(matches!(Evaluation::<Shogi>::standard(), Evaluation::Network(_)));
    }

    #[test]
    fn a_network_in_the_format_nn_bin_has_parameters_of_its_own() {
        let parameters = |name| Evaluation::<Shogi>::named(name).unwrap().parameters();
        assert_eq!(parameters("zero"), Parameters::of_nn_bin());
        assert_eq!(parameters("network"), Parameters::of_game("shogi"));
    }

    #[test]
    fn a_bishop_more_is_worth_more_than_five_pawns() {
        let position = parse_position("rbsgk/4p/5/P4/KGS1R w b 1").unwrap();
        let evaluation = Evaluation::<Minishogi>::named("network").unwrap();
        let value = evaluation.evaluate(&evaluation.start(&position), &position);
        assert!(value > 500, "{value}");
    }
}
