//! How long it may take until an answer, or a stream, begins. A write that is cut off here goes on in a task of its own, so it is
//! whole or not at all.

use std::convert::Infallible;
use std::task::{Context, Poll};
use std::time::Duration;

use fives_wire::status::Denial;
use tower::Service;

use super::{Answering, HttpRequest, HttpResponse, is_api, layer, refusal};

layer!(DeadlineLayer, Deadline, Duration);

impl DeadlineLayer {
    pub(crate) const fn new(longest: Duration) -> Self {
        Self(longest)
    }
}

/// Ends calls that take too long, by the client's deadline if that is shorter.
#[derive(Clone)]
pub(crate) struct Deadline<S> {
    next: S,
    shared: Duration,
}

impl<S> Service<HttpRequest> for Deadline<S>
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
        if !is_api(&request) {
            return Box::pin(self.next.call(request));
        }
        let given = request.headers().get("grpc-timeout");
        let given = given.and_then(|value| grpc_timeout(value.to_str().ok()?));
        let limit = given.map_or(self.shared, |given| given.min(self.shared));
        let next = tokio::time::timeout(limit, self.next.call(request));
        Box::pin(async move { next.await.unwrap_or_else(|_| Ok(refusal(Denial::Deadline))) })
    }
}

/// What a client allows: up to eight digits and a unit, as gRPC writes it.
fn grpc_timeout(text: &str) -> Option<Duration> {
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let is_amount = digits.len() <= 8 && digits.bytes().all(|digit| digit.is_ascii_digit());
    let amount: u64 = digits.parse().ok().filter(|_| is_amount)?;
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
        assert_eq!(grpc_timeout("99999999H"), Some(Duration::from_secs(99_999_999 * 3600)));
        for text in ["", "S", "5", "5x", "-1S", "+1S", "123456789S", "\u{e4}"] {
            assert_eq!(grpc_timeout(text), None, "{text}");
        }
    }
}
