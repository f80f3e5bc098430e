//! The published figures, and how this program finds each of them.

use std::env;
use std::fs;
use std::io::Read;
use std::ops::ControlFlow;
use std::process;

use anyhow::{Context as _, Result, ensure};
use shogi_rank::BigUint;
use shogi_solve::proof::Reader;
use shogi_solve::reach::{Certificate, SearchLimit};
use shogi_solve::{Algorithm, Budget, Options};
use shogi_variants::Variant;
use shogi_variants::operations::{AnyReader, AnyTablebase, JudgedBy, Method, TablebaseBuild};
use shogi_variants::tasks::{MateTask, Session, Task as _};

use crate::interrupt::Interrupt;
use crate::proof_file::claim_text;
use crate::tablebase_file::TablebaseFile;

/// A figure that others have published.
pub struct Published {
    /// The number or statement.
    pub what: &'static str,
    /// Who has published it.
    pub source: &'static str,
    /// The figure.
    pub published: &'static str,
    /// How far a number of a sample may lie from the published one; `None` where both have to be the same.
    pub tolerance: Option<f64>,
    /// Whether it comes from a tablebase, which takes most of the time to build.
    pub is_slow: bool,
    /// Finds the figure here. An interrupt may end it with an error or any figure.
    pub find: fn(&Interrupt) -> Result<String>,
}

/// Samples of Minishogi: the standard error of the share is 0.000356.
const SAMPLES: u64 = 1_000_000;
/// Three standard errors.
const TOLERANCE: f64 = 0.001_07;
const DRAGON_AND_HORSE: &str = "4k4/9/9/9/3+R+B4/9/9/9/4K4 b P 1";
const BARE_KINGS: &str = "k4/5/5/5/4K b RBGSPrbgsp 1";
const KOTOBUKI: &str =
    "g3p3+r/3lPG3/1s4ppp/1l1B4P/L2b1kPl1/3+p3+R+p/3+p2+s1S/+NP+p1gS3/1g+p2P3 b 4P3n 1";
/// The proof that `docs/results/kyoto/3a4b.skeleton` expands to.
const KYOTO_PROOF: &[u8] = include_bytes!("kyoto-3a4b.proof");

/// A figure that has to be the same.
const fn exactly(
    what: &'static str,
    source: &'static str,
    published: &'static str,
    find: fn(&Interrupt) -> Result<String>,
) -> Published {
    Published { what, source, published, tolerance: None, is_slow: false, find }
}

/// The value of every position of Dobutsu shogi takes a minute and a half of processor time to find, so that the
/// figure is left out where there is no tablebase.
pub static DOBUTSU: Published = Published {
    what: "start of Dobutsu shogi, from its tablebase",
    source: "Tanaka 2009",
    published: "loss in 78 plies",
    tolerance: None,
    is_slow: true,
    find: dobutsu,
};

