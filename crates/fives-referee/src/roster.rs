//! Signing people in and renaming them.

use crate::error::{Error, Refusal};
use crate::id::PlayerId;
use crate::player::{DeviceHash, DisplayName, Player};
use crate::store::{Created, SharedStore, StoreError};

/// The players of a store. Cheap to clone; holds no player.
#[derive(Clone)]
pub struct Roster {
    store: SharedStore,
}

impl Roster {
    /// The players of `store`.
    #[must_use]
    pub const fn new(store: SharedStore) -> Self {
        Self { store }
    }

    /// The player of `device`, or a new one called `name`.
    ///
    /// # Errors
    /// [`Refusal::NameRequired`] if there is neither a known device nor a name; the store's errors.
    pub async fn sign_in(&self, name: Option<DisplayName>, device: Option<DeviceHash>) -> Result<Player, Error> {
        if let Some(player) = self.of_device(device.as_ref()).await? {
            return Ok(player);
        }
        let mut id = [0; 16];
        getrandom::fill(&mut id).map_err(|error| StoreError::Unavailable(error.into()))?;
        let player = Player {
            id: PlayerId::from_bytes(id),
            name: name.ok_or(Refusal::NameRequired)?,
            device,
            created_at: self.store.now().await?,
        };
        match self.store.create_player(&player).await? {
            Created::New => Ok(player),
            // Another call with the same device was faster.
            Created::Exists => Ok(self.of_device(device.as_ref()).await?.ok_or(Refusal::PlayerNotFound)?),
        }
    }

    /// A player.
    ///
    /// # Errors
    /// [`Refusal::PlayerNotFound`]; the store's errors.
    pub async fn find(&self, id: &PlayerId) -> Result<Player, Error> {
        Ok(self.store.load_player(id).await?.ok_or(Refusal::PlayerNotFound)?)
    }

    /// Gives a player another name. Seats that are taken keep the name they were taken under.
    ///
    /// # Errors
    /// [`Refusal::PlayerNotFound`]; the store's errors.
    pub async fn rename(&self, id: &PlayerId, name: DisplayName) -> Result<Player, Error> {
        let player = Player {
            name,
            ..self.find(id).await?
        };
        if self.store.update_player(&player).await? {
            Ok(player)
        } else {
            Err(Refusal::PlayerNotFound.into())
        }
    }

    async fn of_device(&self, device: Option<&DeviceHash>) -> Result<Option<Player>, Error> {
        let Some(device) = device else { return Ok(None) };
        let Some(id) = self.store.find_device(device).await? else {
            return Ok(None);
        };
        Ok(self.store.load_player(&id).await?)
    }
}
