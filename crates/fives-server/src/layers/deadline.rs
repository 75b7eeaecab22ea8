//! How long a call may take. A write that is cut off here goes on in a task of its own, so it is whole or not at all.

use std::task::{Context, Poll};
use std::time::Duration;

use fives_wire::status::{Denial, denied};
use tower::Service;

use super::{Answering, HttpRequest, HttpResponse, is_api, is_stream, layer, take_ready};

layer!(DeadlineLayer, Deadline, Duration);

impl DeadlineLayer {
    pub(crate) const fn new(longest: Duration) -> Self {
        Self(longest)
    }
}

/// Ends calls that take too long.
#[derive(Clone)]
pub(crate) struct Deadline<S> {
    next: S,
    shared: Duration,
}

impl<S> Service<HttpRequest> for Deadline<S>
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
        if !is_api(&request) || is_stream(&request) {
            return Box::pin(next.call(request));
        }
        let given = request
            .headers()
            .get("grpc-timeout")
            .and_then(|value| grpc_timeout(value.to_str().ok()?));
        let limit = self.shared.min(given.unwrap_or(Duration::MAX));
        Box::pin(async move {
            let answer = tokio::time::timeout(limit, next.call(request)).await;
            answer.unwrap_or_else(|_| Ok(denied(Denial::Deadline).into_http()))
        })
    }
}

/// What a client allows: up to eight digits and a unit, as gRPC writes it.
fn grpc_timeout(text: &str) -> Option<Duration> {
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let amount: u64 = digits.parse().ok().filter(|_| digits.len() <= 8)?;
    match unit {
        "H" => Some(Duration::from_secs(amount * 3600)),
        "M" => Some(Duration::from_secs(amount * 60)),
        "S" => Some(Duration::from_secs(amount)),
        "m" => Some(Duration::from_millis(amount)),
        "u" => Some(Duration::from_micros(amount)),
        "n" => Some(Duration::from_nanos(amount)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeouts_are_read_as_grpc_writes_them() {
        assert_eq!(grpc_timeout("15S"), Some(Duration::from_secs(15)));
        assert_eq!(grpc_timeout("100m"), Some(Duration::from_millis(100)));
        for text in ["", "S", "5", "5x", "-1S", "123456789S", "\u{e4}"] {
            assert_eq!(grpc_timeout(text), None, "{text}");
        }
    }
}
