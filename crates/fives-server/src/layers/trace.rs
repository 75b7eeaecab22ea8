//! One span a call, which everything that is logged on its way belongs to, and one line with its outcome.

use std::time::Instant;

use tonic::{Code, Status};
use tracing::{Span, debug, info_span};

use super::{HttpRequest, HttpResponse};

/// The span of a call. Nothing of a request but its method is ever in it: tokens, device keys and invite codes are secrets.
pub(super) fn span(request: &HttpRequest) -> Span {
    info_span!("call", method = request.uri().path())
}

/// A call that is under way.
pub(super) struct Call {
    begun: Instant,
}

impl Call {
    pub(super) fn begin() -> Self {
        Self { begun: Instant::now() }
    }

    /// Says what became of it. A stream has only begun now; how it ends is not seen here.
    pub(super) fn answered(self, answer: &HttpResponse) {
        let code = || Status::from_header_map(answer.headers()).map_or(Code::Ok, |status| status.code());
        debug!(code = ?code(), duration_us = self.begun.elapsed().as_micros() as u64, "answered");
    }
}
