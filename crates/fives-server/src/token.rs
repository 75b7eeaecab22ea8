//! Bearer tokens: who holds one is that player until it ends. EdDSA-signed JWTs; no other algorithm is ever looked at.

mod bearers;
mod key;
mod known;

use std::collections::HashMap;
use std::path::PathBuf;

use ed25519_dalek::{SigningKey, VerifyingKey};
use fives_referee::id::PlayerId;
use fives_referee::time::UnixMillis;
use fives_wire::status::Denial;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, decode_header, encode};
use serde::{Deserialize, Serialize};

pub(crate) use bearers::{Bearers, Principal};
pub use key::KeyError;
pub(crate) use key::make_missing;
use known::{Known, Verified};

/// Who signs, and for whom.
pub(crate) const ISSUER: &str = "fives";

/// The longest text that is looked at; a token of this service has about 300 bytes.
const MAX_LEN: usize = 1024;

/// Signs tokens, and tells its own from others.
pub(crate) struct Tokens {
    header: Header,
    signing: EncodingKey,
    /// By the id that a token names its key by.
    verifying: HashMap<String, DecodingKey>,
    /// The public keys, as anybody may have them (RFC 7517).
    jwks: String,
    validation: Validation,
    known: Known<Verified>,
    lifetime_s: u64,
}

/// A token, and when it ends.
pub(crate) struct Issued {
    pub(crate) access_token: String,
    pub(crate) expires_at: UnixMillis,
}

#[derive(Serialize, Deserialize)]
struct Claims {
    iss: String,
    aud: String,
    sub: String,
    iat: u64,
    exp: u64,
}

impl Tokens {
    /// With the keys in these files, of which the first signs; without a file, with one that is gone when the process is.
    pub(crate) fn open(files: &[PathBuf], lifetime_s: u64) -> Result<Self, KeyError> {
        let keys = files
            .iter()
            .map(|path| key::read(path))
            .collect::<Result<Vec<_>, _>>()?;
        match keys.split_first() {
            Some((signing, others)) => Self::new(signing, others, lifetime_s),
            None => Self::new(&key::random()?, &[], lifetime_s),
        }
    }

    fn new(key: &SigningKey, others: &[SigningKey], lifetime_s: u64) -> Result<Self, KeyError> {
        let mut header = Header::new(Algorithm::EdDSA);
        header.kid = Some(key::id(&key.verifying_key()));
        let public: Vec<VerifyingKey> = [key].into_iter().chain(others).map(SigningKey::verifying_key).collect();
        let verifying = public
            .iter()
            .map(|key| (key::id(key), DecodingKey::from_ed_der(key.as_bytes())));
        let mut validation = Validation::new(Algorithm::EdDSA);
        validation.set_issuer(&[ISSUER]);
        validation.set_audience(&[ISSUER]);
        validation.set_required_spec_claims(&["iss", "aud", "sub", "exp"]);
        // The store's clock is the only one that counts, so the time is looked at in `verify`.
        validation.validate_exp = false;
        Ok(Self {
            header,
            signing: EncodingKey::from_ed_der(&key::to_der(key)?),
            verifying: verifying.collect(),
            jwks: key::jwks(&public),
            validation,
            known: Known::default(),
            lifetime_s,
        })
    }

    /// A token for this player.
    pub(crate) fn issue(&self, player: &PlayerId, now: UnixMillis) -> Result<Issued, jsonwebtoken::errors::Error> {
        let iat = now.0 / 1000;
        let exp = iat.saturating_add(self.lifetime_s);
        let claims = Claims {
            iss: ISSUER.to_owned(),
            aud: ISSUER.to_owned(),
            sub: player.to_string(),
            iat,
            exp,
        };
        let access_token = encode(&self.header, &claims, &self.signing)?;
        Ok(Issued {
            access_token,
            expires_at: UnixMillis(exp.saturating_mul(1000)),
        })
    }

    /// Whose token this is.
    pub(crate) fn verify(&self, token: &str, now: UnixMillis) -> Result<PlayerId, Denial> {
        if token.len() > MAX_LEN {
            return Err(Denial::TokenInvalid);
        }
        let Verified { player, exp_s } = self.known.get_or_check(token, || self.check(token))?;
        if exp_s <= now.0 / 1000 {
            return Err(Denial::TokenExpired);
        }
        Ok(player)
    }

    /// The public keys of all tokens that are accepted.
    pub(crate) fn jwks(&self) -> &str {
        &self.jwks
    }

