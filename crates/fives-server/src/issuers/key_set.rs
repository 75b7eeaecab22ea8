//! The public keys of an issuer: a JSON Web Key Set (RFC 7517). A key says by itself what it is good for, so no token can have it
//! used for anything else.

use std::collections::HashMap;

use data_encoding::BASE64URL_NOPAD;
use jsonwebtoken::{Algorithm, DecodingKey};
use serde::Deserialize;
use thiserror::Error;

use crate::config::SigningAlgorithm;

/// The largest set, in bytes, and the most keys that are looked at; issuers have a handful.
pub(super) const MAX_BYTES: usize = 256 * 1024;
const MAX_KEYS: usize = 256;

/// The smallest and the largest RSA key, in bits: below, it can be broken; above, checking a signature takes too long.
const RSA_MIN_BITS: usize = 2048;
const RSA_MAX_BITS: usize = 8192;

/// The longest name of a key, in bytes.
const KEY_ID_MAX_BYTES: usize = 512;

/// Why bytes are no key set.
#[derive(Debug, Error)]
pub(super) enum KeySetError {
    #[error("it is no JSON Web Key Set: {0}")]
    Malformed(#[from] serde_json::Error),
    #[error(
        "none of its {0} keys can be used: each needs a `kid`, and must be RSA of 2048 to 8192 bits, P-256 or Ed25519, as `algorithms` allow"
    )]
    Empty(usize),
}

/// A key, and the only algorithm that it checks.
pub(super) struct Key {
    pub(super) algorithm: Algorithm,
    pub(super) decoding: DecodingKey,
}

/// Keys by the id that a token names its key by.
#[derive(Default)]
pub(super) struct KeySet(HashMap<String, Key>);

#[derive(Deserialize)]
struct Written {
    keys: Vec<serde_json::Value>,
}

/// What matters of a key. Private parts are not read.
#[derive(Deserialize)]
struct WrittenKey {
    kty: String,
    kid: Option<String>,
    alg: Option<String>,
    #[serde(rename = "use")]
    usage: Option<String>,
    key_ops: Option<Vec<String>>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

impl KeySet {
    /// The keys that can be used for one of these algorithms; others may stand beside them.
    pub(super) fn parse(bytes: &[u8], allowed: &[SigningAlgorithm]) -> Result<Self, KeySetError> {
        let Written { keys } = serde_json::from_slice(bytes)?;
        let found = keys.len();
        let mut usable = HashMap::new();
        for key in keys.into_iter().take(MAX_KEYS) {
            // One that is of no kind that is known is for somebody else (RFC 7517, 5).
            let Ok(key) = serde_json::from_value::<WrittenKey>(key) else {
                continue;
            };
            if let Some((id, key)) = key.usable(allowed) {
                usable.entry(id).or_insert(key);
            }
        }
        if usable.is_empty() {
            return Err(KeySetError::Empty(found));
        }
        Ok(Self(usable))
    }

