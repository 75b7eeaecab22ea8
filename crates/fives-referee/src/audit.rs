//! What administrators have done: who, what, to which match, and why. A row is kept before its act takes effect, so that no act is
//! without one; a row whose act then failed is possible, and says what was ordered.

use std::fmt;
use std::sync::Arc;

use fives_rules::seat::Seat;
use thiserror::Error;

use crate::erased::ErasedMark;
use crate::id::MatchId;
use crate::notice::NoticeId;
use crate::store::Bookmark;
use crate::time::UnixMillis;

/// How many rows are kept at least as long as there are no newer ones.
pub const AUDIT_ROWS_MAX: u64 = 100_000;

/// Why a text is none that an audit row can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("1 to {max_chars} characters, none of them a control character, with no blank at its beginning or end")]
pub struct AuditTextError {
    max_chars: usize,
}

/// Declares a line of text with a longest length.
macro_rules! line {
    ($(#[$doc:meta])* $name:ident, $max_chars:literal) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The longest, in characters.
            pub const MAX_CHARS: usize = $max_chars;

            /// Takes a text for one.
            ///
            /// # Errors
            /// If it is empty or too long, has control characters, or blanks around it.
            pub fn new(text: &str) -> Result<Self, AuditTextError> {
                let is_short = (1..=Self::MAX_CHARS).contains(&text.chars().take(Self::MAX_CHARS + 1).count());
                if is_short && text.trim() == text && !text.chars().any(char::is_control) {
                    Ok(Self(text.into()))
                } else {
                    Err(AuditTextError {
                        max_chars: Self::MAX_CHARS,
                    })
                }
            }

            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

line! {
    /// An administrator. Whoever has the admin token is believed in the name that came with the call; whoever has a token of an
    /// issuer is called what the issuer says.
    Operator, 512
}

line! {
    /// Why something was done, in an administrator's words.
    Why, 500
}

line! {
    /// What is to be logged, as it was written; whether it is a filter, the process says that logs.
    FilterText, 1000
}

/// Something that an administrator does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Act {
    /// Looks at what is hidden in a match.
    Reveal(MatchId),
    /// Ends a match without a result.
    Void(MatchId),
    /// Has the player of a seat give up.
    Forfeit(MatchId, Seat),
    /// Has the indexes of some matches follow from them again.
    RepairIndexes,
    /// Changes what a process logs.
    SetLogFilter(FilterText),
    /// Stops a process.
    Drain,
    /// Has the platform told again what could not be delivered.
    RetryDeadLetter(NoticeId),
    /// Has everything about a person erased, of whom the row then says only this.
    ErasePlayer(ErasedMark),
}

/// What an audit row says, but for when.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AuditEntry {
    /// Who.
    pub operator: Operator,
    /// What, and to which match.
    pub act: Act,
    /// Why; acts on a match always say so.
    pub why: Option<Why>,
}

/// A row that is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AuditRow {
    /// Where it stands: what is asked for next begins behind it.
    pub bookmark: Bookmark,
    /// When, by the store's clock.
    pub at: UnixMillis,
    /// What it says.
    pub entry: AuditEntry,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_short_and_can_be_printed() {
        for text in ["anna", "žofie of the night shift", &"x".repeat(512)] {
            assert_eq!(
                Operator::new(text).map(|operator| operator.to_string()),
                Ok(text.to_owned())
            );
        }
        for text in ["", " anna", "anna ", "an\nna", "an\u{1b}na", &"x".repeat(513)] {
            assert!(Operator::new(text).is_err(), "{text:?}");
        }
        let message = Why::new("").expect_err("nothing").to_string();
        assert!(message.starts_with("1 to 500 characters"), "{message}");
    }
}
