//! Cancellation tokens: every holder of a copy may set the token, and running work checks it from time to time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Cancellation token. All copies share one flag. Once set, the flag stays set.
#[derive(Clone, Debug, Default)]
pub struct CancellationToken(Arc<AtomicBool>);

impl CancellationToken {
    /// Requests the end of all work that checks this token.
    pub fn set(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// True if the token has been set.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
