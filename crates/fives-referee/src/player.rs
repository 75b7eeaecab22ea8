//! People: who they are to the service, and what they are called.

use std::fmt;
use std::sync::Arc;

use sha2::{Digest, Sha256};
use thiserror::Error;
use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_normalization::UnicodeNormalization;

use crate::id::PlayerId;
use crate::time::UnixMillis;

/// A name to show to others: 1 to 32 code points in Unicode's NFC, none of them a control or a direction-changing character.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DisplayName(Arc<str>);

/// Why a text is no display name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum NameError {
    /// Nothing in it, or over 32 code points.
    #[error("a name has 1 to {} characters", DisplayName::MAX_CHARS)]
    Length,
    /// White space at its beginning or end.
    #[error("a name neither begins nor ends with a blank")]
    Blank,
    /// A control, format, direction-changing, private or unassigned character.
    #[error("a name has no control or direction-changing characters")]
    Character,
}

impl DisplayName {
    /// The longest name, in code points.
    pub const MAX_CHARS: usize = 32;

    /// Takes a text for a name, after bringing it to NFC.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn new(text: &str) -> Result<Self, NameError> {
        // Bounded before normalising: NFC never needs more than three code points for one of its input.
        if text.len() > Self::MAX_CHARS * 4 * 4 {
            return Err(NameError::Length);
        }
        let name: String = text.nfc().collect();
        if !(1..=Self::MAX_CHARS).contains(&name.chars().count()) {
            return Err(NameError::Length);
        }
        if name.trim() != name {
            return Err(NameError::Blank);
        }
        if name.chars().any(is_unprintable) {
            return Err(NameError::Character);
        }
        Ok(Self(name.into()))
    }

    /// What stands where a person was called something who was erased since.
    #[must_use]
    pub fn erased() -> Self {
        Self("Deleted player".into())
    }

    /// The name of the service itself.
    pub(crate) fn house() -> Self {
        Self("Fives".into())
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn is_unprintable(character: char) -> bool {
    use GeneralCategory::{Control, Format, LineSeparator, ParagraphSeparator, PrivateUse, Surrogate, Unassigned};
    matches!(
        get_general_category(character),
        Control | Format | LineSeparator | ParagraphSeparator | PrivateUse | Surrogate | Unassigned
    )
}

impl fmt::Display for DisplayName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The hash of a device key: finds the player again, and does not give the key away.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct DeviceHash(pub [u8; 32]);

impl DeviceHash {
    /// The shortest key, in characters.
    pub const KEY_MIN_LEN: usize = 16;
    /// The longest key, in characters.
    pub const KEY_MAX_LEN: usize = 128;

    /// The hash of `key`, or `None` unless it is 16 to 128 printable ASCII characters without spaces.
    #[must_use]
    pub fn of_key(key: &str) -> Option<Self> {
        let fits = (Self::KEY_MIN_LEN..=Self::KEY_MAX_LEN).contains(&key.len());
        if !fits || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return None;
        }
        let mut hash = Sha256::new();
        hash.update(b"fives device");
        hash.update(key);
        Some(Self(hash.finalize().into()))
    }
}

/// A person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Player {
    /// Never changes.
    pub id: PlayerId,
    /// What others see.
    pub name: DisplayName,
    /// The device that finds the player again, if there is one.
    pub device: Option<DeviceHash>,
    /// When the player first came.
    pub created_at: UnixMillis,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_brought_to_nfc() {
        assert_eq!(
            DisplayName::new("Zoe\u{308}").map(|name| name.to_string()),
            Ok("Zo\u{eb}".to_owned())
        );
        assert_eq!(
            DisplayName::new("\u{5f20}\u{4f1f} 7 \u{1f600}")
                .map(|name| name.to_string())
                .as_deref(),
            Ok("\u{5f20}\u{4f1f} 7 \u{1f600}")
        );
    }

    #[test]
    fn names_that_could_fool_somebody_are_refused() {
        let too_long = "a".repeat(33);
        let huge = "a\u{308}".repeat(10_000);
        for (text, why) in [
            ("", NameError::Length),
            (too_long.as_str(), NameError::Length),
            (huge.as_str(), NameError::Length),
            (" anna", NameError::Blank),
            ("anna\u{3000}", NameError::Blank),
            ("an\u{0}na", NameError::Character),
            ("an\u{202e}na", NameError::Character),
            ("an\u{200b}na", NameError::Character),
            ("an\u{2028}na", NameError::Character),
            ("an\u{e000}na", NameError::Character),
        ] {
            assert_eq!(DisplayName::new(text), Err(why), "{text:?}");
        }
    }

    #[test]
    fn device_keys_have_bounds() {
        assert!(DeviceHash::of_key("0123456789abcdef").is_some());
        assert!(DeviceHash::of_key("0123456789abcde").is_none());
        assert!(DeviceHash::of_key("0123456789 abcdef").is_none());
        assert!(DeviceHash::of_key(&"x".repeat(129)).is_none());
    }
}
