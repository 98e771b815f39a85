//! Memory limit that grows with the size of the input. A target that exceeds the limit runs out of memory, which counts
//! as a crash. The memory that CaDiCaL allocates does not count.

use std::alloc::System;

use cap::Cap;

/// Allocator that can be given a memory limit.
pub type Memory = Cap<System>;

/// Allocator whose limit has not been set yet.
pub const MEMORY: Memory = Cap::new(System, usize::MAX);

/// Memory in bytes that a target may use for every input, whatever its size.
const ANY: usize = 64 << 20;

/// Additional memory in bytes for each byte of the input.
const EACH: usize = 1 << 10;

/// Runs a target on an input, within the memory limit for this input.
pub fn run(memory: &Memory, target: fn(&[u8]), bytes: &[u8]) {
    let most = memory.allocated() + ANY + EACH * bytes.len();
    // Memory that other threads have allocated in the meantime does not matter.
    memory.set_limit(most).expect("less is taken than the limit");
    target(bytes);
    memory.set_limit(usize::MAX).expect("there is no limit");
}
