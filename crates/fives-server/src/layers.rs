//! What every call passes before it comes to a service, one layer a file. `routes` names their order, and why.

pub(crate) mod auth;
pub(crate) mod deadline;
pub(crate) mod limits;
pub(crate) mod malformed;
pub(crate) mod panics;
pub(crate) mod trace;

use std::convert::Infallible;
use std::task::{Context, Poll};

use fives_wire::status::{Denial, denied};
use futures::future::BoxFuture;
use tower::{Layer, Service};

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

/// What comes behind a gate: another one, or at last a service.
pub(crate) trait Next:
    Service<HttpRequest, Response = HttpResponse, Error = Infallible, Future: Send + 'static> + Clone + Send + 'static
{
}

impl<S> Next for S where
    S: Service<HttpRequest, Response = HttpResponse, Error = Infallible, Future: Send + 'static>
        + Clone
        + Send
        + 'static
{
}

/// What a layer does with each call of the API. A gate holds what all calls share.
pub(crate) trait Gate: Clone {
    /// Answers `request`, mostly by calling `next`, which is ready.
    fn pass(&self, request: HttpRequest, next: &mut impl Next) -> Answering;
}

/// Puts a gate in front of a service.
#[derive(Clone)]
pub(crate) struct GateLayer<G>(pub(crate) G);

impl<G: Clone, S> Layer<S> for GateLayer<G> {
    type Service = Gated<G, S>;

    fn layer(&self, next: S) -> Gated<G, S> {
        let gate = self.0.clone();
        Gated { gate, next }
    }
}

/// A service with a gate in front of it.
#[derive(Clone)]
pub(crate) struct Gated<G, S> {
    gate: G,
    next: S,
}

impl<G: Gate, S: Next> Service<HttpRequest> for Gated<G, S> {
    type Response = HttpResponse;
    type Error = Infallible;
    type Future = Answering;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.next.poll_ready(context)
    }

    fn call(&mut self, request: HttpRequest) -> Answering {
        if is_api(&request) {
            self.gate.pass(request, &mut self.next)
        } else {
            Box::pin(self.next.call(request))
        }
    }
}
