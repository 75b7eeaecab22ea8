//! Players and their devices.

use async_trait::async_trait;
use fives_referee::id::PlayerId;
use fives_referee::player::{DeviceHash, Player};
use fives_referee::store::{Created, PlayerStore, StoreError};
use redis::cmd;

use super::failure::{unread, unwritten};
use super::{RedisStore, keys};
use crate::{codec, place};

#[async_trait]
impl PlayerStore for RedisStore {
    async fn create_player(&self, player: &Player) -> Result<Created, StoreError> {
        let key = keys::player(&player.id);
        let mut command = cmd("SET");
        command.arg(&key).arg(codec::encode_player(player)).arg("NX");
        let was_new: Option<String> = self.set(command, key.as_bytes()).await?;
        if was_new.is_none() {
            return Ok(Created::Exists);
        }
        let Some(device) = &player.device else {
            return Ok(Created::New);
        };
        // The player first: a device that is known always leads to somebody. Who loses the race for the device is taken back;
        // if that fails, a player stays behind whom nobody has heard of.
        let device = keys::device(device);
        let mut command = cmd("SET");
        command.arg(&device).arg(player.id.as_bytes().as_slice()).arg("NX");
        let was_new: Option<String> = self.set(command, &device).await?;
        if was_new.is_some() {
            return Ok(Created::New);
        }
        self.link.run::<()>(cmd("DEL").arg(&key)).await.map_err(unwritten)?;
        Ok(Created::Exists)
    }

    async fn load_player(&self, id: &PlayerId) -> Result<Option<Player>, StoreError> {
        let mut command = cmd("GET");
        command.arg(keys::player(id));
        let found: Option<Vec<u8>> = self.link.run(&command).await.map_err(unread)?;
        found.map(|bytes| codec::decode_player(&bytes)).transpose()
    }

    async fn find_device(&self, device: &DeviceHash) -> Result<Option<PlayerId>, StoreError> {
        let mut command = cmd("GET");
        command.arg(keys::device(device));
        let found: Option<Vec<u8>> = self.link.run(&command).await.map_err(unread)?;
        found.map(|id| place::player_id(&id)).transpose()
    }

    async fn update_player(&self, player: &Player) -> Result<bool, StoreError> {
        let Some(old) = self.load_player(&player.id).await? else {
            return Ok(false);
        };
        let player = Player {
            device: old.device,
            ..player.clone()
        };
        let key = keys::player(&player.id);
        let mut command = cmd("SET");
        command.arg(&key).arg(codec::encode_player(&player)).arg("XX");
        let was_there: Option<String> = self.set(command, key.as_bytes()).await?;
        Ok(was_there.is_some())
    }
}
