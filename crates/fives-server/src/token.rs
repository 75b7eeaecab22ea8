//! Bearer tokens: who holds one is that player until it ends. EdDSA-signed JWTs; no other algorithm is ever looked at.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use ed25519_dalek::pkcs8::{DecodePrivateKey, EncodePrivateKey};
use fives_referee::id::PlayerId;
use fives_referee::time::UnixMillis;
use fives_wire::status::Denial;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Who signs, and for whom.
const ISSUER: &str = "fives";

/// Why there is no key to sign with.
#[derive(Debug, Error)]
pub enum KeyError {
    /// The file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The file holds no such key.
    #[error("{}: it is no Ed25519 key in PKCS#8 PEM", .0.display())]
    Malformed(PathBuf),
    /// No random bytes to make one.
    #[error("no random bytes: {0}")]
    Random(#[from] getrandom::Error),
}

/// Signs tokens, and tells its own from others.
pub(crate) struct Tokens {
    signing: EncodingKey,
    verifying: DecodingKey,
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
    /// With the key in this file, which is made if it is not there.
    pub(crate) fn open(path: &Path, lifetime_s: u64) -> Result<Self, KeyError> {
        let file = |error| KeyError::File {
            path: path.to_owned(),
            error,
        };
        if !path.try_exists().map_err(file)? {
            make_key(path)?;
        }
        let pem = fs::read_to_string(path).map_err(file)?;
        let key = SigningKey::from_pkcs8_pem(&pem).map_err(|_| KeyError::Malformed(path.to_owned()))?;
        Ok(Self {
            signing: EncodingKey::from_ed_pem(pem.as_bytes()).map_err(|_| KeyError::Malformed(path.to_owned()))?,
            verifying: DecodingKey::from_ed_der(key.verifying_key().as_bytes()),
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
        let access_token = encode(&Header::new(Algorithm::EdDSA), &claims, &self.signing)?;
        Ok(Issued {
            access_token,
            expires_at: UnixMillis(exp.saturating_mul(1000)),
        })
    }

    /// Whose token this is.
    pub(crate) fn verify(&self, token: &str, now: UnixMillis) -> Result<PlayerId, Denial> {
        let mut validation = Validation::new(Algorithm::EdDSA);
        validation.set_issuer(&[ISSUER]);
        validation.set_audience(&[ISSUER]);
        // The store's clock is the only one that counts, so the time is looked at here.
        validation.validate_exp = false;
        let claims = decode::<Claims>(token, &self.verifying, &validation)
            .map_err(|_| Denial::TokenInvalid)?
            .claims;
        if claims.exp <= now.0 / 1000 {
            return Err(Denial::TokenExpired);
        }
        claims.sub.parse().map_err(|_| Denial::TokenInvalid)
    }
}

/// Makes a key that only this user can read. It comes into its place whole, so that nobody ever reads half of one; of several
/// processes that make one at the same time, the first wins.
fn make_key(path: &Path) -> Result<(), KeyError> {
    let mut secret = [0; 32];
    getrandom::fill(&mut secret)?;
    let pem = SigningKey::from_bytes(&secret).to_pkcs8_pem(LineEnding::LF);
    let pem = pem.map_err(|_| KeyError::Malformed(path.to_owned()))?;
    let file = |error| KeyError::File {
        path: path.to_owned(),
        error,
    };
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(file)?;
    // Temporary files are readable by their owner alone.
    let mut draft = tempfile::NamedTempFile::new_in(folder).map_err(file)?;
    draft
        .write_all(pem.as_bytes())
        .and_then(|()| draft.as_file().sync_all())
        .map_err(file)?;
    match draft.persist_noclobber(path) {
        Err(failed) if failed.error.kind() != io::ErrorKind::AlreadyExists => Err(file(failed.error)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    const NOW: UnixMillis = UnixMillis(1_800_000_000_000);

    fn tokens(folder: &Path) -> Tokens {
        Tokens::open(&folder.join("key.pem"), 60).expect("a key")
    }

    fn player() -> PlayerId {
        PlayerId::from_bytes([3; 16])
    }

    #[test]
    fn a_token_is_good_until_it_ends_and_after_a_restart() {
        let folder = tempfile::tempdir().expect("a folder");
        let issued = tokens(folder.path()).issue(&player(), NOW).expect("issued");
        assert_eq!(issued.expires_at, NOW.plus_ms(60_000));
        let again = tokens(folder.path());
        assert_eq!(again.verify(&issued.access_token, NOW.plus_ms(59_000)), Ok(player()));
        assert_eq!(
            again.verify(&issued.access_token, NOW.plus_ms(60_000)),
            Err(Denial::TokenExpired)
        );
        let mode = fs::metadata(folder.path().join("key.pem"))
            .expect("the key")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600, "the key is for its owner alone");
    }

    #[test]
    fn other_keys_and_other_algorithms_are_refused() {
        let (here, there) = (
            tempfile::tempdir().expect("a folder"),
            tempfile::tempdir().expect("a folder"),
        );
        let (here, there) = (tokens(here.path()), tokens(there.path()));
        let foreign = there.issue(&player(), NOW).expect("issued").access_token;
        assert_eq!(here.verify(&foreign, NOW), Err(Denial::TokenInvalid));

        let own = here.issue(&player(), NOW).expect("issued").access_token;
        let (head, signature) = own.rsplit_once('.').expect("three parts");
        let (_, claims) = head.split_once('.').expect("three parts");
        // {"alg":"none"} and {"alg":"HS256"}
        for header in ["eyJhbGciOiJub25lIn0", "eyJhbGciOiJIUzI1NiJ9"] {
            for signature in ["", signature] {
                assert_eq!(
                    here.verify(&format!("{header}.{claims}.{signature}"), NOW),
                    Err(Denial::TokenInvalid)
                );
            }
        }
        for text in ["", ".", "..", "a.b.c", "\u{1f600}"] {
            assert_eq!(here.verify(text, NOW), Err(Denial::TokenInvalid));
        }
    }

    #[test]
    fn tokens_for_others_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let tokens = tokens(folder.path());
        let exp = NOW.0 / 1000 + 60;
        let claims = |iss: &str, aud: &str, sub: &str| Claims {
            iss: iss.to_owned(),
            aud: aud.to_owned(),
            sub: sub.to_owned(),
            iat: NOW.0 / 1000,
            exp,
        };
        let id = player().to_string();
        for claims in [
            claims("other", "fives", &id),
            claims("fives", "other", &id),
            claims("fives", "fives", "root"),
        ] {
            let token = encode(&Header::new(Algorithm::EdDSA), &claims, &tokens.signing).expect("signed");
            assert_eq!(tokens.verify(&token, NOW), Err(Denial::TokenInvalid));
        }
    }

    #[test]
    fn a_file_that_holds_no_key_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("key.pem");
        fs::write(&path, "no key").expect("written");
        assert!(matches!(Tokens::open(&path, 60), Err(KeyError::Malformed(_))));
    }
}
