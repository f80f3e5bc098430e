//! `verify`: checks what a file claims.

use std::cell::Cell;
use std::fmt;
use std::fs;
use std::io::{self, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Error, Result, anyhow};
use serde::Serialize;
use serde_json::{Deserializer, Value};
use shogi_files::sealed::{Distinct, JsonFormat};
use shogi_learn::archive;
use shogi_solve::builder::{JOB_FORMAT, LOG_BEGINS, RESULT_FORMAT, SKELETON_FORMAT};
use shogi_solve::checkpoint;
use shogi_solve::proof::FORMAT as PROOF;
use shogi_solve::reach::{Certificate, MOST_SHARD_BYTES, RefutedCertificate, Shard, Stage};
use shogi_variants::operations::PositionStages;

use crate::common::Common;
use crate::end::{Outcome, Usage, chain_text};
use crate::fault::{Fault, Refutation};
use crate::variant::{self, GameFile};
use crate::verbs::proof::build;
use crate::verbs::{learn, mate, selfplay, solve, tablebase};
use crate::{file, print, proof_file};

/// Arguments of `verify`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// Certificates or answers of `classify --certificate`, one or one a line, a proof, a
    /// shard or checkpoint of an estimate, a checkpoint of `solve`, `mate`, `learn` or `tablebase build`, the log of `proof build`,
    /// an archive of `selfplay`, an evaluation made by `learn`, or a tablebase, of which 10,000 positions are checked
    /// (all by `tablebase verify --all`); - for standard input. Each file has its answer, in the same
    /// order.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    game: GameFile,
}

/// The findings in the file up to the first claim that does not hold.
#[derive(Serialize, Default)]
struct VerifyAnswer {
    ok: bool,
    /// Certificates that hold.
    certificates: u64,
    /// Shards and checkpoints that hold.
    shards: u64,
    /// Evaluations that are whole.
    evaluations: u64,
    /// Answers of `classify` whose stage follows from the position alone.
    stages: u64,
    /// Answers of `classify` that say nothing to be proved.
    unproved: u64,
    #[serde(flatten)]
    refuted: Option<RefutedItem>,
}

/// The claim that does not hold.
#[derive(Serialize, Debug)]
struct RefutedItem {
    /// Which of the objects in the file, from 1.
    item: u64,
    #[serde(flatten)]
    refuted: Refutation,
}

impl fmt::Display for VerifyAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Self { certificates, shards, evaluations, stages, unproved, ref refuted, .. } = self;
        match refuted {
            None => f.write_str("ok")?,
            Some(RefutedItem { item, refuted }) => write!(f, "refuted: object {item}: {refuted}")?,
        }
        let held: Vec<_> = [
            (certificates, "certificate", "certificates"),
            (shards, "shard", "shards"),
            (evaluations, "evaluation", "evaluations"),
            (stages, "stage", "stages"),
            (unproved, "answer without a claim", "answers without a claim"),
        ]
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, one, many)| print::counted(count, one, many))
        .collect();
        if held.is_empty() {
            return Ok(());
        }
        let lead = if refuted.is_some() { "; before it: " } else { ": " };
        write!(f, "{lead}{}", held.join(", "))
    }
}

/// The kind of a true claim.
enum Claim {
    Certificate,
    Shard,
    Evaluation,
    Stage,
    Unproved,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    arguments.game.load()?;
    if let ([file], false) = (&arguments.files[..], common.json) {
        return verify_file(file, common);
    }
    let mut all_good = true;
    for path in &arguments.files {
        if !common.json {
            print::to_standard_output(format!("{}:\n", path.display()).as_bytes())?;
        }
        all_good &= match verify_file(path, common) {
            Ok(outcome) => outcome == Outcome::Good,
            Err(error) if error.is::<Usage>() && arguments.files.len() == 1 => return Err(error),
            Err(error) => {
                let reason = chain_text(&error);
                let text = format!("error: {reason}");
                print::answer(common.json, &Unreadable::new(reason), text)?;
                false
            }
        };
    }
    Ok(Outcome::good_if(all_good))
}

/// The answer for a file of no known kind, or one that cannot be read.
#[derive(Serialize)]
struct Unreadable {
    ok: bool,
    #[serde(flatten)]
    refuted: Refutation,
}

