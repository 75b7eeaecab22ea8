//! The catalogue of reasons in `errors.proto`, read as text: what its comments promise is what statuses have.

use std::collections::BTreeSet;
use std::fs;

use fives_wire::v1::ErrorReason;
use prost::Message;
use tonic::Status;
use tonic_types::pb;

/// What the comment of one reason promises.
struct Promise {
    code: String,
    details: Vec<String>,
    metadata: BTreeSet<String>,
}

fn promise(reason: ErrorReason) -> Promise {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../proto/fives/v1/errors.proto");
    let text = fs::read_to_string(path).unwrap();
    let (before, _) = text.split_once(&format!("{} = ", reason.as_str_name())).unwrap();
    let comment: Vec<&str> = before
        .lines()
        .rev()
        .skip(1)
        .map_while(|line| line.trim().strip_prefix("//"))
        .collect();
    let comment: String = comment.into_iter().rev().collect();
    let (code, rest) = comment.trim().split_once('.').unwrap();
    let after = |mark: &str| {
        rest.split_once(mark)
            .map(|(_, named)| named.split(['.', ':']).next().unwrap().to_owned())
    };
    let first_word = |named: String| named.split_whitespace().next().unwrap().to_owned();
    let quoted = |named: String| named.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    Promise {
        code: code.to_owned(),
        details: after("Detail ").map(first_word).into_iter().collect(),
        metadata: after("Metadata ").map(quoted).unwrap_or_default(),
    }
}

/// Whether a status has the code, the details and the metadata that the catalogue promises for `reason`, and nothing more.
pub(crate) fn assert_as_promised(status: &Status, reason: ErrorReason) {
    let promise = promise(reason);
    let whole = pb::Status::decode(status.details()).unwrap();
    assert_eq!(
        (whole.code, whole.message.as_str()),
        (status.code().into(), status.message())
    );
    assert_eq!(format!("{:?}", status.code()), camel(&promise.code), "{reason:?}");

    let (info, others) = whole.details.split_first().unwrap();
    assert_eq!(info.type_url, "type.googleapis.com/google.rpc.ErrorInfo");
    let info = pb::ErrorInfo::decode(info.value.as_slice()).unwrap();
    assert_eq!(info.domain, "fives");
    assert_eq!(format!("ERROR_REASON_{}", info.reason), reason.as_str_name());
    let metadata: BTreeSet<String> = info.metadata.into_keys().collect();
    assert_eq!(metadata, promise.metadata, "{reason:?}");

    let names = others
        .iter()
        .map(|detail| detail.type_url.rsplit('.').next().unwrap().to_owned());
    assert_eq!(names.collect::<Vec<_>>(), promise.details, "{reason:?}");
}

/// `NOT_FOUND` as `NotFound`.
fn camel(code: &str) -> String {
    let word = |word: &str| word[..1].to_owned() + &word[1..].to_lowercase();
    code.split('_').map(word).collect()
}
