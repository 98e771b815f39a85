//! Memory in proportion to the input: what takes more is out of memory, and that is a crash. CaDiCaL's own memory is not
//! seen here.

use std::alloc::System;

use cap::Cap;

/// The allocator.
pub type Memory = Cap<System>;

/// One without a limit.
pub const MEMORY: Memory = Cap::new(System, usize::MAX);

/// Bytes that any input may take.
const ANY: usize = 64 << 20;

/// Bytes more for each of its bytes.
const EACH: usize = 1 << 10;

/// Runs a target within its memory.
pub fn run(memory: &Memory, target: fn(&[u8]), bytes: &[u8]) {
    let most = memory.allocated() + ANY + EACH * bytes.len();
    // What was taken meanwhile by other threads does not count.
    memory
        .set_limit(most)
        .expect("less is taken than the limit");
    target(bytes);
    memory.set_limit(usize::MAX).expect("there is no limit");
}
