//! The files of `web/dist`, in the program.

use std::sync::LazyLock;

use axum::body::Body;
use data_encoding::{BASE64, HEXLOWER};
use http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use http::{HeaderMap, HeaderValue, StatusCode};
use sha2::{Digest, Sha256};

use crate::layers::HttpResponse;

/// A file, as it is and compressed.
struct Bundled {
    name: &'static str,
    plain: &'static [u8],
    gzip: &'static [u8],
    /// A seventh smaller; browsers take it over TLS and from their own machine.
    brotli: &'static [u8],
}

/// A file, and what its headers say of its content: worked out once, and not with each answer.
pub(super) struct WebFile {
    bundled: Bundled,
    tag: String,
    style_hash: String,
}

static FILES: LazyLock<Vec<WebFile>> = LazyLock::new(|| {
    include!(concat!(env!("OUT_DIR"), "/web_files.rs"))
        .map(WebFile::new)
        .into()
});

impl WebFile {
    fn new(bundled: Bundled) -> Self {
        let tag = format!("\"{}\"", &HEXLOWER.encode(&Sha256::digest(bundled.plain))[..16]);
        let page = str::from_utf8(bundled.plain).unwrap_or_default();
        let style = page
            .split_once("<style>")
            .and_then(|(_, rest)| rest.split_once("</style>"));
        let style_hash = BASE64.encode(&Sha256::digest(style.map_or("", |(style, _)| style)));
        Self {
            bundled,
            tag,
            style_hash,
        }
    }

    pub(super) fn find(name: &str) -> Option<&'static Self> {
        FILES.iter().find(|file| file.bundled.name == name)
    }

    /// The file, or that it is the one that the browser has.
    pub(super) fn answer(&'static self, request: &HeaderMap) -> HttpResponse {
        // Weak: it stands for the content, whatever it was compressed with.
        let is_known =
            listed(request, &IF_NONE_MATCH).any(|known| known.trim_start_matches("W/") == self.tag || known == "*");
        let (coding, body) = self.coded_for(request);
        let mut answer = HttpResponse::default();
        let headers = answer.headers_mut();
        headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
        if let Ok(tag) = HeaderValue::from_str(&format!("W/{}", self.tag)) {
            headers.insert(ETAG, tag);
        }
        if is_known {
            *answer.status_mut() = StatusCode::NOT_MODIFIED;
            return answer;
        }
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.content_type()));
        if let Some(coding) = coding {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static(coding));
        }
        *answer.body_mut() = Body::from(body);
        answer
    }

    /// The smallest that the browser takes, and what it is compressed with.
    fn coded_for(&self, request: &HeaderMap) -> (Option<&'static str>, &'static [u8]) {
        for (coding, body) in [("br", self.bundled.brotli), ("gzip", self.bundled.gzip)] {
            // Fonts are compressed as they are.
            if body.len() < self.bundled.plain.len()
                && listed(request, &ACCEPT_ENCODING).any(|accepted| accepts(accepted, coding))
            {
                return (Some(coding), body);
            }
        }
        (None, self.bundled.plain)
    }

    /// The hash of the style sheet that stands in a page, as a policy names it.
    pub(super) fn style_hash(&self) -> &str {
        &self.style_hash
    }

    fn content_type(&self) -> &'static str {
        match self.bundled.name.rsplit_once('.').map(|(_, ending)| ending) {
            Some("html") => "text/html; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml",
            Some("woff2") => "font/woff2",
            _ => "application/octet-stream",
        }
    }
}

/// What stands between the commas of a header.
fn listed<'a>(request: &'a HeaderMap, name: &http::HeaderName) -> impl Iterator<Item = &'a str> {
    let values = request
        .get_all(name)
        .into_iter()
        .filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(str::trim)
}

/// Whether an entry of `accept-encoding` takes a coding.
fn accepts(entry: &str, coding: &str) -> bool {
    let mut parts = entry.split(';').map(str::trim);
    let is_meant = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(coding));
    let is_refused = |part: &str| {
        part.strip_prefix(['q', 'Q'])
            .and_then(|rest| rest.strip_prefix('='))
            .is_some_and(|share| share.parse() == Ok(0.0))
    };
    is_meant && !parts.any(is_refused)
}
