//! Questions and their answers, by the operations that the program's verbs are made of.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, PoisonError, RwLock};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use shogi_rules::Dialect;
use shogi_variants::operations::{Answered, AnyProof, Converted, PieceKind};
use shogi_variants::search::Level;
use shogi_variants::solve::Budget;
use shogi_variants::tablebase::FileParts;
use shogi_variants::tasks::{
    ChooseTask, ClassifyTask, ConvertTask, DiagramTask, DrawTask, HintTask, KnownTask, MateTask,
    MovesTask, NotateTask, OrdersTask, ProbeTask, RankTask, ReportTask, RetractTask, Session,
    StartTask, Tables, Task, UnmovesTask, UnrankTask,
};
use shogi_variants::{Error, Variant};

use crate::fault::Fault;
use crate::files::{FileContent, OpenError, Opened, read_rules};
use crate::problems::problems;
use crate::proving::{bounded_hint, bounded_mate};
use crate::reporting::report;
use crate::requests::{
    OfDraw, OfFile, OfLine, OfLines, OfMoves, OfRecord, OfText, OfVariant, key, read, read_task,
    variant_of,
};

/// The start of 3x4 shogi that is looked at first: its value is found within a second.
const FIRST: (Variant, &str) = (Variant::Shogi34, "KBR");

/// Answers questions about positions, records and the files that it was given. It knows no network: each
/// question is a name and a body in JSON, each answer is JSON.
pub struct Explorer {
    files: RwLock<Files>,
    /// Those that files describe.
    variants: Vec<Variant>,
    tables: Arc<Tables>,
}

/// Open files, and how many bytes those take that were added as bytes.
#[derive(Default)]
struct Files {
    open: Vec<Arc<Opened>>,
    added_bytes: usize,
}

/// A variant in [`Explorer::about`].
#[derive(Serialize)]
struct AboutVariant {
    /// The name of it in requests: of one that is not built in the text.
    name: String,
    title: &'static str,
    start: Option<String>,
    /// The position that is looked at first, where it is not the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<String>,
    pieces: Vec<PieceKind>,
    /// Whether reachability is there.
    reach: bool,
    /// Whether there can be tablebases.
    tablebases: bool,
}

impl AboutVariant {
    /// Describes a variant, unless the flag is set first.
    fn new(variant: Variant, stop: &AtomicBool) -> Result<Self, Fault> {
        let reach = match variant.reach().check_available(stop) {
            Err(Error::Stopped) => return Err(Fault::Lost),
            available => available.is_ok(),
        };
        Ok(Self {
            name: key(variant),
            title: variant.title(),
            start: variant.rules().position("startpos", None).ok(),
            first: variant.rules().named_start(FIRST.1).ok().filter(|_| variant == FIRST.0),
            pieces: variant.rules().pieces(None),
            reach,
            tablebases: Variant::ALL.contains(&variant) && variant.tablebases().is_some(),
        })
    }
}

/// The answer about one variant.
#[derive(Serialize)]
struct Described {
    #[serde(flatten)]
    about: AboutVariant,
    /// It as a text, if one can say it.
    text: Option<String>,
}

impl Explorer {
    /// The names of the questions.
    pub const QUESTIONS: [&str; 24] = [
        "diagram", "moves", "unmoves", "retract", "notate", "start", "orders", "rank", "unrank",
        "classify", "draw", "probe", "known", "mate", "choose", "hint", "walk", "look-up", "line",
        "convert", "check", "variant", "report", "problems",
    ];

