//! Who calls. Where somebody sits is the referee's to say; who somebody is, is said here and nowhere else.

use std::sync::Arc;
use std::task::{Context, Poll};

use fives_referee::id::PlayerId;
use fives_referee::store::SharedStore;
use fives_wire::status::{Denial, denied, status};
use http::HeaderValue;
use http::header::AUTHORIZATION;
use tonic::Status;
use tower::Service;

use super::{Answering, HttpRequest, HttpResponse, is_api, layer, take_ready};
use crate::token::Tokens;

/// Whether a call needs a token. One that is sent is always checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Needs {
    Token,
    Nothing,
}

/// Every call of the API, as a test makes sure. What is not here does not exist, and is told so without a token.
const CALLS: [(&str, Needs); 16] = [
    ("/fives.v1.MatchService/CreateMatch", Needs::Token),
    ("/fives.v1.MatchService/GetMatch", Needs::Nothing),
    ("/fives.v1.MatchService/ListMatches", Needs::Nothing),
    ("/fives.v1.MatchService/JoinMatch", Needs::Token),
    ("/fives.v1.MatchService/LeaveMatch", Needs::Token),
    ("/fives.v1.MatchService/PlayTile", Needs::Token),
    ("/fives.v1.MatchService/Resign", Needs::Token),
    ("/fives.v1.MatchService/FollowMatch", Needs::Token),
    ("/fives.v1.MatchService/GetReplay", Needs::Nothing),
    ("/fives.v1.PlayerService/SignInGuest", Needs::Nothing),
    ("/fives.v1.PlayerService/RefreshToken", Needs::Token),
    ("/fives.v1.PlayerService/GetPlayer", Needs::Token),
    ("/fives.v1.PlayerService/UpdatePlayer", Needs::Token),
    ("/fives.v1.PlayerService/GetServiceInfo", Needs::Nothing),
    ("/fives.v1.SpectateService/ListLiveMatches", Needs::Nothing),
    ("/fives.v1.SpectateService/WatchMatch", Needs::Nothing),
];

fn needs(path: &str) -> Needs {
    CALLS
        .iter()
        .find(|(call, _)| *call == path)
        .map_or(Needs::Nothing, |(_, needs)| *needs)
}

#[derive(Clone)]
pub(crate) struct Door {
    tokens: Arc<Tokens>,
    store: SharedStore,
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

impl Door {
    async fn caller(&self, authorization: Option<HeaderValue>, needs: Needs) -> Result<Option<PlayerId>, Status> {
        let token = match &authorization {
            None if needs == Needs::Nothing => return Ok(None),
            None => return Err(denied(Denial::TokenMissing)),
            Some(value) => value.to_str().ok().and_then(|value| value.strip_prefix("Bearer ")),
        };
        let token = token.ok_or_else(|| denied(Denial::TokenInvalid))?;
        let now = self.store.now().await.map_err(|error| status(&error.into()))?;
        self.tokens.verify(token, now).map(Some).map_err(denied)
    }
}

impl<S> Service<HttpRequest> for Auth<S>
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

    fn call(&mut self, mut request: HttpRequest) -> Self::Future {
        let mut next = take_ready(&mut self.next);
        if !is_api(&request) {
            return Box::pin(next.call(request));
        }
        let door = self.shared.clone();
        let authorization = request.headers().get(AUTHORIZATION).cloned();
        let needs = needs(request.uri().path());
        Box::pin(async move {
            match door.caller(authorization, needs).await {
                Ok(caller) => {
                    if let Some(player) = caller {
                        request.extensions_mut().insert(player);
                    }
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
}
