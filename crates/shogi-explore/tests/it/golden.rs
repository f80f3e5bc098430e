//! The answers of the explorer, which are those of the program's verbs, compared with `tests/golden.json`: what is rewritten
//! behind them changes none of them unseen.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};
use shogi_explore::{Explorer, solve};

use crate::common::proof;

/// Games with positions of them: the start, after some moves, mates, and what is refused.
const POSITIONS: [(&str, &[&str]); 7] = [
    (
        "minishogi",
        &[
            "startpos",
            "startpos moves 5d5c 2a3b 4e3d",
            "4k/5/3PP/5/K4 b G 1",
            "4k/2S2/4G/5/R4 b rbgsp 1",
            "r1k2/2p2/5/2P2/2K2 b RBGSbgs 1",
            "kgsbr/p4/5/4P/RBSGK b - 1",
            "startpos moves 5d5b",
            "9/9",
        ],
    ),
    ("kyotoshogi", &["startpos", "startpos moves 5e5d", "p+nks+l/5/5/5/L+S1+NP w K 1"]),
    (
        "shogi",
        &[
            "startpos moves 7g7f 3c3d",
            "l2k5/9/3S2S2/9/9/9/9/9/9 b B2N2rb4g2s2n3l18p 1",
            "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
            "4k4/9/9/9/9/9/9/9/4K4 b P 1",
        ],
    ),
    ("shogi34", &["startpos", "rkr/1p1/1P1/RKR b - 1"]),
    ("dobutsu", &["startpos", "startpos moves 2c2b 2a2b", "1k1/3/3/1K1 b Cc 1"]),
    ("judkins", &["startpos", "5k/6/4G1/6/6/K5 b R 1"]),
    (NINE, &["startpos", "1k1/1p1/1K1 w - 1", "1k1/1p1/1P1/1K1 b - 1"]),
];

/// A game of three ranks, as a text.
const NINE: &str = "
name = \"nine\"
start = \"1k1/1p1/1K1 b - 1\"
[pieces]
P = { front = \"pawn\", back = \"gold\" }
K = { front = \"king\", royal = true }
";

/// Longer answers are stored as a hash.
const LONG: usize = 900;

/// FNV-1a.
fn hash(text: &str) -> String {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, step))
}

/// Answers by question and request.
struct Answers {
    explorer: Explorer,
    all: Map<String, Value>,
}

impl Answers {
    fn ask(&mut self, question: &str, request: &Value) {
        let request = request.to_string();
        let answer = self.explorer.answer(question, request.as_bytes());
        self.put(question, &request, answer.unwrap_or_else(|fault| fault.to_json()));
    }

    fn solve(&mut self, request: &Value) {
        let request = request.to_string();
        let (answer, file) =
            solve(request.as_bytes()).unwrap_or_else(|fault| (fault.to_json(), None));
        let file = file.map(|bytes| hash(&format!("{bytes:?}")));
        self.put("solve", &request, json!([answer, file]));
    }

    fn put(&mut self, question: &str, request: &str, answer: Value) {
        let text = answer.to_string();
        let short = if text.len() > LONG {
            json!(format!("{} {}", text.len(), hash(&text)))
        } else {
            answer
        };
        self.all.insert(format!("{question} {request}"), short);
    }

    /// All questions that need no file.
    fn ask_of(&mut self, variant: &str, positions: &[&str]) {
        self.ask("orders", &json!({ "variant": variant }));
        self.ask("variant", &json!({ "variant": variant }));
        for seed in 0..2 {
            self.ask("draw", &json!({ "variant": variant, "seed": seed }));
        }
        for name in ["RKR", "nonsense"] {
            self.ask("start", &json!({ "variant": variant, "in": name }));
        }
        for position in positions {
            let of = |more: Value| {
                let mut request = json!({ "variant": variant, "in": position });
                request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
                request
            };
            for question in ["diagram", "moves", "unmoves", "retract", "classify", "probe"] {
                self.ask(question, &of(json!({})));
            }
            self.ask("moves", &of(json!({ "dialect": "lishogi" })));
            for order in ["native", "ishii-tanaka", "king-legal"] {
                self.ask("rank", &of(json!({ "order": order })));
                self.ask("unrank", &json!({ "variant": variant, "in": "12345", "order": order }));
            }
            for shortest in [false, true] {
                self.ask("mate", &of(json!({ "shortest": shortest, "nodes": 20_000 })));
            }
            for to in ["usi", "kif", "json", "csa"] {
                self.ask("convert", &of(json!({ "from": "usi", "to": to })));
            }
            for notation in ["japanese", "western"] {
                let lines =
                    json!([{ "in": position, "moves": ["5d5c"] }, { "in": position, "moves": [] }]);
                self.ask(
                    "notate",
                    &json!({ "variant": variant, "notation": notation, "lines": lines }),
                );
            }
            self.solve(&of(json!({ "nodes": 3_000 })));
        }
    }
}

#[test]
fn no_answer_has_changed() {
    let mut answers = Answers { explorer: Explorer::open(&[proof()]).unwrap(), all: Map::new() };
    for (variant, positions) in POSITIONS {
        answers.ask_of(variant, positions);
    }
    for moves in ["root", "1d2c", "2d2c", "nonsense"] {
        for question in ["walk", "look-up", "line", "check"] {
            answers.ask(question, &json!({ "file": 0, "in": moves }));
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden.json");
    let golden: Map<String, Value> =
        serde_json::from_slice(&fs::read(path).unwrap_or_else(|_| b"{}".to_vec())).unwrap();
    let differs = |(request, answer): &(&String, &Value)| golden.get(*request) != Some(*answer);
    let changed: Vec<_> = answers.all.iter().filter(differs).collect();
    if !changed.is_empty() || golden.len() != answers.all.len() {
        let lines: Vec<_> = answers
            .all
            .iter()
            .map(|(request, answer)| format!("{}:{answer}", json!(request)))
            .collect();
        let now = Path::new(env!("CARGO_TARGET_TMPDIR")).join("golden.json");
        fs::write(&now, format!("{{\n{}\n}}\n", lines.join(",\n"))).unwrap();
        let (changed, now) = (&changed[..changed.len().min(3)], now.display());
        panic!(
            "{} answers, {} known; {changed:#?}; all are in {now}",
            answers.all.len(),
            golden.len()
        );
    }
}
