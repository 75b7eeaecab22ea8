//! Who calls. Where somebody sits is the referee's to say; who somebody is, is said here and nowhere else.

use std::convert::Infallible;
use std::sync::Arc;
use std::task::{Context, Poll};

use fives_referee::id::PlayerId;
use fives_referee::store::SharedStore;
use fives_wire::status::{Denial, denied};
use http::HeaderValue;
use http::header::AUTHORIZATION;
use tonic::Status;
use tower::Service;

use super::{Answering, HttpRequest, HttpResponse, layer, refusal};
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

fn policy(path: &str) -> Token {
    let entry = CALLS.iter().find(|(call, _)| *call == path);
    entry.map_or(Token::Ignored, |(_, token)| *token)
}

#[derive(Clone)]
pub(crate) struct Door {
    tokens: Arc<Tokens>,
    store: SharedStore,
}

impl Door {
    /// Whose token this is.
    async fn player(&self, authorization: &HeaderValue) -> Result<PlayerId, Status> {
        let token = authorization.to_str().ok().and_then(bearer);
        let token = token.ok_or_else(|| denied(Denial::TokenInvalid))?;
        let now = self.store.now().await.map_err(|error| failed(error.into()))?;
        self.tokens.verify(token, now).map_err(denied)
    }
}

/// The token of an `authorization` value. The scheme's name is read in any case, as HTTP asks (RFC 9110, 11.1).
fn bearer(authorization: &str) -> Option<&str> {
    let (scheme, token) = authorization.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token)
}

layer!(AuthLayer, Auth, Door);

impl AuthLayer {
    pub(crate) const fn new(tokens: Arc<Tokens>, store: SharedStore) -> Self {
        Self(Door { tokens, store })
    }
}

/// Puts the caller's [`PlayerId`] into the request's extensions, or refuses.
#[derive(Clone)]
pub(crate) struct Auth<S> {
    next: S,
    shared: Door,
}

impl<S> Service<HttpRequest> for Auth<S>
where
    S: Service<HttpRequest, Response = HttpResponse, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send + 'static,
{
    type Response = HttpResponse;
    type Error = Infallible;
    type Future = Answering;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.next.poll_ready(context)
    }

    fn call(&mut self, mut request: HttpRequest) -> Answering {
        let sent = request.headers().get(AUTHORIZATION).cloned();
        let authorization = match (policy(request.uri().path()), sent) {
            (Token::Required, None) => {
                return Box::pin(std::future::ready(Ok(refusal(Denial::TokenMissing))));
            }
            (Token::Required | Token::Optional, Some(authorization)) => authorization,
            (Token::Optional, None) | (Token::Ignored, _) => return Box::pin(self.next.call(request)),
        };
        let door = self.shared.clone();
        // The one that was asked for readiness is called; its clone will be asked again.
        let clone = self.next.clone();
        let mut next = std::mem::replace(&mut self.next, clone);
        Box::pin(async move {
            match door.player(&authorization).await {
                Ok(player) => {
                    request.extensions_mut().insert(player);
                    next.call(request).await
                }
                Err(status) => Ok(status.into_http()),
            }
        })
    }
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
