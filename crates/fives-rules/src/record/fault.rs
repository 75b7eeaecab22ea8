//! The first thing in a record that is not true, and where it stands.

use std::fmt;

/// The first thing in a record that is not true.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The round, from 0; `None` for what concerns the whole match.
    pub round: Option<usize>,
    /// The turn in the round, from 0; `None` for what concerns the whole round.
    pub turn: Option<usize>,
    /// The field of the record.
    pub field: &'static str,
    /// What is wrong with it.
    pub detail: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(round) = self.round {
            write!(f, "round {round}, ")?;
        }
        if let Some(turn) = self.turn {
            write!(f, "turn {turn}, ")?;
        }
        write!(f, "{}: {}", self.field, self.detail)
    }
}

impl std::error::Error for Fault {}

/// A fault of the whole match.
pub(super) fn whole(field: &'static str, detail: impl Into<String>) -> Fault {
    Fault {
        round: None,
        turn: None,
        field,
        detail: detail.into(),
    }
}

/// A fault of a whole round.
pub(super) fn at(round: usize, field: &'static str, detail: impl Into<String>) -> Fault {
    Fault {
        round: Some(round),
        turn: None,
        field,
        detail: detail.into(),
    }
}
