//! What could not be delivered to the platform: looked at, and tried again.

use fives_lobby::error::Refusal;
use fives_referee::audit::Act;
use fives_wire::admin::v1;
use fives_wire::decode::dead_letters as decode;
use fives_wire::encode::dead_letters as answer;
use tonic::Status;
use tracing::info;

use super::Parts;
use crate::failure::lobby_failed;
use crate::services::invalid;

impl Parts {
    pub(super) async fn list_dead_letters(
        &self,
        request: &v1::ListDeadLettersRequest,
    ) -> Result<v1::ListDeadLettersResponse, Status> {
        let letters = self.store.dead_letters(decode::list_dead_letters(request)).await;
        let letters = letters.map_err(|error| lobby_failed(error.into()))?;
        let count = self.store.dead_letter_count().await;
        let count = count.map_err(|error| lobby_failed(error.into()))?;
        Ok(answer::list_dead_letters(&letters, count))
    }

    pub(super) async fn retry_dead_letter(
        &self,
        request: &v1::RetryDeadLetterRequest,
    ) -> Result<v1::RetryDeadLetterResponse, Status> {
        let (id, order) = decode::retry_dead_letter(request).map_err(invalid)?;
        let operator = order.operator.to_string();
        self.note(order, Act::RetryDeadLetter(id)).await?;
        let revived = async { self.store.revive_dead_letter(&id, self.store.now().await?).await };
        if !revived.await.map_err(|error| lobby_failed(error.into()))? {
            return Err(lobby_failed(Refusal::DeadLetterNotFound.into()));
        }
        info!(delivery = %id, operator, "a dead letter is tried again");
        Ok(v1::RetryDeadLetterResponse {})
    }
}
