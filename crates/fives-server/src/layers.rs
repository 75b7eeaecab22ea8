//! What every call passes before it comes to a service, one layer a file. [`crate::serve()`] names their order, and why.

pub(crate) mod auth;
pub(crate) mod deadline;
pub(crate) mod limits;
pub(crate) mod malformed;

use futures::future::BoxFuture;
use tonic::body::Body;

/// A call on its way in.
pub(crate) type HttpRequest = http::Request<Body>;
/// An answer on its way out.
pub(crate) type HttpResponse = http::Response<Body>;
/// What a layer's service gives.
pub(crate) type Answering<E> = BoxFuture<'static, Result<HttpResponse, E>>;

/// What all calls of the API begin with; probes, health and reflection do not, and pass the layers untouched.
const API: &str = "/fives.v1.";

fn is_api(request: &HttpRequest) -> bool {
    request.uri().path().starts_with(API)
}

/// The calls that answer with a stream.
fn is_stream(request: &HttpRequest) -> bool {
    let path = request.uri().path();
    path.ends_with("/FollowMatch") || path.ends_with("/WatchMatch")
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

/// The service that is ready now; its clone takes its place and will be asked for readiness again.
fn take_ready<S: Clone>(next: &mut S) -> S {
    let clone = next.clone();
    std::mem::replace(next, clone)
}
