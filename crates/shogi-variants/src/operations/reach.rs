//! Reachability: classes of positions, certificates, and samples for estimates.

use std::boxed::Box;
use std::string::{String, ToString as _};
use std::sync::atomic::AtomicBool;

use shogi_rank::Sampler;
use shogi_reach::Stage;
use shogi_reach::{
    Certificate, CertifyError, Hub, HubError, Reach, RefutedCertificate, SearchLimit, Unavailable,
    has_full_set, illegal_stage, passes_flip,
};
use shogi_rules::shogi_core::{Faults, InvalidPosition, Placement};
use shogi_rules::{Dialect, Rules, to_sfen_in};

use super::Error;
use super::held::Held;
#[cfg(feature = "text")]
use super::other_start::beginning_at;
use super::position::placement;
use super::sampling::{AnySampling, AnySet, Method, Set, check_shard, sampling, set};
use crate::Variant;
use crate::variant::call;
#[cfg(feature = "text")]
use crate::variant::call_within;

/// Tasks that need reachability: [`Variant::reach`].
#[derive(Clone, Copy, Debug)]
pub struct ReachTasks(pub(super) Variant);

impl ReachTasks {
    /// Whether there are classifiers for the variant. Of one that was read as text this may take a search, once; it ends
    /// soon after the flag is set.
    ///
    /// # Errors
    ///
    /// [`Error::Stopped`], which leaves the question open; and why there are none.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    /// use shogi_variants::Variant;
    /// let never = AtomicBool::new(false);
    /// assert!(Variant::Minishogi.reach().check_available(&never).is_ok());
    /// assert!(Variant::Dobutsu.reach().check_available(&never).is_err());
    /// ```
    pub fn check_available(self, stop: &AtomicBool) -> Result<(), Error> {
        call!(self.0, R => check_available::<R>(stop))
    }

    /// A classifier of positions that keeps at most `limit` in one backward search, with certificates
    /// if `certify`.
    ///
    /// # Errors
    ///
    /// If reachability is not there for the variant: where the start has not all pieces of the set, or
    /// kings can be captured.
    ///
    /// ```
    /// use shogi_variants::Variant;
    /// use shogi_variants::reach::{SearchLimit, Stage};
    /// let classifier = Variant::Minishogi.reach().classifier(SearchLimit::default(), false)?;
    /// assert_eq!(classifier.classify("startpos")?.stage, Stage::Ok);
    /// // The start in a mirror, which a game reaches as well.
    /// let mirrored = classifier.classify("kgsbr/p4/5/4P/RBSGK b - 1")?;
    /// assert_eq!((mirrored.stage, mirrored.decided.is_reachable()), (Stage::Flip, Some(true)));
    /// assert!(Variant::Dobutsu.reach().classifier(SearchLimit::default(), false).is_err());
    /// # Ok::<(), shogi_variants::Error>(())
    /// ```
    pub fn classifier(
        self,
        limit: SearchLimit,
        certify: bool,
    ) -> Result<Box<dyn AnyClassifier>, Error> {
        call!(self.0, R => classifier::<R>(limit, certify))
    }

    /// Checks a certificate by the rules: [`Certificate::verify`].
    ///
    /// # Errors
    ///
    /// If it proves nothing.
    pub fn verify(self, certificate: &Certificate) -> Result<(), RefutedCertificate> {
        call!(self.0, R => certificate.verify::<R>())
    }

    /// The stages that follow from a position alone, with no search.
    ///
    /// ```
    /// use shogi_variants::Variant;
    /// use shogi_variants::reach::Stage;
    /// let stages = Variant::Minishogi.reach().stages("k4/R4/5/5/K4 b R2B2S2G2P 1")?;
    /// assert_eq!((stages.is_flipped, stages.illegal), (false, Some(Stage::King)));
    /// # Ok::<(), shogi_variants::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the text is no placement of all pieces of the set, or reachability is not there for the variant.
    pub fn stages(self, placement: &str) -> Result<PositionStages, Error> {
        call!(self.0, R => {
            let placement = whole_set::<R>(placement)?;
            let stages = PositionStages {
                is_flipped: !passes_flip(&placement),
                illegal: illegal_stage(&placement),
            };
            unsuited::<R>().map_or(Ok(stages), Err)
        })
    }

    /// Samples for an estimate.
    ///
    /// # Errors
    ///
    /// If reachability is not there for the variant, or it is too large for the method.
    pub fn sampling(self, method: Method) -> Result<Box<dyn AnySampling>, Error> {
        call!(self.0, R => where_available::<R, _>(|| sampling::<R>(method)))
    }