    /// Opens proofs, tablebases, and files `*.toml` that describe variants.
    ///
    /// # Errors
    ///
    /// The first file that is of another kind, damaged, or cannot be read.
    pub fn open<P: AsRef<Path>>(files: &[P]) -> Result<Self, OpenError> {
        // Games that requests describe cannot take the room of those that are built in.
        built_in();
        let paths = || files.iter().map(AsRef::as_ref);
        let is_game = |path: &&Path| path.extension().is_some_and(|extension| extension == "toml");
        // Tablebases name their games, so that these are read first.
        let variants = paths().filter(is_game).map(read_rules).collect::<Result<_, _>>()?;
        let explorer = Self { files: RwLock::default(), variants, tables: Arc::default() };
        for path in paths().filter(|path| !is_game(path)) {
            explorer.push(Opened::open(path)?, 0);
        }
        Ok(explorer)
    }

    /// Adds a proof or a tablebase of these bytes, after the files that are there; the name is shown.
    /// Returns its place among them.
    ///
    /// # Errors
    ///
    /// If it is neither, or damaged.
    pub fn add(&self, name: &str, bytes: Vec<u8>) -> Result<usize, OpenError> {
        let length = bytes.len();
        Ok(self.push(Opened::read(name, bytes)?, length))
    }

    /// Adds a tablebase whose file is elsewhere; the name is shown. Returns its place among the files. The caller
    /// supplies the parts, here and for every later question: if [`FileParts::take_missing`] is not empty after one, its
    /// answer has no meaning, and the question has to be repeated once the parts are supplied.
    ///
    /// # Errors
    ///
    /// If it is no tablebase, or damaged, or parts of it are missing.
    pub fn add_remote(&self, name: &str, parts: FileParts) -> Result<usize, OpenError> {
        Ok(self.push(Opened::remote(name, parts)?, 0))
    }

    fn push(&self, opened: Opened, added_bytes: usize) -> usize {
        if let FileContent::Table { table, .. } = &opened.content {
            self.tables.add_tablebase(opened.variant, Arc::clone(table));
        }
        let mut files = self.files.write().unwrap_or_else(PoisonError::into_inner);
        files.open.push(Arc::new(opened));
        files.added_bytes += added_bytes;
        files.open.len() - 1
    }

    /// How many bytes were [added](Self::add).
    pub fn added_bytes(&self) -> usize {
        self.files.read().unwrap_or_else(PoisonError::into_inner).added_bytes
    }

    /// The files that are open now.
    pub(crate) fn files(&self) -> Vec<Arc<Opened>> {
        self.files.read().unwrap_or_else(PoisonError::into_inner).open.clone()
    }

    /// The version, the variants and the files.
    ///
    /// # Errors
    ///
    /// If a file cannot be read any more.
    pub fn about(&self) -> Result<Value, Fault> {
        self.about_until(&AtomicBool::new(false))
    }

    /// Like [`Explorer::about`], for a client that may go: [`Explorer::answer_until`].
    ///
    /// # Errors
    ///
    /// Those of [`Explorer::about`], and [`Fault::Lost`].
    pub fn about_until(&self, stop: &AtomicBool) -> Result<Value, Fault> {
        let open = self.files();
        let mut variants = built_in();
        for variant in self.variants.iter().copied().chain(open.iter().map(|file| file.variant)) {
            if !variants.contains(&variant) {
                variants.push(variant);
            }
        }
        let describe = |variant| AboutVariant::new(variant, stop);
        let variants = variants.into_iter().map(describe).collect::<Result<Vec<_>, _>>()?;
        let files: Result<Vec<_>, _> = open.iter().map(|file| file.listed()).collect();
        let files = files.map_err(|error| refused("", error))?;
        let version = env!("CARGO_PKG_VERSION");
        let levels = Level::HIGHEST.number();
        Ok(json!({
            "version": version,
            "levels": levels,
            "variants": variants,
            "files": files,
        }))
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
        self.answer_until(question, request, &AtomicBool::new(false))
    }

