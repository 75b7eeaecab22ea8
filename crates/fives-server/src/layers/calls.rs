//! What each call of the API is to the gates. One table, which they look a call up in once.

use crate::config::Scope;

/// What a call makes of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// It needs one.
    Required,
    /// It needs one, and that of a player who was erased will do: for asking again.
    EvenErased,
    /// It can do without, but one that is sent must be good.
    Optional,
    /// It never looks at one: whoever wants a new token may still send an old one along.
    Ignored,
}

/// What a call costs, and how much it matters when there is not room for all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    /// It changes nothing.
    Read,
    /// It changes what is there.
    Write,
    /// It makes a match.
    Create,
    /// It may make a player, for somebody who is nobody yet.
    SignIn,
    /// It goes on: its deadline, and its place among the calls under way, are for its beginning.
    Stream,
}

/// What makes it safe to send a call again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Again {
    /// Nothing is needed: twice is as good as once.
    Free,
    /// The same request id.
    ByRequestId,
}

/// A call of the API.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Call {
    path: &'static str,
    pub(super) token: Token,
    pub(super) class: Class,
    pub(super) again: Again,
    /// What a token must be good for, where one is needed.
    pub(super) scope: Scope,
}

impl Call {
    /// The same call, for those whose token is good for this.
    const fn scoped(self, scope: Scope) -> Self {
        Self { scope, ..self }
    }

    /// Its name, from a bounded set: what does not exist has one name for all.
    pub(super) fn method(&self) -> &'static str {
        match self.path {
            "" => "_OTHER",
            path => path.trim_start_matches('/'),
        }
    }
}

const fn call(path: &'static str, token: Token, class: Class, again: Again) -> Call {
    Call {
        path,
        token,
        class,
        again,
        scope: Scope::Player,
    }
}

/// Every call of the API, as a test makes sure.
#[rustfmt::skip]
const CALLS: &[Call] = &[
    call("/fives.v1.MatchService/CreateMatch", Token::Required, Class::Create, Again::ByRequestId),
    call("/fives.v1.MatchService/GetMatch", Token::Optional, Class::Read, Again::Free),
    call("/fives.v1.MatchService/ListMatches", Token::Optional, Class::Read, Again::Free),
    call("/fives.v1.MatchService/JoinMatch", Token::Required, Class::Write, Again::ByRequestId),
    call("/fives.v1.MatchService/LeaveMatch", Token::Required, Class::Write, Again::ByRequestId),
    call("/fives.v1.MatchService/PlayTile", Token::Required, Class::Write, Again::ByRequestId),
    call("/fives.v1.MatchService/Resign", Token::Required, Class::Write, Again::ByRequestId),
    call("/fives.v1.MatchService/ReclaimSeat", Token::Required, Class::Write, Again::ByRequestId),
    call("/fives.v1.MatchService/FollowMatch", Token::Required, Class::Stream, Again::Free),
    call("/fives.v1.MatchService/GetReplay", Token::Optional, Class::Read, Again::Free),
    call("/fives.v1.PlayerService/SignInGuest", Token::Ignored, Class::SignIn, Again::Free),
    call("/fives.v1.PlayerService/RefreshToken", Token::Required, Class::Read, Again::Free),
    call("/fives.v1.PlayerService/GetPlayer", Token::Required, Class::Read, Again::Free),
    call("/fives.v1.PlayerService/UpdatePlayer", Token::Required, Class::Write, Again::Free),
    call("/fives.v1.PlayerService/GetPresence", Token::Required, Class::Read, Again::Free),
    call("/fives.v1.PlayerService/GetServiceInfo", Token::Ignored, Class::Read, Again::Free),
    call("/fives.v1.SpectateService/ListLiveMatches", Token::Optional, Class::Read, Again::Free),
    call("/fives.v1.SpectateService/WatchMatch", Token::Optional, Class::Stream, Again::Free),
    call("/fives.v1.QueueService/ListQueues", Token::Ignored, Class::Read, Again::Free),
    call("/fives.v1.QueueService/JoinQueue", Token::Required, Class::Stream, Again::Free),
    call("/fives.v1.QueueService/LeaveQueue", Token::Required, Class::Write, Again::Free),
    call("/fives.v1.RatingService/GetRatings", Token::Required, Class::Read, Again::Free),
    call("/fives.v1.RatingService/ListRatingChanges", Token::Required, Class::Read, Again::Free),
    call("/fives.v1.RatingService/ListLeaderboard", Token::Optional, Class::Read, Again::Free),
    call("/fives.v1.RatingService/GetRank", Token::Required, Class::Read, Again::Free),
    call("/fives.v1.PlayerService/LinkIdentity", Token::Required, Class::Write, Again::Free),
    call("/fives.v1.PlatformService/CreateMatch", Token::Required, Class::Create, Again::ByRequestId).scoped(Scope::Service),
    call("/fives.v1.PlatformService/GetMatch", Token::Required, Class::Read, Again::Free).scoped(Scope::Service),
    call("/fives.v1.PlatformService/VoidMatch", Token::Required, Class::Write, Again::Free).scoped(Scope::Service),
    call("/fives.v1.PlatformService/ForfeitSeat", Token::Required, Class::Write, Again::Free).scoped(Scope::Service),
    call("/fives.v1.CastService/CastMatch", Token::Required, Class::Stream, Again::Free).scoped(Scope::Caster),
    call("/fives.v1.PlayerService/ListPlayedMatches", Token::Required, Class::Read, Again::Free),
    call("/fives.v1.PlayerService/DeletePlayer", Token::EvenErased, Class::Write, Again::Free),
    call("/fives.v1.MatchService/CreateInvite", Token::Required, Class::Write, Again::ByRequestId),
    call("/fives.v1.MatchService/RevokeInvite", Token::Required, Class::Write, Again::ByRequestId),
    call("/fives.v1.MatchService/ListInvites", Token::Required, Class::Read, Again::Free),
    call("/fives.v1.MatchService/SendEmote", Token::Required, Class::Write, Again::Free),
    call("/fives.v1.MatchService/AnswerRematch", Token::Required, Class::Write, Again::ByRequestId),
    call("/fives.v1.MatchService/GetRematch", Token::Required, Class::Read, Again::Free),
    call("/fives.v1.PlayerService/FollowPlayer", Token::Required, Class::Stream, Again::Free),
];

