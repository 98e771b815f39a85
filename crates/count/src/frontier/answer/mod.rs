//! Answers from a sweep: counts, estimates, diagrams, lists and certificates.

pub mod census;
pub mod certificate;
pub mod diagram;
pub mod exact;
pub(crate) mod expected;
pub(crate) mod options;
pub(crate) mod relaxed;
pub(crate) mod run;
pub mod sample;
pub mod walk;
pub(crate) mod weighted;