    pub(super) fn get(&self, id: &str) -> Option<&Key> {
        self.0.get(id)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

impl WrittenKey {
    fn usable(self, allowed: &[SigningAlgorithm]) -> Option<(String, Key)> {
        let id = self
            .kid
            .clone()
            .filter(|id| (1..=KEY_ID_MAX_BYTES).contains(&id.len()))?;
        if self.usage.as_deref().is_some_and(|usage| usage != "sig") {
            return None;
        }
        if self
            .key_ops
            .as_ref()
            .is_some_and(|ops| !ops.iter().any(|op| op == "verify"))
        {
            return None;
        }
        let (signing, name, decoding) = match (self.kty.as_str(), self.crv.as_deref()) {
            ("RSA", _) => (SigningAlgorithm::Rs256, "RS256", self.rsa()?),
            ("EC", Some("P-256")) => (SigningAlgorithm::Es256, "ES256", self.p256()?),
            ("OKP", Some("Ed25519")) => (SigningAlgorithm::EdDsa, "EdDSA", self.ed25519()?),
            _ => return None,
        };
        // RFC 9864 calls EdDSA on this curve by the name of the curve.
        let is_named_so = |alg: &str| alg == name || (alg, name) == ("Ed25519", "EdDSA");
        if !allowed.contains(&signing) || self.alg.as_deref().is_some_and(|alg| !is_named_so(alg)) {
            return None;
        }
        let algorithm = match signing {
            SigningAlgorithm::Rs256 => Algorithm::RS256,
            SigningAlgorithm::Es256 => Algorithm::ES256,
            SigningAlgorithm::EdDsa => Algorithm::EdDSA,
        };
        Some((id, Key { algorithm, decoding }))
    }

    fn rsa(&self) -> Option<DecodingKey> {
        let modulus = decoded(self.n.as_deref()?)?;
        let exponent = decoded(self.e.as_deref()?)?;
        let leading = modulus.iter().take_while(|byte| **byte == 0).count();
        let significant = modulus.get(leading..)?;
        let bits = significant.len() * 8 - significant.first()?.leading_zeros() as usize;
        let is_small = exponent.len() <= size_of::<u32>();
        let value = exponent.iter().fold(0_u32, |value, byte| value << 8 | u32::from(*byte));
        if !(RSA_MIN_BITS..=RSA_MAX_BITS).contains(&bits) || !is_small || value < 3 || value.is_multiple_of(2) {
            return None;
        }
        Some(DecodingKey::from_rsa_raw_components(significant, &exponent))
    }

    fn p256(&self) -> Option<DecodingKey> {
        let (x, y) = (self.x.as_deref()?, self.y.as_deref()?);
        let is_point = [x, y]
            .iter()
            .all(|text| decoded(text).is_some_and(|bytes| bytes.len() == 32));
        DecodingKey::from_ec_components(x, y).ok().filter(|_| is_point)
    }

    fn ed25519(&self) -> Option<DecodingKey> {
        let x = self.x.as_deref()?;
        let is_point = decoded(x).is_some_and(|bytes| bytes.len() == 32);
        DecodingKey::from_ed_components(x).ok().filter(|_| is_point)
    }
}

fn decoded(text: &str) -> Option<Vec<u8>> {
    BASE64URL_NOPAD.decode(text.trim_end_matches('=').as_bytes()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use SigningAlgorithm::{EdDsa, Es256, Rs256};
    use serde_json::{Value, json};

    const ALL: [SigningAlgorithm; 3] = [Rs256, Es256, EdDsa];

    fn ed25519() -> Value {
        json!({"kty": "OKP", "crv": "Ed25519", "kid": "ed", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"})
    }

    /// The point of RFC 7515, appendix A.3.
    fn p256() -> Value {
        json!({"kty": "EC", "crv": "P-256", "kid": "ec",
            "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"})
    }

    fn rsa(bytes: usize) -> Value {
        json!({"kty": "RSA", "kid": "rsa", "e": "AQAB", "n": BASE64URL_NOPAD.encode(&vec![0xFF; bytes])})
    }

    fn with(mut key: Value, field: &str, value: Value) -> Value {
        key[field] = value;
        key
    }

    fn parse(keys: &[Value], allowed: &[SigningAlgorithm]) -> Result<KeySet, KeySetError> {
        KeySet::parse(json!({ "keys": keys }).to_string().as_bytes(), allowed)
    }

    #[test]
    fn each_kind_of_key_checks_one_algorithm() {
        let set = parse(&[ed25519(), p256(), rsa(256)], &ALL).expect("three keys");
        for (id, algorithm) in [
            ("ed", Algorithm::EdDSA),
            ("ec", Algorithm::ES256),
            ("rsa", Algorithm::RS256),
        ] {
            assert_eq!(set.get(id).map(|key| key.algorithm), Some(algorithm));
        }
        assert_eq!(parse(&[ed25519(), p256()], &[Es256]).expect("one key").len(), 1);
    }

    #[test]
    fn keys_that_are_no_good_are_left_out() {
        for key in [
            rsa(255),
            rsa(1025),
            with(rsa(256), "e", json!("AQ")),
            with(rsa(256), "e", json!("Ag")),
            with(rsa(256), "e", json!("AQABAQAB")),
            with(rsa(256), "alg", json!("PS256")),
            with(rsa(256), "use", json!("enc")),
            with(rsa(256), "key_ops", json!(["encrypt"])),
            with(rsa(256), "kid", Value::Null),
            with(rsa(256), "kid", json!("")),
            with(rsa(256), "kid", json!(7)),
            with(rsa(256), "n", json!("!")),
            with(p256(), "crv", json!("P-384")),
            with(p256(), "x", json!("f83O")),
            with(p256(), "y", Value::Null),
            with(p256(), "alg", json!("ES384")),
            with(ed25519(), "crv", json!("X25519")),
            with(ed25519(), "x", json!("")),
            json!({"kty": "oct", "kid": "hmac", "k": "c2VjcmV0", "alg": "HS256"}),
            json!({"kty": "new"}),
            json!("no key"),
        ] {
            assert!(
                matches!(parse(std::slice::from_ref(&key), &ALL), Err(KeySetError::Empty(1))),
                "{key}"
            );
            assert_eq!(parse(&[key, ed25519()], &ALL).map(|set| set.len()).ok(), Some(1));
        }
        assert!(parse(&[with(ed25519(), "alg", json!("Ed25519"))], &ALL).is_ok());
    }

    #[test]
    fn what_is_no_set_is_refused() {
        for text in [
            "",
            "{",
            "[]",
            "{}",
            r#"{"keys": 1}"#,
            r#"{"keys": {}}"#,
            "\u{feff}{}",
            &"[".repeat(100_000),
        ] {
            assert!(matches!(
                KeySet::parse(text.as_bytes(), &ALL),
                Err(KeySetError::Malformed(_))
            ));
        }
        assert!(matches!(parse(&[], &ALL), Err(KeySetError::Empty(0))));
    }

    #[test]
    fn of_two_keys_with_one_name_the_first_counts() {
        let set = parse(
            &[with(p256(), "kid", json!("k")), with(ed25519(), "kid", json!("k"))],
            &ALL,
        )
        .expect("a key");
        assert_eq!(set.get("k").map(|key| key.algorithm), Some(Algorithm::ES256));
    }
}
