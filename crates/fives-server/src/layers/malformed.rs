//! Requests that tonic itself refuses, too large or no messages at all: they get the words of the API instead of its own.

use fives_wire::status::Denial;
use tonic::{Code, Status};

use super::HttpResponse;

/// Says what is wrong with a request that never came to a service.
pub(crate) struct Malformed {
    /// The largest request.
    pub(crate) max_bytes: usize,
}

impl Malformed {
    /// What is said instead of `answer`, if that is tonic's own.
    pub(super) fn refusal(&self, answer: &HttpResponse) -> Option<Denial> {
        translation(answer, self.max_bytes)
    }
}

/// What a status of tonic's own means. Services always give details, so what has none is tonic's; before a service is reached it
/// says OUT_OF_RANGE to what is too large, and INTERNAL only to bytes that it cannot read.
fn translation(answer: &HttpResponse, max_bytes: usize) -> Option<Denial> {
    let own = Status::from_header_map(answer.headers()).filter(|status| status.details().is_empty())?;
    match own.code() {
        Code::OutOfRange => Some(Denial::MessageTooLarge { max_bytes }),
        Code::Internal => Some(Denial::Undecodable),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fives_wire::status::denied;

    #[test]
    fn only_what_tonic_says_by_itself_is_translated() {
        let translated = |status: Status| translation(&status.into_http(), 7);
        assert_eq!(
            translated(Status::out_of_range("too large")),
            Some(Denial::MessageTooLarge { max_bytes: 7 })
        );
        assert_eq!(translated(Status::internal("no message")), Some(Denial::Undecodable));
        assert_eq!(translated(Status::unimplemented("no such call")), None);
        assert_eq!(translated(denied(Denial::Internal)), None);
        assert_eq!(translation(&HttpResponse::default(), 7), None);
    }
}
