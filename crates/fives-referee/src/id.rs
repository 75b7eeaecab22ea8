//! Names of things: one type a meaning, opaque to everybody else.

use std::fmt;
use std::str::FromStr;

use data_encoding::BASE32_NOPAD;
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::request::RequestId;
use crate::store::StoreError;

/// Why a text is no id or code. Says nothing of whether what it names exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum IdError {
    /// Not an id as this service writes them.
    #[error("it is not an id as this service writes them")]
    Malformed,
    /// A code whose last character does not follow from the others.
    #[error("a character of it is wrong, or two have changed places")]
    Mistyped,
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

/// What opens a match: eight letters and digits that cannot be mistaken for each other, and a ninth that follows from them, so
/// that a typing error is not taken for a code that nobody has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InviteCode([u8; InviteCode::LEN]);

impl InviteCode {
    /// How many characters a code is made of. Written out it has one more, the check character.
    pub const LEN: usize = 8;

    /// Crockford's alphabet: no I, L, O or U.
    const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

    /// The code that these random bytes give.
    #[must_use]
    pub fn from_random(random: [u8; Self::LEN]) -> Self {
        Self(random.map(|byte| Self::ALPHABET[usize::from(byte % 32)]))
    }

    /// The characters that it is made of, as they are kept and found.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The code that was kept like this; `None` if none is.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let code: [u8; Self::LEN] = bytes.try_into().ok()?;
        code.iter()
            .all(|letter| Self::ALPHABET.contains(letter))
            .then_some(Self(code))
    }

    /// Two to the power of five numbers can be added and multiplied without a rest (GF(32), by x^5 + x^2 + 1). Each character counts
    /// by another power of two, the check character by the first: no wrong character adds up to the same, nor do any two that have
    /// changed places.
    fn check(&self) -> u8 {
        let doubled = |digit: u8| (digit << 1) ^ if digit & 16 == 0 { 0 } else { 0b10_0101 };
        let digit = |letter| Self::ALPHABET.iter().position(|known| *known == letter).unwrap_or(0);
        let sum = self.0.iter().fold(0, |sum, &letter| doubled(sum ^ digit(letter) as u8));
        Self::ALPHABET[usize::from(sum % 32)]
    }
}

impl fmt::Display for InviteCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .chain([&self.check()])
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

    /// Reads it as people type it: small letters as capitals, O as 0, I and L as 1; spaces and hyphens are skipped.
    fn from_str(text: &str) -> Result<Self, IdError> {
        let mut letters = text.bytes().filter(|byte| !matches!(byte, b' ' | b'-'));
        let mut typed = [0; Self::LEN + 1];
        for place in &mut typed {
            *place = match letters.next().ok_or(IdError::Malformed)?.to_ascii_uppercase() {
                b'O' => b'0',
                b'I' | b'L' => b'1',
                letter if Self::ALPHABET.contains(&letter) => letter,
                _ => return Err(IdError::Malformed),
            };
        }
        let ([code @ .., check], None) = (typed, letters.next()) else {
            return Err(IdError::Malformed);
        };
        let code = Self(code);
        if code.check() == check {
            Ok(code)
        } else {
            Err(IdError::Mistyped)
        }
    }
}

/// Random bytes of the operating system, for ids and for what is secret.
///
/// # Errors
/// [`StoreError::Unavailable`] where it has none to give: nothing was begun.
pub fn random<const N: usize>() -> Result<[u8; N], StoreError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| StoreError::Unavailable(error.into()))?;
    Ok(bytes)
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
        let written = code.to_string();
        assert_eq!(&written[..8], "0Z0ABCDE");
        let typed = format!(" o{}-{} ", written[1..4].to_lowercase(), &written[4..]);
        assert_eq!(typed.parse(), Ok(code));
        for wrong in [
            "",
            "0Z0ABCDE",
            &written[1..],
            &format!("{written}0"),
            "0Z0ABCDUU",
            "0Z0ABCDE\u{e4}",
        ] {
            assert_eq!(wrong.parse::<InviteCode>(), Err(IdError::Malformed), "{wrong}");
        }
        assert_eq!(InviteCode::from_bytes(code.as_bytes()), Some(code));
        for wrong in [&b"0Z0ABCDO"[..], b"0Z0ABCD", b"0z0abcde", b"0Z0ABCDEF"] {
            assert_eq!(InviteCode::from_bytes(wrong), None);
        }
    }

    #[test]
    fn a_wrong_character_is_noticed_and_so_are_two_that_have_changed_places() {
        for random in [[0; 8], [7, 3, 31, 16, 0, 9, 22, 1], [31; 8]] {
            let right = InviteCode::from_random(random).to_string().into_bytes();
            let wrong = |typed: &[u8]| {
                let typed = std::str::from_utf8(typed).expect("ASCII");
                assert_eq!(typed.parse::<InviteCode>(), Err(IdError::Mistyped), "{typed}");
            };
            for place in 0..right.len() {
                for letter in InviteCode::ALPHABET.iter().filter(|letter| **letter != right[place]) {
                    let mut typed = right.clone();
                    typed[place] = *letter;
                    wrong(&typed);
                }
                for other in (0..place).filter(|other| right[*other] != right[place]) {
                    let mut typed = right.clone();
                    typed.swap(place, other);
                    wrong(&typed);
                }
            }
        }
    }
}
