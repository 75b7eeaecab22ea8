//! Browsers ask whether a page may call, and speak gRPC-Web. Everybody else goes past that and pays nothing for it.

use std::convert::Infallible;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures::TryFutureExt;
use futures::future::{BoxFuture, Either};
use http::Version;
use http::header::{CONTENT_TYPE, ORIGIN};
use tonic_web::GrpcWebLayer;
use tower::{Layer, Service, ServiceBuilder};
use tower_http::cors::CorsLayer;

use super::{HttpRequest, HttpResponse, Next};

/// Has a service understand browsers, too.
#[derive(Clone)]
pub(crate) struct BrowsersLayer(pub(crate) Arc<CorsLayer>);

impl<S> Layer<S> for BrowsersLayer {
    type Service = Browsers<S>;

    fn layer(&self, next: S) -> Browsers<S> {
        let cors = Arc::clone(&self.0);
        Browsers { cors, next }
    }
}

/// A service that browsers can call.
#[derive(Clone)]
pub(crate) struct Browsers<S> {
    cors: Arc<CorsLayer>,
    next: S,
}

/// Whether a request is plain gRPC, and of no page.
fn is_native(request: &HttpRequest) -> bool {
    let content_type = request.headers().get(CONTENT_TYPE).map(|value| value.as_bytes());
    let is_grpc = content_type
        .is_some_and(|value| value.starts_with(b"application/grpc") && !value.starts_with(b"application/grpc-web"));
    is_grpc && request.version() == Version::HTTP_2 && !request.headers().contains_key(ORIGIN)
}

impl<S: Next> Service<HttpRequest> for Browsers<S> {
    type Response = HttpResponse;
    type Error = Infallible;
    type Future = Either<S::Future, BoxFuture<'static, Result<HttpResponse, Infallible>>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.next.poll_ready(context)
    }

    fn call(&mut self, request: HttpRequest) -> Self::Future {
        if is_native(&request) {
            return Either::Left(self.next.call(request));
        }
        let clone = self.next.clone();
        let next = std::mem::replace(&mut self.next, clone);
        let mut browsers = ServiceBuilder::new()
            // Whether it may call is answered before anything is looked at, and refusals can be read by it, too;
            .layer(&*self.cors)
            // what it calls is plain gRPC from here on.
            .layer(GrpcWebLayer::new())
            .map_request(|request: http::Request<tonic::body::Body>| request.map(axum::body::Body::new))
            .service(next);
        let answering = browsers.call(request);
        Either::Right(Box::pin(answering.map_ok(|answer| answer.map(axum::body::Body::new))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_grpc_of_no_page_goes_past() {
        let is_native = |version, headers: &[(&str, &str)]| {
            let mut request = http::Request::builder().version(version);
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            is_native(&request.body(axum::body::Body::empty()).expect("a request"))
        };
        let (grpc, web) = ("application/grpc", "application/grpc-web+proto");
        assert!(is_native(Version::HTTP_2, &[("content-type", grpc)]));
        assert!(is_native(
            Version::HTTP_2,
            &[("content-type", "application/grpc+proto")]
        ));
        assert!(!is_native(Version::HTTP_11, &[("content-type", grpc)]));
        assert!(!is_native(Version::HTTP_2, &[("content-type", web)]));
        assert!(!is_native(
            Version::HTTP_2,
            &[("content-type", grpc), ("origin", "https://example.org")]
        ));
        assert!(!is_native(Version::HTTP_2, &[]));
    }
}
