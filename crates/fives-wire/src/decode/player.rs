//! People.

use fives_referee::id::PlayerId;
use fives_referee::player::{DeviceHash, DisplayName};

use super::field::optional;
use super::invalid::{Invalid, both};
use crate::v1;

/// Somebody who signs in: the name, which a known device does not need, and the device.
///
/// # Errors
/// The fields at fault.
pub fn sign_in_guest(request: &v1::SignInGuestRequest) -> Result<(Option<DisplayName>, Option<DeviceHash>), Invalid> {
    let name = match request.display_name.as_str() {
        "" if !request.device_key.is_empty() => Ok(None),
        name => display_name(name).map(Some),
    };
    both(name, device(&request.device_key))
}

/// A player whom somebody looks for; `None` for the caller.
///
/// # Errors
/// The field at fault.
pub fn get_player(request: &v1::GetPlayerRequest) -> Result<Option<PlayerId>, Invalid> {
    optional("player_id", &request.player_id)
}

/// The new name, if there is one.
///
/// # Errors
/// The field at fault.
pub fn update_player(request: &v1::UpdatePlayerRequest) -> Result<Option<DisplayName>, Invalid> {
    request.display_name.as_deref().map(display_name).transpose()
}

/// The token of an identity that somebody wants to be linked to. Whether it is one is not known here.
///
/// # Errors
/// The field at fault.
pub fn link_identity(request: &v1::LinkIdentityRequest) -> Result<&str, Invalid> {
    match request.identity_token.as_str() {
        "" => Err(Invalid::missing("identity_token")),
        token => Ok(token),
    }
}

fn device(key: &str) -> Result<Option<DeviceHash>, Invalid> {
    if key.is_empty() {
        return Ok(None);
    }
    let (min, max) = (DeviceHash::KEY_MIN_LEN, DeviceHash::KEY_MAX_LEN);
    let bounds = format!("{min} to {max} printable ASCII characters without spaces");
    DeviceHash::of_key(key)
        .map(Some)
        .ok_or_else(|| Invalid::field("device_key", bounds))
}

fn display_name(text: &str) -> Result<DisplayName, Invalid> {
    DisplayName::new(text).map_err(|error| Invalid::field("display_name", error))
}
