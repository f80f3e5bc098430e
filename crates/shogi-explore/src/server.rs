//! The server: the explorer's questions over HTTP, with bounds on the size, the time and the number of
//! requests.

use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, TcpListener};
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Extension, Path, Query, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use shogi_variants::solve::Budget;
use shogi_variants::tasks::{ReportTask, Task as _};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::connections::{
    Activity, Admission, ConnectionSlot, Connections, WatchedStream, Working,
};
use crate::explorer::{Explorer, refused};
use crate::fault::Fault;
use crate::files::OpenError;
use crate::guard::{self, Hosts};
use crate::page::ASSETS;
use crate::proving::solve_within;
use crate::requests::{OfSearch, OfWatched};
use crate::search::{Search, Work, engine, reporter, solver};
use crate::service::Service;
use crate::service_router::service_router;

/// The load that a server bears at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most bytes of a request's body.
    pub body_bytes: usize,
    /// The most seconds for one answer, waiting for its turn included, and for the head of a request to
    /// come in.
    pub seconds: u64,
    /// The most connections; a new one takes the place of the one that has waited longest for its client,
    /// to send a request or to read an answer, and waits where the server works for all.
    pub connections: usize,
    /// The most connections from one address; a new one takes the place of the address's own, and is closed
    /// where the server works for all of them.
    pub address_connections: usize,
    /// The most seconds that a client may read nothing while an answer waits for it.
    pub read_seconds: u64,
    /// The most questions that are being answered; others wait.
    pub questions: usize,
    /// The most searches that are open; others are refused.
    pub searches: usize,
    /// The most searches that run, each on one thread; other open ones wait for their turn.
    pub running: usize,
    /// The most seconds of a search.
    pub search_seconds: u64,
    /// The most bytes of all files together that pages open, and of proofs that they have made.
    pub file_bytes: usize,
}

impl Default for Limits {
    /// A megabyte, 20 seconds, 256 connections, 64 of them from one address, 8 questions, 64 searches of
    /// 10 minutes, of which four for each processor run, and 256 MiB of files.
    fn default() -> Self {
        Self {
            body_bytes: 1 << 20,
            seconds: 20,
            connections: 256,
            address_connections: 64,
            read_seconds: 20,
            questions: 8,
            searches: 64,
            running: 4 * available_parallelism().map_or(1, NonZero::get),
            search_seconds: 600,
            file_bytes: 256 << 20,
        }
    }
}

/// A server that has its port, and answers once it runs.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    hosts: Hosts,
    port: u16,
}

impl Server {
    /// Takes a port of the loop-back address 127.0.0.1; port 0 takes a free one.
    ///
    /// # Errors
    ///
    /// If the port is taken or may not be used.
    pub fn bind(port: u16) -> io::Result<Self> {
        Self::bind_to(Hosts::loop_back(), port)
    }

    /// Takes a port of another address, and answers requests for these hosts only. Whoever reaches the
    /// address gets answers; nothing is encrypted.
    ///
    /// # Errors
    ///
    /// If the port is taken or may not be used, or the address is not this machine's.
    pub fn bind_to(hosts: Hosts, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind(hosts.address(port))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        Ok(Self { listener, hosts, port })
    }

    /// The address of the page, such as `http://127.0.0.1:8000/`.
    pub fn url(&self) -> String {
        format!("http://{}:{}/", self.hosts.first(), self.port)
    }

    /// Serves the page and answers its questions for as long as the program runs.
    ///
    /// # Errors
    ///
    /// If the system refuses threads or the listener.
    pub fn run(self, explorer: Explorer, limits: Limits) -> io::Result<()> {
        let router = router(explorer, self.hosts.clone(), self.port, limits);
        self.run_router(router, limits)
    }

    /// Serves the values of tablebases to programs on any machine that reaches the address, and to pages of any site,
    /// for as long as the program runs. Each address is answered so many requests a second in the long run; 0
    /// is no bound.
    ///
    /// # Errors
    ///
    /// If the system refuses threads or the listener.
    pub fn run_service(self, service: Service, limits: Limits, rate: u32) -> io::Result<()> {
        self.run_router(service_router(service, limits, rate), limits)
    }