/// All other figures, the one that takes longest last.
pub const FIGURES: &[Published] = &[
    exactly("perft of Minishogi, 6 plies", "Fairy-Stockfish 11.1", "8276188", |_| {
        perft(Variant::Minishogi, 6)
    }),
    exactly("perft of Kyoto shogi, 6 plies", "Fairy-Stockfish 11.1", "2829234", |_| {
        perft(Variant::KyotoShogi, 6)
    }),
    exactly("perft of shogi, 5 plies", "haitaka 0.3.2, rsshogi 1.7.3", "19861490", |_| {
        perft(Variant::Shogi, 5)
    }),
    exactly("perft of Dobutsu shogi, 6 plies", "pyffish 0.0.90", "71677", |_| {
        perft(Variant::Dobutsu, 6)
    }),
    exactly(
        "candidates for reachable positions of Minishogi",
        "Ishii & Tanaka 2024",
        "16014219505238849250",
        |_| Ok(Variant::Minishogi.ranking().counts()?.candidates.to_string()),
    ),
    exactly(
        "candidates for reachable positions of shogi",
        "Ishii & Tanaka 2024",
        "80880932079767835177773204009328769812438521503800714936366945233084532",
        |_| Ok(Variant::Shogi.ranking().counts()?.candidates.to_string()),
    ),
    exactly("placements of Kyoto shogi", "Shioda & Ito 2021", "62159201802653400", |_| {
        placements(Variant::KyotoShogi)
    }),
    exactly("placements of Dobutsu shogi", "Tanaka 2009", "1567925964", |_| {
        placements(Variant::Dobutsu)
    }),
    exactly(
        "number 0 in the published order of Minishogi",
        "Ishii & Tanaka 2024",
        "Kpb2/ksb2/gs3/gr3/pr3 b - 1",
        |_| {
            let numbered = Variant::Minishogi.ranking().numbered("ishii-tanaka".parse()?)?;
            Ok(numbered.unrank(&BigUint::default(), None)?)
        },
    ),
    Published {
        what: "share of the candidates of Minishogi that are reachable, from 1,000,000 samples",
        source: "Ishii & Tanaka 2024, from 100,000,000",
        published: "0.148492",
        tolerance: Some(TOLERANCE),
        is_slow: false,
        find: reachable_share,
    },
    exactly(
        "bare kings of Minishogi, by a game that the rules alone have checked",
        "Ishii & Tanaka 2024",
        "reachable",
        bare_kings,
    ),
    exactly(
        "a dragon, a horse and a pawn in hand, in hundredths of a pawn, by material",
        "AI for playing shogi: 17, 15 and 1, in hand 30 % more",
        "3330",
        |_| {
            let material = Variant::Shogi.playing().evaluation(JudgedBy::Name("material"))?;
            Ok(material.explain(DRAGON_AND_HORSE)?.value.to_string())
        },
    ),
    exactly(
        "start KBR of 3x4 shogi by PDS, with a proof that the rules alone have checked",
        "Shibahara, Tajima & Kotani 2006: all starts",
        "solved",
        pds,
    ),
    exactly("plies of the mate problem Kotobuki", "Ito Kanju, Zuko 100 (1755)", "611", kotobuki),
    exactly(
        "Kyoto shogi after 1e1d+ 3a4b, by a proof that the rules alone have checked",
        "Shioda & Ito 2021",
        "win for sente",
        kyoto,
    ),
    Published {
        what: "starts KGG and GKG of 3x4 shogi, from their tablebase",
        source: "theorems in Coq, docs/results/verified.md",
        published: "draw, draw",
        tolerance: None,
        is_slow: true,
        find: gold_generals,
    },
];

fn perft(variant: Variant, depth: u8) -> Result<String> {
    Ok(variant.rules().perft("startpos", depth)?.to_string())
}

fn placements(variant: Variant) -> Result<String> {
    Ok(variant.ranking().by_hand().iter().sum::<BigUint>().to_string())
}