    /// Samples for an estimate of what games reach that begin in another position, whose pieces are the set. From a position
    /// with all pieces of the variant games reach the same positions as from its own start, once both lead to bare kings and
    /// back. `stop` ends the search for such games.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    /// use shogi_variants::Variant;
    /// use shogi_variants::operations::Method;
    /// let (reach, never) = (Variant::Minishogi.reach(), AtomicBool::new(false));
    /// let without_rooks = "1bsgk/4p/5/P4/KGSB1 b - 1";
    /// let sampling = reach.sampling_from(without_rooks, Method::Plain, &never);
    /// assert!(sampling.is_err_and(|error| error.to_string().contains("it has no piece R")));
    /// let with_one_rook = "1bsgk/4p/5/P4/KGSBR b - 1";
    /// assert!(reach.sampling_from(with_one_rook, Method::Plain, &never).is_ok());
    /// # Ok::<(), shogi_variants::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position, a kind of piece is missing, and as [`ReachTasks::check_available`] and
    /// [`ReachTasks::sampling`].
    #[cfg(feature = "text")]
    pub fn sampling_from(
        self,
        start: &str,
        method: Method,
        stop: &AtomicBool,
    ) -> Result<Box<dyn AnySampling>, Error> {
        if self.0.rules().is_same_placement(start, "startpos")? {
            self.check_available(stop)?;
            return self.sampling(method);
        }
        let (rules, same_set) = beginning_at(self.0, start)?;
        call_within!(rules, R => available::<R>(stop))?;
        if same_set && self.check_available(stop).is_ok() {
            return self.sampling(method);
        }
        call_within!(rules, R => sampling::<R>(method))
    }

    /// Checks that a shard has samples of a set of this variant and that the numbers in it that are known
    /// exactly are right.
    ///
    /// # Errors
    ///
    /// If they are not.
    pub fn check_shard(self, shard: &shogi_reach::Shard) -> Result<(), Error> {
        call!(self.0, R => check_shard::<R>(shard))
    }
}

/// A classifier of positions, for [`ReachTasks::classifier`].
pub trait AnyClassifier: Send + Sync {
    /// Whether a game leads to a position, which may be either of two mirror images and have either player to move.
    ///
    /// # Errors
    ///
    /// If the text is no placement of all pieces of the set.
    fn classify(&self, placement: &str) -> Result<Classified, Error>;

    /// A reachable position in SFEN, drawn uniformly from all of them: the first one among the samples of
    /// the seed. Of two mirror images only one is drawn.
    ///
    /// ```
    /// use shogi_variants::Variant;
    /// use shogi_variants::reach::{SearchLimit, Stage};
    /// let classifier = Variant::Minishogi.reach().classifier(SearchLimit::default(), false)?;
    /// let sfen = classifier.draw(1, None)?;
    /// assert_eq!(classifier.classify(&sfen)?.stage, Stage::Ok);
    /// # Ok::<(), shogi_variants::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the variant is too large.
    fn draw(&self, seed: u64, dialect: Option<Dialect>) -> Result<String, Error>;
}

/// The stages that follow from a position alone, for [`ReachTasks::stages`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PositionStages {
    /// Whether the mirror image represents both, so that the first stage is [`Stage::Flip`].
    pub is_flipped: bool,
    /// The stage that drops an illegal position, [`Stage::Pawn`] or [`Stage::King`].
    pub illegal: Option<Stage>,
}

/// How a position was classified. In a data format it has the stage's name, whether the position is reachable, its plies
/// if it has any, and a certificate or null from a classifier with certificates.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Classified {
    /// The stage that drops it.
    pub stage: Stage,
    /// The decision on this very position, whichever of two mirror images it is; never [`Stage::Flip`].
    pub decided: Stage,
    /// Whether the classifier makes certificates.
    pub with_certificate: bool,
    /// The proof, from a classifier with certificates. An illegal position needs none, one that is not
    /// decided has none.
    pub certificate: Option<Certificate>,
}

#[cfg(feature = "serde")]
impl serde::Serialize for Classified {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap as _;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("reachable", &self.decided.is_reachable())?;
        map.serialize_entry("stage", self.stage.name())?;
        if let Some(plies) = self.decided.plies() {
            map.serialize_entry("plies", &plies)?;
        }
        if self.with_certificate {
            map.serialize_entry("certificate", &self.certificate)?;
        }
        map.end()
    }
}

