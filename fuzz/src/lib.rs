//! Fuzzers for everything that hamcnf reads, and for the path from a question to a checked answer. README.md explains
//! how to run them.

pub mod bounded;
pub mod corpus;
pub mod targets;

/// Defines the program of a fuzzer, which runs a target within the memory limit for its inputs.
#[macro_export]
macro_rules! fuzzer {
    ($target:ident) => {
        #[global_allocator]
        static MEMORY: $crate::bounded::Memory = $crate::bounded::MEMORY;

        libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
            $crate::bounded::run(&MEMORY, $crate::targets::$target::$target, bytes);
        });
    };
}
