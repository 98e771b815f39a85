//! A flag that asks work to end: whoever has a copy may set it, and the work looks at it now and then.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The flag. Its copies are one flag, and once set it stays so.
#[derive(Clone, Debug, Default)]
pub struct CancellationToken(Arc<AtomicBool>);

impl CancellationToken {
    /// Asks whatever looks at it to end.
    pub fn set(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether it has been set.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