    /// Everything about a token that does not change with time.
    fn check(&self, token: &str) -> Result<Verified, Denial> {
        let kid = decode_header(token).ok().and_then(|header| header.kid);
        let verifying = kid
            .and_then(|kid| self.verifying.get(&kid))
            .ok_or(Denial::TokenInvalid)?;
        let decoded = decode::<Claims>(token, verifying, &self.validation);
        let claims = decoded.map_err(|_| Denial::TokenInvalid)?.claims;
        let player = claims.sub.parse().map_err(|_| Denial::TokenInvalid)?;
        Ok(Verified {
            player,
            exp_s: claims.exp,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use data_encoding::BASE64URL_NOPAD;

    const NOW: UnixMillis = UnixMillis(1_800_000_000_000);

    fn tokens(seed: u8) -> Tokens {
        Tokens::new(&SigningKey::from_bytes(&[seed; 32]), &[], 60).expect("a key")
    }

    fn player() -> PlayerId {
        PlayerId::from_bytes([3; 16])
    }

    fn claims(iss: &str, aud: &str, sub: &str) -> Claims {
        Claims {
            iss: iss.to_owned(),
            aud: aud.to_owned(),
            sub: sub.to_owned(),
            iat: NOW.0 / 1000,
            exp: NOW.0 / 1000 + 60,
        }
    }

    #[test]
    fn a_token_is_good_until_it_ends_and_with_the_same_key_again() {
        let issued = tokens(1).issue(&player(), NOW).expect("issued");
        assert_eq!(issued.expires_at, NOW.plus_ms(60_000));
        let again = tokens(1);
        // The second time the signature is known already.
        for _ in 0..2 {
            assert_eq!(again.verify(&issued.access_token, NOW.plus_ms(59_999)), Ok(player()));
            assert_eq!(
                again.verify(&issued.access_token, NOW.plus_ms(60_000)),
                Err(Denial::TokenExpired)
            );
        }
    }

    #[test]
    fn keys_are_changed_without_signing_anybody_out() {
        let key = |seed: u8| SigningKey::from_bytes(&[seed; 32]);
        let (old, new) = (tokens(1), Tokens::new(&key(2), &[key(1)], 60).expect("keys"));
        let issued_before = old.issue(&player(), NOW).expect("issued").access_token;
        let issued_after = new.issue(&player(), NOW).expect("issued").access_token;
        assert_eq!(new.verify(&issued_before, NOW), Ok(player()));
        assert_eq!(new.verify(&issued_after, NOW), Ok(player()));
        assert_eq!(old.verify(&issued_after, NOW), Err(Denial::TokenInvalid));
        assert!(new.jwks().contains(&key::id(&key(1).verifying_key())));
        assert!(new.jwks().contains(&key::id(&key(2).verifying_key())));
    }

    #[test]
    fn forged_tokens_are_refused() {
        let (here, there) = (tokens(1), tokens(2));
        let foreign = there.issue(&player(), NOW).expect("issued").access_token;
        assert_eq!(here.verify(&foreign, NOW), Err(Denial::TokenInvalid));

        let own = here.issue(&player(), NOW).expect("issued").access_token;
        assert_eq!(here.verify(&own, NOW), Ok(player()));
        let (head, signature) = own.rsplit_once('.').expect("three parts");
        let (header, body) = head.split_once('.').expect("three parts");
        let other_body = serde_body(&claims(ISSUER, ISSUER, &PlayerId::from_bytes([4; 16]).to_string()));
        for text in [
            format!("{header}.{other_body}.{signature}"),
            format!("{header}.{body}."),
            format!("{header}.{body}"),
            format!("{own}."),
            format!("{own}A"),
            format!(" {own}"),
            "x".repeat(MAX_LEN + 1),
            "..".to_owned(),
            "\u{1f600}".to_owned(),
            String::new(),
        ] {
            assert_eq!(here.verify(&text, NOW), Err(Denial::TokenInvalid), "{text}");
        }
    }

    #[test]
    fn no_other_algorithm_is_looked_at() {
        let here = tokens(1);
        let own = here.issue(&player(), NOW).expect("issued").access_token;
        let (head, signature) = own.rsplit_once('.').expect("three parts");
        let (_, body) = head.split_once('.').expect("three parts");
        for header in [
            r#"{"alg":"none"}"#,
            r#"{"alg":"None","typ":"JWT"}"#,
            r#"{"alg":"HS256","typ":"JWT"}"#,
        ] {
            let header = BASE64URL_NOPAD.encode(header.as_bytes());
            for signature in ["", signature] {
                let token = format!("{header}.{body}.{signature}");
                assert_eq!(here.verify(&token, NOW), Err(Denial::TokenInvalid));
            }
        }
        // The public key is no secret: signed with it as if it were one, a token must not pass.
        let public = SigningKey::from_bytes(&[1; 32]).verifying_key().to_bytes();
        let as_secret = EncodingKey::from_secret(&public).expect("a secret");
        let hmac = encode(
            &Header::new(Algorithm::HS256),
            &claims(ISSUER, ISSUER, &player().to_string()),
            &as_secret,
        );
        assert_eq!(here.verify(&hmac.expect("signed"), NOW), Err(Denial::TokenInvalid));
    }

    #[test]
    fn tokens_of_others_for_others_or_of_nobody_are_refused() {
        let tokens = tokens(1);
        let id = player().to_string();
        for claims in [
            claims("other", ISSUER, &id),
            claims(ISSUER, "other", &id),
            claims(ISSUER, ISSUER, "root"),
            claims(ISSUER, ISSUER, ""),
        ] {
            let token = encode(&tokens.header, &claims, &tokens.signing).expect("signed");
            assert_eq!(tokens.verify(&token, NOW), Err(Denial::TokenInvalid));
        }
        #[derive(Serialize)]
        struct Endless<'a> {
            iss: &'a str,
            aud: &'a str,
            sub: &'a str,
        }
        let endless = Endless {
            iss: ISSUER,
            aud: ISSUER,
            sub: &id,
        };
        let token = encode(&tokens.header, &endless, &tokens.signing).expect("signed");
        assert_eq!(tokens.verify(&token, NOW), Err(Denial::TokenInvalid));
    }

    /// A body as a token carries it, signed by somebody else.
    fn serde_body(claims: &Claims) -> String {
        let token = encode(&Header::new(Algorithm::EdDSA), claims, &tokens(9).signing).expect("signed");
        token.split('.').nth(1).expect("three parts").to_owned()
    }
}
