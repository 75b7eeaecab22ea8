//! What a token of an issuer says, and what of it the issuer may say.

use std::sync::Arc;

use fives_lobby::identity::Identity;
use fives_referee::id::MatchId;
use fives_referee::player::DisplayName;
use fives_referee::time::UnixMillis;
use fives_wire::status::Denial;
use serde::Deserialize;
use serde_json::Value;

use crate::config::{Scope, Scopes};

/// What is read of a token before its signature is checked.
#[derive(Deserialize)]
pub(super) struct Unchecked {
    pub(super) iss: String,
}

/// What is read of it then; who it is for and from, the library has compared.
#[derive(Deserialize)]
pub(super) struct Claims {
    sub: String,
    exp: f64,
    nbf: Option<f64>,
    /// Names are for people: one that is no name here is none.
    name: Option<Value>,
    scope: Option<ScopeClaim>,
    fives_match: Option<String>,
}

/// The claim `scope`: names with spaces between them (RFC 9068), or a list, as some issuers write it.
#[derive(Deserialize)]
#[serde(untagged)]
enum ScopeClaim {
    Text(String),
    List(Vec<String>),
}

/// What a good token says.
#[derive(Clone, Debug)]
pub(crate) struct Claimed {
    pub(crate) identity: Identity,
    /// Empty if its issuer may grant nothing of what it says.
    pub(crate) scopes: Scopes,
    /// The match that it is for.
    pub(crate) cast: Option<MatchId>,
    pub(crate) name: Option<DisplayName>,
    /// Which key of its issuer has checked it.
    pub(super) key_id: String,
    from_s: u64,
    until_s: u64,
}

impl Claims {
    /// What it comes to from an issuer that may grant so much; `None` if it says something impossible.
    pub(super) fn granted(self, issuer: &Arc<str>, key_id: &str, grants: Scopes) -> Option<Claimed> {
        let cast = self.fives_match.as_deref().map(str::parse::<MatchId>);
        let name = self.name.as_ref().and_then(Value::as_str);
        Some(Claimed {
            identity: Identity::new(issuer, &self.sub).ok()?,
            scopes: self.scope.map_or(Scopes::PLAYER, ScopeClaim::scopes).and(grants),
            cast: cast.transpose().ok()?,
            name: name.and_then(|name| DisplayName::new(name).ok()),
            key_id: key_id.to_owned(),
            // Half a second is not worth a type.
            from_s: self.nbf.map_or(0, |seconds| seconds as u64),
            until_s: self.exp as u64,
        })
    }
}

impl ScopeClaim {
    /// Whoever asks for nothing of ours wants to play.
    fn scopes(self) -> Scopes {
        let names = match self {
            Self::Text(text) => text.split(' ').map(str::to_owned).collect(),
            Self::List(names) => names,
        };
        let scopes: Scopes = Scope::ALL
            .into_iter()
            .filter(|scope| names.iter().any(|name| name == scope.claim()))
            .collect();
        if scopes.is_empty() { Scopes::PLAYER } else { scopes }
    }
}

impl Claimed {
    /// Whether it is good at `now`, if clocks differ by no more than `skew_s`.
    ///
    /// # Errors
    /// That it is not yet, or not any more.
    pub(crate) fn check_time(&self, now: UnixMillis, skew_s: u64) -> Result<(), Denial> {
        let now_s = now.0 / 1000;
        if self.until_s.saturating_add(skew_s) <= now_s {
            Err(Denial::TokenExpired)
        } else if self.from_s > now_s.saturating_add(skew_s) {
            Err(Denial::TokenNotYetValid)
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn claimed(claims: Value, grants: Scopes) -> Option<Claimed> {
        let mut all = json!({"sub": "anna", "exp": 1000});
        for (name, value) in claims.as_object().expect("an object") {
            all[name] = value.clone();
        }
        let claims: Claims = serde_json::from_value(all).ok()?;
        claims.granted(&"https://id.example".into(), "k", grants)
    }

    fn scopes(claims: Value, grants: &[Scope]) -> [bool; 4] {
        let claimed = claimed(claims, grants.iter().copied().collect()).expect("possible");
        Scope::ALL.map(|scope| claimed.scopes.has(scope))
    }

    #[test]
    fn an_issuer_grants_what_it_may_and_a_token_what_it_says() {
        let all = Scope::ALL;
        for (claims, grants, expected) in [
            (json!({}), &all[..], [true, false, false, false]),
            (json!({"scope": "openid profile"}), &all, [true, false, false, false]),
            (
                json!({"scope": "openid fives:service"}),
                &all,
                [false, false, true, false],
            ),
            (
                json!({"scope": "fives:player fives:admin"}),
                &all,
                [true, false, false, true],
            ),
            (json!({"scope": ["fives:caster"]}), &all, [false, true, false, false]),
            (json!({"scope": "fives:admin fives:service"}), &all[..1], [false; 4]),
            (
                json!({"scope": "fives:player fives:admin"}),
                &all[..1],
                [true, false, false, false],
            ),
            (json!({}), &all[2..], [false; 4]),
            (
                json!({"scope": "FIVES:ADMIN xfives:admin fives:admins"}),
                &all,
                [true, false, false, false],
            ),
        ] {
            assert_eq!(scopes(claims.clone(), grants), expected, "{claims}");
        }
    }

    #[test]
    fn a_name_that_is_none_here_is_left_out_and_other_nonsense_is_refused() {
        let name = |name: Value| {
            let claimed = claimed(json!({ "name": name }), Scopes::PLAYER).expect("possible");
            claimed.name.map(|name| name.to_string())
        };
        assert_eq!(name(json!("Anna")).as_deref(), Some("Anna"));
        for none in [
            json!(""),
            json!("a\u{202e}b"),
            json!(7),
            json!({"a": 1}),
            json!("x".repeat(33)),
        ] {
            assert_eq!(name(none), None);
        }
        for wrong in [
            json!({"sub": ""}),
            json!({"sub": 7}),
            json!({"sub": "a\nb"}),
            json!({"sub": "x".repeat(256)}),
            json!({"exp": "soon"}),
            json!({"nbf": true}),
            json!({"scope": 7}),
            json!({"fives_match": "m-1"}),
        ] {
            assert!(claimed(wrong.clone(), Scopes::PLAYER).is_none(), "{wrong}");
        }
    }

    #[test]
    fn clocks_may_differ_by_the_skew_and_no_more() {
        let claimed = claimed(json!({"nbf": 500.5, "exp": 1000.9}), Scopes::PLAYER).expect("possible");
        let at = |seconds: u64| claimed.check_time(UnixMillis(seconds * 1000), 60);
        for (seconds, expected) in [
            (439, Err(Denial::TokenNotYetValid)),
            (440, Ok(())),
            (1059, Ok(())),
            (1060, Err(Denial::TokenExpired)),
        ] {
            assert_eq!(at(seconds), expected, "{seconds}");
        }
        for (claims, expected) in [
            (json!({"exp": -1}), Err(Denial::TokenExpired)),
            (json!({"exp": 1e300}), Ok(())),
            (json!({"exp": 1e300, "nbf": 1e300}), Err(Denial::TokenNotYetValid)),
        ] {
            let claimed = super::tests::claimed(claims, Scopes::PLAYER).expect("possible");
            assert_eq!(claimed.check_time(UnixMillis(5_000_000), 60), expected);
        }
    }
}
