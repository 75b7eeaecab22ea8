//! What is logged, changed while the process runs.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use tracing_subscriber::EnvFilter;
use tracing_subscriber::reload::Error;

/// Puts a filter into effect.
type Apply = Box<dyn Fn(EnvFilter) -> Result<(), Error> + Send + Sync>;

/// The filter of the process. Cheap to clone.
#[derive(Clone)]
pub(crate) struct LogFilter(Arc<Shared>);

struct Shared {
    text: Mutex<String>,
    apply: Apply,
}

impl LogFilter {
    /// The filter that is in effect now, and what puts another one into effect.
    pub(crate) fn new(
        filter: &EnvFilter,
        apply: impl Fn(EnvFilter) -> Result<(), Error> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(Shared {
            text: Mutex::new(filter.to_string()),
            apply: Box::new(apply),
        }))
    }

    /// The filter, as it is written.
    pub(crate) fn text(&self) -> String {
        self.0.text.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Puts another filter into effect; gives the one before.
    ///
    /// # Errors
    /// If this process does not log.
    pub(crate) fn set(&self, filter: EnvFilter) -> Result<String, Error> {
        let mut text = self.0.text.lock().unwrap_or_else(PoisonError::into_inner);
        let next = filter.to_string();
        (self.0.apply)(filter)?;
        Ok(std::mem::replace(&mut text, next))
    }
}

impl fmt::Debug for LogFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LogFilter").field(&self.text()).finish()
    }
}
