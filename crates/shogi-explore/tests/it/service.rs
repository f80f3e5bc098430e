//! The tablebase service: values, tags, other sites, bounds.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::{env, fs, process, thread};

use serde_json::{Value, json};
use shogi_explore::{Fault, Limits, Server, Service};
use shogi_variants::Variant;
use shogi_variants::operations::TablebaseBuild;

use super::common::{Answer, proof, request};

/// A position of the tablebase below, and the same as it stands in a query.
pub const POSITION: &str = "1l1/3/1G1/1L1 b Ge 1";
const IN_QUERY: &str = "1l1/3/1G1/1L1%20b%20Ge%201";

/// A tablebase of Dobutsu shogi without chicks.
pub fn table() -> PathBuf {
    static TABLE: OnceLock<PathBuf> = OnceLock::new();
    let build = || {
        let folder = env::temp_dir().join(format!("shogi-service-{}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        let out = folder.join("e1g2l2.tablebase");
        let build =
            TablebaseBuild { set: Some("E1G2L2".into()), ..TablebaseBuild::new(out.clone()) };
        let world = Variant::Dobutsu.tablebases().unwrap();
        assert!(world.build(&build, &mut |_| ControlFlow::Continue(())).unwrap().is_some());
        out
    };
    TABLE.get_or_init(build).clone()
}

fn service() -> Service {
    Service::open(&[table()]).unwrap()
}

/// The port of a service that answers each address at this rate.
fn serve(rate: u32) -> u16 {
    let server = Server::bind(0).unwrap();
    let url = server.url();
    let port = url.trim_end_matches('/').rsplit(':').next().unwrap().parse().unwrap();
    thread::spawn(move || server.run_service(service(), Limits::default(), rate));
    port
}

fn get(port: u16, path: &str, headers: &str) -> Answer {
    request(port, "GET", path, &format!("Host: elsewhere.example\r\n{headers}"), "")
}

fn header<'a>(answer: &'a Answer, name: &str) -> Option<&'a str> {
    answer.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

#[test]
fn values_and_moves_are_those_of_the_tablebase() {
    let service = service();
    let value = service.probe("dobutsu", POSITION).unwrap();
    let table = Variant::Dobutsu.tablebases().unwrap().open(&table()).unwrap();
    let probed = table.probe(POSITION, None).unwrap();
    assert_eq!((&value["variant"], &value["sfen"]), (&json!("dobutsu"), &json!(POSITION)));
    assert_eq!(value["category"], probed.value.name());
    assert_eq!(value["moves"].as_array().unwrap().len(), probed.moves.len());
    for (served, known) in value["moves"].as_array().unwrap().iter().zip(&probed.moves) {
        assert_eq!(served["usi"], known.mv.as_str());
        // What is after the move is the opponent's to win or to lose.
        let after = service.probe("dobutsu", &format!("sfen {POSITION} moves {}", known.mv));
        let after = after.unwrap();
        assert_eq!([&served["category"], &served["dtm"]], [&after["category"], &after["dtm"]]);
    }
    let best = &value["moves"][0];
    assert_eq!(value["dtm"].as_i64().map(i64::abs), best["dtm"].as_i64().map(|dtm| dtm.abs() + 1));
}

#[test]
fn what_has_no_value_says_why() {
    let service = service();
    assert_eq!(service.probe("chess", POSITION), Err(Fault::Absent));
    assert_eq!(service.probe("minishogi", "startpos"), Err(Fault::Absent));
    let other = service.probe("dobutsu", "startpos");
    assert_eq!(other, Err(Fault::NoTable("dobutsu.tablebase".to_owned())));
    let refused = service.probe("dobutsu", "no position").unwrap_err();
    assert_eq!((refused.kind(), refused.status()), ("refused", 422));
    let error = Service::open(&[proof()]).err().unwrap().to_string();
    assert!(error.ends_with("kbr.proof: a proof, no tablebase"), "{error}");
    assert!(Service::open(&["absent"]).is_err());
}

#[test]
fn pages_of_any_site_are_answered_and_nothing_is_changed() {
    let port = serve(0);
    let site = "Origin: https://site.example\r\nSec-Fetch-Site: cross-site\r\n";
    let answer = get(port, &format!("/dobutsu?sfen={IN_QUERY}"), site);
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(answer.json(), service().probe("dobutsu", POSITION).unwrap());
    assert_eq!(header(&answer, "access-control-allow-origin"), Some("*"));
    assert_eq!(header(&answer, "content-type"), Some("application/json"));

    let asked = "Host: elsewhere.example\r\nAccess-Control-Request-Method: GET\r\n";
    let preflight = request(port, "OPTIONS", "/dobutsu", asked, "");
    assert_eq!(preflight.status, 204);
    assert_eq!(header(&preflight, "access-control-allow-methods"), Some("get, head, options"));

    for (path, status, kind) in [
        ("/chess?sfen=startpos", 404, "absent"),
        ("/a/b", 404, "absent"),
        ("/dobutsu", 400, "malformed"),
        ("/dobutsu?sfen=startpos&more=1", 400, "malformed"),
        ("/dobutsu?sfen=startpos", 404, "no-table"),
        ("/%ff?sfen=startpos", 404, "absent"),
    ] {
        get(port, path, "").fails(status, kind);
    }
    request(port, "POST", "/dobutsu", "Host: elsewhere.example\r\n", "").fails(405, "method");
    let refused = get(port, "/dobutsu?sfen=x", "");
    assert_eq!((refused.status, &refused.json()["in"]), (422, &json!("x")));
}

#[test]
fn an_answer_that_the_client_has_is_not_sent_again() {
    let port = serve(0);
    for path in ["/", "/openapi.json", &format!("/dobutsu?sfen={IN_QUERY}")] {
        let first = get(port, path, "");
        let tag = header(&first, "etag").unwrap();
        for known in [tag.to_owned(), format!("W/{tag}"), format!("\"other\", {tag}"), "*".into()] {
            let again = get(port, path, &format!("If-None-Match: {known}\r\n"));
            assert_eq!((again.status, again.body.as_str()), (304, ""), "{known}");
            assert_eq!(header(&again, "etag"), Some(tag));
        }
        let changed = get(port, path, "If-None-Match: \"other\"\r\n");
        assert_eq!((changed.status, changed.body), (200, first.body.clone()));
    }
}

#[test]
fn an_address_that_asks_too_much_has_to_wait() {
    let port = serve(2);
    let statuses: Vec<_> = (0..8).map(|_| get(port, "/openapi.json", "").status).collect();
    assert_eq!(statuses[..4], [200; 4]);
    let refused = get(port, "/openapi.json", "");
    if refused.status == 429 {
        refused.fails(429, "too-fast");
        assert_eq!(header(&refused, "retry-after"), Some("1"));
    }
    assert!(statuses.contains(&429) || refused.status == 429, "{statuses:?}");
}

/// The file of the tablebase.
const FILE: &str = "/files/dobutsu-E1G2L2.tablebase";

#[test]
fn a_file_is_read_whole_and_in_parts() {
    let (port, file) = (serve(0), fs::read(table()).unwrap());
    let whole = get(port, FILE, "");
    assert_eq!((whole.status, &whole.bytes), (200, &file));
    assert_eq!(header(&whole, "accept-ranges"), Some("bytes"));
    assert_eq!(header(&whole, "content-type"), Some("application/octet-stream"));
    let length = file.len();
    assert!(length > 1 << 14, "it is sent in several pieces");
    for (range, part) in [
        ("0-0", 0..1),
        ("100-199", 100..200),
        ("10000-30000", 10_000..30_001),
        ("12000-", 12_000..length),
        ("-5", length - 5..length),
    ] {
        let answer = get(port, FILE, &format!("Range: bytes={range}\r\n"));
        assert_eq!((answer.status, &answer.bytes[..]), (206, &file[part.clone()]), "{range}");
        let content = format!("bytes {}-{}/{length}", part.start, part.end - 1);
        assert_eq!(header(&answer, "content-range"), Some(content.as_str()));
        assert_eq!(header(&answer, "content-length"), Some(part.len().to_string().as_str()));
        assert_eq!(header(&answer, "etag"), header(&whole, "etag"));
        let exposed = header(&answer, "access-control-expose-headers").unwrap();
        assert!(exposed.contains("content-range"));
    }
    let outside = get(port, FILE, &format!("Range: bytes={length}-\r\n"));
    assert_eq!((outside.status, outside.body.as_str()), (416, ""));
    assert_eq!(header(&outside, "content-range"), Some(format!("bytes */{length}").as_str()));
    for ignored in ["bytes=1-0", "bytes=0-1,5-6", "lines=0-1", "bytes=x"] {
        let answer = get(port, FILE, &format!("Range: {ignored}\r\n"));
        assert_eq!((answer.status, answer.bytes.len()), (200, length), "{ignored}");
    }
    let twice = get(port, FILE, "Range: bytes=0-1\r\nRange: bytes=2-3\r\n");
    assert_eq!(twice.status, 200);
    let host = "Host: elsewhere.example\r\nRange: bytes=0-9\r\n";
    let head = request(port, "HEAD", FILE, host, "");
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    assert_eq!(header(&head, "content-length"), Some(length.to_string().as_str()));
    for path in [
        "/files/dobutsu.tablebase",
        "/files/",
        "/files/e1g2l2.tablebase",
        "/files/..%2Fe1g2l2.tablebase",
    ] {
        get(port, path, "").fails(404, "absent");
    }
}

#[test]
fn a_part_of_another_file_is_not_sent() {
    let port = serve(0);
    let tag = header(&get(port, FILE, "Range: bytes=0-0\r\n"), "etag").unwrap().to_owned();
    let status =
        |condition: &str| get(port, FILE, &format!("Range: bytes=0-9\r\n{condition}\r\n")).status;
    assert_eq!(status(&format!("If-Range: {tag}")), 206);
    for other in
        [format!("W/{tag}"), "\"other\"".to_owned(), "Thu, 26 Nov 2026 00:00:00 GMT".to_owned()]
    {
        assert_eq!(status(&format!("If-Range: {other}")), 200, "{other}");
    }
    assert_eq!(status(&format!("If-None-Match: {tag}")), 304);
    assert_eq!(status("If-None-Match: \"other\""), 206);
}

#[test]
fn the_description_names_what_is_answered() {
    let port = serve(0);
    let described = get(port, "/openapi.json", "").json();
    let paths: Vec<_> = described["paths"].as_object().unwrap().keys().collect();
    assert_eq!(paths, ["/", "/openapi.json", "/files/{name}", "/{variant}"]);
    let keys = |value: &Value| -> Vec<String> {
        let mut keys: Vec<_> = value.as_object().unwrap().keys().cloned().collect();
        keys.sort();
        keys
    };
    let schemas = &described["components"]["schemas"];
    let about = get(port, "/", "").json();
    let value = service().probe("dobutsu", POSITION).unwrap();
    for (schema, answer) in [
        ("About", &about),
        ("Tablebase", &about["tablebases"][0]),
        ("Value", &value),
        ("Move", &value["moves"][0]),
    ] {
        assert_eq!(keys(&schemas[schema]["properties"]), keys(answer), "{schema}");
    }
    assert_eq!(about["tablebases"][0]["name"], "dobutsu-E1G2L2.tablebase");
}
