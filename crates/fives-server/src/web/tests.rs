use axum::body::Body;
use http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH,
};
use http::{Request, StatusCode};
use tower::ServiceExt;

use super::*;

async fn asked(path: &str, headers: &[(http::HeaderName, &str)]) -> HttpResponse {
    let mut request = Request::builder().uri(path);
    for (name, value) in headers {
        request = request.header(name, *value);
    }
    let request = request.body(Body::empty()).expect("a request");
    routes(None, Router::new()).oneshot(request).await.expect("an answer")
}

async fn body(answer: HttpResponse) -> Vec<u8> {
    let bytes = axum::body::to_bytes(answer.into_body(), 4 << 20).await;
    bytes.expect("a body").to_vec()
}

/// The scripts that the page asks for.
async fn assets() -> Vec<String> {
    let page = String::from_utf8(body(asked("/", &[]).await).await).expect("text");
    let mut names: Vec<String> = page
        .split('"')
        .filter(|part| part.starts_with("/assets/") && part.ends_with(".js"))
        .map(str::to_owned)
        .collect();
    names.sort();
    names
}

#[tokio::test]
async fn every_address_of_a_page_is_the_page() {
    let page = body(asked("/", &[]).await).await;
    for path in ["/play", "/watch/m-aaa", "/replay/m-aaa?embed=1", "/play?code=ABC"] {
        let answer = asked(path, &[]).await;
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        assert_eq!(answer.headers()[CACHE_CONTROL], "no-cache");
        assert_eq!(answer.headers()[CONTENT_TYPE], "text/html; charset=utf-8");
        assert_eq!(body(answer).await, page, "{path}");
    }
    for headers in [&[][..], &[(IF_NONE_MATCH, "*")]] {
        let answer = asked("/else/where", headers).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND);
        assert_eq!(body(answer).await, page, "which says that there is nothing");
    }
}

#[tokio::test]
async fn only_a_match_to_watch_can_be_put_into_a_frame() {
    for (path, ancestors) in [
        ("/", "'none'"),
        ("/play?embed=1", "'none'"),
        ("/watch/m-aaa", "'none'"),
        ("/watch/m-aaa?embed=10", "'none'"),
        ("/watch/m-aaa?embed=0&embed=1", "'none'"),
        ("/watch/m-aaa?lang=ro&embed=1", "*"),
    ] {
        let answer = asked(path, &[]).await;
        let policy = answer.headers()[CONTENT_SECURITY_POLICY].to_str().expect("text");
        assert!(policy.starts_with("default-src 'none'; "), "{path}");
        assert!(
            policy.ends_with(&format!("frame-ancestors {ancestors}")),
            "{path}: {policy}"
        );
        assert!(!policy.contains("unsafe"), "{path}");
        let page = String::from_utf8(body(answer).await).expect("text");
        let is_bare = page.contains("<html class=\"embedded\"") && page.contains("<body></body>");
        assert_eq!(is_bare, ancestors == "*", "{path}: nothing shows before the table does");
    }
}

#[tokio::test]
async fn what_the_page_asks_for_is_there_for_ever_and_compressed() {
    let assets = assets().await;
    assert!(!assets.is_empty(), "a script at least");
    for name in assets {
        let plain = asked(&name, &[]).await;
        assert_eq!(plain.headers()[CACHE_CONTROL], "public, max-age=31536000, immutable");
        assert!(!plain.headers().contains_key(CONTENT_ENCODING));
        let content_type = plain.headers()[CONTENT_TYPE].clone();
        let mut smaller_than = body(plain).await.len();
        for (accepted, coding) in [
            ("deflate, GZIP", "gzip"),
            ("br;q=0, gzip;q=0.5", "gzip"),
            ("gzip, deflate, br;q=1.0", "br"),
        ] {
            let compressed = asked(&name, &[(ACCEPT_ENCODING, accepted)]).await;
            assert_eq!(compressed.headers()[CONTENT_ENCODING], coding, "{accepted}");
            assert_eq!(compressed.headers()[CONTENT_TYPE], content_type);
            let len = body(compressed).await.len();
            assert!(len <= smaller_than, "{coding}");
            smaller_than = len;
        }
        for refusal in ["gzip;q=0", "gzip; Q=0.0, br;q=0"] {
            let refused = asked(&name, &[(ACCEPT_ENCODING, refusal)]).await;
            assert!(!refused.headers().contains_key(CONTENT_ENCODING), "{refusal}");
        }
    }
    for page in [WHOLE.file, EMBEDDED.file] {
        let answer = asked(&format!("/assets/{page}"), &[]).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{page} is no asset");
    }
}

#[tokio::test]
async fn a_page_that_has_not_changed_is_not_sent_again() {
    let first = asked("/", &[]).await;
    let tag = first.headers()[ETAG].to_str().expect("text").to_owned();
    // Whether a tag is weak does not matter here.
    for known in [tag.as_str(), tag.trim_start_matches("W/")] {
        let again = asked("/", &[(IF_NONE_MATCH, &format!("\"other\", {known}"))]).await;
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
        assert!(again.headers().contains_key(CONTENT_SECURITY_POLICY));
        assert!(body(again).await.is_empty());
    }
}

#[tokio::test]
async fn the_script_of_another_release_has_the_page_come_again_and_is_kept_by_nobody() {
    let answer = asked("/assets/app-OLDER000.js", &[]).await;
    assert_eq!(answer.status(), StatusCode::OK, "else no browser would run it");
    assert_eq!(answer.headers()[CACHE_CONTROL], "no-store");
    assert_eq!(answer.headers()[CONTENT_TYPE], "text/javascript; charset=utf-8");
    assert!(
        String::from_utf8(body(answer).await)
            .expect("text")
            .contains("location.reload()")
    );
    for path in [
        "/assets/other.js",
        "/assets/app-OLDER000.css",
        "/assets/font-OLDER000.woff2",
    ] {
        assert_eq!(asked(path, &[]).await.status(), StatusCode::NOT_FOUND, "{path}");
    }
}
