//! Questions and their answers, by the operations that the program's verbs are made of.

use std::path::Path;
use std::sync::OnceLock;

use serde::Serialize;
use serde_json::{Value, json};
use shogi_rank::parse_rank;
use shogi_rules::record::Format;
use shogi_variants::operations::{AnyClassifier, AnyProof, Piece};
use shogi_variants::reach::Limit;
use shogi_variants::{Error, Variant};

use crate::answers::{Classified, Good, Predecessors, Rank, Sfen};
use crate::fault::Fault;
use crate::files::{Content, OpenError, Opened};
use crate::proving::mate;
use crate::requests::{OfFile, OfLine, OfNumber, OfRecord, OfSeed, read};

/// Answers questions about positions, records and the files that it was given. It knows no network: each
/// question is a name and a body in JSON, each answer is JSON.
pub struct Explorer {
    files: Vec<Opened>,
    /// Of each variant, with the tables that it needs, made when first asked for.
    classifiers: Vec<OnceLock<Result<Box<dyn AnyClassifier>, String>>>,
}

/// A variant in [`Explorer::about`].
#[derive(Serialize)]
struct AboutVariant {
    name: &'static str,
    title: &'static str,
    start: Option<String>,
    pieces: Vec<Piece>,
    /// Whether reachability is there.
    reach: bool,
    /// Whether there can be tablebases.
    tablebases: bool,
}

impl Explorer {
    /// The names of the questions.
    pub const QUESTIONS: [&str; 15] = [
        "diagram", "moves", "unmoves", "start", "rank", "unrank", "classify", "draw", "probe",
        "mate", "walk", "look-up", "line", "convert", "check",
    ];

    /// Opens proofs and tablebases.
    ///
    /// # Errors
    ///
    /// The first file that is neither, is damaged, or cannot be read.
    pub fn open<P: AsRef<Path>>(files: &[P]) -> Result<Self, OpenError> {
        let files = files.iter().map(|path| Opened::open(path.as_ref()));
        let classifiers = Variant::ALL.iter().map(|_| OnceLock::new()).collect();
        Ok(Self { files: files.collect::<Result<_, _>>()?, classifiers })
    }

    /// Adds a proof or a tablebase of these bytes, after the files that are there; the name is shown.
    ///
    /// # Errors
    ///
    /// If it is neither, or damaged.
    pub fn add(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), OpenError> {
        self.files.push(Opened::read(name, bytes)?);
        Ok(())
    }

    /// The version, the variants and the files.
    ///
    /// # Errors
    ///
    /// If a file cannot be read any more.
    pub fn about(&self) -> Result<Value, Fault> {
        let variants = Variant::ALL.iter().map(|&variant| AboutVariant {
            name: variant.name(),
            title: variant.title(),
            start: variant.rules().position("startpos", None).ok(),
            pieces: variant.rules().pieces(None),
            reach: variant.reach().classifier(Limit { nodes: 0 }, false).is_ok(),
            tablebases: variant.tablebases().is_some(),
        });
        let variants: Vec<_> = variants.collect();
        let files: Result<Vec<_>, _> = self.files.iter().map(Opened::listed).collect();
        let files = files.map_err(|error| refused("", error))?;
        let version = env!("CARGO_PKG_VERSION");
        Ok(json!({ "version": version, "variants": variants, "files": files }))
    }

    /// Answers a question: one of [`Explorer::QUESTIONS`], with its request in JSON. Where a verb of the
    /// program answers the same question, the answer is the same object.
    ///
    /// ```
    /// use shogi_explore::Explorer;
    /// let explorer = Explorer::open::<&str>(&[])?;
    /// let answer = explorer.answer("moves", br#"{"variant": "dobutsu", "in": "startpos"}"#)?;
    /// assert_eq!(answer["moves"][0], "1d1c");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Why there is no answer.
    pub fn answer(&self, question: &str, request: &[u8]) -> Result<Value, Fault> {
        match question {
            "diagram" => {
                of_line(request, |ask| ask.variant.rules().diagram(&ask.line, ask.dialect))
            }
            "moves" => of_line(request, |ask| ask.variant.rules().moves(&ask.line, ask.dialect)),
            "unmoves" => of_line(request, |ask| {
                let predecessors = ask.variant.rules().predecessors(&ask.line, ask.dialect)?;
                Ok::<_, Error>(Predecessors { predecessors })
            }),
            "start" => of_line(request, |ask| {
                Ok::<_, Error>(Sfen { sfen: ask.variant.rules().named_start(ask.line.trim())? })
            }),
            "classify" => of_line(request, |ask| {
                let classified = self.classifier(ask.variant)?.classify(&ask.line);
                classified.map(Classified::from).map_err(|error| error.to_string())
            }),
            "probe" => of_line(request, |ask| self.probe(ask)),
            "rank" => rank(request),
            "unrank" => unrank(request),
            "draw" => self.draw(request),
            "mate" => mate(request),
            "walk" => self.of_proof(request, |proof, ask| {
                let moves = ask.line.trim_start_matches(['\u{feff}', ' ', '\t']);
                proof.step(moves.strip_prefix("root").unwrap_or(moves), ask.dialect)
            }),
            "look-up" => self.of_proof(request, |proof, ask| proof.look_up(&ask.line, ask.dialect)),
            "line" => {
                self.of_proof(request, |proof, ask| Ok::<_, Error>(proof.line(true, ask.dialect)))
            }
            "check" => self.of_proof(request, |proof, _| {
                proof.check().map(|checked| json!({ "ok": true, "entries": checked.entries }))
            }),
            "convert" => convert(request),
            _ => Err(Fault::Absent),
        }
    }

