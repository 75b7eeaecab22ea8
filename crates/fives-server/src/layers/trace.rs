//! One span a call, which everything that is logged on its way belongs to, and one line with its outcome.

use std::convert::Infallible;
use std::task::{Context, Poll};
use std::time::Instant;

use tonic::{Code, Status};
use tower::Service;
use tracing::{Instrument, debug, info_span};

use super::{Answering, HttpRequest, HttpResponse, is_api, layer};

layer!(TraceLayer, Trace, ());

impl TraceLayer {
    pub(crate) const fn new() -> Self {
        Self(())
    }
}

/// Gives each call its span. Nothing of a request but its method is ever in it: tokens, device keys and invite codes are secrets.
#[derive(Clone)]
pub(crate) struct Trace<S> {
    next: S,
    shared: (),
}

impl<S> Service<HttpRequest> for Trace<S>
where
    S: Service<HttpRequest, Response = HttpResponse, Error = Infallible>,
    S::Future: Send + 'static,
{
    type Response = HttpResponse;
    type Error = Infallible;
    type Future = Answering;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.next.poll_ready(context)
    }

    fn call(&mut self, request: HttpRequest) -> Answering {
        let () = self.shared;
        if !is_api(&request) {
            return Box::pin(self.next.call(request));
        }
        let begun = Instant::now();
        let span = info_span!("call", method = request.uri().path());
        let next = span.in_scope(|| self.next.call(request));
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
