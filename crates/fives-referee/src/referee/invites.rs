//! Making and listing invites. They are used with [`Command::Join`] and revoked with [`Command::RevokeInvite`].

use super::{Caller, Referee, seen_by_author};
use crate::batch::TableEvent;
use crate::command::Command;
use crate::error::Error;
use crate::id::{InviteCode, MatchId, PlayerId, random};
use crate::invite::{Invite, InviteEvent, InviteWish};
use crate::store::StoreError;
use crate::view::SeenBatch;

impl Referee {
    /// Makes an invite. A retry gets the one that the first try made, as it is now.
    ///
    /// # Errors
    /// As [`Referee::carry_out`].
    pub async fn invite(&self, id: MatchId, caller: &Caller, wish: InviteWish) -> Result<(SeenBatch, Invite), Error> {
        let command = Command::Invite {
            wish,
            code: InviteCode::from_random(random()?),
            at: self.store.now().await?,
        };
        let (table, batch) = self.perform(id, caller, &command, None).await?;
        let made = batch.events.iter().find_map(|event| match event {
            TableEvent::Invite(InviteEvent::Made(made)) => Some(made),
            _ => None,
        });
        let missing = || StoreError::Damaged(format!("{id} has no invite where one was made"));
        let made = made.ok_or_else(missing)?;
        let newest = table.invites.iter().find(|invite| invite.code == made.code);
        let invite = *newest.unwrap_or(made);
        Ok((seen_by_author(&table, &batch, &caller.player), invite))
    }

    /// The invites of a table that were not revoked, in the order in which they were made.
    ///
    /// # Errors
    /// [`MatchNotFound`](crate::error::Refusal::MatchNotFound), [`NotSeated`](crate::error::Refusal::NotSeated); the store's
    /// errors.
    pub async fn invites(&self, id: &MatchId, player: &PlayerId) -> Result<Vec<Invite>, Error> {
        let table = self.load(id).await?;
        table.check_host(player)?;
        let invites = table.invites.iter().filter(|invite| !invite.revoked);
        Ok(invites.copied().collect())
    }
}
