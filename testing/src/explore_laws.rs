//! The law of the fuzz target on the routes of the explorer.
//!
//! It stands apart from the other laws, as that on USI does: an ordinary test of the explorer's crate runs
//! it over the seed corpus (crates/shogi-explore/tests/it/corpus.rs).

use std::sync::LazyLock;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use shogi_explore::{Explorer, Hosts, Limits, router};
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt as _;

const PORT: u16 = 8000;
/// What is served has fewer bytes, searches aside.
const LONGEST: usize = 16 << 20;

/// A server with a proof, that takes little time and memory, and what it runs on.
static SERVER: LazyLock<(Router, Runtime)> = LazyLock::new(|| {
    let proof = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/shogi-explore/tests/kbr.proof");
    let explorer = Explorer::open(&[proof]).unwrap_or_else(|error| panic!("{error}"));
    let limits = Limits { search_seconds: 1, ..Limits::default() };
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
    (
        router(explorer, Hosts::loop_back(), PORT, limits),
        runtime.unwrap_or_else(|error| panic!("{error}")),
    )
});

/// Every request is answered: by a file of the page, by a stream of events, or by an object in JSON, which
/// has a text for `error` exactly where the status is no success. Nothing is a mistake of the server.
///
/// The first line of the input is the method and the path, the rest the body. Returns the status.
pub fn explore_routes(input: &[u8]) -> u16 {
    let (line, body) = match input.iter().position(|&byte| byte == b'\n') {
        Some(end) => (&input[..end], &input[end + 1..]),
        None => (input, &[][..]),
    };
    let line = String::from_utf8_lossy(line);
    let (method, path) = line.split_once(' ').unwrap_or(("GET", &line));
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::HOST, format!("127.0.0.1:{PORT}"))
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(body.to_vec()));
    // What is no request at all does not come through to the routes.
    let Ok(request) = request else { return 400 };
    let (router, runtime) = &*SERVER;
    runtime.block_on(async {
        let response = match router.clone().oneshot(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        };
        let status = response.status();
        assert!(status.as_u16() != 500, "{line}");
        let content = response.headers().get(header::CONTENT_TYPE).cloned();
        let content = content.and_then(|value| value.to_str().ok().map(str::to_owned));
        let content = content.unwrap_or_default();
        if content == "text/event-stream" {
            // The search ends with its stream.
            return status.as_u16();
        }
        let read = to_bytes(response.into_body(), LONGEST).await;
        let bytes = read.unwrap_or_else(|error| panic!("{line}: {error}"));
        let is_head = method == "HEAD";
        if content == "application/json" && !is_head {
            let answer: serde_json::Value = match serde_json::from_slice(&bytes) {
                Ok(answer) => answer,
                Err(error) => panic!("{line}: {error}"),
            };
            assert_eq!(answer["error"].is_string(), !status.is_success(), "{line}: {answer}");
        } else {
            assert!(status.is_success() && (is_head || !bytes.is_empty()), "{line}: {status}");
        }
        status.as_u16()
    })
}
