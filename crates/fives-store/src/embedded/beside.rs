//! What is kept beside tables: keys and values, written by the same thread and within the same groups.

use fives_referee::store::StoreError;

use super::writer::{Group, Write};
use super::{EmbeddedStore, Kept};

/// Something to do on the writer thread, which then answers whoever waits.
pub(super) type Job = Box<dyn FnOnce(&Kept, &mut Group) + Send>;

impl EmbeddedStore {
    /// Has the writer thread do this: no other write comes between a look and a change.
    pub(super) async fn write_beside<T: Send + 'static>(
        &self,
        job: impl FnOnce(&Kept, &mut Group) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.write(|answer| {
            Write::Beside(Box::new(move |kept, group| {
                let outcome = job(kept, group);
                group.answer(answer, outcome);
            }))
        })
        .await
    }
}

impl Kept {
    /// What is kept there, with what this group is about to write.
    pub(super) fn newest_beside(&self, group: &Group, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        match group.beside.get(key) {
            Some(written) => Ok(written.clone()),
            None => self.folder.beside(key),
        }
    }

    pub(super) fn put_beside(&self, group: &mut Group, key: Vec<u8>, value: Vec<u8>) {
        self.folder.put_beside(&mut group.batch, &key, &value);
        group.beside.insert(key, Some(value));
    }

    pub(super) fn remove_beside(&self, group: &mut Group, key: Vec<u8>) {
        self.folder.remove_beside(&mut group.batch, &key);
        group.beside.insert(key, None);
    }
}
