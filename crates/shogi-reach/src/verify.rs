//! Verification of certificates, with positions and moves as texts.

use rustc_hash::{FxHashMap, FxHashSet};
use shogi_core::{Faults, Placement};
use shogi_rules::{Rules, SfenError, UsiError, parse_sfen, parse_usi, to_sfen};

use crate::certificate::{CERTIFICATE_VERSION, Certificate, RefutedCertificate};

impl Certificate {
    /// Checks every claim. A game is replayed by the forward rules alone: each move must be legal,
    /// no position may occur twice (so no repetition rule can have ended the game), and the last
    /// position must be the one claimed. A closed set must hold every predecessor of each of its
    /// members in the right layer, and not the start position.
    ///
    /// # Errors
    ///
    /// The first claim that does not hold.
    pub fn verify<R: Rules>(&self) -> Result<(), RefutedCertificate> {
        let rules = RuleSet {
            name: R::name(),
            start: R::start_sfen(),
            position: position::<R>,
            play: play::<R>,
            before: before::<R>,
        };
        rules.verify(self)
    }
}

/// The functions of a rule set that verification needs. Positions are in SFEN.
struct RuleSet {
    name: &'static str,
    start: &'static str,
    /// Reads a legal position and writes it in its normal form.
    position: fn(&str) -> Result<String, RefutedCertificate>,
    /// The position after a move in USI notation.
    play: fn(&str, &str) -> Result<String, NotPlayed>,
    /// All positions from which a legal move leads to this one.
    before: fn(&str) -> Result<Vec<String>, RefutedCertificate>,
}

/// Why a move cannot be played.
#[derive(Debug, thiserror::Error)]
enum NotPlayed {
    #[error("follows a position that cannot be read: {0}")]
    Position(SfenError),
    #[error("cannot be read: {0}")]
    Move(UsiError),
    #[error("comes after the end of the game")]
    AfterEnd,
    #[error("is not legal")]
    Illegal,
}

impl RuleSet {
    fn verify(&self, certificate: &Certificate) -> Result<(), RefutedCertificate> {
        let (Certificate::Game { version, variant, sfen, .. }
        | Certificate::Closed { version, variant, sfen, .. }) = certificate;
        let refuted = |reason| Err(RefutedCertificate { reason, position: sfen.clone() });
        if *version != CERTIFICATE_VERSION {
            return refuted(format!("version {CERTIFICATE_VERSION} is needed, not {version}"));
        }
        if variant != self.name {
            return refuted(format!("the certificate is for {variant}, not for {}", self.name));
        }
        match certificate {
            Certificate::Game { sfen, moves, .. } => self.verify_game(sfen, moves),
            Certificate::Closed { sfen, plies, predecessors, .. } => {
                self.verify_closed(sfen, *plies, predecessors)
            }
        }
    }

    fn verify_game(&self, sfen: &str, moves: &[String]) -> Result<(), RefutedCertificate> {
        let target = (self.position)(sfen)?;
        let mut position = (self.position)(self.start)?;
        let mut seen = FxHashSet::from_iter([position.clone()]);
        for (ply, text) in moves.iter().enumerate() {
            let refuted = |what: &str, position: String| RefutedCertificate {
                reason: format!("move {} {text:?} {what}", ply + 1),
                position,
            };
            position = match (self.play)(&position, text) {
                Ok(next) => next,
                Err(why) => return Err(refuted(&why.to_string(), position)),
            };
            if !seen.insert(position.clone()) {
                return Err(refuted("leads to a position met before", position));
            }
        }
        if position != target {
            return Err(RefutedCertificate {
                reason: format!("the game does not end in {sfen}"),
                position,
            });
        }
        Ok(())
    }

    fn verify_closed(
        &self,
        sfen: &str,
        plies: u32,
        predecessors: &[Vec<String>],
    ) -> Result<(), RefutedCertificate> {
        let refuted = |reason: &str, position: &str| {
            Err(RefutedCertificate { reason: reason.to_owned(), position: position.to_owned() })
        };
        if predecessors.len() as u32 != plies {
            return refuted("the number of layers is not the number of plies", sfen);
        }
        let mut layers = vec![vec![(self.position)(sfen)?]];
        for layer in predecessors {
            let layer = layer.iter().map(|sfen| (self.position)(sfen));
            layers.push(layer.collect::<Result<_, _>>()?);
        }
        let mut layer_of = FxHashMap::default();
        for (depth, layer) in layers.iter().enumerate() {
            for position in layer {
                if layer_of.insert(position, depth).is_some() {
                    return refuted("a position is listed twice", position);
                }
            }
        }
        let start = (self.position)(self.start)?;
        if layer_of.contains_key(&start) {
            return refuted("the start position is in the set", &start);
        }
        for (depth, layer) in layers.iter().enumerate() {
            let mut next = FxHashSet::default();
            for position in layer {
                for before in (self.before)(position)? {
                    match layer_of.get(&before) {
                        Some(&found) if found <= depth + 1 => next.insert(before),
                        _ => return refuted("a predecessor is missing or too deep", &before),
                    };
                }
            }
            for position in layers.get(depth + 1).into_iter().flatten() {
                if !next.contains(position) {
                    return refuted("not a predecessor of the layer before", position);
                }
            }
        }
        Ok(())
    }
}

fn read<R: Rules>(sfen: &str) -> Result<Placement<R>, RefutedCertificate> {
    match parse_sfen::<R>(sfen) {
        Err(error) => Err(unread(&error, sfen)),
        Ok((placement, _)) => {
            let faults = placement.faults();
            if faults.is_empty() { Ok(placement) } else { Err(illegal(faults, sfen)) }
        }
    }
}

#[cold]
fn unread(error: &SfenError, sfen: &str) -> RefutedCertificate {
    RefutedCertificate { reason: error.to_string(), position: sfen.to_owned() }
}

#[cold]
fn illegal(faults: Faults, sfen: &str) -> RefutedCertificate {
    RefutedCertificate { reason: format!("illegal: {faults}"), position: sfen.to_owned() }
}

fn position<R: Rules>(sfen: &str) -> Result<String, RefutedCertificate> {
    Ok(to_sfen(&read::<R>(sfen)?))
}

fn play<R: Rules>(sfen: &str, text: &str) -> Result<String, NotPlayed> {
    let (placement, mv) = match (parse_sfen::<R>(sfen), parse_usi(text)) {
        (Ok((placement, _)), Ok(mv)) => (placement, mv),
        (Err(error), _) => return Err(NotPlayed::Position(error)),
        (_, Err(error)) => return Err(NotPlayed::Move(error)),
    };
    if R::verdict(&placement).is_some() {
        Err(NotPlayed::AfterEnd)
    } else if placement.is_legal(mv) {
        Ok(to_sfen(&placement.play_unchecked(mv)))
    } else {
        Err(NotPlayed::Illegal)
    }
}

fn before<R: Rules>(sfen: &str) -> Result<Vec<String>, RefutedCertificate> {
    let mut all = Vec::new();
    for (_, before) in read::<R>(sfen)?.predecessors() {
        all.push(to_sfen(&before));
    }
    Ok(all)
}
