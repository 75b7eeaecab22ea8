//! The web pages: what people see who open the port in a browser. Files built into the program; they ask nobody else for anything.

mod files;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, RawQuery, State};
use axum::routing::{get, post};
use fives_referee::house::House;
use http::header::{
    ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, IF_NONE_MATCH, REFERRER_POLICY,
    RETRY_AFTER, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderMap, HeaderValue, StatusCode};
use tracing::warn;

use crate::layers::HttpResponse;
use files::WebFile;

/// A page, and who may put it into a frame.
struct Page {
    file: &'static str,
    framed_by: &'static str,
}

/// One page for all addresses: what it shows, its script reads from the address.
const WHOLE: Page = Page {
    file: "index.html",
    framed_by: "'none'",
};

/// The same for a match in somebody else's page or video: there is nothing to press that would do harm.
const EMBEDDED: Page = Page {
    file: "embed.html",
    framed_by: "*",
};

/// The routes of the pages. With a house, whoever looks while nobody plays gets a table of bots to watch. What no route is for is a
/// person's mistake if it is a GET; `unknown_calls` answers the rest.
pub(crate) fn routes(house: Option<House>, unknown_calls: Router) -> Router {
    let whole = get(|headers: HeaderMap| async move { page(&headers, &WHOLE) });
    let watched = get(|RawQuery(query): RawQuery, headers: HeaderMap| async move {
        let is_embedded = is_embedded(query.as_deref());
        page(&headers, if is_embedded { &EMBEDDED } else { &WHOLE })
    });
    Router::new()
        .route("/", whole.clone())
        .route("/play", whole.clone())
        .route("/replay/{match}", whole)
        .route("/watch/{match}", watched)
        .route("/assets/{name}", get(asset))
        .route("/house-table", post(house_table).with_state(house.map(Arc::new)))
        .route("/{*path}", get(missing).fallback_service(unknown_calls))
}

fn is_embedded(query: Option<&str>) -> bool {
    let first = query.and_then(|query| query.split('&').find(|pair| pair.starts_with("embed=")));
    first == Some("embed=1")
}

/// Always asked for again, so that a new release is seen at once; the same one costs no bytes.
fn page(request: &HeaderMap, page: &Page) -> HttpResponse {
    let Some(file) = WebFile::find(page.file) else {
        return plain(StatusCode::NOT_FOUND, "");
    };
    let mut answer = guarded(file.answer(request));
    let headers = answer.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(policy) = HeaderValue::from_str(&policy(file, page.framed_by)) {
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
    answer
}

/// The page as well: it says in the language of whoever looks that there is nothing.
async fn missing(mut request: HeaderMap) -> HttpResponse {
    request.remove(IF_NONE_MATCH);
    let mut answer = page(&request, &WHOLE);
    *answer.status_mut() = StatusCode::NOT_FOUND;
    answer
}

/// Scripts, fonts and answers only from here; of what stands in the page itself only its own style sheet, known by its hash: it is
/// there so that something can be drawn before anything else has come.
fn policy(file: &WebFile, framed_by: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self'; style-src 'sha256-{}'; font-src 'self'; connect-src 'self'; img-src 'self' data:; \
         base-uri 'none'; form-action 'none'; frame-ancestors {framed_by}",
        file.style_hash()
    )
}

/// A name has the hash of its content, so it never changes.
async fn asset(Path(name): Path<String>, request: HeaderMap) -> HttpResponse {
    let Some(file) = WebFile::find(&name).filter(|_| !name.ends_with(".html")) else {
        return if is_script(&name) {
            come_again()
        } else {
            guarded(plain(StatusCode::NOT_FOUND, "no such file\n"))
        };
    };
    let mut answer = guarded(file.answer(&request));
    let forever = HeaderValue::from_static("public, max-age=31536000, immutable");
    let headers = answer.headers_mut();
    headers.insert(CACHE_CONTROL, forever);
    // A page in a sandboxed frame is of no origin, not even of this one.
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    answer
}

fn is_script(name: &str) -> bool {
    name.starts_with("app-") && name.ends_with(".js")
}

/// For the page of another release: while replicas are replaced, the one that is asked for the script may not be the one that had the
/// page. The page is asked for anew until both come from one release; otherwise it would stay empty.
fn come_again() -> HttpResponse {
    let mut answer = plain(StatusCode::OK, "setTimeout(() => location.reload(), 1000);\n");
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/javascript; charset=utf-8"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    guarded(answer)
}

/// The id of the house's table; nothing, where there is no house.
async fn house_table(State(house): State<Option<Arc<House>>>) -> HttpResponse {
    let table = match house {
        Some(house) => Some(house.table().await),
        None => None,
    };
    let mut answer = match table {
        None => plain(StatusCode::NO_CONTENT, ""),
        Some(Ok(id)) => plain(StatusCode::OK, &id.to_string()),
        Some(Err(error)) => {
            warn!(%error, "no house table");
            let mut answer = plain(StatusCode::SERVICE_UNAVAILABLE, "");
            answer.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
            answer
        }
    };
    answer
        .headers_mut()
        .insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    guarded(answer)
}

fn plain(status: StatusCode, text: &str) -> HttpResponse {
    let mut answer = HttpResponse::new(axum::body::Body::from(text.to_owned()));
    *answer.status_mut() = status;
    answer
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    answer
}

/// What holds for all answers: a type is what it says, and other sites do not learn which match somebody watches.
fn guarded(mut answer: HttpResponse) -> HttpResponse {
    let headers = answer.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    answer
}

#[cfg(test)]
mod tests;