    fn run_router(self, router: Router, limits: Limits) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            // Questions are bounded by their own number; a few more wait in the queue.
            .max_blocking_threads(limits.questions.max(1))
            .enable_all()
            .build()?;
        runtime.block_on(self.accept(router, limits))
    }

    async fn accept(self, router: Router, limits: Limits) -> io::Result<()> {
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let Limits { connections, address_connections, .. } = limits;
        let connections = Arc::new(Connections::new(connections, address_connections));
        loop {
            let (stream, address) = match listener.accept().await {
                Ok(accepted) => accepted,
                Err(_) => {
                    // Such as too many open files: it may pass.
                    tokio::time::sleep(RETRY).await;
                    continue;
                }
            };
            let place = loop {
                match connections.admit(address.ip()) {
                    Admission::Open(place) => break Some(place),
                    Admission::Later => tokio::time::sleep(RETRY).await,
                    Admission::Refused => break None,
                }
            };
            let Some(place) = place else { continue };
            let activity = Arc::clone(place.activity());
            let router = router.clone().layer(Extension(ClientAddress(address.ip())));
            let task = tokio::spawn(serve(stream, router, place, limits));
            connections.served_by(&activity, task.abort_handle());
        }
    }
}

/// How soon the server looks again whether there is room.
const RETRY: Duration = Duration::from_millis(50);

/// Answers the requests of a connection until it ends.
async fn serve(stream: TcpStream, router: Router, place: ConnectionSlot, limits: Limits) {
    let _ = stream.set_nodelay(true);
    let activity = place.activity();
    let patience = Duration::from_secs(limits.read_seconds);
    let stream = WatchedStream::new(stream, Arc::clone(activity), patience);
    let router = router.layer(Extension(Arc::clone(activity)));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(Duration::from_secs(limits.seconds))
        .max_buf_size(64 << 10)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    // A browser that goes away is no error.
    let _ = connection.await;
}

/// The state that all handlers share.
#[derive(Clone)]
struct Shared {
    explorer: Arc<Explorer>,
    hosts: Arc<Hosts>,
    port: u16,
    limits: Limits,
    questions: Arc<Semaphore>,
    searches: Arc<Semaphore>,
    running: Arc<Semaphore>,
    /// One file is sent at a time.
    sending: Arc<Semaphore>,
}

/// The routes of a server that is reached under these hosts on a port, as a service of its own for tests and
/// other servers.
pub fn router(explorer: Explorer, hosts: Hosts, port: u16, limits: Limits) -> Router {
    let shared = Shared {
        explorer: Arc::new(explorer),
        hosts: Arc::new(hosts),
        port,
        limits,
        questions: Arc::new(Semaphore::new(limits.questions)),
        searches: Arc::new(Semaphore::new(limits.searches)),
        running: Arc::new(Semaphore::new(limits.running)),
        sending: Arc::new(Semaphore::new(1)),
    };
    let page = ASSETS.iter().fold(Router::new(), |router, asset| {
        router.route(asset.path, get(move || async move { asset }))
    });
    page.route("/api/about", get(about))
        .route("/api/search", get(search))
        .route(guard::OPEN, post(open))
        .route("/api/solve", get(solve_watched).post(solve))
        .route("/api/report", get(report_watched).post(report))
        .route("/api/{question}", post(ask))
        .fallback(|| async { Fault::Absent })
        .method_not_allowed_fallback(|| async { Fault::Method })
        .layer(middleware::from_fn_with_state(shared.clone(), guarded))
        .with_state(shared)
}

/// Keeps pages of other sites out.
async fn guarded(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let (own, port) = (&*shared.hosts, shared.port);
    let checked =
        guard::check(request.method(), request.uri().path(), request.headers(), own, port);
    let mut response = match checked {
        Ok(()) => next.run(request).await,
        Err(fault) => fault.into_response(),
    };
    guard::seal(response.headers_mut());
    response
}

/// Where a request comes from.
#[derive(Clone, Copy)]
pub(crate) struct ClientAddress(pub(crate) IpAddr);

/// The connection that a request came by; none where the router is served by another server.
pub(crate) type Connection = Option<Extension<Arc<Activity>>>;

/// Notes that the server works for a connection.
pub(crate) fn working(connection: Connection) -> Option<Working> {
    connection.map(|Extension(activity)| activity.work())
}

async fn about(State(shared): State<Shared>, connection: Connection) -> Response {
    let explorer = Arc::clone(&shared.explorer);
    answered(&shared, connection, move |stop| explorer.about_until(stop)).await
}

