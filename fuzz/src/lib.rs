//! Fuzzers of everything that hamcnf reads, and of the way from a question to a checked answer. README.md says how they
//! are run.

pub mod bounded;
pub mod corpus;
pub mod targets;

/// The program of a fuzzer: a target, with as much memory as an input may take.
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
