//! Who may act on the admin port: whoever has the admin token, and whoever has a token of an issuer that is good for it.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use fives_referee::audit::Operator;
use fives_referee::store::SharedStore;
use fives_wire::status::{Denial, denied};
use http::HeaderMap;
use http::header::AUTHORIZATION;
use tonic::Status;

use super::token::AdminToken;
use crate::config::Scope;
use crate::failure::failed;
use crate::layers::auth::bearer;
use crate::token::Bearers;

/// Tells administrators from others.
#[derive(Clone)]
pub(super) struct Doorkeeper {
    pub(super) token: AdminToken,
    pub(super) bearers: Arc<Bearers>,
    pub(super) store: SharedStore,
}

/// Somebody who may act, and as whom if that is proved.
#[derive(Clone, Debug)]
pub(super) struct Administrator(Option<Operator>);

impl Administrator {
    /// Puts the name that is proved in the place of the one that is claimed.
    pub(super) fn sign(&self, operator: &mut String) {
        if let Self(Some(proved)) = self {
            proved.as_str().clone_into(operator);
        }
    }
}

impl Doorkeeper {
    /// Who asks, if it is an administrator.
    ///
    /// # Errors
    /// Why it is none.
    pub(super) async fn check(&self, headers: &HeaderMap) -> Result<Administrator, Status> {
        let authorization = headers.get(AUTHORIZATION).map(|value| value.as_bytes());
        let refused = match self.token.check(authorization) {
            Ok(()) => return Ok(Administrator(None)),
            Err(denial) => denial,
        };
        let text = authorization
            .and_then(|value| std::str::from_utf8(value).ok())
            .and_then(bearer);
        // The admin token is no JWT, which has two dots.
        let token = text.filter(|text| !self.bearers.issuers().is_empty() && text.matches('.').count() == 2);
        let Some(token) = token else {
            return Err(denied(match refused {
                Denial::AdminTokenNotSet if !self.bearers.issuers().is_empty() => Denial::AdminTokenMissing,
                refused => refused,
            }));
        };
        let now = self.store.now().await.map_err(|error| failed(error.into()))?;
        let claimed = self.bearers.claimed(token, now).await.map_err(denied)?;
        if !claimed.scopes.has(Scope::Admin) {
            let scope = Scope::Admin.claim();
            return Err(denied(Denial::ScopeMissing { scope }));
        }
        let operator = claimed.identity.operator().map_err(|_| denied(Denial::TokenInvalid))?;
        Ok(Administrator(Some(operator)))
    }
}

/// What the calls of administrators begin with; reflection does not.
const GUARDED: &str = "/fives.admin.v1.";

/// Lets administrators through to their service, and everybody to the others.
pub(super) async fn guard(State(doorkeeper): State<Doorkeeper>, mut request: Request, next: Next) -> Response {
    if !request.uri().path().starts_with(GUARDED) {
        return next.run(request).await;
    }
    match doorkeeper.check(request.headers()).await {
        Ok(administrator) => {
            request.extensions_mut().insert(administrator);
            next.run(request).await
        }
        Err(status) => status.into_http(),
    }
}