impl Unreadable {
    /// The answer for this reason.
    const fn new(reason: String) -> Self {
        Self { ok: false, refuted: Refutation { reason, position: None } }
    }
}

/// The bytes at the beginning of a file that its kind is known by.
const HEAD_BYTES: u64 = LOG_BEGINS.len() as u64;

/// The mark that some programs put before a text in UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// The most files that a message lists.
const MOST_LISTED: usize = 5;

/// The error for a directory, which names the files in it.
fn directory(path: &Path) -> Error {
    let mut files: Vec<_> = fs::read_dir(path)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|file| file.is_file())
        .map(|file| file.display().to_string())
        .collect();
    files.sort();
    files.truncate(MOST_LISTED);
    let files = if files.is_empty() { "none here".to_owned() } else { files.join(", ") };
    anyhow!("{}: this is a directory; give the file to verify: {files}", path.display())
}

fn verify_file(path: &Path, common: &Common) -> Result<Outcome> {
    if path.is_dir() {
        return Err(directory(path));
    }
    let mut file = file::open(path)?;
    // A pipe may deliver less at a time than it takes to know the file.
    let mut head = Vec::new();
    let read = (&mut file).take(HEAD_BYTES).read_to_end(&mut head);
    read.with_context(|| file::unreadable(path))?;
    let whole = Box::new(Cursor::new(head.clone()).chain(file));
    verify_content(path, &head, whole, common).map_err(|error| match error.is::<Usage>() {
        true => error,
        false => error.context(file::name(path)),
    })
}

/// Checks a file that begins so.
fn verify_content(
    path: &Path,
    head: &[u8],
    mut whole: Box<dyn Read>,
    common: &Common,
) -> Result<Outcome> {
    if head.starts_with(&PROOF.magic) {
        return proof_file::verify(whole, file::size(path), common);
    }
    if head.starts_with(LOG_BEGINS) {
        return build::verify(whole, common);
    }
    if head.starts_with(&archive::FORMAT.magic) {
        return selfplay::verify(&mut whole, common);
    }
    if head.starts_with(&checkpoint::FORMAT.magic) {
        return solve::verify(whole, common);
    }
    if head.starts_with(&shogi_solve::mate::FORMAT.magic) {
        return mate::verify(whole, common);
    }
    if learn::is_known(head) {
        return learn::verify(&mut whole, common);
    }
    if head.starts_with(&shogi_variants::tablebase::FORMAT.magic) {
        if file::is_standard(path) {
            let reason = "a tablebase is read from a file, not from standard input";
            return Err(Usage(reason.to_owned()).into());
        }
        return tablebase::verify(path, false, common);
    }
    if !may_be_json(head) {
        let reason = "this is no file of a known kind".to_owned();
        let text = format!("refuted: {reason}");
        print::answer(common.json, &Unreadable::new(reason), text)?;
        return Ok(Outcome::Bad);
    }
    if head.starts_with(MARK) {
        whole.read_exact(&mut [0; MARK.len()])?;
    }
    let answer = verify(whole)?;
    print::answer(common.json, &answer, &answer)?;
    Ok(Outcome::good_if(answer.ok))
}

/// Whether a file that begins so may hold JSON objects, lists or numbers, or nothing but blanks.
fn may_be_json(head: &[u8]) -> bool {
    let head = head.strip_prefix(MARK).unwrap_or(head);
    matches!(head.trim_ascii_start().first(), None | Some(b'{' | b'[' | b'0'..=b'9'))
}

/// The most bytes of one JSON object; of those that are checked none that the program writes is so large.
const MAX_BYTES: u64 = MOST_SHARD_BYTES;

/// Input that fails when one object takes more than [`MAX_BYTES`].
struct Limited<'l> {
    input: Box<dyn Read>,
    /// The bytes that may still be read before the next object.
    left: &'l Cell<u64>,
}

impl Read for Limited<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(bytes)?;
        let left = self.left.get().checked_sub(read as u64);
        self.left.set(left.ok_or_else(|| io::Error::other("an object is too large"))?);
        Ok(read)
    }
}

