//! The admin token: one secret that all administrators of a process share. Kept as a hash, never logged.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use fives_wire::status::Denial;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::config::ConfigError;
use crate::layers::auth::bearer;

/// The shortest secret, in characters, and the longest.
const MIN_CHARS: usize = 32;
const MAX_CHARS: usize = 1024;

/// What administrators prove themselves with; without one, nobody can.
#[derive(Clone, Copy)]
pub(crate) struct AdminToken(Option<[u8; 32]>);

impl AdminToken {
    /// The secret in this file.
    ///
    /// # Errors
    /// If there is none, or one that could be guessed.
    pub(crate) fn open(file: Option<&Path>) -> Result<Self, ConfigError> {
        let Some(path) = file else { return Ok(Self(None)) };
        let error = |problem: String| ConfigError {
            flag: "admin-token-file",
            problem: format!("{}: {problem}", path.display()),
        };
        let text = read(path).map_err(|cause| error(cause.to_string()))?;
        let secret = text.trim_end();
        if !(MIN_CHARS..=MAX_CHARS).contains(&secret.len()) || !secret.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(error(format!(
                "it must hold {MIN_CHARS} to {MAX_CHARS} printable ASCII characters without spaces, as from `openssl rand -hex 32`"
            )));
        }
        Ok(Self(Some(Sha256::digest(secret).into())))
    }

    /// Whether the value of an `authorization` has it.
    ///
    /// # Errors
    /// Why not.
    pub(crate) fn check(&self, authorization: Option<&[u8]>) -> Result<(), Denial> {
        let Self(Some(right)) = self else {
            return Err(Denial::AdminTokenNotSet);
        };
        let authorization = authorization.ok_or(Denial::AdminTokenMissing)?;
        let given = std::str::from_utf8(authorization).ok().and_then(bearer);
        // Hashes have one length, so the comparison tells nothing of the secret, not even how long it is.
        let given: [u8; 32] = Sha256::digest(given.unwrap_or_default()).into();
        if bool::from(given.ct_eq(right)) {
            Ok(())
        } else {
            Err(Denial::AdminTokenInvalid)
        }
    }
}

impl fmt::Debug for AdminToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AdminToken")
    }
}

/// The text in a file, which may be any file.
fn read(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let most = MAX_CHARS as u64 + 2;
    File::open(path)?.take(most).read_to_string(&mut text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "0123456789abcdef0123456789abcdef";

    fn open(content: &str) -> Result<AdminToken, ConfigError> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("admin-token");
        std::fs::write(&path, content).expect("written");
        AdminToken::open(Some(&path))
    }

    #[test]
    fn the_secret_opens_and_nothing_else_does() {
        let token = open(&format!("{SECRET}\n")).expect("a good secret");
        let check = |authorization: &str| token.check(Some(authorization.as_bytes()));
        assert_eq!(check(&format!("Bearer {SECRET}")), Ok(()));
        assert_eq!(check(&format!("bearer {SECRET}")), Ok(()));
        for wrong in [
            "",
            "Bearer",
            "Bearer ",
            SECRET,
            "Bearer 0123456789abcdef0123456789abcdeF",
        ] {
            assert_eq!(check(wrong), Err(Denial::AdminTokenInvalid), "{wrong}");
        }
        assert_eq!(check(&format!("Bearer {SECRET}0")), Err(Denial::AdminTokenInvalid));
        assert_eq!(token.check(Some(&[255])), Err(Denial::AdminTokenInvalid));
        assert_eq!(token.check(None), Err(Denial::AdminTokenMissing));
        assert_eq!(format!("{token:?}"), "AdminToken");
    }

    #[test]
    fn without_a_secret_nobody_is_an_administrator() {
        let token = AdminToken::open(None).expect("no file is asked for");
        let empty = format!("Bearer {}", "");
        for authorization in [None, Some(empty.as_bytes())] {
            assert_eq!(token.check(authorization), Err(Denial::AdminTokenNotSet));
        }
    }

    #[test]
    fn what_could_be_guessed_is_refused_with_its_flag_and_not_repeated() {
        for weak in [
            "",
            "secret",
            &SECRET[1..],
            "two words 6789abcdef0123456789abcdef",
            &"x".repeat(1025),
        ] {
            let message = open(weak).expect_err("weak").to_string();
            assert!(
                message.starts_with("--admin-token-file (FIVES_ADMIN_TOKEN_FILE): "),
                "{message}"
            );
            assert!(weak.is_empty() || !message.contains(weak), "{message}");
        }
        let missing = AdminToken::open(Some(Path::new("/nowhere/admin-token")));
        assert!(missing.is_err_and(|error| error.problem.contains("/nowhere/admin-token")));
    }
}