    fn classifier(&self, variant: Variant) -> Result<&dyn AnyClassifier, String> {
        let place = Variant::ALL.iter().position(|&known| known == variant).unwrap_or_default();
        let made = self.classifiers[place].get_or_init(|| {
            let classifier = variant.reach().classifier(Limit::default(), true);
            classifier.map_err(|error| error.to_string())
        });
        made.as_deref().map_err(Clone::clone)
    }

    fn draw(&self, request: &[u8]) -> Result<Value, Fault> {
        let OfSeed { variant, seed, dialect } = read(request)?;
        let drawn = self.classifier(variant).and_then(|classifier| {
            classifier.draw(seed, dialect).map_err(|error| error.to_string())
        });
        let line = seed.to_string();
        good(&line, drawn.map(|sfen| Sfen { sfen }))
    }

    /// The value of a position from the first tablebase that has it.
    fn probe(&self, ask: &OfLine) -> Result<impl Serialize + use<>, String> {
        let mut reason = format!("no tablebase of {} is open", ask.variant);
        for file in self.files.iter().filter(|file| file.variant == ask.variant) {
            let Content::Table(table) = &file.content else { continue };
            match table.probe(&ask.line, ask.dialect) {
                Ok(probed) => return Ok(probed),
                Err(error) => reason = error.to_string(),
            }
        }
        Err(reason)
    }

    fn of_proof<T: Serialize, E: ToString>(
        &self,
        request: &[u8],
        answer: impl Fn(&dyn AnyProof, &OfFile) -> Result<T, E>,
    ) -> Result<Value, Fault> {
        let ask: OfFile = read(request)?;
        match self.files.get(ask.file).map(|file| &file.content) {
            Some(Content::Proof(proof)) => good(&ask.line, answer(&**proof, &ask)),
            _ => Err(refused(&ask.line, "no proof is open under this number")),
        }
    }
}

fn of_line<T: Serialize, E: ToString>(
    request: &[u8],
    answer: impl Fn(&OfLine) -> Result<T, E>,
) -> Result<Value, Fault> {
    let ask: OfLine = read(request)?;
    good(&ask.line, answer(&ask))
}

fn rank(request: &[u8]) -> Result<Value, Fault> {
    let OfNumber { variant, line, order, .. } = read(request)?;
    let rank = variant.ranking().numbered(order).and_then(|numbered| numbered.rank(&line));
    good(&line, rank.map(|rank| Rank { rank: rank.to_string() }))
}

fn unrank(request: &[u8]) -> Result<Value, Fault> {
    let OfNumber { variant, line, order, dialect } = read(request)?;
    let rank = parse_rank(line.trim()).map_err(|error| refused(&line, error))?;
    let placed = variant.ranking().numbered(order);
    let placed = placed.and_then(|numbered| numbered.unrank(&rank, dialect));
    good(&line, placed.map(|sfen| Sfen { sfen }))
}

fn convert(request: &[u8]) -> Result<Value, Fault> {
    let OfRecord { variant, record, from, to, dialect } = read(request)?;
    // The record is not sent back: it may be long.
    let recognised = from.or_else(|| Format::detect(&record));
    let from = recognised.ok_or_else(|| refused("", "cannot tell the format of the record"))?;
    let written = variant.rules().convert(&record, from, to, dialect);
    let written = written.map_err(|error| refused("", error))?;
    Ok(json!({ "from": from.name(), "to": to.name(), "record": written }))
}

/// The answer to a line, as the batch verbs give it.
pub(crate) fn good<T: Serialize, E: ToString>(
    line: &str,
    answer: Result<T, E>,
) -> Result<Value, Fault> {
    let answer = answer.map_err(|error| refused(line, error))?;
    serde_json::to_value(Good { line, answer }).map_err(|_| Fault::Lost)
}

pub(crate) fn refused(line: &str, error: impl ToString) -> Fault {
    Fault::Refused { line: line.to_owned(), reason: error.to_string() }
}
