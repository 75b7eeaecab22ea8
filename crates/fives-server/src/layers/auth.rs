//! Who calls. Where somebody sits is the referee's to say; who somebody is, is said here and nowhere else.

use std::sync::Arc;

use fives_lobby::erasure::Gone;
use fives_referee::store::SharedStore;
use fives_wire::status::{Denial, denied};
use http::HeaderMap;
use http::header::AUTHORIZATION;
use tonic::Status;

use super::calls::{Call, Token};
use crate::failure::failed;
use crate::token::{Bearers, Principal};

/// Says who calls.
pub(crate) struct Auth {
    pub(crate) bearers: Arc<Bearers>,
    pub(crate) store: SharedStore,
    /// Whose tokens are not good any more.
    pub(crate) gone: Arc<Gone>,
}

impl Auth {
    /// Whose token a call has, if it looks at one.
    ///
    /// # Errors
    /// The refusal of one that is missing, no good, or not good for this call.
    pub(super) async fn principal(&self, call: &Call, headers: &HeaderMap) -> Result<Option<Arc<Principal>>, Status> {
        let authorization = match (call.token, headers.get(AUTHORIZATION)) {
            (Token::Required | Token::EvenErased, None) => return Err(denied(Denial::TokenMissing)),
            (Token::Required | Token::Optional | Token::EvenErased, Some(authorization)) => authorization,
            (Token::Optional, None) | (Token::Ignored, _) => return Ok(None),
        };
        let token = authorization.to_str().ok().and_then(bearer);
        let token = token.ok_or_else(|| denied(Denial::TokenInvalid))?;
        let now = self.store.now().await.map_err(|error| failed(error.into()))?;
        let principal = self.bearers.principal(token, now).await?;
        if call.token != Token::EvenErased && self.gone.has(&principal.id) {
            return Err(denied(Denial::TokenInvalid));
        }
        if call.token != Token::Optional {
            principal.check(call.scope).map_err(denied)?;
        }
        Ok(Some(principal))
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
