//! The routes of a tablebase service: read only, for pages of any site. Values of positions, and the files themselves, of
//! which clients may read parts.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Extension, Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::sync::Semaphore;

use crate::explorer::refused;
use crate::fault::Fault;
use crate::rate::RateBound;
use crate::sent_file::SentFile;
use crate::server::{ClientAddress, Connection, Limits, in_turn, working};
use crate::service::Service;

/// The description of the service for programs.
const DESCRIPTION: &str = include_str!("openapi.json");

/// The state that all handlers share.
#[derive(Clone)]
struct Shared {
    service: Arc<Service>,
    bound: Arc<RateBound>,
    questions: Arc<Semaphore>,
    seconds: u64,
}

/// A position to look up.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct OfPosition {
    sfen: String,
}

/// The routes of a tablebase service, as a service of its own for tests and other servers: `/` lists the tablebases,
/// `/dobutsu?sfen=...` is a probe, `/files/dobutsu.tablebase` a file, `/openapi.json` describes all. Each address is answered so many requests a
/// second in the long run; 0 is no bound.
pub fn service_router(service: Service, limits: Limits, rate: u32) -> Router {
    let shared = Shared {
        service: Arc::new(service),
        bound: Arc::new(RateBound::new(rate)),
        questions: Arc::new(Semaphore::new(limits.questions)),
        seconds: limits.seconds,
    };
    Router::new()
        .route("/", get(about))
        .route("/openapi.json", get(description))
        .route("/files/{name}", get(file))
        .route("/{variant}", get(probe))
        .fallback(|| async { Fault::Absent })
        .method_not_allowed_fallback(|| async { Fault::Method })
        .layer(middleware::from_fn_with_state(shared.clone(), open_to_all))
        .with_state(shared)
}

/// Lets pages of other sites read the answers, and bounds the requests of an address.
async fn open_to_all(
    State(shared): State<Shared>,
    client: Option<Extension<ClientAddress>>,
    request: Request,
    next: Next,
) -> Response {
    let preflight = request.method() == Method::OPTIONS;
    let counted = client.filter(|_| !preflight);
    let allowed = counted.is_none_or(|Extension(ClientAddress(address))| {
        shared.bound.allows(address, Instant::now())
    });
    let mut response = if preflight {
        StatusCode::NO_CONTENT.into_response()
    } else if allowed {
        next.run(request).await
    } else {
        Fault::TooFast.into_response()
    };
    let headers = response.headers_mut();
    let mut insert = |name, value| headers.insert(name, HeaderValue::from_static(value));
    insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*");
    insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, "Accept-Ranges, Content-Range, ETag");
    insert(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    if preflight {
        insert(header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, OPTIONS");
        insert(header::ACCESS_CONTROL_ALLOW_HEADERS, "If-None-Match, If-Range, Range");
        insert(header::ACCESS_CONTROL_MAX_AGE, "86400");
    } else if !allowed {
        insert(header::RETRY_AFTER, "1");
    }
    response
}

async fn about(
    State(shared): State<Shared>,
    connection: Connection,
    headers: HeaderMap,
) -> Response {
    let service = Arc::clone(&shared.service);
    let about = in_turn(&shared.questions, shared.seconds, connection, move || service.about());
    tagged(about.await.map(|about| about.to_string()), &headers)
}

async fn description(headers: HeaderMap) -> Response {
    tagged(Ok(DESCRIPTION.to_owned()), &headers)
}

async fn probe(
    State(shared): State<Shared>,
    variant: Result<Path<String>, PathRejection>,
    query: Result<Query<OfPosition>, QueryRejection>,
    connection: Connection,
    headers: HeaderMap,
) -> Response {
    let Ok(Path(variant)) = variant else { return Fault::Absent.into_response() };
    let sfen = match query {
        Ok(Query(OfPosition { sfen })) => sfen,
        Err(error) => return Fault::Malformed(error.body_text()).into_response(),
    };
    let service = Arc::clone(&shared.service);
    let probe = move || service.probe(&variant, &sfen);
    let probed = in_turn(&shared.questions, shared.seconds, connection, probe).await;
    tagged(probed.map(|value| value.to_string()), &headers)
}

/// A tablebase itself.
async fn file(
    State(shared): State<Shared>,
    name: Result<Path<String>, PathRejection>,
    connection: Connection,
    method: Method,
    headers: HeaderMap,
) -> Response {
    let Ok(Path(name)) = name else { return Fault::Absent.into_response() };
    let service = Arc::clone(&shared.service);
    let sending = working(connection.clone());
    let open = move || {
        let path = service.file(&name).ok_or(Fault::Absent)?;
        SentFile::open(path).map_err(|error| refused(&name, error))
    };
    match in_turn(&shared.questions, shared.seconds, connection, open).await {
        Ok(file) => file.answer(&method, &headers, sending),
        Err(fault) => fault.into_response(),
    }
}

/// How long answers may be kept: a tablebase changes with the program that serves it, if ever.
pub(crate) const CACHED: &str = "public, max-age=86400";

/// Whether the client has the answer with this tag.
pub(crate) fn is_known(tag: &str, request: &HeaderMap) -> bool {
    let known = request.get_all(header::IF_NONE_MATCH).iter().filter_map(|tags| tags.to_str().ok());
    known
        .flat_map(|tags| tags.split(','))
        .map(|known| known.trim().trim_start_matches("W/"))
        .any(|known| known == tag || known == "*")
}

/// An answer with its tag, or that it is the one that the client has.
fn tagged(answer: Result<String, Fault>, request: &HeaderMap) -> Response {
    let answer = match answer {
        Ok(answer) => answer,
        Err(fault) => return fault.into_response(),
    };
    let mut hasher = DefaultHasher::new();
    answer.hash(&mut hasher);
    let tag = format!("\"{:016x}\"", hasher.finish());
    let headers = [(header::ETAG, tag), (header::CACHE_CONTROL, CACHED.to_owned())];
    if is_known(&headers[0].1, request) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    (headers, [(header::CONTENT_TYPE, "application/json")], answer).into_response()
}
