//! Fields that several requests have.

use std::fmt::Display;
use std::str::FromStr;

use fives_referee::cursor::Cursor;
use fives_referee::id::{InviteCode, MatchId};
use fives_referee::player::DisplayName;
use fives_referee::request::RequestId;

use super::Invalid;
use crate::v1;

pub(super) fn match_id(text: &str) -> Result<MatchId, Invalid> {
    parsed("match_id", text)
}

pub(super) fn invite_code(text: &str) -> Result<Option<InviteCode>, Invalid> {
    optional("invite_code", text)
}

pub(super) fn request_id(text: &str) -> Result<RequestId, Invalid> {
    let bounds = format!("1 to {} printable ASCII characters without spaces", RequestId::MAX_LEN);
    RequestId::new(text).map_err(|_| Invalid::field("request_id", bounds))
}

pub(super) const fn cursor(cursor: &v1::Cursor) -> Cursor {
    Cursor {
        revision: cursor.revision,
        stamp: cursor.stamp,
    }
}

/// A name; an empty text stands for none.
pub(super) fn optional_name(field: &str, text: &str) -> Result<Option<DisplayName>, Invalid> {
    if text.is_empty() {
        return Ok(None);
    }
    DisplayName::new(text)
        .map(Some)
        .map_err(|error| Invalid::field(field, error))
}

pub(super) fn parsed<T: FromStr<Err: Display>>(field: &str, text: &str) -> Result<T, Invalid> {
    text.parse().map_err(|error| Invalid::field(field, error))
}

/// As [`parsed`], where an empty text stands for none.
pub(super) fn optional<T: FromStr<Err: Display>>(field: &str, text: &str) -> Result<Option<T>, Invalid> {
    if text.is_empty() {
        Ok(None)
    } else {
        parsed(field, text).map(Some)
    }
}

/// A value of an enum that this release knows.
pub(super) fn known<T: TryFrom<i32>>(field: &str, value: i32) -> Result<T, Invalid> {
    T::try_from(value).map_err(|_| Invalid::field(field, format!("{value} is no value of it")))
}