/// Checks the JSON objects in a file, one after another.
fn verify(input: Box<dyn Read>) -> Result<VerifyAnswer> {
    let mut answer = VerifyAnswer::default();
    let mut item = 0;
    let left = Cell::new(MAX_BYTES);
    let input = BufReader::new(Limited { input, left: &left });
    for value in Deserializer::from_reader(input).into_iter::<Distinct>() {
        item += 1;
        left.set(MAX_BYTES);
        let claim = value.map_err(|error| Fault::refuted(format!("not JSON: {error}")));
        match claim.and_then(|Distinct(value)| verify_object(&value)) {
            Ok(Claim::Certificate) => answer.certificates += 1,
            Ok(Claim::Shard) => answer.shards += 1,
            Ok(Claim::Evaluation) => answer.evaluations += 1,
            Ok(Claim::Stage) => answer.stages += 1,
            Ok(Claim::Unproved) => answer.unproved += 1,
            Err(fault) => {
                let refuted = fault.refutation().with_context(|| format!("object {item}"))?;
                answer.refuted = Some(RefutedItem { item, refuted });
                return Ok(answer);
            }
        }
    }
    answer.ok = item > 0;
    if item == 0 {
        let refuted = Refutation { reason: "the file is empty".to_owned(), position: None };
        answer.refuted = Some(RefutedItem { item: 1, refuted });
    }
    Ok(answer)
}

fn verify_object(value: &Value) -> Result<Claim, Fault> {
    if value.get("tally").is_some() {
        verify_shard(value).map(|()| Claim::Shard)
    } else if value.get("weights").is_some() {
        verify_evaluation(value).map(|()| Claim::Evaluation)
    } else if value.get("in").is_some() {
        verify_answer(value)
    } else if let Some(reason) = value["format"].as_str().and_then(no_claim) {
        Err(Fault::refuted(reason))
    } else if value.get("certificate").is_some() {
        verify_certificate(value).map(|_| Claim::Certificate)
    } else {
        Err(Fault::refuted(unknown(value)))
    }
}

/// The kind of an object that claims nothing.
fn unknown(value: &Value) -> String {
    match value["format"].as_str() {
        Some(format) => format!("an object of the format {format:?}, of which nothing is checked"),
        None => "an object of no known kind".to_owned(),
    }
}

/// Why a file of this format claims nothing.
fn no_claim(format: &str) -> Option<&'static str> {
    let is = |of: JsonFormat| of.format == Some(format);
    if is(SKELETON_FORMAT) {
        Some("a skeleton is no proof: `shogi proof expand` makes one of it")
    } else if is(JOB_FORMAT) {
        Some("a job is no proof: `shogi proof work` does it")
    } else if is(RESULT_FORMAT) {
        Some("the result of a job is no proof: `shogi proof build --jobs` checks it")
    } else {
        None
    }
}

/// An answer of `classify --certificate`: the certificate must prove what the answer says, or the position show its stage.
fn verify_answer(value: &Value) -> Result<Claim, Fault> {
    let stage = value["stage"].as_str().unwrap_or_default();
    let position = value["in"].as_str().unwrap_or_default();
    let refuted = |reason: &str| Err(Fault::refuted_at(reason, position));
    // The answer to a line that stands for no position.
    if value["error"].is_string() && value.get("stage").is_none() {
        return Ok(Claim::Unproved);
    }
    let reachable = value.get("reachable").map(Value::as_bool);
    if value["certificate"].is_null() {
        return match (stage, reachable) {
            ("flip", Some(Some(true))) | ("ok" | "unreachable", _) => {
                refuted("there is no certificate")
            }
            ("flip" | "pawn" | "king", _) => verify_stage(stage, reachable, position),
            ("unknown", None | Some(None)) => Ok(Claim::Unproved),
            ("unknown", _) => refuted(CONTRADICTION),
            _ => refuted("there is no such stage"),
        };
    }
    let certificate = verify_certificate(&value["certificate"])?;
    let (sfen, holds) = match &certificate {
        Certificate::Game { sfen, .. } => (sfen, matches!(stage, "ok" | "flip")),
        Certificate::Closed { sfen, plies, .. } => {
            // Answers to a position whose mirror image is counted once had no plies.
            let traced = value.get("plies").map_or(stage == "flip", |found| found == plies);
            (sfen, traced && matches!(stage, "unreachable" | "flip"))
        }
    };
    // Older answers do not say it.
    if !holds || reachable.is_some_and(|said| said != certificate.proves().is_reachable()) {
        return refuted("the certificate proves something else");
    }
    let variant = variant::named(certificate.variant())?;
    match variant.rules().is_same_placement(position, sfen) {
        Ok(true) => {}
        Ok(false) => return refuted("the certificate is for another position"),
        Err(error) => return refuted(&error.to_string()),
    }
    match variant.reach().stages(position) {
        Ok(stages) if stages.is_flipped == (stage == "flip") => Ok(Claim::Certificate),
        Ok(stages) => refuted(&other_stage(stages)),
        Err(error) => refuted(&error.to_string()),
    }
}