fn reachable_share(interrupt: &Interrupt) -> Result<String> {
    let sampling = Variant::Minishogi.reach().sampling(Method::Plain)?;
    let run = sampling.run(1, SAMPLES, &mut |_, _| ControlFlow::Continue(()))?;
    let (done, findings) = sampling.tally(&run, 0..SAMPLES, &mut |_, _| {
        if interrupt.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    Ok(format!("{:.6}", findings.sum().ok as f64 / done.max(1) as f64))
}

fn bare_kings(_: &Interrupt) -> Result<String> {
    let reach = Variant::Minishogi.reach();
    let classified = reach.classifier(SearchLimit::default(), true)?.classify(BARE_KINGS)?;
    let certificate = classified.certificate.context("there is no certificate")?;
    reach.verify(&certificate)?;
    Ok(match certificate {
        Certificate::Game { .. } => "reachable".to_owned(),
        _ => classified.stage.name().to_owned(),
    })
}

fn pds(interrupt: &Interrupt) -> Result<String> {
    let (algorithm, hash_bytes) = (Algorithm::Pds, 64 << 20);
    let options = Options { algorithm, hash_bytes, small_game: 0, ..Options::default() };
    let start = Variant::Shogi34.rules().named_start("KBR")?;
    let mut solver = Variant::Shogi34.solving().solver(&start, options)?;
    solver.run(&mut Budget::nodes(10_000_000).stopped_by(interrupt.flag()));
    let solution = solver.into_solution(None);
    let proof = solution.proof.context("there is no proof")?;
    proof.check()?;
    Ok(if solution.value.is_some() { "solved" } else { "unknown" }.to_owned())
}

fn kotobuki(interrupt: &Interrupt) -> Result<String> {
    let mut session = Session::new(Budget::unlimited().stopped_by(interrupt.flag()));
    let mate = MateTask::default().answer(Variant::Shogi, KOTOBUKI, &mut session)?;
    Ok(mate.plies.map_or_else(|| "none".to_owned(), |plies| plies.to_string()))
}

fn kyoto(_: &Interrupt) -> Result<String> {
    let reader: AnyReader<'_> = Reader::new(Box::new(KYOTO_PROOF) as Box<dyn Read>)?;
    let proof = Variant::KyotoShogi.proofs().load(reader)?;
    proof.check()?;
    // The position before Sente's answer is the one that is claimed.
    let rules = Variant::KyotoShogi.rules();
    let claimed = proof.claimed(None);
    let root = rules.position("startpos moves 1e1d+ 3a4b", None)?;
    ensure!(
        rules.is_same_placement(&claimed.root, &root)?,
        "the proof is of another position, {}",
        claim_text(&claimed)
    );
    let text = claim_text(&claimed);
    Ok(text.split(" in ").next().unwrap_or_default().to_owned())
}

fn gold_generals(interrupt: &Interrupt) -> Result<String> {
    let rules = Variant::Shogi34.rules();
    let starts = [rules.named_start("KGG")?, rules.named_start("GKG")?];
    if let Some(TablebaseFile::Found(_, table)) = TablebaseFile::find(Variant::Shogi34, &starts[0])?
    {
        return values(&*table, &starts);
    }
    let world = Variant::Shogi34.tablebases().context("there are no tablebases")?;
    let out = env::temp_dir().join(format!("shogi-selftest-{}.tablebase", process::id()));
    let build = TablebaseBuild { set: Some("GG".to_owned()), ..TablebaseBuild::new(out.clone()) };
    let built = world.build(&build, &mut |_| {
        if interrupt.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let found = match built {
        Ok(Some(_)) => {
            world.open(&out).map_err(Into::into).and_then(|table| values(&*table, &starts))
        }
        Ok(None) => Ok("unknown".to_owned()),
        Err(error) => Err(error.into()),
    };
    // What could not be built is not there.
    let _ = fs::remove_file(&out);
    found
}

/// The values of positions.
fn values(table: &dyn AnyTablebase, positions: &[String]) -> Result<String> {
    let values: Vec<_> = positions
        .iter()
        .map(|position| Ok(table.value(position)?.verdict.name()))
        .collect::<Result<_>>()?;
    Ok(values.join(", "))
}

/// The tablebase of Dobutsu shogi, if it lies where the program looks for it.
pub fn dobutsu_table() -> Result<Option<Box<dyn AnyTablebase>>> {
    Ok(match TablebaseFile::find(Variant::Dobutsu, "startpos")? {
        Some(TablebaseFile::Found(_, table)) => Some(table),
        _ => None,
    })
}

fn dobutsu(_: &Interrupt) -> Result<String> {
    let table = dobutsu_table()?.context("the tablebase is not there any more")?;
    let probed = table.probe("startpos", None)?;
    let plies = probed.plies.map_or(String::new(), |plies| format!(" in {plies} plies"));
    Ok(format!("{}{plies}", probed.value.name()))
}
