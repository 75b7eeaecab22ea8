//! `GET /livez` and `GET /readyz`, for load balancers and orchestrators.

use axum::Router;
use axum::routing::get;
use fives_referee::store::SharedStore;
use http::StatusCode;
use tokio_util::sync::CancellationToken;

/// Alive: the process answers. Ready: it is not stopping, and its store works.
pub(crate) fn routes(store: SharedStore, draining: CancellationToken) -> Router {
    let ready = move || {
        let (store, draining) = (store.clone(), draining.clone());
        async move {
            if draining.is_cancelled() {
                (StatusCode::SERVICE_UNAVAILABLE, "stopping\n")
            } else if store.now().await.is_err() {
                (StatusCode::SERVICE_UNAVAILABLE, "the store does not answer\n")
            } else {
                (StatusCode::OK, "ready\n")
            }
        }
    };
    Router::new()
        .route("/livez", get(async || "alive\n"))
        .route("/readyz", get(ready))
}
