//! What a request is refused for before anybody decides anything.

use std::fmt;

/// A request that says something impossible: everything that was found wrong with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invalid {
    kind: InvalidKind,
    violations: Vec<Violation>,
}

/// Of which kind an [`Invalid`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvalidKind {
    /// A field, perhaps options too.
    Field,
    /// The options of a match, and nothing else.
    Options,
}

/// One thing that is wrong with a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The field, by its path in the request; empty for the request itself.
    pub field: String,
    /// What is wrong with it. Repeats nothing that a client has sent but numbers.
    pub description: String,
}

impl Invalid {
    /// A field that cannot be taken.
    pub(crate) fn field(field: impl Into<String>, description: impl fmt::Display) -> Self {
        Self::one(InvalidKind::Field, field.into(), description.to_string())
    }

    /// A field that is missing.
    pub(crate) fn missing(field: impl Into<String>) -> Self {
        Self::field(field, "it is required")
    }

    /// An option that cannot be.
    pub(crate) fn option(option: &str, description: impl fmt::Display) -> Self {
        Self::one(
            InvalidKind::Options,
            format!("options.{option}"),
            description.to_string(),
        )
    }

    fn one(kind: InvalidKind, field: String, description: String) -> Self {
        Self {
            kind,
            violations: vec![Violation { field, description }],
        }
    }

    /// Which reason it is refused for.
    #[must_use]
    pub const fn kind(&self) -> InvalidKind {
        self.kind
    }

    /// What is wrong, in the order of the fields; at least one thing.
    #[must_use]
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// Options are only of interest once the rest can be read.
    fn and(mut self, other: Self) -> Self {
        if other.kind == InvalidKind::Field {
            self.kind = InvalidKind::Field;
        }
        self.violations.extend(other.violations);
        self
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, Violation { field, description }) in self.violations.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}{field}: {description}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Invalid {}

/// Both, or everything that is wrong with either.
pub(super) fn both<A, B>(a: Result<A, Invalid>, b: Result<B, Invalid>) -> Result<(A, B), Invalid> {
    match (a, b) {
        (Ok(a), Ok(b)) => Ok((a, b)),
        (Err(a), Err(b)) => Err(a.and(b)),
        (Err(invalid), Ok(_)) | (Ok(_), Err(invalid)) => Err(invalid),
    }
}

/// All of them, or everything that is wrong with any; only for what is bounded already.
pub(super) fn all<T>(decoded: impl Iterator<Item = Result<T, Invalid>>) -> Result<Vec<T>, Invalid> {
    let mut so_far = Ok(Vec::new());
    for next in decoded {
        so_far = both(so_far, next).map(|(mut whole, next)| {
            whole.push(next);
            whole
        });
    }
    so_far
}
