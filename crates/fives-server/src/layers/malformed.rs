//! Requests that tonic itself refuses, too large or no messages at all: they get the words of the API instead of its own.

use std::task::{Context, Poll};

use fives_wire::status::{Denial, denied};
use tonic::{Code, Status};
use tower::Service;

use super::{Answering, HttpRequest, HttpResponse, is_api, layer, take_ready};

layer!(MalformedLayer, Malformed, usize);

impl MalformedLayer {
    pub(crate) const fn new(request_max_bytes: usize) -> Self {
        Self(request_max_bytes)
    }
}

/// Says what is wrong with a request that never came to a service.
#[derive(Clone)]
pub(crate) struct Malformed<S> {
    next: S,
    shared: usize,
}

impl<S> Service<HttpRequest> for Malformed<S>
where
    S: Service<HttpRequest, Response = HttpResponse> + Clone + Send + 'static,
    S::Future: Send,
{
    type Response = HttpResponse;
    type Error = S::Error;
    type Future = Answering<S::Error>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.next.poll_ready(context)
    }

    fn call(&mut self, request: HttpRequest) -> Self::Future {
        let mut next = take_ready(&mut self.next);
        if !is_api(&request) {
            return Box::pin(next.call(request));
        }
        let max_bytes = self.shared;
        Box::pin(async move {
            let answer = next.call(request).await?;
            // Services always give details; a status without them is tonic's own.
            let own = Status::from_header_map(answer.headers()).filter(|status| status.details().is_empty());
            Ok(match own.map(|status| status.code()) {
                Some(Code::OutOfRange) => denied(Denial::MessageTooLarge { max_bytes }).into_http(),
                Some(Code::Internal) => denied(Denial::Undecodable).into_http(),
                _ => answer,
            })
        })
    }
}
