//! The connections of a server: how many there are, and which of them gives way to a new one.
//!
//! A connection either has the server work for it, or waits for its client: to send a request, or to
//! read an answer. Where there is no room for a new connection, the one that has waited longest for its
//! client is closed. A client that is silent, or does not read, therefore keeps nobody out.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::task::AbortHandle;
use tokio::time::{Sleep, sleep};

/// The state of a connection while it is open.
#[derive(Debug)]
pub(crate) struct Activity {
    /// When bytes last went in or out.
    moved: Mutex<Instant>,
    /// Whether bytes wait to be read by the client.
    blocked: AtomicBool,
    /// Answers that the server is working at.
    working: AtomicUsize,
}

impl Activity {
    fn new() -> Self {
        Self {
            moved: Mutex::new(Instant::now()),
            blocked: AtomicBool::new(false),
            working: AtomicUsize::new(0),
        }
    }

    /// Notes that the server works for this connection until the guard is dropped.
    pub(crate) fn work(self: &Arc<Self>) -> Working {
        self.working.fetch_add(1, Ordering::Relaxed);
        Working(Arc::clone(self))
    }

    fn has_moved(&self) {
        *self.moved.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// Since when the connection waits for its client; `None` while the server works for it.
    fn waits_since(&self) -> Option<Instant> {
        let idle = self.working.load(Ordering::Relaxed) == 0;
        let waits = idle || self.blocked.load(Ordering::Relaxed);
        waits.then(|| *self.moved.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The server works for a connection as long as this lives.
#[derive(Debug)]
pub(crate) struct Working(Arc<Activity>);

impl Drop for Working {
    fn drop(&mut self) {
        self.0.has_moved();
        self.0.working.fetch_sub(1, Ordering::Relaxed);
    }
}

/// All open connections of a server.
#[derive(Debug)]
pub(crate) struct Connections {
    /// The most connections.
    most: usize,
    /// The most connections from one address.
    most_of_address: usize,
    open: Mutex<Vec<OpenConnection>>,
}

#[derive(Debug)]
struct OpenConnection {
    address: IpAddr,
    activity: Arc<Activity>,
    /// The task that serves it, once it is served.
    task: Option<AbortHandle>,
}

/// Whether there is room for a connection.
#[derive(Debug)]
pub(crate) enum Admission {
    Open(ConnectionSlot),
    /// The server works for all connections that there may be: a place will be free later.
    Later,
    /// The server works for all connections that there may be from this address.
    Refused,
}

impl Connections {
    pub(crate) const fn new(most: usize, most_of_address: usize) -> Self {
        Self { most, most_of_address, open: Mutex::new(Vec::new()) }
    }

    fn open(&self) -> MutexGuard<'_, Vec<OpenConnection>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a connection from this address, if need be that of one which waits for its client.
    pub(crate) fn admit(self: &Arc<Self>, address: IpAddr) -> Admission {
        let mut open = self.open();
        let of_address = open.iter().filter(|other| other.address == address).count();
        if of_address >= self.most_of_address {
            if !close_longest_waiting(&mut open, |other| other.address == address) {
                return Admission::Refused;
            }
        } else if open.len() >= self.most && !close_longest_waiting(&mut open, |_| true) {
            return Admission::Later;
        }
        let activity = Arc::new(Activity::new());
        open.push(OpenConnection { address, activity: Arc::clone(&activity), task: None });
        Admission::Open(ConnectionSlot { connections: Arc::clone(self), activity })
    }

    /// Names the task that serves a connection: it is aborted when the connection has to give way.
    pub(crate) fn served_by(&self, activity: &Arc<Activity>, task: AbortHandle) {
        match self.open().iter_mut().find(|other| Arc::ptr_eq(&other.activity, activity)) {
            Some(place) => place.task = Some(task),
            // It has ended already.
            None => task.abort(),
        }
    }
}

/// Closes the connection that has waited longest for its client, of those that may be closed. Returns
/// whether there is one.
fn close_longest_waiting(
    open: &mut Vec<OpenConnection>,
    may_close: impl Fn(&OpenConnection) -> bool,
) -> bool {
    let waiting = open.iter().enumerate().filter(|(_, other)| may_close(other));
    let waiting = waiting.filter_map(|(i, other)| Some((other.activity.waits_since()?, i)));
    let Some((_, longest)) = waiting.min() else { return false };
    if let Some(task) = open.swap_remove(longest).task {
        task.abort();
    }
    true
}

/// The place of a connection among all, given back when this is dropped.
#[derive(Debug)]
pub(crate) struct ConnectionSlot {
    connections: Arc<Connections>,
    activity: Arc<Activity>,
}

impl ConnectionSlot {
    pub(crate) const fn activity(&self) -> &Arc<Activity> {
        &self.activity
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.connections.open().retain(|other| !Arc::ptr_eq(&other.activity, &self.activity));
    }
}

/// A stream whose activity is noted, and on which a client must read.
#[derive(Debug)]
pub(crate) struct WatchedStream<S> {
    stream: S,
    activity: Arc<Activity>,
    /// The longest that the client may read nothing while bytes wait for it.
    patience: Duration,
    /// Runs while bytes wait for the client.
    timer: Option<Pin<Box<Sleep>>>,
}

impl<S> WatchedStream<S> {
    pub(crate) const fn new(stream: S, activity: Arc<Activity>, patience: Duration) -> Self {
        Self { stream, activity, patience, timer: None }
    }

    /// Passes on what came of a write, and gives up after too long a wait.
    fn written<T>(
        &mut self,
        context: &mut Context<'_>,
        poll: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if poll.is_ready() {
            self.timer = None;
            self.activity.blocked.store(false, Ordering::Relaxed);
            self.activity.has_moved();
            return poll;
        }
        self.activity.blocked.store(true, Ordering::Relaxed);
        let patience = self.patience;
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep(patience)));
        ready!(timer.as_mut().poll(context));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client does not read")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WatchedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = ready!(Pin::new(&mut self.stream).poll_read(context, buffer));
        self.activity.has_moved();
        Poll::Ready(read)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WatchedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.written(context, poll)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.written(context, poll)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);
    const THERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 7));

