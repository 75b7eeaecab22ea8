//! What a token may be good for.

use serde::Deserialize;

/// Something that a token may be good for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// To play.
    Player,
    /// To see one match with open hands.
    Caster,
    /// To make and end matches of others.
    Service,
    /// To do whatever can be done on the admin port.
    Admin,
}

impl Scope {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Player, Self::Caster, Self::Service, Self::Admin];

    /// Its name in the claim `scope` of a token.
    #[must_use]
    pub const fn claim(self) -> &'static str {
        match self {
            Self::Player => "fives:player",
            Self::Caster => "fives:caster",
            Self::Service => "fives:service",
            Self::Admin => "fives:admin",
        }
    }
}

/// Some of what there is.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Scopes(u8);

impl Scopes {
    /// To play, and nothing else.
    pub const PLAYER: Self = Self(1 << Scope::Player as u8);

    /// Whether this is among them.
    #[must_use]
    pub const fn has(self, scope: Scope) -> bool {
        self.0 & (1 << scope as u8) != 0
    }

    /// Whether there is nothing.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// What is in both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Self(scopes.into_iter().fold(0, |all, scope| all | 1 << scope as u8))
    }
}