    /// Like [`Explorer::answer`], for a client that may go: a search that the question needs to find out what a game allows
    /// ends soon after the flag is set.
    ///
    /// # Errors
    ///
    /// Those of [`Explorer::answer`], and [`Fault::Lost`].
    pub fn answer_until(
        &self,
        question: &str,
        request: &[u8],
        stop: &AtomicBool,
    ) -> Result<Value, Fault> {
        match question {
            DiagramTask::NAME => self.task::<DiagramTask>(request),
            MovesTask::NAME => self.task::<MovesTask>(request),
            UnmovesTask::NAME => self.task::<UnmovesTask>(request),
            RetractTask::NAME => self.task::<RetractTask>(request),
            StartTask::NAME => self.task::<StartTask>(request),
            RankTask::NAME => self.task::<RankTask>(request),
            UnrankTask::NAME => self.task::<UnrankTask>(request),
            MateTask::NAME => {
                let (ask, task) = read_task(request, Map::new())?;
                self.answer_line(&ask, &bounded_mate(task))
            }
            ClassifyTask::NAME => self.classify(request, stop),
            NotateTask::NAME => self.notate(request),
            OrdersTask::NAME => self.orders(request),
            ProbeTask::NAME => self.task::<ProbeTask>(request),
            KnownTask::NAME => self.task::<KnownTask>(request),
            DrawTask::NAME => self.draw(request, stop),
            ChooseTask::NAME => self.task::<ChooseTask>(request),
            HintTask::NAME => {
                let (ask, task) = read_task(request, Map::new())?;
                self.answer_line(&ask, &bounded_hint(task))
            }
            "walk" => self.of_proof(request, |proof, ask| {
                let moves = ask.line.trim_start_matches(['\u{feff}', ' ', '\t']);
                proof.step(moves.strip_prefix("root").unwrap_or(moves), ask.dialect)
            }),
            "look-up" => self.of_proof(request, |proof, ask| proof.look_up(&ask.line, ask.dialect)),
            "line" => {
                self.of_proof(request, |proof, ask| Ok::<_, Error>(proof.line(true, ask.dialect)))
            }
            "check" => self.of_proof(request, |proof, ask| {
                Ok::<_, Error>(proof.verify(ask.dialect, &mut |_| {}))
            }),
            ConvertTask::NAME => self.convert(request),
            "variant" => describe(request, stop),
            ReportTask::NAME => report(request, stop),
            "problems" => problems(request),
            _ => Err(Fault::Absent),
        }
    }

    /// Answers a question that is a task about a line.
    fn task<T: Task + DeserializeOwned>(&self, request: &[u8]) -> Result<Value, Fault> {
        let (ask, task) = read_task::<_, T>(request, Map::new())?;
        self.answer_line(&ask, &task)
    }

    fn answer_line(&self, ask: &OfLine, task: &impl Task) -> Result<Value, Fault> {
        let &OfLine { variant, ref line, dialect } = ask;
        good(line, task.answer(variant, line, &mut self.session(dialect)))
    }

