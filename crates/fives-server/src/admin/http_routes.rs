//! What can be had of the admin port with curl.
//!
//! Who asks, and why, is said in the headers `fives-operator` and `fives-reason`.

use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use fives_wire::decode::admin::{self, Order};
use fives_wire::status::{self, Denial, denied};
use http::header::{CONTENT_TYPE, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue, StatusCode};
use tonic::{Code, Status};

use super::{Parts, REQUEST_MAX_BYTES};

const OPERATOR: &str = "fives-operator";
const REASON: &str = "fives-reason";

pub(super) fn routes(parts: Parts) -> Router {
    Router::new()
        .route("/build", get(build))
        .route("/log", get(log_filter).put(set_log_filter))
        .route("/drain", post(drain))
        .layer(DefaultBodyLimit::max(REQUEST_MAX_BYTES))
        .with_state(parts)
}

async fn build(State(parts): State<Parts>) -> Response {
    match parts.build.json() {
        Ok(json) => ([(CONTENT_TYPE, "application/json")], json + "\n").into_response(),
        Err(_) => Refused(denied(Denial::Internal)).into_response(),
    }
}

async fn log_filter(State(parts): State<Parts>) -> String {
    parts.log.text() + "\n"
}

async fn set_log_filter(State(parts): State<Parts>, headers: HeaderMap, filter: String) -> Result<String, Refused> {
    let order = authorized(&parts, &headers).await?;
    let text = admin::log_filter(filter.trim()).map_err(|invalid| Refused(status::invalid(&invalid)))?;
    parts.set_log_filter(order, text).await.map_err(Refused)?;
    Ok(parts.log.text() + "\n")
}

async fn drain(State(parts): State<Parts>, headers: HeaderMap) -> Result<&'static str, Refused> {
    let order = authorized(&parts, &headers).await?;
    parts.drain(order).await.map_err(Refused)?;
    Ok("stopping\n")
}

/// Who asks, if it is an administrator.
async fn authorized(parts: &Parts, headers: &HeaderMap) -> Result<Order, Refused> {
    let administrator = parts.doorkeeper.check(headers).await.map_err(Refused)?;
    // Header values are bytes: a name may have any letters.
    let text = |name| {
        headers
            .get(name)
            .map_or(Ok(""), |value| std::str::from_utf8(value.as_bytes()))
    };
    let mut operator = text(OPERATOR).unwrap_or_default().to_owned();
    administrator.sign(&mut operator);
    let order = admin::order(&operator, text(REASON).unwrap_or_default());
    order.map_err(|invalid| Refused(status::invalid(&invalid)))
}

/// A refusal of the API, as plain HTTP says it.
struct Refused(Status);

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let Self(status) = self;
        let code = match status.code() {
            Code::InvalidArgument => StatusCode::BAD_REQUEST,
            Code::Unauthenticated => StatusCode::UNAUTHORIZED,
            Code::PermissionDenied => StatusCode::FORBIDDEN,
            Code::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let mut response = Response::new(Body::from(format!("{}\n", status.message())));
        *response.status_mut() = code;
        if code == StatusCode::UNAUTHORIZED {
            let scheme = HeaderValue::from_static("Bearer");
            response.headers_mut().insert(WWW_AUTHENTICATE, scheme);
        }
        response
    }
}
