//! How long it may take until an answer, or a stream, begins. A write that is cut off here is
//! whole or not done: stores promise that.

use std::time::Duration;

use super::HttpRequest;

/// Says how long a call may take.
pub(crate) struct Deadline {
    /// What is allowed where the client allows more, or says nothing.
    pub(crate) longest: Duration,
}

impl Deadline {
    pub(super) fn of(&self, request: &HttpRequest) -> Duration {
        let given = request.headers().get("grpc-timeout");
        let given = given.and_then(|value| grpc_timeout(value.to_str().ok()?));
        given.map_or(self.longest, |given| given.min(self.longest))
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