async fn ask(
    State(shared): State<Shared>,
    question: Result<Path<String>, PathRejection>,
    connection: Connection,
    body: Body,
) -> Response {
    // A name that is no text is no question either.
    let Ok(Path(question)) = question else { return Fault::Absent.into_response() };
    if !Explorer::QUESTIONS.contains(&question.as_str()) {
        return Fault::Absent.into_response();
    }
    let body = match received(body, shared.limits.body_bytes, shared.limits.seconds).await {
        Ok(body) => body,
        Err(fault) => return fault.into_response(),
    };
    let explorer = Arc::clone(&shared.explorer);
    answered(&shared, connection, move |stop| explorer.answer_until(&question, &body, stop)).await
}

/// The body of a request, which has a bound and comes in time.
async fn received(body: Body, most: usize, seconds: u64) -> Result<Bytes, Fault> {
    match timeout(Duration::from_secs(seconds), to_bytes(body, most)).await {
        Ok(Ok(body)) => Ok(body),
        Ok(Err(_)) => Err(Fault::TooLarge(most)),
        Err(_) => Err(Fault::TimedOut(seconds)),
    }
}

/// The name of a file that is sent.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct FileName {
    name: String,
}

/// Opens a file that is sent, and answers with the list of all.
async fn open(
    State(shared): State<Shared>,
    connection: Connection,
    query: Result<Query<FileName>, QueryRejection>,
    body: Body,
) -> Response {
    let name = match query {
        Ok(Query(FileName { name })) => name,
        Err(error) => return Fault::Malformed(error.body_text()).into_response(),
    };
    let Limits { seconds, file_bytes, .. } = shared.limits;
    let turn = timeout(Duration::from_secs(seconds), Arc::clone(&shared.sending).acquire_owned());
    let Ok(Ok(turn)) = turn.await else { return Fault::Busy.into_response() };
    let room = file_bytes.saturating_sub(shared.explorer.added_bytes());
    let body = match received(body, room, seconds).await {
        Ok(body) => body,
        Err(fault) => return fault.into_response(),
    };
    let explorer = Arc::clone(&shared.explorer);
    let opened = move |stop: &AtomicBool| {
        let _turn = turn;
        let refused = |error: OpenError| refused(&name, error);
        explorer.add(&name, body.into()).map_err(refused)?;
        explorer.about_until(stop)
    };
    answered(&shared, connection, opened).await
}

/// Solves a position until the client has gone or its time is over, and opens the proof: `file` is its
/// place among the files, where there is one and room for it.
async fn solve(State(shared): State<Shared>, connection: Connection, body: Body) -> Response {
    let Limits { body_bytes, seconds, file_bytes, .. } = shared.limits;
    let body = match received(body, body_bytes, seconds).await {
        Ok(body) => body,
        Err(fault) => return fault.into_response(),
    };
    let explorer = Arc::clone(&shared.explorer);
    // Some time is left for the proof to be written and read.
    let time = Duration::from_millis(seconds.saturating_mul(750));
    let solved = move |stop: &AtomicBool| {
        let budget = Budget::unlimited().time(time).stopped_by(stop);
        let (answer, proof) = solve_within(&body, budget)?;
        Ok(with_proof_open(&explorer, file_bytes, answer, proof))
    };
    answered(&shared, connection, solved).await
}

/// Opens the proof of an answer, if there is room for it, and says in the answer which file it is.
fn with_proof_open(
    explorer: &Explorer,
    file_bytes: usize,
    mut answer: serde_json::Value,
    proof: Option<Vec<u8>>,
) -> serde_json::Value {
    let room = file_bytes.saturating_sub(explorer.added_bytes());
    let proof = proof.filter(|proof| proof.len() <= room);
    let name = format!("solved-{}.proof", explorer.files().len() + 1);
    let file = proof.and_then(|proof| explorer.add(&name, proof).ok());
    answer["file"] = serde_json::json!(file);
    answer
}

