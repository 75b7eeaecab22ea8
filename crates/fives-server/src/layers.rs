//! What every call passes before it comes to a service, one layer a file. `routes` names their order, and why.

pub(crate) mod auth;
pub(crate) mod deadline;
pub(crate) mod limits;
pub(crate) mod malformed;
pub(crate) mod panics;
pub(crate) mod trace;

use std::convert::Infallible;

use fives_wire::status::{Denial, denied};
use futures::future::BoxFuture;

/// A call on its way in.
pub(crate) type HttpRequest = http::Request<tonic::body::Body>;
/// An answer on its way out.
pub(crate) type HttpResponse = http::Response<axum::body::Body>;
/// What a layer's service gives; refusals are answers, too.
pub(crate) type Answering = BoxFuture<'static, Result<HttpResponse, Infallible>>;

/// What all calls of the API begin with; health and reflection do not, and pass the layers untouched: they must answer when
/// nothing else does.
const API: &str = "/fives.v1.";

fn is_api(request: &HttpRequest) -> bool {
    request.uri().path().starts_with(API)
}

/// The answer of a layer that lets nothing through.
fn refusal(denial: Denial) -> HttpResponse {
    denied(denial).into_http()
}

/// Declares a layer: a service around the next one, which keeps what all its calls share.
macro_rules! layer {
    ($layer:ident, $service:ident, $shared:ty) => {
        #[doc = concat!("Wraps a service in [`", stringify!($service), "`].")]
        #[derive(Clone)]
        pub(crate) struct $layer($shared);

        impl<S> tower::Layer<S> for $layer {
            type Service = $service<S>;

            fn layer(&self, next: S) -> $service<S> {
                $service {
                    next,
                    shared: self.0.clone(),
                }
            }
        }
    };
}
use layer;
