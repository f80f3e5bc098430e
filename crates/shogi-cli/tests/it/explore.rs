//! The page's server: it answers as the verbs do.

use crate::common;
use crate::proof::{knl, verify, write};

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use common::{folder, shogi, shogi_with};
use serde_json::{Value, json};
use shogi_solve::proof::Proof;

/// A running `shogi explore`, ended when it is dropped, with a connection to it.
struct Explore {
    child: Child,
    port: u16,
    connection: BufReader<TcpStream>,
}

impl Explore {
    fn start(files: &[&Path]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_shogi"));
        command.arg("explore").args(files).args(["--port", "0"]).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.trim().strip_prefix("http://127.0.0.1:").unwrap();
        let port = port.strip_suffix('/').unwrap().parse().unwrap();
        let connection = BufReader::new(TcpStream::connect(("127.0.0.1", port)).unwrap());
        Self { child, port, connection }
    }

    fn ask(&mut self, question: &str, request: &Value) -> Value {
        let (port, body) = (self.port, request.to_string());
        let request = format!(
            "POST /api/{question} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        self.connection.get_mut().write_all(request.as_bytes()).unwrap();
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.connection.read_line(&mut line).unwrap();
            let line = line.to_lowercase();
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length];
        self.connection.read_exact(&mut body).unwrap();
        serde_json::from_slice(&body).unwrap()
    }

    /// Asserts that the server says of each line what the verb says; returns how many these are.
    #[track_caller]
    fn agrees(&mut self, verb: &str, question: &str, request: &Value, lines: &[String]) -> usize {
        let said = shogi_with(verb, lines.join("\n")).lines();
        assert_eq!(said.len(), lines.len());
        for (line, mut said) in lines.iter().zip(said) {
            if let Some(said) = said.as_object_mut() {
                // The time depends on the machine.
                said.remove("seconds");
            }
            let mut request = request.clone();
            request["in"] = json!(line);
            assert_eq!(self.ask(question, &request), said, "{verb}: {line}");
        }
        lines.len()
    }

    /// Positions of a random game, each by its moves from the start; the game begins anew when it ends.
    fn positions(&mut self, variant: &str, start: &str, count: usize) -> Vec<String> {
        let (mut random, mut line, mut positions) = (1_u32, start.to_owned(), Vec::new());
        while positions.len() < count {
            positions.push(line.clone());
            let legal = self.ask("moves", &json!({ "variant": variant, "in": line }));
            let moves = legal["moves"].as_array().unwrap();
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            line = match moves.len() {
                0 => start.to_owned(),
                len => {
                    let before = if line.contains(" moves ") { "" } else { " moves" };
                    let next = moves[(random >> 16) as usize % len].as_str().unwrap();
                    format!("{line}{before} {next}")
                }
            };
        }
        positions
    }
}

impl Drop for Explore {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_server_gives_a_thousand_answers_of_the_program() {
    let folder = folder("explore");
    let (proof, table) = (folder.join("kbr.proof"), folder.join("table"));
    let made = shogi(&format!("solve shogi34 --start KBR --proof {}", proof.display()));
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let build = "tablebase build dobutsu --class E1G2L2 --out";
    let made = shogi(&format!("{build} {}", table.display()));
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let mut explore = Explore::start(&[&proof, &table]);
    let mut asked = 0;

    for variant in ["minishogi", "kyotoshogi", "shogi", "shogi34", "dobutsu"] {
        let request = json!({ "variant": variant });
        let mut positions = explore.positions(variant, "startpos", 45);
        positions.push("no position".to_owned());
        for verb in ["moves", "unmoves", "rank"] {
            asked += explore.agrees(&format!("{verb} {variant}"), verb, &request, &positions);
        }
        let ranks: Vec<_> = (1..=30_u64).map(|i| (i * i * 7_919_399).to_string()).collect();
        asked += explore.agrees(&format!("unrank {variant}"), "unrank", &request, &ranks);
        // The page's memory and bound, the program's own 10 MB on top.
        let verb = format!("mate {variant} --nodes 20000 --hash 74");
        let bounded = json!({ "variant": variant, "nodes": 20_000 });
        asked += explore.agrees(&verb, "mate", &bounded, &positions[..10]);
        let fairy = json!({ "variant": variant, "dialect": "fairy" });
        let verb = format!("moves {variant} --dialect fairy");
        asked += explore.agrees(&verb, "moves", &fairy, &positions[..10]);
        let verb = format!("classify {variant} --certificate");
        let dead_end = "1gp2/+r+b+s2/1+rk2/+p1+b2/K1Sg1 b - 1".to_owned();
        match variant {
            "minishogi" => {
                positions.push(dead_end);
                asked += explore.agrees(&verb, "classify", &request, &positions);
            }
            "kyotoshogi" => asked += explore.agrees(&verb, "classify", &request, &positions),
            _ => {}
        }
    }