/// Solves a position as a stream of events, which say how far the search has come; the last one has the answer.
async fn solve_watched(
    State(shared): State<Shared>,
    connection: Connection,
    query: Result<Query<OfWatched>, QueryRejection>,
) -> Response {
    let ask = match query {
        Ok(Query(ask)) => ask,
        Err(error) => return Fault::Malformed(error.body_text()).into_response(),
    };
    let explorer = Arc::clone(&shared.explorer);
    let file_bytes = shared.limits.file_bytes;
    let keep = move |answer, proof| with_proof_open(&explorer, file_bytes, answer, proof);
    streamed(&shared, connection, |seconds| Ok(solver(ask, seconds, keep)))
}

/// The question that has an address with a stream of events.
async fn report(shared: State<Shared>, connection: Connection, body: Body) -> Response {
    ask(shared, Ok(Path(ReportTask::NAME.to_owned())), connection, body).await
}

/// Reports on a game as a stream of events, which say how far the report has come; the last one has it.
async fn report_watched(
    State(shared): State<Shared>,
    connection: Connection,
    query: Result<Query<OfWatched>, QueryRejection>,
) -> Response {
    match query {
        Ok(Query(ask)) => streamed(&shared, connection, |seconds| Ok(reporter(ask, seconds))),
        Err(error) => Fault::Malformed(error.body_text()).into_response(),
    }
}

/// Stops what watches the flag when this is dropped, as an answer is whose client has gone.
#[derive(Default)]
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Answers a question when it is its turn. The flag is set when the client has gone, or waits no longer.
async fn answered(
    shared: &Shared,
    connection: Connection,
    answer: impl FnOnce(&AtomicBool) -> Result<serde_json::Value, Fault> + Send + 'static,
) -> Response {
    let stopped = StopOnDrop::default();
    let stop = Arc::clone(&stopped.0);
    let answer = move || answer(&stop);
    match in_turn(&shared.questions, shared.limits.seconds, connection, answer).await {
        Ok(answer) => {
            ([(header::CONTENT_TYPE, "application/json")], answer.to_string()).into_response()
        }
        Err(fault) => fault.into_response(),
    }
}

/// Works on a thread that may take its time, when it is the question's turn.
pub(crate) async fn in_turn<T: Send + 'static>(
    questions: &Arc<Semaphore>,
    seconds: u64,
    connection: Connection,
    work: impl FnOnce() -> Result<T, Fault> + Send + 'static,
) -> Result<T, Fault> {
    let _working = working(connection);
    let turn = timeout(Duration::from_secs(seconds), Arc::clone(questions).acquire_owned());
    let Ok(Ok(permit)) = turn.await else { return Err(Fault::Busy) };
    // What takes too long keeps its permit until it ends, so that no more than so many run.
    let work = spawn_blocking(move || {
        let done = work();
        drop(permit);
        done
    });
    match timeout(Duration::from_secs(seconds), work).await {
        Ok(Ok(done)) => done,
        Ok(Err(_)) => Err(Fault::Lost),
        Err(_) => Err(Fault::TimedOut(seconds)),
    }
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status());
        let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let json = [(header::CONTENT_TYPE, "application/json")];
        (status, json, self.to_json().to_string()).into_response()
    }
}

async fn search(
    State(shared): State<Shared>,
    connection: Connection,
    query: Result<Query<OfSearch>, QueryRejection>,
) -> Response {
    let ask = match query {
        Ok(Query(ask)) => ask,
        Err(error) => return Fault::Malformed(error.body_text()).into_response(),
    };
    streamed(&shared, connection, |seconds| engine(&ask, seconds))
}

/// Answers with the events of a search that takes so many seconds at most, unless too many are open: that is looked at before
/// the question is.
fn streamed(
    shared: &Shared,
    connection: Connection,
    work: impl FnOnce(u64) -> Result<Work, Fault>,
) -> Response {
    let Ok(permit) = Arc::clone(&shared.searches).try_acquire_owned() else {
        return Fault::Busy.into_response();
    };
    match work(shared.limits.search_seconds) {
        Ok(work) => {
            let search = Search::new(work, permit, Arc::clone(&shared.running));
            Sse::new(Events { search, _working: working(connection) }).into_response()
        }
        Err(fault) => fault.into_response(),
    }
}

/// A search as server-sent events, each of them JSON.
struct Events {
    search: Search,
    _working: Option<Working>,
}

impl futures_core::Stream for Events {
    type Item = Result<Event, Infallible>;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        let next = std::pin::Pin::new(&mut self.search).poll_next(context);
        next.map(|event| event.map(|event| Ok(Event::default().data(event.to_string()))))
    }
}
