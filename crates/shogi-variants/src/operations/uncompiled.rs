//! What is not there for variants that were read as texts: it needs sizes and tables as constants.

use std::boxed::Box;
#[cfg(feature = "reach")]
use std::string::ToString as _;
use std::vec::Vec;

use shogi_rank::{BigUint, Counts};
#[cfg(feature = "reach")]
use shogi_reach::{Certificate, RefutedCertificate, SearchLimit};

use super::Error;
use super::ranking::{AnyNumbered, AnyRanking, CheckClasses, Numbering};
#[cfg(feature = "reach")]
use super::reach::{AnyClassifier, AnyReach};
#[cfg(feature = "reach")]
use super::sampling::{AnySampling, Method};

/// Answers for a variant that no rules are compiled for.
pub(super) struct Uncompiled;

impl AnyRanking for Uncompiled {
    fn counts(&self) -> Result<Counts, Error> {
        Err(Error::Uncompiled("counting"))
    }

    fn by_hand(&self) -> Result<Vec<BigUint>, Error> {
        Err(Error::Uncompiled("counting"))
    }

    fn by_hand_of(&self, _: &str) -> Result<Vec<BigUint>, Error> {
        Err(Error::Uncompiled("counting"))
    }

    fn classes(&self) -> Result<CheckClasses, Error> {
        Err(Error::Uncompiled("counting"))
    }

    fn numbered(&self, _: Numbering) -> Result<Box<dyn AnyNumbered>, Error> {
        Err(Error::Uncompiled("ranking"))
    }
}

#[cfg(feature = "reach")]
impl AnyReach for Uncompiled {
    fn classifier(&self, _: SearchLimit, _: bool) -> Result<Box<dyn AnyClassifier>, Error> {
        Err(Error::Uncompiled("classifying positions"))
    }

    fn verify(&self, _: &Certificate) -> Result<(), RefutedCertificate> {
        let reason = Error::Uncompiled("a certificate of reachability").to_string();
        Err(RefutedCertificate { reason, position: "".into() })
    }

    fn sampling(&self, _: Method) -> Result<Box<dyn AnySampling>, Error> {
        Err(Error::Uncompiled("estimating"))
    }

    fn check_shard(&self, _: &shogi_reach::Shard) -> Result<(), Error> {
        Err(Error::Uncompiled("estimating"))
    }
}
