//! The key that signs tokens: Ed25519 in a file that only its owner can read.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use data_encoding::BASE64URL_NOPAD;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use ed25519_dalek::pkcs8::{self, DecodePrivateKey, EncodePrivateKey};
use ed25519_dalek::{SigningKey, VerifyingKey};
use sha2::{Digest, Sha256};
use thiserror::Error;

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
    /// A key cannot be written down.
    #[error("the key cannot be encoded: {0}")]
    Encoding(#[from] pkcs8::Error),
}

/// The key in this file.
pub(super) fn read(path: &Path) -> Result<SigningKey, KeyError> {
    let pem = fs::read_to_string(path).map_err(|error| KeyError::File {
        path: path.to_owned(),
        error,
    })?;
    SigningKey::from_pkcs8_pem(&pem).map_err(|_| KeyError::Malformed(path.to_owned()))
}

/// Makes a key in this file if there is none.
pub(crate) fn make_missing(path: &Path) -> Result<(), KeyError> {
    let failed = |error| KeyError::File {
        path: path.to_owned(),
        error,
    };
    if fs::exists(path).map_err(failed)? {
        return Ok(());
    }
    write(path, random()?.to_pkcs8_pem(LineEnding::LF)?.as_bytes()).map_err(failed)
}

/// Public keys as others read them: a JSON Web Key Set (RFC 7517, RFC 8037).
pub(super) fn jwks(keys: &[VerifyingKey]) -> String {
    let key = |key: &VerifyingKey| {
        let (id, public) = (id(key), BASE64URL_NOPAD.encode(key.as_bytes()));
        format!(r#"{{"kty":"OKP","crv":"Ed25519","alg":"EdDSA","use":"sig","kid":"{id}","x":"{public}"}}"#)
    };
    format!(r#"{{"keys":[{}]}}"#, keys.iter().map(key).collect::<Vec<_>>().join(","))
}

/// A key that nobody has had.
pub(super) fn random() -> Result<SigningKey, KeyError> {
    let mut secret = [0; 32];
    getrandom::fill(&mut secret)?;
    Ok(SigningKey::from_bytes(&secret))
}

/// The key as the signer wants it: PKCS#8 DER.
pub(super) fn to_der(key: &SigningKey) -> Result<Vec<u8>, KeyError> {
    Ok(key.to_pkcs8_der()?.as_bytes().to_vec())
}

/// What a token names its key by: the thumbprint of RFC 7638, which anybody can work out from the public key.
pub(super) fn id(key: &VerifyingKey) -> String {
    let public = BASE64URL_NOPAD.encode(key.as_bytes());
    let members = format!(r#"{{"crv":"Ed25519","kty":"OKP","x":"{public}"}}"#);
    BASE64URL_NOPAD.encode(&Sha256::digest(members))
}

/// Writes beside the file and renames: a process that dies here leaves the key whole or not at all.
fn write(path: &Path, pem: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let beside = path.with_extension("new");
    let mut options = OpenOptions::new();
    let mut file = options
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&beside)?;
    file.write_all(pem)?;
    file.sync_all()?;
    fs::rename(&beside, path)?;
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_key_is_made_once_for_its_owner_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("keys/token-key.pem");
        make_missing(&path).expect("made");
        let made = read(&path).expect("read");
        let mode = fs::metadata(&path).expect("the key").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        make_missing(&path).expect("nothing is missing");
        assert_eq!(read(&path).expect("read").to_bytes(), made.to_bytes());
        let files = fs::read_dir(path.parent().expect("a folder")).expect("listed");
        assert_eq!(files.count(), 1, "nothing is left beside it");
        assert_ne!(random().expect("random").to_bytes(), made.to_bytes());
    }

    #[test]
    fn a_file_that_holds_no_key_is_refused_and_left_as_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("token-key.pem");
        fs::write(&path, "no key").expect("written");
        make_missing(&path).expect("nothing is missing");
        assert!(matches!(read(&path), Err(KeyError::Malformed(_))));
        assert_eq!(fs::read(&path).expect("read"), b"no key");
    }

    #[test]
    fn the_id_is_the_thumbprint_of_rfc_8037() {
        // Appendix A.3 gives the key of A.2 this thumbprint.
        let public = BASE64URL_NOPAD
            .decode(b"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")
            .expect("base64");
        let key = VerifyingKey::from_bytes(&public.try_into().expect("32 bytes")).expect("a key");
        assert_eq!(id(&key), "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
    }
}
