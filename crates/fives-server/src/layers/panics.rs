//! No input panics; should one do so all the same, it costs its own call and not all others of the same connection.

use std::panic::AssertUnwindSafe;

use fives_wire::status::Denial;
use futures::FutureExt;
use tracing::error;

use super::{Answering, Gate, HttpRequest, Next, refusal};

/// Answers INTERNAL for a call that panics.
#[derive(Clone)]
pub(crate) struct Panics;

impl Gate for Panics {
    fn pass(&self, request: HttpRequest, next: &mut impl Next) -> Answering {
        // Services share nothing that a panic could leave half-made: what they change, they change in the store.
        let next = AssertUnwindSafe(next.call(request)).catch_unwind();
        Box::pin(async move {
            next.await.unwrap_or_else(|_| {
                error!("a call panicked");
                Ok(refusal(Denial::Internal))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::task::{Context, Poll};

    use super::super::{GateLayer, HttpResponse};
    use super::*;
    use fives_wire::{status, v1};
    use tonic::Status;
    use tower::{Layer, Service};

    #[tokio::test]
    async fn a_call_that_panics_is_answered() {
        #[derive(Clone)]
        struct Broken;
        impl Service<HttpRequest> for Broken {
            type Response = HttpResponse;
            type Error = Infallible;
            type Future = Answering;

            fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
                Poll::Ready(Ok(()))
            }

            fn call(&mut self, _: HttpRequest) -> Answering {
                Box::pin(async { panic!("on purpose") })
            }
        }
        let mut request = HttpRequest::default();
        *request.uri_mut() = "/fives.v1.MatchService/GetMatch".parse().expect("a path");
        let Ok(answer) = GateLayer(Panics).layer(Broken).call(request).await;
        let refused = Status::from_header_map(answer.headers()).expect("a status");
        assert_eq!(status::reason(&refused), Some(v1::ErrorReason::Internal));
    }
}
