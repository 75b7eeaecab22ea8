//! People whom somebody else knows: a subject of an outside issuer is a player here.
//!
//! An identity belongs to one player for good. Whoever comes first decides which: a call with its token makes a player whose id
//! follows from the identity, so that replicas that race agree; a guest who links it stays the guest.

use std::fmt;
use std::sync::Arc;

use data_encoding::HEXLOWER;
use fives_referee::audit::Operator;
use fives_referee::error::Refusal as TableRefusal;
use fives_referee::id::PlayerId;
use fives_referee::player::{DisplayName, Player};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::error::{Error, Refusal};
use crate::store::{Linked, SharedLobbyStore};

/// An issuer as stores know it: a hash of its name.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct IssuerKey(pub [u8; 16]);

impl IssuerKey {
    /// The key of the issuer with this name.
    #[must_use]
    pub fn of(issuer: &str) -> Self {
        let digest = Sha256::digest([b"fives issuer".as_slice(), issuer.as_bytes()].concat());
        Self(first(&digest.into()))
    }
}

impl fmt::Display for IssuerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&HEXLOWER.encode(&self.0))
    }
}

impl fmt::Debug for IssuerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An identity as stores know it: hashes, which find it again and say nothing of who it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct IdentityKey {
    /// Whose.
    pub issuer: IssuerKey,
    /// Of which subject.
    pub subject: [u8; 32],
}

/// Why a text names no issuer or no subject.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("1 to {max_bytes} bytes, none of them a control character, with no blank at the beginning or end")]
pub struct IdentityError {
    max_bytes: usize,
}

/// Somebody as an outside issuer knows them.
#[derive(Clone, PartialEq, Eq)]
pub struct Identity {
    issuer: Arc<str>,
    subject: Arc<str>,
}

impl Identity {
    /// The longest name of an issuer, in bytes.
    pub const ISSUER_MAX_BYTES: usize = 200;
    /// The longest subject, in bytes; that of OpenID Connect.
    pub const SUBJECT_MAX_BYTES: usize = 255;

    /// The subject of an issuer.
    ///
    /// # Errors
    /// If one of them is too long or cannot be printed.
    pub fn new(issuer: &Arc<str>, subject: &str) -> Result<Self, IdentityError> {
        check(issuer, Self::ISSUER_MAX_BYTES)?;
        check(subject, Self::SUBJECT_MAX_BYTES)?;
        Ok(Self {
            issuer: Arc::clone(issuer),
            subject: subject.into(),
        })
    }

    /// Who knows it.
    #[must_use]
    pub const fn issuer(&self) -> &Arc<str> {
        &self.issuer
    }

    /// The issuer's name.
    #[must_use]
    pub fn issuer_name(&self) -> &str {
        &self.issuer
    }

    /// What stores know of it.
    #[must_use]
    pub fn key(&self) -> IdentityKey {
        IdentityKey {
            issuer: IssuerKey::of(&self.issuer),
            subject: self.hash(b"fives subject"),
        }
    }

    /// The player that it is unless it is linked to another: any replica finds the same.
    #[must_use]
    pub fn player(&self) -> PlayerId {
        PlayerId::from_bytes(first(&self.hash(b"fives player of")))
    }

    /// What the audit calls it.
    ///
    /// # Errors
    /// Never: both parts are short and can be printed.
    pub fn operator(&self) -> Result<Operator, IdentityError> {
        let text = format!("{} of {}", self.subject, self.issuer);
        Operator::new(&text).map_err(|_| IdentityError {
            max_bytes: Operator::MAX_CHARS,
        })
    }

    /// Each part with its length, so that none can pass for two.
    fn hash(&self, purpose: &[u8]) -> [u8; 32] {
        let mut hash = Sha256::new();
        for part in [purpose, self.issuer.as_bytes(), self.subject.as_bytes()] {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        hash.finalize().into()
    }
}

impl fmt::Debug for Identity {
    /// A subject may be a name or an address.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Identity(somebody of {})", self.issuer)
    }
}

/// Whether a text can name an issuer.
///
/// # Errors
/// If it is too long or cannot be printed.
pub fn check_issuer(issuer: &str) -> Result<(), IdentityError> {
    check(issuer, Identity::ISSUER_MAX_BYTES)
}

fn check(text: &str, max_bytes: usize) -> Result<(), IdentityError> {
    let is_short = (1..=max_bytes).contains(&text.len());
    if is_short && text.trim() == text && !text.chars().any(char::is_control) {
        Ok(())
    } else {
        Err(IdentityError { max_bytes })
    }
}

