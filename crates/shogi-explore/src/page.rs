//! The page: files that are built into the program. Nothing else is ever served.

use axum::http::header;
use axum::response::{IntoResponse, Response};

/// A file of the page.
pub(crate) struct Asset {
    pub(crate) path: &'static str,
    media_type: &'static str,
    content: &'static [u8],
}

macro_rules! assets {
    ($($path:literal: $file:literal, $media_type:literal;)*) => {
        /// The files of the page, built from the sources in web/.
        pub(crate) const ASSETS: &[Asset] = &[$(Asset {
            path: $path,
            media_type: $media_type,
            content: include_bytes!(concat!("page/", $file)),
        }),*];
    };
}

assets! {
    "/": "index.html", "text/html; charset=utf-8";
    "/explore.js": "explore.js", "text/javascript; charset=utf-8";
    "/explore.css": "explore.css", "text/css; charset=utf-8";
    "/icon.svg": "icon.svg", "image/svg+xml";
}

impl IntoResponse for &'static Asset {
    fn into_response(self) -> Response {
        // The program may be another one the next time.
        let headers =
            [(header::CONTENT_TYPE, self.media_type), (header::CACHE_CONTROL, "no-cache")];
        (headers, self.content).into_response()
    }
}