/// The reason where an answer says of a position what its stage excludes.
const CONTRADICTION: &str = "`reachable` contradicts the stage";

/// Checks a stage that follows from the position alone. The answer names no game: it is of one whose pieces are these.
fn verify_stage(
    stage: &str,
    reachable: Option<Option<bool>>,
    position: &str,
) -> Result<Claim, Fault> {
    let mut reason = None;
    for game in variant::possible() {
        let Ok(stages) = game.reach().stages(position) else { continue };
        match fault_of_stage(stage, reachable, stages) {
            None => return Ok(Claim::Stage),
            Some(fault) => reason = reason.or(Some(fault)),
        }
        if variant::is_given(game) {
            break;
        }
    }
    let unknown = || {
        "no game that is built in has this position with all its pieces; --game takes the file of another"
            .to_owned()
    };
    Err(Fault::refuted_at(reason.unwrap_or_else(unknown), position))
}

/// The contradiction between the stage that an answer says and those of the position. Older answers do not say whether the
/// position is reachable.
fn fault_of_stage(
    stage: &str,
    reachable: Option<Option<bool>>,
    stages: PositionStages,
) -> Option<String> {
    let found = if stages.is_flipped { Some(Stage::Flip) } else { stages.illegal };
    if found.map(Stage::name) != Some(stage) {
        return Some(other_stage(stages));
    }
    let decided = stages.illegal.map(|_| false);
    match reachable.is_none_or(|said| said == decided) {
        true => None,
        false if decided.is_none() => Some("there is no certificate".to_owned()),
        false => Some(CONTRADICTION.to_owned()),
    }
}

/// The stage of a position for which an answer says another one.
fn other_stage(PositionStages { is_flipped, illegal, .. }: PositionStages) -> String {
    match if is_flipped { Some(Stage::Flip) } else { illegal } {
        Some(stage) => format!("the stage of the position is {}", stage.name()),
        None => "the position passes the stages flip, pawn and king".to_owned(),
    }
}

fn verify_certificate(value: &Value) -> Result<Certificate, Fault> {
    let certificate: Certificate = serde_json::from_value(value.clone())
        .map_err(|error| Fault::refuted(format!("not a certificate: {error}")))?;
    let variant = variant::named(certificate.variant())?;
    match variant.reach().verify(&certificate) {
        Ok(()) => Ok(certificate),
        Err(RefutedCertificate { reason, position }) => Err(Fault::refuted_at(reason, position)),
    }
}

/// A shard or checkpoint: unchanged since it was written, consistent, and of a set that is as large
/// as it says.
fn verify_shard(value: &Value) -> Result<(), Fault> {
    let shard =
        Shard::from_json(&value.to_string()).map_err(|error| Fault::refuted(error.to_string()))?;
    let checked = variant::named(shard.variant())?.reach().check_shard(&shard);
    checked.map_err(|error| Fault::refuted(error.to_string()))
}

/// An evaluation in JSON: unchanged since it was written, and one of its variant.
fn verify_evaluation(value: &Value) -> Result<(), Fault> {
    let name = value["variant"].as_str();
    let variant = variant::named(name.ok_or_else(|| Fault::refuted("this is no evaluation"))?)?;
    let text = value.to_string();
    let checked = if value.get("format").is_some() {
        variant.playing().check_tables(&text).map_err(Error::from)
    } else {
        variant.learning().check_evaluation(&text).map_err(Error::from)
    };
    checked.map_err(|error| Fault::refuted(error.to_string()))
}
