//! Calls of administrators, on the admin port.

use std::time::Duration;

use fives_wire::admin::v1;
use fives_wire::admin::v1::admin_service_client::AdminServiceClient;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status};

use crate::error::Error;

/// How long a call may take: a page of repairs reads a thousand matches.
const CALL_TIMEOUT: Duration = Duration::from_secs(60);

/// A client of the admin port of one process. Sends nothing twice: who acts looks at what came of it.
#[derive(Clone)]
pub struct AdminClient {
    channel: Channel,
    token: Option<MetadataValue<Ascii>>,
}

/// Declares a call with the words of the service.
macro_rules! calls {
    ($($(#[$doc:meta])* $name:ident: $request:ident -> $response:ident;)+) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// Why the service refused, or that the connection was lost.
            pub async fn $name(&self, request: v1::$request) -> Result<v1::$response, Error> {
                let answer = AdminServiceClient::new(self.channel.clone()).$name(self.request(request)).await;
                Ok(answer?.into_inner())
            }
        )+
    };
}

impl AdminClient {
    /// A client of the admin port at `url` (`http://host:port`), which is connected to with the first call; with the admin token,
    /// without which every call is refused.
    ///
    /// # Errors
    /// [`Error::Address`]; [`Error::Refused`] if no token could look like this.
    pub fn connect_lazy(url: &str, token: Option<&str>) -> Result<Self, Error> {
        let value = token.map(|token| format!("Bearer {token}").parse::<MetadataValue<Ascii>>());
        let mut token = value
            .transpose()
            .map_err(|_| Status::unauthenticated("a token is printable ASCII"))?;
        if let Some(token) = &mut token {
            token.set_sensitive(true);
        }
        let endpoint = Endpoint::from_shared(url.to_owned()).map_err(Error::Address)?;
        Ok(Self {
            channel: endpoint.timeout(CALL_TIMEOUT).connect_lazy(),
            token,
        })
    }

    calls! {
        /// Looks at a match.
        inspect_match: InspectMatchRequest -> InspectMatchResponse;
        /// Ends a match without a result.
        void_match: VoidMatchRequest -> VoidMatchResponse;
        /// Has the player of a seat give up.
        forfeit_seat: ForfeitSeatRequest -> ForfeitSeatResponse;
        /// A page of matches, those that are stuck.
        list_stuck_matches: ListStuckMatchesRequest -> ListStuckMatchesResponse;
        /// Makes the indexes of a page of matches right.
        repair_indexes: RepairIndexesRequest -> RepairIndexesResponse;
        /// A page of what administrators have done.
        list_audit: ListAuditRequest -> ListAuditResponse;
        /// Changes what is logged.
        set_log_filter: SetLogFilterRequest -> SetLogFilterResponse;
        /// Stops the process.
        drain: DrainRequest -> DrainResponse;
        /// What the process is.
        get_build: GetBuildRequest -> GetBuildResponse;
        /// What could not be delivered to the webhook.
        list_dead_letters: ListDeadLettersRequest -> ListDeadLettersResponse;
        /// Has some of it delivered again.
        retry_dead_letter: RetryDeadLetterRequest -> RetryDeadLetterResponse;
        /// Has a person erased.
        erase_player: ErasePlayerRequest -> ErasePlayerResponse;
    }

    fn request<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        if let Some(token) = &self.token {
            request.metadata_mut().insert("authorization", token.clone());
        }
        request
    }
}