/// What does not exist, and is told so without a token.
const UNKNOWN: Call = call("", Token::Ignored, Class::Read, Again::Free);

/// The call at this path.
pub(super) fn find(path: &str) -> Call {
    CALLS.iter().copied().find(|call| call.path == path).unwrap_or(UNKNOWN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use prost::Message;
    use serde_json::json;

    #[test]
    fn every_call_of_the_api_has_an_entry_that_is_true_and_every_entry_a_call() {
        let set = prost_types::FileDescriptorSet::decode(fives_wire::FILE_DESCRIPTOR_SET).expect("descriptors");
        let files: Vec<_> = set.file.iter().filter(|file| file.package() == "fives.v1").collect();
        let has_request_id = |message: &str| {
            let messages = files.iter().flat_map(|file| &file.message_type);
            let mut of_this_name = messages.filter(|found| message.ends_with(&format!(".{}", found.name())));
            let found = of_this_name.next().expect("a message of the API");
            found.field.iter().any(|field| field.name() == "request_id")
        };
        let mut calls = Vec::new();
        for service in files.iter().flat_map(|file| &file.service) {
            for method in &service.method {
                let path = format!("/fives.v1.{}/{}", service.name(), method.name());
                let entry = find(&path);
                assert_eq!(entry.path, path, "it has an entry");
                assert_eq!(entry.class == Class::Stream, method.server_streaming(), "{path}");
                let again = if has_request_id(method.input_type()) {
                    Again::ByRequestId
                } else {
                    Again::Free
                };
                assert_eq!(entry.again, again, "{path}");
                let writes = matches!(entry.class, Class::Write | Class::Create);
                assert!(
                    !writes || matches!(entry.token, Token::Required | Token::EvenErased),
                    "{path}: nobody unknown changes anything"
                );
                assert!(
                    writes || again == Again::Free,
                    "{path}: who changes nothing needs no request id"
                );
                calls.push(path);
            }
        }
        assert_eq!(calls.len(), CALLS.len(), "{calls:?}");
        assert_eq!(find("/fives.v1.MatchService/Nothing"), UNKNOWN);
    }

    /// Deadline and retries for clients that read a service config (gRFC A2, A6): of every call that ends by itself.
    fn service_config() -> serde_json::Value {
        let unary = CALLS.iter().filter(|call| call.class != Class::Stream);
        let names = unary.map(|call| {
            let (service, method) = call.method().split_once('/').expect("a path has both");
            json!({ "service": service, "method": method })
        });
        json!({ "methodConfig": [{
            "name": names.collect::<Vec<_>>(),
            "timeout": "10s",
            "retryPolicy": {
                "maxAttempts": 5,
                "initialBackoff": "0.1s",
                "maxBackoff": "2s",
                "backoffMultiplier": 2,
                "retryableStatusCodes": ["UNAVAILABLE"],
            },
        }] })
    }

    #[test]
    fn the_service_config_for_clients_has_every_call_that_ends_by_itself() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../clients/service-config.json");
        let wanted = serde_json::to_string_pretty(&service_config()).expect("JSON") + "\n";
        if std::env::var_os("UPDATE_GOLDENS").is_some() {
            std::fs::write(file, &wanted).expect("written");
        }
        let found = std::fs::read_to_string(file).expect("a file");
        assert_eq!(found, wanted, "UPDATE_GOLDENS=1 writes it anew");
    }
}
