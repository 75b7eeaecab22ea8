//! One span a call, which everything that is logged on its way belongs to, and one line with its outcome.

use std::time::Instant;

use tonic::{Code, Status};
use tracing::{Instrument, debug, info_span};

use super::{Answering, Gate, HttpRequest, Next};

/// Gives each call its span. Nothing of a request but its method is ever in it: tokens, device keys and invite codes are secrets.
#[derive(Clone)]
pub(crate) struct Trace;

impl Gate for Trace {
    fn pass(&self, request: HttpRequest, next: &mut impl Next) -> Answering {
        let begun = Instant::now();
        let span = info_span!("call", method = request.uri().path());
        let next = span.in_scope(|| next.call(request));
        let answering = async move {
            let answer = next.await?;
            // A stream has only begun now; how it ends is not this layer's to see.
            let code = Status::from_header_map(answer.headers()).map_or(Code::Ok, |status| status.code());
            debug!(?code, duration_us = begun.elapsed().as_micros() as u64, "answered");
            Ok(answer)
        };
        Box::pin(answering.instrument(span))
    }
}
