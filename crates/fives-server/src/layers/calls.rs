//! What each call of the API is to the gates. One table, which they look a call up in once.

/// What a call makes of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// It needs one.
    Required,
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
}

impl Call {
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
    }
}

/// Every call of the API, as a test makes sure.
#[rustfmt::skip]
const CALLS: [Call; 24] = [
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
    call("/fives.v1.PlayerService/GetServiceInfo", Token::Ignored, Class::Read, Again::Free),
    call("/fives.v1.SpectateService/ListLiveMatches", Token::Optional, Class::Read, Again::Free),
    call("/fives.v1.SpectateService/WatchMatch", Token::Optional, Class::Stream, Again::Free),
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
    CALLS.into_iter().find(|call| call.path == path).unwrap_or(UNKNOWN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use prost::Message;

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
                    !writes || entry.token == Token::Required,
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
}
