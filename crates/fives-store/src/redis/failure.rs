//! What a failure of Redis means: surely not written, or perhaps.

use fives_referee::store::StoreError;
use redis::{ErrorKind, RedisError, ServerErrorKind};

use super::link::Failure;

/// A read that failed.
pub(super) fn unread(failure: Failure) -> StoreError {
    let (Failure::NotSent(error) | Failure::Sent(error)) = failure;
    StoreError::Unavailable(error.into())
}

/// A write that failed.
pub(super) fn unwritten(failure: Failure) -> StoreError {
    match failure {
        Failure::NotSent(error) => StoreError::Unavailable(error.into()),
        Failure::Sent(error) if was_refused(&error) => StoreError::Unavailable(error.into()),
        Failure::Sent(error) => StoreError::Unconfirmed(error.into()),
    }
}

/// Whether Redis itself said that it did nothing.
fn was_refused(error: &RedisError) -> bool {
    match error.kind() {
        ErrorKind::Server(kind) => matches!(
            kind,
            // It reads its data from the disk, or the link to its primary is down.
            ServerErrorKind::BusyLoading
                | ServerErrorKind::MasterDown
                // A replica that was promoted, or a primary that was not told yet that it is none.
                | ServerErrorKind::ReadOnly
                // A cluster that is being changed; the library has followed as far as it could.
                | ServerErrorKind::Moved
                | ServerErrorKind::Ask
                | ServerErrorKind::TryAgain
                | ServerErrorKind::ClusterDown
                | ServerErrorKind::CrossSlot
                | ServerErrorKind::NoScript
                | ServerErrorKind::NoPerm
        ),
        ErrorKind::AuthenticationFailed
        | ErrorKind::ClusterConnectionNotFound
        | ErrorKind::MasterNameNotFoundBySentinel => true,
        // Full; too few replicas (`min-replicas-to-write`); cannot save; busy with a script of somebody else.
        _ => matches!(error.code(), Some("OOM" | "NOREPLICAS" | "MISCONF" | "BUSY")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use redis::make_extension_error;

    #[test]
    fn only_what_redis_refused_is_surely_not_written() {
        let refused = ["OOM", "NOREPLICAS", "MISCONF", "BUSY"].map(|code| make_extension_error(code.to_owned(), None));
        for error in refused {
            assert!(matches!(unwritten(Failure::Sent(error)), StoreError::Unavailable(_)));
        }
        let io = |kind| RedisError::from(std::io::Error::from(kind));
        let unknown = make_extension_error("WHATEVER".to_owned(), None);
        for error in [
            io(std::io::ErrorKind::TimedOut),
            io(std::io::ErrorKind::BrokenPipe),
            unknown,
        ] {
            assert!(matches!(
                unwritten(Failure::Sent(error.clone())),
                StoreError::Unconfirmed(_)
            ));
            assert!(matches!(unwritten(Failure::NotSent(error)), StoreError::Unavailable(_)));
        }
    }
}
