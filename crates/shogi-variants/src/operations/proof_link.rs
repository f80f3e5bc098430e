//! A proof in an address.

use std::format;
use std::string::String;
use std::vec::Vec;

use super::proofs::AnyProof;

/// The explorer where the book has it.
pub const EXPLORER_PAGE: &str = "explorer/index.html";

/// The most bytes of a proof that an address holds: browsers and chats cut longer ones short.
pub const MOST_LINKED_BYTES: usize = 1 << 15;

/// The address of a page of the explorer that opens a proof and checks it in the reader's own browser, by the rules alone.
///
/// The whole proof stands behind the `#`, which browsers send to no server; with it come the rules, if its game is not
/// built in.
///
/// ```
/// use shogi_variants::Variant;
/// use shogi_variants::operations::{EXPLORER_PAGE, proof_link};
/// use shogi_variants::solve::Budget;
/// use shogi_variants::tasks::{Session, SolveTask, Task as _};
/// let start = Variant::Shogi34.rules().named_start("KBR")?;
/// let solved = SolveTask::default().answer(Variant::Shogi34, &start, &mut Session::new(Budget::unlimited()))?;
/// let link = proof_link(solved.proof.as_deref().unwrap(), EXPLORER_PAGE)?;
/// assert!(link.starts_with("explorer/index.html?tab=proof#proof=") && link.len() < 2_000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If the proof does not hold, or has more than [`MOST_LINKED_BYTES`].
pub fn proof_link(proof: &dyn AnyProof, page: &str) -> Result<String, LinkError> {
    proof.check().map_err(|refuted| LinkError::Refuted(format!("{refuted}")))?;
    let mut bytes = Vec::new();
    proof.write(&mut bytes).map_err(|error| LinkError::Refuted(format!("{error}")))?;
    if bytes.len() > MOST_LINKED_BYTES {
        return Err(LinkError::TooLarge(bytes.len()));
    }
    Ok(format!("{page}?tab=proof#proof={}", base64(&bytes)))
}

/// Why no address holds a proof.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LinkError {
    /// It does not hold.
    #[error("{0}")]
    Refuted(String),
    /// It has so many bytes.
    #[error("a proof of {0} bytes: an address holds one of at most {MOST_LINKED_BYTES}")]
    TooLarge(usize),
}

/// Bytes in base64 as addresses have it (RFC 4648, section 5), without padding.
fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let byte = |i| u32::from(three.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        let sign = |i: usize| char::from(SIGNS[(bits >> (18 - 6 * i)) as usize & 63]);
        text.extend((0..=three.len()).map(sign));
    }
    text
}