    /// A session that shares what is kept with all others.
    fn session(&self, dialect: Option<Dialect>) -> Session<'static> {
        let tables = Arc::clone(&self.tables);
        Session { dialect, tables, ..Session::new(Budget::unlimited()) }
    }

    /// The question `convert`. The record is sent back with an error only: it may be long.
    fn convert(&self, request: &[u8]) -> Result<Value, Fault> {
        let (ask, task): (OfRecord, ConvertTask) = read_task(request, Map::new())?;
        let OfRecord { variant, prefer, record, dialect } = ask;
        let of_record = || {
            let first: Vec<_> = prefer.into_iter().chain(self.variants.iter().copied()).collect();
            task.game_of(&record, &first)
        };
        let found = variant.map_or_else(of_record, Ok).map_err(|error| refused(&record, error))?;
        let converted = task.answer(found, &record, &mut self.session(dialect));
        let converted = converted.map_err(|error| refused(&record, error))?;
        let variant = (variant.or(prefer) != Some(found)).then(|| key(found));
        serde_json::to_value(ConvertedOf { variant, converted }).map_err(|_| Fault::Lost)
    }

    /// The question `classify`, with certificates unless the request says otherwise.
    fn classify(&self, request: &[u8], stop: &AtomicBool) -> Result<Value, Fault> {
        let settings = Map::from_iter([("certificate".to_owned(), true.into())]);
        let (ask, task): (OfLine, ClassifyTask) = read_task(request, settings)?;
        let nodes = task.nodes.min(ClassifyTask::default().nodes);
        // Not below, where other requests wait for the answer, whose clients have not gone.
        let available = ask.variant.reach().check_available(stop);
        available.map_err(|error| refused(&ask.line, error))?;
        self.answer_line(&ask, &ClassifyTask { nodes, ..task })
    }

    fn draw(&self, request: &[u8], stop: &AtomicBool) -> Result<Value, Fault> {
        let (OfDraw { variant, dialect }, task): (_, DrawTask) = read_task(request, Map::new())?;
        let line = task.seed.to_string();
        let available = variant.reach().check_available(stop);
        available.map_err(|error| refused(&line, error))?;
        self.answer_line(&OfLine { variant, line, dialect }, &task)
    }

    /// Writes lines of moves for people; one that cannot be played is null.
    fn notate(&self, request: &[u8]) -> Result<Value, Fault> {
        let OfLines { variant, notation, lines, dialect } = read(request)?;
        let mut session = self.session(dialect);
        let written = lines.into_iter().map(|OfMoves { line, moves }| {
            NotateTask { notation, moves }.answer(variant, &line, &mut session).ok()
        });
        Ok(json!({ "lines": written.collect::<Vec<_>>() }))
    }

    /// The orders that have a number for the start of a variant.
    fn orders(&self, request: &[u8]) -> Result<Value, Fault> {
        let OfVariant { variant } = read(request)?;
        let orders = OrdersTask {}.answer(variant, "startpos", &mut self.session(None));
        let orders = orders.map_err(|error| refused("startpos", error))?;
        serde_json::to_value(orders).map_err(|_| Fault::Lost)
    }

    fn of_proof<T: Serialize, E: ToString>(
        &self,
        request: &[u8],
        answer: impl Fn(&dyn AnyProof, &OfFile) -> Result<T, E>,
    ) -> Result<Value, Fault> {
        let ask: OfFile = read(request)?;
        match self.files().get(ask.file).map(|file| &file.content) {
            Some(FileContent::Proof(proof)) => good(&ask.line, answer(&**proof, &ask)),
            _ => Err(refused(&ask.line, "no proof is open under this number")),
        }
    }
}

/// All built-in games, those that are texts loaded.
fn built_in() -> Vec<Variant> {
    Variant::built_in().filter_map(|(name, _)| Variant::built_in_named(name).ok()).collect()
}

/// The description of a variant for a page; the request names or describes it.
fn describe(request: &[u8], stop: &AtomicBool) -> Result<Value, Fault> {
    let OfText { variant } = read(request)?;
    let variant = variant_of(&variant).map_err(|reason| refused("", reason))?;
    let about = AboutVariant::new(variant, stop)?;
    let described = Described { about, text: variant.to_text().ok() };
    serde_json::to_value(described).map_err(|_| Fault::Lost)
}

/// A record in another format.
#[derive(Serialize)]
struct ConvertedOf {
    /// The game that it is of, where the request has not named it.
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<String>,
    #[serde(flatten)]
    converted: Converted,
}

/// The answer to a line, as the batch verbs give it.
pub(crate) fn good<T: Serialize, E: ToString>(
    line: &str,
    answer: Result<T, E>,
) -> Result<Value, Fault> {
    let answer = answer.map_err(|error| refused(line, error))?;
    serde_json::to_value(Answered { line, answer }).map_err(|_| Fault::Lost)
}

pub(crate) fn refused(line: &str, error: impl ToString) -> Fault {
    Fault::Refused { line: line.to_owned(), reason: error.to_string() }
}
