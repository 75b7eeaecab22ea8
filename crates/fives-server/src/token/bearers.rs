//! Whose token a text is: a guest's, which this service signed, or one of an issuer that is trusted.

use std::sync::Arc;

use fives_lobby::identity::{Identities, Identity};
use fives_referee::id::{MatchId, PlayerId};
use fives_referee::time::UnixMillis;
use fives_wire::status::{Denial, denied};
use tonic::Status;

use super::Tokens;
use super::known::{self, Known};
use crate::config::{Scope, Scopes};
use crate::failure::lobby_failed;
use crate::issuers::{Claimed, Issuers};

/// Who calls, and what for.
#[derive(Clone, Debug)]
pub(crate) struct Principal {
    /// The player; for those who may not play, an id that is nobody else's.
    pub(crate) id: PlayerId,
    /// What the token is good for.
    pub(crate) scopes: Scopes,
    /// As whom an issuer knows them; `None` for guests.
    pub(crate) identity: Option<Identity>,
    /// The match that the token is for.
    pub(crate) cast: Option<MatchId>,
}

impl Principal {
    /// Checks that the token is good for this.
    ///
    /// # Errors
    /// If it is not.
    pub(crate) const fn check(&self, scope: Scope) -> Result<(), Denial> {
        if self.scopes.has(scope) {
            Ok(())
        } else {
            let scope = scope.claim();
            Err(Denial::ScopeMissing { scope })
        }
    }
}

/// A token of an issuer, checked, with its player.
#[derive(Clone)]
struct Session {
    claimed: Arc<Claimed>,
    principal: Arc<Principal>,
}

/// Everybody who can prove who they are.
pub(crate) struct Bearers {
    own: Arc<Tokens>,
    issuers: Issuers,
    skew_s: u64,
    known: Known<Session>,
    identities: Identities,
}

impl Bearers {
    pub(crate) fn new(own: Arc<Tokens>, issuers: Issuers, skew_s: u64, identities: Identities) -> Self {
        Self {
            own,
            issuers,
            skew_s,
            known: Known::default(),
            identities,
        }
    }

    /// Who sends this token. A subject of an issuer who comes for the first time is made a player.
    ///
    /// # Errors
    /// Why it is refused; that the store failed.
    pub(crate) async fn principal(&self, token: &str, now: UnixMillis) -> Result<Arc<Principal>, Status> {
        if self.issuers.is_empty() {
            return self.own.verify(token, now).map(guest).map_err(denied);
        }
        let hash = known::hash(token);
        if let Some(Session { claimed, principal }) = self.known.find(&hash)
            && self.issuers.still_trust(&claimed)
        {
            claimed.check_time(now, self.skew_s).map_err(denied)?;
            return Ok(principal);
        }
        match self.own.verify(token, now) {
            Err(Denial::TokenInvalid) => {}
            own => return own.map(guest).map_err(denied),
        }
        let claimed = self.claimed(token, now).await.map_err(denied)?;
        // A link stands for good, so the player may be remembered with the token.
        let id = if claimed.scopes.has(Scope::Player) {
            let player = self.identities.player_of(&claimed.identity, claimed.name.as_ref());
            player.await.map_err(lobby_failed)?
        } else {
            claimed.identity.player()
        };
        let principal = Arc::new(Principal {
            id,
            scopes: claimed.scopes,
            identity: Some(claimed.identity.clone()),
            cast: claimed.cast,
        });
        let session = Session {
            claimed: Arc::new(claimed),
            principal: Arc::clone(&principal),
        };
        self.known.keep(hash, session);
        Ok(principal)
    }

    /// What a token of an issuer says now. Makes nobody a player.
    ///
    /// # Errors
    /// Why it is refused.
    pub(crate) async fn claimed(&self, token: &str, now: UnixMillis) -> Result<Claimed, Denial> {
        let claimed = self.issuers.check(token).await?;
        claimed.check_time(now, self.skew_s)?;
        Ok(claimed)
    }

    /// Those whose tokens are accepted.
    pub(crate) const fn issuers(&self) -> &Issuers {
        &self.issuers
    }
}

fn guest(player: PlayerId) -> Arc<Principal> {
    Arc::new(Principal {
        id: player,
        scopes: Scopes::PLAYER,
        identity: None,
        cast: None,
    })
}
