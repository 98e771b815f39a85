//! Cancellation tokens: every holder of a copy may set the token, and running work checks it from time to time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// Cancellation token. All copies share one flag. Once set, the flag stays set, and the first cause counts.
#[derive(Clone, Debug, Default)]
pub struct CancellationToken(Arc<AtomicU8>);

const CANCELLED: u8 = 1;
const EXPIRED: u8 = 2;

impl CancellationToken {
    /// Requests the end of all work that checks this token.
    pub fn set(&self) {
        self.set_to(CANCELLED);
    }

    /// Requests the end of all work that checks this token, because a limit has been reached that the work does not
    /// check.
    pub fn expire(&self) {
        self.set_to(EXPIRED);
    }

    fn set_to(&self, cause: u8) {
        // If the token is set already, its cause stays.
        let _ = (self.0).compare_exchange(0, cause, Ordering::SeqCst, Ordering::SeqCst);
    }

    /// True if the token has been set, or has expired.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst) != 0
    }

    /// True if a limit has set the token.
    pub fn has_expired(&self) -> bool {
        self.0.load(Ordering::SeqCst) == EXPIRED
    }
}