fn first(digest: &[u8; 32]) -> [u8; 16] {
    *digest.first_chunk().unwrap_or(&[0; 16])
}

/// The identities of a store. Cheap to clone; holds none.
#[derive(Clone)]
pub struct Identities {
    store: SharedLobbyStore,
}

impl Identities {
    /// The identities of `store`.
    #[must_use]
    pub const fn new(store: SharedLobbyStore) -> Self {
        Self { store }
    }

    /// The player of an identity, who is made if there is none yet, called `name` or something plain.
    ///
    /// # Errors
    /// The store's.
    pub async fn player_of(&self, identity: &Identity, name: Option<&DisplayName>) -> Result<PlayerId, Error> {
        let key = identity.key();
        if let Some(player) = self.store.find_identity(&key).await? {
            return Ok(player);
        }
        let id = identity.player();
        let player = Player {
            id,
            name: name.cloned().map_or_else(|| plain_name(&id), Ok)?,
            device: None,
            created_at: self.store.now().await?,
        };
        // The player first: a link always leads to somebody. Who loses the race for the link leaves a player behind whom nobody
        // has heard of.
        self.store.create_player(&player).await?;
        match self.store.link_identity(&key, &id).await? {
            Linked::Done => Ok(id),
            Linked::IdentityTaken(other) => Ok(other),
            // Its player was erased and linked anew meanwhile, which only the identity's own token could do.
            Linked::PlayerTaken => Err(Refusal::PlayerLinked.into()),
        }
    }

    /// Links an identity to a player, who keeps everything. Twice is as good as once.
    ///
    /// # Errors
    /// [`Refusal::IdentityLinked`], [`Refusal::PlayerLinked`]; `PlayerNotFound` of the referee; the store's errors.
    pub async fn link(&self, player: &PlayerId, identity: &Identity) -> Result<Player, Error> {
        let found = self.store.load_player(player).await?;
        let player = found.ok_or(TableRefusal::PlayerNotFound)?;
        match self.store.link_identity(&identity.key(), &player.id).await? {
            Linked::Done => Ok(player),
            Linked::IdentityTaken(_) => Err(Refusal::IdentityLinked.into()),
            Linked::PlayerTaken => Err(Refusal::PlayerLinked.into()),
        }
    }

    /// Takes away the links of a player who is erased, to these issuers.
    ///
    /// # Errors
    /// The store's.
    pub async fn forget(&self, player: &PlayerId, issuers: impl IntoIterator<Item = IssuerKey>) -> Result<(), Error> {
        for issuer in issuers {
            self.store.unlink_identity(&issuer, player).await?;
        }
        Ok(())
    }
}

/// What somebody is called of whom no name is known: always the same for one player.
fn plain_name(id: &PlayerId) -> Result<DisplayName, Error> {
    let letters: String = id.to_string().chars().skip(2).take(5).collect();
    let name = DisplayName::new(&format!("player {letters}"));
    Ok(name.map_err(|_| TableRefusal::NameRequired)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(issuer: &str, subject: &str) -> Identity {
        Identity::new(&issuer.into(), subject).expect("an identity")
    }

    #[test]
    fn each_identity_is_a_player_of_its_own() {
        let one = identity("https://id.example", "anna");
        assert_eq!(one.player(), identity("https://id.example", "anna").player());
        for other in [
            identity("https://id.example", "bela"),
            identity("https://id.other", "anna"),
            identity("https://id.examplea", "nna"),
        ] {
            assert_ne!(one.player(), other.player());
            assert_ne!(one.key(), other.key());
        }
    }

    #[test]
    fn the_id_of_a_player_never_changes() {
        let anna = identity("https://id.example", "anna");
        // Every player of every platform hangs on it.
        assert_eq!(anna.player().to_string(), "p-eqpvlqt6qaj2jfdkozeqjsk3jy");
    }

    #[test]
    fn what_cannot_be_printed_names_nobody() {
        let issuer: Arc<str> = "https://id.example".into();
        for subject in ["", " anna", "an\nna", &"x".repeat(256)] {
            assert!(Identity::new(&issuer, subject).is_err(), "{subject:?}");
        }
        assert!(Identity::new(&"x".repeat(201).into(), "anna").is_err());
        let longest = identity(&"i".repeat(200), &"s".repeat(255));
        assert_eq!(longest.operator().map(|operator| operator.as_str().len()), Ok(459));
    }

    #[test]
    fn an_identity_prints_no_subject() {
        assert!(!format!("{:?}", identity("https://id.example", "anna@mail.example")).contains("anna"));
    }
}
