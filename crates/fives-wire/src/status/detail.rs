//! The details of a status: `google.rpc` messages, and one of our own, which the ready-made builders do not take.

use std::collections::HashMap;
use std::fmt::Display;
use std::time::Duration;

use prost::Message;
use prost_types::Any;
use tonic::{Code, Status};
use tonic_types::pb;

use super::reason_name;
use crate::decode::Violation;
use crate::v1::ErrorReason;

/// Whose reasons they are.
pub(super) const DOMAIN: &str = "fives";

/// Details that are being put together; the `ErrorInfo` comes first.
pub(super) struct Details {
    info: pb::ErrorInfo,
    others: Vec<Any>,
}

impl Details {
    pub(super) fn new(reason: ErrorReason) -> Self {
        let info = pb::ErrorInfo {
            reason: reason_name(reason).to_owned(),
            domain: DOMAIN.to_owned(),
            metadata: HashMap::new(),
        };
        Self {
            info,
            others: Vec::new(),
        }
    }

    pub(super) fn metadata(mut self, key: &str, value: impl Display) -> Self {
        self.info.metadata.insert(key.to_owned(), value.to_string());
        self
    }

    pub(super) fn bad_request(self, violations: &[Violation]) -> Self {
        let violation = |violation: &Violation| pb::bad_request::FieldViolation {
            field: violation.field.clone(),
            description: violation.description.clone(),
            ..Default::default()
        };
        let field_violations = violations.iter().map(violation).collect();
        self.standard("BadRequest", &pb::BadRequest { field_violations })
    }

    pub(super) fn retry_after(self, delay: Duration) -> Self {
        let retry_delay = prost_types::Duration::try_from(delay).ok();
        self.standard("RetryInfo", &pb::RetryInfo { retry_delay })
    }

    pub(super) fn resource(self, kind: &str) -> Self {
        self.standard(
            "ResourceInfo",
            &pb::ResourceInfo {
                resource_type: kind.to_owned(),
                ..Default::default()
            },
        )
    }

    /// A detail of our own.
    pub(super) fn own(mut self, type_url: &str, value: Vec<u8>) -> Self {
        self.others.push(Any {
            type_url: type_url.to_owned(),
            value,
        });
        self
    }

    pub(super) fn status(self, code: Code, message: &str) -> Status {
        let info = any("ErrorInfo", &self.info);
        let details = std::iter::once(info).chain(self.others).collect();
        let whole = pb::Status {
            code: code.into(),
            message: message.to_owned(),
            details,
        };
        Status::with_details(code, message, whole.encode_to_vec().into())
    }

    fn standard(mut self, name: &str, message: &impl Message) -> Self {
        self.others.push(any(name, message));
        self
    }
}

pub(super) fn any(name: &str, message: &impl Message) -> Any {
    Any {
        type_url: format!("type.googleapis.com/google.rpc.{name}"),
        value: message.encode_to_vec(),
    }
}
