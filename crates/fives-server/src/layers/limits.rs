//! How many calls are under way at once. One too many is told so at once instead of waiting for all others.

use std::sync::Arc;
use std::task::{Context, Poll};

use fives_wire::status::{Denial, denied};
use tokio::sync::Semaphore;
use tower::Service;

use super::{Answering, HttpRequest, HttpResponse, is_api, layer, take_ready};

layer!(LimitsLayer, Limits, Arc<Semaphore>);

impl LimitsLayer {
    pub(crate) fn new(max_calls: usize) -> Self {
        Self(Arc::new(Semaphore::new(max_calls.min(Semaphore::MAX_PERMITS))))
    }
}

/// Refuses calls over the limit.
#[derive(Clone)]
pub(crate) struct Limits<S> {
    next: S,
    shared: Arc<Semaphore>,
}

impl<S> Service<HttpRequest> for Limits<S>
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
        match Arc::clone(&self.shared).try_acquire_owned() {
            Ok(permit) => Box::pin(async move {
                let answer = next.call(request).await;
                drop(permit);
                answer
            }),
            Err(_) => Box::pin(async { Ok(denied(Denial::TooManyCalls).into_http()) }),
        }
    }
}
