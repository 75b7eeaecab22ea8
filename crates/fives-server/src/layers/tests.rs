use std::sync::Mutex;
use std::time::Duration;

use fives_lobby::identity::Identities;
use fives_referee::id::PlayerId;
use fives_store::embedded::EmbeddedStore;
use fives_wire::{status, v1};
use tokio::sync::Notify;
use tonic::Status;

use super::*;
use crate::issuers::Issuers;
use crate::token::{Bearers, Tokens};

const INFO: &str = "/fives.v1.PlayerService/GetServiceInfo";
const PLAYER: &str = "/fives.v1.PlayerService/GetPlayer";

/// What a service behind the gates does with a call.
#[derive(Clone)]
enum Behind {
    /// Answers when it is told to.
    Waits(Arc<Notify>),
    Panics,
    /// Takes note of who calls.
    Asks(Arc<Mutex<Option<PlayerId>>>),
}

impl Service<HttpRequest> for Behind {
    type Response = HttpResponse;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<HttpResponse, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: HttpRequest) -> Self::Future {
        let behind = self.clone();
        Box::pin(async move {
            match behind {
                Self::Waits(told) => told.notified().await,
                Self::Panics => panic!("on purpose"),
                Self::Asks(caller) => *caller.lock().expect("no panic") = request.extensions().get().copied(),
            }
            Ok(HttpResponse::default())
        })
    }
}

fn gated(behind: Behind) -> (Gated<Behind>, Arc<Tokens>) {
    let tokens = Arc::new(Tokens::open(&[], 60).expect("a key"));
    let store = Arc::new(EmbeddedStore::temporary().expect("a store"));
    let identities = Identities::new(Arc::<EmbeddedStore>::clone(&store));
    let bearers = Bearers::new(Arc::clone(&tokens), Issuers::default(), 0, identities);
    let auth = Auth {
        bearers: Arc::new(bearers),
        store,
        gone: Arc::default(),
    };
    let gates = Gates {
        trace: Trace::new(),
        addresses: Addresses::new(&[]),
        rates: Arc::new(Rates::new(&crate::config::Limits::none(Vec::new()))),
        limits: Limits::new(1),
        deadline: Deadline {
            longest: Duration::from_secs(10),
        },
        auth,
        malformed: Malformed { max_bytes: 7 },
    };
    (GatesLayer(Arc::new(gates)).layer(behind), tokens)
}

fn request(path: &'static str) -> HttpRequest {
    let mut request = HttpRequest::default();
    *request.uri_mut() = http::Uri::from_static(path);
    request
}

/// Why an answer is a refusal, if it is one.
fn refused(answer: Result<HttpResponse, Infallible>) -> Option<v1::ErrorReason> {
    let Ok(answer) = answer;
    let status = Status::from_header_map(answer.headers())?;
    let is_passing = status::retry_after(&status).is_some();
    let reason = status::reason(&status).expect("a reason");
    assert_eq!(is_passing, reason == v1::ErrorReason::TooManyCalls);
    Some(reason)
}

#[tokio::test]
async fn one_call_too_many_is_told_so_at_once() {
    let told = Arc::new(Notify::new());
    let (mut service, _) = gated(Behind::Waits(Arc::clone(&told)));
    let first = tokio::spawn(service.call(request(INFO)));
    tokio::task::yield_now().await;
    assert_eq!(
        refused(service.call(request(INFO)).await),
        Some(v1::ErrorReason::TooManyCalls)
    );

    let health = tokio::spawn(service.call(request("/grpc.health.v1.Health/Check")));
    tokio::task::yield_now().await;
    told.notify_waiters();
    for under_way in [first, health] {
        assert_eq!(refused(under_way.await.expect("it ends")), None, "it was let through");
    }
    told.notify_one();
    assert_eq!(refused(service.call(request(INFO)).await), None, "there is room again");
}

#[tokio::test]
async fn a_call_that_panics_is_answered_and_gives_its_place_back() {
    let (mut service, _) = gated(Behind::Panics);
    for _ in 0..2 {
        assert_eq!(
            refused(service.call(request(INFO)).await),
            Some(v1::ErrorReason::Internal)
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_ends_with_the_shorter_of_both_deadlines() {
    let (mut service, _) = gated(Behind::Waits(Arc::default()));
    for (given, ends_after) in [(None, 10), (Some("3S"), 3), (Some("60S"), 10)] {
        let mut request = request(INFO);
        if let Some(given) = given {
            request
                .headers_mut()
                .insert("grpc-timeout", given.parse().expect("a value"));
        }
        let begun = tokio::time::Instant::now();
        assert_eq!(refused(service.call(request).await), Some(v1::ErrorReason::Deadline));
        assert_eq!(begun.elapsed().as_secs(), ends_after);
    }
}

#[tokio::test]
async fn a_token_says_who_calls() {
    let caller = Arc::default();
    let (mut service, tokens) = gated(Behind::Asks(Arc::clone(&caller)));
    assert_eq!(
        refused(service.call(request(PLAYER)).await),
        Some(v1::ErrorReason::TokenMissing)
    );

    let player = PlayerId::from_bytes([3; 16]);
    let now = service.gates.auth.store.now().await.expect("a time");
    let token = tokens.issue(&player, now).expect("a token").access_token;
    let mut request = request(PLAYER);
    let bearer = format!("Bearer {token}").parse().expect("a value");
    request.headers_mut().insert(http::header::AUTHORIZATION, bearer);
    assert_eq!(refused(service.call(request).await), None);
    assert_eq!(*caller.lock().expect("no panic"), Some(player));
}
