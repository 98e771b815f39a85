//! Memory limit in proportion to the size of the input. An input that exceeds the limit runs out of memory, which counts as
//! a crash. CaDiCaL's own memory is not included.

use std::alloc::System;

use cap::Cap;

/// Allocator with a memory limit.
pub type Memory = Cap<System>;

/// Allocator that has no limit yet.
pub const MEMORY: Memory = Cap::new(System, usize::MAX);

/// Number of bytes that every input may use.
const ANY: usize = 64 << 20;

/// Number of further bytes for each byte of the input.
const EACH: usize = 1 << 10;

/// Runs a target within its memory limit.
pub fn run(memory: &Memory, target: fn(&[u8]), bytes: &[u8]) {
    let most = memory.allocated() + ANY + EACH * bytes.len();
    // Memory that other threads allocated in the meantime does not matter.
    memory
        .set_limit(most)
        .expect("less is taken than the limit");
    target(bytes);
    memory.set_limit(usize::MAX).expect("there is no limit");
}