struct Classifier<R: Rules> {
    reach: Reach<R>,
    /// Games lead through it, so it is needed for certificates only.
    hub: Option<Hub<R>>,
}

fn check_available<R: Rules>(stop: &AtomicBool) -> Result<(), Error> {
    where_available::<R, _>(|| available::<R>(stop))
}

fn classifier<R: Rules>(
    limit: SearchLimit,
    certify: bool,
) -> Result<Box<dyn AnyClassifier>, Error> {
    where_available::<R, _>(|| {
        let reach = reach::<R>(limit)?;
        let hub = if certify { Some(Hub::new().map_err(Error::library)?) } else { None };
        Ok(Box::new(Held::new(Classifier { reach, hub })) as Box<dyn AnyClassifier>)
    })
}

/// A task of a variant that may have reachability; of others the task is not compiled, since the condition is a constant.
fn where_available<R: Rules, T>(task: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    if Reach::<R>::CAN_BE_AVAILABLE {
        task()
    } else {
        Err(unsuited::<R>().unwrap_or(Error::Unavailable(R::name())))
    }
}

/// Checks that reachability is there for the variant, until the flag is set.
fn available<R: Rules>(stop: &AtomicBool) -> Result<(), Error> {
    Reach::<R>::check_available_until(stop).map_err(|reason| match reason {
        Unavailable::Hub(HubError::Stopped) => Error::Stopped,
        reason => {
            let (task, variant) = ("reachability", R::name());
            Error::Unsuited { task, variant, reason: reason.to_string() }
        }
    })
}

/// Why reachability is not there for the variant, if it is not.
fn unsuited<R: Rules>() -> Option<Error> {
    available::<R>(&AtomicBool::new(false)).err()
}

/// The tables, where reachability is there for the variant.
pub(super) fn reach<R: Rules>(limit: SearchLimit) -> Result<Reach<R>, Error> {
    match unsuited::<R>() {
        Some(error) => Err(error),
        None => Ok(Reach::new(limit)),
    }
}

/// Reads an arrangement of the whole set, which the stages judge.
fn whole_set<R: Rules>(text: &str) -> Result<Placement<R>, Error> {
    let placement = placement::<R>(text)?;
    let absurd = Faults::TOO_MANY_PIECES | Faults::MISSING_KING | Faults::EXTRA_KING;
    let faults = placement.faults() & absurd;
    if !faults.is_empty() {
        return Err(InvalidPosition { faults, placement }.into());
    }
    if has_full_set(&placement) {
        Ok(placement)
    } else {
        Err(Error::library(CertifyError::Incomplete))
    }
}

/// The proof, if there is one; an illegal position needs none, one that is not decided has none.
fn certified(certified: Result<Certificate, CertifyError>) -> Result<Option<Certificate>, Error> {
    match certified {
        Ok(certificate) => Ok(Some(certificate)),
        Err(CertifyError::Illegal(_) | CertifyError::Limit(_)) => Ok(None),
        Err(error) => Err(Error::library(error)),
    }
}

impl<R: Rules> AnyClassifier for Held<Classifier<R>> {
    fn classify(&self, text: &str) -> Result<Classified, Error> {
        self.with(|classifier| classifier.classify(text))
    }

    fn draw(&self, seed: u64, dialect: Option<Dialect>) -> Result<String, Error> {
        self.with(|classifier| classifier.draw(seed, dialect))
    }
}

impl<R: Rules> Classifier<R> {
    fn classify(&self, text: &str) -> Result<Classified, Error> {
        let placement = whole_set::<R>(text)?;
        let certificate = match &self.hub {
            None => None,
            Some(hub) => certified(self.reach.certify(hub, &placement))?,
        };
        let decided = match &certificate {
            Some(certificate) => certificate.proves(),
            None => self.reach.decide(&placement),
        };
        let stage = if passes_flip(&placement) { decided } else { Stage::Flip };
        Ok(Classified { stage, decided, with_certificate: self.hub.is_some(), certificate })
    }

    fn draw(&self, seed: u64, dialect: Option<Dialect>) -> Result<String, Error> {
        let set: AnySet<R> = set(Set::PawnLegal)?;
        // Some tenth of the set or more is reachable, so that one comes soon.
        for placement in Sampler::new(&set, seed).placements(0..u64::MAX) {
            if self.reach.classify(&placement) == Stage::Ok {
                return Ok(to_sfen_in(&placement, dialect.unwrap_or(R::dialect())));
            }
        }
        Err(Error::Unavailable(R::name()))
    }
}
