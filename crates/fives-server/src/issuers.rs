//! Tokens of others: which issuers are trusted, and what a token of theirs says.
//!
//! A token names its issuer and its key; both only say where to look. The key, found among those of that issuer alone, says which
//! algorithm checks the token, so that none can be had for another: `none`, and an HMAC with a public key, meet no key.

mod claims;
mod key_set;
mod keys;
mod source;

use std::collections::HashMap;
use std::sync::Arc;

use fives_lobby::identity::{Identity, IdentityError, IssuerKey};
use fives_wire::status::Denial;
use futures::future::join_all;
use jsonwebtoken::dangerous::insecure_decode;
use jsonwebtoken::{Algorithm, Header, Validation, decode};

use crate::config::{Config, ConfigError, IssuerSettings, Scopes};
use claims::{Claims, Unchecked};
use keys::Keys;

pub(crate) use claims::Claimed;

/// The longest token that is looked at, in bytes. With a header of usual size it fits into what HTTP/2 takes by default.
const MAX_LEN: usize = 8 * 1024;

/// What a token may call itself (RFC 9068, RFC 7519): others that an issuer signs are no proof of who calls (RFC 8725, 3.11).
const TYPES: [&str; 3] = ["jwt", "at+jwt", "application/at+jwt"];

/// An issuer that is trusted.
struct Issuer {
    name: Arc<str>,
    validation: Validation,
    grants: Scopes,
    keys: Keys,
}

/// All issuers that are trusted. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Issuers(Arc<HashMap<Arc<str>, Issuer>>);

impl Issuers {
    /// As the settings say.
    ///
    /// # Errors
    /// If keys in a file cannot be used.
    pub(crate) fn open(config: &Config) -> Result<Self, ConfigError> {
        let mut issuers = HashMap::new();
        for settings in &config.issuers {
            let keys = Keys::open(settings).map_err(|error| ConfigError {
                flag: "issuers",
                problem: format!("issuer {:?}: its keys: {error}", settings.name),
            })?;
            let issuer = Issuer {
                name: Arc::clone(&settings.name),
                validation: validation(settings),
                grants: settings.grants,
                keys,
            };
            issuers.insert(Arc::clone(&settings.name), issuer);
        }
        Ok(Self(Arc::new(issuers)))
    }

    /// Whether nobody is trusted.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them, as stores know them.
    pub(crate) fn keys(&self) -> Vec<IssuerKey> {
        self.0.keys().map(|issuer| IssuerKey::of(issuer)).collect()
    }

    /// Keeps the keys of all of them fresh until it is dropped.
    pub(crate) async fn keep_fresh(self) {
        join_all(self.0.values().map(|issuer| issuer.keys.keep_fresh())).await;
    }

    /// Somebody as one of them knows them.
    ///
    /// # Errors
    /// If there is no such issuer, or the subject could be none.
    pub(crate) fn identity(&self, issuer: &str, subject: &str) -> Option<Result<Identity, IdentityError>> {
        let (name, _) = self.0.get_key_value(issuer)?;
        Some(Identity::new(name, subject))
    }

    /// Everything about a token that does not change with time.
    pub(crate) async fn check(&self, token: &str) -> Result<Claimed, Denial> {
        if token.len() > MAX_LEN {
            return Err(Denial::TokenInvalid);
        }
        let unchecked = insecure_decode::<Unchecked>(token).map_err(|_| Denial::TokenInvalid)?;
        let issuer = self.0.get(unchecked.claims.iss.as_str()).ok_or(Denial::TokenInvalid)?;
        let header = unchecked.header;
        let id = header
            .kid
            .as_deref()
            .filter(|id| !id.is_empty() && is_a_plain_token(&header));
        let id = id.ok_or(Denial::TokenInvalid)?;
        // Before anybody is asked for a key that nothing could be checked with.
        if !matches!(header.alg, Algorithm::RS256 | Algorithm::ES256 | Algorithm::EdDSA) {
            return Err(Denial::TokenInvalid);
        }
        let check = |key: &key_set::Key| {
            let mut validation = issuer.validation.clone();
            validation.algorithms = vec![key.algorithm];
            let decoded = decode::<Claims>(token, &key.decoding, &validation);
            decoded.map(|decoded| decoded.claims).map_err(|_| Denial::TokenInvalid)
        };
        let claims = issuer.keys.with(id, check).await?;
        claims
            .granted(&issuer.name, id, issuer.grants)
            .ok_or(Denial::TokenInvalid)
    }

    /// Whether the key that has checked a token is still one of its issuer's.
    pub(crate) fn still_trust(&self, claimed: &Claimed) -> bool {
        let issuer = self.0.get(claimed.identity.issuer());
        issuer.is_some_and(|issuer| issuer.keys.has(&claimed.key_id))
    }
}

/// Whether a header asks for nothing that is not understood here.
fn is_a_plain_token(header: &Header) -> bool {
    let is_known = |typ: &String| TYPES.contains(&typ.to_ascii_lowercase().as_str());
    header.crit.is_none() && header.enc.is_none() && header.zip.is_none() && header.typ.as_ref().is_none_or(is_known)
}

fn validation(settings: &IssuerSettings) -> Validation {
    // Which algorithm it is, each key says.
    let mut validation = Validation::new(Algorithm::EdDSA);
    validation.set_issuer(&[&settings.name]);
    validation.set_audience(&settings.audiences);
    validation.set_required_spec_claims(&["iss", "aud", "sub", "exp"]);
    // The store's clock is the only one that counts.
    validation.validate_exp = false;
    validation
}