    fn opened(connections: &Arc<Connections>, address: IpAddr) -> ConnectionSlot {
        match connections.admit(address) {
            Admission::Open(place) => place,
            other => panic!("{other:?}"),
        }
    }

    fn is_open(connections: &Connections, place: &ConnectionSlot) -> bool {
        connections.open().iter().any(|open| Arc::ptr_eq(&open.activity, &place.activity))
    }

    #[test]
    fn one_address_takes_no_more_than_its_share() {
        let connections = Arc::new(Connections::new(10, 2));
        let places = [opened(&connections, HERE), opened(&connections, HERE)];
        let working = places.each_ref().map(|place| place.activity().work());
        assert!(matches!(connections.admit(HERE), Admission::Refused));
        let other = opened(&connections, THERE);
        // One of the address's own gives way as soon as the server does not work for it.
        drop(working);
        let third = opened(&connections, HERE);
        assert!(!is_open(&connections, &places[0]) && is_open(&connections, &places[1]));
        assert!(is_open(&connections, &third) && is_open(&connections, &other));
    }

    #[test]
    fn the_one_that_waits_longest_gives_way() {
        let connections = Arc::new(Connections::new(3, 3));
        let places = [HERE, THERE, HERE].map(|address| opened(&connections, address));
        places[0].activity().has_moved();
        let fourth = opened(&connections, THERE);
        let open = places.each_ref().map(|place| is_open(&connections, place));
        assert_eq!(open, [true, false, true]);
        // The server works for all: the next has to wait, until one ends or does not read.
        let working = [&places[0], &places[2], &fourth].map(|place| place.activity().work());
        assert!(matches!(connections.admit(THERE), Admission::Later));
        places[2].activity().blocked.store(true, Ordering::Relaxed);
        let fifth = opened(&connections, THERE);
        assert!(!is_open(&connections, &places[2]) && is_open(&connections, &fifth));
        drop(working);
    }
}