    let probe = format!("tablebase probe {}", table.display());
    let positions = explore.positions("dobutsu", "sfen 1k1/3/1R1/1K1 b Rb 1", 60);
    asked += explore.agrees(&probe, "probe", &json!({ "variant": "dobutsu" }), &positions);

    // The prover's answer and a reply, from the root on.
    let mut walks = vec!["root".to_owned(), "root 1a1b".to_owned()];
    for i in 0.. {
        let Some(walk) = walks.get(i).cloned() else { break };
        let step = explore.ask("walk", &json!({ "file": 0, "in": walk }));
        let replies = step["replies"].as_array().into_iter().flatten();
        let replies = replies.map(|reply| reply["move"].as_str().unwrap().to_owned());
        let answer = step["move"].as_str().unwrap_or_default().to_owned();
        walks.extend(replies.take(2).map(|reply| format!("{walk} {answer} {reply}")));
        walks.truncate(60);
    }
    let verb = format!("proof walk {}", proof.display());
    asked += explore.agrees(&verb, "walk", &json!({ "file": 0 }), &walks);
    assert!(asked >= 1000, "{asked} questions");
}

#[test]
fn games_that_requests_describe_are_bounded_and_leave_room_for_the_built_in_ones() {
    let mut explore = Explore::start(&[]);
    let text = shogi("variant show shogi34").stdout;
    let mut moves = |variant: &str| {
        let answer = explore.ask("moves", &json!({ "variant": variant, "in": "startpos" }));
        answer["moves"].as_array().map(Vec::len).ok_or_else(|| answer["error"].to_string())
    };
    let described = |number: usize| text.replace("shogi34", &format!("own{number}"));
    let known = (0..300).take_while(|&number| moves(&described(number)).is_ok()).count();
    assert!((200..257).contains(&known), "{known}");
    let refusal = moves(&described(known)).unwrap_err();
    assert!(refusal.contains("there is no room for another"), "{refusal}");
    // What was there is there, and so is what is built in.
    assert_eq!(moves(&described(0)), moves("shogi34"));
    assert_eq!((moves("gorogoro"), moves("torishogi")), (Ok(16), Ok(17)));
}

#[test]
fn a_proof_is_checked_as_by_the_program() {
    let proof = knl();
    let mut strategy = proof.strategies()[0].clone();
    strategy.remove(proof.root()).unwrap();
    let refuted = Proof::new(*proof.root(), proof.claim(), vec![strategy]).unwrap();
    for (name, proof, holds) in [("holds", proof, true), ("fails", refuted, false)] {
        let path = write(&folder(&format!("explore-check-{name}")), &proof);
        let mut checked = Explore::start(&[&path]).ask("check", &json!({ "file": 0 }));
        assert_eq!(checked["ok"], holds);
        assert_eq!(checked.as_object_mut().unwrap().remove("in"), Some(json!("")));
        assert_eq!(checked, verify(&path).1);
    }
}

#[test]
fn a_server_that_other_machines_reach_says_so() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shogi"));
    command.args(["explore", "--host", "0.0.0.0", "--host", "shogi.lan"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut url = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
    let mut warning = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut warning).unwrap();
    let _ = child.kill();
    let _ = child.wait();
    assert!(url.starts_with("http://shogi.lan:"), "{url}");
    assert!(warning.contains("warning") && warning.contains("shogi.lan"), "{warning}");
}

#[test]
fn files_and_ports_that_cannot_be_used_are_named() {
    shogi("explore absent.proof").fails(1, "absent.proof: cannot read: No such file");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    shogi(&format!("explore --port {port}")).fails(1, &format!("cannot listen on port {port}"));
    shogi("explore --port 65536").fails(2, "65536");
    shogi("explore --host 0.0.0.0").fails(1, "--host");
    shogi("explore --host a:80").fails(1, "no name or address");
}
