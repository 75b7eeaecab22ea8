//! How many calls are under way at once. One too many is told so at once instead of waiting for all others. A stream counts
//! until it has begun; how many there may be, [`crate::services`] says.

use std::sync::Arc;

use fives_wire::status::Denial;
use tokio::sync::Semaphore;

use super::{Answering, Gate, HttpRequest, Next, refusal};

/// Refuses calls over the limit.
#[derive(Clone)]
pub(crate) struct Limits(Arc<Semaphore>);

impl Limits {
    pub(crate) fn new(max_calls: usize) -> Self {
        Self(Arc::new(Semaphore::new(max_calls.min(Semaphore::MAX_PERMITS))))
    }
}

impl Gate for Limits {
    fn pass(&self, request: HttpRequest, next: &mut impl Next) -> Answering {
        let Ok(permit) = Arc::clone(&self.0).try_acquire_owned() else {
            return Box::pin(std::future::ready(Ok(refusal(Denial::TooManyCalls))));
        };
        let next = next.call(request);
        Box::pin(async move {
            let answer = next.await;
            drop(permit);
            answer
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
    use tokio::sync::Notify;
    use tonic::Status;
    use tower::{Layer, Service};

    /// Answers when it is told to.
    #[derive(Clone)]
    struct Slow(Arc<Notify>);

    impl Service<HttpRequest> for Slow {
        type Response = HttpResponse;
        type Error = Infallible;
        type Future = Answering;

        fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
            Poll::Ready(Ok(()))
        }

        fn call(&mut self, _: HttpRequest) -> Answering {
            let told = Arc::clone(&self.0);
            Box::pin(async move {
                told.notified().await;
                Ok(HttpResponse::default())
            })
        }
    }

    fn request(path: &'static str) -> HttpRequest {
        let mut request = HttpRequest::default();
        *request.uri_mut() = http::Uri::from_static(path);
        request
    }

    #[tokio::test]
    async fn one_call_too_many_is_told_so_at_once() {
        let (get, check) = ("/fives.v1.MatchService/GetMatch", "/grpc.health.v1.Health/Check");
        let told = Arc::new(Notify::new());
        let mut service = GateLayer(Limits::new(1)).layer(Slow(Arc::clone(&told)));
        let first = tokio::spawn(service.call(request(get)));
        let Ok(second) = service.call(request(get)).await;
        let refused = Status::from_header_map(second.headers()).expect("a status");
        assert_eq!(status::reason(&refused), Some(v1::ErrorReason::TooManyCalls));
        assert!(status::retry_after(&refused).is_some());

        let health = tokio::spawn(service.call(request(check)));
        tokio::task::yield_now().await;
        told.notify_waiters();
        for under_way in [first, health] {
            let Ok(answer) = under_way.await.expect("it ends");
            assert!(
                Status::from_header_map(answer.headers()).is_none(),
                "it was let through"
            );
        }
        told.notify_one();
        let Ok(third) = service.call(request(get)).await;
        assert!(
            Status::from_header_map(third.headers()).is_none(),
            "there is room again"
        );
    }
}
