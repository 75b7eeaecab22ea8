//! Webhooks: tells the platform of matches, by a signed POST each.
//!
//! ```text
//! commit ─▶ outbox (in the store) ─▶ courier ─▶ POST, signed ─▶ 2xx: told; anything else: again, later, and at last a dead letter
//! ```

mod address;
mod body;
mod vitals;

use std::error::Error as StdError;
use std::sync::Arc;

use fives_lobby::courier::{Deliver, Errands};
use fives_lobby::store::SharedLobbyStore;
use fives_referee::notice::Notice;
use hmac::{Hmac, KeyInit, Mac};
use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, Response, Url, redirect};
use sha2::Sha256;

pub(crate) use address::is_public;
pub(crate) use vitals::observe;

use crate::config::{HookEvent, HookSecret, HooksSettings};
use address::{OnlyPublic, PrivateAddress};
use vitals::Vitals;

/// How much of an answer is read, so that the connection can be used again; it means nothing.
const ANSWER_MAX_BYTES: usize = 16 * 1024;

/// Whoever posts notices to the platform.
pub(crate) struct Webhook {
    client: Client,
    url: Url,
    secret: HookSecret,
    events: Vec<HookEvent>,
    store: SharedLobbyStore,
    vitals: Vitals,
}

/// What a courier needs to tell the platform.
///
/// # Errors
/// If there can be no client.
pub(crate) fn errands(settings: &HooksSettings, store: SharedLobbyStore) -> Result<Errands, reqwest::Error> {
    // The library takes whatever the process has installed. Somebody else may have been first, which is as good.
    let _ = tokio_rustls::rustls::crypto::ring::default_provider().install_default();
    let mut client = Client::builder()
        .timeout(settings.timeout)
        .connect_timeout(settings.timeout)
        // Neither takes what is posted to where nobody looked at the address.
        .redirect(redirect::Policy::none())
        .no_proxy()
        .user_agent(concat!("fives/", env!("CARGO_PKG_VERSION")));
    if !settings.allow_private {
        client = client.https_only(true).dns_resolver(Arc::new(OnlyPublic));
    }
    let deliver = Webhook {
        client: client.build()?,
        url: settings.url.clone(),
        secret: settings.secret.clone(),
        events: settings.events.clone(),
        store,
        vitals: Vitals::new(),
    };
    Ok(Errands::Hooks {
        deliver: Arc::new(deliver),
        tries_max: settings.tries_max,
        backoff_ms: settings.backoff_ms,
    })
}

#[tonic::async_trait]
impl Deliver for Webhook {
    async fn deliver(&self, notice: &Notice) -> Result<(), String> {
        if !self.events.contains(&body::event(notice)) {
            return Ok(());
        }
        let delivered = self.post(notice).await;
        self.vitals.tried(delivered.is_ok());
        delivered
    }
}

impl Webhook {
    async fn post(&self, notice: &Notice) -> Result<(), String> {
        let now = self.store.now().await.map_err(|error| error.to_string())?;
        let timestamp = (now.0 / 1000).to_string();
        let body = body::json(notice)?;
        let answer = self
            .client
            .post(self.url.clone())
            .header(CONTENT_TYPE, "application/json")
            .header("fives-delivery", notice.id.to_string())
            .header("fives-signature", signature(&self.secret, &timestamp, &body)?)
            .header("fives-timestamp", timestamp)
            .body(body)
            .send()
            .await
            .map_err(|error| problem(&error))?;
        let status = answer.status();
        drain(answer).await;
        if status.is_success() {
            Ok(())
        } else {
            Err(format!("the answer was {status}"))
        }
    }
}

/// `v1=` and HMAC-SHA256 of timestamp, a full stop and body, in hexadecimal.
fn signature(secret: &HookSecret, timestamp: &str, body: &str) -> Result<String, String> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).map_err(|error| error.to_string())?;
    for part in [timestamp, ".", body] {
        mac.update(part.as_bytes());
    }
    let signed = mac.finalize().into_bytes();
    Ok(format!("v1={}", data_encoding::HEXLOWER.encode(&signed)))
}

/// Reads what belongs to an answer, up to a bound. What it says, and whether it comes to an end, does not matter any more.
async fn drain(mut answer: Response) {
    let mut read = 0;
    while let Ok(Some(chunk)) = answer.chunk().await {
        read += chunk.len();
        if read > ANSWER_MAX_BYTES {
            return;
        }
    }
}

/// What went wrong, without the address: it may hold what is nobody's business.
fn problem(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "no answer came in time".to_owned();
    }
    let mut cause: &dyn StdError = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
        if cause.is::<PrivateAddress>() {
            break;
        }
    }
    match (error.is_connect(), error.source()) {
        (_, None) => "the request could not be sent".to_owned(),
        (true, _) => format!("no connection: {cause}"),
        (false, _) => format!("the connection broke: {cause}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_is_what_any_other_library_computes() {
        let secret = HookSecret::of("0123456789abcdef0123456789abcdef");
        // printf '1790000000.{}' | openssl dgst -sha256 -hmac 0123456789abcdef0123456789abcdef
        let expected = "v1=5949482f8f268ce61c6208ee9050323b82d4c3033bad3f5c14c19f657d409d60";
        assert_eq!(signature(&secret, "1790000000", "{}").as_deref(), Ok(expected));
    }
}
