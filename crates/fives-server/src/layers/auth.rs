//! Who calls. Where somebody sits is the referee's to say; who somebody is, is said here and nowhere else.

use std::sync::Arc;

use fives_referee::id::PlayerId;
use fives_referee::store::SharedStore;
use fives_wire::status::{Denial, denied};
use http::HeaderMap;
use http::header::AUTHORIZATION;
use tonic::Status;

use crate::failure::failed;
use crate::token::Tokens;

/// What a call makes of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token {
    /// It needs one.
    Required,
    /// It can do without, but one that is sent must be good.
    Optional,
    /// It never looks at one: whoever wants a new token may still send an old one along.
    Ignored,
}

/// Every call of the API, as a test makes sure. What is not here does not exist, and is told so without a token.
const CALLS: [(&str, Token); 17] = [
    ("/fives.v1.MatchService/CreateMatch", Token::Required),
    ("/fives.v1.MatchService/GetMatch", Token::Optional),
    ("/fives.v1.MatchService/ListMatches", Token::Optional),
    ("/fives.v1.MatchService/JoinMatch", Token::Required),
    ("/fives.v1.MatchService/LeaveMatch", Token::Required),
    ("/fives.v1.MatchService/PlayTile", Token::Required),
    ("/fives.v1.MatchService/Resign", Token::Required),
    ("/fives.v1.MatchService/ReclaimSeat", Token::Required),
    ("/fives.v1.MatchService/FollowMatch", Token::Required),
    ("/fives.v1.MatchService/GetReplay", Token::Optional),
    ("/fives.v1.PlayerService/SignInGuest", Token::Ignored),
    ("/fives.v1.PlayerService/RefreshToken", Token::Required),
    ("/fives.v1.PlayerService/GetPlayer", Token::Required),
    ("/fives.v1.PlayerService/UpdatePlayer", Token::Required),
    ("/fives.v1.PlayerService/GetServiceInfo", Token::Ignored),
    ("/fives.v1.SpectateService/ListLiveMatches", Token::Optional),
    ("/fives.v1.SpectateService/WatchMatch", Token::Optional),
];

/// The name of a call, from a bounded set: what is not there has one name for all.
pub(super) fn method(path: &str) -> &'static str {
    let known = CALLS.iter().find(|(call, _)| *call == path);
    known.map_or("_OTHER", |(call, _)| call.trim_start_matches('/'))
}

fn policy(path: &str) -> Token {
    let entry = CALLS.iter().find(|(call, _)| *call == path);
    entry.map_or(Token::Ignored, |(_, token)| *token)
}

/// Says who calls.
pub(crate) struct Auth {
    pub(crate) tokens: Arc<Tokens>,
    pub(crate) store: SharedStore,
}

impl Auth {
    /// Whose token a call has, if it looks at one.
    ///
    /// # Errors
    /// The refusal of one that is missing, or no good.
    pub(super) async fn player(&self, call: &str, headers: &HeaderMap) -> Result<Option<PlayerId>, Status> {
        let authorization = match (policy(call), headers.get(AUTHORIZATION)) {
            (Token::Required, None) => return Err(denied(Denial::TokenMissing)),
            (Token::Required | Token::Optional, Some(authorization)) => authorization,
            (Token::Optional, None) | (Token::Ignored, _) => return Ok(None),
        };
        let token = authorization.to_str().ok().and_then(bearer);
        let token = token.ok_or_else(|| denied(Denial::TokenInvalid))?;
        let now = self.store.now().await.map_err(|error| failed(error.into()))?;
        self.tokens.verify(token, now).map(Some).map_err(denied)
    }
}

/// The token of an `authorization` value. The scheme's name is read in any case, as HTTP asks (RFC 9110, 11.1).
pub(crate) fn bearer(authorization: &str) -> Option<&str> {
    let (scheme, token) = authorization.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token)
}

#[cfg(test)]
mod tests {
    use super::*;
    use prost::Message;

    #[test]
    fn every_call_of_the_api_has_an_entry_and_every_entry_a_call() {
        let set = prost_types::FileDescriptorSet::decode(fives_wire::FILE_DESCRIPTOR_SET).expect("descriptors");
        let mut calls = Vec::new();
        for file in set.file.iter().filter(|file| file.package() == "fives.v1") {
            for service in &file.service {
                let path = |method: &str| format!("/fives.v1.{}/{method}", service.name());
                calls.extend(service.method.iter().map(|method| path(method.name())));
            }
        }
        calls.sort();
        let mut entries: Vec<String> = CALLS.iter().map(|(call, _)| (*call).to_owned()).collect();
        entries.sort();
        assert_eq!(entries, calls);
    }

    #[test]
    fn a_token_comes_after_its_scheme() {
        assert_eq!(bearer("Bearer abc"), Some("abc"));
        assert_eq!(bearer("bearer abc"), Some("abc"));
        assert_eq!(bearer("Bearer "), Some(""));
        for authorization in ["", "Bearer", "Basic abc", "Bearerabc"] {
            assert_eq!(bearer(authorization), None, "{authorization}");
        }
    }
}
