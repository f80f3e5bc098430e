//! A file as the answer to a request, whole or in part: RFC 9110, sections 13 and 14.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::UNIX_EPOCH;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderName, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use tokio::task::{JoinHandle, spawn_blocking};

use crate::connections::Working;
use crate::ranges::Requested;
use crate::service_router::{CACHED, is_known};

/// The most bytes that are read at a time.
const CHUNK: u64 = 1 << 14;

/// A file open for sending.
pub(crate) struct SentFile {
    file: File,
    length: u64,
    /// Names this content: another one has another length or time.
    tag: String,
}

impl SentFile {
    /// Opens a file as it is now.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        let length = metadata.len();
        let since = metadata.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
        let tag = format!("\"{length:x}-{:x}\"", since.as_nanos());
        Ok(Self { file, length, tag })
    }

    /// The answer to a request with these headers. `working` is kept until all is sent.
    pub(crate) fn answer(
        self,
        method: &Method,
        request: &HeaderMap,
        working: Option<Working>,
    ) -> Response {
        let headers = [
            (header::ETAG, self.tag.clone()),
            (header::CACHE_CONTROL, CACHED.to_owned()),
            (header::ACCEPT_RANGES, "bytes".to_owned()),
        ];
        if is_known(&self.tag, request) {
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
        let length = self.length;
        let (status, part) = match self.requested(method, request) {
            Requested::Whole => (StatusCode::OK, 0..length),
            Requested::Part(part) => (StatusCode::PARTIAL_CONTENT, part),
            Requested::Outside => {
                let range = [(header::CONTENT_RANGE, format!("bytes */{length}"))];
                return (StatusCode::RANGE_NOT_SATISFIABLE, headers, range).into_response();
            }
        };
        let mut described: Vec<(HeaderName, String)> = vec![
            (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
            (header::CONTENT_LENGTH, (part.end - part.start).to_string()),
        ];
        if status == StatusCode::PARTIAL_CONTENT {
            let range = format!("bytes {}-{}/{length}", part.start, part.end - 1);
            described.push((header::CONTENT_RANGE, range));
        }
        let mut response = (status, headers).into_response();
        for (name, value) in described {
            if let Ok(value) = value.parse() {
                response.headers_mut().insert(name, value);
            }
        }
        if *method != Method::HEAD {
            *response.body_mut() = Body::from_stream(Chunks::new(self.file, part, working));
        }
        response
    }

    /// The part that is requested: that of another content than this one is not.
    fn requested(&self, method: &Method, request: &HeaderMap) -> Requested {
        let only = |name: HeaderName| {
            let mut values = request.get_all(name).iter();
            values.next().filter(|_| values.next().is_none())?.to_str().ok()
        };
        // A date is not that of a content, and a weak tag not that of its bytes.
        let is_other = request.contains_key(header::IF_RANGE)
            && only(header::IF_RANGE) != Some(self.tag.as_str());
        let range = only(header::RANGE).filter(|_| *method == Method::GET && !is_other);
        range.map_or(Requested::Whole, |range| Requested::read(range, self.length))
    }
}

/// The bytes of a part of a file, read as the client takes them.
struct Chunks {
    file: Option<File>,
    left: Range<u64>,
    reading: Option<JoinHandle<io::Result<(File, Bytes)>>>,
    _working: Option<Working>,
}

impl Chunks {
    fn new(file: File, left: Range<u64>, working: Option<Working>) -> Self {
        Self { file: Some(file), left, reading: None, _working: working }
    }
}

/// Reads so many bytes from a place on.
fn read(mut file: File, start: u64, count: u64) -> io::Result<(File, Bytes)> {
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    if (&mut file).take(count).read_to_end(&mut bytes)? as u64 != count {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok((file, bytes.into()))
}

impl futures_core::Stream for Chunks {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let (start, count) = (self.left.start, CHUNK.min(self.left.end - self.left.start));
        if let Some(file) = self.file.take_if(|_| count > 0) {
            self.reading = Some(spawn_blocking(move || read(file, start, count)));
        }
        let Some(reading) = &mut self.reading else { return Poll::Ready(None) };
        let read = ready!(Pin::new(reading).poll(context));
        self.reading = None;
        let read = read.map_err(io::Error::other).and_then(|read| read);
        Poll::Ready(Some(read.map(|(file, bytes)| {
            self.file = Some(file);
            self.left.start += count;
            bytes
        })))
    }
}
