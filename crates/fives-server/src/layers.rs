//! What every call of the API passes before it comes to a service: for browsers a translation, then the gates, one a file, in one
//! future:
//!
//! ```text
//! trace ─▶ panics ─▶ rates (address) ─▶ limits ─▶ deadline ─▶ auth ─▶ rates (player) ─▶ malformed ─▶ service
//! ```
//!
//! What a call is to each of them stands in one table, `calls`.
//!
//! Whatever becomes of a call, its span knows. Nothing behind the second takes others down with it. What is too much is refused
//! before it costs anything; the clock runs from then on, for the check of the token, too; nobody unknown gets as far as having a
//! request read; and what tonic refuses while reading it gets our words next to where that happens.

pub(crate) mod addresses;
pub(crate) mod auth;
pub(crate) mod browsers;
mod calls;
pub(crate) mod deadline;
pub(crate) mod limits;
pub(crate) mod malformed;
pub(crate) mod rates;
pub(crate) mod trace;

use std::cell::RefCell;
use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::task::{Context, Poll};

use fives_wire::status::{Denial, denied};
use futures::FutureExt;
use futures::future::BoxFuture;
use opentelemetry::trace::FutureExt as _;
use tower::{Layer, Service};
use tracing::{Instrument, error};

use addresses::Addresses;
use auth::Auth;
use calls::{Again, Call};
use deadline::Deadline;
use limits::Limits;
use malformed::Malformed;
use rates::Rates;
use trace::{CAUSE, Trace};

use crate::config::Scope;

/// A call on its way in.
pub(crate) type HttpRequest = http::Request<axum::body::Body>;
/// An answer on its way out.
pub(crate) type HttpResponse = http::Response<axum::body::Body>;

/// What all calls of the API begin with; health and reflection do not, and pass the gates untouched: they must answer when
/// nothing else does.
const API: &str = "/fives.v1.";

/// The answer of a gate that lets nothing through.
fn refusal(denial: Denial) -> HttpResponse {
    denied(denial).into_http()
}

/// The gates, and what all calls share at them.
pub(crate) struct Gates {
    pub(crate) trace: Trace,
    pub(crate) addresses: Addresses,
    pub(crate) rates: Arc<Rates>,
    pub(crate) limits: Limits,
    pub(crate) deadline: Deadline,
    pub(crate) auth: Auth,
    pub(crate) malformed: Malformed,
}

/// What comes behind the gates.
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

impl Gates {
    async fn traced(&self, request: HttpRequest, next: impl Next) -> Result<HttpResponse, Infallible> {
        let call = calls::find(request.uri().path());
        let traced = self.trace.begin(&call, &request);
        let context = traced.context.clone();
        let span = traced.log_span();
        let answering = CAUSE.scope(RefCell::default(), async {
            // Services share nothing that a panic could leave half-made: what they change, they change in the store.
            let answer = AssertUnwindSafe(self.limited(call, request, next)).catch_unwind().await;
            let answer = answer.unwrap_or_else(|_| {
                error!("a call panicked");
                Ok(refusal(Denial::Internal))
            })?;
            Ok(self.trace.end(&traced, CAUSE.with(RefCell::take), answer))
        });
        answering.with_context(context).instrument(span).await
    }

    async fn limited(&self, call: Call, mut request: HttpRequest, next: impl Next) -> Result<HttpResponse, Infallible> {
        let origin = self.addresses.origin(&request);
        request.extensions_mut().insert(origin);
        if let Err(denial) = self.rates.origin(call.class, &origin) {
            return Ok(refusal(denial));
        }
        let Some(_permit) = self.limits.permit(call.class) else {
            return Ok(refusal(Denial::TooManyCalls));
        };
        let answer = tokio::time::timeout(self.deadline.of(&request), self.known(call, request, next));
        let is_safe = call.again == Again::Free;
        answer
            .await
            .unwrap_or_else(|_| Ok(refusal(Denial::Deadline { is_safe })))
    }

    async fn known(
        &self,
        call: Call,
        mut request: HttpRequest,
        mut next: impl Next,
    ) -> Result<HttpResponse, Infallible> {
        match self.auth.principal(&call, request.headers()).await {
            Ok(None) => {}
            Ok(Some(principal)) => {
                // What a platform does for all of its players is not a player's share.
                if call.scope != Scope::Service
                    && let Err(denial) = self.rates.player(call.class, &principal.id)
                {
                    return Ok(refusal(denial));
                }
                // Where somebody may come without a token, one that is no player's is as good as none.
                if principal.scopes.has(Scope::Player) {
                    request.extensions_mut().insert(principal.id);
                }
                request.extensions_mut().insert(principal);
            }
            Err(status) => return Ok(status.into_http()),
        }
        let answer = next.call(request).await?;
        Ok(self.malformed.refusal(&answer).map_or(answer, refusal))
    }
}

/// Puts the gates in front of a service.
#[derive(Clone)]
pub(crate) struct GatesLayer(pub(crate) Arc<Gates>);

impl<S> Layer<S> for GatesLayer {
    type Service = Gated<S>;

    fn layer(&self, next: S) -> Gated<S> {
        let gates = Arc::clone(&self.0);
        Gated { gates, next }
    }
}

/// A service behind the gates.
#[derive(Clone)]
pub(crate) struct Gated<S> {
    gates: Arc<Gates>,
    next: S,
}

impl<S: Next> Service<HttpRequest> for Gated<S> {
    type Response = HttpResponse;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<HttpResponse, Infallible>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.next.poll_ready(context)
    }

    fn call(&mut self, request: HttpRequest) -> Self::Future {
        if !request.uri().path().starts_with(API) {
            return Box::pin(self.next.call(request));
        }
        let gates = Arc::clone(&self.gates);
        // The one that was asked for readiness is called; its clone will be asked again.
        let clone = self.next.clone();
        let next = std::mem::replace(&mut self.next, clone);
        Box::pin(async move { gates.traced(request, next).await })
    }
}

#[cfg(test)]
mod tests;
