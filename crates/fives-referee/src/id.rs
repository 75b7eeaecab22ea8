//! Names of things: one type a meaning, opaque to everybody else.

use std::fmt;
use std::str::FromStr;

use data_encoding::BASE32_NOPAD;
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::request::RequestId;

/// Why a text is no id or code. Says nothing of whether what it names exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum IdError {
    /// Not an id as this service writes them.
    #[error("it is not an id as this service writes them")]
    Malformed,
}

/// Declares an id: 16 bytes, written as a prefix and 26 small letters and digits.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name([u8; 16]);

        impl $name {
            /// The id with these bytes.
            #[must_use]
            pub const fn from_bytes(bytes: [u8; 16]) -> Self {
                Self(bytes)
            }

            /// Its bytes.
            #[must_use]
            pub const fn as_bytes(&self) -> &[u8; 16] {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), BASE32_NOPAD.encode(&self.0).to_ascii_lowercase())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                let letters = text.strip_prefix($prefix).ok_or(IdError::Malformed)?;
                if letters.len() != 26 || letters.bytes().any(|letter| letter.is_ascii_uppercase()) {
                    return Err(IdError::Malformed);
                }
                let bytes = BASE32_NOPAD.decode(letters.to_ascii_uppercase().as_bytes());
                bytes.ok().and_then(|bytes| bytes.try_into().ok()).map(Self).ok_or(IdError::Malformed)
            }
        }
    };
}

id! {
    /// A match.
    MatchId, "m-"
}

id! {
    /// A player.
    PlayerId, "p-"
}

id! {
    /// A place in a queue.
    TicketId, "t-"
}

impl PlayerId {
    /// An id of nobody, for the seat of a person who was erased: it begins with zeros, which no id of a person does.
    #[must_use]
    pub const fn of_nobody(random: [u8; 8]) -> Self {
        Self((u64::from_be_bytes(random) as u128).to_be_bytes())
    }

    /// Whether it is an id of nobody.
    #[must_use]
    pub fn is_nobody(&self) -> bool {
        self.0.starts_with(&[0; 8])
    }
}

impl MatchId {
    /// The id of the match that `creator` makes with `request`: a retry finds the match that the first try made (law 5).
    #[must_use]
    pub fn derive(creator: &PlayerId, request: &RequestId) -> Self {
        let mut hash = Sha256::new();
        hash.update(b"fives match");
        hash.update(creator.0);
        hash.update(request.as_str());
        let digest: [u8; 32] = hash.finalize().into();
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&digest[..16]);
        Self(bytes)
    }
}

/// What opens a private match: eight letters and digits that cannot be mistaken for each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InviteCode([u8; InviteCode::LEN]);

impl InviteCode {
    /// How many characters a code has.
    pub const LEN: usize = 8;

    /// Crockford's alphabet: no I, L, O or U.
    const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

    /// The code that these random bytes give.
    #[must_use]
    pub fn from_random(random: [u8; Self::LEN]) -> Self {
        Self(random.map(|byte| Self::ALPHABET[usize::from(byte % 32)]))
    }

    /// The code as text.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Display for InviteCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|&letter| write!(f, "{}", char::from(letter)))
    }
}

impl fmt::Debug for InviteCode {
    /// A code opens a match, so it stays out of logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InviteCode(secret)")
    }
}

impl FromStr for InviteCode {
    type Err = IdError;

    /// Reads small letters as capitals and skips spaces and hyphens, as people type them.
    fn from_str(text: &str) -> Result<Self, IdError> {
        let mut letters = text.bytes().filter(|byte| !matches!(byte, b' ' | b'-'));
        let mut code = [0; Self::LEN];
        for place in &mut code {
            let letter = letters.next().ok_or(IdError::Malformed)?.to_ascii_uppercase();
            *place = Some(letter)
                .filter(|letter| Self::ALPHABET.contains(letter))
                .ok_or(IdError::Malformed)?;
        }
        letters.next().map_or(Ok(Self(code)), |_| Err(IdError::Malformed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_as_they_are_written() {
        let id = MatchId::from_bytes([0xA5; 16]);
        assert_eq!(id.to_string().parse(), Ok(id));
        for wrong in [
            "",
            "m-",
            "p-uwslljnfuwslljnfuwslljnfuu",
            "m-UWSLLJNFUWSLLJNFUWSLLJNFUU",
            "m-1",
            "m-ü",
        ] {
            assert_eq!(wrong.parse::<MatchId>(), Err(IdError::Malformed), "{wrong}");
        }
    }

    #[test]
    fn nobody_is_known_by_zeros() {
        let nobody = PlayerId::of_nobody([7; 8]);
        assert!(nobody.is_nobody() && nobody.to_string().starts_with("p-aaaaaaaaaaaa"));
        assert_ne!(nobody, PlayerId::of_nobody([8; 8]));
        assert!(!PlayerId::from_bytes([7; 16]).is_nobody());
    }

    #[test]
    fn codes_are_read_as_people_type_them() {
        let code = InviteCode::from_random([0, 31, 32, 10, 11, 12, 13, 14]);
        assert_eq!(code.to_string(), "0Z0ABCDE");
        assert_eq!(" 0z0a-bcde".parse(), Ok(code));
        assert!("0Z0ABCD".parse::<InviteCode>().is_err());
        assert!("0Z0ABCDEF".parse::<InviteCode>().is_err());
        assert!("0Z0ABCDU".parse::<InviteCode>().is_err());
    }
}
